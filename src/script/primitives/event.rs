//! Events: the current event, and events that packs fire.

use kaer_macros::primitives;

use crate::content::events::on::EVENTS;
use crate::diagnostic::nearest;
use crate::game::event::{Event, fire};
use crate::game::log::Contribution;
use crate::game::state::ModifierOp;
use crate::game::zones::ZoneAt;
use crate::game::{Cx, Entity, StepResult};
use crate::script::operators::{map_cost, search_cost, value_cost};
use crate::script::primitive::*;
use crate::value::Value;

/// Fills an event from a script's map. Keys that are not fields of the event go to `data`.
pub(super) fn fill(cx: &Cx, event: &mut Event, map: &Map) {
    for (name, value) in map {
        let object = value.entity();
        match (name.as_str(), object) {
            ("seat", Some(Entity::Seat(seat))) => event.seat = Some(seat),
            ("of", Some(entity)) => event.of = Some(entity),
            ("source", Some(source)) => event.source = Some(source),
            ("piece", Some(Entity::Piece(piece))) => event.piece = Some(piece),
            ("place", Some(Entity::Place(place))) => event.place = Some(place),
            ("amount", None) if value.int().is_some() => event.amount = value.int().unwrap_or(0),
            ("value", None) if value.int().is_some() => event.value = value.int().unwrap_or(0),
            _ => event.data.push((name.as_str().into(), Value::clone(value))),
        }
    }
    if event.seat.is_none() {
        event.seat = event.of.and_then(Entity::seat).or(cx.actor);
    }
}

fn object(entity: Option<Entity>) -> Value {
    entity.map_or(Value::Unit, Value::Entity)
}

fn zone(at: Option<ZoneAt>) -> Value {
    at.map_or(Value::Unit, Value::Zone)
}

fn text_or_unit(text: Option<&str>) -> Value {
    text.map_or(Value::Unit, Value::from_text)
}

/// Names that built-in events may provide.
pub(in crate::script) const NAMES: &[&str] = &[
    "seat", "of", "last", "source", "piece", "place", "from", "to", "zone", "counter", "action",
    "entry", "effect", "die", "phase", "amount", "value", "side", "face", "roll", "pass", "mark",
    "purpose", "packet", "cause", "name",
];

/// Reads `event.name`.
pub(in crate::script) fn read(cx: &Cx, name: &str) -> StepResult<Value> {
    let Some(event) = cx.events.last() else {
        return Err(cx.fault("no event is running: `event` works only in hooks and answers"));
    };
    if let Some((_, value)) = event.data.iter().find(|(key, _)| &**key == name) {
        return Ok(Value::clone(value));
    }
    let content = cx.content();
    Ok(match name {
        "seat" => object(event.seat.map(Entity::Seat)),
        "of" | "last" => object(event.of),
        "source" => object(event.source),
        "piece" => object(event.piece.map(Entity::Piece)),
        "place" => object(event.place.map(Entity::Place)),
        "from" if event.from_place.is_some() => object(event.from_place.map(Entity::Place)),
        "from" => zone(event.from),
        "to" | "zone" => zone(event.to),
        "counter" => event.counter.map_or(Value::Unit, |counter| {
            Value::Text(cx.name_of(content.counters[counter.ix()].entry))
        }),
        "action" | "entry" | "effect" | "die" => event.entry.map_or(Value::Unit, Value::Entry),
        "phase" => event.phase.map_or(Value::Unit, Value::Phase),
        "amount" => Value::Int(event.amount),
        "value" | "side" | "face" => Value::Int(event.value),
        "roll" => Value::Roll(u32::try_from(event.value).unwrap_or(0)),
        "pass" | "mark" | "purpose" => event.word.clone().map_or(Value::Unit, Value::Text),
        "packet" => Value::Packet,
        "cause" => event.cause.map_or(Value::Unit, Value::Entry),
        "name" => text_or_unit(
            (event.id != crate::game::query::CONTEXT).then(|| &**content.event_name(event.id)),
        ),
        _ => return Err(unknown(cx, event, name)),
    })
}

