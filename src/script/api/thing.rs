//! Seats, pieces, places and the table: their counters, fields, marks and tags.

use crate::number::cast;
use std::sync::Arc;

use rhai::plugin::*;
use rhai::{Dynamic, ImmutableString};

use super::super::host::{HostResult, with};
use super::super::types::{EntityRef, EntryRef, TableRef, ZoneRef};
use super::entry::{entry_id, shown, text};
use crate::content::{Content, CounterId, EntryId, PieceId, ZoneId};
use crate::diagnostic::nearest;
use crate::game::{
    Cx, Entity, State, StepContext, StepResult, counter, fight, moves, names, query, travel,
};

/// The counter with a name, or a fault with the closest name.
pub(super) fn counter_id(cx: &Cx, of: Entity, name: &str) -> StepResult<CounterId> {
    match cx.content().symbol(name).counter {
        Some(counter) if State::counter_at(cx.content(), of, counter).is_some() => Ok(counter),
        Some(_) => Err(cx.fault(format!(
            "{} has no counter `{name}`: see `of` of that counter",
            names::entity(cx, of)
        ))),
        None => {
            let known = cx
                .content()
                .counters
                .iter()
                .map(|def| &*cx.content().entry(def.entry).id);
            let hint = nearest(name, known)
                .map(|near| format!("; did you mean `{near}`?"))
                .unwrap_or_default();
            Err(cx.fault(format!("unknown counter `{name}`{hint}")))
        }
    }
}

/// The entry of a piece or a place.
pub(super) fn entry_of(context: &StepContext, of: Entity) -> Option<EntryId> {
    match of {
        Entity::Piece(piece) => Some(context.entry_of(piece)),
        Entity::Place(place) => Some(context.content().map.places[place.ix()].entry),
        Entity::Seat(_) | Entity::Table => None,
    }
}

/// A property name, resolved once.
#[derive(Clone)]
pub(in crate::script) struct Named {
    name: Arc<str>,
    counter: Option<CounterId>,
    zone: Option<ZoneId>,
}

impl Named {
    pub fn new(content: &Content, name: &str) -> Named {
        let symbols = content.symbol(name);
        Named {
            name: name.into(),
            counter: symbols.counter,
            zone: symbols.zone,
        }
    }

    pub fn name(&self) -> &str {
        &self.name
    }
}

/// Reads `thing.name`.
pub(in crate::script) fn property(cx: &mut Cx, of: Entity, named: &Named) -> StepResult<Dynamic> {
    if let Some(counter) = named.counter
        && State::counter_at(cx.content(), of, counter).is_some()
    {
        return query::counter_value(cx, of, counter).map(Dynamic::from_int);
    }
    if let Some(at) = named
        .zone
        .and_then(|zone| cx.state.zones.at(cx.content(), of, zone))
    {
        return Ok(Dynamic::from(ZoneRef(at)));
    }
    let name = &*named.name;
    if let Some(value) = built_in(cx, of, name) {
        return Ok(value);
    }
    let field = match of {
        Entity::Piece(piece) => names::piece_field(cx, piece, name),
        _ => entry_of(cx, of).and_then(|entry| cx.content().entry(entry).field(name)),
    };
    let field = field.map(|value| shown(cx, value));
    field.map_or_else(|| missing(cx, of, name), Ok)
}

fn missing(cx: &Cx, of: Entity, name: &str) -> StepResult<Dynamic> {
    if let Some(entry) = entry_of(cx, of) {
        let kind = &cx.content().kinds[cx.content().entry(entry).kind.ix()];
        if kind.fields.iter().any(|field| &**field == name) {
            return Ok(Dynamic::UNIT);
        }
    }
    let content = cx.content();
    let counters = content
        .counters
        .iter()
        .map(|def| &*content.entry(def.entry).id);
    let zones = content
        .zones
        .iter()
        .map(|def| &*content.entry(def.entry).id);
    let kind = entry_of(cx, of).map(|entry| &content.kinds[content.entry(entry).kind.ix()].fields);
    let fields = kind.into_iter().flatten().map(|field| &**field);
    let hint = nearest(
        name,
        counters
            .chain(zones)
            .chain(fields)
            .chain(BUILT_IN.iter().copied()),
    );
    let hint = hint
        .map(|near| format!("; did you mean `{near}`?"))
        .unwrap_or_default();
    Err(cx.fault(format!(
        "{} has no counter, zone or field `{name}`{hint}",
        names::entity(cx, of)
    )))
}

