//! Who plays which seat.

use crate::content::SeatId;
use crate::game::{Agent, Answer, Game};

use super::Random;

/// What kind of player sits on a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A person, who is asked by a front end.
    Human,
    /// A bot that takes any open option.
    Random,
}

impl Kind {
    /// Every kind, with its name.
    pub const ALL: &'static [(&'static str, Kind)] = &[("human", Kind::Human), ("random", Kind::Random)];

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
    agents: Vec<Option<Box<dyn Agent>>>,
}

impl Table {
    /// Seats agents; their chance comes from the game's seed, and never touches the game's own.
    #[must_use]
    pub fn new(kinds: &[Kind], seed: u64) -> Table {
        let agent = |(ix, kind): (usize, &Kind)| -> Option<Box<dyn Agent>> {
            match kind {
                Kind::Human => None,
                Kind::Random => Some(Box::new(Random::new(seed ^ ((ix as u64 + 1) << 40)))),
            }
        };
        Table { agents: kinds.iter().enumerate().map(agent).collect() }
    }

    /// What an agent answers to the question that waits, if an agent is asked. In a question open to several seats that
    /// a person may answer too, agents hold back.
    pub fn answer(&mut self, game: &Game) -> Option<Answer> {
        let ask = game.pending()?;
        let asked = (0..8u8).filter(|seat| ask.seats >> seat & 1 == 1).map(SeatId);
        let people = asked.clone().any(|seat| self.agents.get(seat.ix()).is_none_or(Option::is_none));
        if people {
            return None;
        }
        let seat = asked.into_iter().next()?;
        let agent = self.agents.get_mut(seat.ix())?.as_mut()?;
        Some(agent.decide(game.core(), ask))
    }
}
