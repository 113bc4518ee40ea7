//! Seats, pieces, places and the table: their counters, fields, marks and tags.

use std::sync::Arc;

use rhai::plugin::*;
use rhai::{Array, Dynamic, ImmutableString};

use super::super::convert::from_value;
use super::super::host::{Host, with};
use super::super::types::{Data, EntryRef, PhaseRef, ScriptRef, Thing, Zone};
use crate::content::{Content, CounterId, EntryId, PieceId, Value, ZoneId};
use crate::diagnostic::nearest;
use crate::game::{Core, Cx, Entity, Res, State, counter, fight, moves, names, query, travel};

/// The counter of a name, or a fault that says which there are.
pub(super) fn counter_id(cx: &Cx, of: Entity, name: &str) -> Res<CounterId> {
    match cx.content().symbol(name).counter {
        Some(counter) if State::counter_at(cx.content(), of, counter).is_some() => Ok(counter),
        Some(_) => Err(cx.fault(format!("{} has no counter `{name}`; it belongs to others", names::entity(cx, of)))),
        None => {
            let known = cx.content().counters.iter().map(|def| &*cx.content().entry(def.entry).id);
            let hint = nearest(name, known).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
            Err(cx.fault(format!("there is no counter `{name}`{hint}")))
        }
    }
}

/// The entry of a name, or a fault.
pub(super) fn entry_id(cx: &Cx, name: &str) -> Res<EntryId> {
    cx.content().find(name).ok_or_else(|| {
        if cx.content().is_ambiguous(name) {
            return cx.fault(format!("`{name}` stands for several entries: write `kind/{name}` or `pack:kind/{name}`"));
        }
        let known = cx.content().entries.iter().map(|entry| &*entry.id);
        let hint = nearest(name, known).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        cx.fault(format!("there is no entry `{name}`{hint}"))
    })
}

/// The entry behind a piece or a place.
pub(super) fn entry_of(core: &Core, of: Entity) -> Option<EntryId> {
    match of {
        Entity::Piece(piece) => Some(core.entry_of(piece)),
        Entity::Place(place) => Some(core.content().map.places[place.ix()].entry),
        Entity::Seat(_) | Entity::Table => None,
    }
}

/// A field's value for a script; a reference to a place is that place.
fn shown(cx: &Cx, value: &Value) -> Dynamic {
    if let Value::Entry(id) = value
        && let Some(place) = cx.content().entry(*id).place
    {
        return Dynamic::from(Thing(Entity::Place(place)));
    }
    from_value(value)
}

fn text(text: &str) -> Dynamic {
    Dynamic::from(ImmutableString::from(text))
}

/// A name after a dot, with what it means in the content looked up once.
#[derive(Clone)]
pub(in crate::script) struct Named {
    name: Arc<str>,
    counter: Option<CounterId>,
    zone: Option<ZoneId>,
}

impl Named {
    pub fn new(content: &Content, name: &str) -> Named {
        let symbols = content.symbol(name);
        Named { name: name.into(), counter: symbols.counter, zone: symbols.zone }
    }