/// The built-in properties of seats, pieces, places and the table.
pub(in crate::script) const BUILT_IN: &[&str] = &[
    "title",
    "place",
    "number",
    "turns",
    "role",
    "is_active",
    "is_out",
    "left",
    "right",
    "id",
    "kind",
    "zone",
    "owner",
    "entry",
    "face",
    "side",
    "target",
    "controller",
    "is_standing",
    "fight_turns",
    "seat",
    "is_seat",
    "is_piece",
    "is_place",
];

fn built_in(cx: &Cx, of: Entity, name: &str) -> Option<Dynamic> {
    let seat = |seat: Option<crate::content::SeatId>| {
        seat.map_or(Dynamic::UNIT, |seat| {
            Dynamic::from(EntityRef(Entity::Seat(seat)))
        })
    };
    let fighter = fight::fighter_of(cx, of);
    Some(match name {
        "title" => text(&names::entity(cx, of)),
        "place" => place_of(cx, of),
        "is_seat" => Dynamic::from_bool(matches!(of, Entity::Seat(_))),
        "is_piece" => Dynamic::from_bool(matches!(of, Entity::Piece(_))),
        "is_place" => Dynamic::from_bool(matches!(of, Entity::Place(_))),
        "seat" | "owner" => match of {
            Entity::Seat(_) => Dynamic::from(EntityRef(of)),
            Entity::Piece(piece) => seat(cx.owner_of(piece)),
            _ => Dynamic::UNIT,
        },
        "side" => Dynamic::from_int(i64::from(fighter?.side)),
        "is_standing" => Dynamic::from_bool(fighter.is_some_and(|fighter| fighter.standing)),
        "fight_turns" => Dynamic::from_int(i64::from(fighter?.turns)),
        "controller" => seat(Some(fighter?.controller)),
        "target" => {
            let target = usize::from(fighter?.target);
            Dynamic::from(EntityRef(cx.fight()?.fighters.get(target)?.who))
        }
        _ => match of {
            Entity::Seat(own) => super::seat::property(cx, own, name)?,
            Entity::Piece(piece) => super::piece::property(cx, piece, name)?,
            _ => {
                let entry = entry_of(cx, of)?;
                match name {
                    "id" => text(&cx.content().entry(entry).id),
                    "entry" => Dynamic::from(EntryRef(entry)),
                    "kind" => text(&cx.content().kinds[cx.content().entry(entry).kind.ix()].id),
                    _ => return None,
                }
            }
        },
    })
}

fn place_of(cx: &Cx, of: Entity) -> Dynamic {
    let place = match of {
        Entity::Seat(seat) => cx.state.at[seat.ix()],
        Entity::Place(place) => Some(place),
        Entity::Piece(piece) => {
            let zone = cx.state.zones.zone_of(piece);
            match cx.state.zones.def(cx.content(), zone) {
                Some((Entity::Place(place), _)) => Some(place),
                _ => None,
            }
        }
        Entity::Table => None,
    };
    place.map_or(Dynamic::UNIT, |place| {
        Dynamic::from(EntityRef(Entity::Place(place)))
    })
}

/// Writes `thing.name = value`.
pub(in crate::script) fn set_property(
    cx: &mut Cx,
    of: Entity,
    named: &Named,
    value: &Dynamic,
) -> StepResult {
    let name = &*named.name;
    // `actor.left.coins += 1` writes `left` back, unchanged. Only `target` can be set to an entity.
    if name != "target"
        && (value.is::<EntityRef>()
            || value.is::<ZoneRef>()
            || value.is::<EntryRef>()
            || value.is::<TableRef>())
    {
        return Ok(());
    }
    if name == "target" {
        let target = value
            .read_lock::<EntityRef>()
            .and_then(|thing| fight::position(cx, thing.0));
        let me = fight::position(cx, of);
        let (Some(target), Some(me)) = (target, me) else {
            return Err(cx.fault("a fighter and its `target` must both be in the fight"));
        };
        cx.require_write_access("setting a target")?;
        if let Some(fight) = cx.state.fights.last_mut() {
            fight.fighters[me].target = cast::<_, u8>(target);
        }
        return Ok(());
    }
    let counter = match named
        .counter
        .filter(|counter| State::counter_at(cx.content(), of, *counter).is_some())
    {
        Some(counter) => counter,
        None => counter_id(cx, of, name)?,
    };
    let Ok(wanted) = value.as_int() else {
        return Err(cx.fault(format!("counter `{name}` must be a whole number")));
    };
    let now = query::counter_value(cx, of, counter)?;
    counter::change(cx, of, counter, wanted - now).map(|_| ())
}

