//! The verbose form of a log line. Its wording is fixed: cases of packs compare it.

use super::catalogue::{log, verbose};
use super::grammar::is_plural;
use super::log_line::{self, NamesAt};
use super::names;
use super::sentence::is_secret;
use crate::content::{SeatId, SeatSet};
use crate::game::log::LogEvent;
use crate::game::state::Entity;

pub(super) fn describe(names: &NamesAt, reader: Option<SeatId>) -> Option<String> {
    let context = names.context;
    let seat = |seat: SeatId| names::seat(context, seat);
    Some(match &names.line.event {
        LogEvent::Round { number } => verbose::round(*number),
        LogEvent::Turn { seat: who, number } => verbose::turn(&seat(*who), *number),
        LogEvent::Phase { .. }
        | LogEvent::Created {
            is_logged: false, ..
        }
        | LogEvent::EffectEnded { .. } => {
            return None;
        }
        LogEvent::Acted {
            seat,
            entry,
            piece,
            argument,
        } => return log_line::describe_action(names, *seat, (*entry, *piece), argument, reader),
        LogEvent::Counter {
            of: entity,
            counter,
            from,
            to,
            ..
        } => {
            if is_secret(context, *entity, *counter, reader) {
                return None;
            }
            let owner = (*entity != Entity::Table).then(|| names.entity(*entity));
            let content = context.content();
            let (title, text) = (content.counter_title(*counter), |number| {
                content.counter_text(*counter, number)
            });
            verbose::counter(owner.as_deref(), title, &text(*from), &text(*to))
        }
        LogEvent::Rolled { seat: who, dice } => verbose::rolls(
            who.map(seat).as_deref(),
            &log_line::describe_roll(context, dice),
        ),
        LogEvent::Damage {
            of: entity,
            source,
            amount,
            taken,
        } => {
            let by = source.map(|by| names.entity(by));
            verbose::hits(by.as_deref(), &names.entity(*entity), *amount, *taken)
        }
        LogEvent::FightStarted { fight } => {
            let entry = context.content().fights[fight.ix()].entry;
            verbose::fight_begins(&context.content().entry(entry).title)
        }
        LogEvent::FightTurn { of: entity } => verbose::fight_turn(&names.entity(*entity)),
        LogEvent::EffectBegan { subject, entry } => verbose::effect(
            &names.entity(*subject),
            &context.content().entry(*entry).title,
        ),
        LogEvent::Marked {
            of: entity,
            mark,
            on,
        } => verbose::marked(&names.entity(*entity), mark, *on),
        LogEvent::Denied { reason } => verbose::denied(reason),
        LogEvent::Chose {
            seat: who,
            prompt,
            text,
            alone,
        } => {
            let chosen = verbose::chooses(&seat(*who), text);
            if *alone {
                format!("{prompt}\n{chosen}")
            } else {
                chosen
            }
        }
        LogEvent::Fault { text } => verbose::script_failed(text),
        LogEvent::Created { .. }
        | LogEvent::Moved { .. }
        | LogEvent::Drew { .. }
        | LogEvent::Shuffled { .. }
        | LogEvent::Flipped { .. }
        | LogEvent::Looked { .. } => describe_pieces(names, reader)?,
        _ => return log_line::describe_common(names, reader),
    })
}

fn describe_pieces(names: &NamesAt, reader: Option<SeatId>) -> Option<String> {
    let context = names.context;
    Some(match &names.line.event {
        LogEvent::Created {
            piece, to, known, ..
        } => verbose::created(&names.piece_for(*piece, *known, reader), &names.zone(*to)),
        LogEvent::Moved {
            piece,
            from,
            to,
            known,
        } => {
            let piece = names.piece_for(*piece, *known, reader);
            verbose::moved(&piece, &names.zone(*from), &names.zone(*to))
        }
        LogEvent::Drew { seat, amount, .. } => {
            verbose::draws(&names::seat(context, *seat), *amount)
        }
        LogEvent::Shuffled { zone } => {
            let content = context.content();
            let def = context.state.zones.def(content, *zone);
            let is_plural = def.is_some_and(|(_, zone)| is_plural(content.zone_title(zone)));
            verbose::shuffled(&names.zone(*zone), is_plural)
        }
        LogEvent::Flipped { piece, from, face } => verbose::flipped(
            &log_line::face_title(context, *piece, *from),
            &log_line::face_title(context, *piece, *face),
        ),
        LogEvent::Looked { seats, piece } if *seats == SeatSet::ALL => {
            verbose::revealed(&names.piece(*piece))
        }
        LogEvent::Looked { seats, piece } => {
            let piece = names.piece_for(*piece, *seats, reader);
            log::looks_at(&log_line::list_seats(context, *seats), &piece)
        }
        _ => return None,
    })
}
