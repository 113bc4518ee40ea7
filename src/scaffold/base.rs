//! The pack that a new pack builds on.

use crate::pack::{Entry, Kind, Pack, PackSet, visible};

pub struct BasePack<'s> {
    set: &'s PackSet,
    number: u16,
    pub pack: &'s Pack,
    /// The mode to play: its own, or a mode of a pack it depends on.
    pub mode: &'s Entry,
}

impl<'s> BasePack<'s> {
    /// # Errors
    /// Returns a message if there is no such pack, or no mode to play it in.
    pub fn new(set: &'s PackSet, id: &str) -> Result<Self, String> {
        let (number, pack) = set
            .pack(id)
            .ok_or_else(|| format!("no pack is called `{id}`"))?;
        let below = visible(set, number)
            .into_iter()
            .rev()
            .filter_map(|other| set.packs.get(usize::from(other)));
        let mode = std::iter::once(pack).chain(below).find_map(mode_of).ok_or_else(|| {
            format!("cannot build on `{id}`: neither it nor a pack it builds on has a mode, so the new pack could not be tested")
        })?;
        Ok(Self {
            set,
            number,
            pack,
            mode,
        })
    }

    /// The first line of the title.
    pub fn title(&self) -> &'s str {
        self.pack.manifest.title.lines().next().unwrap_or_default()
    }

    /// The full name of its mode: `pack:mode`.
    pub fn mode_name(&self) -> String {
        format!("{}:{}", self.mode.pack_id, self.mode.id)
    }

    /// What a new pack has to extend: this pack and the pack of the mode, each with a version
    /// range.
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

    /// The text of the file that defines an entry.
    pub fn file_of(&self, entry: &Entry) -> &'s str {
        self.set.files.text(entry.span.file)
    }

    /// All kinds that packs declare, those of this pack first.
    pub fn kinds(&self) -> Vec<&'s Kind> {
        let mut kinds: Vec<&Kind> = self
            .set
            .kinds_of(self.number)
            .filter(|kind| kind.pack.is_some())
            .collect();
        kinds.sort_by_key(|kind| kind.pack != Some(self.number));
        kinds
    }

    pub fn kind_of(&self, entry: &Entry) -> Option<&'s Kind> {
        self.set
            .kinds_of(self.number)
            .find(|kind| kind.id == entry.kind)
    }

    /// The entries that exist in every mode, those of this pack first.
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

    /// A free id. If the wanted id is taken, the id of the new pack becomes its prefix.
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

/// Whether an entry exists in every mode and replaces no other.
fn is_always(entry: &Entry) -> bool {
    entry.list("in").is_empty() && entry.get("replaces").is_none()
}

fn mode_of(pack: &Pack) -> Option<&Entry> {
    pack.entries()
        .find(|entry| entry.kind == "mode" && is_always(entry))
}

/// A line of `extends`: the id with a range of compatible versions.
fn with_versions(pack: &Pack) -> String {
    let (id, version) = (&pack.manifest.id, &pack.manifest.version);
    match (version.major, version.minor) {
        (0, 0) => id.clone(),
        (0, minor) => format!("{id} ^0.{minor}"),
        (major, _) => format!("{id} ^{major}"),
    }
}
