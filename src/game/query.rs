//! Queries: read-only questions that rules, pieces and effects answer.
//!
//! Contributions are gathered in hook order and then combined: the last `set`, plus every `add`,
//! limited by `at_least` and `cap`. A `lock` overrides them all, and a refusal overrides a
//! permission. Every contribution is kept, so that `why` can show it.

use super::context::{Cx, StepResult, run_hook};
use super::event::{self, Event, Listener, Listeners};
use super::log::{Cause, Contribution};
use super::state::{Entity, ModifierOp};
use crate::content::events::ask;
use crate::content::{CounterId, EntryId, EventId, PieceId, QueryId, SeatId};

/// A query that is being evaluated.
#[derive(Clone, Debug)]
pub struct QueryContext {
    /// The contributions so far.
    pub parts: Vec<Contribution>,
}

/// The event id for the context of a query.
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
) -> StepResult<(i64, Vec<Contribution>)> {
    let effects = cx.state.effects.len() as u64;
    cx.charge_work(effects / 16)?;
    if effects == 0 && !cx.rules.answers(id) {
        return Ok((base, Vec::new()));
    }
    let answerers = answerers(cx, id);
    if answerers.is_empty() && !cx.state.effects.iter().any(|effect| modifies(effect, id)) {
        return Ok((base, Vec::new()));
    }
    let mut event = context();
    fill(&mut event);
    let parts = gather(cx, id, answerers, event)?;
    Ok((total(base, &parts), parts))
}

/// Evaluates a query for a permission and returns the reason if it is refused.
pub fn permission(
    cx: &mut Cx,
    id: QueryId,
    refusal: Option<Box<str>>,
    fill: impl FnOnce(&mut Event),
) -> StepResult<Option<Box<str>>> {
    if !cx.rules.answers(id) {
        return Ok(refusal);
    }
    let answerers = answerers(cx, id);
    if answerers.is_empty() && cx.state.effects.is_empty() {
        return Ok(refusal);
    }
    let mut event = context();
    fill(&mut event);
    let mut parts = gather(cx, id, answerers, event)?;
    if let Some(part) = parts
        .iter_mut()
        .rev()
        .find(|part| part.op == ModifierOp::Deny)
    {
        return Ok(Some(part.reason.take().unwrap_or_else(|| {
            super::render::catalogue::closed::NOT_ALLOWED.into()
        })));
    }
    let allowed = parts.iter().any(|part| part.op == ModifierOp::Allow);
    Ok(if allowed { None } else { refusal })
}

fn modifies(effect: &super::state::Effect, id: QueryId) -> bool {
    effect.active
        && effect
            .modifier
            .is_some_and(|modifier| modifier.query == Some(id))
}

fn gather(
    cx: &mut Cx,
    id: QueryId,
    answerers: Listeners,
    event: Event,
) -> StepResult<Vec<Contribution>> {
    let counter = event.counter;
    cx.queries.push(QueryContext { parts: Vec::new() });
    cx.events.push(event);
    cx.read_only += 1;
    let mut result = Ok(());
    for listener in answerers {
        if !cx.rules.reacts_to(listener.hook, counter) {
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
    let event = cx.events.pop();
    let asked = cx.queries.pop();
    result?;
    let mut parts = asked.map(|asked| asked.parts).unwrap_or_default();
    if let Some(event) = event {
        add_modifiers(cx, id, &event, &mut parts);
    }
    Ok(parts)
}

fn add_modifiers(cx: &Cx, id: QueryId, event: &Event, parts: &mut Vec<Contribution>) {
    let list = cx
        .state
        .effects
        .iter()
        .filter(|effect| modifies(effect, id) && event.concerns(effect.subject));
    let part = |effect: &super::state::Effect| {
        effect.modifier.map(|modifier| Contribution {
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
    parts.extend(list.filter_map(part));
}

/// The hooks that answer a query.
fn answerers(cx: &Cx, id: QueryId) -> Listeners {
    let content = cx.content();
    let mut list = Listeners::new();
    let listeners = content.listeners.query(id);
    if !listeners.any() {
        return list;
    }
    list.extend(listeners.rules.iter().copied().map(Listener::rule));
    if listeners.entries {
        for piece in event::pieces_answering(cx, id) {
            let (entry, hooks) = event::hooks_of(cx, piece);
            event::add_hooks(&mut list, id, &hooks.answers, entry, Some(piece), None);
        }
    }
    for effect in &cx.state.effects {
        if effect.active && effect.modifier.is_none() {
            let hooks = &content.entry(effect.entry).hooks.answers;
            let (entry, piece) = (effect.entry, effect.piece);
            event::add_hooks(&mut list, id, hooks, entry, piece, Some(effect.id));
        }
    }
    list
}

/// Combines contributions.
#[must_use]
pub fn total(base: i64, parts: &[Contribution]) -> i64 {
    let last = |op: ModifierOp| {
        parts
            .iter()
            .rev()
            .find(|part| part.op == op)
            .map(|part| part.amount)
    };
    if let Some(locked) = last(ModifierOp::Lock) {
        return locked;
    }
    let adds = parts
        .iter()
        .filter(|part| part.op == ModifierOp::Add)
        .map(|part| part.amount);
    let sum = adds.fold(0, i64::saturating_add);
    let mut value = last(ModifierOp::Set).unwrap_or(base).saturating_add(sum);
    for part in parts {
        match part.op {
            ModifierOp::Floor => value = value.max(part.amount),
            ModifierOp::Cap => value = value.min(part.amount),
            _ => {}
        }
    }
    value
}

/// Adds a contribution of the running hook to the current query.
pub fn contribute(
    cx: &mut Cx,
    op: ModifierOp,
    amount: i64,
    reason: Option<Box<str>>,
) -> StepResult {
    let cause = cx.cause();
    let Some(asked) = cx.queries.last_mut() else {
        return Err(
            cx.fault("no query is being evaluated: use this only in a hook `answer.<query>`")
        );
    };
    asked.parts.push(Contribution {
        op,
        amount,
        reason,
        cause,
    });
    Ok(())
}

/// The effective value of a counter: its base value, modified by effects and by answers to `value`.
pub fn counter_value(cx: &mut Cx, entity: Entity, counter: CounterId) -> StepResult<i64> {
    let effects = cx.state.effects.len() as u64;
    cx.charge_work(effects / 16)?;
    let base = i64::from(cx.state.base(&cx.rules.content, entity, counter));
    let touched = |effect: &super::state::Effect| {
        effect.active
            && effect.subject == entity
            && effect.modifier.is_some_and(|m| m.counter == Some(counter))
    };
    let mut parts: Vec<Contribution> = Vec::new();
    for effect in cx.state.effects.iter().filter(|effect| touched(effect)) {
        parts.extend(effect.modifier.map(|modifier| Contribution {
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
    if cx.rules.answers_value(counter) {
        let mut event = context();
        (event.of, event.counter, event.seat) = (Some(entity), Some(counter), entity.seat());
        let answerers = answerers(cx, ask::VALUE);
        parts.extend(gather(cx, ask::VALUE, answerers, event)?);
    }
    Ok(if parts.is_empty() {
        base
    } else {
        total(base, &parts)
    })
}

/// The reason why a seat may not use an action; `None` if it may.
pub fn may_act(
    cx: &mut Cx,
    seat: SeatId,
    entry: EntryId,
    piece: Option<PieceId>,
) -> StepResult<Option<Box<str>>> {
    permission(cx, ask::MAY_ACT, None, |event| {
        (event.seat, event.entry, event.piece) = (Some(seat), Some(entry), piece);
    })
}
