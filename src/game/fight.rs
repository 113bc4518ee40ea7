//! Fights: any number of fighters on any number of sides, taking fight turns one after another.

use super::agenda;
use super::context::{Cx, StepContext, StepResult};
use super::counter;
use super::event::{Event, announce, fire};
use super::log::{Cause, LogEvent};
use super::packet::{self, Packet};
use super::query;
use super::state::{Entity, Fight, FightStage, Fighter, Frame, FrameKind, PhaseListKind};
use crate::content::events::{ask, on};
use crate::content::{ChainId, FightId, HookId, ListId, PieceId, Scope, SeatId, ZoneId};
use crate::number::cast;
use crate::value::Value;

/// A fight that a script wants to start.
#[derive(Clone, Debug)]
pub(crate) struct FightPlan {
    pub def: FightId,
    /// The fighters, in turn order.
    pub fighters: Vec<Fighter>,
    /// The piece that the fight is about.
    pub piece: Option<PieceId>,
    /// The seat for which the first and last phases run.
    pub seat: SeatId,
    /// The hook that runs after the fight.
    pub then: Option<HookId>,
    /// The piece that the follow-up hook belongs to.
    pub then_piece: Option<PieceId>,
}

/// A fighter that is standing and has had no turn yet.
#[must_use]
pub(crate) const fn fighter(who: Entity, side: u8, chain: ChainId, controller: SeatId) -> Fighter {
    Fighter {
        who,
        side,
        chain,
        controller,
        target: 0,
        standing: true,
        turns: 0,
        done: false,
    }
}

/// Queues a fight, which starts when the current step is over.
pub(crate) fn start(cx: &mut Cx, plan: FightPlan) -> StepResult {
    cx.require_write_access("starting a fight")?;
    if cx.state.fights.len() >= 8 || plan.fighters.len() > 32 {
        return Err(cx.fault(
            "too many fights or fighters: at most 8 nested fights and 32 fighters in each",
        ));
    }
    let fight = Fight {
        def: plan.def,
        piece: plan.piece,
        fighters: plan.fighters,
        current: 0,
        round: 1,
        turns: 0,
        again: false,
        ended: false,
        check: false,
        then: plan.then,
        then_piece: plan.then_piece,
    };
    // A fight that starts inside an earlier one starts first, so its frame carries the number.
    let number = cx.state.next_fight;
    cx.state.next_fight += 1;
    cx.state.upcoming.push((number, fight));
    let argument = Value::Int(i64::from(number));
    cx.queue.push(Frame {
        kind: FrameKind::Fight {
            stage: FightStage::Start,
        },
        seat: plan.seat,
        piece: None,
        argument,
    });
    Ok(())
}

/// A fighter in the innermost fight.
#[must_use]
pub(crate) fn fighter_of(context: &StepContext, who: Entity) -> Option<&Fighter> {
    context
        .state
        .fights
        .last()?
        .fighters
        .iter()
        .find(|fighter| fighter.who == who)
}

/// The position of a fighter in the innermost fight.
#[must_use]
pub(crate) fn position(context: &StepContext, who: Entity) -> Option<usize> {
    context
        .state
        .fights
        .last()?
        .fighters
        .iter()
        .position(|fighter| fighter.who == who)
}

/// The fighter whose turn it is.
#[must_use]
pub fn current(context: &StepContext) -> Option<&Fighter> {
    let fight = context.state.fights.last()?;
    fight.fighters.get(usize::from(fight.current))
}

/// The target of the fighter whose turn it is.
#[must_use]
pub fn foe(context: &StepContext) -> Option<&Fighter> {
    let fight = context.state.fights.last()?;
    fight.fighters.get(usize::from(current(context)?.target))
}

/// Runs the next operation of the innermost fight.
pub(crate) fn step(cx: &mut Cx, stage: FightStage, seat: SeatId) -> StepResult {
    match stage {
        FightStage::Start => begin(cx, seat),
        FightStage::Next => next_turn(cx, seat),
        FightStage::TurnOver => end_turn(cx),
        FightStage::End => finish(cx, seat),
    }
}

fn set_stage(cx: &mut Cx, to: FightStage) {
    if let Some(Frame {
        kind: FrameKind::Fight { stage },
        ..
    }) = cx.state.agenda.last_mut()
    {
        *stage = to;
    }
}

fn phase_lists(cx: &Cx) -> Option<[ListId; 3]> {
    let fight = &cx.content().fights[cx.state.fights.last()?.def.ix()];
    Some([fight.start, fight.turn, fight.end])
}

