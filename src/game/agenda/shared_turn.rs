//! Turns taken together: all seats start and end their turn at the same time and share its phases.

use super::{
    count_turn, finish_phase, fire_turn_event, frame, frame_values, may_start, phase_call,
    pop_frame, push_window, set_phase_stage, set_stage,
};
use crate::content::events::on;
use crate::content::{ListId, PhaseId, Scope, SeatId, SeatSet};
use crate::game::context::{AfterHook, Cx, StepResult, run_hook, run_last_hook};
use crate::game::counter;
use crate::game::log::{Cause, LogEvent};
use crate::game::state::{Frame, FrameKind, GameStage, PhaseListKind, PhaseStage};
use crate::value::Value;

/// The seats that share the phase on top of the agenda; `None` if it belongs to no shared turn.
pub(super) fn seats(cx: &Cx) -> Option<SeatSet> {
    let below = cx.state.agenda.len().checked_sub(2)?;
    match cx.state.agenda[below].kind {
        FrameKind::List {
            of: PhaseListKind::Together(seats),
            ..
        } => Some(seats & cx.state.seats_from(0).collect()),
        _ => None,
    }
}

/// The seats in turn order.
fn in_order(cx: &Cx, seats: SeatSet) -> Vec<SeatId> {
    let all = cx.state.seats_from(cx.state.first);
    all.filter(|seat| seats.contains(*seat)).collect()
}

/// Starts the turn of every seat. A seat whose turn a hook denies takes no part in the phases.
pub(super) fn start(cx: &mut Cx, turn: Option<ListId>) -> StepResult {
    set_stage(cx, GameStage::TurnOver);
    let Some(list) = turn else { return Ok(()) };
    counter::reset_scope(cx, Scope::Turn, None);
    let mut sharing = SeatSet::EMPTY;
    for seat in in_order(cx, !SeatSet::EMPTY) {
        let number = count_turn(cx, seat);
        let denied = fire_turn_event(cx, on::TURN_START, seat, number)?.denied;
        if denied.is_none() {
            sharing.insert(seat);
        }
    }
    if !sharing.is_empty() {
        let kind = FrameKind::List {
            list,
            next: 0,
            of: PhaseListKind::Together(sharing),
        };
        let seat = cx.active();
        cx.state.agenda.push(frame(kind, seat));
    }
    Ok(())
}

/// Ends the turn of every seat.
pub(super) fn end(cx: &mut Cx) -> StepResult {
    for seat in in_order(cx, !SeatSet::EMPTY) {
        cx.actor = Some(seat);
        let number = cx.state.turns[seat.ix()];
        fire_turn_event(cx, on::TURN_END, seat, number)?;
    }
    Ok(())
}

/// Ends the turn of one seat; the others continue. Returns whether turns are taken together.
pub(super) fn leave(cx: &mut Cx, seat: SeatId) -> bool {
    let agenda = &mut cx.state.agenda;
    let is_shared = |frame: &Frame| {
        matches!(
            frame.kind,
            FrameKind::List {
                of: PhaseListKind::Together(_),
                ..
            }
        )
    };
    let Some(at) = agenda.iter().rposition(is_shared) else {
        return false;
    };
    for frame in &mut agenda[at..] {
        match &mut frame.kind {
            FrameKind::List {
                of: PhaseListKind::Together(seats),
                ..
            }
            | FrameKind::Window { seats, .. } => seats.remove(seat),
            FrameKind::Phase { stage, .. } => match stage {
                PhaseStage::SharedDo { seats, left } => {
                    seats.remove(seat);
                    left.remove(seat);
                }
                PhaseStage::SharedEnd(seats) => seats.remove(seat),
                _ => {}
            },
            _ => {}
        }
    }
    true
}

/// Starts a phase for the seats for which its `when` holds and no hook denies it.
pub(super) fn start_phase(
    cx: &mut Cx,
    phase: PhaseId,
    owner: SeatId,
    seats: SeatSet,
) -> StepResult {
    let mut wanted = SeatSet::EMPTY;
    for seat in in_order(cx, seats) {
        let when = cx.content().phases[phase.ix()].when;
        let starts = match when {
            Some(when) => {
                let (piece, argument) = frame_values(cx);
                let call = phase_call(cx, when, phase, piece, argument, seat);
                run_hook(cx, call)? == Value::Bool(true)
            }
            None => true,
        };
        if starts {
            wanted.insert(seat);
        }
    }
    let mut seats = SeatSet::EMPTY;
    if !wanted.is_empty() {
        counter::reset_scope(cx, Scope::Phase, None);
        cx.log.push(
            LogEvent::Phase { seat: owner, phase },
            Cause::default(),
            &[],
        );
        for seat in in_order(cx, wanted) {
            if may_start(cx, phase, seat)? {
                seats.insert(seat);
            }
        }
    }
    if seats.is_empty() {
        cx.state.agenda.pop();
    } else {
        set_phase_stage(cx, PhaseStage::SharedDo { seats, left: seats }, None);
    }
    Ok(())
}

/// Runs the script of a phase for the next seat, or opens the menu for all of them.
pub(super) fn do_phase(
    cx: &mut Cx,
    phase: PhaseId,
    (seats, mut left): (SeatSet, SeatSet),
    depth: usize,
) -> StepResult {
    let hook = cx.content().phases[phase.ix()].run;
    let next = in_order(cx, left).first().copied();
    if let Some((hook, seat)) = hook.zip(next) {
        left.remove(seat);
        set_phase_stage(cx, PhaseStage::SharedDo { seats, left }, None);
        let (piece, argument) = frame_values(cx);
        let call = phase_call(cx, hook, phase, piece, argument, seat);
        return run_last_hook(cx, call, AfterHook::Phase(phase, depth));
    }
    set_phase_stage(cx, PhaseStage::SharedEnd(seats), None);
    let def = &cx.content().phases[phase.ix()];
    let (menu, one_by_one) = (def.menu, def.limit.is_some() || def.must);
    let present = in_order(cx, seats);
    if menu && one_by_one {
        // A limit counts for each seat, so each gets a menu of its own; the last one pushed is first.
        for seat in present.iter().rev() {
            push_window(cx, phase, SeatSet::only(*seat), *seat);
        }
    } else if menu && let Some(first) = present.first() {
        push_window(cx, phase, present.iter().copied().collect(), *first);
    }
    Ok(())
}

/// Ends a phase for each seat that took part in it.
pub(super) fn end_phase(cx: &mut Cx, phase: PhaseId, seats: SeatSet) -> StepResult {
    let frame = pop_frame(cx);
    for seat in in_order(cx, seats) {
        finish_phase(cx, phase, (frame.piece, frame.argument.clone()), seat)?;
    }
    Ok(())
}
