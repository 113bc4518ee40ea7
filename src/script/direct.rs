//! The words cards use most, called without Rhai's search for a function that fits.

use rhai::Dynamic;

use super::api::{combo, effect, fight, flow, piece, query, seat, thing, zone};
use super::host::{Host, with};
use super::types::{ComboRef, FightRef, Thing, Zone};
use crate::game::fight as fights;

/// A word with its arguments; nothing if they are not what it takes.
pub(super) type Word = fn(&[Dynamic]) -> Option<Host<Dynamic>>;

fn get<T: Clone + 'static>(value: &Dynamic) -> Option<T> {
    value.read_lock::<T>().map(|value| value.clone())
}

fn done<T: Into<Dynamic>>(result: Host<T>) -> Option<Host<Dynamic>> {
    Some(result.map(Into::into))
}

fn nothing(result: Host<()>) -> Option<Host<Dynamic>> {
    Some(result.map(|()| Dynamic::UNIT))
}

fn thing_of(result: Host<Thing>) -> Option<Host<Dynamic>> {
    Some(result.map(Dynamic::from))
}

/// The word of a name and number of arguments. Where nobody reads its value, it need not be made.
pub(super) fn find(name: &str, arguments: usize, quiet: bool) -> Option<Word> {
    Some(match (name, arguments, quiet) {
        ("add", 1, _) => |a| nothing(query::words::add(get(&a[0])?)),
        ("cap", 1, _) => |a| nothing(query::words::cap(get(&a[0])?)),
        ("at_least", 1, _) => |a| nothing(query::words::at_least(get(&a[0])?)),
        ("set", 1, _) => |a| nothing(query::words::set_to(get(&a[0])?)),
        ("lock", 1, _) => |a| nothing(query::words::lock(get(&a[0])?)),
        ("allow", 0, _) => |_| nothing(query::words::allow()),
        ("deny", 1, _) => |a| nothing(query::words::deny(get(&a[0])?)),
        ("hide", 0, _) => |_| nothing(query::words::hide()),
        ("use_up", 0, _) => |_| nothing(effect::words::use_up()),
        ("subject", 0, _) => |_| Some(effect::words::subject()),
        ("effect", 2, _) => |a| Some(effect::words::start(get(&a[0])?, get(&a[1])?)),
        ("ask", 3, _) => |a| done(query::words::ask_number(get(&a[0])?, get(&a[1])?, get(&a[2])?)),
        ("end_game", 1, _) => |a| nothing(flow::words::end_game(get(&a[0])?)),
        ("seat", 1, _) => |a| thing_of(seat::words::seat_number(get(&a[0])?)),
        ("standing", 1, _) => |a| done(fight::words::standing(get(&a[0])?)),
        ("in_fight", 0, _) => |_| done(fight::words::in_fight()),
        ("damage", 3, true) => |a| {
            let (_, whom, amount) = (get::<FightRef>(&a[0])?, get::<Thing>(&a[1])?, get(&a[2])?);
            nothing(with(|cx| {
                let source = fights::current(cx).map(|fighter| fighter.who);
                fights::damage(cx, source, whom.0, amount).map(|_| ())
            }))
        },
        ("damage_from", 4, true) => |a| {
            let (_, source, whom) = (get::<FightRef>(&a[0])?, get::<Thing>(&a[1])?, get::<Thing>(&a[2])?);
            let amount = get(&a[3])?;
            nothing(with(|cx| fights::damage(cx, Some(source.0), whom.0, amount).map(|_| ())))
        },
        ("resolve", 1, _) => |a| nothing(combo::words::resolve(get(&a[0])?)),
        ("discard", 1, _) => |a| match get::<ComboRef>(&a[0]) {
            Some(all) => nothing(combo::words::discard(all)),
            None => done(piece::words::discard(get(&a[0])?)),
        },
        ("has_colour", 2, _) => |a| done(combo::words::has_colour(get(&a[0])?, get(&a[1])?)),
        ("count_colour", 2, _) => |a| done(combo::words::count_colour(get(&a[0])?, get(&a[1])?)),
        ("draw", 2, true) => |a| nothing(seat::words::draw(get(&a[0])?, get(&a[1])?).map(|_| ())),
        ("move_to", 2, _) => |a| done(piece::words::move_to(get(&a[0])?, get::<Zone>(&a[1])?)),
        ("has", 2, _) => |a| done(zone::words::has(get(&a[0])?, get(&a[1])?)),
        ("has_tag", 2, _) => |a| done(thing::words::has_tag(get(&a[0])?, get(&a[1])?)),
        ("marked", 2, _) => |a| done(thing::words::marked(get(&a[0])?, get(&a[1])?)),
        ("mark", 2, _) => |a| nothing(thing::words::mark(get(&a[0])?, get(&a[1])?)),
        ("unmark", 2, _) => |a| nothing(thing::words::unmark(get(&a[0])?, get(&a[1])?)),
        _ => return None,
    })
}
