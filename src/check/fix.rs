//! What a machine can mend in packs, worked out in memory: nothing is written here.
//!
//! A mended fault may uncover another one, and of two edits in one place only the first is made. So the packs are checked
//! again with the new texts until nothing is left to mend, and mending twice is the same as mending once.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::check;
use crate::diagnostic::{Diagnostic, Edit, FileId, Files, edited};
use crate::pack::{Origin, Source, is_toml};
use crate::shelf::Shelf;

/// Faults that uncover one another more often than this are left for another time.
const ROUNDS: usize = 12;

/// A file with other words in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// Its path, as a person would type it.
    pub name: String,
    /// What it holds now.
    pub old: String,
    /// What it shall hold.
    pub new: String,
}

/// What is to be changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The files that change, by name.
    pub files: Vec<Changed>,
    /// How many changes there are in them.
    pub edits: usize,
    /// What could be mended but is not, and why.
    pub notes: Vec<String>,
}

/// Works out how to mend the faults of packs: those of the packs that are wanted, as far as they are to be kept. Gives
/// the packs with the new texts, too.
#[must_use]
pub fn plan(
    mut sources: Vec<Source>,
    wanted: impl Fn(Origin) -> bool,
    keep: impl Fn(&Diagnostic) -> bool,
) -> (Plan, Vec<Source>) {
    let mut plan = Plan::default();
    let mut notes = BTreeSet::new();
    for _ in 0..ROUNDS {
        let shelf = Shelf::load(sources.clone());
        let checked = check(&shelf, None, &wanted);
        let faults = checked.report.iter().filter(|fault| keep(fault));
        let files = &shelf.set.files;
        let new = mended(
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
            .map(|source| with(source, files, &new))
            .collect();
    }
    // What came back to what it was is no change.
    plan.files.retain(|file| file.old != file.new);
    plan.files.sort_by(|a, b| a.name.cmp(&b.name));
    plan.notes = notes.into_iter().collect();
    (plan, sources)
}

impl Plan {
    fn change(&mut self, files: &Files, file: FileId, text: &str) {
        let name = files.name(file);
        match self.files.iter_mut().find(|changed| changed.name == name) {
            Some(changed) => text.clone_into(&mut changed.new),
            None => self.files.push(Changed {
                name: name.to_owned(),
                old: files.text(file).to_owned(),
                new: text.to_owned(),
            }),
        }
    }
}

/// The new texts of the files that some edits change.
fn mended<'e>(
    files: &Files,
    edits: impl Iterator<Item = &'e Edit>,
    sources: &[Source],
    made: &mut usize,
    notes: &mut BTreeSet<String>,
) -> BTreeMap<FileId, String> {
    let mut by_file: BTreeMap<FileId, Vec<Edit>> = BTreeMap::new();
    for edit in edits.filter_map(|edit| edit.fitted(files)) {
        by_file.entry(edit.span.file).or_default().push(edit);
    }
    let mut out = BTreeMap::new();
    for (file, edits) in by_file {
        let (name, text) = (files.name(file), files.text(file));
        // Of packs in one another, the inner one has the file.
        let own = sources
            .iter()
            .filter(|source| is_in(name, source))
            .max_by_key(|source| source.root().len());
        if own.is_none_or(|source| source.origin() == Origin::Embedded) {
            notes.insert(format!(
                "{name} is a part of the program and cannot be written; copy the pack to change it"
            ));
            continue;
        }
        let toml = name.ends_with(".toml");
        if toml && !is_toml(text) {
            notes.insert(format!(
                "{name} is not TOML; once that is mended, more can be"
            ));
            continue;
        }
        let done = edited(text, edits, |text| !toml || is_toml(text));
        if done.broken > 0 {
            notes.insert(format!(
                "{name}: what would make it no TOML is left as it is, such as a name given twice"
            ));
        }
        *made += done.made;
        if done.text != text {
            out.insert(file, done.text);
        }
    }
    out
}

fn is_in(name: &str, source: &Source) -> bool {
    name.strip_prefix(&source.root())
        .is_some_and(|rest| rest.starts_with('/'))
}

/// A source with new texts in it, in memory.
fn with(source: Source, files: &Files, new: &BTreeMap<FileId, String>) -> Source {
    if !new.keys().any(|file| is_in(files.name(*file), &source)) {
        return source;
    }
    let root = format!("{}/", source.root());
    let mut held: BTreeMap<&str, &str> = BTreeMap::new();
    for file in files.ids() {
        if let Some(path) = files.name(file).strip_prefix(&root) {
            held.insert(
                path,
                new.get(&file)
                    .map_or_else(|| files.text(file), String::as_str),
            );
        }
    }
    let held = held
        .into_iter()
        .map(|(path, text)| (path.to_owned().into(), Cow::Owned(text.as_bytes().to_vec())));
    Source::Files {
        name: source.root(),
        origin: source.origin(),
        files: held.collect(),
    }
}
