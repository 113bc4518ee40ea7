//! Undo and redo.

use super::GameSession;
use crate::content::{SeatId, SeatSet};
use crate::game::journal::JournalLine;
use crate::game::{Game, History};

/// What can be undone and redone.
pub struct UndoHistory {
    checkpoints: History,
    /// The answers of each undo, the latest undo last.
    undone: Vec<Vec<JournalLine>>,
    /// Answers before this one set the game up and cannot be undone.
    start: usize,
    /// The number of answers when this session started the autosave.
    save_started_at: Option<usize>,
    /// Undos after something random or hidden had been revealed.
    hindsight: u32,
    /// Whether such undos need no confirmation and do not count, as while packs are written.
    free_undo: bool,
}

impl UndoHistory {
    pub fn new(start: usize, hindsight: u32) -> UndoHistory {
        UndoHistory {
            checkpoints: History::default(),
            undone: Vec::new(),
            start,
            save_started_at: None,
            hindsight,
            free_undo: false,
        }
    }

    pub const fn start(&self) -> usize {
        self.start
    }

    pub const fn hindsight(&self) -> u32 {
        self.hindsight
    }

    /// The answers so far set the game up.
    pub fn set_start(&mut self, answers: usize) {
        self.start = answers;
        self.skip_setup(answers);
    }

    /// The answers so far are no reason to keep the autosave.
    pub fn skip_setup(&mut self, answers: usize) {
        self.save_started_at = self.save_started_at.map(|_| answers);
    }

    pub const fn save_started(&mut self, answers: usize) {
        self.save_started_at = Some(answers);
    }

    pub const fn save_started_at(&self) -> Option<usize> {
        self.save_started_at
    }

    pub fn checkpoint(&mut self, game: &Game) {
        self.checkpoints.record(game);
    }

    pub fn forget_undone(&mut self) {
        self.undone.clear();
    }
}

/// The result of [`GameSession::undo`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UndoOutcome {
    /// The person's last answer is undone, with everything after it.
    Undone {
        /// The people whose later answers went with it, one item for each answer.
        others: Vec<SeatId>,
        /// Whether it counts as hindsight: something random or hidden had been revealed since.
        hindsight: bool,
    },
    /// Something random or hidden has been revealed since. Only a confirmed undo goes back.
    NeedsConfirmation,
    /// The person has answered nothing yet.
    Nothing,
    /// The recorded answers no longer lead there, because the packs have changed.
    Diverged,
}

/// The result of [`GameSession::redo`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RedoOutcome {
    /// The answers of the last undo are given again, those of bots too.
    Redone,
    /// Nothing was undone, or something else was answered since.
    Nothing,
    /// An answer is no longer valid, and why.
    Invalid(String),
}

impl GameSession {
    /// Lets undo reveal information freely: nobody has to confirm it, and it does not count as
    /// hindsight.
    pub const fn allow_free_undo(&mut self) {
        self.history.free_undo = true;
    }

    /// Goes back to a person's own last decision. Answers of bots and of other people since then
    /// are undone with it.
    pub fn undo(&mut self, seat: SeatId, confirmed: bool) -> UndoOutcome {
        let lines = self.game.journal();
        let last = lines.iter().rposition(|line| line.seat == seat);
        let Some(at) = last.filter(|at| *at >= self.history.start && self.is_person(seat)) else {
            return UndoOutcome::Nothing;
        };
        let Some(before) = self.history.checkpoints.at(&self.game, at) else {
            return UndoOutcome::Diverged;
        };
        let free = self.history.free_undo;
        let revealed = before.state().reveals != self.game.state().reveals;
        if revealed && !confirmed && !free {
            return UndoOutcome::NeedsConfirmation;
        }
        let undone = lines[at..].to_vec();
        let mut others: Vec<SeatId> = undone.iter().map(|line| line.seat).collect();
        others.retain(|other| *other != seat && self.is_person(*other));
        let hindsight = revealed && !free;
        self.history.hindsight += u32::from(hindsight);
        self.history.undone.push(undone);
        self.game = before;
        self.write_journals();
        UndoOutcome::Undone { others, hindsight }
    }

    /// Gives the answers of the last undo again.
    pub fn redo(&mut self) -> RedoOutcome {
        let Some(lines) = self.history.undone.pop() else {
            return RedoOutcome::Nothing;
        };
        let mut redone = self.game.clone();
        if let Some(why) = lines.iter().find_map(|line| redone.replay_line(line).err()) {
            self.history.forget_undone();
            return RedoOutcome::Invalid(why);
        }
        self.game = redone;
        self.history.checkpoint(&self.game);
        self.write_journals();
        RedoOutcome::Redone
    }

    /// The person who sits at a shared keyboard: who is asked; if several people are asked, or
    /// nobody, the person who answered last.
    #[must_use]
    pub fn person_at_keyboard(&self) -> Option<SeatId> {
        let asked = self
            .game
            .pending()
            .map_or(SeatSet::ALL, |question| question.seats);
        self.last_to_answer_of(asked)
            .or_else(|| self.people().into_iter().find(|seat| asked.contains(*seat)))
    }

    /// The person who answered last.
    #[must_use]
    pub fn last_to_answer(&self) -> Option<SeatId> {
        self.last_to_answer_of(SeatSet::ALL)
    }

    fn last_to_answer_of(&self, seats: SeatSet) -> Option<SeatId> {
        let lines = self.game.journal().get(self.history.start..)?;
        let mut latest = lines.iter().rev().map(|line| line.seat);
        latest.find(|seat| seats.contains(*seat) && self.is_person(*seat))
    }

    /// How many undos counted as hindsight.
    #[must_use]
    pub const fn hindsight(&self) -> u32 {
        self.history.hindsight()
    }
}
