//! Which fields and functions of packs a game uses. What only bots, panels and people read cannot
//! be noticed by a case.

use std::collections::BTreeSet;

use super::brackets::ScriptOutlineTokens;
use crate::lexer::{LexemeKind, tokens};
use crate::pack::{FieldValue, PackSet, PatchChange, visible};

/// The built-in kinds that bots and tools use, but no rule of a game.
pub(super) const OUTSIDE_GAME: [&str; 9] = [
    "campaign",
    "evaluation",
    "event",
    "invariant",
    "option",
    "panel",
    "query",
    "start",
    "statistic",
];

/// The words in the scripts of a game.
#[derive(Default)]
pub(super) struct GameWords {
    /// Names and one-word texts: fields and everything else.
    words: BTreeSet<String>,
    /// The names of functions that are called.
    calls: BTreeSet<String>,
}

impl GameWords {
    /// The words in hooks of entries that a game uses, and in the functions that they call.
    pub fn of(set: &PackSet, pack: u16) -> GameWords {
        let mut found = GameWords::default();
        let packs = || (0u16..).zip(&set.packs);
        for (_, own) in packs() {
            let entries = own.entries();
            let entries = entries.filter(|entry| !OUTSIDE_GAME.contains(&entry.kind.as_str()));
            for field in entries.flat_map(|entry| &entry.fields) {
                found.value(&field.value);
            }
            let patches = own.patches.iter().filter(|patch| {
                let target = set.resolve(&patch.entry);
                target.is_some_and(|entry| !OUTSIDE_GAME.contains(&entry.kind.as_str()))
            });
            for op in patches.flat_map(|patch| &patch.ops) {
                found.change(&op.change);
            }
        }
        let mut functions = Vec::new();
        for (number, own) in packs() {
            let seen = visible(set, number).contains(&pack) || visible(set, pack).contains(&number);
            for file in own.libraries.iter().filter(|_| seen) {
                functions.extend(functions_of(set.files.text(*file)));
            }
        }
        found.add_called(functions);
        found
    }

    /// Adds the words of functions that are called, until there are no more.
    fn add_called(&mut self, mut functions: Vec<(String, GameWords)>) {
        loop {
            let (called, rest): (Vec<_>, Vec<_>) = functions
                .into_iter()
                .partition(|(name, _)| self.calls.contains(name));
            if called.is_empty() {
                return;
            }
            called.into_iter().for_each(|(_, own)| self.add(own));
            functions = rest;
        }
    }

    fn add(&mut self, other: GameWords) {
        self.words.extend(other.words);
        self.calls.extend(other.calls);
    }

    /// The words of a script.
    fn of_script(text: &str) -> GameWords {
        let mut found = GameWords::default();
        let tokens = tokens(text);
        for (at, token) in tokens.iter().enumerate() {
            if token.kind == LexemeKind::Word {
                found.words.insert(token.text.to_owned());
                let is_call = tokens.get(at + 1).is_some_and(|next| next.is("("));
                // A script can be the name of a function.
                if is_call || tokens.len() == 1 {
                    found.calls.insert(token.text.to_owned());
                }
            }
            if let Some(text) = token.quoted() {
                found
                    .words
                    .extend(text.split(['.', ' ']).map(str::to_owned));
            }
        }
        found
    }

    fn change(&mut self, change: &PatchChange) {
        match change {
            PatchChange::Drop => {}
            PatchChange::Set(value) => self.value(value),
            PatchChange::Add(values)
            | PatchChange::Remove(values)
            | PatchChange::Insert { values, .. } => {
                values.iter().for_each(|value| self.value(value));
            }
            PatchChange::Swap { to, .. } => self.value(to),
        }
    }

    fn value(&mut self, value: &FieldValue) {
        value.each(&mut |value| match value {
            FieldValue::Script(script) => self.add(GameWords::of_script(&script.text)),
            // A list of names, such as the passes of a fight.
            FieldValue::Text(text) if is_name(text) => {
                self.words.insert(text.clone());
            }
            _ => {}
        });
    }

    /// Whether a script may read a field with this name.
    pub fn has(&self, word: &str) -> bool {
        self.words.contains(word)
    }

    /// Whether a script calls a function.
    pub fn calls(&self, function: &str) -> bool {
        self.calls.contains(function)
    }
}

fn is_name(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    !text.is_empty() && text.chars().all(is_part)
}

/// The functions of a file, each with its words.
fn functions_of(text: &str) -> Vec<(String, GameWords)> {
    let outline = ScriptOutlineTokens::new(tokens(text));
    let mut functions = Vec::new();
    for at in 0..outline.tokens.len() {
        if outline.is_word(at, "fn")
            && let Some(name) = outline.tokens.get(at + 1)
            && let Some(open) = outline.block_after(at + 2)
        {
            let body = outline.bytes(open, outline.closing(open));
            functions.push((name.text.to_owned(), GameWords::of_script(&text[body])));
        }
    }
    functions
}
