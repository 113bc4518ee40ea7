//! Types of script values: small handles to objects of the game.

use crate::content::{EntryId, HookId, PhaseId, Value};
use crate::game::Entity;
use crate::game::zones::ZoneAt;

/// A seat, a piece, a place or the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EntityRef(pub Entity);

/// A zone of a seat, piece, place or the table, or the box.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ZoneRef(pub ZoneAt);

/// The data of an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EntryRef(pub EntryId);

/// A phase of a turn, a fight or a sequence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PhaseRef(pub PhaseId);

/// A list or a table in an entry.
#[derive(Clone, PartialEq, Debug)]
pub struct TableRef(pub Value);

/// A script in a table of an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScriptRef(pub HookId);

/// The current event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EventRef;

/// The innermost fight.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FightRef;

/// The combo being played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ComboRef;

/// The innermost loss that is being resolved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PacketRef;

/// A roll on the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RollRef(pub u32);

/// A running effect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EffectRef(pub u32);
