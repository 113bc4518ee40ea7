//! Small values that frames, effects and events carry.

use serde::{Deserialize, Serialize};

use super::state::Entity;
use crate::content::{EntryId, PhaseId};

/// A value that can be stored in the state, independent of the script language.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Val {
    /// The absence of a value.
    #[default]
    Unit,
    /// An integer.
    Int(i64),
    /// A truth value.
    Bool(bool),
    /// A string.
    Text(Box<str>),
    /// A seat, piece, place or the table.
    Entity(Entity),
    /// A zone, as the number in its [`ZoneAt`](super::zones::ZoneAt).
    Zone(u16),
    /// An entry of a pack.
    Entry(EntryId),
    /// A phase of a pack.
    Phase(PhaseId),
    /// A list of values.
    List(Vec<Val>),
    /// Named values, in order.
    Map(Vec<(Box<str>, Val)>),
}

impl Val {
    /// The value of a key in a map.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Val> {
        match self {
            Val::Map(rows) => rows
                .iter()
                .find(|(key, _)| &**key == name)
                .map(|(_, value)| value),
            _ => None,
        }
    }

    /// The integer, if the value is one.
    #[must_use]
    pub const fn int(&self) -> Option<i64> {
        match self {
            Val::Int(n) => Some(*n),
            _ => None,
        }
    }

    /// The string, if the value is one.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Val::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The entity, if the value is one.
    #[must_use]
    pub const fn entity(&self) -> Option<Entity> {
        match self {
            Val::Entity(entity) => Some(*entity),
            _ => None,
        }
    }
}