fn push_list(cx: &mut Cx, list: ListId, seat: SeatId) {
    let piece = cx.state.fights.last().and_then(|fight| fight.piece);
    let run = FrameKind::List {
        list,
        next: 0,
        of: PhaseListKind::Fight,
    };
    cx.state.agenda.push(Frame {
        kind: run,
        seat,
        piece,
        argument: Value::Unit,
    });
}

fn begin(cx: &mut Cx, seat: SeatId) -> StepResult {
    let number = cx
        .state
        .agenda
        .last()
        .and_then(|frame| frame.argument.int());
    let Some(ix) = cx
        .state
        .upcoming
        .iter()
        .position(|(own, _)| Some(i64::from(*own)) == number)
    else {
        return Err(cx.fault("internal error: the queued fight is missing"));
    };
    let (_, fight) = cx.state.upcoming.remove(ix);
    let def = fight.def;
    cx.state.fights.push(fight);
    cx.state.combo.clear();
    for ix in 0..cx
        .state
        .fights
        .last()
        .map_or(0, |fight| fight.fighters.len())
    {
        update_target(cx, ix);
    }
    counter::reset_scope(cx, Scope::Fight, None);
    set_stage(cx, FightStage::Next);
    cx.log
        .push(LogEvent::FightStarted { fight: def }, Cause::default(), &[]);
    if let Some([start, _, _]) = phase_lists(cx) {
        push_list(cx, start, seat);
    }
    announce(cx, on::FIGHT_START, |event| event.seat = Some(seat))
}

/// Targets the first standing fighter of another side, unless the current target is still valid.
fn update_target(cx: &mut Cx, ix: usize) {
    let Some(fight) = cx.state.fights.last_mut() else {
        return;
    };
    let me = fight.fighters[ix];
    let fits = |other: &Fighter| other.standing && other.side != me.side;
    if fight.fighters.get(usize::from(me.target)).is_some_and(fits) {
        return;
    }
    if let Some(target) = fight.fighters.iter().position(fits) {
        fight.fighters[ix].target = cast::<_, u8>(target);
    }
}

fn next_turn(cx: &mut Cx, seat: SeatId) -> StepResult {
    let Some([_, turn, end]) = phase_lists(cx) else {
        return Ok(());
    };
    let next = if is_over(cx)? {
        None
    } else {
        next_fighter(cx)?
    };
    let Some(next) = next else {
        set_stage(cx, FightStage::End);
        if let Some(fight) = cx.state.fights.last_mut() {
            fight.ended = true;
        }
        push_list(cx, end, seat);
        return Ok(());
    };
    set_stage(cx, FightStage::TurnOver);
    update_target(cx, next);
    counter::reset_scope(cx, Scope::FightTurn, None);
    let Some(fight) = cx.state.fights.last_mut() else {
        return Ok(());
    };
    fight.current = cast::<_, u8>(next);
    fight.turns += 1;
    fight.again = false;
    let fighter = &mut fight.fighters[next];
    fighter.turns += 1;
    fighter.done = true;
    let fighter = *fighter;
    cx.actor = Some(fighter.controller);
    cx.log.push(
        LogEvent::FightTurn { of: fighter.who },
        Cause::default(),
        &[],
    );
    push_list(cx, turn, fighter.controller);
    if cx.has_listeners(on::FIGHT_TURN_START) {
        let event = fire(cx, turn_event(on::FIGHT_TURN_START, fighter))?;
        if event.denied.is_some() {
            cx.state.agenda.pop();
        }
    }
    Ok(())
}

fn turn_event(id: crate::content::EventId, fighter: Fighter) -> Event {
    let mut event = Event::new(id);
    (event.of, event.seat, event.value) = (
        Some(fighter.who),
        fighter.who.seat(),
        i64::from(fighter.turns),
    );
    event
}

fn end_turn(cx: &mut Cx) -> StepResult {
    set_stage(cx, FightStage::Next);
    let Some(fighter) = current(cx).copied() else {
        return Ok(());
    };
    cx.actor = Some(fighter.controller);
    if cx.has_listeners(on::FIGHT_TURN_END) {
        fire(cx, turn_event(on::FIGHT_TURN_END, fighter))?;
    }
    fall_if_empty(cx, fighter.who)
}

