//! Indistinguishable groups: which pieces a seat cannot tell apart.
//!
//! A seat that sees cards go into a pile still knows the cards after a shuffle, but not their
//! order. In an indistinguishable group, a seat knows which pieces there are and where they are,
//! but not which piece is where.
//!
//! A group is numbered by the zone in which it arose. Pieces keep their group when they move unseen,
//! so a card drawn from a pile may be any card of that pile. A piece that the seat knows belongs to
//! no group. The groups follow from the answers so far and no rule can read them, so they are not
//! part of the hashed bytes.

use super::state::State;
use super::zones::ZoneAt;
use crate::content::{PieceId, SeatId, SeatSet};

/// Adds the piece that was created last. Everyone sees which piece leaves the box and where it
/// goes.
pub fn piece_created(state: &mut State, zone: ZoneAt) {
    let last = state.pieces.len().saturating_sub(1);
    resize(state, last);
    state.indistinguishable_groups.extend(std::iter::repeat_n(
        group_number(zone),
        usize::from(state.seats),
    ));
}

/// The indistinguishable group of a piece; meaningless if the seat knows the piece.
#[must_use]
pub fn group_of(state: &State, piece: PieceId, seat: SeatId) -> u16 {
    state
        .indistinguishable_groups
        .get(index(state, piece.0, seat.0))
        .copied()
        .unwrap_or(0)
}

/// Merges the pieces of a zone into one group for the seats that do not see the shuffle, together
/// with every piece that these seats could not tell from one of them.
pub fn merge(state: &mut State, zone: ZoneAt, order: &[u16], seats: SeatSet) {
    resize(state, state.pieces.len());
    let new = group_number(zone);
    for seat in (0..state.seats).filter(|seat| seats.contains(SeatId(*seat))) {
        let unknown = |piece: &&u16| {
            !state.pieces[usize::from(**piece)]
                .known
                .contains(SeatId(seat))
        };
        let before = |piece: &u16| state.indistinguishable_groups[index(state, *piece, seat)];
        let mut old: Vec<u16> = order
            .iter()
            .filter(unknown)
            .map(before)
            .filter(|old| *old != new)
            .collect();
        old.sort_unstable();
        old.dedup();
        for piece in order {
            let ix = index(state, *piece, seat);
            state.indistinguishable_groups[ix] = new;
        }
        if !old.is_empty() {
            let groups = state
                .indistinguishable_groups
                .iter_mut()
                .skip(seat.into())
                .step_by(state.seats.into());
            groups
                .filter(|group| old.binary_search(group).is_ok())
                .for_each(|group| *group = new);
        }
    }
}

/// Resizes the table of groups, which is empty in a deserialized state.
fn resize(state: &mut State, pieces: usize) {
    state
        .indistinguishable_groups
        .resize(pieces * usize::from(state.seats), 0);
}

const fn index(state: &State, piece: u16, seat: u8) -> usize {
    piece as usize * state.seats as usize + seat as usize
}

/// The number of the group that arises in a zone; 0 means no group.
const fn group_number(zone: ZoneAt) -> u16 {
    zone.0.saturating_add(1)
}