#[export_module]
pub mod words {
    /// Returns the value of a counter, a zone or a field of a seat, piece, place or the table.
    /// ```rhai
    /// actor.coins // is 3
    /// actor.place // is Green
    /// piece("rose").colour // is red
    /// table.market.len() // is 3
    /// ```
    #[rhai_fn(index_get, return_raw)]
    pub fn get_thing(thing: &mut EntityRef, name: ImmutableString) -> HostResult<Dynamic> {
        let of = thing.0;
        with(|cx| {
            let named = Named::new(cx.content(), &name);
            property(cx, of, &named)
        })
    }

    /// Sets a counter within its bounds and fires its events. In a fight, the `target` of a fighter can be
    /// set too.
    /// ```rhai
    /// actor.coins += 2;
    /// actor.coins // is 5
    /// // A jug holds 4.
    /// actor.water = 9;
    /// actor.water // is 4
    /// ```
    #[rhai_fn(index_set, return_raw)]
    pub fn set_thing(
        thing: &mut EntityRef,
        name: ImmutableString,
        value: Dynamic,
    ) -> HostResult<()> {
        let of = thing.0;
        with(|cx| {
            let named = Named::new(cx.content(), &name);
            set_property(cx, of, &named, &value)
        })
    }

    /// Raises a counter within its bounds; returns by how much it rose.
    /// ```rhai
    /// // There are 2 in a jug of 4.
    /// actor.gain("water", 5); // is 2
    /// actor.water // is 4
    /// ```
    #[rhai_fn(return_raw)]
    pub fn gain(thing: EntityRef, counter: ImmutableString, amount: i64) -> HostResult<i64> {
        with(|cx| {
            let id = counter_id(cx, thing.0, &counter)?;
            counter::change(cx, thing.0, id, amount.max(0))
        })
    }

    /// Lowers a counter within its bounds; returns by how much it fell.
    /// ```rhai
    /// actor.lose("coins", 5); // is 3
    /// actor.coins // is 0
    /// ```
    #[rhai_fn(return_raw)]
    pub fn lose(thing: EntityRef, counter: ImmutableString, amount: i64) -> HostResult<i64> {
        with(|cx| {
            let id = counter_id(cx, thing.0, &counter)?;
            counter::change(cx, thing.0, id, -amount.max(0)).map(|change| -change)
        })
    }

    /// Returns the value of a counter without effects and answers.
    /// ```rhai
    /// effect("jug", #{ subject: actor, add: 2 });
    /// actor.jug // is 6
    /// base_value(actor, "jug") // is 4
    /// ```
    #[rhai_fn(return_raw)]
    pub fn base_value(thing: EntityRef, counter: ImmutableString) -> HostResult<i64> {
        with(|cx| {
            let id = counter_id(cx, thing.0, &counter)?;
            Ok(i64::from(cx.state.base(cx.content(), thing.0, id)))
        })
    }

    /// Returns the highest value a counter may have now.
    /// ```rhai
    /// actor.water // is 2
    /// actor.max_value("water") // is 4
    /// ```
    #[rhai_fn(return_raw)]
    pub fn max_value(thing: EntityRef, counter: ImmutableString) -> HostResult<i64> {
        with(|cx| {
            let id = counter_id(cx, thing.0, &counter)?;
            counter::bounds(cx, thing.0, id).map(|(_, max)| max)
        })
    }

    /// Sets a mark: a word that stays until `unmark` removes it.
    /// ```rhai
    /// actor.mark("muddy");
    /// actor.marked("muddy") // is true
    /// ```
    #[rhai_fn(return_raw)]
    pub fn mark(thing: EntityRef, word: ImmutableString) -> HostResult<()> {
        with(|cx| travel::mark(cx, thing.0, &word, true))
    }

    /// Removes a mark.
    /// ```rhai
    /// actor.mark("muddy");
    /// actor.unmark("muddy");
    /// actor.marked("muddy") // is false
    /// ```
    #[rhai_fn(return_raw)]
    pub fn unmark(thing: EntityRef, word: ImmutableString) -> HostResult<()> {
        with(|cx| travel::mark(cx, thing.0, &word, false))
    }

