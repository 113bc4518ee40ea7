//! Scripts as lists of tokens: just enough to find calls, names and statements.

use std::ops::Range;

use super::book::Book;
use super::rng::Rng;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    Word,
    Number,
    /// A string in quotation marks.
    Text,
    /// A constant part of a string in backticks.
    Part,
    Mark,
}

#[derive(Clone, Debug)]
pub struct Token {
    pub kind: TokenKind,
    pub at: Range<usize>,
}

pub struct Script {
    pub file: usize,
    /// The field that contains it; none for a file of functions.
    pub field: Option<usize>,
    pub at: Range<usize>,
    pub tokens: Vec<Token>,
    /// For each opening bracket, the one that closes it.
    closing: Vec<Option<usize>>,
}

impl Script {
    pub fn new(file: usize, field: Option<usize>, text: &str, at: Range<usize>) -> Self {
        let mut tokens = Vec::new();
        read(text, at.clone(), &mut tokens);
        let (mut closing, mut open) = (vec![None; tokens.len()], Vec::new());
        for (ix, token) in tokens
            .iter()
            .enumerate()
            .filter(|(_, token)| token.kind == TokenKind::Mark)
        {
            match &text[token.at.clone()] {
                "(" | "[" | "{" | "#{" | "${" => open.push(ix),
                ")" | "]" | "}" => open
                    .pop()
                    .into_iter()
                    .for_each(|open| closing[open] = Some(ix)),
                _ => {}
            }
        }
        Self {
            file,
            field,
            at,
            tokens,
            closing,
        }
    }
}

/// A call: its name, whether it is a method call, and its arguments as ranges of tokens.
pub struct Call {
    pub name: usize,
    pub method: bool,
    pub args: Vec<Range<usize>>,
    pub close: usize,
}

/// A function: its name, parameters and body, as tokens.
pub struct Function {
    pub name: usize,
    pub params: Range<usize>,
    pub body: Range<usize>,
}

const KEYWORDS: &[&str] = &[
    "let", "const", "if", "else", "while", "loop", "for", "in", "fn", "return", "break",
    "continue", "switch", "true", "false", "throw", "try", "catch", "do", "until",
];

const MARKS: &[&str] = &[
    "..=", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "%=", "&&", "||", "=>", "..", "#{", "${",
];

fn read(text: &str, within: Range<usize>, list: &mut Vec<Token>) {
    let mut at = within.start;
    while at < within.end {
        let rest = &text[at..within.end];
        let c = rest.chars().next().unwrap_or(' ');
        let run = |fits: fn(char) -> bool| rest.find(|c| !fits(c)).unwrap_or(rest.len());
        let (kind, len) = if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        } else if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        } else if c.is_alphabetic() || c == '_' {
            (TokenKind::Word, run(|c| c.is_alphanumeric() || c == '_'))
        } else if c.is_ascii_digit() {
            (TokenKind::Number, run(|c| c.is_ascii_digit()))
        } else if c == '"' {
            (TokenKind::Text, text_len(rest))
        } else if c == '`' {
            at = template(text, at..within.end, list);
            continue;
        } else {
            (
                TokenKind::Mark,
                MARKS
                    .iter()
                    .find(|mark| rest.starts_with(**mark))
                    .map_or(c.len_utf8(), |mark| mark.len()),
            )
        };
        list.push(Token {
            kind,
            at: at..at + len,
        });
        at += len;
    }
}

fn text_len(rest: &str) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// Reads a string in backticks and returns where it ends.
fn template(text: &str, within: Range<usize>, list: &mut Vec<Token>) -> usize {
    let mut at = within.start + 1;
    loop {
        let rest = &text[at..within.end];
        let stop = rest.find(['`', '$']).unwrap_or(rest.len());
        list.push(Token {
            kind: TokenKind::Part,
            at: at..at + stop,
        });
        at += stop;
        if !text[at..within.end].starts_with("${") {
            return (at + 1).min(within.end);
        }
        let mut depth = 0;
        let inside = text[at..within.end].char_indices().find(|(_, c)| {
            depth += i32::from(*c == '{') - i32::from(*c == '}');
            *c == '}' && depth == 0
        });
        let end = at + inside.map_or(0, |(end, _)| end);
        list.push(Token {
            kind: TokenKind::Mark,
            at: at..at + 2,
        });
        read(text, at + 2..end, list);
        list.push(Token {
            kind: TokenKind::Mark,
            at: end..end + 1,
        });
        at = end + 1;
    }
}

/// A script with its text, to read tokens as words.
pub struct View<'b> {
    pub script: &'b Script,
    pub text: &'b str,
}

impl Book {
    pub fn views(&self) -> impl Iterator<Item = View<'_>> {
        self.scripts.iter().map(|script| View {
            script,
            text: self.text(script.file),
        })
    }

    /// A random token that fits, in any script.
    pub fn token(
        &self,
        rng: &mut Rng,
        fits: impl Fn(&View, usize) -> bool,
    ) -> Option<(View<'_>, usize)> {
        let mut found = Vec::new();
        for (ix, view) in self.views().enumerate() {
            found.extend(
                (0..view.len())
                    .filter(|token| fits(&view, *token))
                    .map(|token| (ix, token)),
            );
        }
        let (ix, token) = rng.pick(found)?;
        self.views().nth(ix).map(|view| (view, token))
    }

    /// A random call that fits, in any script.
    pub fn call(
        &self,
        rng: &mut Rng,
        fits: impl Fn(&View, &Call) -> bool,
    ) -> Option<(View<'_>, Call)> {
        let mut found = Vec::new();
        for (ix, view) in self.views().enumerate() {
            found.extend(
                view.calls()
                    .into_iter()
                    .filter(|call| fits(&view, call))
                    .map(|call| (ix, call)),
            );
        }
        let (ix, call) = rng.pick(found)?;
        self.views().nth(ix).map(|view| (view, call))
    }
}

