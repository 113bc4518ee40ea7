//! Properties and positions of values: `of.name`, `of[at]`, and setting them.

use super::operators::{search_cost, text_cost};
use super::primitives::object::Named;
use super::primitives::{self, entry, event, fight, object, packet};
use super::vm::ScriptError;
use crate::game::Cx;
use crate::migrate;
use crate::value::{List, Map, Text, Value};

/// `of.name`.
pub fn get(cx: &mut Cx, receiver: &Value, named: &Named) -> Result<Value, ScriptError> {
    let name = named.name();
    let value = match receiver {
        Value::Entity(entity) => object::property(cx, *entity, named)?,
        Value::Entry(id) => entry::entry_field(cx, *id, name)?,
        Value::Event => {
            let values = cx.events.last().map_or(0, |event| event.data.len());
            cx.charge_work(search_cost(values, name))?;
            event::read(cx, name)?
        }
        Value::Fight => fight::property(cx, name)?,
        Value::Packet => {
            let pieces = cx.packets.last().map_or(0, |packet| packet.pieces.len());
            cx.charge_work(pieces as u64 / 8)?;
            packet::read(cx, name)?
        }
        Value::Table(table) => table.find(name).cloned().unwrap_or_default(),
        Value::Map(map) => of_map(map, named)?,
        Value::List(list) if name == "len" => Value::Int(length(list.len())),
        Value::List(list) if name == "is_empty" => Value::Bool(list.is_empty()),
        Value::Text(text) if name == "len" => {
            cx.charge_work(text_cost(text.len()))?;
            Value::Int(length(text.chars().count()))
        }
        Value::Text(text) if name == "is_empty" => Value::Bool(text.is_empty()),
        other => return Err(no_property(other, name)),
    };
    Ok(value)
}

/// `map.name`.
#[inline]
pub fn of_map(map: &Map, named: &Named) -> Result<Value, ScriptError> {
    match map.get_interned(named.text()) {
        Some(value) => Ok(value.clone()),
        None => Err(missing_key(named.name())),
    }
}

