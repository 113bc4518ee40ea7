//! Seats, pieces, places and the table: their counters, fields, marks and tags.

use kaer_macros::primitives;

use crate::number::cast;
use crate::script::operators::search_cost;
use crate::script::primitive::*;
use crate::value::Text;

use super::entry::{entry_id, shown};
use crate::content::{Content, CounterId, EntryId, PieceId, Symbols, ZoneId};
use crate::diagnostic::nearest;
use crate::game::{
    Cx, Entity, StepContext, StepResult, Stop, counter, fight, moves, names, query, travel,
};

/// The counter with this name, or a fault with the closest name.
pub(super) fn counter_id(cx: &Cx, entity: Entity, name: &str) -> StepResult<CounterId> {
    match cx.symbol(name).counter {
        Some(counter) if cx.state.has_counter(cx.content(), entity, counter) => Ok(counter),
        Some(_) => Err(cx.fault(format!(
            "{} has no counter `{name}`: see `of` and `pieces` of that counter",
            names::entity(cx, entity)
        ))),
        None => {
            let known = cx
                .content()
                .counters
                .iter()
                .map(|def| &*cx.content().entry(def.entry).id);
            let is_counter = |own: &Symbols| own.counter.is_some();
            if let Some(fault) = ambiguous(cx, name, is_counter) {
                return Err(fault);
            }
            let hint = nearest(name, known)
                .map(|near| format!("; did you mean `{near}`?"))
                .unwrap_or_default();
            Err(cx.fault(format!("unknown counter `{name}`{hint}")))
        }
    }
}

/// The fault for a name that several packs define, if that is what is wrong with it.
pub(super) fn ambiguous(cx: &Cx, name: &str, is: impl Fn(&Symbols) -> bool) -> Option<Stop> {
    let names = cx
        .content()
        .ambiguous_symbol(Some(cx.script_pack), name, is)?;
    let names = names.join("` or `");
    Some(cx.fault(format!("several packs define `{name}`: write `{names}`")))
}

/// The entry of a piece or a place.
pub(in crate::script) fn entry_of(context: &StepContext, entity: Entity) -> Option<EntryId> {
    match entity {
        Entity::Piece(piece) => Some(context.entry_of(piece)),
        Entity::Place(place) => Some(context.content().map.places[place.ix()].entry),
        Entity::Seat(_) | Entity::Table => None,
    }
}

/// A property name, resolved once.
#[derive(Clone, Debug)]
pub(in crate::script) struct Named {
    name: Text,
    counter: Option<CounterId>,
    zone: Option<ZoneId>,
    built_in: Option<BuiltIn>,
}

impl Named {
    /// A name in the running script.
    pub fn new(context: &StepContext, name: &str) -> Named {
        Named::of_symbols(context.symbol(name), context.content().interned(name))
    }

    /// A name that is already interned, resolved in a pack.
    pub fn of_text(content: &Content, pack: u16, name: Text) -> Named {
        Named::of_symbols(content.symbol_in(pack, &name), name)
    }

    fn of_symbols(symbols: Symbols, name: Text) -> Named {
        let built_in = BuiltIn::parse(&name);
        Named {
            name,
            counter: symbols.counter,
            zone: symbols.zone,
            built_in,
        }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn text(&self) -> &Text {
        &self.name
    }

    /// Whether it can only be a field of an entry, not a counter, a zone or a built-in property.
    pub fn is_only_field(&self) -> bool {
        self.counter.is_none() && self.zone.is_none() && self.built_in.is_none()
    }
}

/// Reads `object.name`.
pub(in crate::script) fn property(cx: &mut Cx, entity: Entity, named: &Named) -> StepResult<Value> {
    if let Some(counter) = named.counter
        && cx.state.has_counter(cx.content(), entity, counter)
    {
        if cx.content().flag(counter).is_some() {
            let number = i64::from(cx.state.base(cx.content(), entity, counter));
            cx.record_flag_read(entity, counter);
            return Ok(cx.content().counter_as_value(counter, number));
        }
        return query::counter_value(cx, entity, counter).map(Value::Int);
    }
    if let Some(at) = named
        .zone
        .and_then(|zone| cx.state.zones.at(cx.content(), entity, zone))
    {
        return Ok(Value::Zone(at));
    }
    if let Some(value) = named
        .built_in
        .and_then(|property| built_in(cx, entity, property))
    {
        return Ok(value);
    }
    let name = &named.name;
    let field = match entity {
        Entity::Piece(piece) => names::piece_named_field(cx, piece, name),
        _ => entry_of(cx, entity).and_then(|entry| cx.content().entry(entry).named_field(name)),
    };
    let field = field.map(|value| shown(cx, value));
    field.map_or_else(|| missing(cx, entity, name), Ok)
}

fn missing(cx: &Cx, entity: Entity, name: &str) -> StepResult<Value> {
    if let Some(entry) = entry_of(cx, entity) {
        let kind = &cx.content().kinds[cx.content().entry(entry).kind.ix()];
        if kind.fields.iter().any(|field| &**field == name) {
            return Ok(Value::Unit);
        }
    }
    if let Some(fault) = ambiguous(cx, name, Symbols::is_property) {
        return Err(fault);
    }
    if cx.symbol(name).counter.is_some() {
        counter_id(cx, entity, name)?;
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
    let kind =
        entry_of(cx, entity).map(|entry| &content.kinds[content.entry(entry).kind.ix()].fields);
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
        names::entity(cx, entity)
    )))
}