fn unknown(cx: &Cx, event: &Event, name: &str) -> crate::game::Stop {
    let provides = cx
        .content()
        .events
        .get(event.id.ix())
        .map(|def| def.provides.as_slice())
        .unwrap_or_default();
    let own = event.data.iter().map(|(key, _)| &**key);
    let near = nearest(name, provides.iter().map(|name| &**name).chain(own));
    let hint = near
        .map(|near| format!("; did you mean `{near}`?"))
        .unwrap_or_default();
    cx.fault(format!("this event provides no `{name}`{hint}"))
}

/// Writes `event.name = value`.
pub(in crate::script) fn write(cx: &mut Cx, name: &str, value: &Value) -> StepResult {
    if cx
        .events
        .last()
        .is_none_or(|event| event.id == crate::game::query::CONTEXT)
    {
        return Err(cx.fault("`event` can be changed only in hooks of events"));
    }
    let values = cx.events.last().map_or(0, |event| event.data.len());
    cx.charge_work(search_cost(values, name) + value_cost(value))?;
    let value = Value::clone(value);
    // `event.seat.coins += 1` writes `seat` back, unchanged.
    if read(cx, name).is_ok_and(|now| now == value) {
        return Ok(());
    }
    cx.require_write_access("changing an event")?;
    let zone_to = match value {
        Value::Zone(at) => Some(at),
        _ => None,
    };
    let cause = cx.cause();
    let Some(event) = cx.events.last_mut() else {
        return Ok(());
    };
    let is_of_pack = event.id.ix() >= EVENTS.len();
    match (name, &value) {
        ("seat", Value::Entity(Entity::Seat(seat))) if is_of_pack => event.seat = Some(*seat),
        ("of", Value::Entity(entity)) if is_of_pack => event.of = Some(*entity),
        ("source", Value::Entity(source)) if is_of_pack => event.source = Some(*source),
        ("piece", Value::Entity(Entity::Piece(piece))) if is_of_pack => event.piece = Some(*piece),
        ("place", Value::Entity(Entity::Place(place))) if is_of_pack => event.place = Some(*place),
        ("value", Value::Int(value)) if is_of_pack => event.value = *value,
        ("amount", Value::Int(amount)) => {
            // If the contributions to the amount are logged, log the change as another
            // contribution.
            if !event.parts.is_empty() {
                event.parts.push(Contribution {
                    op: ModifierOp::Add,
                    amount: *amount - event.amount,
                    reason: None,
                    cause,
                });
            }
            event.amount = *amount;
        }
        ("to", _) if zone_to.is_some() => event.to = zone_to,
        ("from", _) if zone_to.is_some() => event.from = zone_to,
        _ => match event.data.iter_mut().find(|(key, _)| &**key == name) {
            Some((_, slot)) => *slot = value,
            None => {
                let fault = cx.fault(if name == "amount" {
                    "`amount` of an event must be a whole number".to_owned()
                } else {
                    format!("`{name}` of this event is read-only")
                });
                return Err(fault);
            }
        },
    }
    Ok(())
}

#[primitives("events")]
pub mod functions {
    use super::*;

    /// Returns a value that the event provides, such as `event.amount` or `event.piece`.
    /// ```toml
    /// [[rule]]
    /// id = "toll"
    /// text = "A player who travels to the mill pays a coin."
    /// on.after_travel = 'if event.place == place("mill") { event.seat.coins -= 1; }'
    ///
    /// [[case]]
    /// name = "The mill takes its toll"
    /// setup.do = 'seat(1).move_to(place("mill"));'
    /// expect.state = { "1.coins" = 2 }
    /// ```
    #[name("[]")]
    pub fn get_event(cx: &mut Cx, _event: CurrentEvent, name: Text) -> StepResult<Value> {
        read(cx, &name)
    }

