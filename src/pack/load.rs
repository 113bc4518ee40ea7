//! Reads packs: files, kinds, entries and patches, and checks all references.

use std::collections::BTreeSet;

use crate::diagnostic::{Diagnostic, FileId, Files, Report};

use super::builtin;
use super::find::PackSource;
use super::manifests;
use super::parsed::{ParsedFile, drafts};
use super::read_entries::read_entries;
use super::read_kinds::{read_extensions, read_kinds};
use super::read_patches::read_patches;
use super::resolve;
use super::selection;
use super::set::PackSet;
use super::visibility::Visibility;

/// Top-level keys that are not kinds of entries.
pub(super) const DIRECTIVES: [&str; 6] = ["pack", "check", "kind", "extend", "patch", "remove"];

/// The first stage: reads all packs. Reports every error, and returns what is valid.
pub fn load(sources: Vec<PackSource>, report: &mut Report) -> PackSet {
    reload(sources, None, report)
}

/// Like [`load`], but does not parse files that have not changed since the set `before`. The result
/// is the same.
pub fn reload(sources: Vec<PackSource>, before: Option<&PackSet>, report: &mut Report) -> PackSet {
    let mut files = Files::new();
    let builtin = builtin::kinds(&mut files);
    let (heads, shadowed) = manifests::read(sources, &mut files, report);
    let drafts = drafts(heads, before, &mut files, report);
    let manifests: Vec<_> = drafts.iter().map(|draft| &draft.pack.manifest).collect();
    let visibility = Visibility::new(&manifests, report);
    let mut set = PackSet {
        files,
        packs: Vec::new(),
        builtin,
        shadowed,
        visibility,
        ..PackSet::default()
    };
    let mut trees = Vec::new();
    let mut broken = Vec::new();
    for (number, mut draft) in (0u16..).zip(drafts) {
        // `pack.toml` is read before packs have numbers.
        let only_in = &mut draft.pack.manifest.only_in;
        only_in.iter_mut().for_each(|name| name.by = number);
        set.packs.push(draft.pack);
        trees.push(draft.trees);
        broken.push(draft.broken);
    }
    read_kinds(&mut set, &trees, report);
    read_extensions(&mut set, &trees, report);
    read_entries(&mut set, &trees, before, report);
    set.replaced = resolve::replaced(&set);
    read_patches(&mut set, &trees, &broken, report);
    resolve::check(&set, &broken, report);
    selection::check_chains(&set, report);
    note_plain(&mut set, &trees, report);
    downgrade_parse_consequences(&set, &broken, report);
    set
}

/// Marks diagnostics that may come from lines that could not be parsed: a field is missing because
/// its line is broken, a kind because its block is.
fn downgrade_parse_consequences(set: &PackSet, broken: &[bool], report: &mut Report) {
    if !broken.contains(&true) {
        return;
    }
    let is_syntax = |diagnostic: &&Diagnostic| diagnostic.code == "toml-syntax";
    let unparsed: BTreeSet<FileId> = report
        .iter()
        .filter(is_syntax)
        .map(|diagnostic| diagnostic.label.span.file)
        .collect();
    let roots: Vec<String> = set
        .packs
        .iter()
        .zip(broken)
        .filter(|(_, broken)| **broken)
        .map(|(pack, _)| format!("{}/", pack.root))
        .collect();
    report.downgrade_to_guesses_if(|diagnostic| {
        let file = diagnostic.label.span.file;
        let in_pack = || {
            roots
                .iter()
                .any(|root| set.files.name(file).starts_with(root))
        };
        match diagnostic.code {
            "missing-field" | "missing-manifest" => unparsed.contains(&file),
            "unknown-kind" | "unknown-field" | "unknown-template-field" => {
                in_pack() && !unparsed.contains(&file)
            }
            _ => false,
        }
    });
}

/// Marks files that contain only valid entries: they need not be parsed again until they change.
fn note_plain(set: &mut PackSet, trees: &[Vec<ParsedFile>], report: &Report) {
    let faulty: BTreeSet<FileId> = report
        .iter()
        .map(|diagnostic| diagnostic.label.span.file)
        .collect();
    for (pack, trees) in set.packs.iter_mut().zip(trees) {
        // The places of a grid are entries that are not in the file.
        let made = |tree: &ParsedFile| {
            pack.entries
                .iter()
                .any(|entry| entry.kind == "grid" && entry.span.file == tree.file)
        };
        let has_only_entries = |tree: &&ParsedFile| {
            let only_entries = tree
                .table
                .pairs
                .iter()
                .all(|pair| !DIRECTIVES.contains(&pair.key.as_str()));
            !tree.is_head
                && only_entries
                && report.omitted() == 0
                && !faulty.contains(&tree.file)
                && !made(tree)
        };
        let entries_only: BTreeSet<FileId> = trees
            .iter()
            .filter(has_only_entries)
            .map(|tree| tree.file)
            .collect();
        for file in &mut pack.content {
            file.entries_only = entries_only.contains(&file.file);
        }
    }
}
