//! Reads one changed file and keeps the rest of a set: the common case of a hot reload.
//!
//! If the file has the same entries as before, in the same order, and perhaps new ones between
//! them, only this file is read again. Anything else (a missing entry, an error, a patch) needs a
//! full load, which also reports what is wrong.

use std::sync::Arc;

use super::entry::Entry;
use super::kind::EntryNature;
use super::names::EntryLocation;
use super::parsed::{digest, hash};
use super::read_entries;
use super::resolve::{Resolution, each_name, replaced, resolve_name};
use super::set::{Pack, PackSet};
use super::value::FieldValue;
use crate::diagnostic::FileId;

/// The fields that decide which entries exist; a reload must not change them.
const FIXED_FIELDS: [&str; 2] = ["in", "replaces"];

/// The difference that one changed file makes to a set of packs.
#[derive(Debug)]
pub enum ReloadKind {
    /// Only functions changed.
    Functions,
    /// Only the fields of these entries changed.
    Entries(Vec<EntryLocation>),
    /// Entries were added, which changes the indices of others.
    More,
}

impl ReloadKind {
    /// The changed entries; `None` if indices have changed.
    pub(crate) fn entries(&self) -> Option<&[EntryLocation]> {
        match self {
            Self::Functions => Some(&[]),
            Self::Entries(entries) => Some(entries),
            Self::More => None,
        }
    }
}

/// The first stage for one file: the set with a new text for that file. Returns `None` if all files
/// must be read again.
#[must_use]
pub fn reload_file(previous: &PackSet, file: &str, text: &str) -> Option<(PackSet, ReloadKind)> {
    let file = previous.files.find(file)?;
    let holds = |pack: &Pack| pack.content.iter().any(|pack_def| pack_def.file == file);
    let pack = previous.packs.iter().position(holds)?;
    if !is_independent(&previous.packs[pack], file) {
        return None;
    }
    let mut set = previous.clone();
    set.files.replace(file, Arc::new(text.to_owned()));
    let changed = if set.packs[pack].libraries.contains(&file) {
        ReloadKind::Functions
    } else {
        reread_entries(&mut set, pack, file)?
    };
    update_hash(&mut set.packs[pack], file, text);
    Some((set, changed))
}

fn reread_entries(set: &mut PackSet, pack: usize, file: FileId) -> Option<ReloadKind> {
    let number = u16::try_from(pack).ok()?;
    let new = read_entries::reread(set, number, file)?;
    let more = has_new_entries(set, number, file, &new)?;
    let own = |entry: &Arc<Entry>| entry.span.file == file;
    let entries = &mut set.packs[pack].entries;
    let first = entries.iter().position(own)?;
    let count = entries.iter().filter(|entry| own(entry)).count();
    entries.splice(first..first + count, new.into_iter().map(Arc::new));
    if more {
        set.index = read_entries::index(set).into();
        set.replaced = replaced(set);
    }
    if !all_references_resolve(set, pack, file) {
        return None;
    }
    if more {
        return Some(ReloadKind::More);
    }
    let numbers = u32::try_from(first).ok()?..u32::try_from(first + count).ok()?;
    let loc = |entry| EntryLocation {
        pack: number,
        entry,
    };
    Some(ReloadKind::Entries(numbers.map(loc).collect()))
}

fn update_hash(pack: &mut Pack, file: FileId, text: &str) {
    for own in pack.content.iter_mut().filter(|own| own.file == file) {
        own.digest = digest(text);
    }
    pack.hash = hash(&pack.content);
}

/// Whether no other file depends on this file: it has no kinds, extensions or patches.
fn is_independent(pack: &Pack, file: FileId) -> bool {
    pack.kinds.iter().all(|kind| kind.span.file != file)
        && (pack.extensions.iter()).all(|extension| extension.span.file != file)
        && pack
            .patches
            .iter()
            .all(|patch| patch.entry.span.file != file)
}

