//! The places where a script can be broken.

use super::brackets::{ScriptOutlineTokens, StatementTokens};
use super::site::{MutationKind, MutationSite, Reach};
use crate::diagnostic::{FileId, Files, Span};
use crate::lexer::{LexemeKind, tokens};
use crate::script::only_shows_text;

/// A script: the hook of an entry, or a function file.
pub(super) struct MutableScript<'a> {
    pub files: &'a Files,
    pub file: FileId,
    /// Where it starts in the file.
    pub start: usize,
    pub text: &'a str,
    /// The full name of the entry whose hook it is; otherwise it is a file of functions.
    pub entry: Option<&'a str>,
}

/// Finds the places of a script. `is_played` says whether a function runs in games. Returns whether
/// the script only shows texts.
pub(super) fn find(
    script: &MutableScript,
    is_played: &dyn Fn(&str) -> bool,
    out: &mut Vec<MutationSite>,
) -> bool {
    let outline = ScriptOutlineTokens::new(tokens(script.text));
    let count = outline.tokens.len();
    let mut finder = SiteFinder {
        script,
        outline: &outline,
        shown: vec![false; count],
        statements: Vec::new(),
        out,
    };
    if script.entry.is_some() {
        finder.unit(0, count);
        return count > 0 && finder.shown.iter().all(|shown| *shown);
    }
    let mut at = 0;
    while at < count {
        if outline.is_word(at, "fn")
            && let Some(name) = outline.tokens.get(at + 1)
            && let Some(open) = outline.block_after(at + 2)
        {
            if is_played(name.text) {
                finder.unit(open + 1, outline.closing(open));
            }
            at = outline.closing(open);
        }
        at += 1;
    }
    false
}

struct SiteFinder<'a, 'o> {
    script: &'a MutableScript<'a>,
    outline: &'a ScriptOutlineTokens<'a>,
    /// The tokens in calls that only show a text.
    shown: Vec<bool>,
    /// The statements of the hook or function, inner ones last.
    statements: Vec<StatementTokens>,
    out: &'o mut Vec<MutationSite>,
}

impl SiteFinder<'_, '_> {
    fn line(&self, offset: usize) -> u32 {
        let at = self.script.start + offset;
        let span = Span::new(self.script.file, at, at);
        self.script.files.line_col(span).0
    }

    /// A hook, or the body of a function.
    fn unit(&mut self, from: usize, end: usize) {
        if from >= end {
            return;
        }
        let outline = self.outline;
        self.statements = outline.statements(from, end);
        for open in outline
            .blocks
            .iter()
            .filter(|open| (from..end).contains(open))
        {
            let inner = outline.statements(open + 1, outline.closing(*open));
            self.statements.extend(inner);
        }
        for statement in self.statements.clone() {
            if self.only_shows(statement) {
                self.shown[statement.first..=statement.last].fill(true);
            }
        }
        // Inner ones first.
        for at in (from..end).rev().filter(|at| outline.is_word(*at, "if")) {
            if let Some(last) = self.text_choice(at) {
                self.shown[at..=last].fill(true);
            }
        }
        let bytes = outline.bytes(from, end - 1);
        let lines = (self.line(bytes.start), self.line(bytes.end));
        for statement in self.statements.clone() {
            let is_whole = statement.first == from && statement.last + 1 == end;
            if (!is_whole || self.script.entry.is_none()) && self.can_be_left_out(statement) {
                let at = outline.bytes(statement.first, statement.last);
                let news = vec![String::new()];
                self.push(MutationKind::Statement, at, news, statement.first, lines);
            }
        }
        for at in from..end {
            if !self.shown[at] && !outline.in_text[at] {
                self.token(at, lines);
            }
        }
    }

    /// Whether a statement is a call that only shows a text.
    fn only_shows(&self, statement: StatementTokens) -> bool {
        let name = &self.outline.tokens[statement.first];
        name.kind == LexemeKind::Word
            && self.outline.is(statement.first + 1, "(")
            && only_shows_text(name.text)
    }

    /// The last token of an `if` that only chooses between texts for players.
    fn text_choice(&self, at: usize) -> Option<usize> {
        let outline = self.outline;
        let mut close = None;
        let mut has_text = false;
        let mut next = outline.block_after(at + 1).filter(|open| *open > at + 1);
        while let Some(open) = next {
            let end = outline.closing(open);
            let inner = outline.statements(open + 1, end);
            let is_text =
                |own: &StatementTokens| self.shown[own.first] || own.is_value && self.is_text(*own);
            if !inner.iter().all(is_text) {
                return None;
            }
            let is_sentence = |own: &StatementTokens| {
                self.shown[own.first] || self.outline.tokens[own.first].text.contains([' ', '`'])
            };
            has_text |= inner.iter().any(is_sentence);
            close = Some(end);
            next = None;
            if outline.is_word(end + 1, "else") {
                let condition = usize::from(outline.is_word(end + 2, "if"));
                next = outline.block_after(end + 2 + condition);
            }
        }
        close.filter(|_| has_text)
    }

