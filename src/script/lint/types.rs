//! Sets of types that a value may have.

use std::ops::BitOr;

use crate::value::{Entity, Value};

/// A set of types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Types(u32);

impl Types {
    pub const NUMBER: Types = Types(1);
    pub const BOOL: Types = Types(1 << 1);
    pub const TEXT: Types = Types(1 << 2);
    pub const LIST: Types = Types(1 << 3);
    pub const MAP: Types = Types(1 << 4);
    pub const NOTHING: Types = Types(1 << 5);
    pub const SEAT: Types = Types(1 << 6);
    pub const ZONE: Types = Types(1 << 7);
    pub const ENTRY: Types = Types(1 << 8);
    pub const PHASE: Types = Types(1 << 9);
    pub const DATA: Types = Types(1 << 10);
    pub const SCRIPT: Types = Types(1 << 11);
    pub const EVENT: Types = Types(1 << 12);
    pub const FIGHT: Types = Types(1 << 13);
    pub const COMBO: Types = Types(1 << 14);
    pub const PACKET: Types = Types(1 << 15);
    pub const ROLL: Types = Types(1 << 16);
    pub const EFFECT: Types = Types(1 << 17);
    pub const FUNCTION: Types = Types(1 << 18);
    pub const RANGE: Types = Types(1 << 19);
    pub const OTHER: Types = Types(1 << 20);
    pub const PIECE: Types = Types(1 << 21);
    pub const PLACE: Types = Types(1 << 22);
    pub const TABLE: Types = Types(1 << 23);
    pub const NONE: Types = Types(0);
    pub const ANY: Types = Types((1 << 24) - 1);
    /// Anything that owns counters and zones: a seat, piece, place or the table.
    pub const OBJECT: Types = Types(1 << 6 | 7 << 21);

    /// A fighter, if there is a fight.
    pub const FIGHTER: Types = Types(1 << 6 | 1 << 21 | 1 << 5);

    /// Whether the sets intersect.
    pub const fn meets(self, other: Types) -> bool {
        self.0 & other.0 != 0
    }

    pub const fn or(self, other: Types) -> Types {
        Types(self.0 | other.0)
    }

    /// The type of a value.
    #[inline]
    pub const fn of_value(value: &Value) -> Types {
        match value {
            Value::Entity(Entity::Table) => Types::TABLE,
            Value::Entity(Entity::Seat(_)) => Types::SEAT,
            Value::Entity(Entity::Place(_)) => Types::PLACE,
            Value::Entity(Entity::Piece(_)) => Types::PIECE,
            other => Types::of_other(other),
        }
    }

    /// The type of a value that is not a game object.
    #[inline]
    const fn of_other(value: &Value) -> Types {
        match value {
            Value::Unit => Types::NOTHING,
            Value::Int(_) => Types::NUMBER,
            Value::Bool(_) => Types::BOOL,
            Value::Text(_) => Types::TEXT,
            Value::Entity(_) => Types::OBJECT,
            Value::Zone(_) => Types::ZONE,
            Value::Entry(_) => Types::ENTRY,
            Value::Phase(_) => Types::PHASE,
            Value::List(_) => Types::LIST,
            Value::Map(_) => Types::MAP,
            Value::Table(_) | Value::Rows(_) => Types::DATA,
            Value::Script(_) => Types::SCRIPT,
            Value::Roll(_) => Types::ROLL,
            Value::Effect(_) => Types::EFFECT,
            Value::Event => Types::EVENT,
            Value::Fight => Types::FIGHT,
            Value::Combo => Types::COMBO,
            Value::Packet => Types::PACKET,
            Value::Function(_) => Types::FUNCTION,
        }
    }

    pub const fn and(self, other: Types) -> Types {
        Types(self.0 & other.0)
    }

    pub const fn without(self, other: Types) -> Types {
        Types(self.0 & !other.0)
    }

    pub const fn is_within(self, other: Types) -> bool {
        self.0 & !other.0 == 0
    }

    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// The types as a phrase: "a number", "a string or a list".
    pub fn phrase(self) -> String {
        const PHRASES: &[&str] = &[
            "a number",
            "true or false",
            "a string",
            "a list",
            "a map",
            "nothing",
            "a seat",
            "a zone",
            "an entry",
            "a phase",
            "a list or table in an entry",
            "a script",
            "the event",
            "the fight",
            "the combo",
            "the loss",
            "a roll",
            "an effect",
            "a function",
            "a range",
            "something else",
            "a piece",
            "a place",
            "the table",
        ];
        if self == Types::ANY {
            return "anything".to_owned();
        }
        let phrases: Vec<&str> = (0..)
            .zip(PHRASES)
            .filter(|(bit, _)| self.0 >> bit & 1 == 1)
            .map(|(_, phrase)| *phrase)
            .collect();
        match phrases.split_last() {
            Some((last, [])) => (*last).to_owned(),
            Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
            None => "no type".to_owned(),
        }
    }
}

impl BitOr for Types {
    type Output = Types;

    fn bitor(self, other: Types) -> Types {
        Types(self.0 | other.0)
    }
}
