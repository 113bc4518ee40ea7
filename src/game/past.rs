//! Checkpoints of a game, for going back without a replay from the start.

use std::rc::Rc;

use super::play::Game;

/// The initial number of answers between two checkpoints.
const APART: usize = 8;
/// The most checkpoints to keep. Beyond this, every second one is dropped and the interval doubles.
const MOST: usize = 32;

/// Checkpoints of one game.
#[derive(Default)]
pub struct Past {
    copies: Vec<Game>,
    apart: usize,
}

impl Past {
    /// Adds a checkpoint, if the last one is old enough.
    pub fn note(&mut self, game: &Game) {
        let now = game.journal().len();
        // Drop checkpoints that undo has passed, or that belong to other packs.
        self.copies.retain(|copy| copy.leads_to(game));
        self.apart = self.apart.max(APART);
        if self
            .copies
            .last()
            .is_some_and(|last| now < last.journal().len() + self.apart)
        {
            return;
        }
        self.copies.push(game.clone());
        if self.copies.len() > MOST {
            let mut ix = 0;
            self.copies.retain(|_| {
                ix += 1;
                ix % 2 == 1
            });
            self.apart *= 2;
        }
    }

    /// The game after its first `answers` answers; `None` if it has fewer.
    #[must_use]
    pub fn at(&self, game: &Game, answers: usize) -> Option<Game> {
        let lines = game.journal().get(..answers)?;
        let fits = |copy: &&Game| copy.journal().len() <= answers && copy.leads_to(game);
        let Some(copy) = self.copies.iter().rev().find(fits) else {
            return game.begun_again(lines);
        };
        let mut again = copy.clone();
        let more = &lines[copy.journal().len()..];
        more.iter()
            .all(|line| again.replay_line(line).is_ok())
            .then_some(again)
    }
}

impl Game {
    /// Whether another game started like this one and continues its answers.
    fn leads_to(&self, other: &Game) -> bool {
        Rc::ptr_eq(&self.cx.rules, &other.cx.rules)
            && self.setup.seed == other.setup.seed
            && other.journal().starts_with(self.journal())
    }
}
