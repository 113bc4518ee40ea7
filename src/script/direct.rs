//! The words cards use most, called without Rhai's search for a function that fits.

use rhai::Dynamic;

use super::api::{combo, effect, fight, flow, piece, query, seat, thing, zone};
use super::host::{Host, with};
use super::types::{ComboRef, FightRef, Thing, Zone};
use crate::game::{Cx, fight as fights};

/// A word with its arguments; nothing if they are not what it takes.
pub(super) type Word = fn(&[Dynamic]) -> Option<Host<Dynamic>>;

fn get<T: Clone + 'static>(value: &Dynamic) -> Option<T> {
    value.read_lock::<T>().map(|value| value.clone())
}

/// What a word gave, as a value of scripts.
trait Given {
    fn given(self) -> Option<Host<Dynamic>>;
}

impl<T: Clone + 'static> Given for Host<T> {
    fn given(self) -> Option<Host<Dynamic>> {
        Some(self.map(Dynamic::from))
    }
}

/// The word of a name and number of arguments. Where nobody reads its value, it need not be made.
pub(super) fn find(name: &str, arguments: usize, quiet: bool) -> Option<Word> {
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
        ("ask", 3, _) => |a| query::words::ask_number(get(&a[0])?, get(&a[1])?, get(&a[2])?).given(),
        ("end_game", 1, _) => |a| flow::words::end_game(get(&a[0])?).given(),
        ("seat", 1, _) => |a| seat::words::seat_number(get(&a[0])?).given(),
        ("standing", 1, _) => |a| fight::words::standing(get(&a[0])?).given(),
        ("in_fight", 0, _) => |_| fight::words::in_fight().given(),
        ("damage", 3, true) => |a| {
            let (_, whom, amount) = (get::<FightRef>(&a[0])?, get::<Thing>(&a[1])?, get(&a[2])?);
            let hit = |cx: &mut Cx| {
                let source = fights::current(cx).map(|fighter| fighter.who);
                fights::damage(cx, source, whom.0, amount).map(|_| ())
            };
            with(hit).given()
        },
        ("damage_from", 4, true) => |a| {
            let (_, source, whom) = (get::<FightRef>(&a[0])?, get::<Thing>(&a[1])?, get::<Thing>(&a[2])?);
            let amount = get(&a[3])?;
            with(|cx| fights::damage(cx, Some(source.0), whom.0, amount).map(|_| ())).given()
        },
        ("resolve", 1, _) => |a| combo::words::resolve(get(&a[0])?).given(),
        ("discard", 1, _) => |a| match get::<ComboRef>(&a[0]) {
            Some(all) => combo::words::discard(all).given(),
            None => piece::words::discard(get(&a[0])?).given(),
        },
        ("has_colour", 2, _) => |a| combo::words::has_colour(get(&a[0])?, get(&a[1])?).given(),
        ("count_colour", 2, _) => |a| combo::words::count_colour(get(&a[0])?, get(&a[1])?).given(),
        ("draw", 2, true) => |a| seat::words::draw(get(&a[0])?, get(&a[1])?).map(|_| ()).given(),
        ("move_to", 2, _) => |a| piece::words::move_to(get(&a[0])?, get::<Zone>(&a[1])?).given(),
        ("has", 2, _) => |a| zone::words::has(get(&a[0])?, get(&a[1])?).given(),
        ("has_tag", 2, _) => |a| thing::words::has_tag(get(&a[0])?, get(&a[1])?).given(),
        ("marked", 2, _) => |a| thing::words::marked(get(&a[0])?, get(&a[1])?).given(),
        ("mark", 2, _) => |a| thing::words::mark(get(&a[0])?, get(&a[1])?).given(),
        ("unmark", 2, _) => |a| thing::words::unmark(get(&a[0])?, get(&a[1])?).given(),
        _ => return None,
    })
}
