//! The agenda: the stack of frames that drives a game, one step at a time.
//!
//! Scripts never run frames themselves. A frame that a script starts is queued; queued frames run
//! after the step, in the order in which they were started.

mod shared_turn;

use super::context::{AfterHook, Cx, HookCall, StepResult, SuspendedStep, run_hook, run_last_hook};
use super::event::{Event, announce, fire};
use super::log::LogEvent;
use super::question::Question;
use super::state::{Entity, Frame, FrameKind, GameOutcome, GameStage, PhaseListKind, PhaseStage};
use super::{counter, fight, menu};
use crate::content::events::on;
use crate::content::{
    EntryId, EventId, HookId, ListId, MenuSeats, ModeDef, PhaseId, PieceId, Scope, SeatId, SeatSet,
};
use crate::value::Value;

/// Runs one step: the next operation of the top frame, then the state rules (see
/// [`run_state_rules`]). Frames started during the step are pushed onto the agenda.
pub(crate) fn step(cx: &mut Cx) -> StepResult {
    fight::end_turn_if_over(cx)?;
    let Some(frame) = cx.state.agenda.last() else {
        return Ok(());
    };
    let (kind, seat) = (frame.kind, frame.seat);
    cx.actor = Some(seat);
    match kind {
        FrameKind::Game { stage } => run_game_stage(cx, stage, seat)?,
        FrameKind::List { list, next, .. } => step_list(cx, list, next, seat),
        FrameKind::Phase { phase, .. } => step_phase(cx, phase)?,
        FrameKind::Window {
            phase,
            seats,
            taken,
        } => menu::step(cx, phase, seats, taken)?,
        FrameKind::Fight { stage } => fight::step(cx, stage, seat)?,
        FrameKind::Action { entry, .. } => {
            let frame = pop_frame(cx);
            menu::carry_out(cx, entry, &frame)?;
        }
        FrameKind::ActionDone { entry } => {
            let frame = pop_frame(cx);
            menu::announce_action(cx, entry, &frame)?;
        }
        FrameKind::Call { hook } => {
            let frame = pop_frame(cx);
            run_follow_up(cx, hook, frame)?;
        }
    }
    push_queued(cx);
    run_state_rules(cx)
}

fn pop_frame(cx: &mut Cx) -> Frame {
    let top = cx.state.agenda.pop();
    top.unwrap_or_else(|| {
        frame(
            FrameKind::Game {
                stage: GameStage::Round,
            },
            SeatId(0),
        )
    })
}

/// Resumes a step that suspended at a menu.
pub(crate) fn answer_menu(cx: &mut Cx, question: &Question) -> StepResult {
    let Some(answer) = cx.answers.get(cx.next_answer) else {
        return Ok(());
    };
    let (seat, picked) = (answer.seat, answer.first_pick());
    cx.next_answer += 1;
    menu::answered(cx, question, seat, picked)?;
    push_queued(cx);
    run_state_rules(cx)
}

/// Resumes a step that suspended at a question of its last script.
pub(crate) fn resume(cx: &mut Cx, suspended: SuspendedStep) -> StepResult {
    let SuspendedStep {
        script,
        call,
        after,
    } = suspended;
    cx.after_hook = Some(after);
    let (rules, hook) = (cx.rules.clone(), call.hook);
    cx.calls.push(call);
    let result = rules.runner.resume(cx, hook, script);
    cx.calls.pop();
    cx.after_hook = None;
    result?;
    if let AfterHook::Phase(phase, frames) = after
        && cx.queue.is_empty()
    {
        step_stages(cx, phase, frames)?;
    }
    push_queued(cx);
    run_state_rules(cx)
}

/// Pushes the queued frames so that the first one queued ends up on top.
fn push_queued(cx: &mut Cx) {
    if !cx.queue.is_empty() {
        let context = &mut **cx;
        context.state.agenda.extend(context.queue.drain(..).rev());
    }
}

/// Runs the state rules: the `state` scripts of `[[rule]]` entries, which run after every step and
/// react to the state itself, no matter what changed it.
#[inline]
fn run_state_rules(cx: &mut Cx) -> StepResult {
    if cx.content().state_rules.is_empty() {
        return Ok(());
    }
    let rules = cx.rules.clone();
    let content = &rules.content;
    for &(entry, hook) in &content.state_rules {
        run_for(cx, hook, entry, None)?;
    }
    push_queued(cx);
    Ok(())
}

