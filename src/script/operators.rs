//! What the language itself does with values: comparing them, printing them, and limiting their
//! size.

use std::cmp::Ordering;
use std::fmt::Write as _;

use super::primitive::{Cx, Map, StepResult, Text, Value};
use super::primitives::object::entry_of;
use crate::game::names;

/// The maximum number of values in a list or map, including nested values.
pub(super) const MAX_WEIGHT: u32 = 2_000;
/// The maximum number of levels of nested lists and maps.
pub(super) const MAX_DEPTH: u8 = 16;
/// The maximum number of keys in a map.
pub(super) const MAX_KEYS: usize = 500;
/// The maximum length of a string, in bytes.
pub(super) const MAX_TEXT: usize = 8_192;

/// The work of going through a string.
pub(super) const fn text_cost(bytes: usize) -> u64 {
    bytes as u64 / 16 + 1
}

/// The work of changing a list or a map in place, which copies it first if it is shared. The work
/// is the same if it is not shared, so that it does not depend on how values are kept in memory.
pub(super) const fn change_cost(items: usize) -> u64 {
    items as u64 / 16
}

/// The work of finding a name among others: all of them may have the same length and differ only
/// at the end.
pub(super) const fn search_cost(names: usize, name: &str) -> u64 {
    (names as u64 * (8 + name.len() as u64)) / 64
}

/// The work of going through a value and the strings and keys in it.
pub(super) fn value_cost(value: &Value) -> u64 {
    match value {
        Value::Text(text) => text_cost(text.len()),
        Value::List(list) | Value::Rows(list) => 1 + list.iter().map(value_cost).sum::<u64>(),
        Value::Map(map) | Value::Table(map) => map_cost(map),
        _ => 1,
    }
}

/// The work of going through a map and everything in it.
pub(super) fn map_cost(map: &Map) -> u64 {
    let values = map.iter().map(|(_, value)| value_cost(value));
    1 + keys_cost(map) + values.sum::<u64>()
}

/// The work of going through the keys of a map.
pub(super) fn keys_cost(map: &Map) -> u64 {
    map.iter().map(|(key, _)| key.len() as u64 / 16).sum()
}

/// Refuses a list that is too large. The weight includes the list itself, the limit does not.
///
/// # Errors
/// Returns a fault that names the limit.
pub(super) fn check_list(cx: &Cx, weight: u64, depth: u8) -> StepResult {
    const { assert!(MAX_WEIGHT == 2_000 && MAX_DEPTH == 16) };
    if weight > u64::from(MAX_WEIGHT) + 1 {
        return Err(cx.fault("this list has more than 2,000 values"));
    }
    if depth > MAX_DEPTH {
        return Err(cx.fault("this list has more than 16 levels of nested lists and maps"));
    }
    Ok(())
}

/// Refuses a map that is too large. The weight includes the map itself, the limit does not.
///
/// # Errors
/// Returns a fault that names the limit.
pub(super) fn check_map(cx: &Cx, keys: usize, weight: u64, depth: u8) -> StepResult {
    const { assert!(MAX_KEYS == 500 && MAX_WEIGHT == 2_000 && MAX_DEPTH == 16) };
    if keys > MAX_KEYS {
        return Err(cx.fault("this map has more than 500 keys"));
    }
    if weight > u64::from(MAX_WEIGHT) + 1 {
        return Err(cx.fault("this map has more than 2,000 values"));
    }
    if depth > MAX_DEPTH {
        return Err(cx.fault("this map has more than 16 levels of nested lists and maps"));
    }
    Ok(())
}

/// Refuses a string that is too long.
///
/// # Errors
/// Returns a fault that names the limit.
pub(super) fn check_text(cx: &Cx, bytes: usize) -> StepResult {
    const { assert!(MAX_TEXT == 8_192) };
    if bytes > MAX_TEXT {
        return Err(cx.fault("this string is longer than 8,192 bytes"));
    }
    Ok(())
}

/// A value that a script has built, if it is not too large.
///
/// # Errors
/// Returns a fault that names the limit.
pub(super) fn bounded(cx: &Cx, value: Value) -> StepResult<Value> {
    match &value {
        Value::Text(text) => check_text(cx, text.len())?,
        Value::List(list) => check_list(cx, list.weight().into(), list.depth())?,
        Value::Map(map) => check_map(cx, map.len(), map.weight().into(), map.depth())?,
        _ => {}
    }
    Ok(value)
}

