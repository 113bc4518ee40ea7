//! The map: places, paths and distances.

use kaer_macros::primitives;

use super::entry::entry_id;
use crate::content::{Edge, PlaceId};
use crate::game::{Cx, Entity, StepResult};
use crate::script::primitive::*;

fn place_id(cx: &Cx, object: Entity) -> StepResult<PlaceId> {
    match object {
        Entity::Place(place) => Ok(place),
        Entity::Seat(seat) => {
            cx.state.at[seat.ix()].ok_or_else(|| cx.fault("this seat is not on the map"))
        }
        Entity::Piece(piece) => {
            let zone = cx.state.zones.zone_of(piece);
            match cx.state.zones.def(cx.content(), zone) {
                Some((Entity::Place(place), _)) => Ok(place),
                _ => Err(cx.fault("this piece is not at a place: its zone does not belong to one")),
            }
        }
        Entity::Table => Err(cx.fault("expected a place, a seat or a piece, not the table")),
    }
}

fn place_list(places: impl IntoIterator<Item = PlaceId>) -> List {
    places
        .into_iter()
        .map(|place| Value::Entity(Entity::Place(place)))
        .collect()
}

fn places_in(cx: &Cx, list: &List) -> StepResult<Vec<PlaceId>> {
    let place = |value: &Value| match value.entity() {
        Some(object) => place_id(cx, object),
        None => Err(cx.fault("expected a list of places")),
    };
    list.iter().map(place).collect()
}

/// The number of places up to which the distances between all places are kept.
const MAX_KEPT_PLACES: usize = 400;

/// Charges the work of going along all paths, and of looking for each place in a list.
fn work(cx: &mut Cx, closed: usize) -> StepResult {
    let places = &cx.content().map.places;
    let paths: usize = places.iter().map(|place| place.edges.len()).sum();
    let (places, paths, closed) = (places.len() as u64, paths as u64, closed as u64);
    cx.charge_work(places * 4 + paths / 4 + places * closed / 16)
}

/// Charges the work of listing the paths of a place.
fn charge_routes(cx: &mut Cx, place: PlaceId) -> StepResult {
    let paths = cx.content().map.places[place.ix()].edges.len() as u64;
    cx.charge_work(paths + paths * paths / 64)
}

/// The routes between two places, in the order in which they were declared.
fn between(cx: &mut Cx, from: Entity, to: Entity) -> StepResult<Vec<Value>> {
    let (from, to) = (place_id(cx, from)?, place_id(cx, to)?);
    charge_routes(cx, from)?;
    let edges = &cx.content().map.places[from.ix()].edges;
    let matching = edges.iter().filter(|edge| edge.to == to);
    Ok(matching.map(|edge| route(cx, from, edge)).collect())
}

/// A route as scripts see it: its entry. Neighbours in a grid or in `routes` of a place have a table
/// with the same fields and their defaults.
fn route(cx: &Cx, from: PlaceId, edge: &Edge) -> Value {
    if let Some(entry) = edge.route {
        return Value::Entry(entry);
    }
    let entry = |place: PlaceId| Value::Entry(cx.content().map.places[place.ix()].entry);
    let ends = [("from", entry(from)), ("to", entry(edge.to))];
    let rows = ends.map(|(name, end)| (Text::from(name), end)).into_iter();
    let rows = rows.chain(cx.content().route_defaults.iter().cloned());
    Value::Table(Map::table(rows.collect()))
}

/// The place at one end of a route.
fn end(cx: &Cx, route: &Value, name: &str) -> Option<PlaceId> {
    let end = match route {
        Value::Entry(entry) => cx.content().entry(*entry).field(name),
        other => other.get(name),
    };
    match end {
        Some(Value::Entry(place)) => cx.content().entry(*place).place,
        _ => None,
    }
}

#[primitives("map")]
pub mod functions {
    use super::*;

    /// Returns every place of the map.
    /// ```rhai
    /// places() // is [Green, Mill, Well, Orchard, Island]
    /// ```
    #[name("places")]
    pub fn all_places(cx: &mut Cx) -> StepResult<List> {
        let places = cx.content().map.places.len() as u64;
        cx.charge_work(places)?;
        Ok(place_list(
            (0..cx.content().map.places.len()).map(PlaceId::at),
        ))
    }

