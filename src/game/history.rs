//! Checkpoints of a game, so that going back does not need a replay from the start.

use std::rc::Rc;

use super::play::Game;

/// The initial number of answers between two checkpoints.
const MIN_INTERVAL: usize = 8;
/// The most checkpoints to keep. Beyond this, every second one is dropped and the interval doubles.
const MAX_CHECKPOINTS: usize = 32;

/// Checkpoints of one game.
#[derive(Default)]
pub struct History {
    checkpoints: Vec<Game>,
    interval: usize,
}

impl History {
    /// Adds a checkpoint, if the last one is old enough.
    pub fn record(&mut self, game: &Game) {
        let now = game.journal().len();
        // Drop checkpoints from after an undo, and checkpoints of other packs.
        self.checkpoints
            .retain(|checkpoint| checkpoint.is_prefix_of(game));
        self.interval = self.interval.max(MIN_INTERVAL);
        if self
            .checkpoints
            .last()
            .is_some_and(|last| now < last.journal().len() + self.interval)
        {
            return;
        }
        self.checkpoints.push(game.clone());
        if self.checkpoints.len() > MAX_CHECKPOINTS {
            let mut ix = 0;
            self.checkpoints.retain(|_| {
                ix += 1;
                ix % 2 == 1
            });
            self.interval *= 2;
        }
    }

    /// The game after its first `answers` answers; `None` if it has fewer.
    #[must_use]
    pub fn at(&self, game: &Game, answers: usize) -> Option<Game> {
        let lines = game.journal().get(..answers)?;
        let fits = |checkpoint: &&Game| {
            checkpoint.journal().len() <= answers && checkpoint.is_prefix_of(game)
        };
        let Some(checkpoint) = self.checkpoints.iter().rev().find(fits) else {
            return game.replay_answers(lines);
        };
        let mut again = checkpoint.clone();
        let more = &lines[checkpoint.journal().len()..];
        let mut rows = more.iter().enumerate();
        rows.all(|(ix, line)| again.replay_line(line, more.get(ix + 1)).is_ok())
            .then_some(again)
    }
}

impl Game {
    /// Whether another game started like this one and continues its answers.
    fn is_prefix_of(&self, other: &Game) -> bool {
        Rc::ptr_eq(&self.cx.rules, &other.cx.rules)
            && self.setup.seed == other.setup.seed
            && other.journal().starts_with(self.journal())
    }
}
