//! `undo` and `redo` at the prompt.

use super::prompt_commands::CommandEffect;
use super::screen;
use super::session::{Confirmation, PromptSession};
use crate::content::SeatId;
use crate::game::names;
use crate::session::{RedoOutcome, UndoOutcome};

impl PromptSession {
    /// Runs `undo`, `undo!` or `redo`, with an optional seat as in `2> undo`; `None` if the line is
    /// none of them.
    pub(super) fn run_undo_command(&mut self, line: &str) -> Option<CommandEffect> {
        let (seat, command) = match line.split_once('>') {
            Some((number, command)) => {
                let number = number.trim().parse::<u8>().ok()?;
                (Some(SeatId(number.checked_sub(1)?)), command.trim())
            }
            None => (None, line),
        };
        let changed = match command {
            "undo" => self.undo(seat, false),
            "undo!" => self.undo(seat, true),
            "redo" => self.redo(),
            _ => return None,
        };
        if !changed {
            return Some(CommandEffect::Reprompt);
        }
        self.show();
        Some(CommandEffect::AlreadyPrompted)
    }

    /// Goes back to the last decision of a person, by default the one at the keyboard. Returns
    /// whether it did.
    pub(super) fn undo(&mut self, seat: Option<SeatId>, confirmed: bool) -> bool {
        let seat = seat
            .filter(|seat| self.inner.is_person(*seat))
            .or_else(|| self.inner.person_at_keyboard());
        let Some(seat) = seat else {
            screen::print("There is nothing to undo.");
            return false;
        };
        let outcome = self.inner.undo(seat, confirmed);
        let changed = matches!(outcome, UndoOutcome::Undone { .. });
        match outcome {
            UndoOutcome::Undone { others, hindsight } => {
                self.on_log_truncated();
                self.hand_over();
                let others = self.count_others(others);
                let hindsight = if hindsight {
                    " (new information had been revealed)"
                } else {
                    ""
                };
                screen::print(&format!("Undid your last answer{others}{hindsight}."));
            }
            UndoOutcome::NeedsConfirmation => {
                screen::print(
                    "New information has been revealed since. Undo anyway? The save will record this. (yes/no)",
                );
                self.question = Some(Confirmation::Undo(seat));
            }
            UndoOutcome::Nothing => screen::print(&self.nothing_to_undo(seat)),
            UndoOutcome::Diverged => screen::print(
                "This answer cannot be undone: the packs have changed, and the game can no longer be replayed.",
            ),
        }
        self.show_notices();
        changed
    }

    fn redo(&mut self) -> bool {
        match self.inner.redo() {
            RedoOutcome::Redone => {
                self.show_notices();
                self.hand_over();
                self.show_log();
                return true;
            }
            RedoOutcome::Nothing => screen::print("There is nothing to redo."),
            RedoOutcome::Invalid(reason) => screen::print(&format!("Cannot redo: {reason}.")),
        }
        false
    }

    /// Describes the answers of other people that were undone too.
    fn count_others(&self, mut seats: Vec<SeatId>) -> String {
        let count = seats.len();
        if count == 0 {
            return String::new();
        }
        seats.sort_unstable();
        seats.dedup();
        let names: Vec<String> = seats
            .iter()
            .map(|seat| names::seat(self.game().context(), *seat))
            .collect();
        format!(
            " and {} by {}",
            screen::counted(count, "later answer"),
            names.join(" and ")
        )
    }

    fn nothing_to_undo(&self, seat: SeatId) -> String {
        let Some(other) = self.inner.last_to_answer() else {
            return "There is nothing to undo.".to_owned();
        };
        let name = |seat: SeatId| names::seat(self.game().context(), seat);
        let (who, whose, number) = (name(seat), name(other), other.0 + 1);
        format!("{who} has nothing to undo; `{number}> undo` undoes {whose}'s last answer.")
    }
}
