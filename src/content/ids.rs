//! Names become small integers when content is built.

use serde::{Deserialize, Serialize};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident($repr:ty);)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
        pub struct $name(pub $repr);

        impl $name {
            /// The position in the vector of its kind.
            #[must_use]
            pub const fn ix(self) -> usize {
                self.0 as usize
            }

            /// The id of a position; positions beyond the type's range cannot occur in content, whose sizes are checked when it is built.
            #[must_use]
            #[allow(clippy::cast_possible_truncation)]
            pub const fn at(ix: usize) -> Self {
                Self(ix as $repr)
            }
        }
    )*};
}

ids! {
    /// An entry: a card, a beast, a rule, a phase.
    EntryId(u16);
    /// A kind of entries.
    KindId(u16);
    /// A counter's definition.
    CounterId(u16);
    /// A zone's definition.
    ZoneId(u16);
    /// A place of the map.
    PlaceId(u16);
    /// A phase's definition.
    PhaseId(u16);
    /// A list of phases: a turn, a round, a sequence, a part of a fight.
    ListId(u16);
    /// A fight's definition.
    FightId(u16);
    /// A chain's definition.
    ChainId(u16);
    /// A die's definition.
    DieId(u16);
    /// An event, of the engine or of a pack.
    EventId(u16);
    /// A query, of the engine or of a pack.
    QueryId(u16);
    /// A script with its place.
    HookId(u32);
    /// A player's place at the table.
    SeatId(u8);
    /// One copy of an entry in play.
    PieceId(u16);
}
