//! How much of the log a reader sees.

use super::catalogue;
use super::grouping::{Told, group_lines};
use super::log_line;
use crate::content::SeatId;
use crate::game::cx::Core;
use crate::game::log::What;

/// How much of the log is shown; the names are those of the command line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Detail {
    /// The story: turns, actions, fights.
    Brief,
    /// What players see at a table: also cards, counters, draws.
    #[default]
    Usual,
    /// Every line as it was logged, with its cause.
    Verbose,
}

/// The log from a line on, for a seat or for a reader who sees everything.
#[must_use]
pub fn entries(core: &Core, from: usize, reader: Option<SeatId>, detail: Detail) -> Vec<Told> {
    if detail == Detail::Verbose {
        return verbose_entries(core, from, reader);
    }
    let lines = &core.log.lines;
    let mut entries = group_lines(core, from, reader);
    entries.retain(|entry| shown_from(&lines[entry.first].what) <= detail);
    entries
}

/// The index in the log at which the last entries for a reader begin.
#[must_use]
pub fn last_entries(core: &Core, count: usize, reader: Option<SeatId>, detail: Detail) -> usize {
    let lines = core.log.lines.len();
    if detail == Detail::Verbose {
        return lines.saturating_sub(count);
    }
    let entries = entries(core, 0, reader, detail);
    let first = entries.get(entries.len().saturating_sub(count));
    first.map_or(lines, |entry| entry.first)
}

fn verbose_entries(core: &Core, from: usize, reader: Option<SeatId>) -> Vec<Told> {
    let lines = core.log.lines.iter().enumerate().skip(from);
    let entry = |(first, line)| {
        let text = log_line::render_verbose(core, line, reader)?;
        let text = match log_line::describe_cause(core, line) {
            Some(cause) => catalogue::verbose::with_cause(&text, &cause),
            None => text,
        };
        Some(Told { first, text })
    };
    lines.filter_map(entry).collect()
}

/// The least detail at which a line that is not bookkeeping is shown.
const fn shown_from(what: &What) -> Detail {
    match what {
        What::Counter { .. }
        | What::Moved { .. }
        | What::Drew { .. }
        | What::Used { .. }
        | What::Flipped { .. }
        | What::Looked { .. }
        | What::FightTurn { .. } => Detail::Usual,
        _ => Detail::Brief,
    }
}
