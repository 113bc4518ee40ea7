//! The brackets, blocks and statements of a script, from its tokens.

use crate::lexer::{Lexeme, LexemeKind};

/// Keywords of statements that end with a block, without a semicolon.
const CONTROL: [&str; 7] = ["if", "for", "while", "loop", "switch", "try", "do"];

/// The structure of a script.
pub(super) struct ScriptOutlineTokens<'t> {
    pub tokens: Vec<Lexeme<'t>>,
    /// For each opening bracket, its closing one, and the other way round; otherwise itself.
    partner: Vec<usize>,
    /// Whether a token is in the `${…}` of a text.
    pub in_text: Vec<bool>,
    /// The opening brackets of blocks of statements.
    pub blocks: Vec<usize>,
}

/// A statement, from its first to its last token.
#[derive(Clone, Copy, Debug)]
pub(super) struct StatementTokens {
    pub first: usize,
    pub last: usize,
    /// Whether it is the value of its block: the last statement, without a semicolon.
    pub is_value: bool,
}

impl<'t> ScriptOutlineTokens<'t> {
    pub fn new(tokens: Vec<Lexeme<'t>>) -> Self {
        let mut outline = Self {
            partner: (0..tokens.len()).collect(),
            in_text: vec![false; tokens.len()],
            blocks: Vec::new(),
            tokens,
        };
        outline.pair_brackets();
        outline.find_blocks();
        outline
    }

    fn sign(&self, at: usize) -> Option<&'t str> {
        let token = self.tokens.get(at)?;
        (token.kind == LexemeKind::Punct).then_some(token.text)
    }

    pub fn is_word(&self, at: usize, word: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is_word(word))
    }

    pub fn is(&self, at: usize, sign: &str) -> bool {
        self.sign(at) == Some(sign)
    }

    fn pair_brackets(&mut self) {
        let mut open = Vec::new();
        let mut holes = 0;
        for at in 0..self.tokens.len() {
            match self.sign(at) {
                Some("(" | "[" | "{" | "#{" | "?[" | "${") => {
                    holes += usize::from(self.is(at, "${"));
                    open.push(at);
                }
                Some(")" | "]" | "}") => {
                    if let Some(start) = open.pop() {
                        holes -= usize::from(self.is(start, "${"));
                        self.partner[at] = start;
                        self.partner[start] = at;
                    }
                }
                _ => {}
            }
            self.in_text[at] = holes > 0;
        }
    }

    fn find_blocks(&mut self) {
        let count = self.tokens.len();
        let switches: Vec<usize> = (0..count)
            .filter(|at| self.is_word(*at, "switch"))
            .filter_map(|at| self.next_at_depth(at + 1, count, "{"))
            .collect();
        let is_block = |at: &usize| self.is(*at, "{") && !switches.contains(at);
        self.blocks = (0..count).filter(is_block).collect();
    }

    /// The closing bracket of an opening one.
    pub fn closing(&self, at: usize) -> usize {
        self.partner[at]
    }

    /// The next token with this sign outside of inner brackets, before `end`.
    pub fn next_at_depth(&self, from: usize, end: usize, sign: &str) -> Option<usize> {
        let mut at = from;
        while at < end {
            if self.is(at, sign) {
                return Some(at);
            }
            if matches!(self.sign(at), Some(";" | "}" | ")" | "]" | "=>" | ",")) {
                return None;
            }
            at = self.partner[at].max(at) + 1;
        }
        None
    }

    /// The block that starts at the first `{` after a condition.
    pub fn block_after(&self, from: usize) -> Option<usize> {
        self.next_at_depth(from, self.tokens.len(), "{")
            .filter(|at| self.blocks.contains(at))
    }

    /// The statements between two tokens.
    pub fn statements(&self, from: usize, end: usize) -> Vec<StatementTokens> {
        let mut found = Vec::new();
        let mut first = from;
        while first < end {
            let (last, is_value) = self.statement_end(first, end);
            found.push(StatementTokens {
                first,
                last,
                is_value,
            });
            first = last + 1;
        }
        found
    }

    fn statement_end(&self, first: usize, end: usize) -> (usize, bool) {
        let is_control = CONTROL.iter().any(|word| self.is_word(first, word));
        let mut at = first;
        while at < end {
            if self.is(at, ";") {
                return (at, false);
            }
            let close = self.partner[at].max(at);
            if is_control && self.is(at, "{") {
                let more = ["else", "catch"]
                    .iter()
                    .any(|word| self.is_word(close + 1, word));
                let is_do = self.is_word(first, "do");
                if !more && !is_do {
                    return (close, false);
                }
            }
            at = close + 1;
        }
        (end - 1, true)
    }

    /// The bytes from one token to another.
    pub fn bytes(&self, first: usize, last: usize) -> std::ops::Range<usize> {
        self.tokens[first].start..self.tokens[last].end()
    }
}
