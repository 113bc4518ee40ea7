//! The log on the screen: colours by what a line means. Its texts come from [`crate::game::render`].

use super::screen::{self, Tone};
use crate::content::SeatId;
use crate::game::Game;
use crate::game::log::What;
pub use crate::game::render::Detail;
use crate::game::render::{entries, last_entries};

/// Prints the log from a line on, for a seat or for a reader who sees everything.
pub fn lines(game: &Game, from: usize, reader: Option<SeatId>, detail: Detail) {
    let core = game.core();
    for entry in entries(core, from, reader, detail) {
        let tone = tone(&core.log.lines[entry.first].what);
        screen::block("", Tone::Plain, &entry.text, tone);
    }
}

/// The index in the log at which the last entries for a reader begin.
pub fn last(game: &Game, count: usize, reader: Option<SeatId>, detail: Detail) -> usize {
    last_entries(game.core(), count, reader, detail)
}

const fn tone(what: &What) -> Tone {
    match what {
        What::Round { .. } | What::Turn { .. } | What::FightStarted { .. } | What::Over => {
            Tone::Heading
        }
        What::Counter { from, to, .. } if *to > *from => Tone::Good,
        What::Counter { .. } | What::Damage { .. } | What::Fell { .. } => Tone::Bad,
        What::Fault { .. } | What::Denied { .. } => Tone::Warning,
        What::Moved { .. } | What::Shuffled { .. } | What::Created { .. } | What::Looked { .. } => {
            Tone::Quiet
        }
        _ => Tone::Plain,
    }
}
