//! The single type of values: in fields of entries, in scripts and in the state of a game.

mod ids;
mod list;
mod map;

use serde::{Deserialize, Serialize};

pub use arcstr::ArcStr as Text;
pub use ids::*;
pub use list::List;
pub use map::Map;

/// Anything that can own counters and zones, carry effects or fight.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Entity {
    /// The table itself.
    Table,
    /// A player's seat.
    Seat(SeatId),
    /// A place on the map.
    Place(PlaceId),
    /// A single piece.
    Piece(PieceId),
}

/// A value. It takes 16 bytes; texts, lists and maps are shared and copied when they are changed.
///
/// The order of the variants is part of the state's format.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Value {
    /// The absence of a value, `()` in scripts.
    #[default]
    Unit,
    /// A whole number.
    Int(i64),
    /// `true` or `false`.
    Bool(bool),
    /// A string, a template or a value of an enum.
    Text(Text),
    /// A seat, piece, place or the table.
    Entity(Entity),
    /// A zone of a seat, piece, place or the table, or the box.
    Zone(ZoneAt),
    /// An entry of a pack.
    Entry(EntryId),
    /// A phase of a pack.
    Phase(PhaseId),
    /// A list of values.
    List(List),
    /// Values by key, sorted by key.
    Map(Map),
    /// A table in an entry, in the order of its fields. It cannot be changed, and a missing key is
    /// `()`.
    Table(Map),
    /// A list in an entry. It cannot be changed, and a position past its end is `()`.
    Rows(List),
    /// A script in a table of an entry.
    Script(HookId),
    /// A roll on the table, by number.
    Roll(u32),
    /// A running effect, by number.
    Effect(u32),
    /// The current event.
    Event,
    /// The innermost fight.
    Fight,
    /// The combo being played.
    Combo,
    /// The innermost loss that is being resolved.
    Packet,
    /// A closure of the running script, by number. It is never in the state.
    Function(u32),
}

const _: () = assert!(size_of::<Value>() == 16);

impl Value {
    /// A text.
    #[must_use]
    pub fn from_text(text: &str) -> Value {
        Value::Text(text.into())
    }

    /// A list.
    #[must_use]
    pub fn from_list(items: Vec<Value>) -> Value {
        Value::List(List::new(items))
    }

    /// The value at a path of names and positions from 1: `levels.2.draw`.
    #[must_use]
    pub fn path(&self, path: &str) -> Option<&Value> {
        path.split('.')
            .filter(|step| !step.is_empty())
            .try_fold(self, |value, step| match step.parse::<usize>() {
                Ok(position) => value.list().get(position.checked_sub(1)?),
                Err(_) => value.get(step),
            })
    }

    /// The value under a key of a map or a table.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        match self {
            Value::Map(map) => map.get(name),
            Value::Table(table) => table.find(name),
            _ => None,
        }
    }

    /// The number, if the value is one.
    #[must_use]
    pub const fn int(&self) -> Option<i64> {
        match self {
            Value::Int(n) => Some(*n),
            _ => None,
        }
    }

    /// The boolean, if the value is one.
    #[must_use]
    pub const fn boolean(&self) -> Option<bool> {
        match self {
            Value::Bool(yes) => Some(*yes),
            _ => None,
        }
    }

    /// The text, if the value is one.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The entity, if the value is one.
    #[must_use]
    pub const fn entity(&self) -> Option<Entity> {
        match self {
            Value::Entity(entity) => Some(*entity),
            _ => None,
        }
    }

    /// The items, if the value is a list; otherwise an empty slice.
    #[must_use]
    pub fn list(&self) -> &[Value] {
        match self {
            Value::List(list) | Value::Rows(list) => list,
            _ => &[],
        }
    }

    /// Whether `{?field}` in a template is true: not zero, not false, not empty.
    #[must_use]
    pub fn is_truthy(&self) -> bool {
        match self {
            Value::Unit => false,
            Value::Int(n) => *n != 0,
            Value::Bool(yes) => *yes,
            Value::Text(text) => !text.is_empty(),
            Value::List(list) | Value::Rows(list) => !list.is_empty(),
            Value::Map(rows) | Value::Table(rows) => !rows.is_empty(),
            _ => true,
        }
    }

    /// Whether it owns heap memory, which it shares with its copies.
    #[must_use]
    #[inline]
    pub const fn is_shared(&self) -> bool {
        matches!(
            self,
            Value::Text(_) | Value::List(_) | Value::Map(_) | Value::Table(_) | Value::Rows(_)
        )
    }

    /// Tells values apart without looking into them: the same text, list or map in memory has the same
    /// identity, an equal one has not.
    #[must_use]
    pub fn identity(&self) -> (u8, u64) {
        match self {
            Value::Unit => (0, 0),
            Value::Int(number) => (1, number.cast_unsigned()),
            Value::Bool(yes) => (2, u64::from(*yes)),
            Value::Text(text) => (3, text.as_ptr() as u64),
            Value::Entity(Entity::Table) => (4, 0),
            Value::Entity(Entity::Seat(seat)) => (5, seat.0.into()),
            Value::Entity(Entity::Place(place)) => (6, place.0.into()),
            Value::Entity(Entity::Piece(piece)) => (7, piece.0.into()),
            Value::Zone(zone) => (8, zone.0.into()),
            Value::Entry(entry) => (9, entry.0.into()),
            Value::Phase(phase) => (10, phase.0.into()),
            Value::List(list) => (11, list.address()),
            Value::Map(map) => (12, map.address()),
            Value::Table(table) => (13, table.address()),
            Value::Rows(rows) => (14, rows.address()),
            Value::Script(hook) => (15, hook.0.into()),
            Value::Roll(roll) => (16, u64::from(*roll)),
            Value::Effect(effect) => (17, u64::from(*effect)),
            Value::Event => (18, 0),
            Value::Fight => (19, 0),
            Value::Combo => (20, 0),
            Value::Packet => (21, 0),
            Value::Function(number) => (22, u64::from(*number)),
        }
    }

    /// The number of values in it, counting itself and everything nested in it.
    #[must_use]
    pub fn weight(&self) -> u32 {
        match self {
            Value::List(list) | Value::Rows(list) => list.weight(),
            Value::Map(map) | Value::Table(map) => map.weight(),
            _ => 1,
        }
    }

    /// How deep lists and maps are nested in it; 0 for a simple value.
    #[must_use]
    pub fn depth(&self) -> u8 {
        match self {
            Value::List(list) | Value::Rows(list) => list.depth(),
            Value::Map(map) | Value::Table(map) => map.depth(),
            _ => 0,
        }
    }
}
