//! Habits from other languages that Rhai reports as something else, mostly as a missing semicolon.

use super::foreign_words::KEYWORDS;
use super::loose_tokens::{LooseKind, LooseToken, closer};
use super::syntax_help::{LooseScript, SyntaxHint};

/// Words that begin a statement of another language, and what to write instead.
const STATEMENTS: &[(&str, &str)] = &[
    ("match", "write `switch … { 1 => …, _ => … }`"),
    ("select", "write `switch … { 1 => …, _ => … }`"),
    ("case", "write `switch … { 1 => …, _ => … }`"),
    ("until", "write `while !(…) { … }`"),
    ("delete", "to remove a piece, write `piece.trash();`"),
    ("del", "to remove a piece, write `piece.trash();`"),
    (
        "await",
        "leave it out: a question waits for its answer by itself",
    ),
    ("yield", "write `return …;`"),
    ("goto", "write a function, and call it"),
    ("set", "leave it out: write `actor.coins = 3;`"),
    (
        "call",
        "leave it out: write the name and its arguments, as in `draw(actor, 2);`",
    ),
];

/// A character that cannot be part of a script, although it looks like one that can.
pub(super) fn lookalike(text: &str, offset: usize) -> Option<SyntaxHint> {
    let c = text.get(offset..)?.chars().next()?;
    if c.is_ascii() || !(c.is_whitespace() || matches!(c, '\u{200b}' | '\u{feff}')) {
        return None;
    }
    let help = "delete it and type a plain space; copied text often contains such characters";
    let hint = SyntaxHint::new(offset..offset + c.len_utf8(), "not a plain space", help);
    Some(hint)
}

