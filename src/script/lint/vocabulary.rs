//! Checks the words that scripts compare with: a word that occurs nowhere else is probably a typo.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use super::{ScriptText, natives};
use crate::content::Content;
use crate::diagnostic::{Confidence, Diagnostic, Report, Severity, find_misspelling};
use crate::script::primitive::Role;
use crate::script::syntax::{BinaryOp, CallSite, CaseTest, Node, NodeKind, Script, Switch};
use crate::value::Value;

/// Words that the engine uses.
const ENGINE_WORDS: &[&str] = &[
    "damage", "pay", "lose", "pass", "string", "array", "map", "bool", "i64", "()", "Thing",
    "Zone", "Entry", "Fn",
];

/// Every word that packs and the engine use.
#[derive(Default)]
pub struct Vocabulary {
    /// Ids, values of fields, tags, names of faces and keys.
    known: HashSet<String>,
    /// How often each quoted word occurs in scripts.
    quoted: HashMap<String, u32>,
}

impl Vocabulary {
    pub fn of(content: &Content, scripts: &[Rc<Script>]) -> Vocabulary {
        let mut words = Vocabulary::default();
        for entry in &content.entries {
            words.know(&entry.id);
            entry.tags.iter().for_each(|tag| words.know(tag));
            let faces = entry.faces.iter().flat_map(|face| &face.fields);
            entry
                .fields
                .iter()
                .chain(faces)
                .for_each(|(_, value)| words.value(value));
        }
        for kind in &content.kinds {
            words.know(&kind.id);
            kind.words
                .iter()
                .chain(&kind.fields)
                .chain(&kind.nested)
                .for_each(|word| words.know(word));
        }
        content
            .events
            .iter()
            .chain(&content.queries)
            .for_each(|def| words.know(&def.name));
        ENGINE_WORDS.iter().for_each(|word| words.know(word));
        for script in scripts {
            script.walk(&mut |node| words.quote(node));
            // Keys of maps count as words: `#{ won: 1 }` may be read by name.
            super::keys::each_key(script, &mut |key| words.know(key));
        }
        words
    }

    /// Counts the words in quotes.
    fn quote(&mut self, node: &Node) {
        let mut count = |value: &Value| {
            if let Value::Text(word) = value
                && is_word(word)
            {
                match self.quoted.get_mut(word.as_str()) {
                    Some(count) => *count += 1,
                    None => drop(self.quoted.insert(word.to_string(), 1)),
                }
            }
        };
        match &node.kind {
            NodeKind::Value(value) => count(value),
            NodeKind::Switch(switch) => {
                for case in &switch.cases {
                    if let CaseTest::Is(value) = &case.test {
                        count(value);
                    }
                }
            }
            _ => {}
        }
    }

    fn know(&mut self, word: &str) {
        if !self.known.contains(word) {
            self.known.insert(word.to_owned());
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Text(text) if is_word(text) => self.know(text),
            Value::Rows(list) => list.iter().for_each(|value| self.value(value)),
            Value::Table(rows) => rows.iter().for_each(|(key, value)| {
                self.know(key);
                self.value(value);
            }),
            _ => {}
        }
    }

    fn is_alone(&self, word: &str) -> bool {
        !self.known.contains(word) && self.quoted.get(word).copied().unwrap_or(0) <= 1
    }
}

fn is_word(text: &str) -> bool {
    !text.is_empty()
        && text.len() < 40
        && text
            .chars()
            .all(|c| c.is_alphanumeric() || c == '_' || c == '-')
}

/// Checks the words that a script compares with.
pub fn check(tree: &Script, source: &ScriptText<'_>, report: &mut Report) {
    tree.walk(&mut |node| {
        match &node.kind {
            NodeKind::Binary(BinaryOp::Equal | BinaryOp::NotEqual, pair) => {
                compared(&pair.0, source, report);
                compared(&pair.1, source, report);
            }
            NodeKind::Switch(switch) => cases(switch, node.at, source, report),
            _ => {}
        }
        node.each_call(&mut |site| word_arguments(site, source, report));
    });
}

fn compared(node: &Node, source: &ScriptText<'_>, report: &mut Report) {
    if let Some(word) = node.text() {
        check_word(word, node.at, false, source, report);
    }
}

fn cases(switch: &Switch, at: u32, source: &ScriptText<'_>, report: &mut Report) {
    let word = |test: &CaseTest| match test {
        CaseTest::Is(Value::Text(word)) => Some(word.clone()),
        _ => None,
    };
    let words = switch.cases.iter().filter_map(|case| word(&case.test));
    for word in words.collect::<BTreeSet<_>>() {
        check_word(&word, at, true, source, report);
    }
}

/// Checks the arguments of functions that set or search for a word.
fn word_arguments(site: CallSite, source: &ScriptText<'_>, report: &mut Report) {
    for (position, argument) in (usize::from(site.is_method)..).zip(&site.call.arguments) {
        let Some(word) = argument.text() else {
            continue;
        };
        let mut roles = natives::roles(&site.call.name, site.count(), position);
        if roles.any(|role| matches!(role, Role::Word)) {
            check_word(word, argument.at, false, source, report);
        }
    }
}

fn check_word(word: &str, at: u32, search: bool, source: &ScriptText<'_>, report: &mut Report) {
    let words = &source.facts.words;
    if !is_word(word) || !words.is_alone(word) {
        return;
    }
    let mut span = source.span(at, word.len() + 2);
    if search && source.exact {
        let rest = &source.files.text(source.file)[span.start as usize..];
        let found = rest.find(&format!("\"{word}\"")).unwrap_or(0);
        span = crate::diagnostic::Span::new(
            source.file,
            span.start as usize + found,
            span.start as usize + found + word.len() + 2,
        );
    }
    #[allow(
        clippy::disallowed_methods,
        reason = "the nearest word is the same in any order, as equally near ones are sorted"
    )]
    let mut all: Vec<&str> = words
        .known
        .iter()
        .chain(words.quoted.keys())
        .map(String::as_str)
        .filter(|other| *other != word)
        .collect();
    all.sort_unstable();
    Diagnostic::unknown(span, "unknown-word", "word", word)
        .severity(Severity::Warning)
        .label("used only here")
        .did_you_mean(find_misspelling(word, all))
        .help(if word.bytes().all(|byte| byte.is_ascii_digit()) {
            "a number has no quotes"
        } else {
            "it is not an id, a value of a field, a tag or a mark, and no other script uses it"
        })
        .confidence(Confidence::Likely)
        .push(report);
}
