//! Effects: temporary changes of counters and queries, and temporary listeners.

use kaer_macros::primitives;

use super::entry::{entry_id, entry_of_kind};
use crate::content::EventId;
use crate::game::state::{Effect, EffectTrigger, Modifier, ModifierOp};
use crate::game::{Cx, Entity, StepResult, effect as effects};
use crate::script::operators::{map_cost, search_cost};
use crate::script::primitive::*;

/// The keys of the map for `effect` that the engine reads; scripts read the others with `param`.
const ENGINE_KEYS: &[&str] = &[
    "subject",
    "from",
    "until",
    "while_here",
    "uses",
    "add",
    "set",
    "cap",
    "at_least",
    "lock",
];

/// The events under a key: a name or a list of names.
fn events(cx: &Cx, map: &Map, name: &str) -> StepResult<Vec<EffectTrigger>> {
    let Some(value) = map.get(name) else {
        return Ok(Vec::new());
    };
    let words: Vec<String> = match value {
        Value::Text(word) => vec![word.to_string()],
        Value::List(list) => list
            .iter()
            .filter_map(|word| word.text().map(str::to_owned))
            .collect(),
        _ => {
            return Err(cx.fault(format!(
                "`{name}` must name an event: `{name}: \"fight_end\"`"
            )));
        }
    };
    words.iter().map(|word| event(cx, word)).collect()
}

fn event(cx: &Cx, word: &str) -> StepResult<EffectTrigger> {
    let (event, any) = match word.strip_prefix("any ") {
        Some(event) => (event, true),
        None => (word, false),
    };
    match cx.symbol(event).event {
        Some(id) => Ok(EffectTrigger {
            event: id,
            subject_only: !any && has_subject(id),
        }),
        None => Err(cx.fault(format!("unknown event `{event}`"))),
    }
}

/// Whether an event is about a seat, piece or place: it then ends only effects on that subject.
fn has_subject(event: EventId) -> bool {
    use crate::content::events::on;
    let without_subject = [
        on::FIGHT_START,
        on::FIGHT_END,
        on::FIGHT_ROUND_START,
        on::ROUND_START,
        on::ROUND_END,
        on::GAME_START,
        on::GAME_END,
        on::PHASE_START,
        on::PHASE_END,
    ];
    !without_subject.contains(&event)
}

fn modifier(cx: &Cx, name: &str, map: &Map) -> StepResult<Option<Modifier>> {
    let ops = [
        ("add", ModifierOp::Add),
        ("set", ModifierOp::Set),
        ("cap", ModifierOp::Cap),
        ("at_least", ModifierOp::Floor),
        ("lock", ModifierOp::Lock),
    ];
    let found = ops
        .iter()
        .find_map(|(key, op)| map.get(key).map(|value| (*op, value)));
    let symbols = cx.symbol(name);
    match found {
        None => Ok(None),
        Some((op, value)) => {
            let Some(amount) = value.int() else {
                return Err(cx.fault("the amount of an effect must be a whole number"));
            };
            if symbols.counter.is_none() && symbols.query.is_none() {
                return Err(cx.fault(format!(
                    "unknown counter or query `{name}`: an effect can change nothing else"
                )));
            }
            let query = symbols.query.filter(|_| symbols.counter.is_none());
            Ok(Some(Modifier {
                counter: symbols.counter,
                query,
                op,
                amount,
            }))
        }
    }
}