macro_rules! built_in_properties {
    ($($property:ident $name:literal,)*) => {
        /// The built-in properties of seats, pieces, places and the table.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(in crate::script) enum BuiltIn {
            $($property,)*
        }

        /// The names of the built-in properties.
        pub(in crate::script) const BUILT_IN: &[&str] = &[$($name,)*];

        impl BuiltIn {
            fn parse(name: &str) -> Option<BuiltIn> {
                match name {
                    $($name => Some(BuiltIn::$property),)*
                    _ => None,
                }
            }
        }
    };
}

built_in_properties! {
    Title "title",
    Place "place",
    Number "number",
    Turns "turns",
    Role "role",
    IsActive "is_active",
    IsOut "is_out",
    Left "left",
    Right "right",
    Id "id",
    Kind "kind",
    Zone "zone",
    Owner "owner",
    Entry "entry",
    Face "face",
    Side "side",
    Target "target",
    Controller "controller",
    IsStanding "is_standing",
    FightTurns "fight_turns",
    Seat "seat",
    IsSeat "is_seat",
    IsPiece "is_piece",
    IsPlace "is_place",
}

fn built_in(cx: &Cx, entity: Entity, property: BuiltIn) -> Option<Value> {
    let seat = |seat: Option<crate::content::SeatId>| {
        seat.map_or(Value::Unit, |seat| Value::Entity(Entity::Seat(seat)))
    };
    let fighter = || fight::fighter_of(cx, entity);
    Some(match property {
        BuiltIn::Title => Value::Text(names::title(cx, entity)),
        BuiltIn::Place => place_of(cx, entity),
        BuiltIn::IsSeat => Value::Bool(matches!(entity, Entity::Seat(_))),
        BuiltIn::IsPiece => Value::Bool(matches!(entity, Entity::Piece(_))),
        BuiltIn::IsPlace => Value::Bool(matches!(entity, Entity::Place(_))),
        BuiltIn::Seat | BuiltIn::Owner => match entity {
            Entity::Seat(_) => Value::Entity(entity),
            Entity::Piece(piece) => seat(cx.owner_of(piece)),
            _ => Value::Unit,
        },
        BuiltIn::Side => Value::Int(i64::from(fighter()?.side)),
        BuiltIn::IsStanding => Value::Bool(fighter().is_some_and(|fighter| fighter.standing)),
        BuiltIn::FightTurns => Value::Int(i64::from(fighter()?.turns)),
        BuiltIn::Controller => seat(Some(fighter()?.controller)),
        BuiltIn::Target => {
            let target = usize::from(fighter()?.target);
            Value::Entity(cx.fight()?.fighters.get(target)?.who)
        }
        _ => match entity {
            Entity::Seat(own) => super::seat::property(cx, own, property)?,
            Entity::Piece(piece) => super::piece::property(cx, piece, property)?,
            _ => {
                let entry = entry_of(cx, entity)?;
                let def = cx.content().entry(entry);
                match property {
                    BuiltIn::Id => Value::Text(cx.name_of(entry)),
                    BuiltIn::Entry => Value::Entry(entry),
                    BuiltIn::Kind => Value::Text(cx.content().kinds[def.kind.ix()].id.clone()),
                    _ => return None,
                }
            }
        },
    })
}

