//! Who plays which seat.

use crate::content::SeatId;
use crate::game::{Agent, Answer, Game};

use super::{Random, greedy};

/// What kind of player sits on a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A person, who is asked by a front end.
    Human,
    /// A bot that takes any open option.
    Random,
    /// A bot that takes what leaves it best off, by what the pack says a position is worth.
    Greedy,
}

impl Kind {
    /// Every kind, with its name.
    pub const ALL: &'static [(&'static str, Kind)] =
        &[("human", Kind::Human), ("random", Kind::Random), ("greedy", Kind::Greedy)];

    /// The kind of a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Kind> {
        Kind::ALL.iter().find(|(own, _)| *own == name).map(|(_, kind)| *kind)
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Kind::ALL.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }
}

/// The agents of a table, a seat each; people have none.
pub struct Table {
    kinds: Vec<Kind>,
    seed: u64,
}

impl Table {
    /// Seats agents; their chance comes from the game's seed and the number of answers given so far, and never touches the
    /// game's own: after an answer was taken back, they answer as they did.
    #[must_use]
    pub fn new(kinds: &[Kind], seed: u64) -> Table {
        Table { kinds: kinds.to_vec(), seed }
    }

    /// What an agent answers to the question that waits, if an agent is asked. In a question open to several seats that
    /// a person may answer too, agents hold back.
    #[must_use]
    pub fn answer(&self, game: &Game) -> Option<Answer> {
        self.answer_numbered(game, game.journal().len() as u64)
    }

    /// The same for games without a journal: the number of the answer is given.
    #[must_use]
    pub fn answer_numbered(&self, game: &Game, number: u64) -> Option<Answer> {
        let ask = game.pending()?;
        let asked = (0..8u8).filter(|seat| ask.seats >> seat & 1 == 1).map(SeatId);
        let kind = |seat: SeatId| self.kinds.get(seat.ix()).copied().unwrap_or(Kind::Human);
        if asked.clone().any(|seat| kind(seat) == Kind::Human) {
            return None;
        }
        let seat = asked.into_iter().next()?;
        let chance = self.seed ^ ((u64::from(seat.0) + 1) << 40) ^ (number << 44);
        match kind(seat) {
            Kind::Human => None,
            Kind::Random => Some(Random::new(chance).decide(game.core(), ask)),
            Kind::Greedy => Some(greedy::answer(game, ask, seat, chance)),
        }
    }
}
