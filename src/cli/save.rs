//! `save` and `load` at the prompt.

use super::session::{Confirmation, PromptSession};
use super::{saves, screen};
use crate::session::CopyOutcome;

const NO_SAVES: &str = "This game has no saves.";

impl PromptSession {
    /// Runs `save` or `load`.
    pub(super) fn run_save_command(&mut self, line: &str) {
        let (command, name) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match (command, name.trim()) {
            ("save", "") => screen::print(&self.save_help()),
            ("save", name) => self.save_copy(name, false),
            (_, name) => self.load(name),
        }
    }

    fn save_help(&self) -> String {
        let saved = self.inner.save_name().filter(|_| self.inner.is_saved());
        let saved = saved.map(|name| format!("Every answer is saved in {name}. "));
        format!(
            "{}`save NAME` saves a copy of the game as it is now.",
            saved.unwrap_or_default()
        )
    }

    pub(super) fn save_copy(&mut self, name: &str, overwrite: bool) {
        match self.inner.save_copy(name, overwrite) {
            CopyOutcome::Saved(name) => screen::print(&format!(
                "Saved as {name}. Return to it with `load {name}` or `kaer resume {name}`."
            )),
            CopyOutcome::Exists(name) => {
                screen::print(&format!(
                    "There is a save called {name}. Overwrite it? (yes/no)"
                ));
                self.question = Some(Confirmation::Overwrite(name));
            }
            CopyOutcome::IsAutosave(name) => screen::print(&format!(
                "{name} is the automatic save of a game; choose another name."
            )),
            CopyOutcome::InvalidName => screen::print(
                "This is not a valid name. Use up to 40 letters, digits, `-` and `_`: `save \
                 before-the-fight`.",
            ),
            CopyOutcome::NoSaves => screen::print(NO_SAVES),
            CopyOutcome::Failed(path, error) => {
                screen::print(&format!("{}: {error}", path.display()));
            }
        }
    }

    fn load(&mut self, name: &str) {
        let Some(saves) = self.inner.saves() else {
            return screen::print(NO_SAVES);
        };
        if name.is_empty() {
            saves::show(&saves.list());
            return screen::print("`load NAME` loads one of them. This game stays saved.");
        }
        if self.inner.save_name() == Some(name) {
            return screen::print("You are playing this game. Every answer is saved.");
        }
        match saves.find(name) {
            Some(path) => self.next = Some(path),
            None => screen::print(&format!("No save is called `{name}`. `load` lists them.")),
        }
    }
}
