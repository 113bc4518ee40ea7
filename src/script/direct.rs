//! The words cards use most, called without Rhai's search for a function that fits.

use rhai::{Array, Dynamic, ImmutableString, Map};

use super::api::{
    ask, combo, effect, entry, event, fight, flow, list, map, piece, query, seat, talk, thing, zone,
};
use super::engine::MAX_LIST;
use super::host::{HostResult, with};
use super::types::{ComboRef, EntityRef, FightRef, ZoneRef};
use crate::game::{Cx, fight as fights};

/// A word with its arguments; nothing if they are not what it takes. The first is still there afterwards.
pub(super) type Word = fn(&mut [Dynamic]) -> Option<HostResult<Dynamic>>;

fn get<T: Clone + 'static>(value: &Dynamic) -> Option<T> {
    value.read_lock::<T>().map(|value| value.clone())
}

/// An argument that nobody needs afterwards.
fn take<T: Clone + 'static>(value: &mut Dynamic) -> Option<T> {
    if value.is::<T>() {
        std::mem::take(value).try_cast()
    } else {
        None
    }
}

/// Whether something may lie in it.
fn is_filled(value: &Dynamic) -> bool {
    value.is_array() || value.is_map()
}

/// What a word gave, as a value of scripts.
trait Given {
    fn given(self) -> Option<HostResult<Dynamic>>;
}

impl<T: Clone + 'static> Given for HostResult<T> {
    fn given(self) -> Option<HostResult<Dynamic>> {
        Some(self.map(Dynamic::from))
    }
}

/// The word of a name and number of arguments. Where nobody reads its value, it need not be made.
pub(super) fn find(name: &str, arguments: usize, quiet: bool) -> Option<Word> {
    let topics = [of_lists, of_pieces, of_fights, of_others];
    topics
        .iter()
        .find_map(|topic| topic(name, arguments, quiet))
}

/// Whether something has an id, where that is what is asked.
pub(super) fn has_id(one: &Dynamic, id: &Dynamic) -> Option<HostResult<bool>> {
    let id = get::<ImmutableString>(id)?;
    if let Some(phase) = get(one) {
        return Some(flow::words::phase_is(phase, id));
    }
    if let Some(zone) = get(one) {
        return Some(zone::words::zone_is(zone, id));
    }
    get(one).map(|entry| entry::words::entry_is(entry, id))
}

/// Lists and numbers.
fn of_lists(name: &str, arguments: usize, quiet: bool) -> Option<Word> {
    Some(match (name, arguments, quiet) {
        ("len", 1, _) => |a| {
            let len = match a[0].read_lock::<Array>() {
                Some(list) => Ok(i64::try_from(list.len()).unwrap_or(i64::MAX)),
                None => match get::<ComboRef>(&a[0]) {
                    Some(combo) => combo::words::len(combo),
                    None => zone::words::zone_len(get(&a[0])?),
                },
            };
            len.given()
        },
        ("is_empty", 1, _) => |a| {
            let empty = match a[0].read_lock::<Array>() {
                Some(list) => Ok(list.is_empty()),
                None => zone::words::zone_is_empty(get(&a[0])?),
            };
            empty.given()
        },
        ("push", 2, _) => |a| {
            let (list, value) = a.split_first_mut()?;
            // Rhai measures what else lies in a list.
            let flat = value[0]
                .read_lock::<Map>()
                .is_none_or(|map| !map.values().any(is_filled));
            let small = |list: &rhai::DynamicWriteLock<Array>| flat && list.len() < MAX_LIST;
            let mut list = list
                .write_lock::<Array>()
                .filter(small)
                .filter(|_| !value[0].is_array())?;
            list.push(std::mem::take(&mut value[0]));
            Ok(()).given()
        },
        ("append", 2, _) => |a| {
            let (list, more) = a.split_first_mut()?;
            let flat = |list: &rhai::DynamicReadLock<Array>| !list.iter().any(is_filled);
            let room = MAX_LIST.saturating_sub(more[0].read_lock::<Array>().filter(flat)?.len());
            let mut list = list
                .write_lock::<Array>()
                .filter(|list| list.len() < room)?;
            list.extend(take::<Array>(&mut more[0])?);
            Ok(()).given()
        },
        ("contains", 2, _) => |a| match a[0].read_lock::<Array>() {
            Some(list) => {
                let wanted = a[1].read_lock::<EntityRef>();
                let text = a[1].read_lock::<ImmutableString>();
                let is_text = |one: &Dynamic| {
                    one.read_lock::<ImmutableString>()
                        .zip(text.as_ref())
                        .map(|(a, b)| *a == **b)
                };
                let held = match &wanted {
                    Some(thing) => list.iter().any(|one| {
                        one.read_lock::<EntityRef>()
                            .is_some_and(|one| *one == **thing)
                    }),
                    None => list
                        .iter()
                        .map(is_text)
                        .collect::<Option<Vec<bool>>>()?
                        .contains(&true),
                };
                Ok(held).given()
            }
            None => zone::words::contains(&mut get(&a[0])?, get(&a[1])?).given(),
        },
        ("without", 2, _) => |a| list::words::without(get(&a[0])?, get(&a[1])?).given(),
        ("with", 3, _) => |a| match get::<ZoneRef>(&a[0]) {
            Some(zone) => list::words::zone_with_value(zone, get(&a[1])?, a[2].clone()).given(),
            None => list::words::with_value(get(&a[0])?, get(&a[1])?, a[2].clone()).given(),
        },
        ("min", 2, _) => |a| Ok(list::words::min(get(&a[0])?, get(&a[1])?)).given(),
        ("max", 2, _) => |a| Ok(list::words::max(get(&a[0])?, get(&a[1])?)).given(),
        _ => return None,
    })
}

