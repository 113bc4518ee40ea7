//! Counters: integers with bounds that may depend on other counters.

use super::context::{Cx, StepResult};
use super::event::{Event, announce, fire};
use super::log::LogEvent;
use super::query;
use super::state::{Entity, State};
use crate::content::events::on;
use crate::content::{Bound, Content, CounterId, Owner, Scope};

/// Changes a counter within its bounds and returns the actual change.
pub fn change(cx: &mut Cx, entity: Entity, counter: CounterId, amount: i64) -> StepResult<i64> {
    cx.require_write_access("changing a counter")?;
    let Some(mut amount) = allowed_change(cx, entity, counter, amount)? else {
        return Ok(0);
    };
    let base = i64::from(cx.state.base(&cx.rules.content, entity, counter));
    let (min, max) = bounds(cx, entity, counter)?;
    // A bound may have moved past the value. The value may stay there, but never moves further out.
    let (low, high) = (min.min(base), max.max(base));
    amount = base.saturating_add(amount).clamp(low, high) - base;
    if amount == 0 {
        return Ok(0);
    }
    let rules = cx.rules.clone();
    let content = &rules.content;
    store(&mut cx.state, content, entity, counter, base + amount);
    let cause = cx.cause();
    cx.log.push(
        LogEvent::Counter {
            of: entity,
            counter,
            from: base,
            to: base + amount,
            paid: false,
        },
        cause,
        &[],
    );
    announce_change(cx, entity, counter, amount, base + amount)?;
    lower_dependents(cx, entity, counter)?;
    Ok(amount)
}

/// Pays from a counter: a change that the log calls a payment.
pub fn pay(cx: &mut Cx, entity: Entity, counter: CounterId, amount: i64) -> StepResult {
    let before = cx.log.lines.len();
    change(cx, entity, counter, -amount)?;
    let mut events = cx
        .log
        .lines
        .iter_mut()
        .skip(before)
        .map(|line| &mut line.event);
    let payment = events.find_map(|event| match event {
        LogEvent::Counter {
            of: owner,
            counter: own,
            paid,
            ..
        } if (*owner, *own) == (entity, counter) => Some(paid),
        _ => None,
    });
    if let Some(paid) = payment {
        *paid = true;
    }
    Ok(())
}

fn allowed_change(
    cx: &mut Cx,
    entity: Entity,
    counter: CounterId,
    amount: i64,
) -> StepResult<Option<i64>> {
    if !cx.state.has_counter(cx.content(), entity, counter) {
        let message = format!(
            "{} has no counter `{}`: check `of` of the counter",
            match entity {
                Entity::Table => "the table",
                Entity::Seat(_) => "a seat",
                Entity::Place(_) => "a place",
                Entity::Piece(_) => "a piece",
            },
            cx.content().counter_title(counter)
        );
        return Err(cx.fault(message));
    }
    if !cx.has_listeners(on::BEFORE_COUNTER) {
        return Ok(Some(amount));
    }
    let mut event = Event::new(on::BEFORE_COUNTER);
    (event.of, event.seat, event.counter, event.amount) =
        (Some(entity), entity.seat(), Some(counter), amount);
    event.value = i64::from(cx.state.base(cx.content(), entity, counter));
    let event = fire(cx, event)?;
    match event.denied {
        Some(reason) => {
            let cause = cx.cause();
            cx.log.push(LogEvent::Denied { reason }, cause, &[]);
            Ok(None)
        }
        None => Ok(Some(event.amount)),
    }
}

fn announce_change(
    cx: &mut Cx,
    entity: Entity,
    counter: CounterId,
    amount: i64,
    value: i64,
) -> StepResult {
    announce(cx, on::AFTER_COUNTER, |event| {
        (event.of, event.seat, event.counter) = (Some(entity), entity.seat(), Some(counter));
        (event.amount, event.value) = (amount, value);
    })
}

/// Sets the base value without an event, for test setups and for resets at the end of a scope.
pub fn store(state: &mut State, content: &Content, entity: Entity, counter: CounterId, value: i64) {
    if let Some((owner, ix)) = State::counter_at(content, entity, counter) {
        let value = i32::try_from(value).unwrap_or(if value < 0 { i32::MIN } else { i32::MAX });
        if let Some(slot) = state.counters[owner].get_mut(ix) {
            *slot = value;
        }
    }
}

