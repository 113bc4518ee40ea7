//! The log: what happened, with the cause of every line.

use super::context::Cx;
use super::state::{Entity, ModifierOp};
use super::zones::ZoneAt;
use crate::content::{
    CounterId, DieId, EntryId, HookId, PhaseId, PieceId, PlaceId, SeatId, SeatSet,
};
use crate::value::Value;

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
pub struct Contribution {
    /// What it does to the result: adds, sets, caps, forbids and so on.
    pub op: ModifierOp,
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
pub enum LogEvent {
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
        argument: Value,
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
        /// Whether it was paid as a cost.
        paid: bool,
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
        is_logged: bool,
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
        /// The faces of the dice, by kind.
        dice: Vec<(DieId, Vec<u8>)>,
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

impl LogEvent {
    /// A stable name of the event, for programs.
    #[must_use]
    pub const fn kind_name(&self) -> &'static str {
        match self {
            LogEvent::Round { .. } => "round",
            LogEvent::Turn { .. } => "turn",
            LogEvent::Phase { .. } => "phase",
            LogEvent::Acted { .. } => "acted",
            LogEvent::Used { .. } => "used",
            LogEvent::Counter { .. } => "counter",
            LogEvent::Moved { .. } => "moved",
            LogEvent::Created { .. } => "created",
            LogEvent::Drew { .. } => "drew",
            LogEvent::Shuffled { .. } => "shuffled",
            LogEvent::Rolled { .. } => "rolled",
            LogEvent::Travelled { .. } => "travelled",
            LogEvent::Flipped { .. } => "flipped",
            LogEvent::Looked { .. } => "looked",
            LogEvent::Damage { .. } => "damage",
            LogEvent::FightStarted { .. } => "fight_started",
            LogEvent::FightTurn { .. } => "fight_turn",
            LogEvent::Fell { .. } => "fell",
            LogEvent::Joined { .. } => "joined",
            LogEvent::Left { .. } => "left",
            LogEvent::FightEnded { .. } => "fight_ended",
            LogEvent::EffectBegan { .. } => "effect_began",
            LogEvent::EffectEnded { .. } => "effect_ended",
            LogEvent::Marked { .. } => "marked",
            LogEvent::Denied { .. } => "denied",
            LogEvent::Said { .. } => "said",
            LogEvent::Chose { .. } => "chose",
            LogEvent::Fault { .. } => "fault",
            LogEvent::Over => "over",
        }
    }
}

/// A line of the log.
#[derive(Clone, PartialEq, Debug)]
pub struct LogLine {
    /// The event.
    pub event: LogEvent,
    /// The script that caused it.
    pub cause: Cause,
    /// The contributions to its number.
    pub parts: Vec<Contribution>,
}

/// The lines so far. The log is not part of the state; a step that is run again truncates it first.
#[derive(Clone, Debug, Default)]
pub struct Log {
    /// The lines, oldest first.
    pub lines: Vec<LogLine>,
    /// Whether new lines are dropped, as in playouts.
    pub off: bool,
}

impl Log {
    /// Adds a line unless the log is off.
    #[inline]
    pub fn push(&mut self, event: LogEvent, cause: Cause, parts: &[Contribution]) {
        if !self.off {
            let parts = if parts.is_empty() {
                Vec::new()
            } else {
                parts.to_vec()
            };
            self.lines.push(LogLine {
                event,
                cause,
                parts,
            });
        }
    }

    /// Inserts a line before its consequences, which are already logged, unless the log is off.
    pub fn insert(&mut self, at: usize, event: LogEvent, cause: Cause, parts: Vec<Contribution>) {
        if !self.off {
            let at = at.min(self.lines.len());
            self.lines.insert(
                at,
                LogLine {
                    event,
                    cause,
                    parts,
                },
            );
        }
    }
}

/// Logs that a seat used an optional hook.
pub fn log_use(cx: &mut Cx, seat: SeatId, piece: Option<PieceId>) {
    let cause = cx.cause();
    cx.log.push(LogEvent::Used { seat, piece }, cause, &[]);
}

/// Logs which option of a story a seat chose; `alone` means that no other option was open, so the
/// seat was not asked.
pub fn log_choice(cx: &mut Cx, seat: SeatId, prompt: &str, text: Box<str>, alone: bool) {
    if !cx.log.off {
        let prompt = crate::diagnostic::sanitize(prompt).as_ref().into();
        let cause = cx.cause();
        cx.log.push(
            LogEvent::Chose {
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
