//! Effects: state that changes numbers or listens to events for a limited time.

use super::context::{Cx, StepResult};
use super::counter;
use super::event::{Event, announce, fire};
use super::log::{Cause, LogEvent};
use super::state::{Effect, EffectTrigger};
use crate::content::events::on;
use crate::number::cast;

/// The number of effects that can exist at the same time.
const MAX_EFFECTS: usize = 500;

/// Starts an effect and returns its id; `None` if a hook denies it.
pub fn start(cx: &mut Cx, mut effect: Effect) -> StepResult<Option<u32>> {
    cx.require_write_access("starting an effect")?;
    if cx.state.effects.len() >= MAX_EFFECTS {
        return Err(cx.fault(format!(
            "too many effects ({MAX_EFFECTS} are active): end effects that are no longer needed"
        )));
    }
    if cx.has_listeners(on::BEFORE_EFFECT) {
        let mut event = Event::new(on::BEFORE_EFFECT);
        (event.of, event.seat, event.entry) = (
            Some(effect.subject),
            effect.subject.seat(),
            Some(effect.entry),
        );
        if fire(cx, event)?.denied.is_some() {
            return Ok(None);
        }
    }
    effect.id = cx.state.next_effect;
    effect.fight_depth = cast::<_, u8>(cx.state.fights.len());
    effect.active = effect.from.is_none();
    cx.state.next_effect += 1;
    let (id, subject, entry, modifier) = (effect.id, effect.subject, effect.entry, effect.modifier);
    let cause = cx.cause();
    cx.log
        .push(LogEvent::EffectBegan { subject, entry }, cause, &[]);
    cx.state.effects.push(effect);
    update_awaited(cx);
    if let Some(counter) = modifier.and_then(|modifier| modifier.counter) {
        counter::lower_dependents(cx, subject, counter)?;
    }
    announce(cx, on::AFTER_EFFECT, |event| {
        (event.of, event.seat, event.entry) = (Some(subject), subject.seat(), Some(entry));
    })?;
    Ok(Some(id))
}

/// Ends an effect. Does nothing if it has already ended.
pub fn end(cx: &mut Cx, id: u32) -> StepResult {
    cx.require_write_access("ending an effect")?;
    let Some(ix) = cx.state.effects.iter().position(|effect| effect.id == id) else {
        return Ok(());
    };
    let effect = cx.state.effects.remove(ix);
    update_awaited(cx);
    let cause = Cause {
        entry: Some(effect.entry),
        hook: None,
        piece: effect.piece,
    };
    cx.log.push(
        LogEvent::EffectEnded {
            subject: effect.subject,
            entry: effect.entry,
        },
        cause,
        &[],
    );
    if let Some(counter) = effect.modifier.and_then(|modifier| modifier.counter) {
        counter::lower_dependents(cx, effect.subject, counter)?;
    }
    announce(cx, on::EFFECT_END, |event| {
        (event.of, event.seat, event.entry) = (
            Some(effect.subject),
            effect.subject.seat(),
            Some(effect.entry),
        );
    })
}

/// Uses an effect once; its last use ends it.
pub fn use_up(cx: &mut Cx, id: u32) -> StepResult {
    let Some(effect) = cx.state.effects.iter_mut().find(|effect| effect.id == id) else {
        return Ok(());
    };
    match &mut effect.uses {
        Some(uses) if *uses > 1 => {
            *uses -= 1;
            Ok(())
        }
        _ => end(cx, id),
    }
}

/// Activates the effects that wait for an event.
pub fn activate(cx: &mut Cx, event: &Event) {
    if !cx.is_awaited(event.id) {
        return;
    }
    for effect in &mut cx.state.effects {
        if !effect.active
            && effect
                .from
                .is_some_and(|trigger| is_triggered(trigger, event, effect.subject))
        {
            effect.active = true;
        }
    }
}

/// Ends the effects that last until an event.
pub fn expire(cx: &mut Cx, event: &Event) -> StepResult {
    if !cx.is_awaited(event.id) {
        return Ok(());
    }
    let over = |effect: &&Effect| {
        effect.active
            && effect
                .until
                .iter()
                .flatten()
                .any(|trigger| is_triggered(*trigger, event, effect.subject))
    };
    let ids: Vec<u32> = cx
        .state
        .effects
        .iter()
        .filter(over)
        .map(|effect| effect.id)
        .collect();
    ids.into_iter().try_for_each(|id| end(cx, id))
}

/// Ends the effects of a piece that has left the zone they depend on.
pub fn end_for_moved_piece(cx: &mut Cx, piece: crate::content::PieceId) -> StepResult {
    if cx.state.effects.is_empty() {
        return Ok(());
    }
    let zone = cx.state.zones.zone_of(piece).0;
    let has_left_zone = |effect: &&Effect| {
        effect.piece == Some(piece) && effect.while_in.is_some_and(|was| was != zone)
    };
    let ids: Vec<u32> = cx
        .state
        .effects
        .iter()
        .filter(has_left_zone)
        .map(|effect| effect.id)
        .collect();
    ids.into_iter().try_for_each(|id| end(cx, id))
}

/// Ends the effects that last as long as the ending fight or a part of it, active or not.
pub fn end_with_fight(cx: &mut Cx) -> StepResult {
    let parts = [
        on::FIGHT_END,
        on::FIGHT_TURN_START,
        on::FIGHT_TURN_END,
        on::FIGHT_ROUND_START,
    ];
    let depth = cx.state.fights.len();
    let over = |effect: &&Effect| {
        let timed = effect
            .until
            .iter()
            .flatten()
            .any(|trigger| parts.contains(&trigger.event));
        timed && usize::from(effect.fight_depth) >= depth
    };
    let ids: Vec<u32> = cx
        .state
        .effects
        .iter()
        .filter(over)
        .map(|effect| effect.id)
        .collect();
    ids.into_iter().try_for_each(|id| end(cx, id))
}

fn is_triggered(trigger: EffectTrigger, event: &Event, subject: super::state::Entity) -> bool {
    trigger.event == event.id && (!trigger.subject_only || event.concerns(subject))
}

fn update_awaited(cx: &mut Cx) {
    let triggers = cx
        .state
        .effects
        .iter()
        .flat_map(|effect| effect.until.iter().chain([&effect.from]))
        .flatten();
    cx.state.awaited = triggers.fold(0, |bits, trigger| bits | 1 << (trigger.event.0 & 127));
}
