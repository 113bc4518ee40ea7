//! Replay: rebuilds a game from its journal.

use std::rc::Rc;

use super::context::Rules;
use super::decision;
use super::journal::JournalLine;
use super::play::{Game, Status};
use super::setup::Setup;
use super::state::State;

impl Game {
    /// Starts a game from its setup and gives it the recorded answers.
    ///
    /// # Errors
    /// Returns the game up to the first answer that is not valid, that answer's index, and the
    /// reason.
    pub fn replay(
        rules: Rc<Rules>,
        setup: &Setup,
        lines: &[JournalLine],
    ) -> Result<Game, Box<(Game, usize, String)>> {
        let mut game = match Game::new(
            rules.clone(),
            Setup {
                journal: true,
                ..setup.clone()
            },
        ) {
            Ok(game) => game,
            Err(why) => {
                let stub = Game::with_state(rules, State::default(), setup.clone());
                return Err(Box::new((stub, 0, why)));
            }
        };
        game.run();
        for (ix, line) in lines.iter().enumerate() {
            if let Err(why) = game.replay_line(line) {
                return Err(Box::new((game, ix, why)));
            }
        }
        Ok(game)
    }

    /// Answers the pending question with a recorded answer.
    ///
    /// # Errors
    /// Returns the reason if the game is over, asks another question, or refuses the answer.
    pub fn replay_line(&mut self, line: &JournalLine) -> Result<Status, String> {
        let question = self.pending().ok_or("the game is already over")?;
        let id = decision::id(&self.cx, question);
        if id != line.id {
            return Err(format!(
                "the game asks `{id}`, but the answer is for `{}`",
                line.id
            ));
        }
        self.answer_keys(line.seat, &line.keys)
    }

    /// This game replayed from its setup with other answers; `None` if one of them is not valid.
    pub(super) fn replay_answers(&self, lines: &[JournalLine]) -> Option<Game> {
        Game::replay(self.cx.rules.clone(), &self.setup, lines).ok()
    }
}
