//! Resolves references, once it is known which entries exist.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Report};

use super::entry::Entry;
use super::layer::{EntrySlots, slot_of};
use super::names::EntryLocation;
use super::resolve::{Resolution, report_ambiguous, resolve_name};
use super::set::PackSet;
use super::value::{EntryIx, FieldValue, Reference};

/// Maps each entry to its slot and its index.
pub(super) struct ReferenceResolver<'a> {
    pub set: &'a PackSet,
    pub slots: &'a EntrySlots,
    /// The index of the entry in each slot; empty slots are skipped.
    pub indices: &'a [Option<EntryIx>],
}

/// Assigns an index to each entry; empty slots are skipped.
pub(super) fn indices(slots: &[Option<Arc<Entry>>]) -> Vec<Option<EntryIx>> {
    let mut next = 0;
    let number = |slot: &Option<Arc<Entry>>| {
        slot.as_ref().map(|_| {
            next += 1;
            EntryIx(next - 1)
        })
    };
    slots.iter().map(number).collect()
}

impl ReferenceResolver<'_> {
    /// The slot of an entry, or of the entry that replaces it.
    pub fn slot(&self, loc: EntryLocation) -> Option<u32> {
        slot_of(self.slots, loc)
    }

    /// The index of an entry, or of the entry that replaces it.
    pub fn index_of(&self, loc: EntryLocation) -> Option<EntryIx> {
        self.indices
            .get(self.slot(loc)? as usize)
            .copied()
            .flatten()
    }

    /// Resolves all references in an entry. An entry without references remains shared with its
    /// pack.
    pub fn resolve(&self, entry: &mut Arc<Entry>, report: &mut Report) {
        if !entry.fields.iter().any(|field| has_name(&field.value)) {
            return;
        }
        let entry = Arc::make_mut(entry);
        let mut fields = std::mem::take(&mut entry.fields);
        fields.retain_mut(|field| {
            let quiet = matches!(field.name.as_str(), "in" | "replaces");
            self.value(&mut field.value, quiet, entry, report)
        });
        entry.fields = fields;
    }

    /// Resolves a value; returns whether to keep it. Lists drop entries that were removed from the
    /// game; anywhere else, a removed entry is an error.
    fn value(
        &self,
        value: &mut FieldValue,
        quiet: bool,
        entry: &Entry,
        report: &mut Report,
    ) -> bool {
        match value {
            FieldValue::Name(name) => match self.name(name, quiet, entry, report) {
                Some(ix) => *value = FieldValue::Ref(ix),
                None => return false,
            },
            FieldValue::List(items) => items.retain_mut(|item| {
                let quiet = quiet || matches!(item, FieldValue::Name(_));
                self.value(item, quiet, entry, report)
            }),
            FieldValue::Table(pairs) => {
                pairs.retain_mut(|(_, value)| self.value(value, quiet, entry, report));
            }
            _ => {}
        }
        true
    }

    fn name(
        &self,
        name: &Reference,
        quiet: bool,
        entry: &Entry,
        report: &mut Report,
    ) -> Option<EntryIx> {
        let set = self.set;
        if let Some(ix) = set
            .index
            .only(&set.packs, &set.visibility, name)
            .and_then(|only| self.index_of(only))
        {
            return Some(ix);
        }
        let found = set
            .index
            .candidates(&set.packs, &set.visibility, name, &|loc| {
                self.index_of(loc).is_some()
            });
        let meant: BTreeSet<EntryIx> = found.iter().filter_map(|loc| self.index_of(*loc)).collect();
        if meant.len() > 1 {
            report_ambiguous(set, name, &found, report);
        } else if meant.is_empty() && !quiet {
            self.not_enabled(name, entry, report);
        }
        meant.first().copied()
    }

    fn not_enabled(&self, name: &Reference, referrer: &Entry, report: &mut Report) {
        let Resolution::Unique(loc) = resolve_name(self.set, name, None) else {
            return;
        };
        let entry = &self.set.packs[usize::from(loc.pack)].entries[loc.entry as usize];
        Diagnostic::error(
            name.span,
            "not-enabled",
            format!("`{}` does not exist in this game", name.text),
        )
        .label(format!("dropped from {}", referrer.full_name()))
        .related(
            entry.span,
            "removed by a pack, excluded by its `in`, or its pack is not chosen",
        )
        .help("exclude both under the same condition, with in = […] or [[remove]]")
        .push(report);
    }
}

fn has_name(value: &FieldValue) -> bool {
    match value {
        FieldValue::Name(_) => true,
        FieldValue::List(list) => list.iter().any(has_name),
        FieldValue::Table(rows) => rows.iter().any(|(_, value)| has_name(value)),
        _ => false,
    }
}
