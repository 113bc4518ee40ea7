//! Determinized games, from the point of view of one seat.

use super::RandomPlayer;
use crate::content::SeatId;
use crate::game::Game;

/// A copy in which everything hidden from a seat is replaced by a guess: pieces, random results and
/// sealed answers.
#[must_use]
pub fn determinized(game: &Game, seat: SeatId, seed: u64) -> Game {
    let mut copy = game.determinize(seat, seed);
    copy.answer_sealed(seat, &mut RandomPlayer::new(seed));
    copy
}
