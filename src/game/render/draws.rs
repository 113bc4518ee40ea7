//! Draws: one sentence for a draw and the moves that it made.

use super::catalogue::log;
use super::grammar;
use super::log_line::{self, NamesAt};
use super::movement::{self, PieceList};
use super::names;
use crate::content::{PieceId, SeatId};
use crate::game::log::{LogEvent, LogLine};
use crate::game::zones::ZoneAt;

/// The draw at the start of these lines as a sentence, and how many lines it covers. Bookkeeping in
/// between, such as a pile that is refilled, is covered too.
pub(super) fn describe_draw(
    at: &NamesAt,
    lines: &[LogLine],
    reader: Option<SeatId>,
) -> Option<(usize, String)> {
    let LogEvent::Drew {
        seat,
        amount,
        wanted,
    } = lines.first()?.event
    else {
        return None;
    };
    let (covered, drawn) = drawn_moves(at, &lines[1..], usize::try_from(amount).unwrap_or(0));
    let pieces: Vec<PieceId> = drawn.iter().filter_map(|line| moved_piece(line)).collect();
    let noun = names::piece_noun(at.context, &pieces);
    let mut text = log::draws(
        &names::seat(at.context, seat),
        amount,
        wanted,
        noun.as_deref(),
    );
    if let Some(title) = drawn
        .first()
        .and_then(|line| special_zone(at, line, noun.as_deref()))
    {
        text = log::draws_to(&text, &grammar::with_article(&title));
    }
    let is_known = |line: &&LogLine| movement::is_known(&line.event, reader);
    if !drawn.is_empty() && drawn.iter().all(is_known) {
        let list = PieceList::new(at.context, &drawn, reader);
        text = log::draws_these(&text, list.text());
    }
    Some((1 + covered, text))
}

/// The moves that a draw made, and how many lines they span.
fn drawn_moves<'a>(at: &NamesAt, lines: &'a [LogLine], amount: usize) -> (usize, Vec<&'a LogLine>) {
    let mut drawn: Vec<&LogLine> = Vec::new();
    let mut covered = 0;
    for (ix, line) in lines.iter().enumerate() {
        if drawn.len() == amount {
            break;
        }
        let is_same = drawn.first().is_none_or(|first| way(first) == way(line));
        if is_same && way(line).is_some() && !log_line::is_quiet(at.context, &line.event) {
            drawn.push(line);
            covered = ix + 1;
        } else if !log_line::is_quiet(at.context, &line.event) {
            break;
        }
    }
    (covered, drawn)
}

const fn way(line: &LogLine) -> Option<(ZoneAt, ZoneAt)> {
    match line.event {
        LogEvent::Moved { from, to, .. } => Some((from, to)),
        _ => None,
    }
}

const fn moved_piece(line: &LogLine) -> Option<PieceId> {
    match line.event {
        LogEvent::Moved { piece, .. } => Some(piece),
        _ => None,
    }
}

/// The zone that was drawn into, unless it is the one that draws go to anyway or is named after
/// what was drawn.
fn special_zone(at: &NamesAt, line: &LogLine, noun: Option<&str>) -> Option<String> {
    let content = at.context.content();
    let (_, to) = way(line)?;
    let (_, zone) = at.context.state.zones.def(content, to)?;
    let title = content.zone_title(zone);
    let is_expected = content.zones[zone.ix()].draws_from.is_some()
        || noun.is_some_and(|noun| title.to_lowercase().contains(&grammar::plural(noun)));
    (!is_expected).then(|| title.to_string())
}