fn place_of(cx: &Cx, entity: Entity) -> Value {
    let place = match entity {
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
    place.map_or(Value::Unit, |place| Value::Entity(Entity::Place(place)))
}

/// Writes `object.name = value`.
pub(in crate::script) fn set_property(
    cx: &mut Cx,
    entity: Entity,
    named: &Named,
    value: &Value,
) -> StepResult {
    let name = &*named.name;
    if let Some(counter) = named.counter
        && cx.state.has_counter(cx.content(), entity, counter)
        && cx.content().flag(counter).is_some()
    {
        return set_flag(cx, entity, counter, value);
    }
    // `actor.left.coins += 1` writes `left` back, unchanged. Only `target` can be set to an entity.
    if name != "target"
        && matches!(
            value,
            Value::Entity(_) | Value::Zone(_) | Value::Entry(_) | Value::Table(_) | Value::Rows(_)
        )
    {
        if property(cx, entity, named).is_ok_and(|now| now == *value) {
            return Ok(());
        }
        return Err(cx.fault(format!(
            "`{name}` cannot be set: {}",
            instead_of_setting(name)
        )));
    }
    if name == "target" {
        let target = value
            .entity()
            .and_then(|object| fight::position(cx, object));
        let me = fight::position(cx, entity);
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
        .filter(|counter| cx.state.has_counter(cx.content(), entity, *counter))
    {
        Some(counter) => counter,
        None => counter_id(cx, entity, name)?,
    };
    let Some(wanted) = value.int() else {
        return Err(cx.fault(format!("counter `{name}` must be a whole number")));
    };
    let now = query::counter_value(cx, entity, counter)?;
    counter::change(cx, entity, counter, wanted - now).map(|_| ())
}

/// What to write instead of `x.name = …`, for a property that cannot be set.
pub(in crate::script) fn instead_of_setting(name: &str) -> &'static str {
    match name {
        "role" => {
            "players choose their roles; `role_in_play` of the mode says which role a seat gets in play"
        }
        "place" | "zone" | "owner" | "seat" => "write `x.move_to(…)`",
        "face" => "write `x.flip()`",
        "is_out" | "is_standing" => "write `x.fall()`",
        _ => "only counters can be set",
    }
}

/// Sets a flag. A wrong value is a fault that lists the right ones.
fn set_flag(cx: &mut Cx, entity: Entity, counter: CounterId, value: &Value) -> StepResult {
    let content = cx.content();
    let Some(flag) = content.flag(counter) else {
        return Ok(());
    };
    let wanted = content.flag_number(flag, value).map_err(|values| {
        let id = &content.entry(content.counters[counter.ix()].entry).id;
        cx.fault(format!("the flag `{id}` must be {values}"))
    })?;
    let now = i64::from(cx.state.base(content, entity, counter));
    counter::change(cx, entity, counter, wanted - now).map(|_| ())
}

#[primitives("objects")]
pub mod functions {
    use super::*;

    /// Returns the value of a counter, a zone or a field of a seat, piece, place or the table.
    /// ```rhai
    /// actor.coins // is 3
    /// actor.place // is Green
    /// piece("rose").colour // is red
    /// table.market.len() // is 3
    /// ```
    #[name("[]")]
    pub fn get_object(cx: &mut Cx, object: Entity, name: Text) -> StepResult<Value> {
        let entity = object;
        let named = Named::new(cx, &name);
        property(cx, entity, &named)
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
    #[name("[]=")]
    #[does(CHANGES)]
    pub fn set_object(cx: &mut Cx, object: Entity, name: Text, value: Value) -> StepResult<()> {
        let entity = object;
        let named = Named::new(cx, &name);
        set_property(cx, entity, &named, &value)
    }

    /// Raises a counter within its bounds; returns by how much it rose.
    /// ```rhai
    /// // There are 2 in a jug of 4.
    /// actor.gain("water", 5); // is 2
    /// actor.water // is 4
    /// ```
    #[does(CHANGES)]
    pub fn gain(
        cx: &mut Cx,
        object: Entity,
        #[names(Counter)] counter: Text,
        amount: i64,
    ) -> StepResult<i64> {
        let id = counter_id(cx, object, &counter)?;
        counter::change(cx, object, id, amount.max(0))
    }

    /// Lowers a counter within its bounds; returns by how much it fell.
    /// ```rhai
    /// actor.lose("coins", 5); // is 3
    /// actor.coins // is 0
    /// ```
    #[does(CHANGES)]
    pub fn lose(
        cx: &mut Cx,
        object: Entity,
        #[names(Counter)] counter: Text,
        amount: i64,
    ) -> StepResult<i64> {
        let id = counter_id(cx, object, &counter)?;
        counter::change(cx, object, id, -amount.max(0)).map(|change| -change)
    }

    /// Returns the value of a counter without effects and answers.
    /// ```rhai
    /// effect("jug", #{ subject: actor, add: 2 });
    /// actor.jug // is 6
    /// base_value(actor, "jug") // is 4
    /// ```
    pub fn base_value(
        cx: &mut Cx,
        object: Entity,
        #[names(Counter)] counter: Text,
    ) -> StepResult<i64> {
        let id = counter_id(cx, object, &counter)?;
        Ok(i64::from(cx.state.base(cx.content(), object, id)))
    }

    /// Returns the highest value a counter may have now.
    /// ```rhai
    /// actor.water // is 2
    /// actor.max_value("water") // is 4
    /// ```
    pub fn max_value(
        cx: &mut Cx,
        object: Entity,
        #[names(Counter)] counter: Text,
    ) -> StepResult<i64> {
        let id = counter_id(cx, object, &counter)?;
        counter::bounds(cx, object, id).map(|(_, max)| max)
    }

    /// Sets a mark: a word that stays until `unmark` removes it.
    /// ```rhai
    /// actor.mark("muddy");
    /// actor.marked("muddy") // is true
    /// ```
    #[does(CHANGES)]
    pub fn mark(cx: &mut Cx, object: Entity, #[word] word: Text) -> StepResult<()> {
        travel::mark(cx, object, &word, true)
    }

    /// Removes a mark.
    /// ```rhai
    /// actor.mark("muddy");
    /// actor.unmark("muddy");
    /// actor.marked("muddy") // is false
    /// ```
    #[does(CHANGES)]
    pub fn unmark(cx: &mut Cx, object: Entity, #[word] word: Text) -> StepResult<()> {
        travel::mark(cx, object, &word, false)
    }

    /// Returns whether a seat, piece, place or the table has a mark.
    /// ```rhai
    /// piece("rose").mark("watered");
    /// piece("rose").marked("watered") // is true
    /// piece("tulip").marked("watered") // is false
    /// ```
    pub fn marked(cx: &mut Cx, object: Entity, #[word] word: Text) -> StepResult<bool> {
        let marks = cx.state.marks.len();
        cx.charge_work(search_cost(marks, &word))?;
        Ok(travel::has_mark(cx, object, &word))
    }

    /// Returns whether a piece or a place has a tag.
    /// ```rhai
    /// piece("rose").has_tag("thorny") // is true
    /// actor.place.has_tag("open") // is true
    /// ```
    pub fn has_tag(cx: &mut Cx, object: Entity, #[word] tag: Text) -> StepResult<bool> {
        let entry = entry_of(cx, object);
        Ok(entry.is_some_and(|entry| {
            cx.content()
                .entry(entry)
                .tags
                .iter()
                .any(|own| **own == *tag.as_str())
        }))
    }

    /// Returns the zone called `name` of a seat, piece, place or the table. If a piece has no such zone,
    /// returns the zone of the seat that holds the piece, or else that of the table.
    /// ```rhai
    /// actor.zone("hand").len() // is 3
    /// piece("rose").zone("compost") == actor.compost // is true
    /// ```
    #[name("zone")]
    pub fn zone_of(cx: &mut Cx, object: Entity, #[names(Zone)] name: Text) -> StepResult<ZoneAt> {
        let zone = cx.symbol(&name).zone;
        let at = zone.and_then(|zone| moves::nearest_zone(cx, object, zone));
        at.ok_or_else(|| {
            cx.fault(format!(
                "unknown zone `{name}` of this seat, piece, place or table"
            ))
        })
    }

    /// Returns a piece in play by its id; `"rose#2"` is the second copy. For a place, use [`place`].
    /// ```rhai
    /// piece("goose").bite // is 2
    /// piece("rose").owner // is Ann
    /// piece("rose#3").owner // is Ben
    /// ```
    pub fn piece(cx: &mut Cx, id: Text) -> StepResult<Entity> {
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
        let searched = found.map_or(cx.state.pieces.len(), PieceId::ix) as u64;
        cx.charge_work(searched / 8)?;
        found
            .map(Entity::Piece)
            .ok_or_else(|| cx.fault(format!("`{id}` is not in play")))
    }

    /// Returns whether two seats, pieces or places are the same.
    /// ```rhai
    /// actor == seat(1) // is true
    /// piece("rose") == piece("rose#2") // is false
    /// ```
    #[name("==")]
    pub fn objects_equal(left: Entity, right: Entity) -> bool {
        left == right
    }

    /// Returns whether two seats, pieces or places differ.
    /// ```rhai
    /// actor != actor.left // is true
    /// ```
    #[name("!=")]
    pub fn objects_differ(left: Entity, right: Entity) -> bool {
        left != right
    }

    /// Returns whether a seat, piece or place is not `()`.
    /// ```rhai
    /// actor.hand.top() != () // is true
    /// actor.bed.top() != () // is false
    /// ```
    #[name("!=")]
    pub fn object_exists(_object: Entity, _nothing: ()) -> bool {
        true
    }

    /// Returns whether there is no seat, piece or place.
    /// ```rhai
    /// actor.hand.top() == () // is false
    /// actor.bed.top() == () // is true
    /// ```
    #[name("==")]
    pub fn object_is_missing(_object: Entity, _nothing: ()) -> bool {
        false
    }
}
