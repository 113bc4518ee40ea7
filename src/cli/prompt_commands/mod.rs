//! The commands of the prompt.

mod card;
mod help;
mod look;
mod think;
mod why;

pub use look::{status, text as panel_text};

use super::screen::{self, Tone};
use super::session::PromptSession;
use crate::game::Game;

/// A command of the prompt.
pub struct PromptCommand {
    /// The command and its synonyms.
    pub names: &'static [&'static str],
    /// The argument; may be empty.
    pub with: &'static str,
    pub text: &'static str,
}

const fn word(
    names: &'static [&'static str],
    with: &'static str,
    text: &'static str,
) -> PromptCommand {
    PromptCommand { names, with, text }
}

/// The commands of the prompt. Panels of packs take precedence.
pub const COMMANDS: &[PromptCommand] = &[
    word(
        &["?", "help"],
        "",
        "This list, and the rules behind this decision.",
    ),
    word(&["again"], "", "The options again."),
    word(&["hand"], "", "Your hand."),
    word(&["me"], "", "Everything you have."),
    word(&["players"], "", "All players, as far as you can see them."),
    word(
        &["table"],
        "",
        "Decks, supplies and tokens, and what is at each place.",
    ),
    word(
        &["map"],
        "[PLACE]",
        "The places and who is there; with PLACE, the route there.",
    ),
    word(&["card"], "NAME", "The text of a card or a place."),
    word(
        &["rules"],
        "[WORD]",
        "Rules that mention WORD; without WORD, the topics.",
    ),
    word(&["log"], "[N]", "The last N lines of the log."),
    word(&["why"], "[N]", "Where the last N numbers came from."),
    word(
        &["odds"],
        "",
        "How often each side wins this fight in simulations.",
    ),
    word(&["hint"], "", "The answer a search bot would give."),
    word(
        &["let"],
        "[BOT]",
        "Let a bot act first, when all players act at once.",
    ),
    word(
        &["undo", "undo!"],
        "",
        "Undo your last answer; `undo!` even if information has been revealed since.",
    ),
    word(&["redo"], "", "Redo what you undid."),
    word(
        &["save"],
        "NAME",
        "Save a copy as NAME; the game itself is always saved.",
    ),
    word(
        &["load"],
        "[NAME]",
        "Load the save NAME; without NAME, list the saves.",
    ),
    word(&["quit", "q"], "", "Quit; the game is saved."),
];

/// Whether a line is a command rather than an answer.
pub fn is_command(game: &Game, line: &str) -> bool {
    let (first, rest) = split(line);
    let own = COMMANDS.iter().find(|word| word.names.contains(&first));
    let panel = game
        .content()
        .panels
        .iter()
        .any(|panel| &*panel.word == first);
    panel || own.is_some_and(|own| rest.is_empty() || !own.with.is_empty())
}

/// The names of all commands, for completion.
pub fn all(game: &Game) -> Vec<String> {
    let panels = game
        .content()
        .panels
        .iter()
        .map(|panel| panel.word.to_string());
    let own = COMMANDS
        .iter()
        .flat_map(|word| word.names)
        .map(|name| (*name).to_owned());
    panels.chain(own.filter(|name| name.len() > 1)).collect()
}

/// Splits a line into the command and its argument.
fn split(line: &str) -> (&str, &str) {
    line.split_once(' ')
        .map_or((line, ""), |(first, rest)| (first, rest.trim()))
}

/// What the prompt does after a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CommandEffect {
    /// Show the question again, because it may have scrolled away.
    Reprompt,
    /// The question has already been shown again.
    AlreadyPrompted,
    /// The user quits.
    Quit,
}

impl PromptSession {
    pub(super) fn run_command(&mut self, line: &str) -> CommandEffect {
        let (first, rest) = split(line);
        let seat = self
            .reader()
            .or_else(|| self.game().pending().map(crate::game::Question::seat));
        if look::panel(self.game(), first, rest, seat) {
            return CommandEffect::Reprompt;
        }
        match first {
            "" => {}
            "q" | "quit" => {
                self.leave();
                return CommandEffect::Quit;
            }
            "?" | "help" => help::show(self.game()),
            "again" => {
                self.show();
                return CommandEffect::AlreadyPrompted;
            }
            "hand" | "me" | "players" | "table" => look::show(self.game(), seat, first),
            "map" => look::map(self.game(), rest),
            "card" => card::show(self.game(), rest),
            "rules" => help::rules(self.game(), rest),
            "log" => self.show_log_again(rest.parse().unwrap_or(30)),
            "why" => why::show(self.game(), self.reader(), rest.parse().unwrap_or(6)),
            "odds" => think::odds(self.game()),
            "hint" => think::hint(self.game()),
            "let" => return self.let_bot_act(rest),
            "save" | "load" => self.run_save_command(line),
            other => {
                if let Some(after) = self.run_undo_command(line) {
                    return after;
                }
                screen::print_wrapped(
                    &format!("Unknown command `{other}`. Type ? for help."),
                    Tone::Warning,
                );
            }
        }
        CommandEffect::Reprompt
    }
}