/// The current bounds. A missing maximum becomes half of `i32::MAX`.
pub fn bounds(cx: &mut Cx, entity: Entity, counter: CounterId) -> StepResult<(i64, i64)> {
    let def = &cx.content().counters[counter.ix()];
    let (min, max) = (def.min, def.max);
    let min = bound(cx, entity, min)?;
    let max = match max {
        Some(max) => bound(cx, entity, max)?,
        None => i64::from(i32::MAX / 2),
    };
    Ok((min, max.max(min)))
}

/// Evaluates a bound.
pub fn bound(cx: &mut Cx, entity: Entity, bound: Bound) -> StepResult<i64> {
    match bound {
        Bound::Fixed(n) => Ok(i64::from(n)),
        Bound::Counter(counter) => query::counter_value(cx, entity, counter),
    }
}

/// Lowers the counters whose maximum is this counter.
pub fn lower_dependents(cx: &mut Cx, entity: Entity, counter: CounterId) -> StepResult {
    let rules = cx.rules.clone();
    let content = &rules.content;
    for (ix, def) in content.counters.iter().enumerate() {
        let id = CounterId::at(ix);
        if def.max == Some(Bound::Counter(counter)) && cx.state.has_counter(content, entity, id) {
            let max = query::counter_value(cx, entity, counter)?;
            let base = i64::from(cx.state.base(content, entity, id));
            if base > max {
                change(cx, entity, id, max - base)?;
            }
        }
    }
    Ok(())
}

/// Resets the counters of a scope, for every owner or for one seat. With one seat, owners other
/// than seats are reset too.
pub fn reset_scope(cx: &mut Cx, scope: Scope, only: Option<Entity>) {
    if !cx.state.used.is_empty() {
        cx.state.used.retain(|used| used.scope != scope);
    }
    if cx.content().scoped[scope as usize].is_empty() {
        return;
    }
    let rules = cx.rules.clone();
    let content = &rules.content;
    let state = &mut cx.state;
    for &counter in &content.scoped[scope as usize] {
        let def = &content.counters[counter.ix()];
        for &owner in &def.owners {
            if let (Bound::Fixed(start), Owner::Piece | Owner::Place) = (def.start, owner) {
                fill(state, content, owner, counter, start);
                continue;
            }
            for entity in entities(state, content, owner) {
                if only.is_none_or(|only| only == entity || entity.seat().is_none()) {
                    let start = start_value(state, content, entity, def.start);
                    store(state, content, entity, counter, start);
                }
            }
        }
    }
}

/// Sets a counter of every owner of a kind.
fn fill(state: &mut State, content: &Content, owner: Owner, counter: CounterId, value: i32) {
    let count = content.counters_of[owner].len();
    if let Some(slot) = content.counter_slot[counter.ix()][owner] {
        let values = state.counters[owner].iter_mut().skip(slot.into());
        values.step_by(count).for_each(|own| *own = value);
    }
}

/// Resets every counter of the table, the seats and the places.
pub fn reset_all(state: &mut State, content: &Content) {
    for owner in [Owner::Table, Owner::Seat, Owner::Place] {
        for entity in entities(state, content, owner) {
            reset_owner(state, content, entity);
        }
    }
}

/// Resets every counter of one owner.
pub fn reset_owner(state: &mut State, content: &Content, entity: Entity) {
    for &counter in &content.counters_of[entity.owner().0] {
        let start = start_value(state, content, entity, content.counters[counter.ix()].start);
        store(state, content, entity, counter, start);
    }
}

fn start_value(state: &State, content: &Content, entity: Entity, start: Bound) -> i64 {
    i64::from(match start {
        Bound::Fixed(n) => n,
        Bound::Counter(other) => state.base(content, entity, other),
    })
}

/// Every owner of a kind.
fn entities(state: &State, content: &Content, owner: Owner) -> Vec<Entity> {
    match owner {
        Owner::Table => vec![Entity::Table],
        Owner::Seat => (0..state.seats)
            .map(|n| Entity::Seat(crate::content::SeatId(n)))
            .collect(),
        Owner::Place => (0..content.map.places.len())
            .map(|n| Entity::Place(crate::content::PlaceId::at(n)))
            .collect(),
        Owner::Piece => (0..state.pieces.len())
            .map(|n| Entity::Piece(crate::content::PieceId::at(n)))
            .collect(),
    }
}
