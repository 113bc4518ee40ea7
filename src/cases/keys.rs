//! Checks whether any option of a game can have a key, to find misspelt keys in cases.

use std::collections::BTreeSet;

use crate::content::Content;
use crate::diagnostic::{Files, find_misspelling};
use crate::game::names::key_word;
use crate::value::Value;

/// Keys that do not come from a pack.
const ENGINE_KEYS: &[&str] = &["done", "yes", "no", "table", "box", "pass", "skip"];

/// Longer texts in scripts are not keys.
const MAX_TEXT: usize = 200;

/// The words that the keys of a game can consist of: ids, and words in scripts and fields.
#[derive(Default)]
pub(super) struct KeyWords {
    words: BTreeSet<String>,
    /// The parts before and after the values of texts with interpolations.
    patterns: Vec<(String, String)>,
}

impl KeyWords {
    pub fn new(content: &Content, files: &Files) -> KeyWords {
        let mut all = KeyWords::default();
        for word in ENGINE_KEYS {
            all.words.insert((*word).to_owned());
        }
        for entry in &content.entries {
            all.words.insert(entry.id.to_string());
            for (_, value) in &entry.fields {
                all.add_value(value);
            }
        }
        for hook in &content.hooks {
            all.add_script(&hook.script.text);
        }
        for file in content.libraries.iter().flatten() {
            all.add_script(files.text(*file));
        }
        all
    }

    fn add_value(&mut self, value: &Value) {
        match value {
            Value::Text(text) if text.len() < MAX_TEXT => drop(self.words.insert(key_word(text))),
            Value::List(list) | Value::Rows(list) => {
                list.iter().for_each(|value| self.add_value(value));
            }
            Value::Map(rows) | Value::Table(rows) => {
                for (name, value) in rows {
                    self.words.insert(name.to_string());
                    self.add_value(value);
                }
            }
            _ => {}
        }
    }

    /// Adds the string literals of a script. One with interpolations matches many keys.
    fn add_script(&mut self, script: &str) {
        for text in script.split(['"', '`']) {
            if text.is_empty() || text.len() >= MAX_TEXT || text.contains('\n') {
                continue;
            }
            let word = key_word(text);
            if let (Some((first, _)), Some((_, last))) =
                (word.split_once("${"), word.rsplit_once('}'))
                && !(first.is_empty() && last.is_empty())
            {
                self.patterns.push((first.to_owned(), last.to_owned()));
            }
            self.words.insert(word);
        }
    }

    /// Whether a word is an id, a number, or in a script or a field.
    pub fn contains(&self, part: &str) -> bool {
        let number = part.trim_start_matches(['@', '-']);
        let number = number.strip_prefix("seat-").unwrap_or(number);
        let fits = |(first, last): &(String, String)| {
            part.len() >= first.len() + last.len()
                && part.starts_with(first)
                && part.ends_with(last)
        };
        // The key of a cost alternative contains amounts: `2-coins`.
        let paid = part.trim_start_matches(|c: char| c.is_ascii_digit());
        let paid = paid.strip_prefix('-').unwrap_or(paid);
        number.chars().all(|c| c.is_ascii_digit())
            || self.words.contains(paid)
            || self.words.contains(part)
            || self.patterns.iter().any(fits)
    }

    /// Describes a key that no option can have, with a suggestion; `None` if some option can.
    pub fn unknown(&self, content: &Content, key: &str) -> Option<String> {
        let plain = key.rsplit_once('>').map_or(key, |(_, key)| key).trim();
        let plain = plain.split('#').next().unwrap_or(plain);
        let unknown = plain.split(':').find(|part| !self.contains(part))?;
        let ids = content.entries.iter().map(|entry| &*entry.id);
        let near = find_misspelling(unknown, ids.chain(ENGINE_KEYS.iter().copied()));
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => "a key is the id of an action, often with the id of a piece after a colon"
                .to_owned(),
        };
        Some(format!("no option can have the key `{key}`; {help}"))
    }
}
