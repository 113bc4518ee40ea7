//! One file was changed while the rest stayed as it was: the usual case while somebody writes.
//!
//! If the file has the same entries as before, in the same order, only these are read again. Anything else (a new entry, a
//! fault, a patch) is left to a whole reading, which says what is wrong.

use std::sync::Arc;

use super::draft::{digest, hash};
use super::entry::Entry;
use super::kind::Is;
use super::names::Loc;
use super::read_entries;
use super::resolve::{Meaning, each_name, meaning};
use super::set::PackSet;
use crate::diagnostic::FileId;

/// The fields by which it is decided which entries exist; they must stay.
const SHAPE: [&str; 2] = ["in", "replaces"];

/// A file that was read again.
#[derive(Debug)]
pub struct Reread {
    /// The entries.
    pub(super) entries: Vec<Loc>,
    /// Whether it is a file of functions instead.
    pub functions: bool,
}

/// Reads a file again under a new text. Nothing is changed if it must be read with all others.
pub fn reread(set: &mut PackSet, file: FileId, text: &str) -> Option<Reread> {
    let pack = set.packs.iter().position(|pack| pack.digests.iter().any(|(_, own, _)| *own == file))?;
    let number = u16::try_from(pack).ok()?;
    let before = set.files.replace(file, text.to_owned());
    if set.packs[pack].libraries.contains(&file) {
        note(set, pack, file, text);
        return Some(Reread { entries: Vec::new(), functions: true });
    }
    let Some(entries) = read_entries::reread(set, number, file).filter(|new| is_same_shape(set, number, file, new))
    else {
        set.files.replace(file, before);
        return None;
    };
    let held = &mut set.packs[pack];
    let mut changed = Vec::with_capacity(entries.len());
    let mut entries = entries.into_iter();
    for (ix, entry) in (0u32..).zip(&mut held.entries).filter(|(_, entry)| entry.span.file == file) {
        *entry = Arc::new(entries.next()?);
        changed.push(Loc { pack: number, entry: ix });
    }
    note(set, pack, file, text);
    Some(Reread { entries: changed, functions: false })
}

/// Notes that a file has another text.
fn note(set: &mut PackSet, pack: usize, file: FileId, text: &str) {
    let held = &mut set.packs[pack];
    for (_, own, hashed) in &mut held.digests {
        if *own == file {
            *hashed = digest(text);
        }
    }
    held.hash = hash(&held.digests);
}

fn is_same_shape(set: &PackSet, pack: u16, file: FileId, new: &[Entry]) -> bool {
    let held = &set.packs[usize::from(pack)];
    let old: Vec<&Entry> = held.entries.iter().filter(|entry| entry.span.file == file).map(|entry| &**entry).collect();
    let alone = held.kinds.iter().all(|kind| kind.span.file != file)
        && held.patches.iter().all(|patch| patch.entry.span.file != file);
    let declared = |entry: &Entry| {
        let kind = set.kinds_of(pack).find(|kind| kind.id == entry.kind);
        let engine = set.builtin.iter().any(|kind| kind.id == entry.kind);
        !engine && kind.is_some_and(|kind| kind.is != Is::Place)
    };
    let same = |(old, new): (&&Entry, &Entry)| {
        old.kind == new.kind && old.id == new.id && SHAPE.iter().all(|field| same_field(old, new, field))
    };
    alone && old.len() == new.len() && new.iter().all(declared) && old.iter().zip(new).all(same) && all_mean(set, new)
}

/// Whether a field names the same entries; where it stands does not matter.
fn same_field(old: &Entry, new: &Entry, field: &str) -> bool {
    let names = |entry: &Entry| {
        let mut names = Vec::new();
        if let Some(value) = entry.get(field) {
            each_name(value, &mut |name| names.push(name.text.clone()));
        }
        names
    };
    names(old) == names(new)
}

fn all_mean(set: &PackSet, entries: &[Entry]) -> bool {
    let mut sound = true;
    for field in entries.iter().flat_map(|entry| &entry.fields) {
        each_name(&field.value, &mut |name| sound &= matches!(meaning(set, name, None), Meaning::One(_)));
    }
    sound
}