/// A frame without a piece or a value.
#[must_use]
pub(crate) const fn frame(kind: FrameKind, seat: SeatId) -> Frame {
    Frame {
        kind,
        seat,
        piece: None,
        argument: Value::Unit,
    }
}

/// Runs a hook of an entry on behalf of the acting seat.
pub(crate) fn run_for(
    cx: &mut Cx,
    hook: HookId,
    entry: EntryId,
    it: Option<PieceId>,
) -> StepResult<Value> {
    let call = call_for(cx, hook, entry, it);
    run_hook(cx, call)
}

fn call_for(cx: &Cx, hook: HookId, entry: EntryId, it: Option<PieceId>) -> HookCall {
    let owner = it.and_then(|piece| cx.owner_of(piece));
    HookCall {
        hook,
        entry,
        it,
        owner,
        actor: cx.actor,
        argument: Value::Unit,
        effect: None,
        question_count: 0,
        run: 0,
    }
}

fn run_follow_up(cx: &mut Cx, hook: HookId, frame: Frame) -> StepResult {
    let entry = cx.content().hooks[hook.ix()].entry;
    let owner = frame.piece.and_then(|piece| cx.owner_of(piece));
    let actor = Some(frame.seat);
    let call = HookCall {
        hook,
        entry,
        it: frame.piece,
        owner,
        actor,
        argument: frame.argument,
        effect: None,
        question_count: 0,
        run: 0,
    };
    run_last_hook(cx, call, AfterHook::StepEnds)
}

fn set_stage(cx: &mut Cx, stage: GameStage) {
    if let Some(Frame {
        kind: FrameKind::Game { stage: old },
        ..
    }) = cx.state.agenda.last_mut()
    {
        *old = stage;
    }
}

/// `scheduled` is the seat whose regular turn it is; extra turns do not change it.
fn run_game_stage(cx: &mut Cx, stage: GameStage, scheduled: SeatId) -> StepResult {
    let rules = cx.rules.clone();
    let content = &rules.content;
    let Some(mode) = &content.mode else {
        return Err(cx.fault("no mode is enabled"));
    };
    match stage {
        GameStage::Setup => {
            counter::reset_all(&mut cx.state, content);
            set_stage(cx, GameStage::Start);
            if let Some((entry, hook)) = content.script_before_setup {
                let off = std::mem::replace(&mut cx.log.off, true);
                let result = run_for(cx, hook, entry, None);
                cx.log.off = off;
                result?;
            }
            if let Some(hook) = mode.setup {
                let call = call_for(cx, hook, mode.entry, None);
                run_last_hook(cx, call, AfterHook::StepEnds)?;
            }
        }
        GameStage::Start => {
            set_stage(cx, GameStage::Round);
            announce(cx, on::GAME_START, |_| ())?;
        }
        GameStage::Round => start_round(cx)?,
        GameStage::Turn if mode.turns_together => shared_turn::start(cx, mode.turn)?,
        GameStage::Turn => {
            set_stage(cx, GameStage::TurnOver);
            start_turn(cx, mode.turn)?;
        }
        GameStage::ExtraTurn => {
            set_stage(cx, GameStage::ExtraTurnOver);
            start_turn(cx, mode.turn)?;
        }
        GameStage::TurnOver if mode.turns_together => {
            shared_turn::end(cx)?;
            next_turn(cx, scheduled, mode);
        }
        GameStage::TurnOver | GameStage::ExtraTurnOver => {
            end_turn(cx)?;
            next_turn(cx, scheduled, mode);
        }
        GameStage::RoundOver => {
            set_stage(cx, GameStage::Round);
            let round = i64::from(cx.state.round);
            announce(cx, on::ROUND_END, |event| event.value = round)?;
        }
    }
    Ok(())
}

fn start_round(cx: &mut Cx) -> StepResult {
    cx.state.round += 1;
    let number = cx.state.round;
    counter::reset_scope(cx, Scope::Round, None);
    cx.log.push(
        LogEvent::Round { number },
        super::log::Cause::default(),
        &[],
    );
    set_stage(cx, GameStage::Turn);
    let first = cx.state.seats_from(cx.state.first).next();
    match first {
        Some(first) => {
            cx.state.active = first.0;
            set_seat(cx, first);
        }
        None => end_game(cx, GameOutcome::default())?,
    }
    announce(cx, on::ROUND_START, |event| event.value = i64::from(number))
}

