//! Small values that frames, effects and events carry.

use serde::{Deserialize, Serialize};

use super::state::Entity;
use crate::content::{EntryId, PhaseId};

/// A value that may stand in the state: nothing of a script's machinery.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Val {
    /// Nothing.
    #[default]
    Unit,
    /// A whole number.
    Int(i64),
    /// Yes or no.
    Bool(bool),
    /// A word.
    Text(Box<str>),
    /// A seat, piece, place or the table.
    Entity(Entity),
    /// A zone, by its number.
    Zone(u16),
    /// An entry.
    Entry(EntryId),
    /// A phase.
    Phase(PhaseId),
    /// Several.
    List(Vec<Val>),
    /// Named ones.
    Map(Vec<(Box<str>, Val)>),
}

impl Val {
    /// The value of a name in a map.
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

    /// The number, if it is one.
    #[must_use]
    pub const fn int(&self) -> Option<i64> {
        match self {
            Val::Int(n) => Some(*n),
            _ => None,
        }
    }

    /// The word, if it is one.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Val::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The entity, if it is one.
    #[must_use]
    pub const fn entity(&self) -> Option<Entity> {
        match self {
            Val::Entity(entity) => Some(*entity),
            _ => None,
        }
    }
}
