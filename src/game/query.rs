//! Queries: read-only questions that rules, pieces and effects answer.
//!
//! Contributions are gathered in hook order and then combined: the last `set`, plus every `add`,
//! limited by `at_least` and `cap`. A `lock` overrides them all, and a refusal overrides a
//! permission. Every contribution is kept, so that `why` can show it.

use super::cx::{Cx, Res, run_hook};
use super::event::{self, Event, Listener};
use super::log::{Cause, Part};
use super::state::{Entity, Op};
use crate::content::events::ask;
use crate::content::{CounterId, EntryId, EventId, PieceId, QueryId, SeatId};

/// A query that is being evaluated.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The contributions so far.
    pub parts: Vec<Part>,
}

/// The event id of a query's context.
pub const CONTEXT: EventId = EventId(u16::MAX);

/// An empty context for a query.
#[must_use]
pub fn context() -> Event {
    Event::new(CONTEXT)
}

/// Evaluates a query for a number and returns it with its contributions.
pub fn number(
    cx: &mut Cx,
    id: QueryId,
    base: i64,
    fill: impl FnOnce(&mut Event),
) -> Res<(i64, Vec<Part>)> {
    if !cx.content().listeners.query(id).any()
        && !cx.state.effects.iter().any(|effect| modifies(effect, id))
    {
        return Ok((base, Vec::new()));
    }
    let mut event = context();
    fill(&mut event);
    let parts = gather(cx, id, event)?;
    Ok((weigh(base, &parts), parts))
}

/// Evaluates a query for a permission and returns the reason if it is refused.
pub fn may(
    cx: &mut Cx,
    id: QueryId,
    refusal: Option<Box<str>>,
    fill: impl FnOnce(&mut Event),
) -> Res<Option<Box<str>>> {
    if !cx.content().listeners.query(id).any() {
        return Ok(refusal);
    }
    let mut event = context();
    fill(&mut event);
    let mut parts = gather(cx, id, event)?;
    if let Some(part) = parts.iter_mut().rev().find(|part| part.op == Op::Deny) {
        return Ok(Some(part.reason.take().unwrap_or_else(|| {
            super::render::catalogue::closed::NOT_ALLOWED.into()
        })));
    }
    let allowed = parts.iter().any(|part| part.op == Op::Allow);
    Ok(if allowed { None } else { refusal })
}

fn modifies(effect: &super::state::Effect, id: QueryId) -> bool {
    effect.active
        && effect
            .modifier
            .is_some_and(|modifier| modifier.query == Some(id))
}

fn gather(cx: &mut Cx, id: QueryId, event: Event) -> Res<Vec<Part>> {
    let listeners = answerers(cx, id);
    let subject = event.clone();
    cx.queries.push(Asked { parts: Vec::new() });
    cx.events.push(event);
    cx.read_only += 1;
    let mut result = Ok(());
    for listener in listeners {
        if !event::is_for(cx, listener, &subject) {
            continue;
        }
        let running = cx
            .calls
            .iter()
            .any(|call| call.hook == listener.hook && call.it == listener.it);
        if !running && result.is_ok() {
            let call = event::listener_call(cx, listener);
            result = run_hook(cx, call).map(|_| ());
        }
    }
    cx.read_only -= 1;
    cx.events.pop();
    let asked = cx.queries.pop();
    result?;
    let mut parts = asked.map(|asked| asked.parts).unwrap_or_default();
    parts.extend(modifiers(cx, id, &subject));
    Ok(parts)
}

fn modifiers(cx: &Cx, id: QueryId, event: &Event) -> Vec<Part> {
    let list = cx
        .state
        .effects
        .iter()
        .filter(|effect| modifies(effect, id) && event.concerns(effect.subject));
    let part = |effect: &super::state::Effect| {
        effect.modifier.map(|modifier| Part {
            op: modifier.op,
            amount: modifier.amount,
            reason: None,
            cause: Cause {
                entry: Some(effect.entry),
                hook: None,
                piece: effect.piece,
            },
        })
    };
    list.filter_map(part).collect()
}

