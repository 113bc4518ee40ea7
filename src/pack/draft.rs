//! Reads the files of packs: each becomes a pack without content, and the trees its content is read from.

use std::fmt::Write as _;
use std::path::Path;

use sha2::{Digest as _, Sha256};

use crate::diagnostic::{FileId, Files, Report};

use super::heads::Head;
use super::links;
use super::node::{self, Table};
use super::read::{self, ReadFile};
use super::roomy;
use super::set::{Pack, TestFile};

/// A file of content, taken apart.
pub(super) struct Tree {
    pub file: FileId,
    pub table: Table,
    /// Whether it is `pack.toml`.
    pub is_head: bool,
}

/// A pack whose files are read, but not understood.
pub(super) struct Draft {
    pub pack: Pack,
    pub trees: Vec<Tree>,
    /// Whether a file could not be read fully, so that something may be missing.
    pub broken: bool,
}

/// Reads the files of all packs, in load order.
pub(super) fn drafts(heads: Vec<Head>, files: &mut Files, report: &mut Report) -> Vec<Draft> {
    let manifests: Vec<_> = heads.iter().map(|head| &head.manifest).collect();
    let order = links::order(&manifests, report);
    let mut heads: Vec<Option<Head>> = heads.into_iter().map(Some).collect();
    let ordered = order.into_iter().filter_map(|index| heads.get_mut(index)?.take());
    ordered.map(|head| draft(head, files, report)).collect()
}

fn draft(head: Head, files: &mut Files, report: &mut Report) -> Draft {
    let faults = report.len();
    let all = read::rest(&head.source, files, report);
    let unreadable = report.len() > faults;
    let (tests, content): (Vec<_>, Vec<_>) = all.into_iter().partition(|file| file.path.starts_with("tests/"));
    let digests = digests(files, &head.file, &content);
    let (libraries, content): (Vec<_>, Vec<_>) = content.into_iter().partition(|file| has_ending(file, "rhai"));
    let pack = Pack {
        origin: head.source.origin(),
        root: head.source.root(),
        manifest: head.manifest,
        hash: hash(&digests),
        digests,
        kinds: Vec::new(),
        entries: Vec::new(),
        patches: Vec::new(),
        libraries: libraries.into_iter().map(|file| file.file).collect(),
        tests: tests.into_iter().filter_map(test_file).collect(),
    };
    let tree = Tree { file: head.file.file, table: head.table, is_head: true };
    let (trees, sound) = trees((head.file.path, tree), content, files, report);
    Draft { pack, trees, broken: head.broken || unreadable || !sound }
}

/// Takes all files apart; they come back sorted by path, with whether all of them are sound.
fn trees(head: (String, Tree), content: Vec<ReadFile>, files: &Files, report: &mut Report) -> (Vec<Tree>, bool) {
    let text = |file: &ReadFile| files.text(file.file);
    let parsed = roomy::map(&content, text, |file| {
        let mut faults = Report::new();
        let (table, sound) = node::parse(files, file.file, &mut faults);
        (table, sound, faults)
    });
    let mut all_sound = true;
    let mut trees = vec![head];
    for (file, (table, sound, faults)) in content.into_iter().zip(parsed) {
        report.extend(faults);
        all_sound &= sound;
        trees.push((file.path, Tree { file: file.file, table, is_head: false }));
    }
    trees.sort_by(|a, b| a.0.cmp(&b.0));
    (trees.into_iter().map(|(_, tree)| tree).collect(), all_sound)
}

fn has_ending(file: &ReadFile, ending: &str) -> bool {
    Path::new(&file.path).extension().is_some_and(|found| found == ending)
}

fn test_file(read: ReadFile) -> Option<TestFile> {
    has_ending(&read, "toml").then_some(TestFile { path: read.path, file: read.file })
}

/// The hash of a file.
pub(super) type Digest = [u8; 32];

/// The hash of a text.
pub(super) fn digest(text: &str) -> Digest {
    Sha256::digest(text.as_bytes()).into()
}

fn digests(files: &Files, head: &ReadFile, content: &[ReadFile]) -> Vec<(String, FileId, Digest)> {
    let all: Vec<&ReadFile> = std::iter::once(head).chain(content).collect();
    let named = all.iter().map(|file| (file.path.clone(), file.file, digest(files.text(file.file))));
    let mut digests: Vec<_> = named.collect();
    digests.sort();
    digests
}

/// The hash of a pack. Lengths are hashed too, so that moving bytes from a path to another shows.
pub(super) fn hash(digests: &[(String, FileId, Digest)]) -> String {
    let mut hasher = Sha256::new();
    for (path, _, digest) in digests {
        hasher.update((path.len() as u64).to_le_bytes());
        hasher.update(path.as_bytes());
        hasher.update(digest);
    }
    hasher.finalize().iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