/// Pieces and zones.
fn of_pieces(name: &str, arguments: usize, quiet: bool) -> Option<Word> {
    Some(match (name, arguments, quiet) {
        ("discard", 1, _) => |a| match get::<ComboRef>(&a[0]) {
            Some(all) => combo::words::discard(all).given(),
            None if a[0].is_array() => piece::words::discard_all(get(&a[0])?).given(),
            None => piece::words::discard(get(&a[0])?).given(),
        },
        ("create", 2, _) => |a| piece::words::create_entry(get(&a[0])?, get(&a[1])?).given(),
        ("shuffle", 1, _) => |a| zone::words::shuffle(get(&a[0])?).given(),
        ("reveal", 1, _) => |a| piece::words::reveal(get(&a[0])?).given(),
        ("trash", 1, _) => |a| piece::words::trash(get(&a[0])?).given(),
        ("draw", 2, true) => |a| {
            seat::words::draw(get(&a[0])?, get(&a[1])?)
                .map(|_| ())
                .given()
        },
        ("move_to", 2, _) => |a| match get::<ZoneRef>(&a[1]) {
            Some(zone) if a[0].is_array() => piece::words::move_all_to(get(&a[0])?, zone).given(),
            Some(zone) => piece::words::move_to(get(&a[0])?, zone).given(),
            None => seat::words::move_to_place(get(&a[0])?, get(&a[1])?).given(),
        },
        ("has", 2, _) => |a| zone::words::has(get(&a[0])?, get(&a[1])?).given(),
        ("sum", 2, _) => |a| match get::<ZoneRef>(&a[0]) {
            Some(zone) => zone::words::zone_sum(zone, get(&a[1])?).given(),
            None => combo::words::sum(get(&a[0])?, get(&a[1])?).given(),
        },
        ("pieces", 1, _) => |a| match get::<ComboRef>(&a[0]) {
            Some(all) => combo::words::pieces(all).given(),
            None => zone::words::pieces(get(&a[0])?).given(),
        },
        ("top", 1, _) => |a| zone::words::top(get(&a[0])?).given(),
        ("room", 1, _) => |a| zone::words::room(get(&a[0])?).given(),
        ("position", 1, _) => |a| zone::words::position(get(&a[0])?).given(),
        ("zone", 2, _) => |a| thing::words::zone_of(get(&a[0])?, get(&a[1])?).given(),
        _ => return None,
    })
}

/// Fights and combos.
fn of_fights(name: &str, arguments: usize, quiet: bool) -> Option<Word> {
    Some(match (name, arguments, quiet) {
        ("standing", 1, _) => |a| fight::words::standing(get(&a[0])?).given(),
        ("in_fight", 0, _) => |_| fight::words::in_fight().given(),
        ("damage", 3, true) => |a| {
            let (_, whom, amount) = (
                get::<FightRef>(&a[0])?,
                get::<EntityRef>(&a[1])?,
                get(&a[2])?,
            );
            let hit = |cx: &mut Cx| {
                let source = fights::current(cx).map(|fighter| fighter.who);
                fights::damage(cx, source, whom.0, amount).map(|_| ())
            };
            with(hit).given()
        },
        ("damage_from", 4, true) => |a| {
            let (_, source, whom) = (
                get::<FightRef>(&a[0])?,
                get::<EntityRef>(&a[1])?,
                get::<EntityRef>(&a[2])?,
            );
            let amount = get(&a[3])?;
            with(|cx| fights::damage(cx, Some(source.0), whom.0, amount).map(|_| ())).given()
        },
        ("resolve", 1, _) => |a| combo::words::resolve(get(&a[0])?).given(),
        ("has_colour", 2, _) => |a| combo::words::has_colour(get(&a[0])?, get(&a[1])?).given(),
        ("count_colour", 2, _) => |a| combo::words::count_colour(get(&a[0])?, get(&a[1])?).given(),
        ("fighters", 1, _) => |a| fight::words::fighters(get(&a[0])?).given(),
        ("foes", 2, _) => |a| fight::words::foes(get(&a[0])?, get(&a[1])?).given(),
        _ => return None,
    })
}