    /// Whether an expression is a text, and nothing else.
    fn is_text(&self, own: StatementTokens) -> bool {
        let first = self.outline.tokens[own.first];
        let is_quoted = own.first == own.last && first.kind == LexemeKind::Text;
        is_quoted || first.text.starts_with('`')
    }

    fn can_be_left_out(&self, statement: StatementTokens) -> bool {
        let starts = |word| self.outline.is_word(statement.first, word);
        let is_empty = self.outline.is(statement.first, ";");
        !statement.is_value
            && !is_empty
            && !self.shown[statement.first]
            && !self.outline.in_text[statement.first]
            && !["let", "const", "fn"].into_iter().any(starts)
    }

    fn push(
        &mut self,
        kind: MutationKind,
        at: std::ops::Range<usize>,
        news: Vec<String>,
        token: usize,
        script: (u32, u32),
    ) {
        let holds = |own: &&StatementTokens| (own.first..=own.last).contains(&token);
        let around = self.statements.iter().filter(holds);
        let innermost = around.min_by_key(|own| own.last - own.first);
        let start = self.script.start;
        let statement = innermost.map(|own| start + self.outline.tokens[own.first].start);
        let line = self.line(self.outline.tokens[token].start);
        self.out.push(MutationSite {
            kind,
            file: self.script.file,
            at: start + at.start..start + at.end,
            news,
            reach: Reach::Line { line, script },
            entry: self.script.entry.map(str::to_owned),
            statement,
        });
    }

    fn token(&mut self, at: usize, lines: (u32, u32)) {
        let outline = self.outline;
        let token = outline.tokens[at];
        let own = token.start..token.end();
        let follows_value = self.follows_value(at);
        let mut replace = |kind, news: &[&str]| {
            let news = news.iter().map(|new| (*new).to_owned()).collect();
            self.push(kind, own.clone(), news, at, lines);
        };
        let near_number = (token.kind == LexemeKind::Other)
            .then(|| token.text.parse().ok().map(near))
            .flatten();
        match (token.kind, token.text) {
            (LexemeKind::Punct, "||") if !follows_value => {}
            (LexemeKind::Punct, "==") => replace(MutationKind::Comparison, &["!="]),
            (LexemeKind::Punct, "!=") => replace(MutationKind::Comparison, &["=="]),
            (LexemeKind::Punct, "<") => replace(MutationKind::Comparison, &["<=", ">="]),
            (LexemeKind::Punct, "<=") => replace(MutationKind::Comparison, &["<", ">"]),
            (LexemeKind::Punct, ">") => replace(MutationKind::Comparison, &[">=", "<="]),
            (LexemeKind::Punct, ">=") => replace(MutationKind::Comparison, &[">", "<"]),
            (LexemeKind::Punct, "&&") => replace(MutationKind::Connective, &["||"]),
            (LexemeKind::Punct, "||") => replace(MutationKind::Connective, &["&&"]),
            (LexemeKind::Punct, "!") => replace(MutationKind::Negation, &[""]),
            (LexemeKind::Word, "true") => replace(MutationKind::Boolean, &["false"]),
            (LexemeKind::Word, "false") => replace(MutationKind::Boolean, &["true"]),
            (LexemeKind::Word, "if") => self.branches(at, lines),
            (LexemeKind::Other, _) => {
                if let Some(news) = near_number {
                    self.push(MutationKind::Number, own, news, at, lines);
                }
            }
            _ => {}
        }
    }

    /// Whether a token follows a value, so that `||` is an operator and not an empty list of
    /// parameters.
    fn follows_value(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map(|at| self.outline.tokens[at]);
        before.is_some_and(|before| {
            before.kind != LexemeKind::Punct || matches!(before.text, ")" | "]" | "}")
        })
    }

    /// Swaps the branches of an `if`, or negates its condition if it has no `else` block.
    fn branches(&mut self, at: usize, lines: (u32, u32)) {
        let outline = self.outline;
        let Some(open) = outline.block_after(at + 1).filter(|open| *open > at + 1) else {
            return;
        };
        let close = outline.closing(open);
        let text = self.script.text;
        if outline.is_word(close + 1, "else") && outline.is(close + 2, "{") {
            let (then, other) = (
                outline.bytes(open, close),
                outline.bytes(close + 2, outline.closing(close + 2)),
            );
            let between = &text[then.end..other.start];
            let new = format!("{}{between}{}", &text[other.clone()], &text[then.clone()]);
            let news = vec![new];
            self.push(
                MutationKind::Branches,
                then.start..other.end,
                news,
                at,
                lines,
            );
        } else if !outline.is(at + 1, "!") {
            let condition = outline.bytes(at + 1, open - 1);
            let news = vec![format!("!({})", &text[condition.clone()])];
            self.push(MutationKind::Negation, condition, news, at, lines);
        }
    }
}

/// The numbers next to a number.
pub(super) fn near(number: i64) -> Vec<String> {
    let below = number.checked_sub(1).filter(|_| number > 0);
    let all = number.checked_add(1).into_iter().chain(below);
    all.map(|near| near.to_string()).collect()
}
