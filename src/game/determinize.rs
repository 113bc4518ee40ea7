//! Determinized copies of a game, for bots that look ahead.

use super::context::Cx;
use super::play::{Game, StepStart};
use super::question::{Agent, Answer};
use super::setup::Setup;
use super::state::{RecordedDraws, State};
use super::step::new_step_context;
use super::view;
use crate::content::{SeatId, SeatSet};
use crate::value::Value;

impl Game {
    /// A copy of this game after an answer, advanced to the next question. The copy is for
    /// evaluation; call [`Game::resume_playout`] before answering in it.
    ///
    /// # Errors
    /// Returns the reason if the answer is not valid.
    pub fn try_answer(&self, answer: Answer) -> Result<Game, String> {
        let mut copy = self.without_log();
        copy.cx.evaluation_only = true;
        copy.answer(answer)?;
        Ok(copy)
    }

    /// Makes a copy from [`Game::try_answer`] playable again.
    pub fn resume_playout(&mut self) {
        self.cx.evaluation_only = false;
        if self.cx.pending.is_none() && self.cx.state.outcome.is_none() {
            // The copy stopped before a menu, and nothing of the step has happened yet.
            self.run_steps(StepStart::Fresh);
        }
    }

    /// A copy of this game in which everything hidden from a seat is replaced by a random guess
    /// that is consistent with what the seat knows.
    #[must_use]
    pub fn determinize(&self, seat: SeatId, seed: u64) -> Game {
        let mut copy = self.without_log();
        if self.menu_can_resume {
            // The pending step has changed nothing yet, so the copy can start from the current
            // state.
            copy.cx.state = view::determinize(&self.cx.state, self.content(), seat, seed);
            return copy;
        }
        copy.cx.suspended = None;
        let mut state = self.step_start_state().clone();
        // Keep what the seat has learned within this step.
        for (piece, now) in state.pieces.iter_mut().zip(&self.cx.state.pieces) {
            piece.known |= now.known & SeatSet::only(seat);
        }
        // Repeat the random results of this step, because the seat may already have seen them.
        let used = state
            .forced
            .len()
            .saturating_sub(self.cx.state.forced.len());
        let forced = state.forced[..used].to_vec();
        let unknown = self
            .cx
            .state
            .pieces
            .iter()
            .map(|piece| !piece.known.contains(seat))
            .collect();
        let recorded = RecordedDraws {
            seed: state.seed,
            streams: self.cx.state.streams.clone(),
            unknown,
        };
        state = view::determinize(&state, self.content(), seat, seed);
        state.recorded_draws.push(recorded);
        state.forced = forced;
        copy.menu_can_resume = false;
        if copy.cx.pending.is_some() {
            copy.checkpoint = state;
        } else {
            copy.cx.state = state;
        }
        copy
    }

    /// Lets an agent answer for the other seats that have already answered the pending sealed
    /// question, because this seat does not know their answers.
    pub fn answer_sealed(&mut self, seat: SeatId, agent: &mut dyn Agent) {
        if self.cx.answers.is_empty() || !self.pending().is_some_and(|question| question.sealed) {
            return;
        }
        let recorded = std::mem::take(&mut self.cx.answers);
        self.cx.pending = None;
        self.rewind();
        self.run_steps(StepStart::Fresh);
        for answer in recorded {
            let Some(question) = self.pending() else {
                return;
            };
            let secret = question.sealed && answer.seat != seat;
            let answer = if secret {
                agent.decide(&self.cx, question)
            } else {
                answer
            };
            if self.answer(answer).is_err() {
                return;
            }
        }
    }

    /// The evaluation of a seat's position, summed over the packs; 0 if no pack declares one.
    ///
    /// # Errors
    /// Returns the fault of an evaluation script.
    pub fn evaluation(&mut self, seat: SeatId) -> Result<i64, String> {
        let rules = self.cx.rules.clone();
        let content = &rules.content;
        let mut sum = 0_i64;
        for &(entry, hook) in &content.evaluations {
            match self.run_read_only(hook, entry, Some(seat), Value::Unit)? {
                Value::Int(value) => sum = sum.saturating_add(value),
                _ => return Err(format!("{} must return a number", content.hook_name(hook))),
            }
        }
        Ok(sum)
    }

    /// Turns the log on in a copy that has none.
    pub fn start_log(&mut self) {
        self.cx.log.off = false;
    }

    /// A copy for looking ahead, without log and journal.
    #[must_use]
    pub fn without_log(&self) -> Game {
        let setup = Setup {
            log: false,
            journal: false,
            without_labels: true,
            ..self.setup.clone()
        };
        let mut context = new_step_context(self.cx.rules.clone(), self.cx.state.clone(), &setup);
        context.roles.clone_from(&self.cx.roles);
        context.answers = self.cx.answers[self.cx.first_answer..].to_vec();
        context.pending.clone_from(&self.cx.pending);
        context.skips.clone_from(&self.cx.skips);
        if self.cx.suspended.is_some() {
            context.suspended.clone_from(&self.cx.suspended);
            context.next_answer = self.cx.next_answer;
            context.queue.clone_from(&self.cx.queue);
            context.actor = self.cx.actor;
            context
                .pending_contributions
                .clone_from(&self.cx.pending_contributions);
            context.work = self.cx.work;
            context.fired = self.cx.fired;
            context.runs = self.cx.runs;
        }
        context.forced_numbers.clone_from(&self.cx.forced_numbers);
        context.exploration.clone_from(&self.cx.exploration);
        context.agent = self.cx.agent.as_ref().map(|agent| agent.boxed());
        let (checkpoint, batched) = if self.cx.pending.is_some() && !self.menu_can_resume {
            (self.checkpoint.clone(), Some(0))
        } else {
            (State::default(), None)
        };
        let (initial_done, pause, menu_can_resume) =
            (self.initial_done, self.pause, self.menu_can_resume);
        Game {
            cx: Cx::new(context),
            checkpoint,
            log_start: 0,
            batched,
            idle_steps: 0,
            single_steps: 0,
            menu_can_resume,
            setup,
            initial_done,
            initial_begun: self.initial_begun,
            is_set_up: self.is_set_up,
            unused_in_setup: self.unused_in_setup,
            pause,
            limit: self.limit,
        }
    }
}
