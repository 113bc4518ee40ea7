//! One file was changed while the rest stayed as it was: the usual case while somebody writes.
//!
//! If the file has the same entries as before, in the same order, and perhaps new ones between them, only these are read again.
//! Anything else (an entry less, a fault, a patch) is left to a whole reading, which says what is wrong.

use std::sync::Arc;

use super::draft::{digest, hash};
use super::entry::Entry;
use super::kind::Is;
use super::names::Loc;
use super::read_entries;
use super::resolve::{Meaning, each_name, meaning, replaced};
use super::set::{Pack, PackSet};
use super::value::Value;
use crate::diagnostic::FileId;

/// The fields by which it is decided which entries exist; they must stay.
const SHAPE: [&str; 2] = ["in", "replaces"];

/// A file that was read again.
#[derive(Debug)]
pub struct Reread {
    /// What of the packs has changed.
    pub changed: Changed,
    was: Was,
}

/// What of the packs has changed.
#[derive(Debug)]
pub enum Changed {
    /// What functions say.
    Functions,
    /// What some entries say.
    Entries(Vec<Loc>),
    /// There are more entries than before.
    More,
}

/// What there was before.
#[derive(Debug)]
struct Was {
    pack: usize,
    file: FileId,
    text: Arc<String>,
    entries: Vec<Arc<Entry>>,
}

/// Reads a file again under a new text. Nothing is changed if it must be read with all others.
pub fn reread(set: &mut PackSet, file: FileId, text: &str) -> Option<Reread> {
    let pack = set
        .packs
        .iter()
        .position(|pack| pack.content.iter().any(|held| held.file == file))?;
    let number = u16::try_from(pack).ok()?;
    if !is_alone(&set.packs[pack], file) {
        return None;
    }
    let before = set.files.replace(file, Arc::new(text.to_owned()));
    let was = Was {
        pack,
        file,
        text: before,
        entries: set.packs[pack].entries.clone(),
    };
    if set.packs[pack].libraries.contains(&file) {
        note(set, pack, file, text);
        return Some(Reread {
            changed: Changed::Functions,
            was,
        });
    }
    let changed = read_entries::reread(set, number, file).and_then(|new| {
        let more = more_than(set, number, file, &new)?;
        let own = |entry: &Arc<Entry>| entry.span.file == file;
        let first = set.packs[pack].entries.iter().position(own)?;
        let count = set.packs[pack]
            .entries
            .iter()
            .filter(|entry| own(entry))
            .count();
        let there = u32::try_from(first).ok()?..u32::try_from(first + count).ok()?;
        set.packs[pack]
            .entries
            .splice(first..first + count, new.into_iter().map(Arc::new));
        if more {
            number_entries(set);
            return Some(Changed::More);
        }
        Some(Changed::Entries(
            there
                .map(|entry| Loc {
                    pack: number,
                    entry,
                })
                .collect(),
        ))
    });
    match changed.filter(|_| all_mean(set, pack, file)) {
        Some(changed) => {
            note(set, pack, file, text);
            Some(Reread { changed, was })
        }
        None => {
            put_back(set, was);
            None
        }
    }
}

/// Everything as it was before a file was read again.
pub fn undo(set: &mut PackSet, reread: Reread) {
    put_back(set, reread.was);
}

fn put_back(set: &mut PackSet, was: Was) {
    let more = set.packs[was.pack].entries.len() != was.entries.len();
    set.packs[was.pack].entries = was.entries;
    note(set, was.pack, was.file, &was.text);
    set.files.replace(was.file, was.text);
    if more {
        number_entries(set);
    }
}

/// By which numbers entries are found.
fn number_entries(set: &mut PackSet) {
    set.index = read_entries::index(set);
    set.replaced = replaced(set);
}

/// Notes that a file has another text.
fn note(set: &mut PackSet, pack: usize, file: FileId, text: &str) {
    let held = &mut set.packs[pack];
    for own in held.content.iter_mut().filter(|own| own.file == file) {
        own.digest = digest(text);
    }
    held.hash = hash(&held.content);
}

/// Whether nothing of what a file says concerns others: no kind, no patch.
fn is_alone(pack: &Pack, file: FileId) -> bool {
    pack.kinds.iter().all(|kind| kind.span.file != file)
        && pack
            .patches
            .iter()
            .all(|patch| patch.entry.span.file != file)
}

/// Whether a file has more entries than before; nothing if one of the old ones is gone, or if anything but entries that nobody else
/// has to know of is in it.
fn more_than(set: &PackSet, pack: u16, file: FileId, new: &[Entry]) -> Option<bool> {
    let held = &set.packs[usize::from(pack)];
    let old: Vec<&Entry> = held
        .entries
        .iter()
        .filter(|entry| entry.span.file == file)
        .map(|entry| &**entry)
        .collect();
    let declared = |entry: &Entry| {
        let kind = set.kinds_of(pack).find(|kind| kind.id == entry.kind);
        let engine = set.builtin.iter().any(|kind| kind.id == entry.kind);
        !engine && kind.is_some_and(|kind| kind.is != Is::Place)
    };
    let same = |old: &Entry, new: &Entry| {
        old.kind == new.kind
            && old.id == new.id
            && SHAPE.iter().all(|field| same_field(old, new, field))
    };
    // What declares a part of the engine may stand there, as long as it says what it said.
    let stayed = |entry: &Entry| {
        old.iter()
            .any(|old| old.id == entry.id && same(old, entry) && same_words(old, entry))
    };
    if !new.iter().all(|entry| declared(entry) || stayed(entry)) {
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
    // A name that somebody has already might mean two things from now on.
    let fresh = |entry: &&Entry| {
        let known = |other: &Entry| other.id == entry.id;
        SHAPE.iter().all(|field| {
            entry.get(field).is_none() || entry.list(field).is_empty() && *field == "in"
        }) && !set.packs.iter().flat_map(Pack::entries).any(known)
            && more.iter().filter(|other| known(other)).count() == 1
    };
    (left.peek().is_none() && more.iter().all(fresh)).then_some(!more.is_empty())
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

/// Whether two entries say the same, wherever they stand.
fn same_words(old: &Entry, new: &Entry) -> bool {
    let pairs = || old.fields.iter().zip(&new.fields);
    old.fields.len() == new.fields.len()
        && pairs().all(|(old, new)| old.name == new.name && same_value(&old.value, &new.value))
}

fn same_value(old: &Value, new: &Value) -> bool {
    match (old, new) {
        (Value::Name(old), Value::Name(new)) => old.text == new.text,
        (Value::Script(old), Value::Script(new)) => old.text == new.text,
        (Value::List(old), Value::List(new)) => {
            old.len() == new.len() && old.iter().zip(new).all(|(old, new)| same_value(old, new))
        }
        (Value::Table(old), Value::Table(new)) => {
            let same = |((old, was), (new, is)): (&(String, Value), &(String, Value))| {
                old == new && same_value(was, is)
            };
            old.len() == new.len() && old.iter().zip(new).all(same)
        }
        (old, new) => old == new,
    }
}

/// Whether all that the entries of a file name is there.
fn all_mean(set: &PackSet, pack: usize, file: FileId) -> bool {
    let mut sound = true;
    let own = set.packs[pack]
        .entries()
        .filter(|entry| entry.span.file == file);
    for field in own.flat_map(|entry| &entry.fields) {
        each_name(&field.value, &mut |name| {
            sound &= matches!(meaning(set, name, None), Meaning::One(_));
        });
    }
    sound
}
