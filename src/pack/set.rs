//! What loading gives: all packs that were found, checked one by one, but not yet laid over one another.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::diagnostic::{FileId, Files};

use super::draft::Digest;
use super::entry::Entry;
use super::find::{Origin, Source};
use super::kind::Kind;
use super::links::Links;
use super::manifest::Manifest;
use super::names::Index;
use super::patch::Patch;
use super::resolve::{Meaning, Replaced, meaning};
use super::value::Name;

/// All packs that were found.
#[derive(Clone, Debug, Default)]
pub struct PackSet {
    /// Every text that diagnostics may point into.
    pub files: Files,
    /// The packs in load order: what a pack needs comes before it, else by id.
    pub packs: Vec<Pack>,
    /// The engine's own kinds.
    pub builtin: Vec<Kind>,
    /// Packs that were found, but are not taken, because a later place has one with the same id.
    pub shadowed: Vec<Shadowed>,
    pub(super) links: Links,
    /// Shared with older sets, where one changed file leaves all entries their numbers.
    pub(super) index: Arc<Index>,
    pub(super) replaced: Replaced,
}

impl PackSet {
    /// The pack with that id, and its number.
    #[must_use]
    pub fn pack(&self, id: &str) -> Option<(u16, &Pack)> {
        let number = self.index.pack(id)?;
        Some((number, self.packs.get(usize::from(number))?))
    }

    /// Whether entries of one pack can be named in another.
    #[must_use]
    pub fn sees(&self, pack: u16, other: u16) -> bool {
        self.links.sees(pack, other)
    }

    /// The entry a name means among all packs that were found, if it means exactly one.
    #[must_use]
    pub fn meant(&self, name: &Name) -> Option<&Entry> {
        let Meaning::One(loc) = meaning(self, name, None) else {
            return None;
        };
        self.packs
            .get(usize::from(loc.pack))?
            .entries
            .get(loc.entry as usize)
            .map(|entry| &**entry)
    }

    /// All modes that can be played, as entries.
    pub fn modes(&self) -> impl Iterator<Item = &Entry> {
        self.packs
            .iter()
            .flat_map(Pack::entries)
            .filter(|entry| entry.kind == "mode")
    }

    /// All packs as they were read, in memory: one of them, which alone is named on the command line now, with other texts in the
    /// place of some of its files, or beside them.
    #[must_use]
    pub fn laid_over(&self, pack: &str, texts: &[(&str, &str)]) -> Vec<Source> {
        let source = |held: &Pack| {
            let own = held.manifest.id == pack;
            let mut files: BTreeMap<&str, &str> = self.texts(held).collect();
            files.extend(texts.iter().copied().filter(|_| own));
            let files = files
                .into_iter()
                .map(|(path, text)| (path.to_owned().into(), text.as_bytes().to_vec().into()));
            let origin = if own {
                Origin::CommandLine
            } else {
                held.origin.min(Origin::UserData)
            };
            Source::Files {
                name: held.root.clone(),
                origin,
                files: files.collect(),
            }
        };
        self.packs.iter().map(source).collect()
    }

    /// The files of a pack that its hash is taken over: their paths and what they hold.
    pub fn texts<'s>(&'s self, pack: &'s Pack) -> impl Iterator<Item = (&'s str, &'s str)> {
        pack.content
            .iter()
            .map(|held| (held.path.as_str(), self.files.text(held.file)))
    }

    /// The kinds a pack knows: the engine's, its own and those of the packs it sees.
    pub fn kinds_of(&self, pack: u16) -> impl Iterator<Item = &Kind> {
        let seen = (0u16..)
            .zip(&self.packs)
            .filter(move |(other, _)| self.sees(pack, *other));
        self.builtin
            .iter()
            .chain(seen.flat_map(|(_, held)| &held.kinds))
    }
}

/// The packs whose entries, kinds and functions a pack can name, itself among them, in load order.
#[must_use]
pub fn visible(set: &PackSet, pack: u16) -> Vec<u16> {
    let all = (0u16..).zip(&set.packs).map(|(other, _)| other);
    all.filter(|other| set.sees(pack, *other)).collect()
}

/// One pack as it was written.
#[derive(Clone, Debug)]
pub struct Pack {
    /// What it says about itself.
    pub manifest: Manifest,
    /// Where it was found.
    pub origin: Origin,
    /// Its folder.
    pub root: String,
    /// SHA-256 of its content files, paths and bytes, as hexadecimal digits.
    pub hash: String,
    /// These files, by path.
    pub(super) content: Vec<ContentFile>,
    /// The kinds it declares.
    pub kinds: Vec<Kind>,
    /// Its entries, shared with the layers they lie in.
    pub(super) entries: Vec<Arc<Entry>>,
    /// What it changes in other packs or in itself.
    pub patches: Vec<Patch>,
    /// Its files of functions.
    pub libraries: Vec<FileId>,
    /// Its tests, which are not content.
    pub tests: Vec<TestFile>,
}

impl Pack {
    /// Its entries.
    #[must_use]
    pub fn entries(&self) -> impl ExactSizeIterator<Item = &Entry> {
        self.entries.iter().map(|entry| &**entry)
    }
}

/// A file of content.
#[derive(Clone, Debug)]
pub(super) struct ContentFile {
    /// Its path in the pack.
    pub path: String,
    /// Its number in [`PackSet::files`].
    pub file: FileId,
    /// The hash of its text.
    pub digest: Digest,
    /// Whether it is known to hold entries and nothing else, with nothing wrong about them.
    pub plain: bool,
}

/// A file under `tests/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestFile {
    /// Its path in the pack.
    pub path: String,
    /// Its number in [`PackSet::files`].
    pub file: FileId,
}

/// A pack that is not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shadowed {
    /// Its id.
    pub id: String,
    /// Where it was found.
    pub origin: Origin,
    /// Its folder.
    pub root: String,
}
