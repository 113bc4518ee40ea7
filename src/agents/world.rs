//! A game as it might be for a seat that does not see everything.

use super::Random;
use crate::content::SeatId;
use crate::game::Game;

/// A copy in which whatever the seat does not know was exchanged or guessed: pieces, chance, answers under seal.
#[must_use]
pub fn world(game: &Game, seat: SeatId, chance: u64) -> Game {
    let mut world = game.determinise(seat, chance);
    world.guess_sealed(seat, &mut Random::new(chance));
    world
}