fn parse_effect(cx: &Cx, name: &str, map: &Map) -> StepResult<Effect> {
    let modifier = modifier(cx, name, map)?;
    let call = cx.calls.last();
    let source_entry = call.map(|call| call.entry);
    let entry = match (modifier, source_entry) {
        (Some(_), Some(entry)) => entry,
        _ => entry_of_kind(cx, "effect", name)?,
    };
    let subject = map.get("subject").and_then(crate::value::Value::entity);
    let default_subject = call
        .and_then(|call| call.actor.or(call.owner))
        .map_or(Entity::Table, Entity::Seat);
    let piece = call.and_then(|call| call.it);
    let while_here = map
        .get("while_here")
        .is_some_and(|value| value.boolean() == Some(true));
    let ends = events(cx, map, "until")?;
    let mut until = [None; 3];
    until
        .iter_mut()
        .zip(ends)
        .for_each(|(slot, end)| *slot = Some(end));
    let params = map
        .iter()
        .filter(|(key, _)| !ENGINE_KEYS.contains(&key.as_str()));
    Ok(Effect {
        id: 0,
        entry,
        piece,
        subject: subject.unwrap_or(default_subject),
        active: true,
        from: events(cx, map, "from")?.first().copied(),
        until,
        fight_depth: 0,
        while_in: piece
            .filter(|_| while_here)
            .map(|piece| cx.state.zones.zone_of(piece).0),
        uses: map
            .get("uses")
            .and_then(crate::value::Value::int)
            .and_then(|n| u16::try_from(n).ok()),
        modifier,
        params: params
            .map(|(key, value)| (key.as_str().into(), Value::clone(value)))
            .collect(),
    })
}

/// Charges the work of going through the effects.
fn charge_effects(cx: &mut Cx) -> StepResult {
    let effects = cx.state.effects.len() as u64;
    cx.charge_work(effects / 8)
}

#[primitives("effects")]
pub mod functions {
    use super::*;

    /// Starts an effect and returns it: a change of a counter or query (`add`, `set`, `cap`, `at_least` or
    /// `lock`), or a declared [[effect]]. `from` and `until` name the events that start and end it, `uses`
    /// limits how often it works, and `while_here: true` ends it when its piece moves. `param` reads any
    /// other key.
    /// ```rhai
    /// effect("jug", #{ subject: actor, add: -1, until: "turn_end" });
    /// actor.jug // is 3
    /// effect("sunburn", #{ subject: actor, until: "round_end" });
    /// // One less than asked for.
    /// actor.draw(2); // is [Daisy]
    /// ```
    #[name("effect")]
    #[does(CHANGES)]
    pub fn start(
        cx: &mut Cx,
        #[names(Modified)] name: Text,
        #[keys(from = Event, until = Event)] options: Map,
    ) -> StepResult<Value> {
        cx.charge_work(map_cost(&options))?;
        let effect = parse_effect(cx, &name, &options)?;
        let id = effects::start(cx, effect)?;
        Ok(id.map_or(Value::Unit, Value::Effect))
    }

    /// Ends an effect.
    /// ```rhai
    /// let burn = effect("sunburn", #{ subject: actor });
    /// end_effect(burn);
    /// actor.has_effect("sunburn") // is false
    /// ```
    #[name("end_effect")]
    #[does(CHANGES)]
    pub fn end(cx: &mut Cx, effect: EffectNumber) -> StepResult<()> {
        effects::end(cx, effect.0)
    }

    /// Ends every effect with the given id on a seat, piece, place or the table.
    /// ```rhai
    /// effect("sunburn", #{ subject: actor });
    /// effect("sunburn", #{ subject: actor });
    /// actor.end_effects("sunburn");
    /// actor.effects().len() // is 0
    /// ```
    #[name("end_effects")]
    #[does(CHANGES)]
    pub fn end_all(cx: &mut Cx, object: Entity, #[names(Effect)] id: Text) -> StepResult<()> {
        let entry = entry_id(cx, &id)?;
        charge_effects(cx)?;
        let matching = |effect: &&Effect| effect.entry == entry && effect.subject == object;
        let ids: Vec<u32> = cx
            .state
            .effects
            .iter()
            .filter(matching)
            .map(|effect| effect.id)
            .collect();
        ids.into_iter().try_for_each(|id| effects::end(cx, id))
    }

