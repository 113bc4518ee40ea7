//! Moves seats on the map, and sets marks on entities.

use super::context::{Cx, StepResult};
use super::event::{Event, announce, fire};
use super::log::LogEvent;
use super::query;
use super::state::Entity;
use crate::content::events::{ask, on};
use crate::content::{PlaceId, SeatId};

/// Moves a seat to a place and returns whether it moved. Actions decide which moves are offered;
/// the query `may_enter` can refuse one.
pub fn travel(cx: &mut Cx, seat: SeatId, to: PlaceId) -> StepResult<bool> {
    cx.require_write_access("moving a seat")?;
    let from = cx.state.at[seat.ix()];
    let about = |event: &mut Event| {
        (event.seat, event.of) = (Some(seat), Some(Entity::Seat(seat)));
        (event.place, event.from_place) = (Some(to), from);
    };
    let mut refused = query::permission(cx, ask::MAY_ENTER, None, about)?;
    if refused.is_none() && cx.has_listeners(on::BEFORE_TRAVEL) {
        let mut event = Event::new(on::BEFORE_TRAVEL);
        about(&mut event);
        refused = fire(cx, event)?.denied;
    }
    let cause = cx.cause();
    if let Some(reason) = refused {
        cx.log.push(LogEvent::Denied { reason }, cause, &[]);
        return Ok(false);
    }
    cx.state.at[seat.ix()] = Some(to);
    cx.log
        .push(LogEvent::Travelled { seat, place: to }, cause, &[]);
    announce(cx, on::AFTER_TRAVEL, about)?;
    Ok(true)
}

/// Sets or clears a mark on an entity.
pub fn mark(cx: &mut Cx, entity: Entity, mark: &str, set: bool) -> StepResult {
    cx.require_write_access("setting a mark")?;
    let (marks, bytes) = (cx.state.marks.len() as u64, mark.len() as u64);
    cx.charge_work(marks + bytes / 16 + marks * bytes / 64)?;
    if has_mark(cx, entity, mark) == set {
        return Ok(());
    }
    let about = |event: &mut Event| {
        (event.of, event.seat, event.word, event.value) = (
            Some(entity),
            entity.seat(),
            Some(mark.into()),
            i64::from(set),
        );
    };
    if cx.has_listeners(on::BEFORE_MARK) {
        let mut event = Event::new(on::BEFORE_MARK);
        about(&mut event);
        if fire(cx, event)?.denied.is_some() {
            return Ok(());
        }
    }
    if set {
        cx.state.marks.push((entity, mark.into()));
        cx.state.marks.sort_unstable();
    } else {
        cx.state
            .marks
            .retain(|(other, word)| !(*other == entity && &**word == mark));
    }
    let cause = cx.cause();
    cx.log.push(
        LogEvent::Marked {
            of: entity,
            mark: mark.into(),
            on: set,
        },
        cause,
        &[],
    );
    announce(cx, on::AFTER_MARK, about)
}

#[must_use]
pub fn has_mark(cx: &Cx, entity: Entity, mark: &str) -> bool {
    cx.state
        .marks
        .iter()
        .any(|(other, word)| *other == entity && &**word == mark)
}
