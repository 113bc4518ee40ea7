//! Applies patches to entries.

use crate::diagnostic::{Diagnostic, Report, Span};

use super::entry::Entry;
use super::patch::{PatchChange, PatchOp};
use super::value::{EntryField, FieldValue, Reference};

/// Whether two names refer to the same entry.
pub(super) type SameEntry<'a> = &'a dyn Fn(&Reference, &Reference) -> bool;

/// Applies one change to an entry, and reports it if it has no effect.
pub(super) fn apply(
    entry: &mut Entry,
    op: &PatchOp,
    by: u16,
    same: SameEntry,
    report: &mut Report,
) {
    match &op.change {
        PatchChange::Drop => {}
        PatchChange::Set(value) => set(entry, op, by, value.clone()),
        PatchChange::Add(values) => edit(entry, op, by, report, |list| {
            list.extend(values.iter().cloned());
            None
        }),
        PatchChange::Remove(values) => {
            edit(entry, op, by, report, |list| remove(list, values, same));
        }
        PatchChange::Insert {
            values,
            anchor,
            before,
        } => edit(entry, op, by, report, |list| {
            let Some(at) = list.iter().position(|item| equal(item, anchor, same)) else {
                return Some(describe(anchor));
            };
            let at = if *before { at } else { at + 1 };
            list.splice(at..at, values.iter().cloned());
            None
        }),
        PatchChange::Swap { from, to } => edit(entry, op, by, report, |list| {
            let Some(item) = list.iter_mut().find(|item| equal(item, from, same)) else {
                return Some(describe(from));
            };
            *item = to.clone();
            None
        }),
    }
}

/// Removes items; returns the first one that was not in the list.
fn remove(list: &mut Vec<FieldValue>, values: &[FieldValue], same: SameEntry) -> Option<String> {
    let mut missed = None;
    for value in values {
        let before = list.len();
        list.retain(|item| !equal(item, value, same));
        if list.len() == before {
            missed.get_or_insert_with(|| describe(value));
        }
    }
    missed
}

/// Sets a field, or a value inside one. A new script keeps the script it replaces as its base.
fn set(entry: &mut Entry, op: &PatchOp, by: u16, mut value: FieldValue) {
    let slot = slot(entry, &op.path, op.span, by);
    if let (FieldValue::Script(new), FieldValue::Script(old)) = (&mut value, &*slot) {
        new.base = Some(Box::new(old.clone()));
    }
    *slot = value;
}

/// The value at a path. Missing tables along the path are created.
fn slot<'e>(entry: &'e mut Entry, path: &[String], span: Span, by: u16) -> &'e mut FieldValue {
    let (first, inner) = path
        .split_first()
        .map_or(("", path), |(first, inner)| (first.as_str(), inner));
    let at = entry
        .fields
        .iter()
        .position(|field| field.name == first)
        .unwrap_or_else(|| {
            entry.fields.push(EntryField {
                name: first.to_owned(),
                value: empty(),
                span,
                by,
                is_explicit: true,
            });
            entry.fields.len() - 1
        });
    let field = &mut entry.fields[at];
    (field.span, field.by, field.is_explicit) = (span, by, true);
    inner
        .iter()
        .fold(&mut field.value, |value, name| inside(value, name))
}

fn inside<'v>(value: &'v mut FieldValue, name: &str) -> &'v mut FieldValue {
    if !matches!(value, FieldValue::Table(_)) {
        *value = empty();
    }
    let FieldValue::Table(pairs) = value else {
        return value;
    };
    let at = pairs
        .iter()
        .position(|(key, _)| key == name)
        .unwrap_or_else(|| {
            pairs.push((name.to_owned(), empty()));
            pairs.len() - 1
        });
    &mut pairs[at].1
}

fn empty() -> FieldValue {
    FieldValue::Table(Vec::new())
}

/// Changes a list. A missing field counts as an empty list.
fn edit(
    entry: &mut Entry,
    op: &PatchOp,
    by: u16,
    report: &mut Report,
    change: impl FnOnce(&mut Vec<FieldValue>) -> Option<String>,
) {
    let what = entry.full_name();
    let value = slot(entry, &op.path, op.span, by);
    if *value == empty() {
        *value = FieldValue::List(Vec::new());
    }
    let FieldValue::List(list) = value else {
        Diagnostic::error(
            op.span,
            "patch-not-a-list",
            format!("`{}` of {what} is not a list", op.path.join(".")),
        )
        .help(format!(
            "use set.{} = … to replace its value",
            op.path.join(".")
        ))
        .push(report);
        return;
    };
    if let Some(missed) = change(list) {
        Diagnostic::warning(
            op.span,
            "patch-no-effect",
            format!(
                "`{}` of {what} does not contain {missed}",
                op.path.join(".")
            ),
        )
        .label("has no effect")
        .help("earlier packs may have changed this list: check what it contains by then")
        .push(report);
    }
}

/// Whether `anchor` identifies an item of a list: it is equal, names the same entry, or is a table
/// with the same id.
fn equal(item: &FieldValue, anchor: &FieldValue, same: SameEntry) -> bool {
    match (item, anchor) {
        (FieldValue::Name(a), FieldValue::Name(b)) => same(a, b),
        (FieldValue::Table(_), FieldValue::Text(id)) => {
            item.get("id").and_then(FieldValue::as_text) == Some(id)
        }
        (FieldValue::Script(a), FieldValue::Script(b)) => a.text == b.text,
        (FieldValue::List(a), FieldValue::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b, same))
        }
        (FieldValue::Table(a), FieldValue::Table(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(key, a)| anchor.get(key).is_some_and(|b| equal(a, b, same)))
        }
        _ => item == anchor,
    }
}

fn describe(value: &FieldValue) -> String {
    match value {
        FieldValue::Int(number) => number.to_string(),
        FieldValue::Bool(yes) => yes.to_string(),
        FieldValue::Text(text) => format!("`{text}`"),
        FieldValue::Name(name) => format!("`{}`", name.written()),
        _ => "this item".into(),
    }
}
