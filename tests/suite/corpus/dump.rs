//! A readable dump of a game's state. Its rows use names, so that it does not depend on the layout
//! of the state or on numeric ids.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use kaer::content::{EntryId, Owner, PieceId, PlaceId, SeatId};
use kaer::game::DieUse;
use kaer::game::ZoneAt;
use kaer::game::{Entity, StepContext};
use kaer::value::Value;

/// The rows of a dump, by key.
pub type Dump = BTreeMap<String, String>;

/// The state of a game as rows.
pub fn dump(context: &StepContext) -> Dump {
    let mut rows = Dump::new();
    turns(context, &mut rows);
    owners(context, &mut rows);
    zones(context, &mut rows);
    running(context, &mut rows);
    rows
}

fn put(rows: &mut Dump, key: impl Into<String>, value: impl Into<String>) {
    let (key, value) = (key.into(), value.into());
    if !value.is_empty() {
        assert!(
            rows.insert(key.clone(), value).is_none(),
            "duplicate row `{key}`"
        );
    }
}

fn turns(context: &StepContext, rows: &mut Dump) {
    let state = &context.state;
    let turns: Vec<String> = state.turns.iter().map(u32::to_string).collect();
    put(
        rows,
        "turn",
        format!(
            "round {} active {} first {} out {} turns {} reveals {}",
            state.round,
            state.active,
            state.first,
            state.eliminated.bits(),
            turns.join(" "),
            state.reveals
        ),
    );
    let extra: Vec<String> = state
        .extra_turns
        .iter()
        .map(|seat| seat.0.to_string())
        .collect();
    put(rows, "extra", extra.join(" "));
    let streams: Vec<String> = state
        .streams
        .iter()
        .map(|(name, count)| format!("{name:x}:{count}"))
        .collect();
    put(rows, "streams", streams.join(" "));
    for (ix, place) in state.at.iter().enumerate() {
        let at = place.map(|place| entity(context, Entity::Place(place)));
        put(rows, format!("at seat-{ix}"), at.unwrap_or_default());
    }
    if let Some(over) = &state.outcome {
        let winners: Vec<String> = over.winners.iter().map(|seat| seat.0.to_string()).collect();
        let scores: Vec<String> = over
            .scores
            .iter()
            .map(|(seat, score)| format!("{}:{score}", seat.0))
            .collect();
        put(
            rows,
            "over",
            format!("winners {} scores {}", winners.join(" "), scores.join(" ")),
        );
    }
}

fn owners(context: &StepContext, rows: &mut Dump) {
    let content = context.content();
    let seats = (0..context.state.seats).map(|seat| Entity::Seat(SeatId(seat)));
    let places = (0..content.map.places.len()).map(|place| Entity::Place(PlaceId::at(place)));
    let pieces = (0..context.state.pieces.len()).map(|piece| Entity::Piece(PieceId::at(piece)));
    for of in [Entity::Table]
        .into_iter()
        .chain(seats)
        .chain(places)
        .chain(pieces)
    {
        let mut values = String::new();
        for counter in &content.counters_of[of.owner().0] {
            let value = context.state.base(content, of, *counter);
            if value != 0 {
                let id = &content.entry(content.counters[counter.ix()].entry).id;
                let _ = write!(values, " {id}={value}");
            }
        }
        put(
            rows,
            format!("counters {}", entity(context, of)),
            values.trim_start(),
        );
        let marks = context.state.marks.iter().filter(|(own, _)| *own == of);
        let mut marks: Vec<&str> = marks.map(|(_, mark)| &**mark).collect();
        marks.sort_unstable();
        put(
            rows,
            format!("marks {}", entity(context, of)),
            marks.join(" "),
        );
    }
}

fn zones(context: &StepContext, rows: &mut Dump) {
    let state = &context.state;
    for at in state.zones.all() {
        let name = zone(context, at);
        let mut pieces = String::new();
        for piece in state.zones.pieces(at) {
            let piece = PieceId(*piece);
            let own = &state.pieces[piece.ix()];
            let _ = write!(pieces, " {}", piece_name(context, piece));
            if own.face != 0 {
                let _ = write!(pieces, "/{}", own.face);
            }
            if !own.known.is_empty() {
                let _ = write!(pieces, "!{:x}", own.known.bits());
            }
        }
        put(rows, format!("zone {name}"), pieces.trim_start());
    }
}

