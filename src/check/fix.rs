//! Plans automatic fixes in memory; nothing is written here.
//!
//! A fix may uncover another problem, and only the first of two overlapping edits is made. So the
//! packs are checked again with the new texts until there is nothing left to fix, which makes
//! fixing idempotent.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::check;
use crate::diagnostic::{Diagnostic, Edit, FileId, Files, apply_edits};
use crate::library::PackLibrary;
use crate::pack::{Origin, PackSource, is_toml};

/// The maximum number of times the packs are checked; the rest is left for another run.
const MAX_ROUNDS: usize = 12;

/// A file that fixes change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FixedFile {
    /// The path as a user would type it.
    pub name: String,
    /// The current text.
    pub old: String,
    /// The fixed text.
    pub new: String,
}

/// The changes that fixes would make.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FixPlan {
    /// The changed files, sorted by name.
    pub files: Vec<FixedFile>,
    /// Number of edits in all files.
    pub edits: usize,
    /// Fixes that were not made, and why.
    pub notes: Vec<String>,
}

/// Plans the fixes of the wanted packs, for the diagnostics that `keep` accepts. Also returns the
/// packs with the new texts.
#[must_use]
pub fn plan(
    mut sources: Vec<PackSource>,
    wanted: impl Fn(Origin) -> bool,
    keep: impl Fn(&Diagnostic) -> bool,
) -> (FixPlan, Vec<PackSource>) {
    let mut plan = FixPlan::default();
    let mut notes = BTreeSet::new();
    for _ in 0..MAX_ROUNDS {
        let library = PackLibrary::load(sources.clone());
        let checked = check(&library, None, &wanted);
        let faults = checked.report.iter().filter(|fault| keep(fault));
        let files = &library.set.files;
        let new = fixed_texts(
            files,
            faults.flat_map(|fault| &fault.fixes),
            &sources,
            &mut plan.edits,
            &mut notes,
        );
        if new.is_empty() {
            break;
        }
        for (file, text) in &new {
            plan.change(files, *file, text);
        }
        sources = sources
            .into_iter()
            .map(|source| with_texts(source, files, &new))
            .collect();
    }
    // Fixes may cancel each other out.
    plan.files.retain(|file| file.old != file.new);
    plan.files.sort_by(|a, b| a.name.cmp(&b.name));
    plan.notes = notes.into_iter().collect();
    (plan, sources)
}

impl FixPlan {
    fn change(&mut self, files: &Files, file: FileId, text: &str) {
        let name = files.name(file);
        match self.files.iter_mut().find(|changed| changed.name == name) {
            Some(changed) => text.clone_into(&mut changed.new),
            None => self.files.push(FixedFile {
                name: name.to_owned(),
                old: files.text(file).to_owned(),
                new: text.to_owned(),
            }),
        }
    }
}

/// Applies edits; returns the new texts of the files that changed.
fn fixed_texts<'e>(
    files: &Files,
    edits: impl Iterator<Item = &'e Edit>,
    sources: &[PackSource],
    made: &mut usize,
    notes: &mut BTreeSet<String>,
) -> BTreeMap<FileId, String> {
    let mut by_file: BTreeMap<FileId, Vec<Edit>> = BTreeMap::new();
    for edit in edits.filter_map(|edit| edit.located(files)) {
        by_file.entry(edit.span.file).or_default().push(edit);
    }
    let mut out = BTreeMap::new();
    for (file, edits) in by_file {
        let (name, text) = (files.name(file), files.text(file));
        // If packs are nested, the file belongs to the innermost one.
        let own = sources
            .iter()
            .filter(|source| is_in(name, source))
            .max_by_key(|source| source.root().len());
        if own.is_none_or(|source| source.origin() == Origin::Embedded) {
            notes.insert(format!(
                "{name} is built into the program and cannot be changed; copy the pack to a folder first"
            ));
            continue;
        }
        let toml = name.ends_with(".toml");
        if toml && !is_toml(text) {
            notes.insert(format!(
                "{name} is not valid TOML; fix that first, then run `--fix` again"
            ));
            continue;
        }
        let done = apply_edits(text, edits, |text| !toml || is_toml(text));
        if done.failed > 0 {
            notes.insert(format!(
                "{name}: left out fixes that would make the file invalid TOML, such as a duplicate key"
            ));
        }
        *made += done.applied;
        if done.text != text {
            out.insert(file, done.text);
        }
    }
    out
}

fn is_in(name: &str, source: &PackSource) -> bool {
    name.strip_prefix(&source.root())
        .is_some_and(|rest| rest.starts_with('/'))
}

/// The source with its changed files replaced in memory.
fn with_texts(source: PackSource, files: &Files, new: &BTreeMap<FileId, String>) -> PackSource {
    if !new.keys().any(|file| is_in(files.name(*file), &source)) {
        return source;
    }
    let root = format!("{}/", source.root());
    let mut contents: BTreeMap<&str, &str> = BTreeMap::new();
    for file in files.ids() {
        if let Some(path) = files.name(file).strip_prefix(&root) {
            contents.insert(
                path,
                new.get(&file)
                    .map_or_else(|| files.text(file), String::as_str),
            );
        }
    }
    let contents = contents
        .into_iter()
        .map(|(path, text)| (path.to_owned().into(), Cow::Owned(text.as_bytes().to_vec())));
    PackSource::Files {
        name: source.root(),
        origin: source.origin(),
        files: contents.collect(),
    }
}
