//! Statements and operators as other languages write them.

use super::loose_tokens::{LooseKind, LooseToken, closer};
use super::syntax_help::{LooseScript, SyntaxHint};

/// Words that other languages write before a function or a variable.
const MODIFIERS: &[&str] = &[
    "public",
    "pub",
    "static",
    "export",
    "async",
    "protected",
    "final",
    "override",
    "void",
];

impl<'t> LooseScript<'_, 't> {
    /// Help for a word of a statement that looks like one of another language.
    pub(super) fn foreign_statement(&self, ix: usize, token: LooseToken<'t>) -> Option<SyntaxHint> {
        let next = self.get(ix + 1);
        match token.text {
            "loop" if next != "{" && next != "=" && !self.is_after_dot(ix) => {
                Some(self.counted_loop(ix, token))
            }
            "else" if !matches!(next, "if" | "{") && self.is_before_block(ix) => {
                let help = "an `else` has no condition: write `else if … {`, or only `else {`";
                Some(SyntaxHint::new(
                    token.range(),
                    "a condition after `else`",
                    help,
                ))
            }
            "for" if self.get(ix + 2) == "in" && self.is_number(ix + 3) => {
                (self.get(ix + 4) == "{").then(|| self.loop_over_number(ix))
            }
            "let" | "const" if self.get(ix + 2) == "," && self.is_name(ix + 3) => {
                let help = format!(
                    "declare one variable in each statement: `let {next} = …; let {} = …;`",
                    self.get(ix + 3)
                );
                let hint = SyntaxHint::new(token.range(), "several variables in one `let`", help);
                Some(hint)
            }
            "let" | "const" if matches!(next, "(" | "[" | "#{" | "{") => {
                let help = "declare each variable in a statement of its own: `let a = list[0];`";
                let hint = SyntaxHint::new(token.range(), "several variables in one `let`", help);
                Some(hint)
            }
            word if MODIFIERS.contains(&word) && matches!(next, "fn" | "let" | "function") => {
                let help = format!("leave out `{word}`: every script of the pack sees a function");
                let message = format!("`{word}` is not part of the language");
                Some(SyntaxHint::new(token.range(), message, help))
            }
            "this" | "self" if !self.is_after_dot(ix) => Some(receiver(token)),
            _ => None,
        }
    }

    /// Two values next to each other, one of them a text: a `+` is missing.
    pub(super) fn missing_plus(&self, ix: usize, token: LooseToken<'t>) -> Option<SyntaxHint> {
        let next = self.token(ix + 1)?;
        let is_text = |token: &LooseToken| token.kind == LooseKind::Text;
        let is_value = |token: &LooseToken| {
            is_text(token) || token.kind == LooseKind::Number || is_plain_name(token)
        };
        let is_line = !self.text[token.end()..next.start].contains('\n');
        let inside = self.opened_by(ix) == Some("(") || self.is_assigned(ix);
        let adjacent = token.ends_value() && is_value(next) && (is_text(&token) || is_text(next));
        let known = is_value(&token) || token.text == ")";
        (adjacent && known && is_line && inside).then(|| {
            let help = "join texts and values with `+`, or put the values into a text in backticks: `Only ${price} coins`; between two arguments, write a comma";
            SyntaxHint::new(next.range(), "`+` is missing", help).label("before this")
        })
    }

    /// An operator of two characters with a space between them: `> =`.
    pub(super) fn spaced_operator(&self, ix: usize, token: LooseToken<'t>) -> Option<SyntaxHint> {
        let before = self.before(ix)?;
        let joined = format!("{}{}", before.text, token.text);
        let is_operator = matches!(
            joined.as_str(),
            ">=" | "<=" | "!=" | "==" | "+=" | "-=" | "*=" | "/=" | "&&" | "||"
        );
        let is_sign = before.kind == LooseKind::Sign && token.kind == LooseKind::Sign;
        (is_sign && is_operator && before.end() < token.start).then(|| {
            let help = format!("write `{joined}` without a space");
            SyntaxHint::new(before.start..token.end(), "a space in an operator", help)
        })
    }

    /// A word such as `end` alone in its line, in place of a closing brace.
    pub(super) fn closing_word(&self, from: usize) -> Option<SyntaxHint> {
        let rest = (from..self.len()).filter_map(|ix| self.token(ix));
        let is_end = |token: &&LooseToken| {
            let line = self.text[..token.start].rsplit('\n').next();
            let after = self.text[token.end()..].split('\n').next();
            let alone = line.is_some_and(|line| line.trim().is_empty())
                && after.is_some_and(|after| after.trim_matches([' ', ';', '\r']).is_empty());
            alone
                && matches!(
                    token.text,
                    "end" | "endif" | "endwhile" | "endfor" | "fi" | "done"
                )
        };
        let mut words = rest.filter(|token| token.is_word());
        let token = words.find(is_end)?;
        let message = format!("`{}` is not part of the language", token.text);
        Some(SyntaxHint::new(token.range(), message, "write `}`"))
    }

    /// The statement that changes a property of what a call returns: `seat(1).coins = 4`.
    pub(super) fn change_of_call(&self, near: usize) -> String {
        let fallback = "assign it to a variable first: `let who = seat(1); who.coins = 3;`";
        let assigned = (0..=near.min(self.len()))
            .rev()
            .chain(near..self.len())
            .find(|ix| matches!(self.get(*ix), "=" | "+=" | "-=" | "*=" | "/="));
        let Some(sign) = assigned.filter(|sign| *sign >= 4) else {
            return fallback.to_owned();
        };
        let start = (0..sign)
            .rev()
            .take_while(|ix| !matches!(self.get(*ix), ";" | "{" | "}"))
            .last();
        let (Some(first), Some(dot), Some(property)) = (
            start.and_then(|ix| self.token(ix)),
            self.token(sign - 2).filter(|dot| dot.text == "."),
            self.token(sign - 1),
        ) else {
            return fallback.to_owned();
        };
        let call = &self.text[first.start..dot.start];
        format!(
            "assign it to a variable first: `let who = {call}; who.{} {} …;`",
            property.text,
            self.get(sign)
        )
    }

    /// `loop 3 {`
    fn counted_loop(&self, ix: usize, token: LooseToken<'t>) -> SyntaxHint {
        let times = if self.is_number(ix + 1) {
            self.get(ix + 1)
        } else {
            "3"
        };
        let help =
            format!("write `for _ in 0..{times} {{ … }}`; `loop {{ … }}` runs until a `break`");
        SyntaxHint::new(token.range(), "a `loop` with a number", help)
    }

    /// `for i in 3 {`
    fn loop_over_number(&self, ix: usize) -> SyntaxHint {
        let (name, last) = (self.get(ix + 1), self.get(ix + 3));
        let help = format!("write `for {name} in 1..={last} {{`");
        let at = self.token(ix + 3).map_or(0..0, LooseToken::range);
        SyntaxHint::new(at, "a `for` loop over a number", help)
    }

    fn is_after_dot(&self, ix: usize) -> bool {
        self.before(ix)
            .is_some_and(|before| matches!(before.text, "." | "?."))
    }

    fn is_number(&self, ix: usize) -> bool {
        self.token(ix)
            .is_some_and(|token| token.kind == LooseKind::Number)
    }

    fn is_name(&self, ix: usize) -> bool {
        self.token(ix).is_some_and(LooseToken::is_word)
    }

    /// Whether a block opens in the line of a token.
    fn is_before_block(&self, ix: usize) -> bool {
        let line = self.token(ix).map_or("", |token| {
            self.text[token.end()..]
                .split('\n')
                .next()
                .unwrap_or_default()
        });
        line.trim_end().ends_with('{')
    }

    /// The innermost bracket around a token.
    fn opened_by(&self, ix: usize) -> Option<&'t str> {
        let mut depth = 0;
        for at in (0..ix).rev() {
            match self.get(at) {
                ")" | "]" | "}" => depth += 1,
                open if closer(open).is_some() && depth == 0 => return Some(open),
                open if closer(open).is_some() => depth -= 1,
                _ => {}
            }
        }
        None
    }

    /// Whether a token belongs to the value of an assignment.
    fn is_assigned(&self, ix: usize) -> bool {
        (0..ix)
            .rev()
            .take_while(|at| !matches!(self.get(*at), ";" | "{" | "}"))
            .any(|at| matches!(self.get(at), "=" | "+=" | "return"))
    }
}

/// Help for `this`, which scripts do not have.
fn receiver(token: LooseToken) -> SyntaxHint {
    let message = format!("`{}` is not part of the language", token.text);
    let help = "write `actor` for the acting seat, `it` for the piece or place of the script, or `entry` for what its file says";
    SyntaxHint::new(token.range(), message, help)
}

/// Whether a word is not a keyword.
fn is_plain_name(token: &LooseToken) -> bool {
    token.is_word() && !super::foreign_words::KEYWORDS.contains(&token.text)
}
