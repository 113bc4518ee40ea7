//! Conversion between script values and game values.

use rhai::{Array, Dynamic, ImmutableString, Map};

use super::types::{EntityRef, EntryRef, PhaseRef, RollRef, ScriptRef, TableRef, ZoneRef};
use crate::content::Value;
use crate::game::Val;
use crate::game::zones::ZoneAt;

/// The maximum depth of nested values; deeper ones become `()`.
const MAX_DEPTH: usize = 8;

/// Converts a script value to one that can be saved; values that cannot be saved become `()`.
pub fn to_val(value: &Dynamic) -> Val {
    nested_val(value, 0)
}

fn nested_val(value: &Dynamic, depth: usize) -> Val {
    if let Ok(n) = value.as_int() {
        return Val::Int(n);
    }
    if let Some(thing) = value.read_lock::<EntityRef>() {
        return Val::Entity(thing.0);
    }
    if value.is_unit() || depth > MAX_DEPTH {
        return Val::Unit;
    }
    if let Ok(yes) = value.as_bool() {
        return Val::Bool(yes);
    }
    if let Some(text) = value.read_lock::<ImmutableString>() {
        return Val::Text(text.as_str().into());
    }
    if let Some(list) = value.read_lock::<Array>() {
        return Val::List(
            list.iter()
                .map(|value| nested_val(value, depth + 1))
                .collect(),
        );
    }
    if let Some(map) = value.read_lock::<Map>() {
        return Val::Map(
            map.iter()
                .map(|(key, value)| (key.as_str().into(), nested_val(value, depth + 1)))
                .collect(),
        );
    }
    if let Some(zone) = value.read_lock::<ZoneRef>() {
        return Val::Zone(zone.0.0);
    }
    if let Some(entry) = value.read_lock::<EntryRef>() {
        return Val::Entry(entry.0);
    }
    if let Some(phase) = value.read_lock::<PhaseRef>() {
        return Val::Phase(phase.0);
    }
    if let Some(roll) = value.read_lock::<RollRef>() {
        return Val::Int(i64::from(roll.0));
    }
    if let Some(data) = value.read_lock::<TableRef>() {
        return data_val(&data.0);
    }
    Val::Unit
}

fn data_val(value: &Value) -> Val {
    match value {
        Value::Unit | Value::Script(_) => Val::Unit,
        Value::Int(n) => Val::Int(*n),
        Value::Bool(yes) => Val::Bool(*yes),
        Value::Text(text) => Val::Text((&**text).into()),
        Value::Entry(id) => Val::Entry(*id),
        Value::List(list) => Val::List(list.iter().map(data_val).collect()),
        Value::Table(rows) => Val::Map(
            rows.iter()
                .map(|(key, value)| ((&**key).into(), data_val(value)))
                .collect(),
        ),
    }
}

/// Converts a saved value for a script.
pub fn from_val(value: &Val) -> Dynamic {
    match value {
        Val::Unit => Dynamic::UNIT,
        Val::Int(n) => Dynamic::from_int(*n),
        Val::Bool(yes) => Dynamic::from_bool(*yes),
        Val::Text(text) => Dynamic::from(ImmutableString::from(&**text)),
        Val::Entity(entity) => Dynamic::from(EntityRef(*entity)),
        Val::Zone(at) => Dynamic::from(ZoneRef(ZoneAt(*at))),
        Val::Entry(id) => Dynamic::from(EntryRef(*id)),
        Val::Phase(id) => Dynamic::from(PhaseRef(*id)),
        Val::List(list) => Dynamic::from_array(list.iter().map(from_val).collect()),
        Val::Map(rows) => Dynamic::from_map(
            rows.iter()
                .map(|(key, value)| ((&**key).into(), from_val(value)))
                .collect(),
        ),
    }
}

/// Converts the value of a field for a script; lists and tables become [`TableRef`].
pub fn from_value(value: &Value) -> Dynamic {
    match value {
        Value::Unit => Dynamic::UNIT,
        Value::Int(n) => Dynamic::from_int(*n),
        Value::Bool(yes) => Dynamic::from_bool(*yes),
        Value::Text(text) => Dynamic::from(ImmutableString::from(&**text)),
        Value::Entry(id) => Dynamic::from(EntryRef(*id)),
        Value::Script(hook) => Dynamic::from(ScriptRef(*hook)),
        Value::List(_) | Value::Table(_) => Dynamic::from(TableRef(value.clone())),
    }
}
