//! The verbose form of a log line. Its wording is fixed: cases of packs compare it.

use super::catalogue::{log, verbose};
use super::log_line::{self, Then};
use super::names;
use super::sentence::is_secret;
use crate::content::{SeatId, SeatSet};
use crate::game::log::What;
use crate::game::state::Entity;

pub(super) fn describe(at: &Then, reader: Option<SeatId>) -> Option<String> {
    let core = at.core;
    let seat = |seat: SeatId| names::seat(core, seat);
    Some(match &at.line.what {
        What::Round { number } => verbose::round(*number),
        What::Turn { seat: who, number } => verbose::turn(&seat(*who), *number),
        What::Phase { .. } | What::Created { told: false, .. } | What::EffectEnded { .. } => {
            return None;
        }
        What::Acted {
            seat,
            entry,
            piece,
            each,
        } => return log_line::describe_action(at, *seat, (*entry, *piece), each, reader),
        What::Counter {
            of,
            counter,
            from,
            to,
        } => {
            if is_secret(core, *of, *counter, reader) {
                return None;
            }
            let owner = (*of != Entity::Table).then(|| at.entity(*of));
            let title = core.content().counter_title(*counter);
            verbose::counter(owner.as_deref(), title, *from, *to)
        }
        What::Rolled {
            seat: who,
            die,
            faces,
        } => {
            let (die, faces) = log_line::describe_roll(core, *die, faces);
            verbose::rolls(who.map(seat).as_deref(), &die, &faces)
        }
        What::Damage {
            of,
            source,
            amount,
            taken,
        } => {
            let by = source.map(|by| at.entity(by));
            verbose::hits(by.as_deref(), &at.entity(*of), *amount, *taken)
        }
        What::FightTurn { of } => verbose::fight_turn(&at.entity(*of)),
        What::EffectBegan { subject, entry } => {
            verbose::effect(&at.entity(*subject), &core.content().entry(*entry).title)
        }
        What::Marked { of, mark, on } => verbose::marked(&at.entity(*of), mark, *on),
        What::Denied { reason } => verbose::denied(reason),
        What::Chose {
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
        What::Fault { text } => verbose::script_failed(text),
        What::Created { .. }
        | What::Moved { .. }
        | What::Drew { .. }
        | What::Shuffled { .. }
        | What::Flipped { .. }
        | What::Looked { .. } => describe_pieces(at, reader)?,
        _ => return log_line::describe_common(at, reader),
    })
}

fn describe_pieces(at: &Then, reader: Option<SeatId>) -> Option<String> {
    let core = at.core;
    Some(match &at.line.what {
        What::Created {
            piece, to, known, ..
        } => verbose::created(&at.piece_for(*piece, *known, reader), &at.zone(*to)),
        What::Moved {
            piece,
            from,
            to,
            known,
        } => {
            let piece = at.piece_for(*piece, *known, reader);
            verbose::moved(&piece, &at.zone(*from), &at.zone(*to))
        }
        What::Drew { seat, amount, .. } => verbose::draws(&names::seat(core, *seat), *amount),
        What::Shuffled { zone } => verbose::shuffled(&at.zone(*zone)),
        What::Flipped { piece, from, face } => verbose::flipped(
            &log_line::face_title(core, *piece, *from),
            &log_line::face_title(core, *piece, *face),
        ),
        What::Looked { seats, piece } if *seats == SeatSet::ALL => {
            verbose::revealed(&at.piece(*piece))
        }
        What::Looked { seats, piece } => {
            let piece = at.piece_for(*piece, *seats, reader);
            log::looks_at(&log_line::list_seats(core, *seats), &piece)
        }
        _ => return None,
    })
}
