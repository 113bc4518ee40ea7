//! Splits a script that Rhai cannot parse into tokens, and matches its brackets.

use std::ops::Range;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LooseKind {
    Word,
    Number,
    /// A text in quotes or backticks.
    Text,
    /// A text whose closing quote is missing.
    OpenText,
    Sign,
}

/// A token and its position.
#[derive(Clone, Copy, Debug)]
pub(super) struct LooseToken<'t> {
    pub kind: LooseKind,
    pub text: &'t str,
    pub start: usize,
}

impl LooseToken<'_> {
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }

    pub fn range(&self) -> Range<usize> {
        self.start..self.end()
    }

    pub fn is_word(&self) -> bool {
        self.kind == LooseKind::Word
    }

    /// Whether it is a value, or the end of one.
    pub fn ends_value(&self) -> bool {
        match self.kind {
            LooseKind::Sign => matches!(self.text, ")" | "]"),
            LooseKind::Word => !matches!(self.text, "return" | "in" | "else" | "if" | "while"),
            _ => true,
        }
    }
}

/// Operators of more than one character, also those of other languages, longest first.
const SIGNS: &[&str] = &[
    "===", "!==", "..=", "**=", "<<=", ">>=", "<=>", "==", "!=", "<=", ">=", "=>", "->", "=<",
    "<>", "~=", ":=", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "&&", "||", "??",
    "?.", "?[", "..", "::", "#{", "<<", ">>", "**",
];

/// The tokens of a script; comments and spaces are skipped.
pub(super) fn tokens(text: &str) -> Vec<LooseToken<'_>> {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let (kind, length) = match c {
            c if c.is_whitespace() => {
                at += c.len_utf8();
                continue;
            }
            '/' if rest.starts_with("//") => {
                at += rest.find('\n').unwrap_or(rest.len());
                continue;
            }
            '/' if rest.starts_with("/*") => {
                at += rest.find("*/").map_or(rest.len(), |end| end + 2);
                continue;
            }
            '"' | '\'' => quoted(rest, c),
            '`' => template(rest),
            c if c.is_alphabetic() || c == '_' => {
                let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'));
                (LooseKind::Word, end.unwrap_or(rest.len()))
            }
            c if c.is_ascii_digit() => {
                let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'));
                (LooseKind::Number, end.unwrap_or(rest.len()))
            }
            c => {
                let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
                (
                    LooseKind::Sign,
                    sign.map_or(c.len_utf8(), |sign| sign.len()),
                )
            }
        };
        out.push(LooseToken {
            kind,
            text: &rest[..length],
            start: at,
        });
        at += length;
    }
    out
}

/// A text in quotes, which ends in its line.
fn quoted(text: &str, quote: char) -> (LooseKind, usize) {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '\n' if !escaped => {
                let end = text[..at].trim_end().len();
                return (LooseKind::OpenText, end);
            }
            c if c == quote && !escaped => return (LooseKind::Text, at + 1),
            c => escaped = c == '\\' && !escaped,
        }
    }
    (LooseKind::OpenText, text.len())
}

/// A text in backticks; the code in its `${…}` may contain backticks, too.
fn template(text: &str) -> (LooseKind, usize) {
    let mut depth = 0_usize;
    let mut before = '`';
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '{' if before == '$' || depth > 0 => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            '`' if depth == 0 => return (LooseKind::Text, at + 1),
            _ => {}
        }
        before = c;
    }
    (LooseKind::OpenText, text.len())
}

/// What is wrong with the brackets of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BracketFault {
    /// The token at this index is never closed.
    Unclosed(usize),
    /// The token at this index closes nothing.
    Extra(usize),
}

/// The first bracket without a partner.
///
/// If a block is not closed, the next `}` closes it, and an outer block seems to be unclosed. The
/// indentation shows which one was meant.
pub(super) fn bracket_fault(text: &str, tokens: &[LooseToken]) -> Option<BracketFault> {
    let mut open: Vec<usize> = Vec::new();
    let mut suspect = None;
    for (ix, token) in tokens.iter().enumerate() {
        if token.kind != LooseKind::Sign {
            // A function cannot be inside of a block.
            if token.text == "fn" && token.is_word() && !open.is_empty() {
                return open.last().copied().map(BracketFault::Unclosed);
            }
            continue;
        }
        if closer(token.text).is_some() {
            open.push(ix);
            continue;
        }
        if !matches!(token.text, ")" | "]" | "}") {
            continue;
        }
        let closes = |ix: &usize| closer(tokens[*ix].text) == Some(token.text);
        match open.last() {
            Some(last) if closes(last) => {
                let indents = (indent(text, tokens[*last].start), indent(text, token.start));
                let begins_line = text[..token.start]
                    .trim_end_matches([' ', '\t'])
                    .ends_with('\n');
                if begins_line && indents.1 < indents.0 && open.len() > 1 {
                    suspect = suspect.or(Some(*last));
                }
                open.pop();
            }
            Some(last) if open.iter().any(closes) => {
                return Some(BracketFault::Unclosed(suspect.unwrap_or(*last)));
            }
            _ => return Some(BracketFault::Extra(ix)),
        }
    }
    let last = open.last()?;
    Some(BracketFault::Unclosed(suspect.unwrap_or(*last)))
}

/// The bracket that closes another one.
pub(super) fn closer(open: &str) -> Option<&'static str> {
    match open {
        "(" => Some(")"),
        "[" | "?[" => Some("]"),
        "{" | "#{" => Some("}"),
        _ => None,
    }
}

/// The number of spaces at the start of the line that contains a position.
fn indent(text: &str, at: usize) -> usize {
    let start = text[..at].rfind('\n').map_or(0, |found| found + 1);
    text[start..].len() - text[start..].trim_start_matches([' ', '\t']).len()
}
