//! Zones: one flat list of all pieces, divided into zones.
//!
//! The data is a few vectors of 16-bit numbers, so that copying it takes only a few block copies.
//! Moving a piece shifts everything between its old and new positions.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

use super::state::Entity;
use crate::content::{Content, Owner, PerOwner, PieceId, PlaceId, SeatId, ZoneId};
pub use crate::value::ZoneAt;

/// Identifies the contents of the listening zones: equal versions mean equal contents. It is not
/// part of the state.
#[derive(Clone, Copy, Debug)]
pub struct ListeningVersion(u64);

impl Default for ListeningVersion {
    fn default() -> ListeningVersion {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        ListeningVersion(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

impl ListeningVersion {
    /// Whether the listening zones are known to be equal.
    #[must_use]
    pub const fn is(self, other: ListeningVersion) -> bool {
        self.0 == other.0
    }
}

/// Which zones listen. Without the list, as in a deserialized state, any of them may.
#[derive(Clone, Debug, Default)]
struct Listening {
    version: ListeningVersion,
    /// For the zones of the table, the seats and the places, then for those of one piece.
    zones: Option<Arc<[Vec<bool>; 2]>>,
}

impl PartialEq for Listening {
    fn eq(&self, _: &Listening) -> bool {
        true
    }
}

impl Eq for Listening {}

impl Listening {
    fn has(&self, at: ZoneAt) -> bool {
        let Some(zones) = &self.zones else {
            return true;
        };
        let [fixed, of_piece] = &**zones;
        match at.ix().checked_sub(fixed.len()) {
            None => fixed[at.ix()],
            Some(past) => of_piece[past % of_piece.len().max(1)],
        }
    }

    /// Records that a zone has changed.
    fn changed(&mut self, at: ZoneAt) {
        if self.has(at) {
            self.version = ListeningVersion::default();
        }
    }
}

/// The order of all pieces in all zones.
#[derive(PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Zones {
    order: Vec<u16>,
    /// The index in `order` at which each zone starts, plus the end of the last zone.
    starts: Vec<u16>,
    /// The zone of each piece.
    of: Vec<u16>,
    /// The number of zones that each kind of owner has.
    per: PerOwner<u16>,
    /// The number of seats and of places.
    owners: [u16; 2],
    #[serde(skip)]
    listening: Listening,
}

impl Clone for Zones {
    fn clone(&self) -> Self {
        let mut copy = Zones::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, from: &Self) {
        let Zones {
            order,
            starts,
            of,
            per,
            owners,
            listening,
        } = from;
        self.listening.clone_from(listening);
        self.order.clone_from(order);
        self.starts.clone_from(starts);
        self.of.clone_from(of);
        self.per = *per;
        self.owners = *owners;
    }
}

#[allow(clippy::cast_possible_truncation)]
impl Zones {
    /// Zones without any pieces.
    #[must_use]
    pub fn new(content: &Content, seats: usize) -> Zones {
        let per = PerOwner::new(|owner| content.zones_of[owner].len() as u16);
        let owners = [seats as u16, content.map.places.len() as u16];
        let mut zones = Zones {
            per,
            owners,
            ..Zones::default()
        };
        let count =
            1 + per[Owner::Table] + per[Owner::Seat] * owners[0] + per[Owner::Place] * owners[1];
        zones.starts = vec![0; usize::from(count) + 1];
        let listens = |owner| {
            let of_owner = content.zones_of[owner].iter();
            of_owner.map(|zone| content.zones[zone.ix()].listens)
        };
        let mut fixed = vec![false];
        fixed.extend(listens(Owner::Table));
        (0..owners[0]).for_each(|_| fixed.extend(listens(Owner::Seat)));
        (0..owners[1]).for_each(|_| fixed.extend(listens(Owner::Place)));
        let of_piece = listens(Owner::Piece).collect();
        zones.listening.zones = Some(Arc::new([fixed, of_piece]));
        zones
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.starts.len() <= 1
    }

    pub fn all(&self) -> impl Iterator<Item = ZoneAt> + use<> {
        (0..self.starts.len() as u16 - 1).map(ZoneAt)
    }

    /// The zone of an owner; `None` if the owner does not have it.
    #[must_use]
    pub fn at(&self, content: &Content, of: Entity, zone: ZoneId) -> Option<ZoneAt> {
        let (owner, number) = of.owner();
        let slot = content.zone_slot[zone.ix()][owner]?;
        let number = number as u16;
        let base = self.base(owner);
        Some(ZoneAt(base + number * self.per[owner] + slot))
    }

    fn base(&self, owner: Owner) -> u16 {
        let seats = 1 + self.per[Owner::Table];
        let places = seats + self.per[Owner::Seat] * self.owners[0];
        match owner {
            Owner::Table => 1,
            Owner::Seat => seats,
            Owner::Place => places,
            Owner::Piece => places + self.per[Owner::Place] * self.owners[1],
        }
    }

    /// The owner and the definition of a zone; `None` for the box.
    #[must_use]
    pub fn def(&self, content: &Content, at: ZoneAt) -> Option<(Entity, ZoneId)> {
        if at == ZoneAt::BOX {
            return None;
        }
        let seats = 1 + self.per[Owner::Table];
        let places = seats + self.per[Owner::Seat] * self.owners[0];
        let pieces = places + self.per[Owner::Place] * self.owners[1];
        let (owner, base) = if at.0 < seats {
            (Owner::Table, 1)
        } else if at.0 < places {
            (Owner::Seat, seats)
        } else if at.0 < pieces {
            (Owner::Place, places)
        } else {
            (Owner::Piece, pieces)
        };
        let rest = at.0 - base;
        let (number, slot) = (rest / self.per[owner], rest % self.per[owner]);
        let entity = match owner {
            Owner::Table => Entity::Table,
            Owner::Seat => Entity::Seat(SeatId(number as u8)),
            Owner::Place => Entity::Place(PlaceId(number)),
            Owner::Piece => Entity::Piece(PieceId(number)),
        };
        Some((entity, content.zones_of[owner][usize::from(slot)]))
    }

    /// The pieces of a zone, top first.
    #[must_use]
    pub fn pieces(&self, at: ZoneAt) -> &[u16] {
        &self.order[usize::from(self.starts[at.ix()])..usize::from(self.starts[at.ix() + 1])]
    }

    #[must_use]
    pub fn count(&self, at: ZoneAt) -> usize {
        usize::from(self.starts[at.ix() + 1] - self.starts[at.ix()])
    }

    #[must_use]
    pub fn top(&self, at: ZoneAt) -> Option<PieceId> {
        self.pieces(at).first().copied().map(PieceId)
    }

    #[must_use]
    pub fn zone_of(&self, piece: PieceId) -> ZoneAt {
        ZoneAt(self.of[piece.ix()])
    }

    /// The position of a piece within its zone.
    #[must_use]
    pub fn position(&self, piece: PieceId) -> usize {
        self.pieces(self.zone_of(piece))
            .iter()
            .position(|other| *other == piece.0)
            .unwrap_or(0)
    }

    /// The pieces in zones of other pieces, each with its zone, in the order of the zones.
    pub fn in_zones_of_pieces<'a>(
        &'a self,
        content: &'a Content,
    ) -> impl Iterator<Item = (PieceId, ZoneId)> + 'a {
        let base = self.base(Owner::Piece);
        let first = self.starts.get(usize::from(base)).copied();
        let order = first.map_or(&[][..], |first| &self.order[usize::from(first)..]);
        order.iter().map(move |piece| {
            let slot = (self.of[usize::from(*piece)] - base) % self.per[Owner::Piece].max(1);
            let zone = content.zones_of[Owner::Piece][usize::from(slot)];
            (PieceId(*piece), zone)
        })
    }