/// The fighter that takes the next turn. By default this is the first in order without a turn in
/// this round; the query `next_fighter` can override it.
fn next_fighter(cx: &mut Cx) -> StepResult<Option<usize>> {
    let Some(fight) = cx.state.fights.last() else {
        return Ok(None);
    };
    let count = fight.fighters.len();
    let free = |fighter: &Fighter| fighter.standing && !fighter.done;
    let current = usize::from(fight.current);
    if fight.again
        && fight
            .fighters
            .get(current)
            .is_some_and(|fighter| fighter.standing)
    {
        return Ok(Some(current));
    }
    if !fight.fighters.iter().any(free) {
        new_round(cx)?;
    }
    let Some(fight) = cx.state.fights.last() else {
        return Ok(None);
    };
    let Some(default) = fight.fighters.iter().position(free) else {
        return Ok(None);
    };
    let who = fight.fighters[default].who;
    let base = cast::<_, i64>(default);
    let (picked, _) = query::number(cx, ask::NEXT_FIGHTER, base, |event| event.of = Some(who))?;
    let picked = usize::try_from(picked).ok().filter(|ix| *ix < count);
    let stands = |ix: &usize| {
        cx.state
            .fights
            .last()
            .is_some_and(|fight| fight.fighters[*ix].standing)
    };
    Ok(Some(picked.filter(stands).unwrap_or(default)))
}

fn new_round(cx: &mut Cx) -> StepResult {
    let Some(fight) = cx.state.fights.last_mut() else {
        return Ok(());
    };
    fight
        .fighters
        .iter_mut()
        .for_each(|fighter| fighter.done = false);
    fight.round += 1;
    let round = i64::from(fight.round);
    announce(cx, on::FIGHT_ROUND_START, |event| event.value = round)
}

/// Whether the fight is over. By default it ends when at most one side is standing; the query
/// `fight_over` can override it.
fn is_over(cx: &mut Cx) -> StepResult<bool> {
    let Some(fight) = cx.state.fights.last() else {
        return Ok(true);
    };
    if fight.ended {
        return Ok(true);
    }
    let mut standing = fight.fighters.iter().filter(|fighter| fighter.standing);
    let first = standing.next().map(|fighter| fighter.side);
    let base = i64::from(standing.all(|fighter| Some(fighter.side) == first));
    let (over, _) = query::number(cx, ask::FIGHT_OVER, base, |_| ())?;
    Ok(over != 0)
}

/// The sides that are still standing, sorted.
#[must_use]
pub(crate) fn sides(fight: &Fight) -> Vec<u8> {
    let mut sides: Vec<u8> = fight
        .fighters
        .iter()
        .filter(|f| f.standing)
        .map(|f| f.side)
        .collect();
    sides.sort_unstable();
    sides.dedup();
    sides
}

/// Ends the current fight turn early if the fight is over.
#[inline]
pub(crate) fn end_turn_if_over(cx: &mut Cx) -> StepResult {
    match cx.state.fights.last_mut() {
        Some(fight) if fight.check => fight.check = false,
        _ => return Ok(()),
    }
    end_turn_of_decided_fight(cx)
}

fn end_turn_of_decided_fight(cx: &mut Cx) -> StepResult {
    if !is_over(cx)? {
        return Ok(());
    }
    if let Some(fight) = cx.state.fights.last_mut() {
        fight.ended = true;
    }
    let at = cx
        .state
        .agenda
        .iter()
        .rposition(|frame| matches!(frame.kind, FrameKind::Fight { .. }));
    if let Some(at) = at
        && let FrameKind::Fight {
            stage: FightStage::TurnOver | FightStage::Next,
        } = cx.state.agenda[at].kind
    {
        cx.state.agenda.truncate(at + 1);
    }
    Ok(())
}

fn finish(cx: &mut Cx, seat: SeatId) -> StepResult {
    let Some(fight) = cx.state.fights.last() else {
        return Ok(());
    };
    let standing = sides(fight);
    let side = if let [only] = standing[..] {
        i64::from(only)
    } else {
        -1
    };
    let (then, then_piece) = (fight.then, fight.then_piece);
    cx.log
        .push(LogEvent::FightEnded { side }, Cause::default(), &[]);
    cx.state.agenda.pop();
    announce(cx, on::FIGHT_END, |event| {
        (event.seat, event.value) = (Some(seat), side);
    })?;
    super::effect::end_with_fight(cx)?;
    cx.state.fights.pop();
    cx.state.combo.clear();
    if let Some(hook) = then {
        let argument = Value::Int(side);
        cx.queue.push(Frame {
            kind: FrameKind::Call { hook },
            seat,
            piece: then_piece,
            argument,
        });
    }
    Ok(())
}

/// Deals damage along the chain of a fighter.
///
/// # Errors
/// Returns [`Stop`](super::Stop) if a hook suspends or faults; damage to an entity outside the
/// fight is a fault.
pub fn damage(
    cx: &mut Cx,
    source: Option<Entity>,
    entity: Entity,
    amount: i64,
) -> StepResult<Packet> {
    let Some(chain) = fighter_of(cx, entity).map(|fighter| fighter.chain) else {
        return Err(cx.fault("cannot damage an entity that is not in the fight"));
    };
    let links = cx.content().chains[chain.ix()].links.as_slice().into();
    let packet = packet::apply_loss(cx, source, entity, packet::DAMAGE, amount, links)?;
    fall_if_empty(cx, entity)?;
    Ok(packet)
}

