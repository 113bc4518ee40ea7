//! `undo` and `redo` at the prompt.

use super::screen;
use super::session::{Question, Session};
use crate::content::SeatId;
use crate::game::names;
use crate::session::{RedoOutcome, UndoOutcome};

impl Session {
    /// Runs `undo`, `undo!` or `redo`, with a seat in front as in `2> undo`; gives whether the line is one of them.
    pub(super) fn undo_word(&mut self, line: &str) -> bool {
        let (seat, command) = match line.split_once('>') {
            Some((number, command)) => match number
                .trim()
                .parse::<u8>()
                .ok()
                .and_then(|n| n.checked_sub(1))
            {
                Some(seat) => (Some(SeatId(seat)), command.trim()),
                None => return false,
            },
            None => (None, line),
        };
        match command {
            "undo" => self.undo(seat, false),
            "undo!" => self.undo(seat, true),
            "redo" => self.redo(),
            _ => return false,
        }
        true
    }

    /// Goes back to the last decision of a person, by default of the one at the keyboard.
    pub(super) fn undo(&mut self, seat: Option<SeatId>, confirmed: bool) {
        let seat = seat
            .filter(|seat| self.session.is_person(*seat))
            .or_else(|| self.session.person_at_keyboard());
        let Some(seat) = seat else {
            return screen::say("There is nothing to undo.");
        };
        match self.session.undo(seat, confirmed) {
            UndoOutcome::Undone { others, hindsight } => {
                self.log_was_cut();
                self.hand_over();
                let others = self.count_others(others);
                let hindsight = if hindsight { " (with hindsight)" } else { "" };
                screen::say(&format!("Undone: your last answer{others}{hindsight}."));
            }
            UndoOutcome::NeedsConfirmation => {
                screen::say(
                    "New information has been revealed since. Undo anyway? (`yes` or `no`; the game will be marked as played with \
                     hindsight)",
                );
                self.question = Some(Question::Undo(seat));
            }
            UndoOutcome::Nothing => screen::say(&self.nothing_to_undo(seat)),
            UndoOutcome::Diverged => screen::say(
                "This answer cannot be undone: the packs have changed, and the game no longer replays.",
            ),
        }
        self.show_notices();
    }

    fn redo(&mut self) {
        match self.session.redo() {
            RedoOutcome::Redone => {
                self.show_notices();
                self.hand_over();
                self.show_log();
            }
            RedoOutcome::Nothing => screen::say("There is nothing to redo."),
            RedoOutcome::Invalid(why) => screen::say(&format!("Cannot redo: {why}.")),
        }
    }

    /// The answers of other people that were undone as well.
    fn count_others(&self, mut seats: Vec<SeatId>) -> String {
        let count = seats.len();
        if count == 0 {
            return String::new();
        }
        seats.sort_unstable();
        seats.dedup();
        let names: Vec<String> = seats
            .iter()
            .map(|seat| names::seat(self.game().core(), *seat))
            .collect();
        format!(
            " and {} by {}",
            screen::counted(count, "later answer"),
            names.join(" and ")
        )
    }

    fn nothing_to_undo(&self, seat: SeatId) -> String {
        let Some(other) = self.session.last_to_answer() else {
            return "There is nothing to undo.".to_owned();
        };
        let name = |seat: SeatId| names::seat(self.game().core(), seat);
        let (who, whose, number) = (name(seat), name(other), other.0 + 1);
        format!("{who} has nothing to undo; `{number}> undo` undoes {whose}'s last answer.")
    }
}