pub fn length(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// The error for a missing key of a map.
pub fn missing_key(name: &str) -> ScriptError {
    ScriptError::Error(format!(
        "the map has no key `{name}`: write `get(map, \"{name}\", ())` if it may be missing"
    ))
}

fn no_property(receiver: &Value, name: &str) -> ScriptError {
    ScriptError::Error(match migrate::method(name) {
        Some(method) => format!("`{name}` is a method: write `{method}`"),
        None => format!("{} has no `{name}`", describe(receiver)),
    })
}

/// The type of a value in words.
pub fn describe(value: &Value) -> String {
    match value {
        Value::Entity(_) => "a seat, piece, place or the table".to_owned(),
        other => super::lint::types::Types::of_value(other).phrase(),
    }
}

/// `of.name = value`, for everything but maps and lists.
pub fn set(cx: &mut Cx, receiver: &Value, named: &Named, value: &Value) -> Result<(), ScriptError> {
    let name = named.name();
    match (receiver, value) {
        (Value::Entity(entity), value) => object::set_property(cx, *entity, named, value)?,
        (Value::Event, value) => event::write(cx, name, value)?,
        (Value::Packet, Value::Int(number)) => packet::write(cx, name, *number)?,
        // `fight.foe.guard -= 1` writes `foe` back, unchanged.
        (Value::Fight, Value::Entity(_)) => {}
        _ => {
            return Err(ScriptError::Error(format!(
                "`{name}` of {} cannot be set",
                describe(receiver)
            )));
        }
    }
    Ok(())
}

/// The position in a list; negative positions count from its end.
pub fn position(list: &List, at: i64) -> Option<usize> {
    let at = if at < 0 {
        length(list.len()).checked_add(at)?
    } else {
        at
    };
    usize::try_from(at).ok().filter(|at| *at < list.len())
}

/// The error for a position outside a list.
pub fn out_of_range(list: &List, at: i64) -> ScriptError {
    ScriptError::Error(match list.len() {
        0 => format!("position {at} is outside the list, which is empty"),
        1 => format!("position {at} is outside the list of 1 value"),
        count => format!("position {at} is outside the list of {count} values"),
    })
}

/// `of[at]`.
pub fn index(cx: &mut Cx, receiver: &Value, at: &Value) -> Result<Value, ScriptError> {
    let value = match (receiver, at) {
        (Value::List(list), Value::Int(at)) => match position(list, *at) {
            Some(at) => list[at].clone(),
            None => return Err(out_of_range(list, *at)),
        },
        (Value::Rows(list), Value::Int(at)) => usize::try_from(*at)
            .ok()
            .and_then(|at| list.get(at))
            .cloned()
            .unwrap_or_default(),
        (Value::Map(map), Value::Text(key)) => {
            cx.charge_work(key.len() as u64 / 16)?;
            match map.get(key) {
                Some(value) => value.clone(),
                None => return Err(missing_key(key)),
            }
        }
        (Value::Text(text), Value::Int(at)) => {
            cx.charge_work(text_cost(text.len()))?;
            character(text, *at)?
        }
        (Value::Zone(_), _) => by_primitive(cx, receiver, at)?,
        (receiver, Value::Text(name)) => {
            cx.charge_work(name.len() as u64 / 16)?;
            let named = Named::new(cx, name);
            get(cx, receiver, &named)?
        }
        (Value::Int(number), Value::Int(at)) => bit(*number, *at)?,
        (receiver, at) => by_primitive(cx, receiver, at)?,
    };
    Ok(value)
}

/// `of[at]` by the primitive that takes these types.
fn by_primitive(cx: &mut Cx, receiver: &Value, at: &Value) -> Result<Value, ScriptError> {
    let mut arguments = [receiver.clone(), at.clone()];
    let def = primitives::overloads("[]", 2)
        .and_then(|number| primitives::numbered(number).select(&arguments));
    match def {
        Some(def) => Ok((def.run)(cx, &mut arguments)?),
        None => Err(not_indexed(receiver, at)),
    }
}

pub fn not_indexed(receiver: &Value, at: &Value) -> ScriptError {
    ScriptError::Error(format!(
        "cannot be indexed: {}, {}",
        describe(receiver),
        describe(at)
    ))
}

fn character(text: &Text, at: i64) -> Result<Value, ScriptError> {
    let count = length(text.chars().count());
    let from_start = if at < 0 { count + at } else { at };
    let found = usize::try_from(from_start)
        .ok()
        .and_then(|at| text.chars().nth(at));
    let mut buffer = [0; 4];
    match found {
        Some(found) => Ok(Value::from_text(found.encode_utf8(&mut buffer))),
        None => Err(ScriptError::Error(format!(
            "position {at} is outside the string of {count} characters"
        ))),
    }
}

/// A bit of a number; negative positions count from the highest.
pub fn bit(number: i64, at: i64) -> Result<Value, ScriptError> {
    Ok(Value::Bool(number >> bit_position(at)? & 1 == 1))
}

/// A number with one bit set or cleared.
pub fn with_bit(number: i64, at: i64, value: &Value) -> Result<i64, ScriptError> {
    let mask = 1 << bit_position(at)?;
    match value {
        Value::Bool(true) => Ok(number | mask),
        Value::Bool(false) => Ok(number & !mask),
        other => Err(ScriptError::Error(format!(
            "a bit of a number is true or false, not {}",
            describe(other)
        ))),
    }
}

fn bit_position(at: i64) -> Result<u32, ScriptError> {
    let from_low = if at < 0 { at.saturating_add(64) } else { at };
    let position = u32::try_from(from_low).ok().filter(|at| *at < 64);
    position.ok_or_else(|| ScriptError::Error(format!("a number has no bit {at}")))
}
