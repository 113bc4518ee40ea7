//! A limit for the length of a whole game, for tools that run rules which may never end.

use super::{Fault, Game};

/// A game with a limit of steps also ends after this many faults.
const MAX_FAULTS: usize = 16;

/// The steps of a game, and their limit.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StepLimit {
    /// The number of steps so far, including those that ran again.
    steps: u64,
    max: Option<u64>,
}

impl Game {
    /// The number of steps so far, a measure of how long a game takes.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.limit.steps
    }

    /// Ends the game with a fault after a number of steps, or after many faults.
    pub fn limit_steps(&mut self, max: u64) {
        self.limit.max = Some(max);
    }

    /// Counts a step. Returns whether the game exceeds [`Game::limit_steps`].
    pub(super) fn exceeds_limit(&mut self) -> bool {
        self.limit.steps += 1;
        self.is_past_limit()
    }

    fn is_past_limit(&self) -> bool {
        let is_past = |max| self.limit.steps > max || self.faults().len() > MAX_FAULTS;
        self.limit.max.is_some_and(is_past)
    }

    pub(super) fn note_exceeded_limit(&mut self) {
        if self.is_past_limit() {
            self.cx.faults.push(Fault {
                hook: None,
                run: 0,
                message: "the game takes too many steps and ends here".to_owned(),
                at: None,
            });
        }
    }
}