fn answerers(cx: &Cx, id: QueryId) -> Vec<Listener> {
    let content = cx.content();
    if !content.listeners.query(id).any() {
        return Vec::new();
    }
    let rules = content.listeners.query(id).rules.iter();
    let mut list: Vec<Listener> = rules
        .map(|&(entry, hook)| Listener {
            entry,
            hook,
            it: None,
            effect: None,
        })
        .collect();
    let pieces = if content.listeners.query(id).entries {
        event::listening_pieces(cx)
    } else {
        Vec::new()
    };
    for piece in pieces {
        let (entry, hooks) = event::hooks_of(cx, piece);
        let mine = hooks.flat_map(|h| &h.ask).filter(|(query, _)| *query == id);
        list.extend(mine.map(|&(_, hook)| Listener {
            entry,
            hook,
            it: Some(piece),
            effect: None,
        }));
    }
    for effect in cx
        .state
        .effects
        .iter()
        .filter(|effect| effect.active && effect.modifier.is_none())
    {
        let mine = content
            .entry(effect.entry)
            .hooks
            .ask
            .iter()
            .filter(|(query, _)| *query == id);
        list.extend(mine.map(|&(_, hook)| Listener {
            entry: effect.entry,
            hook,
            it: effect.piece,
            effect: Some(effect.id),
        }));
    }
    list
}

/// Combines contributions.
#[must_use]
pub fn weigh(base: i64, parts: &[Part]) -> i64 {
    let last = |op: Op| {
        parts
            .iter()
            .rev()
            .find(|part| part.op == op)
            .map(|part| part.amount)
    };
    if let Some(locked) = last(Op::Lock) {
        return locked;
    }
    let adds = parts
        .iter()
        .filter(|part| part.op == Op::Add)
        .map(|part| part.amount);
    let sum = adds.fold(0, i64::saturating_add);
    let mut value = last(Op::Set).unwrap_or(base).saturating_add(sum);
    for part in parts {
        match part.op {
            Op::Floor => value = value.max(part.amount),
            Op::Cap => value = value.min(part.amount),
            _ => {}
        }
    }
    value
}

/// Adds a contribution of the running hook to the current query.
pub fn contribute(cx: &mut Cx, op: Op, amount: i64, reason: Option<Box<str>>) -> Res {
    let cause = cx.cause();
    let Some(asked) = cx.queries.last_mut() else {
        return Err(
            cx.fault("no query is being evaluated: use this only in a hook `answer.<query>`")
        );
    };
    asked.parts.push(Part {
        op,
        amount,
        reason,
        cause,
    });
    Ok(())
}

/// The effective value of a counter: its base value, modified by effects and by answers to `value`.
pub fn value(cx: &mut Cx, of: Entity, counter: CounterId) -> Res<i64> {
    let base = i64::from(cx.state.base(&cx.rules.content, of, counter));
    let touched = |effect: &super::state::Effect| {
        effect.active
            && effect.subject == of
            && effect.modifier.is_some_and(|m| m.counter == Some(counter))
    };
    let mut parts: Vec<Part> = Vec::new();
    for effect in cx.state.effects.iter().filter(|effect| touched(effect)) {
        parts.extend(effect.modifier.map(|modifier| Part {
            op: modifier.op,
            amount: modifier.amount,
            reason: None,
            cause: Cause {
                entry: Some(effect.entry),
                hook: None,
                piece: effect.piece,
            },
        }));
    }
    if cx.content().listeners.answers_value(counter) {
        let mut event = context();
        (event.of, event.counter, event.seat) = (Some(of), Some(counter), of.seat());
        parts.extend(gather(cx, ask::VALUE, event)?);
    }
    Ok(if parts.is_empty() {
        base
    } else {
        weigh(base, &parts)
    })
}

/// The reason why a seat may not use an action; `None` if it may.
pub fn may_act(
    cx: &mut Cx,
    seat: SeatId,
    entry: EntryId,
    piece: Option<PieceId>,
) -> Res<Option<Box<str>>> {
    may(cx, ask::MAY_ACT, None, |event| {
        (event.seat, event.entry, event.piece) = (Some(seat), Some(entry), piece);
    })
}