fn set_seat(cx: &mut Cx, seat: SeatId) {
    if let Some(frame) = cx.state.agenda.last_mut() {
        frame.seat = seat;
    }
}

fn start_turn(cx: &mut Cx, turn: Option<ListId>) -> StepResult {
    let Some(list) = turn else { return Ok(()) };
    let seat = cx.active();
    counter::reset_scope(cx, Scope::Turn, Some(Entity::Seat(seat)));
    let number = count_turn(cx, seat);
    cx.state.agenda.push(frame(
        FrameKind::List {
            list,
            next: 0,
            of: PhaseListKind::Turn,
        },
        seat,
    ));
    if fire_turn_event(cx, on::TURN_START, seat, number)?
        .denied
        .is_some()
    {
        cx.state.agenda.pop();
    }
    Ok(())
}

/// Counts a turn that starts, and returns its number.
fn count_turn(cx: &mut Cx, seat: SeatId) -> u32 {
    cx.actor = Some(seat);
    cx.state.turns[seat.ix()] += 1;
    let number = cx.state.turns[seat.ix()];
    let cause = super::log::Cause::default();
    cx.log.push(LogEvent::Turn { seat, number }, cause, &[]);
    number
}

fn fire_turn_event(cx: &mut Cx, id: EventId, seat: SeatId, number: u32) -> StepResult<Event> {
    let mut event = Event::new(id);
    (event.seat, event.of, event.value) = (Some(seat), Some(Entity::Seat(seat)), i64::from(number));
    fire(cx, event)
}

fn end_turn(cx: &mut Cx) -> StepResult {
    let seat = cx.active();
    if cx
        .content()
        .mode
        .as_ref()
        .is_some_and(|mode| mode.turn.is_some())
    {
        let number = cx.state.turns[seat.ix()];
        fire_turn_event(cx, on::TURN_END, seat, number)?;
    }
    Ok(())
}

/// Passes the turn on: to an extra turn, to the next seat, or to the phases of the round.
fn next_turn(cx: &mut Cx, scheduled: SeatId, mode: &ModeDef) {
    if !cx.state.extra_turns.is_empty() {
        cx.state.active = cx.state.extra_turns.remove(0).0;
        let extra = if mode.turns_together {
            GameStage::ExtraTurn
        } else {
            GameStage::Turn
        };
        set_stage(cx, extra);
        return;
    }
    let order: Vec<SeatId> = cx.state.seats_from(cx.state.first).collect();
    // A seat that left the game during its turn is no longer in the order, so compare distances
    // from the first seat instead of looking the seat up.
    let rank = |seat: SeatId| (seat.0 + cx.state.seats - cx.state.first) % cx.state.seats.max(1);
    let next = order
        .iter()
        .copied()
        .find(|seat| rank(*seat) > rank(scheduled));
    let in_order = mode.turn.is_some() && !mode.turns_together;
    match next.filter(|_| in_order) {
        Some(next) => {
            cx.state.active = next.0;
            set_seat(cx, next);
            set_stage(cx, GameStage::Turn);
        }
        None => {
            set_stage(cx, GameStage::RoundOver);
            if let Some(list) = mode.round {
                let seat = SeatId(cx.state.first);
                cx.state.active = seat.0;
                cx.state.agenda.push(frame(
                    FrameKind::List {
                        list,
                        next: 0,
                        of: PhaseListKind::Round,
                    },
                    seat,
                ));
            }
        }
    }
}

/// Ends the game. A second call has no effect.
///
/// # Errors
/// Returns [`Stop`](super::Stop) if a hook suspends or faults.
pub fn end_game(cx: &mut Cx, outcome: GameOutcome) -> StepResult {
    if cx.state.outcome.is_none() {
        cx.state.outcome = Some(outcome);
        let cause = cx.cause();
        cx.log.push(LogEvent::Over, cause, &[]);
        announce(cx, on::GAME_END, |_| ())?;
    }
    Ok(())
}

fn step_list(cx: &mut Cx, list: ListId, next: u16, seat: SeatId) {
    let phase = cx.content().lists[list.ix()]
        .get(usize::from(next))
        .copied();
    match phase {
        Some(phase) => {
            if let Some(Frame {
                kind: FrameKind::List { next, .. },
                ..
            }) = cx.state.agenda.last_mut()
            {
                *next += 1;
            }
            let kind = FrameKind::Phase {
                phase,
                stage: PhaseStage::Start,
                seats_done: 0,
            };
            let (piece, argument) = frame_values(cx);
            cx.state.agenda.push(Frame {
                kind,
                seat,
                piece,
                argument,
            });
        }
        None => {
            cx.state.agenda.pop();
        }
    }
}