    /// Spends one of the `uses` of the effect; only in a hook of an effect.
    /// ```toml
    /// [[effect]]
    /// id = "lucky"
    /// title = "Lucky"
    /// text = "You draw one more card, as many times as the effect has uses."
    /// on.before_draw = '''
    ///     if event.seat == subject() {
    ///         event.amount += 1;
    ///         use_up();
    ///     }
    /// '''
    ///
    /// [[case]]
    /// name = "Luck for one draw"
    /// setup.do = '''
    ///     effect("lucky", #{ subject: seat(1), uses: 1 });
    ///     seat(1).draw(0);
    ///     seat(1).draw(0);
    /// '''
    /// expect.state = { "1.hand" = 4 }
    /// ```
    #[does(CHANGES)]
    pub fn use_up(cx: &mut Cx) -> StepResult<()> {
        match cx.calls.last().and_then(|call| call.effect) {
            Some(id) => effects::use_up(cx, id),
            None => Err(cx.fault("`use_up` works only in a hook of an effect")),
        }
    }

    /// Returns whether an effect with the given id is active on a seat, piece, place or the table.
    /// ```rhai
    /// effect("sunburn", #{ subject: actor });
    /// actor.has_effect("sunburn") // is true
    /// seat(2).has_effect("sunburn") // is false
    /// ```
    #[name("has_effect")]
    pub fn has(cx: &mut Cx, object: Entity, #[names(Effect)] id: Text) -> StepResult<bool> {
        let entry = entry_id(cx, &id)?;
        charge_effects(cx)?;
        Ok(cx
            .state
            .effects
            .iter()
            .any(|effect| effect.active && effect.entry == entry && effect.subject == object))
    }

    /// Returns a value that the effect was started with; only in a hook of an effect.
    /// ```toml
    /// [[effect]]
    /// id = "pension"
    /// title = "Pension"
    /// on.turn_start = 'if event.seat == subject() { event.seat.coins += param("pay"); }'
    ///
    /// [[case]]
    /// name = "Two coins a turn"
    /// setup.do = 'effect("pension", #{ subject: seat(1), pay: 2 });'
    /// expect.state = { "1.coins" = 5 }
    /// ```
    pub fn param(cx: &mut Cx, name: Text) -> StepResult<Value> {
        let id = cx.calls.last().and_then(|call| call.effect);
        charge_effects(cx)?;
        let effect = cx.state.effects.iter().find(|effect| Some(effect.id) == id);
        let values = effect.map_or(0, |effect| effect.params.len());
        cx.charge_work(search_cost(values, &name))?;
        let effect = cx.state.effects.iter().find(|effect| Some(effect.id) == id);
        let value = effect.and_then(|effect| {
            effect
                .params
                .iter()
                .find(|(key, _)| **key == *name.as_str())
        });
        Ok(value.map_or(Value::Unit, |(_, value)| Value::clone(value)))
    }

    /// Returns the subject of the effect: what it was started on. Only in a hook of an effect.
    /// ```toml
    /// [[effect]]
    /// id = "green-thumb"
    /// title = "Green thumb"
    /// on.after_draw = 'if event.seat == subject() { event.seat.coins += 1; }'
    ///
    /// [[case]]
    /// name = "It is on Ben, not on Ann"
    /// setup.do = '''
    ///     effect("green-thumb", #{ subject: seat(2) });
    ///     seat(1).draw(1);
    ///     seat(2).draw(1);
    /// '''
    /// expect.state = { "1.coins" = 3, "2.coins" = 4 }
    /// ```
    pub fn subject(cx: &mut Cx) -> StepResult<Value> {
        let id = cx.calls.last().and_then(|call| call.effect);
        let effect = cx.state.effects.iter().find(|effect| Some(effect.id) == id);
        Ok(effect.map_or(Value::Unit, |effect| Value::Entity(effect.subject)))
    }

    /// Returns the effects on a seat, piece, place or the table, including those that still wait for their
    /// `from` event.
    /// ```rhai
    /// effect("sunburn", #{ subject: actor });
    /// effect("jug", #{ subject: actor, add: 1, from: "turn_end" });
    /// actor.effects().len() // is 2
    /// ```
    #[name("effects")]
    pub fn all(cx: &mut Cx, object: Entity) -> StepResult<List> {
        charge_effects(cx)?;
        let matching = cx
            .state
            .effects
            .iter()
            .filter(|effect| effect.subject == object);
        Ok(matching.map(|effect| Value::Effect(effect.id)).collect())
    }
}
