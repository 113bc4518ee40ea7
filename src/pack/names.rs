//! Finds entries by name, from the point of view of a pack.

use std::collections::HashMap;

use super::kind::EntryNature;
use super::set::Pack;
use super::value::Reference;
use super::visibility::Visibility;

/// The position of an entry in a set of packs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntryLocation {
    pub(super) pack: u16,
    pub(super) entry: u32,
}

/// All entries of a set by id. Never iterated, so hash order does not matter.
#[derive(Clone, Debug, Default)]
pub(super) struct NameIndex {
    /// The first entry with an id, which is nearly always the only one.
    first: HashMap<String, EntryLocation>,
    /// Further entries with that id.
    more: HashMap<String, Vec<EntryLocation>>,
    packs: HashMap<String, u16>,
    is: HashMap<String, EntryNature>,
}

/// The parts of `pack:kind/id`.
struct NameParts<'a> {
    pack: Option<&'a str>,
    kind: Option<&'a str>,
    id: &'a str,
}

impl<'a> NameParts<'a> {
    fn parse(text: &'a str) -> Self {
        let (pack, rest) = match text.split_once(':') {
            Some((pack, rest)) => (Some(pack), rest),
            None => (None, text),
        };
        match rest.split_once('/') {
            Some((kind, id)) => Self {
                pack,
                kind: Some(kind),
                id,
            },
            None => Self {
                pack,
                kind: None,
                id: rest,
            },
        }
    }
}

/// The pack in `pack:id`.
pub(super) fn pack_part(text: &str) -> Option<&str> {
    NameParts::parse(text).pack
}

/// The id in `pack:kind/id`.
pub(super) fn id_part(text: &str) -> &str {
    NameParts::parse(text).id
}

impl NameIndex {
    pub fn new<'k>(packs: &[Pack], kinds: impl Iterator<Item = (&'k str, EntryNature)>) -> Self {
        let is = kinds.map(|(id, is)| (id.to_owned(), is)).collect();
        let mut index = Self {
            is,
            ..Self::default()
        };
        for (pack, held) in (0u16..).zip(packs) {
            index.packs.insert(held.manifest.id.clone(), pack);
            for (entry, def) in (0u32..).zip(&held.entries) {
                index.add(&def.id, EntryLocation { pack, entry });
            }
        }
        index
    }

    fn add(&mut self, id: &str, loc: EntryLocation) {
        if self.first.contains_key(id) {
            self.more.entry(id.to_owned()).or_default().push(loc);
        } else {
            self.first.insert(id.to_owned(), loc);
        }
    }

    /// The entry that a name refers to, if no other entry in any pack has that id.
    pub fn only(
        &self,
        packs: &[Pack],
        visibility: &Visibility,
        name: &Reference,
    ) -> Option<EntryLocation> {
        let parts = NameParts::parse(&name.text);
        let only = *self
            .first
            .get(parts.id)
            .filter(|_| !self.more.contains_key(parts.id))?;
        (visibility.sees(name.by, only.pack) && self.is_match(packs, &parts, &name.to, only))
            .then_some(only)
    }

    pub fn pack(&self, id: &str) -> Option<u16> {
        self.packs.get(id).copied()
    }

    pub fn is(&self, kind: &str) -> Option<EntryNature> {
        self.is.get(kind).copied()
    }

    /// Whether an entry of a kind is accepted where one of the kinds `to` is expected.
    pub fn fits(&self, kind: &str, to: &[String]) -> bool {
        to.is_empty()
            || to.iter().any(|wanted| {
                wanted == kind
                    || self
                        .is(kind)
                        .is_some_and(|is| is != EntryNature::Data && is.word() == wanted)
            })
    }

    /// All entries that a name may refer to in the pack that wrote it. Entries of that pack hide
    /// those of other packs.
    pub fn candidates(
        &self,
        packs: &[Pack],
        visibility: &Visibility,
        name: &Reference,
        keep: &dyn Fn(EntryLocation) -> bool,
    ) -> Vec<EntryLocation> {
        let parts = NameParts::parse(&name.text);
        let mut found: Vec<EntryLocation> = self
            .all(packs, &parts, &name.to)
            .filter(|loc| visibility.sees(name.by, loc.pack) && keep(*loc))
            .collect();
        if found.iter().any(|loc| loc.pack == name.by) {
            found.retain(|loc| loc.pack == name.by);
        }
        found
    }

    /// An entry with that name in a pack that the writing pack does not see, for a hint.
    pub fn unseen(
        &self,
        packs: &[Pack],
        visibility: &Visibility,
        name: &Reference,
    ) -> Option<EntryLocation> {
        let parts = NameParts::parse(&name.text);
        self.all(packs, &parts, &name.to)
            .find(|loc| !visibility.sees(name.by, loc.pack))
    }

    /// An entry with that name but of another kind, for a hint.
    pub fn other_kind(
        &self,
        packs: &[Pack],
        visibility: &Visibility,
        name: &Reference,
    ) -> Option<EntryLocation> {
        let parts = NameParts {
            kind: None,
            ..NameParts::parse(&name.text)
        };
        self.all(packs, &parts, &[])
            .find(|loc| visibility.sees(name.by, loc.pack))
    }

    fn all<'a>(
        &'a self,
        packs: &'a [Pack],
        parts: &'a NameParts<'a>,
        to: &'a [String],
    ) -> impl Iterator<Item = EntryLocation> + 'a {
        let more = self.more.get(parts.id).into_iter().flatten();
        let all = self.first.get(parts.id).into_iter().chain(more).copied();
        all.filter(move |loc| self.is_match(packs, parts, to, *loc))
    }

    fn is_match(
        &self,
        packs: &[Pack],
        parts: &NameParts,
        to: &[String],
        loc: EntryLocation,
    ) -> bool {
        let Some(entry) = packs
            .get(usize::from(loc.pack))
            .and_then(|pack| pack.entries.get(loc.entry as usize))
        else {
            return false;
        };
        parts.pack.is_none_or(|pack| pack == entry.pack_id)
            && parts.kind.is_none_or(|kind| kind == entry.kind)
            && self.fits(&entry.kind, to)
    }
}