/// Queries, effects, things, seats, the map, questions and texts.
fn of_others(name: &str, arguments: usize, quiet: bool) -> Option<Word> {
    Some(match (name, arguments, quiet) {
        ("add", 1, _) => |a| query::words::add(get(&a[0])?).given(),
        ("cap", 1, _) => |a| query::words::cap(get(&a[0])?).given(),
        ("at_least", 1, _) => |a| query::words::at_least(get(&a[0])?).given(),
        ("set", 1, _) => |a| query::words::set_to(get(&a[0])?).given(),
        ("lock", 1, _) => |a| query::words::lock(get(&a[0])?).given(),
        ("allow", 0, _) => |_| query::words::allow().given(),
        ("deny", 1, _) => |a| query::words::deny(get(&a[0])?).given(),
        ("hide", 0, _) => |_| query::words::hide().given(),
        ("use_up", 0, _) => |_| effect::words::use_up().given(),
        ("subject", 0, _) => |_| effect::words::subject().given(),
        ("effect", 2, _) => |a| effect::words::start(get(&a[0])?, get(&a[1])?).given(),
        ("ask", 3, _) => {
            |a| query::words::ask_number(get(&a[0])?, get(&a[1])?, get(&a[2])?).given()
        }
        ("end_game", 1, _) => |a| flow::words::end_game(get(&a[0])?).given(),
        ("seat", 1, _) => |a| seat::words::seat_number(get(&a[0])?).given(),
        ("base_value", 2, _) => |a| thing::words::base_value(get(&a[0])?, get(&a[1])?).given(),
        ("gain", 3, _) => |a| thing::words::gain(get(&a[0])?, get(&a[1])?, get(&a[2])?).given(),
        ("lose", 3, _) => |a| thing::words::lose(get(&a[0])?, get(&a[1])?, get(&a[2])?).given(),
        ("table", 1, _) => |a| entry::words::rows(get(&a[0])?).given(),
        ("option", 1, _) => |a| entry::words::option(get(&a[0])?).given(),
        ("place", 1, _) => |a| map::words::place(get(&a[0])?).given(),
        ("places", 0, _) => |_| map::words::all_places().given(),
        ("neighbours", 1, _) => |a| map::words::neighbours(get(&a[0])?).given(),
        ("distance", 2, _) => |a| map::words::distance(get(&a[0])?, get(&a[1])?).given(),
        ("seats_at", 1, _) => |a| map::words::seats_at(get(&a[0])?).given(),
        ("seats", 0, _) => |_| seat::words::seats().given(),
        ("active", 0, _) => |_| seat::words::active().given(),
        ("say", 1, _) => |a| talk::words::say(get(&a[0])?).given(),
        ("text_of", 1, _) => |a| talk::words::text_of(get(&a[0])?).given(),
        ("emit", 2, _) => |a| {
            let name = get(&a[0])?;
            event::words::emit(name, take::<Map>(&mut a[1])?).given()
        },
        ("choose", 3, _) => |a| {
            let (seat, text) = (get(&a[0])?, get(&a[1])?);
            ask::words::choose(seat, text, take(&mut a[2])?).given()
        },
        ("choose_some", 5, _) => |a| {
            let (seat, text, min, max) = (get(&a[0])?, get(&a[1])?, get(&a[3])?, get(&a[4])?);
            ask::words::choose_some(seat, text, take(&mut a[2])?, min, max).given()
        },
        ("has_tag", 2, _) => |a| thing::words::has_tag(get(&a[0])?, get(&a[1])?).given(),
        ("marked", 2, _) => |a| thing::words::marked(get(&a[0])?, get(&a[1])?).given(),
        ("mark", 2, _) => |a| thing::words::mark(get(&a[0])?, get(&a[1])?).given(),
        ("unmark", 2, _) => |a| thing::words::unmark(get(&a[0])?, get(&a[1])?).given(),
        _ => return None,
    })
}