/// Runs a phase until it ends, opens its menu or queues a frame.
fn step_phase(cx: &mut Cx, phase: PhaseId) -> StepResult {
    step_stages(cx, phase, cx.state.agenda.len())
}

/// Runs the stages of a phase while the agenda has `depth` frames.
fn step_stages(cx: &mut Cx, phase: PhaseId, depth: usize) -> StepResult {
    while cx.state.agenda.len() == depth && cx.queue.is_empty() {
        let Some(frame) = cx.state.agenda.last() else {
            return Ok(());
        };
        let FrameKind::Phase {
            stage, seats_done, ..
        } = frame.kind
        else {
            return Ok(());
        };
        let seat = frame.seat;
        match stage {
            PhaseStage::Start => start_phase(cx, phase, seat)?,
            PhaseStage::Do => do_phase(cx, phase, seats_done, seat, depth)?,
            PhaseStage::Menu => open_menu(cx, phase, seats_done, seat),
            PhaseStage::End => end_phase(cx, phase)?,
            PhaseStage::SharedDo { seats, left } => {
                shared_turn::do_phase(cx, phase, (seats, left), depth)?;
            }
            PhaseStage::SharedEnd(seats) => shared_turn::end_phase(cx, phase, seats)?,
        }
    }
    Ok(())
}

fn set_phase_stage(cx: &mut Cx, to: PhaseStage, done: Option<u8>) {
    if let Some(Frame {
        kind: FrameKind::Phase {
            stage, seats_done, ..
        },
        ..
    }) = cx.state.agenda.last_mut()
    {
        *stage = to;
        *seats_done = done.unwrap_or(*seats_done);
    }
}

/// The piece and the value of the top frame.
fn frame_values(cx: &Cx) -> (Option<PieceId>, Value) {
    match cx.state.agenda.last() {
        Some(frame) => (frame.piece, frame.argument.clone()),
        None => (None, Value::Unit),
    }
}

fn phase_call(
    cx: &mut Cx,
    hook: HookId,
    phase: PhaseId,
    it: Option<PieceId>,
    argument: Value,
    seat: SeatId,
) -> HookCall {
    let entry = cx.content().phases[phase.ix()].entry;
    cx.actor = Some(seat);
    let owner = it.and_then(|piece| cx.owner_of(piece));
    HookCall {
        hook,
        entry,
        it,
        owner,
        actor: Some(seat),
        argument,
        effect: None,
        question_count: 0,
        run: 0,
    }
}

fn start_phase(cx: &mut Cx, phase: PhaseId, seat: SeatId) -> StepResult {
    let def = &cx.content().phases[phase.ix()];
    if def.who == MenuSeats::Active
        && let Some(seats) = shared_turn::seats(cx)
    {
        return shared_turn::start_phase(cx, phase, seat, seats);
    }
    if let Some(must_be_seat) = def.fighter_must_be_seat
        && fight::current(cx).is_some_and(|fighter| fighter.who.seat().is_some() != must_be_seat)
    {
        cx.state.agenda.pop();
        return Ok(());
    }
    if let Some(when) = def.when {
        let (piece, argument) = frame_values(cx);
        let call = phase_call(cx, when, phase, piece, argument, seat);
        if run_hook(cx, call)? != Value::Bool(true) {
            cx.state.agenda.pop();
            return Ok(());
        }
    }
    set_phase_stage(cx, PhaseStage::Do, None);
    counter::reset_scope(cx, Scope::Phase, None);
    let cause = super::log::Cause::default();
    cx.log.push(LogEvent::Phase { seat, phase }, cause, &[]);
    if !may_start(cx, phase, seat)? {
        cx.state.agenda.pop();
    }
    Ok(())
}

/// Announces a phase for a seat, and returns whether no hook denied it.
fn may_start(cx: &mut Cx, phase: PhaseId, seat: SeatId) -> StepResult<bool> {
    if !cx.has_listeners(on::PHASE_START) {
        return Ok(true);
    }
    let mut event = Event::new(on::PHASE_START);
    (event.seat, event.phase) = (Some(seat), Some(phase));
    Ok(fire(cx, event)?.denied.is_none())
}

