//! Small integers that replace names once content is built.

use serde::{Deserialize, Serialize};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident($repr:ty);)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
        pub struct $name(pub $repr);

        impl $name {
            /// The index into the vector that the id belongs to.
            #[must_use]
            pub const fn ix(self) -> usize {
                self.0 as usize
            }

            /// The id for an index. Building content ensures that indices fit into the type.
            #[must_use]
            #[allow(clippy::cast_possible_truncation)]
            pub const fn at(ix: usize) -> Self {
                Self(ix as $repr)
            }
        }
    )*};
}

ids! {
    /// An entry: a card, a monster, a rule, a phase.
    EntryId(u16);
    /// A kind of entries.
    KindId(u16);
    /// A counter.
    CounterId(u16);
    /// A zone.
    ZoneId(u16);
    /// A place on the map.
    PlaceId(u16);
    /// A phase.
    PhaseId(u16);
    /// A list of phases: a turn, a round, a sequence, a part of a fight.
    ListId(u16);
    /// A kind of fight.
    FightId(u16);
    /// A chain of losses.
    ChainId(u16);
    /// A die.
    DieId(u16);
    /// An event, of the engine or of a pack.
    EventId(u16);
    /// A query, of the engine or of a pack.
    QueryId(u16);
    /// A hook.
    HookId(u32);
    /// A player's position at the table.
    SeatId(u8);
    /// One copy of an entry in play.
    PieceId(u16);
}

/// The number of a zone that belongs to a particular owner.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct ZoneAt(pub u16);

impl ZoneAt {
    /// The box, which holds the pieces that are out of the game.
    pub const BOX: ZoneAt = ZoneAt(0);

    /// The index into the vectors of zones.
    #[must_use]
    pub const fn ix(self) -> usize {
        self.0 as usize
    }
}