/// A fighter falls when all zones in its chain's `falls_without` are empty.
fn fall_if_empty(cx: &mut Cx, entity: Entity) -> StepResult {
    let Some(fighter) = fighter_of(cx, entity).filter(|fighter| fighter.standing) else {
        return Ok(());
    };
    let zones = &cx.content().chains[fighter.chain.ix()].falls_without;
    let empty = |zone: &ZoneId| {
        cx.state
            .zones
            .at(cx.content(), entity, *zone)
            .is_none_or(|at| cx.state.zones.count(at) == 0)
    };
    if !zones.is_empty() && zones.iter().all(empty) {
        fall(cx, entity)?;
    }
    Ok(())
}

/// Makes a fighter fall and returns whether it did.
pub(crate) fn fall(cx: &mut Cx, entity: Entity) -> StepResult<bool> {
    cx.require_write_access("making a fighter fall")?;
    remove(
        cx,
        entity,
        (on::BEFORE_FALL, on::AFTER_FALL),
        LogEvent::Fell { of: entity },
    )
}

/// Removes a fighter that has not fallen and returns whether it left.
pub(crate) fn leave(cx: &mut Cx, entity: Entity) -> StepResult<bool> {
    cx.require_write_access("leaving a fight")?;
    remove(
        cx,
        entity,
        (on::BEFORE_LEAVE, on::AFTER_LEAVE),
        LogEvent::Left { of: entity },
    )
}

fn remove(
    cx: &mut Cx,
    entity: Entity,
    events: (crate::content::EventId, crate::content::EventId),
    log_event: LogEvent,
) -> StepResult<bool> {
    let Some(ix) = position(cx, entity).filter(|ix| {
        cx.state
            .fights
            .last()
            .is_some_and(|f| f.fighters[*ix].standing)
    }) else {
        return Ok(false);
    };
    let about = |event: &mut Event| (event.of, event.seat) = (Some(entity), entity.seat());
    if cx.has_listeners(events.0) {
        let mut event = Event::new(events.0);
        about(&mut event);
        if fire(cx, event)?.denied.is_some() {
            return Ok(false);
        }
    }
    if let Some(fight) = cx.state.fights.last_mut() {
        fight.fighters[ix].standing = false;
        fight.check = true;
    }
    let cause = cx.cause();
    cx.log.push(log_event, cause, &[]);
    announce(cx, events.1, about)?;
    Ok(true)
}

/// Adds a fighter after the current one, so that it is next, and returns whether it joined.
pub(crate) fn join(cx: &mut Cx, newcomer: Fighter) -> StepResult<bool> {
    cx.require_write_access("joining a fight")?;
    if position(cx, newcomer.who).is_some()
        || cx
            .state
            .fights
            .last()
            .is_none_or(|fight| fight.fighters.len() >= 32)
    {
        return Ok(false);
    }
    let about = |event: &mut Event| {
        (event.of, event.seat, event.value) = (
            Some(newcomer.who),
            newcomer.who.seat(),
            i64::from(newcomer.side),
        );
    };
    if cx.has_listeners(on::BEFORE_JOIN) {
        let mut event = Event::new(on::BEFORE_JOIN);
        about(&mut event);
        if fire(cx, event)?.denied.is_some() {
            return Ok(false);
        }
    }
    let Some(fight) = cx.state.fights.last_mut() else {
        return Ok(false);
    };
    let at = (usize::from(fight.current) + 1).min(fight.fighters.len());
    fight.fighters.insert(at, newcomer);
    let moved = cast::<_, u8>(at);
    for (ix, fighter) in fight.fighters.iter_mut().enumerate() {
        if ix != at && fighter.target >= moved {
            fighter.target += 1;
        }
    }
    update_target(cx, at);
    let cause = cx.cause();
    cx.log
        .push(LogEvent::Joined { of: newcomer.who }, cause, &[]);
    announce(cx, on::AFTER_JOIN, about)?;
    Ok(true)
}

/// Ends the innermost fight after this step.
pub(crate) fn end(cx: &mut Cx) -> StepResult {
    cx.require_write_access("ending a fight")?;
    if let Some(fight) = cx.state.fights.last_mut() {
        (fight.ended, fight.check) = (true, true);
    }
    Ok(())
}

/// Skips the rest of the current fight turn.
pub(crate) fn end_fight_turn(cx: &mut Cx) {
    agenda::end_frames_where(cx, |run| {
        matches!(
            run,
            FrameKind::List {
                of: PhaseListKind::Fight,
                ..
            }
        )
    });
}
