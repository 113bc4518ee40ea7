//! Renders a draw and its moves as one sentence.

use super::catalogue::log;
use super::grammar;
use super::log_line::{self, NamesAt};
use super::movement::{self, PieceList};
use super::names;
use crate::content::{HookRole, PieceId, SeatId};
use crate::game::log::{LogEvent, LogLine};
use crate::game::zones::ZoneAt;

/// Renders the draw at the start of these lines, and returns how many lines it covers. That
/// includes bookkeeping in between, such as the refill of a pile.
pub(super) fn describe_draw(
    names: &NamesAt,
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
    let (covered, drawn) = drawn_moves(names, &lines[1..], usize::try_from(amount).unwrap_or(0));
    let pieces: Vec<PieceId> = drawn.iter().filter_map(|line| moved_piece(line)).collect();
    let noun = names::piece_noun(names.context, &pieces);
    let mut text = log::draws(
        &names::seat(names.context, seat),
        amount,
        wanted,
        noun.as_deref(),
    );
    if let Some(title) = drawn
        .first()
        .and_then(|line| special_zone(names, line, noun.as_deref()))
    {
        text = log::draws_to(&text, &grammar::with_article(&title));
    }
    if let Some(piece) = causing_piece(names, reader) {
        text = log::draws_because(&text, &piece);
    }
    let is_known = |line: &&LogLine| movement::is_known(&line.event, reader);
    if !drawn.is_empty() && drawn.iter().all(is_known) {
        let list = PieceList::new(names.context, &drawn, reader);
        text = log::draws_these(&text, list.text());
    }
    Some((1 + covered, text))
}

/// The piece whose reaction to an event causes the draw. A draw by an action or an accepted offer
/// follows a line that names its piece.
fn causing_piece(names: &NamesAt, reader: Option<SeatId>) -> Option<String> {
    let cause = names.line.cause;
    let (piece, hook) = cause.piece.zip(cause.hook)?;
    let known = names.context.state.pieces.get(piece.ix())?.known;
    let is_reaction = matches!(
        names.context.content().hooks[hook.ix()].role,
        HookRole::On(_)
    );
    (is_reaction && reader.is_none_or(|reader| known.contains(reader))).then(|| names.piece(piece))
}

/// The moves of a draw, and how many lines they span.
fn drawn_moves<'a>(
    names: &NamesAt,
    lines: &'a [LogLine],
    amount: usize,
) -> (usize, Vec<&'a LogLine>) {
    let mut drawn: Vec<&LogLine> = Vec::new();
    let mut covered = 0;
    for (ix, line) in lines.iter().enumerate() {
        if drawn.len() == amount {
            break;
        }
        let is_same = drawn.first().is_none_or(|first| way(first) == way(line));
        if is_same && way(line).is_some() && !log_line::is_quiet(names.context, &line.event) {
            drawn.push(line);
            covered = ix + 1;
        } else if !log_line::is_quiet(names.context, &line.event) {
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

/// The zone that was drawn into. `None` if it is the default target of draws, or is named after the
/// drawn pieces.
fn special_zone(names: &NamesAt, line: &LogLine, noun: Option<&str>) -> Option<String> {
    let content = names.context.content();
    let (_, to) = way(line)?;
    let (_, zone) = names.context.state.zones.def(content, to)?;
    let title = content.zone_title(zone);
    let is_expected = content.zones[zone.ix()].draws_from.is_some()
        || noun.is_some_and(|noun| title.to_lowercase().contains(&grammar::plural(noun)));
    (!is_expected).then(|| title.to_string())
}
