//! Sets of seats, one bit for each seat.

use std::ops::{BitAnd, BitOr, BitOrAssign, Not};

use serde::{Deserialize, Serialize};

use super::SeatId;

/// A set of seats, as cheap to copy as an integer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct SeatSet(u8);

impl SeatSet {
    /// The largest number of seats a game may have.
    pub const MAX_SEATS: u8 = 8;
    /// No seat.
    pub const EMPTY: SeatSet = SeatSet(0);
    /// Every seat, including those that the game does not have.
    pub const ALL: SeatSet = SeatSet(u8::MAX);

    /// The set with one seat.
    #[must_use]
    pub const fn only(seat: SeatId) -> SeatSet {
        debug_assert!(seat.0 < Self::MAX_SEATS);
        SeatSet(1 << seat.0)
    }

    /// Whether a seat is in the set.
    #[must_use]
    pub const fn contains(self, seat: SeatId) -> bool {
        seat.0 < Self::MAX_SEATS && self.0 >> seat.0 & 1 == 1
    }

    /// Adds a seat.
    pub const fn insert(&mut self, seat: SeatId) {
        self.0 |= SeatSet::only(seat).0;
    }

    /// Removes a seat.
    pub const fn remove(&mut self, seat: SeatId) {
        self.0 &= !SeatSet::only(seat).0;
    }

    /// The number of seats.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether no seat is in the set.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The seat with the lowest number.
    #[must_use]
    pub fn first(self) -> Option<SeatId> {
        self.iter().next()
    }

    /// The seats in order of their numbers.
    pub fn iter(self) -> impl Iterator<Item = SeatId> {
        (0..Self::MAX_SEATS)
            .map(SeatId)
            .filter(move |seat| self.contains(*seat))
    }

    /// The bits, for hashes and dumps; bit 0 is the first seat.
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }
}

impl FromIterator<SeatId> for SeatSet {
    fn from_iter<I: IntoIterator<Item = SeatId>>(seats: I) -> SeatSet {
        let mut set = SeatSet::EMPTY;
        seats.into_iter().for_each(|seat| set.insert(seat));
        set
    }
}

impl BitOr for SeatSet {
    type Output = SeatSet;

    fn bitor(self, other: SeatSet) -> SeatSet {
        SeatSet(self.0 | other.0)
    }
}

impl BitOrAssign for SeatSet {
    fn bitor_assign(&mut self, other: SeatSet) {
        self.0 |= other.0;
    }
}

impl BitAnd for SeatSet {
    type Output = SeatSet;

    fn bitand(self, other: SeatSet) -> SeatSet {
        SeatSet(self.0 & other.0)
    }
}

impl Not for SeatSet {
    type Output = SeatSet;

    fn not(self) -> SeatSet {
        SeatSet(!self.0)
    }
}
