//! What happened, told to whoever reads it: as much as they want to know, in the colours of what it means.

use super::screen::{self, Tone};
use crate::content::SeatId;
use crate::game::log::{Line, What};
use crate::game::{Core, Game, telling, text};

/// How much somebody wants to read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Detail {
    /// What the story needs.
    Brief,
    /// What one would see at a table.
    #[default]
    Usual,
    /// Everything, with what caused it.
    Verbose,
}

/// Tells some lines of the log to a reader; to nobody in particular, everything is told.
pub fn lines(game: &Game, from: usize, reader: Option<SeatId>, detail: Detail) {
    let core = game.core();
    if detail == Detail::Verbose {
        return verbose(core, from, reader);
    }
    for told in telling::told(core, from, reader) {
        let line = &core.log.lines[told.first];
        if weight(line, reader) <= detail {
            screen::block("", Tone::Plain, &told.text, tone(line));
        }
    }
}

/// Where in the log the last lines begin that are told to a reader.
pub fn last(game: &Game, count: usize, reader: Option<SeatId>, detail: Detail) -> usize {
    let lines = &game.core().log.lines;
    if detail == Detail::Verbose {
        return lines.len().saturating_sub(count);
    }
    let told = telling::told(game.core(), 0, reader);
    let told: Vec<usize> = told
        .iter()
        .map(|told| told.first)
        .filter(|ix| weight(&lines[*ix], reader) <= detail)
        .collect();
    told.get(told.len().saturating_sub(count))
        .copied()
        .unwrap_or(lines.len())
}

/// Every line, with what caused it.
fn verbose(core: &Core, from: usize, reader: Option<SeatId>) {
    for line in core.log.lines.get(from..).unwrap_or_default() {
        if let Some(text) = text::whole(core, line, reader) {
            let cause = text::cause(core, line)
                .map(|cause| format!("  [{cause}]"))
                .unwrap_or_default();
            screen::block("", Tone::Plain, &format!("{text}{cause}"), tone(line));
        }
    }
}

/// From which detail on a line is told.
fn weight(line: &Line, reader: Option<SeatId>) -> Detail {
    match &line.what {
        What::Shuffled { .. } | What::Created { .. } | What::Phase { .. } => Detail::Verbose,
        // That somebody draws is told already.
        What::Moved { known, .. } if reader.is_some_and(|reader| !known.contains(reader)) => {
            Detail::Verbose
        }
        What::Counter { .. }
        | What::Moved { .. }
        | What::Drew { .. }
        | What::Used { .. }
        | What::Flipped { .. }
        | What::Looked { .. }
        | What::FightTurn { .. }
        | What::Marked { .. }
        | What::EffectBegan { .. }
        | What::EffectEnded { .. } => Detail::Usual,
        _ => Detail::Brief,
    }
}

const fn tone(line: &Line) -> Tone {
    match &line.what {
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