impl<'b> View<'b> {
    pub fn len(&self) -> usize {
        self.script.tokens.len()
    }

    /// The text of a token; empty beyond the ends.
    pub fn word(&self, ix: usize) -> &'b str {
        self.script
            .tokens
            .get(ix)
            .map_or("", |token| &self.text[token.at.clone()])
    }

    pub fn before(&self, ix: usize) -> &'b str {
        ix.checked_sub(1).map_or("", |ix| self.word(ix))
    }

    pub fn at(&self, ix: usize) -> Range<usize> {
        self.script.tokens[ix].at.clone()
    }

    /// The bytes of a range of tokens.
    pub fn bytes(&self, range: &Range<usize>) -> Range<usize> {
        if range.is_empty() {
            let at = self.at(range.start).start;
            return at..at;
        }
        let (start, end) = (self.at(range.start).start, self.at(range.end - 1).end);
        // The backticks around a string belong to it.
        let before = self.is(range.start, TokenKind::Part) && self.text[..start].ends_with('`');
        let after = self.is(range.end - 1, TokenKind::Part) && self.text[end..].starts_with('`');
        start - usize::from(before)..end + usize::from(after)
    }

    pub fn source(&self, range: &Range<usize>) -> &'b str {
        &self.text[self.bytes(range)]
    }

    pub fn is(&self, ix: usize, kind: TokenKind) -> bool {
        self.script
            .tokens
            .get(ix)
            .is_some_and(|token| token.kind == kind)
    }

    pub fn is_word(&self, ix: usize) -> bool {
        self.is(ix, TokenKind::Word) && !KEYWORDS.contains(&self.word(ix))
    }

    /// The content of a string token.
    pub fn string(&self, ix: usize) -> Option<&'b str> {
        self.is(ix, TokenKind::Text)
            .then(|| self.word(ix).trim_matches('"'))
    }

    /// The bracket that closes the one at a token.
    pub fn closing(&self, open: usize) -> Option<usize> {
        self.script.closing.get(open).copied().flatten()
    }

    /// The tokens of a range, split at commas or another separator.
    pub fn parts(&self, within: Range<usize>, separator: &str) -> Vec<Range<usize>> {
        let (mut list, mut start, mut ix) = (Vec::new(), within.start, within.start);
        while ix < within.end {
            match self.word(ix) {
                "(" | "[" | "{" | "#{" | "${" => ix = self.closing(ix).unwrap_or(within.end),
                word if word == separator && self.is(ix, TokenKind::Mark) => {
                    list.push(start..ix);
                    start = ix + 1;
                }
                _ => {}
            }
            ix += 1;
        }
        if start < within.end {
            list.push(start..within.end);
        }
        list
    }

    pub fn calls(&self) -> Vec<Call> {
        let mut list = Vec::new();
        for name in (0..self.len()).filter(|ix| self.is_word(*ix) && self.before(*ix) != "fn") {
            if self.word(name + 1) != "(" {
                continue;
            }
            let Some(close) = self.closing(name + 1) else {
                continue;
            };
            let args = self.parts(name + 2..close, ",");
            list.push(Call {
                name,
                method: self.before(name) == ".",
                args,
                close,
            });
        }
        list
    }

    pub fn functions(&self) -> Vec<Function> {
        let mut list = Vec::new();
        for ix in (0..self.len()).filter(|ix| self.word(*ix) == "fn") {
            let Some(close) = self.closing(ix + 2) else {
                continue;
            };
            let Some(end) = self.closing(close + 1) else {
                continue;
            };
            list.push(Function {
                name: ix + 1,
                params: ix + 3..close,
                body: close + 2..end,
            });
        }
        list
    }

    /// The scope of a token: its function, or the whole script.
    pub fn around(&self, ix: usize) -> Range<usize> {
        let own = self
            .functions()
            .into_iter()
            .find(|function| function.body.contains(&ix));
        own.map_or(0..self.len(), |function| function.body)
    }

    /// Whether a token reads a variable: it is not a declaration, a key, a call or a property.
    pub fn is_read(&self, ix: usize) -> bool {
        let (before, after) = (self.before(ix), self.word(ix + 1));
        let declared = matches!(before, "let" | "const" | "fn" | "for")
            || self.is_parameter(ix)
            || after == "in";
        let key = after == ":" && matches!(before, "#{" | ",");
        self.is_word(ix)
            && !declared
            && !key
            && !matches!(before, "." | "|")
            && !matches!(after, "(" | "|" | "=>")
    }

    fn is_parameter(&self, ix: usize) -> bool {
        // A parameter of a function, of `for (one, ix) in`, or of `|a, b|`.
        let back = (0..ix)
            .rev()
            .find(|at| matches!(self.word(*at), "(" | ")" | ";" | "{" | "}" | "|"));
        let Some(open) = back else { return false };
        self.before(open) == "for"
            || (open > 1 && self.word(open - 2) == "fn")
            || (self.word(open) == "|" && self.before(ix) == "," && self.word(ix + 1) == "|")
    }

    /// Where statements begin, except `return`, `break` and `continue`.
    pub fn statements(&self) -> Vec<usize> {
        let blocks = (0..self.len())
            .filter(|ix| self.word(*ix) == "{" || self.word(*ix) == ";")
            .map(|ix| ix + 1);
        let first = self.script.field.map(|_| 0);
        let starts = first.into_iter().chain(blocks);
        starts
            .filter(|ix| !matches!(self.word(*ix), "" | "}" | "return" | "break" | "continue"))
            .collect()
    }
}
