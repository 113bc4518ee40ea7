//! Who plays which seat.

use crate::content::{Content, SeatId};
use crate::game::{Agent, Answer, Ask, Game};

use super::{Budget, Player, Random, greedy, search};

/// What kind of player sits on a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A person, who is asked by a front end.
    Human,
    /// A bot that takes any open option.
    Random,
    /// A bot that takes what leaves it best off, by what the pack says a position is worth.
    Greedy,
    /// A bot that plays on in its mind, many times, before it answers.
    Search,
}

impl Kind {
    /// Every kind, with its name.
    pub const ALL: &'static [(&'static str, Kind)] = &[
        ("human", Kind::Human),
        ("random", Kind::Random),
        ("greedy", Kind::Greedy),
        ("search", Kind::Search),
    ];

    /// The kind of a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Kind> {
        Kind::ALL
            .iter()
            .find(|(own, _)| *own == name)
            .map(|(_, kind)| *kind)
    }

    /// A bot for a game: one that tries to win, if the pack says what a position is worth.
    #[must_use]
    pub const fn bot(content: &Content) -> Kind {
        if content.worths.is_empty() {
            Kind::Random
        } else {
            Kind::Greedy
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Kind::ALL
            .iter()
            .find(|(_, kind)| *kind == self)
            .map_or("", |(name, _)| name)
    }
}

/// The agents of a table, a seat each; people have none.
pub struct Table {
    kinds: Vec<Kind>,
    seed: u64,
    budget: Budget,
}

impl Table {
    /// Seats agents; their chance comes from the game's seed and the number of answers given so far, and never touches the
    /// game's own: after an answer was taken back, they answer as they did.
    #[must_use]
    pub fn new(players: &[Player], seed: u64) -> Table {
        Table {
            kinds: players.iter().map(|player| player.kind).collect(),
            seed,
            budget: Budget::default(),
        }
    }

    /// Says how long bots that search may think about an answer.
    #[must_use]
    pub fn thinking(self, budget: Budget) -> Table {
        Table { budget, ..self }
    }

    /// What an agent answers to the question that waits, if an agent is asked. In a question open to several seats that
    /// a person may answer too, agents hold back.
    ///
    /// # Errors
    /// What is wrong with a script by which an agent judges.
    pub fn answer(&self, game: &Game) -> Result<Option<Answer>, String> {
        self.answer_numbered(game, game.journal().len() as u64)
    }

    /// The same for games without a journal: the number of the answer is given.
    ///
    /// # Errors
    /// As [`Table::answer`].
    pub fn answer_numbered(&self, game: &Game, number: u64) -> Result<Option<Answer>, String> {
        let Some((ask, kind)) = self.asked(game) else {
            return Ok(None);
        };
        self.decide(game, ask, (ask.seat(), kind), number)
    }

    /// What an agent answers that holds back, because a person may answer, too.
    ///
    /// # Errors
    /// As [`Table::answer`].
    pub fn answer_first(&self, game: &Game, seat: SeatId) -> Result<Option<Answer>, String> {
        let asked = game.pending().filter(|ask| ask.seats.contains(seat));
        let Some((ask, kind)) = asked.zip(self.kinds.get(seat.ix()).copied()) else {
            return Ok(None);
        };
        self.decide(game, ask, (seat, kind), game.journal().len() as u64)
    }

    fn decide(
        &self,
        game: &Game,
        ask: &Ask,
        (seat, kind): (SeatId, Kind),
        number: u64,
    ) -> Result<Option<Answer>, String> {
        let chance = self.chance(seat, number);
        match kind {
            Kind::Human => Ok(None),
            // Any answer would be somebody's; this one must be its own.
            Kind::Random if ask.seat() != seat => {
                let mut random = Random::new(chance);
                let mut answers = greedy::answers(game, ask, seat, &mut random);
                Ok((!answers.is_empty()).then(|| answers.swap_remove(random.below(answers.len()))))
            }
            Kind::Random => Ok(Some(Random::new(chance).decide(game.core(), ask))),
            Kind::Greedy => greedy::answer(game, ask, seat, chance).map(Some),
            Kind::Search => search::answer(game, ask, seat, chance, &self.budget).map(Some),
        }
    }

    /// Any answer of an agent that is asked, for when its script has failed.
    #[must_use]
    pub fn any_answer(&self, game: &Game) -> Option<Answer> {
        let (ask, _) = self.asked(game)?;
        let chance = self.chance(ask.seat(), game.journal().len() as u64);
        Some(Random::new(chance).decide(game.core(), ask))
    }

    /// The chance of an agent, apart from the game's own.
    fn chance(&self, seat: SeatId, number: u64) -> u64 {
        self.seed ^ ((u64::from(seat.0) + 1) << 40) ^ (number << 44)
    }

    /// The question that waits, and the kind of agent that answers it, if no person may.
    fn asked<'g>(&self, game: &'g Game) -> Option<(&'g Ask, Kind)> {
        let ask = game.pending()?;
        let kind = |seat: SeatId| self.kinds.get(seat.ix()).copied().unwrap_or(Kind::Human);
        let people = ask.seats.iter().any(|seat| kind(seat) == Kind::Human);
        (!people).then(|| (ask, kind(ask.seat())))
    }
}
