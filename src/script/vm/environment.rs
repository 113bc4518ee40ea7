//! What a script gets from the game: its variables, and where it failed.

use super::OpResult;
use crate::content::HookArgument;
use crate::game::{Cx, FaultLocation, fight};
use crate::script::bytecode::Code;
use crate::script::operators::MAX_TEXT;
use crate::script::primitives::object::{self, Named};
use crate::script::property;
use crate::script::visible::HookVariable;
use crate::value::{Entity, Map, Value};

/// The value of a variable that is the same in every script.
pub fn global_value(name: HookVariable) -> Option<Value> {
    Some(match name {
        HookVariable::Event => Value::Event,
        HookVariable::Fight => Value::Fight,
        HookVariable::Combo => Value::Combo,
        HookVariable::Packet => Value::Packet,
        HookVariable::Table => Value::Entity(Entity::Table),
        _ => return None,
    })
}

/// The value of a variable that the engine provides.
pub fn hook_value(cx: &Cx, name: HookVariable) -> Value {
    let entity = |entity: Option<Entity>| entity.map_or(Value::Unit, Value::Entity);
    if let Some(value) = global_value(name) {
        return value;
    }
    let Some(call) = cx.calls.last() else {
        return Value::Unit;
    };
    match name {
        HookVariable::It => entity(call.it.map(Entity::Piece)),
        HookVariable::Entry => match cx.content().hooks[call.hook.ix()].argument {
            HookArgument::Entry => call.argument.clone(),
            _ => Value::Entry(call.entry),
        },
        HookVariable::Owner => entity(call.owner.map(Entity::Seat)),
        HookVariable::Actor => entity(call.actor.map(Entity::Seat)),
        HookVariable::Fighter => entity(fight::current(cx).map(|fighter| fighter.who)),
        HookVariable::Foe => entity(fight::foe(cx).map(|fighter| fighter.who)),
        _ => call.argument.clone(),
    }
}

/// A property of a variable that the engine provides.
pub(super) fn hook_property(cx: &mut Cx, variable: HookVariable, name: &Named) -> OpResult<Value> {
    let Some(call) = cx.calls.last() else {
        let receiver = hook_value(cx, variable);
        return property::get(cx, &receiver, name);
    };
    let entity = match (variable, &call.argument) {
        (HookVariable::Actor, _) => call.actor.map(Entity::Seat),
        (HookVariable::Owner, _) => call.owner.map(Entity::Seat),
        (HookVariable::It, _) => call.it.map(Entity::Piece),
        (HookVariable::Table, _) => Some(Entity::Table),
        (HookVariable::Event, _) => return property::get(cx, &Value::Event, name),
        (HookVariable::Each, Value::Map(map)) => return property::of_map(map, name),
        (HookVariable::Each, Value::Entity(entity)) => Some(*entity),
        _ => None,
    };
    if let Some(entity) = entity {
        return Ok(object::property(cx, entity, name)?);
    }
    let receiver = hook_value(cx, variable);
    property::get(cx, &receiver, name)
}

/// The message of a thrown value. A language error that was caught has it as a field.
pub(super) fn thrown(cx: &Cx, value: &Value) -> String {
    match value {
        Value::Map(map) if let Some(Value::Text(message)) = map.get("message") => {
            message.to_string()
        }
        Value::Text(text) => text.to_string(),
        other => {
            let mut text = crate::game::names::value(cx, other);
            text.truncate(text.floor_char_boundary(MAX_TEXT));
            text
        }
    }
}

/// What `catch (error)` gives for a language error.
pub(super) fn error_value(message: &str, at: Option<&FaultLocation>) -> Value {
    let mut map = Map::default();
    map.insert("message".into(), Value::from_text(message));
    if let Some(at) = at {
        map.insert("line".into(), Value::Int(property::length(at.line)));
        map.insert("position".into(), Value::Int(property::length(at.column)));
    }
    Value::Map(map)
}

/// The source location of the instruction before `next`.
pub(super) fn location(code: &Code, next: usize) -> Option<FaultLocation> {
    let offset = *code.offsets.get(next.checked_sub(1)?)? as usize;
    let before = code.text.get(..offset)?;
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    Some(FaultLocation {
        source: code.source.as_ref().map(ToString::to_string),
        line: before.matches('\n').count() + 1,
        column: before[line_start..].chars().count() + 1,
    })
}