    /// Returns whether a seat, piece, place or the table has a mark.
    /// ```rhai
    /// piece("rose").mark("watered");
    /// piece("rose").marked("watered") // is true
    /// piece("tulip").marked("watered") // is false
    /// ```
    #[rhai_fn(return_raw)]
    pub fn marked(thing: EntityRef, word: ImmutableString) -> HostResult<bool> {
        with(|cx| Ok(travel::has_mark(cx, thing.0, &word)))
    }

    /// Returns whether a piece or a place has a tag.
    /// ```rhai
    /// piece("rose").has_tag("thorny") // is true
    /// actor.place.has_tag("open") // is true
    /// ```
    #[rhai_fn(name = "has_tag", return_raw)]
    pub fn has_tag(thing: EntityRef, tag: ImmutableString) -> HostResult<bool> {
        with(|cx| {
            let entry = entry_of(cx, thing.0);
            Ok(entry.is_some_and(|entry| {
                cx.content()
                    .entry(entry)
                    .tags
                    .iter()
                    .any(|own| **own == *tag.as_str())
            }))
        })
    }

    /// Returns the zone with a name of a seat, piece, place or the table. If it has none, returns that of
    /// the seat that holds the piece, else that of the table.
    /// ```rhai
    /// actor.zone("hand").len() // is 3
    /// piece("rose").zone("compost") == actor.compost // is true
    /// ```
    #[rhai_fn(name = "zone", return_raw)]
    pub fn zone_of(thing: EntityRef, name: ImmutableString) -> HostResult<ZoneRef> {
        with(|cx| {
            let zone = cx.content().symbol(&name).zone;
            let at = zone.and_then(|zone| moves::zone_near(cx, thing.0, zone));
            at.map(ZoneRef).ok_or_else(|| {
                cx.fault(format!(
                    "unknown zone `{name}` of this seat, piece, place or table"
                ))
            })
        })
    }

    /// Returns a piece in play by its id; `"rose#2"` is the second copy. For a place, use [`place`].
    /// ```rhai
    /// piece("goose").bite // is 2
    /// piece("rose").owner // is Ann
    /// piece("rose#3").owner // is Ben
    /// ```
    #[rhai_fn(name = "piece", return_raw)]
    pub fn piece(id: ImmutableString) -> HostResult<EntityRef> {
        with(|cx| {
            let (name, nth) = id.split_once('#').unwrap_or((id.as_str(), "1"));
            let entry = entry_id(cx, name)?;
            if cx.content().entry(entry).place.is_some() {
                return Err(cx.fault(format!("`{name}` is a place: write place(\"{name}\")")));
            }
            let nth = nth.parse::<usize>().unwrap_or(1).max(1);
            let mut copies = (0..cx.state.pieces.len())
                .map(PieceId::at)
                .filter(|piece| cx.entry_of(*piece) == entry);
            let found = copies.nth(nth - 1);
            found
                .map(|piece| EntityRef(Entity::Piece(piece)))
                .ok_or_else(|| cx.fault(format!("`{id}` is not in play")))
        })
    }

    /// Returns whether two seats, pieces or places are the same.
    /// ```rhai
    /// actor == seat(1) // is true
    /// piece("rose") == piece("rose#2") // is false
    /// ```
    #[rhai_fn(name = "==")]
    pub fn same_thing(one: EntityRef, other: EntityRef) -> bool {
        one == other
    }

    /// Returns whether two seats, pieces or places differ.
    /// ```rhai
    /// actor != actor.left // is true
    /// ```
    #[rhai_fn(name = "!=")]
    pub fn other_thing(one: EntityRef, other: EntityRef) -> bool {
        one != other
    }

    /// Returns whether there is a seat, piece or place.
    /// ```rhai
    /// actor.hand.top() != () // is true
    /// actor.bed.top() != () // is false
    /// ```
    #[rhai_fn(name = "!=")]
    pub fn some_thing(_one: EntityRef, _nothing: ()) -> bool {
        true
    }

    /// Returns whether there is no seat, piece or place.
    /// ```rhai
    /// actor.hand.top() == () // is false
    /// actor.bed.top() == () // is true
    /// ```
    #[rhai_fn(name = "==")]
    pub fn no_thing(_one: EntityRef, _nothing: ()) -> bool {
        false
    }
}
