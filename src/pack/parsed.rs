//! Parses the files of packs into trees, from which later steps read kinds, entries and patches.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use sha2::{Digest as _, Sha256};

use crate::diagnostic::{FileId, Files, Report};

use super::large_stack;
use super::manifests::PackHead;
use super::read::{self, PackFile};
use super::set::{ContentFile, Pack, PackSet, TestFile};
use super::toml_tree::{self, TomlTable};
use super::visibility;

/// A parsed file.
pub(super) struct ParsedFile {
    pub file: FileId,
    pub table: TomlTable,
    /// Whether it is `pack.toml`.
    pub is_head: bool,
    /// Whether parsing was skipped, because the file contains only valid entries and has not
    /// changed since the previous set.
    pub known: bool,
}

/// A pack whose files are parsed, but whose kinds, entries and patches are not read yet.
pub(super) struct ParsedPack {
    pub pack: Pack,
    pub trees: Vec<ParsedFile>,
    /// Whether a file could not be parsed, so that entries may be missing.
    pub broken: bool,
}

/// Parses the files of all packs in load order. Skips files that have not changed since the
/// previous set.
pub(super) fn drafts(
    heads: Vec<PackHead>,
    before: Option<&PackSet>,
    files: &mut Files,
    report: &mut Report,
) -> Vec<ParsedPack> {
    let manifests: Vec<_> = heads.iter().map(|head| &head.manifest).collect();
    let order = visibility::order(&manifests, report);
    let mut heads: Vec<Option<PackHead>> = heads.into_iter().map(Some).collect();
    let ordered = order
        .into_iter()
        .filter_map(|index| heads.get_mut(index)?.take());
    let mut drafts = Vec::new();
    for (number, head) in ordered.enumerate() {
        let before = before.and_then(|set| {
            let pack = set
                .packs
                .get(number)
                .filter(|pack| pack.manifest.id == head.manifest.id)?;
            Some(PreviousPack { set, pack })
        });
        drafts.push(draft(head, before.as_ref(), files, report));
    }
    drafts
}

/// The pack in the previous set.
struct PreviousPack<'a> {
    set: &'a PackSet,
    pack: &'a Pack,
}

impl PreviousPack<'_> {
    /// The file in the previous set, if it had the same number, name and text.
    fn same(&self, files: &Files, file: FileId) -> Option<&ContentFile> {
        let held = self.pack.content.iter().find(|held| held.file == file)?;
        let old = &self.set.files;
        (old.name(file) == files.name(file) && old.text(file) == files.text(file)).then_some(held)
    }
}

fn draft(
    head: PackHead,
    before: Option<&PreviousPack>,
    files: &mut Files,
    report: &mut Report,
) -> ParsedPack {
    let faults = report.len();
    let all = read::rest(&head.source, files, report);
    let unreadable = report.len() > faults;
    let (tests, content): (Vec<_>, Vec<_>) = all
        .into_iter()
        .partition(|file| file.path.starts_with("tests/"));
    let known = content_files(files, &head.file, &content, before);
    let (libraries, content): (Vec<_>, Vec<_>) = content
        .into_iter()
        .partition(|file| has_ending(file, "rhai"));
    let pack = Pack {
        origin: head.source.origin(),
        root: head.source.root(),
        manifest: head.manifest,
        hash: hash(&known),
        content: known,
        kinds: Vec::new(),
        extensions: Vec::new(),
        extended: BTreeMap::new(),
        entries: Vec::new(),
        patches: Vec::new(),
        libraries: libraries.into_iter().map(|file| file.file).collect(),
        test_libraries: tests
            .iter()
            .filter(|file| has_ending(file, "rhai"))
            .map(|file| file.file)
            .collect(),
        tests: tests.into_iter().filter_map(test_file).collect(),
    };
    let tree = ParsedFile {
        file: head.file.file,
        table: head.table,
        is_head: true,
        known: false,
    };
    let is_known = |file: &PackFile| {
        pack.content
            .iter()
            .any(|own| own.file == file.file && own.entries_only)
    };
    let (known, content): (Vec<_>, Vec<_>) = content.into_iter().partition(is_known);
    let (mut trees, valid) = trees(content, files, report);
    trees.push((head.file.path, tree));
    trees.extend(known.into_iter().map(|file| {
        (
            file.path,
            ParsedFile {
                file: file.file,
                table: TomlTable::default(),
                is_head: false,
                known: true,
            },
        )
    }));
    trees.sort_by(|a, b| a.0.cmp(&b.0));
    let trees = trees.into_iter().map(|(_, tree)| tree).collect();
    ParsedPack {
        pack,
        trees,
        broken: head.broken || unreadable || !valid,
    }
}

/// Parses files. Returns the parsed files with their paths, and whether all of them are valid.
fn trees(
    content: Vec<PackFile>,
    files: &Files,
    report: &mut Report,
) -> (Vec<(String, ParsedFile)>, bool) {
    let text = |file: &PackFile| files.text(file.file);
    let parsed = large_stack::map_on_large_stack(&content, text, |file| {
        let mut faults = Report::new();
        let (table, valid) = toml_tree::parse(files, file.file, &mut faults);
        (table, valid, faults)
    });
    let mut all_valid = true;
    let mut trees = Vec::with_capacity(content.len());
    for (file, (table, valid, faults)) in content.into_iter().zip(parsed) {
        report.extend(faults);
        all_valid &= valid;
        trees.push((
            file.path,
            ParsedFile {
                file: file.file,
                table,
                is_head: false,
                known: false,
            },
        ));
    }
    (trees, all_valid)
}

fn has_ending(file: &PackFile, ending: &str) -> bool {
    Path::new(&file.path)
        .extension()
        .is_some_and(|found| found == ending)
}

fn test_file(read: PackFile) -> Option<TestFile> {
    has_ending(&read, "toml").then_some(TestFile {
        path: read.path,
        file: read.file,
    })
}

pub(super) type FileHash = [u8; 32];

pub(super) fn digest(text: &str) -> FileHash {
    Sha256::digest(text.as_bytes()).into()
}

/// The content files by path; unchanged files keep what the previous set knew about them.
fn content_files(
    files: &Files,
    head: &PackFile,
    content: &[PackFile],
    before: Option<&PreviousPack>,
) -> Vec<ContentFile> {
    let one = |read: &PackFile| {
        let before = before.and_then(|before| before.same(files, read.file));
        ContentFile {
            path: read.path.clone(),
            file: read.file,
            digest: before.map_or_else(|| digest(files.text(read.file)), |before| before.digest),
            entries_only: before.is_some_and(|before| before.entries_only),
        }
    };
    let mut all: Vec<ContentFile> = std::iter::once(head).chain(content).map(one).collect();
    all.sort_by(|a, b| a.path.cmp(&b.path));
    all
}

/// The hash of a pack. It includes the lengths of paths, so that bytes cannot move between a path
/// and a text unnoticed.
pub(super) fn hash(content: &[ContentFile]) -> String {
    let mut hasher = Sha256::new();
    for file in content {
        hasher.update((file.path.len() as u64).to_le_bytes());
        hasher.update(file.path.as_bytes());
        hasher.update(file.digest);
    }
    hasher
        .finalize()
        .iter()
        .fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
}
