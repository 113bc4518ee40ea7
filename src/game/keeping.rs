//! Which pieces a seat cannot tell apart. Whoever watched cards go into a pile knows what lies in it after it was shuffled, though
//! not in which order: a keeping is a set of pieces of which a seat knows what they are and where they lie, but not which is which.
//!
//! A keeping has the number of the zone in which it came about. Pieces take it along when they move unseen, so that a card drawn
//! from a pile may be any card of that pile; what a seat comes to know is in no keeping any more. All of this follows from the
//! answers so far, and no rule can ask for it: so it is no part of the bytes that are hashed.

use super::state::State;
use super::zones::ZoneAt;
use crate::content::{PieceId, SeatId, SeatSet};

/// The last piece has come into play. Everyone sees what comes out of the box, and where it goes.
pub fn made(state: &mut State, zone: ZoneAt) {
    let last = state.pieces.len().saturating_sub(1);
    fit(state, last);
    state
        .keepings
        .extend(std::iter::repeat_n(number(zone), usize::from(state.seats)));
}

/// The keeping of a piece, which says nothing if the seat knows the piece.
#[must_use]
pub fn keeping(state: &State, piece: PieceId, seat: SeatId) -> u16 {
    state
        .keepings
        .get(at(state, piece.0, seat.0))
        .copied()
        .unwrap_or(0)
}

/// Pieces of a zone are being mixed without these seats seeing how: to them, they are one keeping from now on, with whatever else
/// they could not tell from one of them.
pub fn mixed(state: &mut State, zone: ZoneAt, order: &[u16], seats: SeatSet) {
    fit(state, state.pieces.len());
    let new = number(zone);
    for seat in (0..state.seats).filter(|seat| seats.contains(SeatId(*seat))) {
        let unknown = |piece: &&u16| {
            !state.pieces[usize::from(**piece)]
                .known
                .contains(SeatId(seat))
        };
        let before = |piece: &u16| state.keepings[at(state, *piece, seat)];
        let mut old: Vec<u16> = order
            .iter()
            .filter(unknown)
            .map(before)
            .filter(|old| *old != new)
            .collect();
        old.sort_unstable();
        old.dedup();
        for piece in order {
            let at = at(state, *piece, seat);
            state.keepings[at] = new;
        }
        if !old.is_empty() {
            let own = state
                .keepings
                .iter_mut()
                .skip(seat.into())
                .step_by(state.seats.into());
            own.filter(|keeping| old.binary_search(keeping).is_ok())
                .for_each(|keeping| *keeping = new);
        }
    }
}

/// Makes room for pieces of a state that was read from its bytes.
fn fit(state: &mut State, pieces: usize) {
    state.keepings.resize(pieces * usize::from(state.seats), 0);
}

const fn at(state: &State, piece: u16, seat: u8) -> usize {
    piece as usize * state.seats as usize + seat as usize
}

/// The number of the keeping that comes about in a zone; 0 is of none.
const fn number(zone: ZoneAt) -> u16 {
    zone.0.saturating_add(1)
}