    /// Returns the place with an id.
    /// ```rhai
    /// place("mill").weeds // is 1
    /// place("mill") == seat(2).place // is true
    /// ```
    pub fn place(cx: &mut Cx, #[names(Entry)] id: Text) -> StepResult<Entity> {
        let entry = entry_id(cx, &id)?;
        let place = cx.content().entry(entry).place;
        place
            .map(Entity::Place)
            .ok_or_else(|| cx.fault(format!("`{id}` is not a place")))
    }

    /// Returns the place of a seat or a piece; a place is returned as it is.
    /// ```rhai
    /// place(actor) // is Green
    /// place(place("mill")) // is Mill
    /// ```
    #[name("place")]
    pub fn place_of(cx: &mut Cx, object: Entity) -> StepResult<Entity> {
        place_id(cx, object).map(Entity::Place)
    }

    /// Returns the routes from a place. A route is its entry, with all fields of its `[[route]]`;
    /// neighbours without one have the same fields with their defaults.
    /// ```rhai
    /// place("well").routes().map(|route| route.toll) // is [0, 1]
    /// ```
    pub fn routes(cx: &mut Cx, place: Entity) -> StepResult<List> {
        let place = place_id(cx, place)?;
        charge_routes(cx, place)?;
        let edges = &cx.content().map.places[place.ix()].edges;
        Ok(edges.iter().map(|edge| route(cx, place, edge)).collect())
    }

    /// Returns the first route between two places, or `()`.
    /// ```rhai
    /// route_between(place("well"), place("orchard")).toll // is 1
    /// route_between(place("well"), place("island")) // is ()
    /// ```
    pub fn route_between(cx: &mut Cx, from: Entity, to: Entity) -> StepResult<Value> {
        Ok(between(cx, from, to)?
            .into_iter()
            .next()
            .unwrap_or_default())
    }

    /// Returns every route between two places.
    /// ```rhai
    /// routes_between(place("well"), place("orchard")).len() // is 1
    /// routes_between(place("well"), place("island")) // is []
    /// ```
    pub fn routes_between(cx: &mut Cx, from: Entity, to: Entity) -> StepResult<List> {
        Ok(between(cx, from, to)?.into_iter().collect())
    }

    /// Returns the place at the other end of a route.
    /// ```rhai
    /// let path = route_between(place("well"), place("orchard"));
    /// other_end(path, place("well")) // is Orchard
    /// other_end(path, place("orchard")) // is Well
    /// ```
    pub fn other_end(cx: &mut Cx, route: Value, place: Entity) -> StepResult<Entity> {
        let place = place_id(cx, place)?;
        let ends = (end(cx, &route, "from"), end(cx, &route, "to"));
        match ends {
            (Some(from), Some(to)) if from == place => Ok(Entity::Place(to)),
            (Some(from), Some(to)) if to == place => Ok(Entity::Place(from)),
            (Some(_), Some(_)) => Err(cx.fault("this route does not touch the place")),
            _ => Err(cx.fault("expected a route, as `routes` and `route_between` return it")),
        }
    }

    /// Returns the places connected to a place, or to the place of a seat or piece.
    /// ```rhai
    /// actor.place.neighbours() // is [Mill, Well]
    /// place("mill").neighbours() // is [Green, Orchard]
    /// ```
    pub fn neighbours(cx: &mut Cx, place: Entity) -> StepResult<List> {
        let place = place_id(cx, place)?;
        charge_routes(cx, place)?;
        let mut list: Vec<PlaceId> = Vec::new();
        for edge in &cx.content().map.places[place.ix()].edges {
            if !list.contains(&edge.to) {
                list.push(edge.to);
            }
        }
        Ok(place_list(list))
    }

