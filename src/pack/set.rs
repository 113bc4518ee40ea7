//! The result of the first stage: all packs, each checked, but not merged yet.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::diagnostic::{FileId, Files};

use super::entry::Entry;
use super::extension::KindExtension;
use super::find::{Origin, PackSource};
use super::kind::Kind;
use super::manifest::Manifest;
use super::names::NameIndex;
use super::parsed::FileHash;
use super::patch::Patch;
use super::resolve::{Replacements, Resolution, resolve_name};
use super::value::Reference;
use super::visibility::Visibility;

/// All packs that were found.
#[derive(Clone, Debug, Default)]
pub struct PackSet {
    /// All files that diagnostics may point into.
    pub files: Files,
    /// The packs in load order: dependencies first, otherwise by id.
    pub packs: Vec<Pack>,
    /// The engine's own kinds.
    pub builtin: Vec<Kind>,
    /// Packs that are not used, because another pack has the same id.
    pub shadowed: Vec<Shadowed>,
    pub(super) visibility: Visibility,
    /// Shared with earlier sets if a changed file leaves the locations of all entries unchanged.
    pub(super) index: Arc<NameIndex>,
    pub(super) replaced: Replacements,
}

impl PackSet {
    /// The pack with that id, and its index.
    #[must_use]
    pub fn pack(&self, id: &str) -> Option<(u16, &Pack)> {
        let number = self.index.pack(id)?;
        Some((number, self.packs.get(usize::from(number))?))
    }

    /// Whether `pack` can name the entries of `other`.
    #[must_use]
    pub fn sees(&self, pack: u16, other: u16) -> bool {
        self.visibility.sees(pack, other)
    }

    /// The entry that a name refers to among all packs, if there is exactly one.
    #[must_use]
    pub fn resolve(&self, name: &Reference) -> Option<&Entry> {
        let Resolution::Unique(loc) = resolve_name(self, name, None) else {
            return None;
        };
        self.packs
            .get(usize::from(loc.pack))?
            .entries
            .get(loc.entry as usize)
            .map(|entry| &**entry)
    }

    /// The modes of all packs.
    pub fn modes(&self) -> impl Iterator<Item = &Entry> {
        self.packs
            .iter()
            .flat_map(Pack::entries)
            .filter(|entry| entry.kind == "mode")
    }

    /// All packs as sources in memory, with files of one pack replaced or added. Only that pack has
    /// the origin of packs named on the command line.
    #[must_use]
    pub fn with_overlay(&self, id: &str, texts: &[(&str, &str)]) -> Vec<PackSource> {
        let source = |pack: &Pack| {
            let own = pack.manifest.id == id;
            let mut files: BTreeMap<&str, &str> = self.texts(pack).collect();
            let inside = |file: &FileId| self.files.name(*file).get(pack.root.len() + 1..);
            let tests = pack.test_libraries.iter().filter(|_| own);
            files.extend(tests.filter_map(|file| Some((inside(file)?, self.files.text(*file)))));
            files.extend(texts.iter().copied().filter(|_| own));
            let files = files
                .into_iter()
                .map(|(path, text)| (path.to_owned().into(), text.as_bytes().to_vec().into()));
            let origin = if own {
                Origin::CommandLine
            } else {
                pack.origin.min(Origin::UserData)
            };
            PackSource::Files {
                name: pack.root.clone(),
                origin,
                files: files.collect(),
            }
        };
        self.packs.iter().map(source).collect()
    }

    /// The path and text of each file that the hash of a pack covers.
    pub fn texts<'s>(&'s self, pack: &'s Pack) -> impl Iterator<Item = (&'s str, &'s str)> {
        pack.content
            .iter()
            .map(|file| (file.path.as_str(), self.files.text(file.file)))
    }

    /// The kinds that a pack can use: those of the engine, of the pack itself and of the packs it
    /// sees, with what these packs add to them.
    pub fn kinds_of(&self, pack: u16) -> impl Iterator<Item = &Kind> {
        let seen = (0u16..)
            .zip(&self.packs)
            .filter(move |(other, _)| self.sees(pack, *other));
        let extended = &self.packs[usize::from(pack)].extended;
        self.builtin
            .iter()
            .chain(seen.flat_map(|(_, pack)| &pack.kinds))
            .map(|kind| extended.get(&kind.id).unwrap_or(kind))
    }
}

/// The packs whose entries, kinds and functions a pack can name, including itself, in load order.
#[must_use]
pub fn visible(set: &PackSet, pack: u16) -> Vec<u16> {
    let all = (0u16..).zip(&set.packs).map(|(other, _)| other);
    all.filter(|other| set.sees(pack, *other)).collect()
}

/// A pack as written.
#[derive(Clone, Debug)]
pub struct Pack {
    /// Its id, version and dependencies.
    pub manifest: Manifest,
    /// Where it was found.
    pub origin: Origin,
    /// The path of its folder.
    pub root: String,
    /// SHA-256 of the paths and bytes of its content files, in hexadecimal.
    pub hash: String,
    /// The files that the hash covers, sorted by path.
    pub(super) content: Vec<ContentFile>,
    /// The kinds it declares.
    pub kinds: Vec<Kind>,
    /// What it adds to the kinds of other packs.
    pub extensions: Vec<KindExtension>,
    /// The kinds with additions, as this pack sees them, by id.
    pub(super) extended: BTreeMap<String, Kind>,
    /// Its entries, shared with the layers of opened games.
    pub(super) entries: Vec<Arc<Entry>>,
    /// Its `[[patch]]` and `[[remove]]` blocks.
    pub patches: Vec<Patch>,
    /// Its `.rhai` files, which define functions.
    pub libraries: Vec<FileId>,
    /// The `.rhai` files in its folder `tests/`, whose functions only its test cases can call.
    pub test_libraries: Vec<FileId>,
    /// Its test cases, which the hash does not cover.
    pub tests: Vec<TestFile>,
}

impl Pack {
    /// The entries it defines, before any patch.
    #[must_use]
    pub fn entries(&self) -> impl ExactSizeIterator<Item = &Entry> {
        self.entries.iter().map(|entry| &**entry)
    }
}

/// A file that the hash of a pack covers.
#[derive(Clone, Debug)]
pub(super) struct ContentFile {
    pub path: String,
    pub file: FileId,
    pub digest: FileHash,
    /// Whether it contains only entries, without errors.
    pub entries_only: bool,
}

/// A file under `tests/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestFile {
    /// Its path inside the pack.
    pub path: String,
    /// Its number in [`PackSet::files`].
    pub file: FileId,
}

/// A pack that is not used, because another pack has the same id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shadowed {
    /// The id that both have.
    pub id: String,
    /// Where it was found.
    pub origin: Origin,
    /// The path of its folder.
    pub root: String,
}