impl<'t> LooseScript<'_, 't> {
    /// Help for a token that looks like a habit from another language.
    pub(super) fn habit(&self, ix: usize, token: LooseToken<'t>) -> Option<SyntaxHint> {
        match token.kind {
            LooseKind::Word => self.word_habit(ix, token),
            LooseKind::Sign => self.sign_habit(ix, token),
            _ => None,
        }
    }

    fn word_habit(&self, ix: usize, token: LooseToken<'t>) -> Option<SyntaxHint> {
        let (before, next) = (self.previous(ix), self.get(ix + 1));
        let is_word_next = self.is_name_at(ix + 1);
        let message = || format!("`{}` is not part of the language", token.text);
        if before == "." && KEYWORDS.contains(&token.text) {
            let help = format!("write `[\"{0}\"]` instead of `.{0}`", token.text);
            let message = format!("`{}` is a keyword", token.text);
            return Some(SyntaxHint::new(token.range(), message, help));
        }
        if token.text == "mut" && before == "let" {
            let help = "leave out `mut`: every variable can be changed";
            return Some(SyntaxHint::new(token.range(), message(), help));
        }
        if matches!(before, "let" | "const") && is_word_next && self.get(ix + 2) == "=" {
            let help = format!("a name has no spaces: write `{}_{next}`", token.text);
            let at = token.start..self.token(ix + 1)?.end();
            return Some(SyntaxHint::new(at, "a space in a name", help));
        }
        if token.text == "new" && is_word_next && !before.is_empty() && before != "." {
            let help = "to make a piece, write `create(\"its-id\", zone)`; a map is `#{ key: 1 }`";
            return Some(SyntaxHint::new(token.range(), message(), help));
        }
        if token.text == "lambda" && is_word_next {
            let help = format!("write a closure as `|{next}| …`");
            return Some(SyntaxHint::new(token.range(), message(), help));
        }
        let is_statement = self.begins_statement(ix);
        let has_operand = is_word_next || self.kind_at(ix + 1) == Some(LooseKind::Text);
        let found = STATEMENTS.iter().find(|(word, _)| *word == token.text);
        if let (Some((_, help)), true, true) = (found, is_statement, has_operand)
            && !self.is_switched(ix)
        {
            return Some(SyntaxHint::new(token.range(), message(), *help));
        }
        None
    }

    fn sign_habit(&self, ix: usize, token: LooseToken<'t>) -> Option<SyntaxHint> {
        let (before, next) = (self.previous(ix), self.get(ix + 1));
        let instead = |new: &str| {
            let message = format!("`{}` is not part of the language", token.text);
            Some(SyntaxHint::new(
                token.range(),
                message,
                format!("write `{new}`"),
            ))
        };
        match token.text {
            "=" if next == "!" && self.token(ix + 1)?.start == token.end() => {
                let at = token.start..self.token(ix + 1)?.end();
                let hint = SyntaxHint::new(at, "`=!` is not an operator", "write `!=`");
                self.is_in_condition(ix).then_some(hint)
            }
            "=>" if before == ")" && !self.is_switched(ix) => {
                let open = self.opening(ix - 1)?;
                let names = self.between(open + 1, ix - 1);
                let help = format!("write a closure as `|{names}| …`");
                Some(SyntaxHint::new(token.range(), "invalid closure", help))
            }
            "=>" if self.is_in_condition(ix) && !self.is_switched(ix) => instead(">="),
            "<" if next == "!" && self.get(ix + 2) == "--" => Some(comment(token)),
            "--" if self.begins_statement(ix) && self.is_name_at(ix + 1) => Some(comment(token)),
            "-" if self.is_declared_name(ix) => {
                let help = format!("a name has no `-`: write `{before}_{next}`");
                Some(SyntaxHint::new(token.range(), "a hyphen in a name", help))
            }
            ".." if matches!(self.get(ix + 2), "=" | "+=" | "-=") => {
                Some(SyntaxHint::new(token.range(), "two dots", "write one dot"))
            }
            ":" | "=" if self.is_argument_name(ix) => {
                let help = "write only the values, in the order of the parameters";
                let at = self.token(ix - 1)?.start..token.end();
                Some(SyntaxHint::new(at, "a named argument", help))
            }
            ":" if self.is_name_at(ix - 1) && self.get(ix + 2) == "(" && !self.is_switched(ix) => {
                let is_statement = self.begins_statement(ix - 1);
                is_statement.then(|| {
                    let help = format!("write a dot: `{before}.{next}(…)`");
                    SyntaxHint::new(token.range(), "a colon before a function", help)
                })
            }
            "," if self.is_list_in(ix, "(") || self.is_list_in(ix, "{") => {
                let help = "a list is in square brackets: `[1, 2]`";
                let hint = SyntaxHint::new(token.range(), "a list in other brackets", help);
                Some(hint)
            }
            "," if self.begins_statement(ix - 1) && self.get(ix + 2) == "=" => {
                Some(several_assignments(token))
            }
            "=" if self.is_second_assignment(ix) => Some(several_assignments(token)),
            "(" if self.is_cast(ix) => {
                let at = token.start..self.token(ix + 2)?.end();
                let help = "leave out the type; `parse_int(text)` turns a string into a number";
                Some(SyntaxHint::new(at, "a type before a value", help))
            }
            _ => None,
        }
    }

    fn previous(&self, ix: usize) -> &'t str {
        self.before(ix).map_or("", |token| token.text)
    }

    fn kind_at(&self, ix: usize) -> Option<LooseKind> {
        self.token(ix).map(|token| token.kind)
    }

    fn is_name_at(&self, ix: usize) -> bool {
        let token = self.token(ix);
        token.is_some_and(|token| token.is_word() && !KEYWORDS.contains(&token.text))
    }

    fn begins_statement(&self, ix: usize) -> bool {
        matches!(self.previous(ix), "" | ";" | "{" | "}")
    }

    /// Whether a token is in the cases of a `switch`.
    fn is_switched(&self, ix: usize) -> bool {
        let mut at = ix;
        while let Some(open) = self.innermost(at) {
            let statement = (0..open).rev();
            let mut statement =
                statement.take_while(|at| !matches!(self.get(*at), ";" | "{" | "}"));
            if self.get(open) == "{" && statement.any(|at| self.get(at) == "switch") {
                return true;
            }
            at = open;
        }
        false
    }

    fn is_in_condition(&self, ix: usize) -> bool {
        let statement = (0..ix).rev();
        let mut statement = statement.take_while(|at| !matches!(self.get(*at), ";" | "{" | "}"));
        statement.any(|at| matches!(self.get(at), "if" | "while"))
    }

    /// The position of the innermost bracket around a token.
    fn innermost(&self, ix: usize) -> Option<usize> {
        let mut depth = 0;
        for at in (0..ix).rev() {
            match self.get(at) {
                ")" | "]" | "}" => depth += 1,
                open if closer(open).is_some() && depth == 0 => return Some(at),
                open if closer(open).is_some() => depth -= 1,
                _ => {}
            }
        }
        None
    }

    /// The position of the bracket that a closing bracket belongs to.
    fn opening(&self, close: usize) -> Option<usize> {
        self.innermost(close)
    }

    /// The text of the tokens `from..to`.
    fn between(&self, from: usize, to: usize) -> &str {
        match (self.token(from), self.before(to)) {
            (Some(first), Some(last)) if from < to => &self.text[first.start..last.end()],
            _ => "",
        }
    }

    /// `let new-price = …`
    fn is_declared_name(&self, ix: usize) -> bool {
        let is_let = ix >= 2 && matches!(self.get(ix - 2), "let" | "const");
        is_let && self.is_name_at(ix + 1) && matches!(self.get(ix + 2), "=" | "-")
    }

    /// `draw(count: 2)`
    fn is_argument_name(&self, ix: usize) -> bool {
        if ix < 3 || !self.is_name_at(ix - 1) {
            return false;
        }
        let Some(open) = self.innermost(ix) else {
            return false;
        };
        let is_call = self.get(open) == "(" && open > 0 && self.is_name_at(open - 1);
        is_call && (open + 2 == ix || self.get(ix - 2) == ",")
    }

    /// `let list = (1, 2)`: a comma in brackets that begin a value.
    fn is_list_in(&self, ix: usize, bracket: &str) -> bool {
        let Some(open) = self.innermost(ix).filter(|at| self.get(*at) == bracket) else {
            return false;
        };
        matches!(self.previous(open), "=" | "in" | "return") && !self.is_in_condition(open)
            || self.previous(open) == "in"
    }

    /// `a = b = 3`
    fn is_second_assignment(&self, ix: usize) -> bool {
        let statement = (0..ix).rev();
        let mut statement =
            statement.take_while(|at| !matches!(self.get(*at), ";" | "{" | "}" | "(" | "#{" | "|"));
        statement.any(|at| self.get(at) == "=")
    }

    /// `(int) 3`
    fn is_cast(&self, ix: usize) -> bool {
        let is_type = matches!(
            self.get(ix + 1),
            "int" | "integer" | "string" | "str" | "number" | "bool" | "float"
        );
        let value = self.kind_at(ix + 3);
        is_type
            && self.get(ix + 2) == ")"
            && matches!(
                value,
                Some(LooseKind::Word | LooseKind::Number | LooseKind::Text)
            )
    }
}

fn comment(token: LooseToken) -> SyntaxHint {
    let help = "a comment begins with `//`";
    SyntaxHint::new(token.range(), "invalid comment", help)
}

fn several_assignments(token: LooseToken) -> SyntaxHint {
    let help = "assign one variable in each statement: `a = 3; b = 3;`";
    SyntaxHint::new(token.range(), "several variables in one statement", help)
}