    /// Changes the event: `event.amount`, `event.to` and `event.from` where the event allows it, and any
    /// value of an event of a pack.
    /// ```toml
    /// [[rule]]
    /// id = "leak"
    /// text = "Whoever gains water gains one less."
    /// on.before_counter = 'if event.counter == "water" && event.amount > 0 { event.amount -= 1; }'
    ///
    /// [[case]]
    /// name = "Two are one"
    /// setup.do = 'seat(1).gain("water", 2);'
    /// expect.state = { "1.water" = 3 }
    /// ```
    #[name("[]=")]
    #[does(CHANGES)]
    pub fn set_event(
        cx: &mut Cx,
        _event: CurrentEvent,
        name: Text,
        value: Value,
    ) -> StepResult<()> {
        write(cx, &name, &value)
    }

    /// Fires an event of a pack. Returns its values after all hooks have run, and `denied`: the reason if a
    /// hook denied it, or `()`.
    /// ```toml
    /// [[event]]
    /// id = "harvest"
    /// provides = ["amount: int", "flower: string"]
    ///
    /// [[rule]]
    /// id = "good-year"
    /// on.harvest = 'if event.flower == "rose" { event.amount += 1; }'
    ///
    /// [[action]]
    /// id = "reap"
    /// title = "Reap"
    /// window = "work"
    /// do = '''
    ///     let harvest = emit("harvest", #{ seat: actor, amount: 2, flower: "rose" });
    ///     if harvest.denied == () { actor.coins += harvest.amount; }
    /// '''
    ///
    /// [[case]]
    /// name = "Roses do well"
    /// moves = ["reap"]
    /// expect.state = { "1.coins" = 6 }
    /// ```
    #[does(CHANGES)]
    pub fn emit(cx: &mut Cx, #[names(Event)] name: Text, values: Map) -> StepResult<Map> {
        cx.require_write_access("firing an event")?;
        cx.charge_work(map_cost(&values))?;
        let Some(id) = cx.symbol(&name).event else {
            let hint = nearest(&name, cx.content().events.iter().map(|def| &*def.name));
            let hint = hint
                .map(|near| format!("; did you mean `{near}`?"))
                .unwrap_or_default();
            return Err(cx.fault(format!("unknown event `{name}`{hint}")));
        };
        let mut event = Event::new(id);
        fill(cx, &mut event, &values);
        let event = fire(cx, event)?;
        let mut map: Map = event
            .data
            .iter()
            .map(|(key, value)| ((&**key).into(), Value::clone(value)))
            .collect();
        for key in values.iter().map(|(key, _)| key) {
            let value = match key.as_str() {
                "seat" => object(event.seat.map(Entity::Seat)),
                "of" => object(event.of),
                "source" => object(event.source),
                "piece" => object(event.piece.map(Entity::Piece)),
                "place" => object(event.place.map(Entity::Place)),
                "value" => Value::Int(event.value),
                _ => continue,
            };
            if map.get(key.as_str()).is_none() {
                map.insert(key.as_str().into(), value);
            }
        }
        map.insert("amount".into(), Value::Int(event.amount));
        map.insert("denied".into(), text_or_unit(event.denied.as_deref()));
        Ok(map)
    }

    /// Fires an event of a pack without values.
    /// ```toml
    /// [[event]]
    /// id = "rain"
    ///
    /// [[rule]]
    /// id = "full-jugs"
    /// on.rain = 'for seat in seats() { seat.water = seat.jug; }'
    ///
    /// [[action]]
    /// id = "dance"
    /// title = "Dance for rain"
    /// window = "work"
    /// do = 'emit("rain");'
    ///
    /// [[case]]
    /// name = "It rains on everyone"
    /// moves = ["dance"]
    /// expect.state = { "1.water" = 4, "2.water" = 4 }
    /// ```
    #[name("emit")]
    #[does(CHANGES)]
    pub fn emit_bare(cx: &mut Cx, #[names(Event)] name: Text) -> StepResult<Map> {
        emit(cx, name, Map::default())
    }
}