/// Whether `left == right`. Values of different types are not equal, except those that have an `==`
/// of their own: an entry, phase or zone and its id, a piece or place and its entry.
///
/// Charges the work of comparing strings; the caller charges one operation for each value.
pub(super) fn equals(cx: &mut Cx, left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Text(left), Value::Text(right)) => same_text(cx, left, right),
        (Value::List(left), Value::List(right)) | (Value::Rows(left), Value::Rows(right)) => {
            left.is_same(right)
                || left.len() == right.len()
                    && left.iter().zip(&**right).all(|(a, b)| equals(cx, a, b))
        }
        (Value::Map(left), Value::Map(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .zip(&**right)
                    .all(|(a, b)| same_text(cx, &a.0, &b.0) && equals(cx, &a.1, &b.1))
        }
        (Value::Table(left), Value::Table(right)) => same_table(cx, left, right),
        (Value::Entry(entry), Value::Text(id)) => cx.is_named(*entry, id),
        (Value::Phase(phase), Value::Text(id)) => {
            let content = cx.content();
            let phase = content.phases.get(phase.ix());
            phase.is_some_and(|phase| cx.is_named(phase.entry, id))
        }
        (Value::Zone(at), Value::Text(id)) => match cx.state.zones.def(cx.content(), *at) {
            None => id == "box",
            Some((_, zone)) => {
                let content = cx.content();
                let zone = content.zones.get(zone.ix());
                zone.is_some_and(|zone| cx.is_named(zone.entry, id))
            }
        },
        (Value::Entity(object), Value::Entry(entry))
        | (Value::Entry(entry), Value::Entity(object)) => entry_of(cx, *object) == Some(*entry),
        _ => left == right,
    }
}

fn same_text(cx: &mut Cx, left: &Text, right: &Text) -> bool {
    if left.len() != right.len() {
        return false;
    }
    cx.work += left.len() as u64 / 64;
    left == right
}

/// Whether two tables have the same rows, in any order.
fn same_table(cx: &mut Cx, left: &Map, right: &Map) -> bool {
    if left.len() != right.len() {
        return false;
    }
    cx.work += (left.len() * right.len()) as u64 / 16;
    left.iter().all(|(key, value)| {
        let found = right.find(key);
        found.is_some_and(|found| equals(cx, value, found))
    })
}

/// The order of two values, if scripts can sort them: numbers, strings, booleans or `()`, both of
/// the same type.
pub(super) fn compare(left: &Value, right: &Value) -> Option<Ordering> {
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => Some(left.cmp(right)),
        (Value::Text(left), Value::Text(right)) => Some(left.as_str().cmp(right.as_str())),
        (Value::Bool(left), Value::Bool(right)) => Some(left.cmp(right)),
        (Value::Unit, Value::Unit) => Some(Ordering::Equal),
        _ => None,
    }
}

/// A value as text, as `to_string` and `${…}` show it. Seats, pieces, zones and the like are shown
/// by name.
///
/// # Errors
/// Returns a fault if the string gets too long, or if the step exceeds its work limit.
pub(super) fn display(cx: &mut Cx, value: &Value) -> StepResult<String> {
    cx.charge_work(value.weight().into())?;
    let mut text = String::new();
    match value {
        Value::Unit => {}
        Value::Text(own) => text.push_str(own),
        other => display_nested(cx, &mut text, other)?,
    }
    check_text(cx, text.len())?;
    cx.charge_work(text_cost(text.len()))?;
    Ok(text)
}

/// Adds a value as lists and maps show it: strings in quotes, and `()` as such.
fn display_nested(cx: &mut Cx, text: &mut String, value: &Value) -> StepResult {
    match value {
        Value::Unit => text.push_str("()"),
        Value::Int(number) => {
            let _ = write!(text, "{number}");
        }
        Value::Bool(yes) => text.push_str(if *yes { "true" } else { "false" }),
        Value::Text(own) => {
            cx.charge_work(text_cost(own.len()))?;
            let _ = write!(text, "{:?}", own.as_str());
        }
        Value::List(list) | Value::Rows(list) => {
            text.push('[');
            for (ix, item) in list.iter().enumerate() {
                if ix > 0 {
                    text.push_str(", ");
                }
                display_nested(cx, text, item)?;
            }
            text.push(']');
        }
        Value::Map(map) | Value::Table(map) => {
            text.push_str("#{");
            for (ix, (key, item)) in map.iter().enumerate() {
                if ix > 0 {
                    text.push_str(", ");
                }
                cx.charge_work(text_cost(key.len()))?;
                let _ = write!(text, "{:?}: ", key.as_str());
                display_nested(cx, text, item)?;
            }
            text.push('}');
        }
        other => text.push_str(&names::value(cx, other)),
    }
    check_text(cx, text.len())
}
