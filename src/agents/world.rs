//! Determinized games, from the point of view of one seat.

use super::Random;
use crate::content::SeatId;
use crate::game::Game;

/// A copy in which everything hidden from a seat is replaced by a guess: pieces, random results and
/// sealed answers.
#[must_use]
pub fn world(game: &Game, seat: SeatId, chance: u64) -> Game {
    let mut world = game.determinise(seat, chance);
    world.guess_sealed(seat, &mut Random::new(chance));
    world
}
