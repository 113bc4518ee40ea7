//! Prints the log, with colours by the type of line. The texts come from [`crate::game::render`].

use super::screen::{self, Tone};
use crate::content::SeatId;
use crate::game::Game;
use crate::game::log::LogEvent;
pub use crate::game::render::LogDetail;
use crate::game::render::{entries, last_entries};

/// Prints the log from a line on, for a seat, or with `None` for a reader who sees everything.
pub fn lines(game: &Game, from: usize, reader: Option<SeatId>, detail: LogDetail) {
    let context = game.context();
    for entry in entries(context, from, reader, detail) {
        let tone = tone(&context.log.lines[entry.first].event);
        screen::print_indented("", Tone::Plain, &entry.text, tone);
    }
}

/// The index in the log at which the last entries for a reader begin.
pub fn last(game: &Game, count: usize, reader: Option<SeatId>, detail: LogDetail) -> usize {
    last_entries(game.context(), count, reader, detail)
}

const fn tone(what: &LogEvent) -> Tone {
    match what {
        LogEvent::Round { .. }
        | LogEvent::Turn { .. }
        | LogEvent::FightStarted { .. }
        | LogEvent::Over => Tone::Heading,
        LogEvent::Counter { from, to, .. } if *to > *from => Tone::Good,
        LogEvent::Counter { .. } | LogEvent::Damage { .. } | LogEvent::Fell { .. } => Tone::Bad,
        LogEvent::Fault { .. } | LogEvent::Denied { .. } => Tone::Warning,
        LogEvent::Moved { .. }
        | LogEvent::Shuffled { .. }
        | LogEvent::Created { .. }
        | LogEvent::Looked { .. } => Tone::Quiet,
        _ => Tone::Plain,
    }
}