/// Whether a file has more entries than before. `None` if an old entry is missing, or if an entry
/// that other files depend on has changed.
fn has_new_entries(set: &PackSet, pack: u16, file: FileId, new: &[Entry]) -> Option<bool> {
    let pack_def = &set.packs[usize::from(pack)];
    let old: Vec<&Entry> = pack_def
        .entries
        .iter()
        .filter(|entry| entry.span.file == file)
        .map(|entry| &**entry)
        .collect();
    let declared = |entry: &Entry| {
        let kind = set.kinds_of(pack).find(|kind| kind.id == entry.kind);
        let engine = set.builtin.iter().any(|kind| kind.id == entry.kind);
        !engine && kind.is_some_and(|kind| kind.is != EntryNature::Place)
    };
    let same = |old: &Entry, new: &Entry| {
        old.kind == new.kind
            && old.id == new.id
            && FIXED_FIELDS.iter().all(|field| same_field(old, new, field))
    };
    // Entries of the engine's own kinds must not change.
    let is_unchanged = |entry: &Entry| {
        old.iter()
            .any(|old| old.id == entry.id && same(old, entry) && same_fields(old, entry))
    };
    if !new
        .iter()
        .all(|entry| declared(entry) || is_unchanged(entry))
    {
        return None;
    }
    let mut left = old.iter().peekable();
    let mut more = Vec::new();
    for entry in new {
        match left.next_if(|old| same(old, entry)) {
            Some(_) => {}
            None => more.push(entry),
        }
    }
    // A new entry with an existing id could make references ambiguous.
    let fresh = |entry: &&Entry| {
        let known = |other: &Entry| other.id == entry.id;
        FIXED_FIELDS.iter().all(|field| {
            entry.get(field).is_none() || entry.list(field).is_empty() && *field == "in"
        }) && !set.packs.iter().flat_map(Pack::entries).any(known)
            && more.iter().filter(|other| known(other)).count() == 1
    };
    (left.peek().is_none() && more.iter().all(fresh)).then_some(!more.is_empty())
}

/// Whether a field refers to the same entries, ignoring source locations.
fn same_field(old: &Entry, new: &Entry, field: &str) -> bool {
    let names = |entry: &Entry| {
        let mut names = Vec::new();
        if let Some(value) = entry.get(field) {
            each_name(value, &mut |name| names.push(name.written().into_owned()));
        }
        names
    };
    names(old) == names(new)
}

/// Whether two entries are equal, ignoring source locations.
fn same_fields(old: &Entry, new: &Entry) -> bool {
    let pairs = || old.fields.iter().zip(&new.fields);
    old.fields.len() == new.fields.len()
        && pairs().all(|(old, new)| old.name == new.name && same_value(&old.value, &new.value))
}

fn same_value(old: &FieldValue, new: &FieldValue) -> bool {
    match (old, new) {
        (FieldValue::Name(old), FieldValue::Name(new)) => {
            old.text == new.text && old.condition == new.condition
        }
        (FieldValue::Script(old), FieldValue::Script(new)) => old.text == new.text,
        (FieldValue::List(old), FieldValue::List(new)) => {
            old.len() == new.len() && old.iter().zip(new).all(|(old, new)| same_value(old, new))
        }
        (FieldValue::Table(old), FieldValue::Table(new)) => {
            let same = |((old, was), (new, is)): (&(String, FieldValue), &(String, FieldValue))| {
                old == new && same_value(was, is)
            };
            old.len() == new.len() && old.iter().zip(new).all(same)
        }
        (old, new) => old == new,
    }
}

/// Whether every reference in the entries of a file refers to exactly one entry.
fn all_references_resolve(set: &PackSet, pack: usize, file: FileId) -> bool {
    let mut valid = true;
    let own = set.packs[pack]
        .entries()
        .filter(|entry| entry.span.file == file);
    for field in own.flat_map(|entry| &entry.fields) {
        each_name(&field.value, &mut |name| {
            valid &= matches!(resolve_name(set, name, None), Resolution::Unique(_));
        });
    }
    valid
}
