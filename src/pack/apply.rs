//! Applies patches to entries.

use crate::diagnostic::{Diagnostic, Report, Span};

use super::entry::Entry;
use super::patch::{Change, Op};
use super::value::{Field, Name, Value};

/// Whether two names mean the same entry.
pub(super) type Same<'a> = &'a dyn Fn(&Name, &Name) -> bool;

/// Applies one change to an entry, and reports it if it has no effect.
pub(super) fn apply(entry: &mut Entry, op: &Op, by: u16, same: Same, report: &mut Report) {
    match &op.change {
        Change::Drop => {}
        Change::Set(value) => set(entry, op, by, value.clone()),
        Change::Add(values) => edit(entry, op, by, report, |list| {
            list.extend(values.iter().cloned());
            None
        }),
        Change::Remove(values) => edit(entry, op, by, report, |list| remove(list, values, same)),
        Change::Insert {
            values,
            mark,
            before,
        } => edit(entry, op, by, report, |list| {
            let Some(at) = list.iter().position(|item| equal(item, mark, same)) else {
                return Some(describe(mark));
            };
            let at = if *before { at } else { at + 1 };
            list.splice(at..at, values.iter().cloned());
            None
        }),
        Change::Swap { from, to } => edit(entry, op, by, report, |list| {
            let Some(item) = list.iter_mut().find(|item| equal(item, from, same)) else {
                return Some(describe(from));
            };
            *item = to.clone();
            None
        }),
    }
}

/// Removes items; returns the first that was not there.
fn remove(list: &mut Vec<Value>, values: &[Value], same: Same) -> Option<String> {
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

/// Sets a field, or a value inside one. A new script keeps the one it replaces as its base.
fn set(entry: &mut Entry, op: &Op, by: u16, mut value: Value) {
    let slot = slot(entry, &op.path, op.span, by);
    if let (Value::Script(new), Value::Script(old)) = (&mut value, &*slot) {
        new.base = Some(Box::new(old.clone()));
    }
    *slot = value;
}

/// The value at a path; missing tables on the way are created.
fn slot<'e>(entry: &'e mut Entry, path: &[String], span: Span, by: u16) -> &'e mut Value {
    let (first, inner) = path
        .split_first()
        .map_or(("", path), |(first, inner)| (first.as_str(), inner));
    let at = entry
        .fields
        .iter()
        .position(|field| field.name == first)
        .unwrap_or_else(|| {
            entry.fields.push(Field {
                name: first.to_owned(),
                value: empty(),
                span,
                by,
                given: true,
            });
            entry.fields.len() - 1
        });
    let field = &mut entry.fields[at];
    (field.span, field.by, field.given) = (span, by, true);
    inner
        .iter()
        .fold(&mut field.value, |value, name| inside(value, name))
}

fn inside<'v>(value: &'v mut Value, name: &str) -> &'v mut Value {
    if !matches!(value, Value::Table(_)) {
        *value = empty();
    }
    let Value::Table(pairs) = value else {
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

fn empty() -> Value {
    Value::Table(Vec::new())
}

/// Changes a list. A missing field counts as an empty list.
fn edit(
    entry: &mut Entry,
    op: &Op,
    by: u16,
    report: &mut Report,
    change: impl FnOnce(&mut Vec<Value>) -> Option<String>,
) {
    let what = entry.full_name();
    let value = slot(entry, &op.path, op.span, by);
    if *value == empty() {
        *value = Value::List(Vec::new());
    }
    let Value::List(list) = value else {
        Diagnostic::wrong(
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
        Diagnostic::odd(
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

/// Whether an item of a list is the one meant: equal, the same entry, or a table with that id.
fn equal(item: &Value, mark: &Value, same: Same) -> bool {
    match (item, mark) {
        (Value::Name(a), Value::Name(b)) => same(a, b),
        (Value::Table(_), Value::Text(id)) => item.get("id").and_then(Value::as_text) == Some(id),
        (Value::Script(a), Value::Script(b)) => a.text == b.text,
        (Value::List(a), Value::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b, same))
        }
        (Value::Table(a), Value::Table(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(key, a)| mark.get(key).is_some_and(|b| equal(a, b, same)))
        }
        _ => item == mark,
    }
}

fn describe(value: &Value) -> String {
    match value {
        Value::Int(number) => number.to_string(),
        Value::Bool(yes) => yes.to_string(),
        Value::Text(text) => format!("`{text}`"),
        Value::Name(name) => format!("`{}`", name.text),
        _ => "this item".into(),
    }
}