    /// The version of the listening zones.
    #[must_use]
    pub const fn listening_version(&self) -> ListeningVersion {
        self.listening.version
    }

    /// Adds a new piece to the box, and the zones that belong to the piece.
    pub fn create(&mut self) -> PieceId {
        let piece = self.of.len() as u16;
        let at = usize::from(self.starts[1]);
        self.order.insert(at, piece);
        for start in &mut self.starts[1..] {
            *start += 1;
        }
        let end = self.starts[self.starts.len() - 1];
        self.starts.extend(std::iter::repeat_n(
            end,
            usize::from(self.per[Owner::Piece]),
        ));
        self.of.push(0);
        PieceId(piece)
    }

    /// Moves a piece to a position of a zone; positions beyond the end mean the end.
    pub fn place(&mut self, piece: PieceId, to: ZoneAt, position: usize) {
        let from = self.zone_of(piece);
        self.listening.changed(from);
        self.listening.changed(to);
        let old = usize::from(self.starts[from.ix()]) + self.position(piece);
        let room = self.count(to) - usize::from(from == to);
        let start = usize::from(self.starts[to.ix()]) - usize::from(from < to);
        let new = start + position.min(room);
        if from < to {
            self.starts[from.ix() + 1..=to.ix()]
                .iter_mut()
                .for_each(|start| *start -= 1);
        } else {
            self.starts[to.ix() + 1..=from.ix()]
                .iter_mut()
                .for_each(|start| *start += 1);
        }
        if old < new {
            self.order.copy_within(old + 1..=new, old);
        } else {
            self.order.copy_within(new..old, new + 1);
        }
        self.order[new] = piece.0;
        self.of[piece.ix()] = to.0;
    }

    /// Reorders the pieces of a zone; `order` must contain the same pieces.
    pub fn arrange(&mut self, at: ZoneAt, order: &[u16]) {
        self.listening.changed(at);
        let start = usize::from(self.starts[at.ix()]);
        self.order[start..start + order.len()].copy_from_slice(order);
    }

    /// Swaps the positions of two pieces, for each pair in order.
    pub fn exchange_all(&mut self, pairs: &[(PieceId, PieceId)]) {
        let mut positions = vec![0; self.of.len()];
        for (position, piece) in self.order.iter().enumerate() {
            positions[usize::from(*piece)] = position;
        }
        for (left, right) in pairs {
            let (left, right) = (left.ix(), right.ix());
            self.listening.changed(ZoneAt(self.of[left]));
            self.listening.changed(ZoneAt(self.of[right]));
            self.order.swap(positions[left], positions[right]);
            positions.swap(left, right);
            self.of.swap(left, right);
        }
    }
}
