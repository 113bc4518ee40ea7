//! Renders the log for players: lines that belong together become one sentence.

use super::counters::{CounterChange, describe_changes};
use super::draws::describe_draw;
use super::log_line::{self, NamesAt};
use super::movement::{describe_moves, is_known};
use super::sentence;
use crate::content::SeatId;
use crate::game::context::StepContext;
use crate::game::log::{LogEvent, LogLine};
use crate::game::state::Entity;

/// A sentence of the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogSentence {
    /// The index of its first log line.
    pub first: usize,
    /// The text, which may have several lines.
    pub text: String,
}

/// The sentences of the log from a line on, for a seat, or with `None` for a reader who sees
/// everything.
pub(super) fn group_lines(
    context: &StepContext,
    from: usize,
    reader: Option<SeatId>,
) -> Vec<LogSentence> {
    let all = &context.log.lines;
    let mut list = Vec::new();
    let mut end = None;
    let mut ix = from;
    while ix < all.len() {
        let (count, text) = first_group(context, &all[ix..], reader);
        let entry = text.map(|text| LogSentence { first: ix, text });
        // A script may still do something after it ended the game; the end is rendered last.
        if all[ix].event == LogEvent::Over {
            end = entry;
        } else {
            list.extend(entry);
        }
        ix += count.max(1);
    }
    list.extend(end);
    list
}

/// The number of lines, from the first on, that belong together, and their sentence.
fn first_group(
    context: &StepContext,
    lines: &[LogLine],
    reader: Option<SeatId>,
) -> (usize, Option<String>) {
    let line = &lines[0];
    if log_line::is_quiet(context, &line.event) {
        return (1, None);
    }
    let names = NamesAt::new(context, line);
    match line.event {
        // Other sentences tell players that someone draws or hides a piece, but not which.
        LogEvent::Moved { .. } if !is_known(&line.event, reader) => (1, None),
        LogEvent::Moved { from, to, .. } => {
            let same_way = |what: &LogEvent| {
                matches!(what, LogEvent::Moved { from: a, to: b, .. } if (*a, *b) == (from, to))
                    && is_known(what, reader)
            };
            let (count, moves) = similar(context, lines, same_way);
            (count, describe_moves(context, &moves, (from, to), reader))
        }
        LogEvent::Drew { .. } => match describe_draw(&names, lines, reader) {
            Some((count, text)) => (count, Some(log_line::explain(context, line, text))),
            None => (1, None),
        },
        LogEvent::Counter { of: entity, .. } if line.parts.is_empty() => {
            let same_owner = |what: &LogEvent| matches!(what, LogEvent::Counter { of: other, .. } if *other == entity);
            let (count, changed) = similar(context, lines, same_owner);
            (count, describe_counters(&names, entity, &changed, reader))
        }
        LogEvent::Looked { seats, .. } => {
            let same_seats = |what: &LogEvent| matches!(what, LogEvent::Looked { seats: other, .. } if *other == seats);
            let (count, looks) = similar(context, lines, same_seats);
            (
                count,
                Some(sentence::describe_looks(context, &looks, seats, reader)),
            )
        }
        _ => (1, log_line::render(context, line, reader)),
    }
}

/// The similar lines from the first on, without contributions, and how many lines they span.
/// Bookkeeping between them does not separate them.
fn similar<'a>(
    context: &StepContext,
    lines: &'a [LogLine],
    is_alike: impl Fn(&LogEvent) -> bool,
) -> (usize, Vec<&'a LogLine>) {
    let (mut span, mut found) = (0, Vec::new());
    for (ix, line) in lines.iter().enumerate() {
        if log_line::is_quiet(context, &line.event) {
            continue;
        }
        if !is_alike(&line.event) || !line.parts.is_empty() {
            break;
        }
        found.push(line);
        span = ix + 1;
    }
    (span, found)
}

fn describe_counters(
    names: &NamesAt,
    entity: Entity,
    lines: &[&LogLine],
    reader: Option<SeatId>,
) -> Option<String> {
    let mut changes = Vec::new();
    for line in lines {
        if let LogEvent::Counter { counter, .. } = line.event
            && !sentence::is_secret(names.context, entity, counter, reader)
        {
            CounterChange::collect(&mut changes, line);
        }
    }
    describe_changes(
        names.context,
        (entity, &names.entity(entity)),
        &changes,
        Vec::new(),
    )
}
