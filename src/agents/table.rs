//! The table: which player type decides for which seat.

use std::cell::Cell;
use std::rc::Rc;

use crate::content::{Content, SeatId};
use crate::game::{Agent, Answer, Game, Question, StepContext};

use super::{Budget, Player, RandomPlayer, greedy, search};

/// A player type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlayerKind {
    /// A person, who answers through a front end.
    Human,
    /// A bot that picks any open option.
    Random,
    /// A bot that picks the answer with the best evaluation.
    Greedy,
    /// A bot that simulates games before it answers.
    Search,
}

impl PlayerKind {
    /// Every player type with its name.
    pub const ALL: &'static [(&'static str, PlayerKind)] = &[
        ("human", PlayerKind::Human),
        ("random", PlayerKind::Random),
        ("greedy", PlayerKind::Greedy),
        ("search", PlayerKind::Search),
    ];

    /// The player type of a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<PlayerKind> {
        PlayerKind::ALL
            .iter()
            .find(|(own, _)| *own == name)
            .map(|(_, kind)| *kind)
    }

    /// The default bot for a game: greedy if the packs declare an evaluation, otherwise random.
    #[must_use]
    pub const fn bot(content: &Content) -> PlayerKind {
        if content.evaluations.is_empty() {
            PlayerKind::Random
        } else {
            PlayerKind::Greedy
        }
    }

    /// The name in flags and journals.
    #[must_use]
    pub fn name(self) -> &'static str {
        PlayerKind::ALL
            .iter()
            .find(|(_, kind)| *kind == self)
            .map_or("", |(name, _)| name)
    }
}

/// The bots of a table.
pub struct AgentTable {
    kinds: Vec<PlayerKind>,
    seed: u64,
    budget: Budget,
}

impl AgentTable {
    /// Creates the bots of a table. Their random seed depends only on the game's seed and the
    /// number of answers so far, so that they answer the same way after an undo.
    #[must_use]
    pub fn new(players: &[Player], seed: u64) -> AgentTable {
        AgentTable {
            kinds: players.iter().map(|player| player.kind).collect(),
            seed,
            budget: Budget::default(),
        }
    }

    /// Sets the budget of bots that search.
    #[must_use]
    pub fn with_budget(self, budget: Budget) -> AgentTable {
        AgentTable { budget, ..self }
    }

    /// The answer of a bot to the pending question; `None` if a person may answer it too.
    ///
    /// # Errors
    /// Returns the fault of an evaluation script.
    pub fn answer(&self, game: &Game) -> Result<Option<Answer>, String> {
        self.answer_nth(game, game.journal().len() as u64)
    }

    /// Like [`AgentTable::answer`], for games without a journal: `number` is the number of answers
    /// so far.
    ///
    /// # Errors
    /// Returns the fault of an evaluation script.
    pub fn answer_nth(&self, game: &Game, number: u64) -> Result<Option<Answer>, String> {
        let Some((question, kind)) = self.pending_for_bot(game) else {
            return Ok(None);
        };
        self.decide(game, question, (question.seat(), kind), number)
    }

    /// The answer of the bot on a seat, even if a person may answer too.
    ///
    /// # Errors
    /// Returns the fault of an evaluation script.
    pub fn answer_first(&self, game: &Game, seat: SeatId) -> Result<Option<Answer>, String> {
        let asked = game
            .pending()
            .filter(|question| question.seats.contains(seat));
        let Some((question, kind)) = asked.zip(self.kinds.get(seat.ix()).copied()) else {
            return Ok(None);
        };
        self.decide(game, question, (seat, kind), game.journal().len() as u64)
    }

    fn decide(
        &self,
        game: &Game,
        question: &Question,
        (seat, kind): (SeatId, PlayerKind),
        number: u64,
    ) -> Result<Option<Answer>, String> {
        let seed = self.seed_for(seat, number);
        match kind {
            PlayerKind::Human => Ok(None),
            // A random answer could belong to another seat, so choose among the options of this
            // seat.
            PlayerKind::Random if question.seat() != seat => {
                let mut random = RandomPlayer::new(seed);
                let mut answers = greedy::candidates(game, question, seat, &mut random);
                Ok((!answers.is_empty()).then(|| answers.swap_remove(random.below(answers.len()))))
            }
            PlayerKind::Random => Ok(Some(
                RandomPlayer::new(seed).decide(game.context(), question),
            )),
            PlayerKind::Greedy => greedy::answer(game, question, seat, seed).map(Some),
            PlayerKind::Search => {
                search::answer(game, question, seat, seed, &self.budget).map(Some)
            }
        }
    }

    /// A random answer for a bot whose evaluation script has failed. `number` is the number of
    /// answers so far.
    #[must_use]
    pub fn random_answer(&self, game: &Game, number: u64) -> Option<Answer> {
        let (question, _) = self.pending_for_bot(game)?;
        let seed = self.seed_for(question.seat(), number);
        Some(RandomPlayer::new(seed).decide(game.context(), question))
    }

    /// Bots that answer within the game, so that it never waits; only if all of them are random.
    #[must_use]
    pub fn inline(&self, limit: AnswerLimit) -> Option<InlineBots> {
        let all_random = self.kinds.iter().all(|kind| *kind == PlayerKind::Random);
        all_random.then(|| InlineBots {
            seed: self.seed,
            answers: Rc::default(),
            limit,
        })
    }

    /// The seed of a bot's answer, independent of the game's randomness.
    fn seed_for(&self, seat: SeatId, number: u64) -> u64 {
        seed_for(self.seed, seat, number)
    }

    /// The pending question and the bot that answers it, unless a person may.
    fn pending_for_bot<'g>(&self, game: &'g Game) -> Option<(&'g Question, PlayerKind)> {
        let question = game.pending()?;
        let kind = |seat: SeatId| {
            self.kinds
                .get(seat.ix())
                .copied()
                .unwrap_or(PlayerKind::Human)
        };
        let person_may = question
            .seats
            .iter()
            .any(|seat| kind(seat) == PlayerKind::Human);
        (!person_may).then(|| (question, kind(question.seat())))
    }
}

fn seed_for(seed: u64, seat: SeatId, number: u64) -> u64 {
    seed ^ ((u64::from(seat.0) + 1) << 40) ^ (number << 44)
}

/// When bots stop answering.
#[derive(Clone, Copy, Debug)]
pub struct AnswerLimit {
    /// The most answers.
    pub answers: u64,
    /// The most turns that a seat may have had.
    pub turns: u32,
}

/// Random bots for all seats, which give the answers that [`AgentTable::answer_nth`] would give.
#[derive(Clone, Debug)]
pub struct InlineBots {
    seed: u64,
    /// The number of answers so far, shared with the copies in games.
    answers: Rc<Cell<u64>>,
    limit: AnswerLimit,
}

impl InlineBots {
    /// The number of answers so far.
    #[must_use]
    pub fn answer_count(&self) -> u64 {
        self.answers.get()
    }
}

impl Agent for InlineBots {
    fn answers(&self, context: &StepContext, _question: &Question) -> bool {
        let in_time = |turns: &u32| *turns <= self.limit.turns;
        self.answers.get() < self.limit.answers && context.state.turns.iter().all(in_time)
    }

    fn decide(&mut self, context: &StepContext, question: &Question) -> Answer {
        let number = self.answers.replace(self.answers.get() + 1);
        RandomPlayer::new(seed_for(self.seed, question.seat(), number)).decide(context, question)
    }

    fn boxed(&self) -> Box<dyn Agent> {
        Box::new(self.clone())
    }
}
