//! The tokens of a script with the context that links and highlighting need. A page also shows
//! scripts that do not parse.

use crate::lexer::{self, Lexeme, LexemeKind};

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
    /// The function that it is an argument of.
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
    let mut tokenizer = Tokenizer {
        out: Vec::new(),
        calls: Vec::new(),
    };
    tokenizer.code(text);
    tokenizer.out
}

fn kind(lexeme: &Lexeme) -> TokenKind {
    match lexeme.kind {
        LexemeKind::Word => TokenKind::Word,
        LexemeKind::Text => TokenKind::Text,
        LexemeKind::Other | LexemeKind::Punct => TokenKind::Other,
    }
}

/// The script in a literal string of TOML: examples also show entries of packs.
fn toml_string<'t>(lexeme: &Lexeme<'t>) -> Option<&'t str> {
    lexeme.text.strip_prefix('\'')?.strip_suffix('\'')
}

struct Tokenizer<'t> {
    out: Vec<Token<'t>>,
    /// The identifier before each open parenthesis.
    calls: Vec<&'t str>,
}

impl<'t> Tokenizer<'t> {
    fn code(&mut self, text: &'t str) {
        let mut end = 0;
        for lexeme in lexer::tokens(text) {
            self.gap(&text[end..lexeme.start]);
            end = lexeme.end();
            match toml_string(&lexeme) {
                Some(script) => {
                    self.push("'", TokenKind::Other, "");
                    self.code(script);
                    self.push("'", TokenKind::Other, "");
                }
                None => self.push(lexeme.text, kind(&lexeme), &text[end..]),
            }
        }
        self.gap(&text[end..]);
    }

    /// White space and comments between two tokens.
    fn gap(&mut self, text: &'t str) {
        let blank = text.len() - text.trim_start().len();
        let comment = text.trim_end().len().max(blank);
        let parts = [
            (&text[..blank], TokenKind::Other),
            (&text[blank..comment], TokenKind::Comment),
            (&text[comment..], TokenKind::Other),
        ];
        for (part, kind) in parts {
            if !part.is_empty() {
                self.push(part, kind, "");
            }
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
}
