//! Inherits the fields of modes that other modes extend.

use std::sync::Arc;

use super::entry::Entry;
use super::layer::{EntrySlots, slot_of};
use super::set::PackSet;
use super::value::{EntryField, FieldValue, Reference};

/// Fields that are not inherited.
const NOT_INHERITED: [&str; 3] = ["in", "replaces", "extends"];

/// Tables whose rows are inherited one by one.
const MERGED_TABLES: [&str; 4] = ["on", "offer", "answer", "then"];

/// Adds the inherited fields. Runs after all patches, so that modes inherit patched fields.
pub(super) fn inherit(set: &PackSet, place: &EntrySlots, slots: &mut [Option<Arc<Entry>>]) {
    let modes: Vec<usize> = (0..slots.len())
        .filter(|at| slots[*at].as_ref().is_some_and(|e| e.kind == "mode"))
        .collect();
    let bases: Vec<Vec<usize>> = modes
        .iter()
        .map(|at| chain(set, place, slots, *at))
        .collect();
    let before: Vec<Option<Arc<Entry>>> = (0..slots.len())
        .map(|at| modes.contains(&at).then(|| slots[at].clone()).flatten())
        .collect();
    for (at, bases) in modes.into_iter().zip(bases) {
        let Some(mode) = slots[at].as_mut() else {
            continue;
        };
        for base in bases.into_iter().filter_map(|base| before[base].as_ref()) {
            take(Arc::make_mut(mode), base);
        }
    }
}

/// The slots of the modes that a mode extends, directly or not, nearest first.
fn chain(
    set: &PackSet,
    place: &EntrySlots,
    slots: &[Option<Arc<Entry>>],
    mode: usize,
) -> Vec<usize> {
    let mut out = Vec::new();
    let mut current = mode;
    while let Some(FieldValue::Name(name)) = slots[current]
        .as_ref()
        .and_then(|entry| entry.get("extends"))
    {
        let Some(next) = base(set, place, name).filter(|next| *next != mode && !out.contains(next))
        else {
            break;
        };
        if slots.get(next).is_none_or(Option::is_none) {
            break;
        }
        out.push(next);
        current = next;
    }
    out
}

fn base(set: &PackSet, place: &EntrySlots, name: &Reference) -> Option<usize> {
    let found = set
        .index
        .candidates(&set.packs, &set.visibility, name, &|loc| {
            slot_of(place, loc).is_some()
        });
    Some(slot_of(place, *found.first()?)? as usize)
}

fn take(mode: &mut Entry, base: &Entry) {
    for field in base
        .fields
        .iter()
        .filter(|field| field.is_explicit && !NOT_INHERITED.contains(&field.name.as_str()))
    {
        match mode.fields.iter_mut().find(|own| own.name == field.name) {
            Some(own) if MERGED_TABLES.contains(&own.name.as_str()) => merge(own, field),
            Some(own) if !own.is_explicit => *own = field.clone(),
            Some(_) => {}
            None => mode.fields.push(field.clone()),
        }
    }
}

fn merge(own: &mut EntryField, base: &EntryField) {
    let (FieldValue::Table(own), FieldValue::Table(base)) = (&mut own.value, &base.value) else {
        return;
    };
    for (key, value) in base {
        if !own.iter().any(|(name, _)| name == key) {
            own.push((key.clone(), value.clone()));
        }
    }
}
