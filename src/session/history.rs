//! Undo and redo.

use super::GameSession;
use crate::content::{SeatId, SeatSet};
use crate::game::journal::JournalLine;
use crate::game::{Game, History};

/// The undo and redo history.
pub struct UndoHistory {
    checkpoints: History,
    /// The answers of each undo, latest last.
    undone: Vec<Vec<JournalLine>>,
    /// The number of answers that set the game up and cannot be undone.
    start: usize,
    /// The number of answers when this session started the autosave.
    save_started_at: Option<usize>,
    /// The number of undos after random or hidden information was revealed.
    hindsight: u32,
    /// Whether such undos need no confirmation and are not counted, as during pack development.
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

    /// Marks the answers so far as setup.
    pub fn set_start(&mut self, answers: usize) {
        self.start = answers;
        self.skip_setup(answers);
    }

    /// Excludes the answers so far from the decision whether to keep the autosave.
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

    pub fn clear_undone(&mut self) {
        self.undone.clear();
    }
}

/// The result of [`GameSession::undo`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UndoOutcome {
    /// The person's last answer was undone, with everything after it.
    Undone {
        /// The seats of other people whose later answers were undone too, once for each answer.
        others: Vec<SeatId>,
        /// Whether it counts as hindsight: random or hidden information had been revealed since.
        hindsight: bool,
    },
    /// Random or hidden information has been revealed since, so the undo must be confirmed.
    NeedsConfirmation,
    /// The person has not answered anything yet.
    Nothing,
    /// The recorded answers no longer replay, because the packs have changed.
    Diverged,
}

/// The result of [`GameSession::redo`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RedoOutcome {
    /// The answers of the last undo were given again, including those of bots.
    Redone,
    /// There is nothing to redo, or another answer was given since.
    Nothing,
    /// An answer is no longer valid; contains the reason.
    Invalid(String),
}

impl GameSession {
    /// Allows undo after information was revealed, without confirmation and without counting it as
    /// hindsight.
    pub const fn allow_free_undo(&mut self) {
        self.history.free_undo = true;
    }

    /// Goes back to a person's last decision. Later answers of bots and other people are undone
    /// too.
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
        let mut rows = lines.iter().enumerate();
        let failed = rows.find_map(|(ix, line)| redone.replay_line(line, lines.get(ix + 1)).err());
        if let Some(reason) = failed {
            self.history.clear_undone();
            return RedoOutcome::Invalid(reason);
        }
        self.game = redone;
        self.history.checkpoint(&self.game);
        self.write_journals();
        RedoOutcome::Redone
    }

    /// The person at a shared keyboard: the person who is asked. If several people are asked, or
    /// none, the person who answered last.
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

    /// The number of undos that counted as hindsight.
    #[must_use]
    pub const fn hindsight(&self) -> u32 {
        self.history.hindsight()
    }
}
