//! Renders one line of the log as a sentence for players.

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

/// Renders a line that is not bookkeeping. Returns `None` if the reader must not see it, or if the
/// pack wants no line.
pub(super) fn describe(names: &NamesAt, reader: Option<SeatId>) -> Option<String> {
    let context = names.context;
    let seat = |seat: SeatId| names::seat(context, seat);
    Some(match &names.line.event {
        LogEvent::Round { number } => log::round(*number),
        LogEvent::Turn { seat: who, .. } => log::turn(&seat(*who)),
        LogEvent::Acted {
            seat,
            entry,
            piece,
            argument,
        } => return log_line::describe_action(names, *seat, (*entry, *piece), argument, reader),
        LogEvent::Counter {
            of: entity,
            counter,
            ..
        } => {
            if is_secret(context, *entity, *counter, reader) {
                return None;
            }
            let mut changes = Vec::new();
            CounterChange::collect(&mut changes, names.line);
            return describe_changes(
                context,
                (*entity, &names.entity(*entity)),
                &changes,
                Vec::new(),
            );
        }
        LogEvent::Moved { from, to, .. } => {
            return describe_moves(context, &[names.line], (*from, *to), reader);
        }
        LogEvent::Drew { .. } => {
            return describe_draw(names, names.lines_from_here(), reader).map(|(_, text)| text);
        }
        LogEvent::Rolled { seat: who, dice } => log::rolls(
            who.map(seat).as_deref(),
            &log_line::describe_roll(context, dice),
        ),
        LogEvent::Flipped { piece, from, face } => log::is_flipped(
            &log_line::face_title(context, *piece, *from),
            &log_line::face_title(context, *piece, *face),
        ),
        LogEvent::Looked { seats, .. } => describe_looks(context, &[names.line], *seats, reader),
        LogEvent::Damage {
            of: entity,
            source,
            amount,
            taken,
        } => {
            let by = source.map(|by| names.entity(by));
            log::hits(by.as_deref(), &names.entity(*entity), *amount, *taken)
        }
        LogEvent::FightTurn {
            of: Entity::Seat(who),
        } => log::turn_to_attack(&seat(*who)),
        LogEvent::FightTurn { of: entity } => log::attacks(&names.entity(*entity)),
        LogEvent::Fell {
            of: Entity::Seat(who),
        } => log::is_knocked_out(&seat(*who)),
        LogEvent::Travelled { seat: who, place } if names.is_setup() => {
            log::starts_at(&seat(*who), &names.entity(Entity::Place(*place)))
        }
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
        _ => return log_line::describe_common(names, reader),
    })
}

/// Whether a counter is hidden from this reader.
pub(super) fn is_secret(
    context: &StepContext,
    entity: Entity,
    counter: CounterId,
    reader: Option<SeatId>,
) -> bool {
    context.content().counters[counter.ix()].secret && reader.is_some() && entity.seat() != reader
}

/// Renders what the same seats looked at; the log has one line for each piece.
pub(super) fn describe_looks(
    context: &StepContext,
    lines: &[&LogLine],
    seats: SeatSet,
    reader: Option<SeatId>,
) -> String {
    let pieces = PieceList::new(context, lines, reader);
    if seats == SeatSet::ALL {
        log::is_revealed(pieces.text(), pieces.is_plural())
    } else {
        log::looks_at(&log_line::list_seats(context, seats), pieces.text())
    }
}
