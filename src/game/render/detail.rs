//! Levels of detail of the log.

use super::catalogue;
use super::grammar;
use super::grouping::{LogSentence, group_lines};
use super::log_line;
use crate::content::SeatId;
use crate::game::context::StepContext;
use crate::game::log::LogEvent;

/// How much of the log is shown; the names are those of the command line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum LogDetail {
    /// Turns, actions and fights.
    Brief,
    /// Also cards, counters and draws, as players see them at a table.
    #[default]
    Normal,
    /// Every line as it was logged, with its cause.
    Verbose,
}

/// The log from a line on, for a seat, or with `None` for a reader who sees everything.
#[must_use]
pub fn entries(
    context: &StepContext,
    from: usize,
    reader: Option<SeatId>,
    detail: LogDetail,
) -> Vec<LogSentence> {
    if detail == LogDetail::Verbose {
        return verbose_entries(context, from, reader);
    }
    let lines = &context.log.lines;
    let mut entries = group_lines(context, from, reader);
    entries.retain(|entry| shown_from(&lines[entry.first].event) <= detail);
    for entry in &mut entries {
        if !is_heading(&lines[entry.first].event) {
            entry.text = grammar::end_sentence(&entry.text);
        }
    }
    entries
}

/// The index in the log at which the last entries for a reader begin.
#[must_use]
pub fn last_entries(
    context: &StepContext,
    count: usize,
    reader: Option<SeatId>,
    detail: LogDetail,
) -> usize {
    let lines = context.log.lines.len();
    if detail == LogDetail::Verbose {
        return lines.saturating_sub(count);
    }
    let entries = entries(context, 0, reader, detail);
    let first = entries.get(entries.len().saturating_sub(count));
    first.map_or(lines, |entry| entry.first)
}

fn verbose_entries(context: &StepContext, from: usize, reader: Option<SeatId>) -> Vec<LogSentence> {
    let lines = context.log.lines.iter().enumerate().skip(from);
    let entry = |(first, line)| {
        let text = log_line::render_verbose(context, line, reader)?;
        let text = match log_line::describe_cause(context, line) {
            Some(cause) => catalogue::verbose::with_cause(&text, &cause),
            None => text,
        };
        Some(LogSentence { first, text })
    };
    lines.filter_map(entry).collect()
}

const fn is_heading(event: &LogEvent) -> bool {
    matches!(event, LogEvent::Round { .. } | LogEvent::Turn { .. })
}

/// The least detail at which a line that is not bookkeeping is shown.
const fn shown_from(event: &LogEvent) -> LogDetail {
    match event {
        LogEvent::Counter { .. }
        | LogEvent::Moved { .. }
        | LogEvent::Drew { .. }
        | LogEvent::Used { .. }
        | LogEvent::Flipped { .. }
        | LogEvent::Looked { .. }
        | LogEvent::FightTurn { .. } => LogDetail::Normal,
        _ => LogDetail::Brief,
    }
}
