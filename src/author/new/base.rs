//! The pack that a new one builds on, and what it has.

use crate::pack::{Entry, Kind, Pack, PackSet, visible};

/// A pack to build on.
pub struct Base<'s> {
    set: &'s PackSet,
    /// Its number.
    number: u16,
    /// The pack itself.
    pub pack: &'s Pack,
    /// The mode in which it is played: its own, or one of a pack it builds on.
    pub mode: &'s Entry,
}

impl<'s> Base<'s> {
    /// The pack of an id.
    ///
    /// # Errors
    /// Why nothing can be built on it.
    pub fn new(set: &'s PackSet, id: &str) -> Result<Self, String> {
        let (number, pack) = set
            .pack(id)
            .ok_or_else(|| format!("there is no pack `{id}`"))?;
        let below = visible(set, number)
            .into_iter()
            .rev()
            .filter_map(|other| set.packs.get(usize::from(other)));
        let mode = std::iter::once(pack).chain(below).find_map(mode_of).ok_or_else(|| {
            format!("`{id}` cannot be played: neither it nor a pack it builds on has a mode, so that nothing could be tried out")
        })?;
        Ok(Self {
            set,
            number,
            pack,
            mode,
        })
    }

    /// What people call it, in one line.
    pub fn title(&self) -> &'s str {
        self.pack.manifest.title.lines().next().unwrap_or_default()
    }

    /// Its mode, as anybody may name it.
    pub fn mode_name(&self) -> String {
        format!("{}:{}", self.mode.pack_id, self.mode.id)
    }

    /// What a pack on top of it extends: the pack, and the one whose mode is played, each with its versions.
    pub fn extends(&self) -> Vec<String> {
        let of_mode = self
            .set
            .packs
            .get(usize::from(self.mode.pack))
            .filter(|pack| pack.root != self.pack.root);
        std::iter::once(self.pack)
            .chain(of_mode)
            .map(with_versions)
            .collect()
    }

    /// The text of a file of a pack.
    pub fn file_of(&self, entry: &Entry) -> &'s str {
        self.set.files.text(entry.span.file)
    }

    /// The kinds that packs declare, its own first.
    pub fn kinds(&self) -> Vec<&'s Kind> {
        let mut kinds: Vec<&Kind> = self
            .set
            .kinds_of(self.number)
            .filter(|kind| kind.pack.is_some())
            .collect();
        kinds.sort_by_key(|kind| kind.pack != Some(self.number));
        kinds
    }

    /// The kind of an entry.
    pub fn kind_of(&self, entry: &Entry) -> Option<&'s Kind> {
        self.set
            .kinds_of(self.number)
            .find(|kind| kind.id == entry.kind)
    }

    /// The entries that are there in every mode, its own first.
    pub fn entries(&self) -> Vec<&'s Entry> {
        let seen = visible(self.set, self.number)
            .into_iter()
            .filter(|other| *other != self.number);
        let packs = std::iter::once(self.number)
            .chain(seen)
            .filter_map(|other| self.set.packs.get(usize::from(other)));
        packs
            .flat_map(Pack::entries)
            .filter(|entry| is_always(entry))
            .collect()
    }

    /// An id that nothing in sight has; if it is taken, with the new pack's own before it.
    pub fn free(&self, id: &str, pack: &str) -> String {
        if self.is_taken(id) {
            format!("{}_{id}", pack.replace('-', "_"))
        } else {
            id.to_owned()
        }
    }

    fn is_taken(&self, id: &str) -> bool {
        let same = |other: &str| other.replace('-', "_") == id.replace('-', "_");
        let mut kinds = self.set.kinds_of(self.number);
        let packs = visible(self.set, self.number);
        let mut entries = packs
            .iter()
            .filter_map(|pack| self.set.packs.get(usize::from(*pack)))
            .flat_map(Pack::entries);
        kinds.any(|kind| same(&kind.id) || kind.fields.iter().any(|field| same(&field.name)))
            || entries.any(|entry| same(&entry.id))
    }
}

/// Whether an entry is there in every mode, and itself.
fn is_always(entry: &Entry) -> bool {
    entry.list("in").is_empty() && entry.get("replaces").is_none()
}

fn mode_of(pack: &Pack) -> Option<&Entry> {
    pack.entries()
        .find(|entry| entry.kind == "mode" && is_always(entry))
}

/// A pack as another extends it: with the versions that are sure to fit, if it says which it has.
fn with_versions(pack: &Pack) -> String {
    let (id, version) = (&pack.manifest.id, &pack.manifest.version);
    match (version.major, version.minor) {
        (0, 0) => id.clone(),
        (0, minor) => format!("{id} ^0.{minor}"),
        (major, _) => format!("{id} ^{major}"),
    }
}
