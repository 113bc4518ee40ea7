//! Checks the words that scripts compare with: a word that occurs nowhere else is probably a typo.

use std::collections::{HashMap, HashSet};

use rhai::{AST, ASTNode, Expr, FnCallExpr, Position, Stmt, Token};

use super::ScriptText;
use crate::content::{Content, Value};
use crate::diagnostic::{Confidence, Diagnostic, Report, Severity, find_misspelling};

/// Functions that set or search for a word, and the position of that argument.
const WORD_ARGUMENTS: &[(&str, usize)] = &[
    ("mark", 1),
    ("unmark", 1),
    ("marked", 1),
    ("has_tag", 1),
    ("tagged", 1),
    ("has_colour", 1),
    ("count_colour", 1),
    ("with", 2),
];

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
    pub fn of(content: &Content, scripts: &[&str]) -> Vocabulary {
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
            for word in script
                .split('"')
                .skip(1)
                .step_by(2)
                .filter(|word| is_word(word))
            {
                match words.quoted.get_mut(word) {
                    Some(count) => *count += 1,
                    None => drop(words.quoted.insert(word.to_owned(), 1)),
                }
            }
            // Keys of maps count as words: `#{ won: 1 }` may be read by name.
            super::names::keys(std::iter::once(*script)).for_each(|key| words.know(key));
        }
        words
    }

    fn know(&mut self, word: &str) {
        if !self.known.contains(word) {
            self.known.insert(word.to_owned());
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Text(text) if is_word(text) => self.know(text),
            Value::List(list) => list.iter().for_each(|value| self.value(value)),
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
pub fn check(tree: &AST, source: &ScriptText<'_>, report: &mut Report) {
    tree.walk(&mut |path: &[ASTNode<'_>]| {
        match path.last() {
            Some(ASTNode::Expr(Expr::FnCall(call, _))) => compared(call, source, report),
            Some(ASTNode::Expr(Expr::MethodCall(call, _))) => {
                word_argument(call, 1, source, report);
            }
            Some(ASTNode::Stmt(Stmt::FnCall(call, _))) => word_argument(call, 0, source, report),
            Some(ASTNode::Stmt(Stmt::Switch(parts, at))) => {
                #[allow(clippy::disallowed_methods, reason = "they are sorted")]
                let words = parts
                    .1
                    .cases
                    .values()
                    .filter_map(|case| case.value.clone().into_string().ok());
                let words: std::collections::BTreeSet<String> = words.collect();
                words
                    .iter()
                    .for_each(|word| check_word(word, *at, true, source, report));
            }
            _ => {}
        }
        true
    });
}

fn compared(call: &FnCallExpr, source: &ScriptText<'_>, report: &mut Report) {
    if !matches!(call.op_token, Some(Token::EqualsTo | Token::NotEqualsTo)) {
        return word_argument(call, 0, source, report);
    }
    for arg in &call.args {
        if let Expr::StringConstant(word, at) = arg {
            check_word(word, *at, false, source, report);
        }
    }
}

fn word_argument(call: &FnCallExpr, of: usize, source: &ScriptText<'_>, report: &mut Report) {
    let Some((_, at)) = WORD_ARGUMENTS
        .iter()
        .find(|(name, _)| *name == call.name.as_str())
    else {
        return;
    };
    if let Some(Expr::StringConstant(word, at)) =
        at.checked_sub(of).and_then(|at| call.args.get(at))
    {
        check_word(word, *at, false, source, report);
    }
}

fn check_word(
    word: &str,
    at: Position,
    search: bool,
    source: &ScriptText<'_>,
    report: &mut Report,
) {
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
        .help("it is not an id, a value of a field, a tag or a mark, and no other script uses it")
        .confidence(Confidence::Likely)
        .push(report);
}
