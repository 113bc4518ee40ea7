//! The words that may be typed at any prompt: what each shows or does.

mod card;
mod help;
mod look;
mod think;
mod why;

pub use look::{status, text as panel_text};

use super::screen::{self, Tone};
use super::session::Session;
use crate::game::Game;

/// A word, and what it is for.
pub struct Word {
    /// The word itself, and others for it.
    pub names: &'static [&'static str],
    /// What may stand behind it.
    pub with: &'static str,
    /// What it does.
    pub text: &'static str,
}

const fn word(names: &'static [&'static str], with: &'static str, text: &'static str) -> Word {
    Word { names, with, text }
}

/// All words of the prompt; those of the packs' panels come before them.
pub const WORDS: &[Word] = &[
    word(
        &["?", "help"],
        "",
        "what can be typed, and the rules behind this decision",
    ),
    word(&["again"], "", "the options once more"),
    word(&["hand"], "", "what you hold"),
    word(&["me"], "", "all that is yours"),
    word(
        &["players"],
        "",
        "everybody at the table, as far as you may see it",
    ),
    word(&["table"], "", "what lies on the table and at its places"),
    word(
        &["map"],
        "[PLACE]",
        "the places, and who is where; the way to a place",
    ),
    word(
        &["card"],
        "NAME",
        "what a card, a place or anything else says",
    ),
    word(
        &["rules"],
        "[WORD]",
        "the rules in which a word stands; what rules are about",
    ),
    word(&["log"], "[N]", "the last lines of what happened"),
    word(&["why"], "[N]", "how the last numbers came about"),
    word(
        &["odds"],
        "",
        "how this fight may end, fought out in your head",
    ),
    word(
        &["hint"],
        "",
        "what a bot that thinks ahead would do, and how sure it is",
    ),
    word(
        &["let"],
        "[BOT]",
        "let a bot act before you, where all act at once",
    ),
    word(
        &["undo", "undo!"],
        "",
        "take back your last answer; with `!` even if something has shown since",
    ),
    word(&["redo"], "", "give again what was taken back"),
    word(
        &["save"],
        "NAME",
        "keep a copy of how things stand; the game itself is always kept",
    ),
    word(
        &["load"],
        "[NAME]",
        "the games that are kept; go on with one of them",
    ),
    word(&["quit", "q"], "", "leave; the game is kept"),
];

/// Whether a line is a word rather than an answer.
pub fn is_word(game: &Game, line: &str) -> bool {
    let (first, rest) = split(line);
    let own = WORDS.iter().find(|word| word.names.contains(&first));
    let panel = game
        .content()
        .panels
        .iter()
        .any(|panel| &*panel.word == first);
    panel || own.is_some_and(|own| rest.is_empty() || !own.with.is_empty())
}

/// Everything that can be typed besides answers, for completion.
pub fn all(game: &Game) -> Vec<String> {
    let panels = game
        .content()
        .panels
        .iter()
        .map(|panel| panel.word.to_string());
    let own = WORDS
        .iter()
        .flat_map(|word| word.names)
        .map(|name| (*name).to_owned());
    panels.chain(own.filter(|name| name.len() > 1)).collect()
}

/// The first word of a line, and the rest.
fn split(line: &str) -> (&str, &str) {
    line.split_once(' ')
        .map_or((line, ""), |(first, rest)| (first, rest.trim()))
}

/// How things stand after a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum After {
    /// The question is still to be answered, and may have gone out of sight.
    Told,
    /// The question was shown again.
    Asked,
    /// The person leaves.
    Left,
}

impl Session {
    /// Does what a word asks for.
    pub(super) fn word(&mut self, line: &str) -> After {
        let (first, rest) = split(line);
        let seat = self
            .reader()
            .or_else(|| self.game.pending().map(crate::game::Ask::seat));
        if look::panel(&self.game, first, rest, seat) {
            return After::Told;
        }
        match first {
            "" => {}
            "q" | "quit" => {
                self.leave("You leave");
                return After::Left;
            }
            "?" | "help" => help::show(&self.game),
            "again" => {
                self.show();
                return After::Asked;
            }
            "hand" | "me" | "players" | "table" => look::show(&self.game, seat, first),
            "map" => look::map(&self.game, rest),
            "card" => card::show(&self.game, rest),
            "rules" => help::rules(&self.game, rest),
            "log" => self.tell_again(rest.parse().unwrap_or(30)),
            "why" => why::show(&self.game, self.reader(), rest.parse().unwrap_or(6)),
            "odds" => think::odds(&self.game),
            "hint" => think::hint(&self.game),
            "let" => return self.let_act(rest),
            "save" | "load" => self.save_word(line),
            _ if self.undo_word(line) => {
                self.show();
                return After::Asked;
            }
            other => screen::text(
                &format!("`{other}` is nothing I know; `?` helps."),
                Tone::Warning,
            ),
        }
        After::Told
    }
}
