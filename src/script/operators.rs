//! What the language itself does with values: comparing them, printing them, and limiting their
//! size.

use std::cmp::Ordering;
use std::fmt::Write as _;

use super::primitive::{Cx, Map, StepResult, Value};
use super::primitives::thing::entry_of;
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

/// Whether `one == other`. Values of different types are not equal, except those that have an `==`
/// of their own: an entry, phase or zone and its id, a piece or place and its entry.
pub(super) fn equals(cx: &Cx, one: &Value, other: &Value) -> bool {
    let content = cx.content();
    match (one, other) {
        (Value::List(one), Value::List(other)) | (Value::Rows(one), Value::Rows(other)) => {
            one.is_same(other)
                || one.len() == other.len()
                    && one.iter().zip(&**other).all(|(a, b)| equals(cx, a, b))
        }
        (Value::Map(one), Value::Map(other)) => same_rows(cx, one, other, Map::get),
        (Value::Table(one), Value::Table(other)) => same_rows(cx, one, other, Map::find),
        (Value::Entry(entry), Value::Text(id)) => *content.entry(*entry).id == **id,
        (Value::Phase(phase), Value::Text(id)) => content
            .phases
            .get(phase.ix())
            .is_some_and(|phase| *content.entry(phase.entry).id == **id),
        (Value::Zone(at), Value::Text(id)) => match cx.state.zones.def(content, *at) {
            None => id == "box",
            Some((_, zone)) => content
                .zones
                .get(zone.ix())
                .is_some_and(|zone| *content.entry(zone.entry).id == **id),
        },
        (Value::Entity(thing), Value::Entry(entry))
        | (Value::Entry(entry), Value::Entity(thing)) => entry_of(cx, *thing) == Some(*entry),
        _ => one == other,
    }
}

fn same_rows(
    cx: &Cx,
    one: &Map,
    other: &Map,
    get: impl for<'m> Fn(&'m Map, &str) -> Option<&'m Value>,
) -> bool {
    one.len() == other.len()
        && one
            .iter()
            .all(|(key, value)| get(other, key).is_some_and(|found| equals(cx, value, found)))
}

/// The order of two values, if scripts can sort them: numbers, strings, booleans or `()`, both of
/// the same type.
pub(super) fn compare(one: &Value, other: &Value) -> Option<Ordering> {
    match (one, other) {
        (Value::Int(one), Value::Int(other)) => Some(one.cmp(other)),
        (Value::Text(one), Value::Text(other)) => Some(one.as_str().cmp(other.as_str())),
        (Value::Bool(one), Value::Bool(other)) => Some(one.cmp(other)),
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
    cx.spend(value.weight().into())?;
    let mut text = String::new();
    match value {
        Value::Unit => {}
        Value::Text(own) => text.push_str(own),
        other => display_nested(cx, &mut text, other)?,
    }
    check_text(cx, text.len())?;
    cx.spend(text_cost(text.len()))?;
    Ok(text)
}

/// Adds a value as lists and maps show it: strings in quotes, and `()` as such.
fn display_nested(cx: &Cx, text: &mut String, value: &Value) -> StepResult {
    match value {
        Value::Unit => text.push_str("()"),
        Value::Int(number) => {
            let _ = write!(text, "{number}");
        }
        Value::Bool(yes) => text.push_str(if *yes { "true" } else { "false" }),
        Value::Text(own) => {
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
                let _ = write!(text, "{:?}: ", key.as_str());
                display_nested(cx, text, item)?;
            }
            text.push('}');
        }
        other => text.push_str(&names::val(cx, other)),
    }
    check_text(cx, text.len())
}
