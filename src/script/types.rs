//! What scripts hold in their hands: small copies that name something in the game.

use crate::content::{EntryId, HookId, PhaseId, Value};
use crate::game::Entity;
use crate::game::zones::ZoneAt;

/// A seat, a piece, a place or the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Thing(pub Entity);

/// A zone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Zone(pub ZoneAt);

/// An entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EntryRef(pub EntryId);

/// A phase.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PhaseRef(pub PhaseId);

/// A list or a table of an entry.
#[derive(Clone, PartialEq, Debug)]
pub struct Data(pub Value);

/// A script of an entry's table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScriptRef(pub HookId);

/// What is happening.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EventRef;

/// The innermost fight.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FightRef;

/// The combo being played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ComboRef;

/// The innermost loss in flight.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PacketRef;

/// Dice that were rolled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RollRef(pub u32);

/// A running effect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EffectRef(pub u32);
