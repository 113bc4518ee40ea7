//! Where a game was: copies on its way, from which it goes back without being played from its start.

use std::rc::Rc;

use super::play::Game;

/// So many answers lie between two copies, at first.
const APART: usize = 8;
/// So many copies are kept; where they become more, every second goes.
const MOST: usize = 32;

/// Copies of a game on its way.
#[derive(Default)]
pub struct Past {
    copies: Vec<Game>,
    apart: usize,
}

impl Past {
    /// Keeps a copy of a game, if the last one is some answers ago.
    pub fn note(&mut self, game: &Game) {
        let now = game.journal().len();
        // What was taken back since, or was played with other packs, is no past of this game.
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

    /// A game as it was after so many answers; `None` where it had not yet so many.
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
    /// Whether another game began as this one and has all of its answers.
    fn leads_to(&self, other: &Game) -> bool {
        Rc::ptr_eq(&self.cx.rules, &other.cx.rules)
            && self.setup.seed == other.setup.seed
            && other.journal().starts_with(self.journal())
    }
}
