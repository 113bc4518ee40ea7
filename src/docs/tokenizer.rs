//! A simple tokenizer for scripts, just accurate enough for links and highlighting. The module
//! `script` does the real parsing.

/// The maximum nesting of template strings.
const MAX_DEPTH: usize = 8;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// An identifier or keyword.
    Word,
    /// A string literal, with its quotes.
    Text,
    /// A comment, with its slashes.
    Comment,
    /// Operators, numbers, white space, and the text parts of template strings.
    Other,
}

/// A token of a script, with its context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token<'t> {
    /// The text as written.
    pub text: &'t str,
    /// What it is.
    pub kind: TokenKind,
    /// The function of which it is an argument.
    pub call: Option<&'t str>,
    /// The identifier before the dot, for a property or method; empty after an expression.
    pub of: Option<&'t str>,
    /// Whether an opening parenthesis follows.
    pub opens: bool,
}

impl<'t> Token<'t> {
    /// The contents of a string literal.
    #[must_use]
    pub fn inner(&self) -> Option<&'t str> {
        (self.kind == TokenKind::Text).then(|| self.text.trim_matches('"'))
    }
}

/// Splits a script into tokens. Joined together, they equal the script.
#[must_use]
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut scan = Tokenizer {
        out: Vec::new(),
        calls: Vec::new(),
    };
    scan.code(text, 0);
    scan.out
}

struct Tokenizer<'t> {
    out: Vec<Token<'t>>,
    /// The identifier before each open parenthesis.
    calls: Vec<&'t str>,
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

impl<'t> Tokenizer<'t> {
    fn code(&mut self, text: &'t str, depth: usize) {
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let (length, what) = match first {
                '/' if rest.starts_with("//") => {
                    (rest.find('\n').unwrap_or(rest.len()), TokenKind::Comment)
                }
                '/' if rest.starts_with("/*") => (
                    rest.find("*/").map_or(rest.len(), |at| at + 2),
                    TokenKind::Comment,
                ),
                '"' => (string_length(rest), TokenKind::Text),
                '`' if depth < MAX_DEPTH => {
                    let length = template_length(rest);
                    self.template(&rest[..length], depth);
                    rest = &rest[length..];
                    continue;
                }
                c if c.is_alphabetic() || c == '_' => (
                    rest.find(|c| !is_letter(c)).unwrap_or(rest.len()),
                    TokenKind::Word,
                ),
                c if c.is_ascii_digit() => (
                    rest.find(|c| !is_letter(c)).unwrap_or(rest.len()),
                    TokenKind::Other,
                ),
                c if c.is_whitespace() => (
                    rest.find(|c: char| !c.is_whitespace())
                        .unwrap_or(rest.len()),
                    TokenKind::Other,
                ),
                c => (c.len_utf8(), TokenKind::Other),
            };
            let (part, after) = rest.split_at(length);
            self.push(part, what, after);
            rest = after;
        }
    }

    fn push(&mut self, text: &'t str, what: TokenKind, after: &str) {
        let call = self.calls.last().copied().filter(|word| !word.is_empty());
        let opens = after.trim_start().starts_with('(');
        let of = if what == TokenKind::Word {
            self.owner()
        } else {
            None
        };
        match text {
            "(" => self.calls.push(self.last_word()),
            ")" => drop(self.calls.pop()),
            _ => {}
        }
        self.out.push(Token {
            text,
            kind: what,
            call,
            of,
            opens,
        });
    }

    /// The tokens so far, last first, without white space and comments.
    fn before(&self) -> impl Iterator<Item = &Token<'t>> {
        self.out
            .iter()
            .rev()
            .filter(|token| !token.text.trim().is_empty() && token.kind != TokenKind::Comment)
    }

    fn last_word(&self) -> &'t str {
        self.before()
            .next()
            .filter(|token| token.kind == TokenKind::Word)
            .map_or("", |token| token.text)
    }

    fn owner(&self) -> Option<&'t str> {
        let mut before = self.before();
        before.next().filter(|token| token.text == ".")?;
        // `0..x` is a range, not a property.
        let owner = before.next().filter(|token| token.text != ".")?;
        Some(if owner.kind == TokenKind::Word {
            owner.text
        } else {
            ""
        })
    }

    /// A template string: the contents of `${…}` are code.
    fn template(&mut self, text: &'t str, depth: usize) {
        let mut rest = text;
        while let Some(at) = rest.find("${") {
            let (plain, hole) = rest.split_at(at + 2);
            self.push(plain, TokenKind::Other, "");
            let end = closing(hole);
            self.code(&hole[..end], depth + 1);
            rest = &hole[end..];
        }
        self.push(rest, TokenKind::Other, "");
    }
}

/// The length of a string literal, with its quotes.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '"' if !escaped => return at + 1,
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    text.len()
}

/// The length of a template string, with its backticks.
fn template_length(text: &str) -> usize {
    let mut at = 1;
    while let Some(c) = text[at..].chars().next() {
        if text[at..].starts_with("${") {
            at += 2 + closing(&text[at + 2..]);
        } else if c == '`' {
            return at + 1;
        } else {
            at += c.len_utf8();
        }
    }
    text.len()
}

/// The position of the brace that closes a `${`.
fn closing(text: &str) -> usize {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => return at,
            '}' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}
