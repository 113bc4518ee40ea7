//! Games as they might go on: copies to look ahead in.

use super::ask::{Agent, Answer};
use super::cx::Cx;
use super::play::{Begin, Game, core};
use super::setup::Setup;
use super::state::{Earlier, State};
use super::val::Val;
use super::view;
use crate::content::{SeatId, SeatSet};

impl Game {
    /// This game after an answer, as far as it goes until the next question: to see how things stand then, not to play on.
    ///
    /// # Errors
    /// Why the answer does not fit.
    pub fn imagine(&self, answer: Answer) -> Result<Game, String> {
        let mut copy = self.bare();
        copy.cx.imagined = true;
        copy.answer(answer)?;
        Ok(copy)
    }

    /// Lets a game that was [imagined](Game::imagine) be played on.
    pub fn play_on(&mut self) {
        self.cx.imagined = false;
        if self.cx.pending.is_none() && self.cx.state.over.is_none() {
            // It stopped before a menu, of which nobody has looked at the lines yet.
            self.back_to_start();
            self.go_on(Begin::Again);
        }
    }

    /// A copy of this game as it might be for a seat.
    #[must_use]
    pub fn determinise(&self, seat: SeatId, seed: u64) -> Game {
        let mut copy = self.bare();
        if self.fresh_menu {
            // Nothing has changed in the step that waits: it may as well begin here.
            copy.cx.state = view::determinise(&self.cx.state, self.content(), seat, seed);
            copy.before.clone_from(&copy.cx.state);
            return copy;
        }
        let mut state = self.resting().clone();
        // What the seat came to know within this step, it knows.
        for (piece, now) in state.pieces.iter_mut().zip(&self.cx.state.pieces) {
            piece.known |= now.known & SeatSet::only(seat);
        }
        // What chance has said within this step, it says again.
        let said = state
            .forced
            .len()
            .saturating_sub(self.cx.state.forced.len());
        let forced = state.forced[..said].to_vec();
        let unknown = self
            .cx
            .state
            .pieces
            .iter()
            .map(|piece| !piece.known.contains(seat))
            .collect();
        let earlier = Earlier {
            seed: state.seed,
            streams: self.cx.state.streams.clone(),
            unknown,
        };
        state = view::determinise(&state, self.content(), seat, seed);
        state.earlier.push(earlier);
        state.forced = forced;
        copy.fresh_menu = false;
        if copy.cx.pending.is_some() {
            copy.before = state;
        } else {
            copy.cx.state = state;
        }
        copy
    }

    /// Lets an agent guess what others have answered under seal, which a seat that is asked the same does not know.
    pub fn guess_sealed(&mut self, seat: SeatId, agent: &mut dyn Agent) {
        if self.cx.answers.is_empty() || !self.pending().is_some_and(|ask| ask.sealed) {
            return;
        }
        let given = std::mem::take(&mut self.cx.answers);
        self.cx.pending = None;
        self.back_to_start();
        self.go_on(Begin::Again);
        for answer in given {
            let Some(ask) = self.pending() else { return };
            let secret = ask.sealed && answer.seat != seat;
            let answer = if secret {
                agent.decide(&self.cx, ask)
            } else {
                answer
            };
            if self.answer(answer).is_err() {
                return;
            }
        }
    }

    /// What a seat's position is worth, by what the packs say of it; 0 where they say nothing.
    ///
    /// # Errors
    /// What is wrong with a script.
    pub fn worth(&mut self, seat: SeatId) -> Result<i64, String> {
        let rules = self.cx.rules.clone();
        let content = &rules.content;
        let mut sum = 0_i64;
        for &(entry, hook) in &content.worths {
            match self.look(hook, entry, Some(seat), Val::Unit)? {
                Val::Int(value) => sum = sum.saturating_add(value),
                _ => return Err(format!("{} gives no number", content.hook_name(hook))),
            }
        }
        Ok(sum)
    }

    /// Keeps a log from here on, in a copy that kept none.
    pub fn keep_log(&mut self) {
        self.cx.log.off = false;
    }

    /// A copy that only looks ahead: it keeps neither log nor journal.
    #[must_use]
    pub fn bare(&self) -> Game {
        let setup = Setup {
            log: false,
            journal: false,
            ..self.setup.clone()
        };
        let mut core = core(self.cx.rules.clone(), self.cx.state.clone(), &setup);
        core.roles.clone_from(&self.cx.roles);
        core.answers.clone_from(&self.cx.answers);
        core.pending.clone_from(&self.cx.pending);
        core.skips.clone_from(&self.cx.skips);
        core.lots.clone_from(&self.cx.lots);
        core.agent = self.cx.agent.as_ref().map(|agent| agent.boxed());
        let before = if self.cx.pending.is_some() {
            self.before.clone()
        } else {
            State::default()
        };
        let (initial_done, pause, fresh_menu) = (self.initial_done, self.pause, self.fresh_menu);
        Game {
            cx: Cx::new(core),
            before,
            lines: 0,
            idle: 0,
            careful: 0,
            fresh_menu,
            setup,
            initial_done,
            pause,
        }
    }
}
