//! The sentence that players read for one line of the log.

use super::catalogue::log;
use super::counters::{CounterChange, describe_changes};
use super::draws::describe_draw;
use super::log_line::{self, NamesAt};
use super::movement::{PieceList, describe_moves};
use super::names;
use crate::content::{CounterId, SeatId, SeatSet};
use crate::game::context::StepContext;
use crate::game::log::{LogEvent, LogLine};
use crate::game::state::Entity;

/// The sentence for a line that is not bookkeeping; `None` if the reader must not know, or the pack
/// wants no line.
pub(super) fn describe(at: &NamesAt, reader: Option<SeatId>) -> Option<String> {
    let context = at.context;
    let seat = |seat: SeatId| names::seat(context, seat);
    Some(match &at.line.event {
        LogEvent::Round { number } => log::round(*number),
        LogEvent::Turn { seat: who, .. } => log::turn(&seat(*who)),
        LogEvent::Acted {
            seat,
            entry,
            piece,
            each,
        } => return log_line::describe_action(at, *seat, (*entry, *piece), each, reader),
        LogEvent::Counter { of, counter, .. } => {
            if is_secret(context, *of, *counter, reader) {
                return None;
            }
            let mut changes = Vec::new();
            CounterChange::collect(&mut changes, at.line);
            return describe_changes(context, (*of, &at.entity(*of)), &changes, Vec::new());
        }
        LogEvent::Moved { from, to, .. } => {
            return describe_moves(context, &[at.line], (*from, *to), reader);
        }
        LogEvent::Drew { .. } => {
            return describe_draw(at, at.lines_from_here(), reader).map(|(_, text)| text);
        }
        LogEvent::Rolled {
            seat: who,
            die,
            faces,
        } => {
            let (die, faces) = log_line::describe_roll(context, *die, faces);
            log::rolls(who.map(seat).as_deref(), &die, &faces)
        }
        LogEvent::Flipped { piece, from, face } => log::is_flipped(
            &log_line::face_title(context, *piece, *from),
            &log_line::face_title(context, *piece, *face),
        ),
        LogEvent::Looked { seats, .. } => describe_looks(context, &[at.line], *seats, reader),
        LogEvent::Damage {
            of,
            source,
            amount,
            taken,
        } => {
            let by = source.map(|by| at.entity(by));
            log::hits(by.as_deref(), &at.entity(*of), *amount, *taken)
        }
        LogEvent::FightTurn {
            of: Entity::Seat(who),
        } => log::turn_to_attack(&seat(*who)),
        LogEvent::FightTurn { of } => log::attacks(&at.entity(*of)),
        LogEvent::Denied { reason } => log::no_effect(reason),
        LogEvent::Chose {
            seat: who,
            prompt,
            text,
            alone,
        } => {
            let chosen = log::chooses(&seat(*who), text);
            // The other players have not read the prompt.
            if *alone || reader.is_some_and(|reader| reader != *who) {
                format!("{prompt}\n{chosen}")
            } else {
                chosen
            }
        }
        LogEvent::Fault { text } => log::script_failed(text),
        _ => return log_line::describe_common(at, reader),
    })
}

/// Whether a counter must not be shown to this reader.
pub(super) fn is_secret(
    context: &StepContext,
    of: Entity,
    counter: CounterId,
    reader: Option<SeatId>,
) -> bool {
    context.content().counters[counter.ix()].secret && reader.is_some() && of.seat() != reader
}

/// What the same seats looked at, one line of the log for each piece.
pub(super) fn describe_looks(
    context: &StepContext,
    lines: &[&LogLine],
    seats: SeatSet,
    reader: Option<SeatId>,
) -> String {
    let pieces = PieceList::new(context, lines, reader);
    if seats == SeatSet::ALL {
        log::revealed(pieces.text())
    } else {
        log::looks_at(&log_line::list_seats(context, seats), pieces.text())
    }
}
