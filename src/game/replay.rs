//! Replay: rebuilds a game from its journal.

use std::rc::Rc;

use super::decision;
use super::journal::JournalLine;
use super::play::{Game, Status};
use super::rules::Rules;
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
            Err(reason) => {
                let stub = Game::with_state(rules, State::default(), setup.clone());
                return Err(Box::new((stub, 0, reason)));
            }
        };
        game.cx.asks_forced = true;
        game.run();
        game.answer_forced(lines.first());
        for (ix, line) in lines.iter().enumerate() {
            if let Err(reason) = game.replay_line(line, lines.get(ix + 1)) {
                return Err(Box::new((game, ix, reason)));
            }
        }
        Ok(game)
    }

    /// Answers the pending question with a recorded answer; `next` is the recorded answer after it.
    ///
    /// A question with a single valid answer may be asked or not: rules and journal need not agree about
    /// it. In a replay, one that the game would not ask is asked if the journal answers it next, and one
    /// that the journal does not answer gets its only answer.
    ///
    /// # Errors
    /// Returns the reason if the game is over, asks another question, or refuses the answer.
    pub fn replay_line(
        &mut self,
        line: &JournalLine,
        next: Option<&JournalLine>,
    ) -> Result<Status, String> {
        self.answer_forced(Some(line));
        let question = self.pending().ok_or("the game is already over")?;
        let id = decision::id(&self.cx, question);
        if id != line.id {
            return Err(format!(
                "the game asks `{id}`, but the answer is for `{}`",
                line.id
            ));
        }
        self.cx.asks_forced = true;
        let status = self.answer_keys(line.seat, &line.keys);
        self.answer_forced(next);
        status.map(|status| match status {
            Status::Asking if self.pending().is_none() => Status::Over,
            status => status,
        })
    }

    /// Answers questions that have a single valid answer and no recorded one. These answers are not
    /// recorded. At the end of a journal, only questions that the game would not ask are answered.
    fn answer_forced(&mut self, next: Option<&JournalLine>) {
        self.cx.asks_forced = next.is_some();
        while let Some(question) = self.pending() {
            if next.is_some_and(|line| line.id == decision::id(&self.cx, question)) {
                break;
            }
            let is_skipped = question.is_skipped || next.is_some();
            let Some(only) = question.only_answer().filter(|_| is_skipped) else {
                break;
            };
            if let Some(question) = self.cx.pending.take() {
                self.continue_with(question, only);
            }
        }
        self.cx.asks_forced = false;
    }

    /// This game replayed from its setup with other answers; `None` if one of them is not valid.
    pub(super) fn replay_answers(&self, lines: &[JournalLine]) -> Option<Game> {
        Game::replay(self.cx.rules.clone(), &self.setup, lines).ok()
    }
}
