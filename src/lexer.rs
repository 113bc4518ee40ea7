//! Splits a script into tokens with positions, valid or not. Comments and whitespace are skipped; code
//! inside a template is tokenized too.

/// Templates nested deeper than this are one token.
const MAX_TEMPLATE_DEPTH: usize = 8;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LexemeKind {
    /// A name or a keyword.
    Word,
    /// A text in double quotes, quotes included.
    Text,
    /// A part of a text in backticks, a raw text, a character or a number.
    Other,
    /// Operators, brackets and the `${` of a template.
    Punct,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Lexeme<'t> {
    pub kind: LexemeKind,
    pub text: &'t str,
    pub start: usize,
}

impl Lexeme<'_> {
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }

    pub fn is(&self, sign: &str) -> bool {
        self.kind == LexemeKind::Punct && self.text == sign
    }

    pub fn is_word(&self, word: &str) -> bool {
        self.kind == LexemeKind::Word && self.text == word
    }

    /// The content of a text in double quotes.
    pub fn quoted(&self) -> Option<&str> {
        (self.kind == LexemeKind::Text)
            .then(|| self.text.strip_prefix('"')?.strip_suffix('"'))
            .flatten()
    }
}

/// Operators of more than one character, longest first.
const MULTI_CHAR_OPERATORS: &[&str] = &[
    "**=", "<<=", ">>=", "..=", "==", "!=", "<=", ">=", "=>", "+=", "-=", "*=", "/=", "%=", "&=",
    "|=", "^=", "&&", "||", "??", "?.", "?[", "..", "::", "#{", "<<", ">>", "**", "${",
];

/// Operators that assign to their left side.
pub(crate) const ASSIGNMENT_OPERATORS: &[&str] = &[
    "=", "+=", "-=", "*=", "/=", "%=", "**=", "<<=", ">>=", "&=", "|=", "^=",
];

/// Splits a script into tokens. Invalid code becomes tokens too; nothing is checked.
pub(crate) fn tokens(text: &str) -> Vec<Lexeme<'_>> {
    let mut lexer = Lexer {
        text,
        at: 0,
        templates: 0,
        out: Vec::new(),
    };
    lexer.code(false);
    lexer.out
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    /// The number of templates around the position.
    templates: usize,
    out: Vec<Lexeme<'t>>,
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn push(&mut self, kind: LexemeKind, len: usize) {
        let len = len.min(self.text.len() - self.at);
        if len == 0 {
            return;
        }
        self.out.push(Lexeme {
            kind,
            text: &self.text[self.at..self.at + len],
            start: self.at,
        });
        self.at += len;
    }

    /// Code up to the end, or up to the bracket that closes `${` in a template.
    fn code(&mut self, in_interpolation: bool) {
        let mut depth = 0_usize;
        while let Some(c) = self.rest().chars().next() {
            let rest = self.rest();
            if c.is_whitespace() {
                self.at += c.len_utf8();
            } else if rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("/*") {
                self.at += comment(rest);
            } else if c == '"' {
                let len = quoted(rest, '"');
                self.push(LexemeKind::Text, len);
            } else if c == '\'' {
                let len = quoted(rest, '\'');
                self.push(LexemeKind::Other, len);
            } else if c == '`' {
                self.template();
            } else if let Some(len) = raw(rest) {
                self.push(LexemeKind::Other, len);
            } else if c.is_alphabetic() || c == '_' {
                let len = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'));
                self.push(LexemeKind::Word, len.unwrap_or(rest.len()));
            } else if c.is_ascii_digit() {
                let len = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'));
                self.push(LexemeKind::Other, len.unwrap_or(rest.len()));
            } else {
                if c == '{' || rest.starts_with("#{") {
                    depth += 1;
                } else if c == '}' {
                    if in_interpolation && depth == 0 {
                        self.push(LexemeKind::Punct, 1);
                        return;
                    }
                    depth = depth.saturating_sub(1);
                }
                let sign = MULTI_CHAR_OPERATORS
                    .iter()
                    .find(|sign| rest.starts_with(**sign));
                self.push(
                    LexemeKind::Punct,
                    sign.map_or(c.len_utf8(), |sign| sign.len()),
                );
            }
        }
    }

    /// A text in backticks, with the code in its `${…}`.
    fn template(&mut self) {
        let mut first = 1;
        loop {
            let rest = self.rest();
            let end = rest[first..]
                .find('`')
                .map_or(rest.len(), |at| first + at + 1);
            match rest[first..end].find("${").map(|at| first + at) {
                Some(interpolation) if self.templates < MAX_TEMPLATE_DEPTH => {
                    self.push(LexemeKind::Other, interpolation);
                    self.push(LexemeKind::Punct, 2);
                    self.templates += 1;
                    self.code(true);
                    self.templates -= 1;
                    first = 0;
                }
                _ => return self.push(LexemeKind::Other, end),
            }
        }
    }
}

/// The length of the text that begins here, with its quotes.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if c == quote && !escaped {
            return at + 1;
        }
        escaped = c == '\\' && !escaped;
    }
    text.len()
}

/// The length of the raw text that begins here: `#"…"#`.
fn raw(text: &str) -> Option<usize> {
    let marks = text.len() - text.trim_start_matches('#').len();
    if marks == 0 || !text[marks..].starts_with('"') {
        return None;
    }
    let end = format!("\"{}", "#".repeat(marks));
    let at = text[marks + 1..].find(&end);
    Some(at.map_or(text.len(), |at| marks + 1 + at + end.len()))
}

/// The length of the block comment that begins here; comments may be nested.
fn comment(text: &str) -> usize {
    let (mut at, mut depth) = (0, 0_usize);
    while at < text.len() {
        if text[at..].starts_with("/*") {
            (at, depth) = (at + 2, depth + 1);
        } else if text[at..].starts_with("*/") {
            (at, depth) = (at + 2, depth - 1);
            if depth == 0 {
                return at;
            }
        } else {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}
