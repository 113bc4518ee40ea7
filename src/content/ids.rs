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
    /// A [`KindDef`](super::KindDef).
    KindId(u16);
    /// A [`CounterDef`](super::CounterDef).
    CounterId(u16);
    /// A [`ZoneDef`](super::ZoneDef).
    ZoneId(u16);
    /// A place on the map.
    PlaceId(u16);
    /// A [`PhaseDef`](super::PhaseDef).
    PhaseId(u16);
    /// A list of phases: a turn, a round, a sequence, a part of a fight.
    ListId(u16);
    /// A [`FightDef`](super::FightDef).
    FightId(u16);
    /// A [`ChainDef`](super::ChainDef).
    ChainId(u16);
    /// A [`DieDef`](super::DieDef).
    DieId(u16);
    /// An event, of the engine or of a pack.
    EventId(u16);
    /// A query, of the engine or of a pack.
    QueryId(u16);
    /// A [`HookDef`](super::HookDef).
    HookId(u32);
    /// A player's position at the table.
    SeatId(u8);
    /// One copy of an entry in play.
    PieceId(u16);
}