    /// The name itself.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// What `thing.name` reads.
pub(in crate::script) fn property(cx: &mut Cx, of: Entity, named: &Named) -> Res<Dynamic> {
    if let Some(counter) = named.counter
        && State::counter_at(cx.content(), of, counter).is_some()
    {
        return query::value(cx, of, counter).map(Dynamic::from_int);
    }
    if let Some(at) = named.zone.and_then(|zone| cx.state.zones.at(cx.content(), of, zone)) {
        return Ok(Dynamic::from(Zone(at)));
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

fn missing(cx: &Cx, of: Entity, name: &str) -> Res<Dynamic> {
    if let Some(entry) = entry_of(cx, of) {
        let kind = &cx.content().kinds[cx.content().entry(entry).kind.ix()];
        if kind.fields.iter().any(|field| &**field == name) {
            return Ok(Dynamic::UNIT);
        }
    }
    let content = cx.content();
    let counters = content.counters.iter().map(|def| &*content.entry(def.entry).id);
    let zones = content.zones.iter().map(|def| &*content.entry(def.entry).id);
    let kind = entry_of(cx, of).map(|entry| &content.kinds[content.entry(entry).kind.ix()].fields);
    let fields = kind.into_iter().flatten().map(|field| &**field);
    let hint = nearest(name, counters.chain(zones).chain(fields).chain(BUILT_IN.iter().copied()));
    let hint = hint.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    Err(cx.fault(format!("{} has no counter, zone or field `{name}`{hint}", names::entity(cx, of))))
}

/// What every thing can be asked for, whatever the pack declares.
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
        seat.map_or(Dynamic::UNIT, |seat| Dynamic::from(Thing(Entity::Seat(seat))))
    };
    let fighter = fight::fighter_of(cx, of);
    Some(match name {
        "title" => text(&names::entity(cx, of)),
        "place" => place_of(cx, of),
        "is_seat" => Dynamic::from_bool(matches!(of, Entity::Seat(_))),
        "is_piece" => Dynamic::from_bool(matches!(of, Entity::Piece(_))),
        "is_place" => Dynamic::from_bool(matches!(of, Entity::Place(_))),
        "seat" | "owner" => match of {
            Entity::Seat(_) => Dynamic::from(Thing(of)),
            Entity::Piece(piece) => seat(cx.owner_of(piece)),
            _ => Dynamic::UNIT,
        },
        "side" => Dynamic::from_int(i64::from(fighter?.side)),
        "is_standing" => Dynamic::from_bool(fighter.is_some_and(|fighter| fighter.standing)),
        "fight_turns" => Dynamic::from_int(i64::from(fighter?.turns)),
        "controller" => seat(Some(fighter?.controller)),
        "target" => {
            let target = usize::from(fighter?.target);
            Dynamic::from(Thing(cx.fight()?.fighters.get(target)?.who))
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
    place.map_or(Dynamic::UNIT, |place| Dynamic::from(Thing(Entity::Place(place))))
}

/// What `thing.name = value` does.
pub(in crate::script) fn set_property(cx: &mut Cx, of: Entity, named: &Named, value: &Dynamic) -> Res {
    let name = &*named.name;
    // `actor.left.coins += 1` writes `left` back, unchanged; nothing but a target is ever set to a thing.
    if name != "target" && (value.is::<Thing>() || value.is::<Zone>() || value.is::<EntryRef>()) {
        return Ok(());
    }
    if name == "target" {
        let target = value.read_lock::<Thing>().and_then(|thing| fight::position(cx, thing.0));
        let me = fight::position(cx, of);
        let (Some(target), Some(me)) = (target, me) else {
            return Err(cx.fault("both must be in the fight to become a target"));
        };
        cx.changing("aiming")?;
        if let Some(fight) = cx.state.fights.last_mut() {
            fight.fighters[me].target = u8::try_from(target).unwrap_or(0);
        }
        return Ok(());
    }
    let counter = match named.counter.filter(|counter| State::counter_at(cx.content(), of, *counter).is_some()) {
        Some(counter) => counter,
        None => counter_id(cx, of, name)?,
    };
    let Ok(wanted) = value.as_int() else {
        return Err(cx.fault(format!("`{name}` is a counter, so it takes a whole number")));
    };
    let now = query::value(cx, of, counter)?;
    counter::change(cx, of, counter, wanted - now).map(|_| ())
}

/// The field of an entry for a script.
pub(in crate::script) fn entry_field(cx: &Cx, id: EntryId, name: &str) -> Res<Dynamic> {
    let content: &Content = cx.content();
    let entry = content.entry(id);
    if let Some(value) = entry.field(name) {
        return Ok(shown(cx, value));
    }
    let kind = &content.kinds[entry.kind.ix()];
    match name {
        "id" => Ok(text(&entry.id)),
        "title" => Ok(text(&entry.title)),
        "kind" => Ok(text(&kind.id)),
        "copies" => Ok(Dynamic::from_int(i64::from(entry.copies))),
        _ if kind.fields.iter().any(|field| &**field == name) => Ok(Dynamic::UNIT),
        _ => {
            let hint = nearest(name, kind.fields.iter().map(|field| &**field));
            let hint = hint.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
            Err(cx.fault(format!("{} (a {}) has no field `{name}`{hint}", entry.id, kind.id)))
        }
    }
}

#[export_module]
pub mod words {
    /// A counter's value, a zone, or a field of a seat, piece, place or the table: `actor.coins`.
    #[rhai_fn(index_get, return_raw)]
    pub fn get_thing(thing: &mut Thing, name: ImmutableString) -> Host<Dynamic> {
        let of = thing.0;
        with(|cx| {
            let named = Named::new(cx.content(), &name);
            property(cx, of, &named)
        })
    }

    /// Changes a counter: `actor.coins += 2`. Bounds hold, and events fire.
    #[rhai_fn(index_set, return_raw)]
    pub fn set_thing(thing: &mut Thing, name: ImmutableString, value: Dynamic) -> Host<()> {
        let of = thing.0;
        with(|cx| {
            let named = Named::new(cx.content(), &name);
            set_property(cx, of, &named, &value)
        })
    }

    /// A field of an entry: `entry.toll`.
    #[rhai_fn(index_get, return_raw)]
    pub fn get_entry(entry: &mut EntryRef, name: ImmutableString) -> Host<Dynamic> {
        let id = entry.0;
        with(|cx| entry_field(cx, id, &name))
    }

    /// A named value of a table in an entry: `option.text`; nothing where it was not given.
    #[rhai_fn(index_get)]
    pub fn get_data(data: &mut Data, name: ImmutableString) -> Dynamic {
        data.0.get(&name).map_or(Dynamic::UNIT, from_value)
    }

    /// The value at a position of a list in an entry, from 0: `entry.levels[1]`; a position beyond the end gives nothing.
    #[rhai_fn(index_get)]
    pub fn get_data_at(data: &mut Data, position: i64) -> Dynamic {
        let at = usize::try_from(position).ok();
        at.and_then(|at| data.0.list().get(at)).map_or(Dynamic::UNIT, from_value)
    }

    /// How many values a list in an entry has.
    #[rhai_fn(name = "len", get = "len", pure)]
    pub fn data_len(data: &mut Data) -> i64 {
        i64::try_from(data.0.list().len()).unwrap_or(0)
    }

    /// Raises a counter and gives by how much it rose: bounds may hold it.
    #[rhai_fn(return_raw)]
    pub fn gain(thing: Thing, counter: ImmutableString, amount: i64) -> Host<i64> {
        with(|cx| {
            let id = counter_id(cx, thing.0, &counter)?;
            counter::change(cx, thing.0, id, amount.max(0))
        })
    }

    /// Lowers a counter and gives by how much it fell: bounds may hold it.
    #[rhai_fn(return_raw)]
    pub fn lose(thing: Thing, counter: ImmutableString, amount: i64) -> Host<i64> {
        with(|cx| {
            let id = counter_id(cx, thing.0, &counter)?;
            counter::change(cx, thing.0, id, -amount.max(0)).map(|change| -change)
        })
    }

    /// The base value of a counter, without effects: `base(actor, "guard")`.
    #[rhai_fn(return_raw)]
    pub fn base(thing: Thing, counter: ImmutableString) -> Host<i64> {
        with(|cx| {
            let id = counter_id(cx, thing.0, &counter)?;
            Ok(i64::from(cx.state.base(cx.content(), thing.0, id)))
        })
    }

    /// The highest value a counter may have now.
    #[rhai_fn(return_raw)]
    pub fn most(thing: Thing, counter: ImmutableString) -> Host<i64> {
        with(|cx| {
            let id = counter_id(cx, thing.0, &counter)?;
            counter::bounds(cx, thing.0, id).map(|(_, max)| max)
        })
    }

    /// Sets a mark: a word that stays until it is taken away.
    #[rhai_fn(return_raw)]
    pub fn mark(thing: Thing, word: ImmutableString) -> Host<()> {
        with(|cx| travel::mark(cx, thing.0, &word, true))
    }

    /// Takes a mark away.
    #[rhai_fn(return_raw)]
    pub fn unmark(thing: Thing, word: ImmutableString) -> Host<()> {
        with(|cx| travel::mark(cx, thing.0, &word, false))
    }

    /// Whether something has a mark.
    #[rhai_fn(return_raw)]
    pub fn marked(thing: Thing, word: ImmutableString) -> Host<bool> {
        with(|cx| Ok(travel::has_mark(cx, thing.0, &word)))
    }

    /// Whether a piece or a place has a tag.
    #[rhai_fn(name = "has_tag", return_raw)]
    pub fn has_tag(thing: Thing, tag: ImmutableString) -> Host<bool> {
        with(|cx| {
            let entry = entry_of(cx, thing.0);
            Ok(entry.is_some_and(|entry| cx.content().entry(entry).tags.iter().any(|own| **own == *tag.as_str())))
        })
    }

    /// Whether an entry has a tag.
    #[rhai_fn(name = "has_tag", return_raw)]
    pub fn entry_has_tag(entry: EntryRef, tag: ImmutableString) -> Host<bool> {
        with(|cx| Ok(cx.content().entry(entry.0).tags.iter().any(|own| **own == *tag.as_str())))
    }

    /// The zone of that name of a seat, piece, place or the table.
    #[rhai_fn(name = "zone", return_raw)]
    pub fn zone_of(thing: Thing, name: ImmutableString) -> Host<Zone> {
        with(|cx| {
            let zone = cx.content().symbol(&name).zone;
            let at = zone.and_then(|zone| moves::zone_near(cx, thing.0, zone));
            at.map(Zone).ok_or_else(|| cx.fault(format!("there is no zone `{name}` there")))
        })
    }

    /// The entry of an id: `entry_of("low-sweep")`, `entry_of("card/low-sweep")`.
    #[rhai_fn(name = "entry_of", return_raw)]
    pub fn find_entry(id: ImmutableString) -> Host<EntryRef> {
        with(|cx| entry_id(cx, &id).map(EntryRef))
    }

    /// A piece in play or a place by its id; `"wolf#2"` is the second copy.
    #[rhai_fn(name = "the", return_raw)]
    pub fn the(id: ImmutableString) -> Host<Thing> {
        with(|cx| {
            let (name, nth) = id.split_once('#').unwrap_or((id.as_str(), "1"));
            let entry = entry_id(cx, name)?;
            if let Some(place) = cx.content().entry(entry).place {
                return Ok(Thing(Entity::Place(place)));
            }
            let nth = nth.parse::<usize>().unwrap_or(1).max(1);
            let mut copies = (0..cx.state.pieces.len()).map(PieceId::at).filter(|piece| cx.entry_of(*piece) == entry);
            let found = copies.nth(nth - 1);
            found.map(|piece| Thing(Entity::Piece(piece))).ok_or_else(|| cx.fault(format!("`{id}` is not in play")))
        })
    }

    /// Every entry of a kind, in the order of the packs.
    #[rhai_fn(return_raw)]
    pub fn entries(kind: ImmutableString) -> Host<Array> {
        with(|cx| {
            let Some(id) = cx.content().kind(&kind) else {
                return Err(cx.fault(format!("there is no kind `{kind}`")));
            };
            let all = cx.content().entries.len() as u64;
            cx.spend(all)?;
            Ok(cx.content().of_kind(id).map(|entry| Dynamic::from(EntryRef(entry))).collect())
        })
    }

    /// The rows of a [[table]].
    #[rhai_fn(name = "table", return_raw)]
    pub fn rows(id: ImmutableString) -> Host<Dynamic> {
        with(|cx| {
            let entry = entry_id(cx, &format!("table/{id}"))?;
            Ok(cx.content().entry(entry).field("rows").map_or(Dynamic::UNIT, from_value))
        })
    }

    /// Whether an option was chosen for this game.
    #[rhai_fn(return_raw)]
    pub fn option(id: ImmutableString) -> Host<bool> {
        with(|cx| Ok(cx.content().options.iter().any(|option| option == id.as_str())))
    }

    /// Whether two things are the same.
    #[rhai_fn(name = "==")]
    pub fn same_thing(one: Thing, other: Thing) -> bool {
        one == other
    }

    /// Whether two things are not the same.
    #[rhai_fn(name = "!=")]
    pub fn other_thing(one: Thing, other: Thing) -> bool {
        one != other
    }

    /// Whether a thing is there at all: `owner != ()`.
    #[rhai_fn(name = "!=")]
    pub fn some_thing(_one: Thing, _nothing: ()) -> bool {
        true
    }

    /// Whether a thing is not there: `owner == ()`.
    #[rhai_fn(name = "==")]
    pub fn no_thing(_one: Thing, _nothing: ()) -> bool {
        false
    }

    /// Whether two entries are the same.
    #[rhai_fn(name = "==")]
    pub fn same_entry(one: EntryRef, other: EntryRef) -> bool {
        one == other
    }

    /// Whether two entries are not the same.
    #[rhai_fn(name = "!=")]
    pub fn other_entry(one: EntryRef, other: EntryRef) -> bool {
        one != other
    }

    /// Whether two phases are the same.
    #[rhai_fn(name = "==")]
    pub fn same_phase(one: PhaseRef, other: PhaseRef) -> bool {
        one == other
    }

    /// Whether a phase has an id: `event.phase == "travel"`.
    #[rhai_fn(name = "==", return_raw)]
    pub fn phase_is(one: PhaseRef, id: ImmutableString) -> Host<bool> {
        with(|cx| Ok(*cx.content().entry(cx.content().phases[one.0.ix()].entry).id == *id.as_str()))
    }

    /// Whether an entry has an id: `event.action == "train"`.
    #[rhai_fn(name = "==", return_raw)]
    pub fn entry_is(one: EntryRef, id: ImmutableString) -> Host<bool> {
        with(|cx| Ok(*cx.content().entry(one.0).id == *id.as_str()))
    }

    /// Whether a phase has not that id.
    #[rhai_fn(name = "!=", return_raw)]
    pub fn phase_is_not(one: PhaseRef, id: ImmutableString) -> Host<bool> {
        phase_is(one, id).map(|is| !is)
    }

    /// Whether an entry has not that id.
    #[rhai_fn(name = "!=", return_raw)]
    pub fn entry_is_not(one: EntryRef, id: ImmutableString) -> Host<bool> {
        entry_is(one, id).map(|is| !is)
    }

    /// Whether a thing is what an entry or place field names: `it.den == actor.place`.
    #[rhai_fn(name = "==", return_raw)]
    pub fn thing_is_entry(one: Thing, other: EntryRef) -> Host<bool> {
        with(|cx| Ok(entry_of(cx, one.0) == Some(other.0)))
    }

    /// Whether an entry is that of a thing.
    #[rhai_fn(name = "==", return_raw)]
    pub fn entry_is_thing(one: EntryRef, other: Thing) -> Host<bool> {
        thing_is_entry(other, one)
    }

    /// Whether a script is there: `if option.then != () { run(option.then) }`.
    #[rhai_fn(name = "!=")]
    pub fn some_script(_one: ScriptRef, _nothing: ()) -> bool {
        true
    }
}