    /// Returns the places connected by routes of a kind.
    /// ```rhai
    /// place("orchard").neighbours() // is [Mill, Well]
    /// place("orchard").neighbours("path") // is [Well]
    /// ```
    #[name("neighbours")]
    pub fn neighbours_by(cx: &mut Cx, place: Entity, route_kind: Text) -> StepResult<List> {
        let place = place_id(cx, place)?;
        charge_routes(cx, place)?;
        let mut list: Vec<PlaceId> = Vec::new();
        for edge in &cx.content().map.places[place.ix()].edges {
            if *edge.kind == *route_kind.as_str() && !list.contains(&edge.to) {
                list.push(edge.to);
            }
        }
        Ok(place_list(list))
    }

    /// Returns the number of steps between two places, or -1 if they are not connected.
    /// ```rhai
    /// distance(actor.place, place("orchard")) // is 2
    /// distance(actor.place, place("island")) // is -1
    /// ```
    pub fn distance(cx: &mut Cx, from: Entity, to: Entity) -> StepResult<i64> {
        work(cx, 0)?;
        let (from, to) = (place_id(cx, from)?, place_id(cx, to)?);
        let map = &cx.content().map;
        // The distances between all places of a large map would take too long and too much memory.
        let steps = if map.places.len() > MAX_KEPT_PLACES {
            map.distances(to, &|_| true)[from.ix()]
        } else {
            map.distance(from, to)
        };
        Ok(steps.map_or(-1, i64::from))
    }

    /// Returns the number of steps between two places without entering `closed` places, or -1 if they are
    /// not connected.
    /// ```rhai
    /// let flooded = [place("mill"), place("well")];
    /// distance(actor.place, place("orchard"), flooded) // is -1
    /// distance(actor.place, place("orchard"), [place("mill")]) // is 2
    /// ```
    #[name("distance")]
    pub fn distance_around(cx: &mut Cx, from: Entity, to: Entity, closed: List) -> StepResult<i64> {
        work(cx, closed.len())?;
        let (from, to, closed) = (
            place_id(cx, from)?,
            place_id(cx, to)?,
            places_in(cx, &closed)?,
        );
        let steps = cx
            .content()
            .map
            .distances(to, &|place| !closed.contains(&place))[from.ix()];
        Ok(steps.map_or(-1, i64::from))
    }

    /// Returns every neighbour that lies on a shortest path; the pack breaks ties.
    /// ```rhai
    /// steps_toward(actor.place, place("orchard")) // is [Mill, Well]
    /// steps_toward(actor.place, place("mill")) // is [Mill]
    /// ```
    pub fn steps_toward(cx: &mut Cx, from: Entity, to: Entity) -> StepResult<List> {
        work(cx, 0)?;
        let (from, to) = (place_id(cx, from)?, place_id(cx, to)?);
        Ok(place_list(cx.content().map.best_steps(from, to, &|_| true)))
    }

    /// Returns every neighbour that lies on a shortest path around `closed` places.
    /// ```rhai
    /// steps_toward(actor.place, place("orchard"), [place("mill")]) // is [Well]
    /// ```
    #[name("steps_toward")]
    pub fn steps_around(cx: &mut Cx, from: Entity, to: Entity, closed: List) -> StepResult<List> {
        work(cx, closed.len())?;
        let (from, to, closed) = (
            place_id(cx, from)?,
            place_id(cx, to)?,
            places_in(cx, &closed)?,
        );
        Ok(place_list(cx.content().map.best_steps(
            from,
            to,
            &|place| !closed.contains(&place),
        )))
    }

    /// Returns the seats at a place, in turn order.
    /// ```rhai
    /// seats_at(place("mill")) // is [Ben]
    /// actor.move_to(place("mill"));
    /// seats_at(actor.place) // is [Ann, Ben]
    /// ```
    #[does(OTHERS)]
    pub fn seats_at(cx: &mut Cx, place: Entity) -> StepResult<List> {
        let place = place_id(cx, place)?;
        let seats = cx
            .state
            .seats_from(cx.state.active)
            .filter(|seat| cx.state.at[seat.ix()] == Some(place));
        Ok(seats
            .map(|seat| Value::Entity(Entity::Seat(seat)))
            .collect())
    }
}