/// The next seat to act in this phase.
fn phase_seat(cx: &Cx, who: MenuSeats, seats_done: u8, seat: SeatId) -> Option<SeatId> {
    match who {
        MenuSeats::Each => {
            let shared = shared_turn::seats(cx);
            let takes_part = |seat: &SeatId| shared.is_none_or(|shared| shared.contains(*seat));
            let mut seats = cx.state.seats_from(seat.0).filter(takes_part);
            seats.nth(usize::from(seats_done))
        }
        _ => Some(seat).filter(|_| seats_done == 0),
    }
}

fn do_phase(cx: &mut Cx, phase: PhaseId, seats_done: u8, seat: SeatId, depth: usize) -> StepResult {
    let (run, who) = (
        cx.content().phases[phase.ix()].run,
        cx.content().phases[phase.ix()].who,
    );
    let Some(seat) = phase_seat(cx, who, seats_done, seat) else {
        set_phase_stage(cx, PhaseStage::End, None);
        return Ok(());
    };
    set_phase_stage(cx, PhaseStage::Menu, None);
    match run {
        Some(hook) => {
            let (piece, argument) = frame_values(cx);
            let call = phase_call(cx, hook, phase, piece, argument, seat);
            run_last_hook(cx, call, AfterHook::Phase(phase, depth))
        }
        None => Ok(()),
    }
}

fn open_menu(cx: &mut Cx, phase: PhaseId, seats_done: u8, seat: SeatId) {
    let def = &cx.content().phases[phase.ix()];
    let (menu, who) = (def.menu, def.who);
    let next = if who == MenuSeats::Each {
        PhaseStage::Do
    } else {
        PhaseStage::End
    };
    let seats = match who {
        MenuSeats::Nobody => SeatSet::EMPTY,
        MenuSeats::All => {
            let all: SeatSet = cx.state.seats_from(seat.0).collect();
            shared_turn::seats(cx).map_or(all, |shared| shared & all)
        }
        _ => phase_seat(cx, who, seats_done, seat).map_or(SeatSet::EMPTY, SeatSet::only),
    };
    let owner = phase_seat(cx, who, seats_done, seat).unwrap_or(seat);
    set_phase_stage(cx, next, Some(seats_done + 1));
    if menu && !seats.is_empty() {
        push_window(cx, phase, seats, owner);
    }
}

/// Opens the menu of a phase for some seats.
fn push_window(cx: &mut Cx, phase: PhaseId, seats: SeatSet, owner: SeatId) {
    cx.state.used.retain(|used| used.scope != Scope::Window);
    // Actions in the menu see the same piece and value as the phase.
    let (piece, argument) = frame_values(cx);
    cx.state.agenda.push(Frame {
        kind: FrameKind::Window {
            phase,
            seats,
            taken: 0,
        },
        seat: owner,
        piece,
        argument,
    });
}

fn end_phase(cx: &mut Cx, phase: PhaseId) -> StepResult {
    let frame = pop_frame(cx);
    let seat = frame.seat;
    finish_phase(cx, phase, (frame.piece, frame.argument), seat)
}

/// Runs the script at the end of a phase, whose frame had these values, and announces the end.
fn finish_phase(
    cx: &mut Cx,
    phase: PhaseId,
    (piece, argument): (Option<PieceId>, Value),
    seat: SeatId,
) -> StepResult {
    if let Some(hook) = cx.content().phases[phase.ix()].end {
        let call = phase_call(cx, hook, phase, piece, argument, seat);
        run_hook(cx, call)?;
    }
    announce(cx, on::PHASE_END, |event| {
        (event.seat, event.phase) = (Some(seat), Some(phase));
    })
}

/// Ends the turn of a seat: all of its phases, or its part in a turn that several seats share.
pub(crate) fn leave_turn(cx: &mut Cx, seat: SeatId) {
    if !shared_turn::leave(cx, seat) {
        let is_turn = |kind: &FrameKind| matches!(kind, FrameKind::List { of, .. } if *of == PhaseListKind::Turn);
        end_frames_where(cx, is_turn);
    }
}

/// Ends the innermost matching frame and everything above it.
pub(crate) fn end_frames_where(cx: &mut Cx, is_match: impl Fn(&FrameKind) -> bool) {
    if let Some(ix) = cx
        .state
        .agenda
        .iter()
        .rposition(|frame| is_match(&frame.kind))
    {
        cx.state.agenda.truncate(ix);
    }
}
