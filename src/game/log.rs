//! The log: what happened, with the cause of every line.

use super::cx::Cx;
use super::state::{Entity, Op};
use super::val::Val;
use super::zones::ZoneAt;
use crate::content::{
    CounterId, DieId, EntryId, HookId, PhaseId, PieceId, PlaceId, SeatId, SeatSet,
};

/// The entry, hook and piece that caused something; all `None` means the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cause {
    /// The entry that the hook belongs to.
    pub entry: Option<EntryId>,
    /// The script that ran.
    pub hook: Option<HookId>,
    /// The piece whose hook it was.
    pub piece: Option<PieceId>,
}

/// A contribution to a number or to a permission.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// Adds, sets, caps, forbids and so on.
    pub op: Op,
    /// The operand of `op`.
    pub amount: i64,
    /// Why something is forbidden.
    pub reason: Option<Box<str>>,
    /// The source of the contribution.
    pub cause: Cause,
}

/// An event of the game.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum What {
    Round {
        number: u32,
    },
    Turn {
        seat: SeatId,
        number: u32,
    },
    Phase {
        seat: SeatId,
        phase: PhaseId,
    },
    Acted {
        seat: SeatId,
        entry: EntryId,
        piece: Option<PieceId>,
        each: Val,
    },
    Used {
        seat: SeatId,
        piece: Option<PieceId>,
    },
    Counter {
        of: Entity,
        counter: CounterId,
        from: i64,
        to: i64,
    },
    Moved {
        piece: PieceId,
        from: ZoneAt,
        to: ZoneAt,
        known: SeatSet,
    },
    Created {
        piece: PieceId,
        to: ZoneAt,
        known: SeatSet,
        told: bool,
    },
    Drew {
        seat: SeatId,
        amount: i64,
        wanted: i64,
    },
    Shuffled {
        zone: ZoneAt,
    },
    Rolled {
        seat: Option<SeatId>,
        die: DieId,
        faces: Vec<u8>,
    },
    Travelled {
        seat: SeatId,
        place: PlaceId,
    },
    Flipped {
        piece: PieceId,
        from: u8,
        face: u8,
    },
    Looked {
        seats: SeatSet,
        piece: PieceId,
    },
    Damage {
        of: Entity,
        source: Option<Entity>,
        amount: i64,
        taken: i64,
    },
    FightStarted {
        fight: crate::content::FightId,
    },
    FightTurn {
        of: Entity,
    },
    Fell {
        of: Entity,
    },
    Joined {
        of: Entity,
    },
    Left {
        of: Entity,
    },
    FightEnded {
        side: i64,
    },
    EffectBegan {
        subject: Entity,
        entry: EntryId,
    },
    EffectEnded {
        subject: Entity,
        entry: EntryId,
    },
    Marked {
        of: Entity,
        mark: Box<str>,
        on: bool,
    },
    Denied {
        reason: Box<str>,
    },
    Said {
        text: Box<str>,
        seats: SeatSet,
    },
    Chose {
        seat: SeatId,
        prompt: Box<str>,
        text: Box<str>,
        alone: bool,
    },
    Fault {
        text: Box<str>,
    },
    Over,
}

impl What {
    /// The name of the event for programs; it does not change.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            What::Round { .. } => "round",
            What::Turn { .. } => "turn",
            What::Phase { .. } => "phase",
            What::Acted { .. } => "acted",
            What::Used { .. } => "used",
            What::Counter { .. } => "counter",
            What::Moved { .. } => "moved",
            What::Created { .. } => "created",
            What::Drew { .. } => "drew",
            What::Shuffled { .. } => "shuffled",
            What::Rolled { .. } => "rolled",
            What::Travelled { .. } => "travelled",
            What::Flipped { .. } => "flipped",
            What::Looked { .. } => "looked",
            What::Damage { .. } => "damage",
            What::FightStarted { .. } => "fight_started",
            What::FightTurn { .. } => "fight_turn",
            What::Fell { .. } => "fell",
            What::Joined { .. } => "joined",
            What::Left { .. } => "left",
            What::FightEnded { .. } => "fight_ended",
            What::EffectBegan { .. } => "effect_began",
            What::EffectEnded { .. } => "effect_ended",
            What::Marked { .. } => "marked",
            What::Denied { .. } => "denied",
            What::Said { .. } => "said",
            What::Chose { .. } => "chose",
            What::Fault { .. } => "fault",
            What::Over => "over",
        }
    }
}

/// A line of the log.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// The event.
    pub what: What,
    /// The script that caused it.
    pub cause: Cause,
    /// The contributions to its number.
    pub parts: Vec<Part>,
}

/// The lines so far. The log is not part of the state; a step that is run again truncates it first.
#[derive(Clone, Debug, Default)]
pub struct Log {
    /// In the order in which things happened.
    pub lines: Vec<Line>,
    /// Drops new lines, as in playouts.
    pub off: bool,
}

impl Log {
    /// Adds a line unless the log is off.
    #[inline]
    pub fn push(&mut self, what: What, cause: Cause, parts: &[Part]) {
        if !self.off {
            self.lines.push(Line {
                what,
                cause,
                parts: parts.to_vec(),
            });
        }
    }
}

/// Logs that a seat used an optional hook.
pub fn used(cx: &mut Cx, seat: SeatId, piece: Option<PieceId>) {
    let cause = cx.cause();
    cx.log.push(What::Used { seat, piece }, cause, &[]);
}

/// Logs which option of a story a seat chose; `alone` means that no other was open, so that the seat was not asked.
pub fn chose(cx: &mut Cx, seat: SeatId, prompt: &str, text: Box<str>, alone: bool) {
    if !cx.log.off {
        let prompt = crate::diagnostic::clean(prompt).as_ref().into();
        let cause = cx.cause();
        cx.log.push(
            What::Chose {
                seat,
                prompt,
                text,
                alone,
            },
            cause,
            &[],
        );
    }
}