fn running(context: &StepContext, rows: &mut Dump) {
    let (content, state) = (context.content(), &context.state);
    for effect in &state.effects {
        let mut text = format!(
            "{} on {}",
            name(context, effect.entry),
            entity(context, effect.subject)
        );
        if let Some(piece) = effect.piece {
            let _ = write!(text, " by {}", piece_name(context, piece));
        }
        if !effect.active {
            text.push_str(" waiting");
        }
        if let Some(change) = &effect.modifier {
            let counter = change
                .counter
                .map(|id| &*content.entry(content.counters[id.ix()].entry).id);
            let query = change.query.map(|id| &*content.queries[id.ix()].name);
            let what = counter.or(query).unwrap_or_default();
            let _ = write!(text, " {what} {:?} {}", change.op, change.amount);
        }
        for until in effect.until.iter().flatten() {
            let _ = write!(
                text,
                " until {} {}",
                content.event_name(until.event),
                until.subject_only
            );
        }
        if let Some(uses) = effect.uses {
            let _ = write!(text, " uses {uses}");
        }
        for (key, value) in &effect.params {
            let _ = write!(text, " {key}={}", value_text(context, value));
        }
        put(rows, format!("effect {}", effect.id), text);
    }
    for (ix, fight) in state.fights.iter().enumerate() {
        let id = &content.entry(content.fights[fight.def.ix()].entry).id;
        let mut text = format!("{id} round {} turns {}", fight.round, fight.turns);
        for fighter in &fight.fighters {
            let who = entity(context, fighter.who);
            let _ = write!(
                text,
                " [{who} side {} turns {}",
                fighter.side, fighter.turns
            );
            text.push_str(if fighter.standing { "]" } else { " fallen]" });
        }
        let _ = write!(text, " current {}", fight.current);
        put(rows, format!("fight {ix}"), text);
    }
    let combo: Vec<String> = state
        .combo
        .iter()
        .map(|card| {
            format!(
                "{}:{}",
                piece_name(context, card.piece),
                card.link.map_or(-1, i16::from)
            )
        })
        .collect();
    put(rows, "combo", combo.join(" "));
    for roll in &state.rolls {
        let die = &content.entry(content.dice[roll.die.ix()].entry).id;
        let uses = roll.spent.iter();
        let spent: Vec<bool> = uses.map(|spent| *spent == DieUse::Spent).collect();
        put(
            rows,
            format!("roll {}", roll.id),
            format!("{die} {:?} {spent:?}", roll.faces),
        );
    }
    for (ix, used) in state.used.iter().enumerate() {
        let piece = used
            .piece
            .map(|piece| piece_name(context, piece))
            .unwrap_or_default();
        let place = used
            .place
            .map(|place| entity(context, Entity::Place(place)))
            .unwrap_or_default();
        let scope = format!("{:?}", used.scope);
        let text = format!(
            "{} {piece} seat-{} {place} {scope}",
            name(context, used.entry),
            used.seat.0
        );
        put(rows, format!("used {ix}"), text);
    }
    for (ix, (entry, group, amount)) in state.tallies.iter().enumerate() {
        put(
            rows,
            format!("tally {ix}"),
            format!("{} {group} {amount}", name(context, *entry)),
        );
    }
}

fn name(context: &StepContext, entry: EntryId) -> &str {
    &context.content().entry(entry).name
}

fn piece_name(context: &StepContext, piece: PieceId) -> String {
    let own = &context.state.pieces[piece.ix()];
    format!("{}#{}", context.content().entry(own.entry).id, own.copy)
}

fn entity(context: &StepContext, of: Entity) -> String {
    match of {
        Entity::Table => "table".to_owned(),
        Entity::Seat(seat) => format!("seat-{}", seat.0),
        Entity::Place(place) => {
            let entry = context.content().map.places[place.ix()].entry;
            format!("place:{}", context.content().entry(entry).id)
        }
        Entity::Piece(piece) => {
            let own = &context.state.pieces[piece.ix()];
            format!("piece:{}#{}", name(context, own.entry), own.copy)
        }
    }
}

fn zone(context: &StepContext, at: ZoneAt) -> String {
    match context.state.zones.def(context.content(), at) {
        None => "box".to_owned(),
        Some((of, zone)) => {
            let entry = context.content().zones[zone.ix()].entry;
            let id = &context.content().entry(entry).id;
            if of.owner().0 == Owner::Table {
                id.to_string()
            } else {
                format!("{id} of {}", entity(context, of))
            }
        }
    }
}

fn value_text(context: &StepContext, value: &Value) -> String {
    match value {
        Value::Unit => "()".to_owned(),
        Value::Int(n) => n.to_string(),
        Value::Bool(yes) => yes.to_string(),
        Value::Text(text) => format!("{text:?}"),
        Value::Entity(of) => entity(context, *of),
        Value::Zone(at) => zone(context, *at),
        Value::Entry(entry) => name(context, *entry).to_owned(),
        Value::Phase(phase) => {
            let entry = context.content().phases[phase.ix()].entry;
            context.content().entry(entry).id.to_string()
        }
        Value::List(all) => {
            let all: Vec<String> = all.iter().map(|value| value_text(context, value)).collect();
            format!("[{}]", all.join(", "))
        }
        Value::Map(rows) | Value::Table(rows) => {
            let rows: Vec<String> = rows
                .iter()
                .map(|(key, value)| format!("{key}: {}", value_text(context, value)))
                .collect();
            format!("{{{}}}", rows.join(", "))
        }
        // Recorded games know a roll by its number.
        Value::Roll(number) => number.to_string(),
        other => format!("{other:?}"),
    }
}
