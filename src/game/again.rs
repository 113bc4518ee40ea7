//! A game replayed from its journal.

use std::rc::Rc;

use super::cx::Rules;
use super::decision;
use super::journal::Line;
use super::play::{Game, Status};
use super::setup::Setup;
use super::state::State;

impl Game {
    /// This game again from its start, with the first answers of its journal.
    ///
    /// # Errors
    /// The first answer that no longer fits, and why.
    pub fn replay(
        rules: Rc<Rules>,
        setup: &Setup,
        lines: &[Line],
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
                let stub = Game::around(rules, State::default(), setup.clone());
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

    /// Answers with a line of a journal.
    ///
    /// # Errors
    /// Why it does not fit.
    pub fn replay_line(&mut self, line: &Line) -> Result<Status, String> {
        let ask = self
            .pending()
            .ok_or("the game is over before this answer")?;
        let id = decision::id(&self.cx, ask);
        if id != line.id {
            return Err(format!(
                "the question here is `{id}`, and the answer is to `{}`",
                line.id
            ));
        }
        self.answer_keys(line.seat, &line.keys)
    }

    /// This game from its start, with other answers.
    pub(super) fn begun_again(&self, lines: &[Line]) -> Option<Game> {
        Game::replay(self.cx.rules.clone(), &self.setup, lines).ok()
    }
}
