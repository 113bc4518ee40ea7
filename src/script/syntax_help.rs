//! What to write where Rhai's parser gives up: it looks at the tokens near the error.

use std::ops::Range;

use rhai::ParseError;

use super::foreign_habits::lookalike;
use super::foreign_words::{KEYWORDS, OPERATORS, foreign};
use super::loose_tokens::{BracketFault, LooseKind, LooseToken, bracket_fault, closer, tokens};

/// What is wrong in a script, and what to write instead.
#[derive(Debug)]
pub(super) struct SyntaxHint {
    pub at: Range<usize>,
    pub message: String,
    pub label: &'static str,
    pub help: String,
}

impl SyntaxHint {
    pub(super) fn new(
        at: Range<usize>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self {
            at,
            message: message.into(),
            label: "here",
            help: help.into(),
        }
    }

    pub(super) fn label(self, label: &'static str) -> Self {
        Self { label, ..self }
    }
}

/// The hint for a syntax error at a byte offset; `None` if only Rhai knows what is wrong.
pub(super) fn hint(error: &ParseError, text: &str, offset: usize) -> Option<SyntaxHint> {
    let all = tokens(text);
    let script = LooseScript { text, all: &all };
    let near = script.index_at(offset);
    lookalike(text, offset)
        .or_else(|| script.open_text(offset))
        .or_else(|| script.strange_quote(near))
        .or_else(|| script.near(near))
        .or_else(|| script.functions())
        .or_else(|| script.dangling_operator(near))
        .or_else(|| script.brackets())
        .or_else(|| script.by_type(error, near))
}

pub(super) struct LooseScript<'s, 't> {
    pub(super) text: &'t str,
    all: &'s [LooseToken<'t>],
}

impl<'t> LooseScript<'_, 't> {
    /// The index of the first token that ends after an offset.
    fn index_at(&self, offset: usize) -> usize {
        self.all
            .iter()
            .position(|token| token.end() > offset)
            .unwrap_or(self.all.len())
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    pub(super) fn get(&self, ix: usize) -> &'t str {
        self.all.get(ix).map_or("", |token| token.text)
    }

    pub(super) fn token(&self, ix: usize) -> Option<&LooseToken<'t>> {
        self.all.get(ix)
    }

    pub(super) fn before(&self, ix: usize) -> Option<&LooseToken<'t>> {
        self.all.get(ix.checked_sub(1)?)
    }

    fn is_word(&self, ix: usize) -> bool {
        self.token(ix).is_some_and(LooseToken::is_word)
    }

    /// A quote that is not closed, if it is not after the error.
    fn open_text(&self, offset: usize) -> Option<SyntaxHint> {
        let token = self
            .all
            .iter()
            .find(|token| token.kind == LooseKind::OpenText)?;
        if token.start > offset + 1 || token.text.starts_with('\'') {
            return None;
        }
        let at = token.start..token.start + 1;
        if token.text.starts_with('`') {
            let help = "close it with a backtick at the end of the text";
            return Some(SyntaxHint::new(at, "backtick is not closed", help).label("opened here"));
        }
        let after = &self.text[token.end()..];
        let line = after.trim_start().split('\n').next().unwrap_or_default();
        let help = if line.matches('"').count() % 2 == 1 {
            "close it with `\"` in the same line, or put text of several lines in backticks: `…`"
        } else {
            "close it with `\"` at the end of the text"
        };
        Some(SyntaxHint::new(at, "quote is not closed", help).label("opened here"))
    }

    /// Quotes of a word processor, or single quotes around a text.
    fn strange_quote(&self, near: usize) -> Option<SyntaxHint> {
        let from = near.saturating_sub(2);
        for token in self.all.iter().skip(from).take(4) {
            if token.text.contains(['“', '”', '„', '«', '»', '‘', '’']) {
                let help = "write straight double quotes: \"text\"";
                return Some(SyntaxHint::new(token.range(), "invalid quotes", help));
            }
            let single = token.text.starts_with('\'') && token.text.chars().count() != 3;
            if single && token.kind == LooseKind::Text {
                let inner = &token.text[1..token.text.len() - 1];
                let new = format!("\"{}\"", inner.replace('"', "\\\""));
                let help = format!("a text is in double quotes: {new}");
                let hint = SyntaxHint::new(token.range(), "text in single quotes", help);
                return Some(hint);
            }
        }
        None
    }

    /// A function definition that is not valid, wherever the error was noticed.
    fn functions(&self) -> Option<SyntaxHint> {
        let is_fn = |ix: &usize| self.get(*ix) == "fn" && self.is_word(*ix);
        (0..self.all.len())
            .filter(is_fn)
            .find_map(|ix| self.bad_function(ix))
    }

    /// Words and operators of other languages in the statement of the error.
    fn near(&self, near: usize) -> Option<SyntaxHint> {
        let last = (near + 1).min(self.all.len().saturating_sub(1));
        let mut ix = last;
        for _ in 0..16 {
            let is_end = ix + 1 < near && matches!(self.get(ix), ";" | "{" | "}");
            if is_end {
                break;
            }
            if let Some(found) = self.at(ix) {
                return Some(found);
            }
            ix = ix.checked_sub(1)?;
        }
        None
    }

    fn at(&self, ix: usize) -> Option<SyntaxHint> {
        let token = *self.token(ix)?;
        if let Some(found) = self
            .touching_text(ix, token)
            .or_else(|| self.habit(ix, token))
            .or_else(|| self.foreign_statement(ix, token))
            .or_else(|| self.spaced_operator(ix, token))
            .or_else(|| self.missing_plus(ix, token))
        {
            return Some(found);
        }
        match token.kind {
            LooseKind::Word => self.word(ix, token),
            LooseKind::Sign => self.sign(ix, token),
            LooseKind::Number => self.decimal(ix, token),
            _ => None,
        }
    }

    /// A word and a text without a space between them: `f"…"`, or quotes inside of a text.
    fn touching_text(&self, ix: usize, token: LooseToken<'t>) -> Option<SyntaxHint> {
        let next = *self.token(ix + 1)?;
        let is_quoted = |token: LooseToken| token.text.starts_with('"');
        if next.start != token.end() || !(is_quoted(token) || is_quoted(next)) {
            return None;
        }
        if token.is_word() && token.text.len() == 1 && next.kind == LooseKind::Text {
            let help = "to put values into a text, use backticks: `Only ${price}.`";
            return Some(SyntaxHint::new(
                token.range(),
                "a letter before a text",
                help,
            ));
        }
        let is_inside = token.kind == LooseKind::Text && next.is_word();
        is_inside.then(|| {
            let help = "put the whole text in backticks, or write `\\\"` for a quote inside of it";
            SyntaxHint::new(next.range(), "quotes inside of a text", help)
                .label("the text ends before this")
        })
    }

    /// Suggests another word or sign for a token.
    fn instead(token: LooseToken, new: &str) -> SyntaxHint {
        let message = format!("`{}` is not part of the language", token.text);
        SyntaxHint::new(token.range(), message, format!("write `{new}`"))
    }

    fn word(&self, ix: usize, token: LooseToken<'t>) -> Option<SyntaxHint> {
        let before = self.before(ix);
        if before.is_some_and(|before| matches!(before.text, "." | "?." | "let" | "const" | "fn")) {
            return self.reserved_name(ix, token);
        }
        let lower = token.text.to_lowercase();
        let after_value = before.is_some_and(LooseToken::ends_value);
        let next_is_value = self.token(ix + 1).is_some_and(|next| {
            next.kind != LooseKind::Sign || matches!(next.text, "(" | "[" | "!" | "-" | "`")
        });
        match lower.as_str() {
            "and" | "or" | "mod" | "div" | "equals" | "is" if after_value && next_is_value => {
                if lower == "is" && self.get(ix + 1) == "not" {
                    return Some(Self::instead(token, "!="));
                }
                Some(Self::instead(token, foreign(&lower)?))
            }
            "not" if !after_value && next_is_value => Some(Self::instead(token, "!")),
            "elif" | "elsif" | "elseif" | "function" | "func" | "fun" | "def" => {
                next_is_value.then(|| Self::instead(token, foreign(&lower).unwrap_or("fn")))
            }
            "var" | "local" | "dim" | "auto" | "int" | "integer" | "number" | "string" | "bool"
            | "float"
                if self.is_word(ix + 1) && !after_value =>
            {
                Some(Self::instead(token, "let"))
            }
            "foreach" | "for_each" => Some(self.for_loop(ix)),
            "each" if self.get(ix.wrapping_sub(1)) == "for" => Some(self.for_loop(ix - 1)),
            "for" => self.bad_for(ix),
            "fn" => self.bad_function(ix),
            "if" if after_value && self.is_on_line_of(ix) => {
                let help = "write the condition first: `if … { … }`";
                Some(SyntaxHint::new(
                    token.range(),
                    "a condition after a statement",
                    help,
                ))
            }
            "then" => {
                let help = "leave out `then`: write `if … { … }`";
                let hint =
                    SyntaxHint::new(token.range(), "`then` is not part of the language", help);
                Some(hint)
            }
            "case" | "default" if self.get(ix + 1) != ":" || self.is_in_switch(ix) => {
                let help = "write each case as `1 => …,`, and `_ => …,` for all others";
                self.is_in_switch(ix)
                    .then(|| SyntaxHint::new(token.range(), "invalid case of a `switch`", help))
            }
            "endif" | "endwhile" | "endfor" | "end" | "begin" if !after_value || next_is_value => {
                Some(Self::instead(token, foreign(&lower)?))
            }
            "repeat" => {
                let help = "write `for _ in 0..3 { … }`, or `while … { … }`";
                Some(SyntaxHint::new(
                    token.range(),
                    "`repeat` is not part of the language",
                    help,
                ))
            }
            "unless" => {
                let help = "write `if !(…) { … }`";
                Some(SyntaxHint::new(
                    token.range(),
                    "`unless` is not part of the language",
                    help,
                ))
            }
            "print" | "debug" | "eval" | "import" | "export" => Some(disabled(token, &lower)),
            // `If`, `LET`: a keyword with capital letters.
            lower if lower != token.text && KEYWORDS.contains(&lower) => {
                Some(Self::instead(token, lower))
            }
            _ => self.call_without_parentheses(ix, token),
        }
    }

    /// Whether a token is in the same line as the one before it.
    fn is_on_line_of(&self, ix: usize) -> bool {
        self.before(ix)
            .is_some_and(|before| !self.text[before.end()..self.all[ix].start].contains('\n'))
    }

    /// A keyword after `let`.
    fn reserved_name(&self, ix: usize, token: LooseToken<'t>) -> Option<SyntaxHint> {
        let declares = matches!(self.get(ix - 1), "let" | "const" | "fn");
        if declares && KEYWORDS.contains(&token.text) {
            let message = format!("`{}` is a keyword", token.text);
            return Some(SyntaxHint::new(
                token.range(),
                message,
                "choose another name",
            ));
        }
        if declares && self.get(ix + 1) == ":" && self.is_word(ix + 2) {
            let help = format!("leave out the type: `let {} = …`", token.text);
            let at = self.token(ix + 1)?.start..self.token(ix + 2)?.end();
            return Some(SyntaxHint::new(at.clone(), "a type after the name", help));
        }
        let has_no_parameters = self.get(ix - 1) == "fn" && self.get(ix + 1) == "{";
        has_no_parameters.then(|| {
            let help = format!("write `fn {}() {{`", token.text);
            SyntaxHint::new(token.range(), "a function without parameters", help)
        })
    }

    fn is_in_switch(&self, ix: usize) -> bool {
        let from = ix.saturating_sub(200);
        self.all[from..ix]
            .iter()
            .any(|token| token.text == "switch")
    }

    /// `say "text"` and `draw 2`.
    fn call_without_parentheses(&self, ix: usize, token: LooseToken<'t>) -> Option<SyntaxHint> {
        let next = *self.token(ix + 1)?;
        let begins = self.before(ix).is_none_or(|before| {
            matches!(before.text, ";" | "{" | "}" | ".") && before.kind == LooseKind::Sign
        });
        let is_argument = matches!(next.kind, LooseKind::Text | LooseKind::Number);
        if !begins || !is_argument || KEYWORDS.contains(&token.text) {
            return None;
        }
        let call = format!("{}({})", token.text, next.text);
        let hint = SyntaxHint::new(
            token.range(),
            "a call without parentheses",
            format!("write `{call}`"),
        );
        Some(hint)
    }

    /// What a loop looks like, with the names and numbers of a loop of another language.
    fn for_loop(&self, ix: usize) -> SyntaxHint {
        let at = self.all[ix].range();
        let words: Vec<&LooseToken> = self
            .all
            .iter()
            .skip(ix + 1)
            .take(24)
            .take_while(|token| token.text != "{")
            .filter(|token| {
                token.is_word() && !matches!(token.text, "let" | "var" | "int" | "each" | "const")
                    || token.kind == LooseKind::Number
                    || matches!(token.text, "<=" | "<")
            })
            .collect();
        let name = words
            .iter()
            .find(|token| token.is_word())
            .map_or("item", |token| token.text);
        let is_in = |ix: &usize| self.get(*ix) == "in" && !self.get(ix + 1).is_empty();
        let range = (ix + 1..ix + 6)
            .find(is_in)
            .filter(|_| self.get(ix + 1) == "(");
        let numbers: Vec<&str> = words
            .iter()
            .filter(|token| token.kind == LooseKind::Number)
            .map(|token| token.text)
            .collect();
        let is_exclusive = words.iter().any(|token| token.text == "<");
        let help = match &numbers[..] {
            [first, last, ..] if is_exclusive => {
                format!("write `for {name} in {first}..{last} {{`")
            }
            [first, last, ..] => format!("write `for {name} in {first}..={last} {{`"),
            _ => match range.and_then(|at| self.list_of_loop(at)) {
                Some(list) => format!("write `for {name} in {list} {{`, without parentheses"),
                None => {
                    format!("write `for {name} in … {{`, with a list or a range such as `1..=3`")
                }
            },
        };
        SyntaxHint::new(at, "invalid `for` loop", help)
    }

    /// What a loop in parentheses goes through: the text from `in` to the last parenthesis.
    fn list_of_loop(&self, at: usize) -> Option<&str> {
        let brace = (at..self.len()).find(|ix| self.get(*ix) == "{")?;
        let close = self.before(brace).filter(|close| close.text == ")")?;
        self.text
            .get(self.all[at].end()..close.start)
            .map(str::trim)
    }

    /// A function with types, or without its opening brace.
    fn bad_function(&self, ix: usize) -> Option<SyntaxHint> {
        let name = self.token(ix + 1).filter(|name| name.is_word())?;
        let rest = self.all.get(ix + 2..)?;
        let close = rest.iter().position(|token| token.text == ")")?;
        if let Some(colon) = rest[..close].iter().find(|token| token.text == ":") {
            let help = "leave out the types: write only the names of the parameters";
            return Some(SyntaxHint::new(
                colon.range(),
                "a type after a parameter",
                help,
            ));
        }
        let after = rest.get(close + 1).map_or("", |token| token.text);
        (rest[0].text == "(" && after != "{").then(|| {
            let help = "write `{` after the parameters, and `}` after the last statement";
            SyntaxHint::new(name.range(), "a function without braces", help)
        })
    }

    fn bad_for(&self, ix: usize) -> Option<SyntaxHint> {
        let (first, second) = (self.get(ix + 1), self.get(ix + 2));
        if self.is_word(ix + 1) && second == "of" {
            return Some(Self::instead(*self.token(ix + 2)?, "in"));
        }
        // `for (index, item) in list` is a loop with a counter.
        let with_counter = first == "(" && self.get(ix + 3) == ",";
        let is_bad =
            first == "(" && !with_counter || matches!(second, "=" | ":=") || first == "let";
        is_bad.then(|| self.for_loop(ix))
    }

    fn sign(&self, ix: usize, token: LooseToken<'t>) -> Option<SyntaxHint> {
        if token.text == "->" && self.is_in_switch(ix) {
            return Some(Self::instead(token, "=>"));
        }
        let next = self.get(ix + 1);
        if matches!(token.text, "&" | "|") && next == token.text {
            let help = format!("write `{next}{next}` without a space");
            return Some(SyntaxHint::new(
                token.range(),
                "a space in an operator",
                help,
            ));
        }
        let is_text = self
            .token(ix + 1)
            .is_some_and(|next| next.kind == LooseKind::Text);
        if token.text == "." && is_text {
            let help = "join texts with `+`, or put values into a text in backticks";
            return Some(SyntaxHint::new(token.range(), "a dot before a text", help));
        }
        if token.text == "==" && matches!(self.get(ix.wrapping_sub(2)), "let" | "const") {
            return Some(Self::instead(token, "="));
        }
        if let Some((_, new)) = OPERATORS.iter().find(|(old, _)| *old == token.text) {
            return Some(Self::instead(token, new));
        }
        match token.text {
            "++" | "--" => {
                let sign = &token.text[..1];
                let name = self.chain_before(ix);
                let of = name.map_or("x", |at| &self.text[at..self.all[ix - 1].end()]);
                let message = format!("`{}` is not an operator", token.text);
                let new = format!("{of} {sign}= 1");
                Some(SyntaxHint::new(
                    token.range(),
                    message,
                    format!("write `{new}`"),
                ))
            }
            "=" if self.is_condition(ix) => {
                let hint = SyntaxHint::new(
                    token.range(),
                    "an assignment in a condition",
                    "to compare, write `==`",
                );
                Some(hint)
            }
            "#" => {
                let help = "a comment begins with `//`";
                let hint = SyntaxHint::new(token.range(), "invalid comment", help);
                Some(hint)
            }
            "?" => Some(self.ternary(ix, token)),
            "=>" if self.is_word(ix.wrapping_sub(1)) && !self.is_in_switch(ix) => {
                let name = self.get(ix - 1);
                let help = format!("write a closure as `|{name}| …`");
                Some(SyntaxHint::new(token.range(), "invalid closure", help))
            }
            "=>" if !self.is_in_switch(ix) && self.is_condition(ix) => {
                Some(Self::instead(token, ">="))
            }
            ":" => self.colon(ix, token),
            "," if matches!(self.get(ix.wrapping_sub(2)), "let" | "const") => {
                self.foreign_statement(ix - 2, *self.token(ix - 2)?)
            }
            "," if self.is_statement(ix) => {
                let help = "a statement ends with `;`";
                let hint = SyntaxHint::new(token.range(), "comma after a statement", help);
                Some(hint)
            }
            _ => None,
        }
    }

    /// The start of a name with its dots, as in `actor.coins`, that ends before a token.
    fn chain_before(&self, ix: usize) -> Option<usize> {
        let mut first = ix.checked_sub(1).filter(|ix| self.is_word(*ix))?;
        while first >= 2 && self.get(first - 1) == "." && self.is_word(first - 2) {
            first -= 2;
        }
        Some(self.all[first].start)
    }

    /// Whether a token belongs to the condition of an `if` or `while`.
    fn is_condition(&self, ix: usize) -> bool {
        self.all[..ix]
            .iter()
            .rev()
            .take(24)
            .take_while(|token| !matches!(token.text, ";" | "{" | "}"))
            .any(|token| token.is_word() && matches!(token.text, "if" | "while" | "elif"))
    }

    /// Whether a token is not inside of brackets, and its statement has an assignment.
    fn is_statement(&self, ix: usize) -> bool {
        let mut depth = 0_i32;
        for token in self.all[..ix].iter().rev().take(60) {
            match token.text {
                ")" | "]" => depth += 1,
                "(" | "[" | "#{" => depth -= 1,
                ";" | "{" | "}" => return false,
                "let" | "=" | "+=" | "-=" if depth == 0 => return true,
                _ => {}
            }
            if depth < 0 {
                return false;
            }
        }
        false
    }

    fn ternary(&self, ix: usize, token: LooseToken<'t>) -> SyntaxHint {
        let from = self.all[..ix]
            .iter()
            .rposition(|token| matches!(token.text, "=" | "(" | "," | ";" | "{" | "return" | "+="))
            .map_or(0, |found| found + 1);
        let colon = self.all[ix..].iter().position(|token| token.text == ":");
        let until = self.all[ix..]
            .iter()
            .position(|token| matches!(token.text, ";" | "," | ")" | "}"));
        let part = |from: usize, to: usize| match (self.token(from), self.before(to)) {
            (Some(first), Some(last)) if from < to => &self.text[first.start..last.end()],
            _ => "…",
        };
        let (mut yes, mut no) = ("…", "…");
        if let (Some(colon), Some(until)) = (colon, until)
            && colon < until
        {
            yes = part(ix + 1, ix + colon);
            no = part(ix + colon + 1, ix + until);
        }
        let new = format!("if {} {{ {yes} }} else {{ {no} }}", part(from, ix));
        SyntaxHint::new(
            token.range(),
            "`?` is not an operator",
            format!("write `{new}`"),
        )
    }

    fn colon(&self, ix: usize, token: LooseToken<'t>) -> Option<SyntaxHint> {
        // `{ key: value }` where a value is expected: a map without its hash.
        let brace = ix.checked_sub(2).map(|brace| self.all[brace]);
        if let Some(brace) = brace
            && brace.text == "{"
        {
            let before = self.before(ix - 2).map_or("", |before| before.text);
            if matches!(before, "(" | "," | "=" | "[" | ":" | "return" | "=>") {
                let help = "a map begins with `#{`: write `#{ key: value }`";
                let hint = SyntaxHint::new(brace.range(), "a map without `#`", help);
                return Some(hint);
            }
        }
        let line = self.text[..token.start]
            .rfind('\n')
            .map_or(0, |found| found + 1);
        let first = self.all.iter().find(|token| token.start >= line)?;
        let opens = [
            "if", "else", "elif", "while", "for", "def", "fn", "}", "loop",
        ];
        let ends_line = self.text[token.end()..]
            .trim_start_matches(' ')
            .starts_with(['\n', '{']);
        if opens.contains(&first.text) && ends_line {
            let help = "write `{` instead of `:`, and `}` after the last statement of the block";
            return Some(SyntaxHint::new(
                token.range(),
                "a colon instead of a block",
                help,
            ));
        }
        if self.is_in_switch(ix) && !self.all[..ix].iter().rev().take(6).any(|t| t.text == "#{") {
            let help = "write each case as `1 => …,`, and `_ => …,` for all others";
            return Some(SyntaxHint::new(
                token.range(),
                "invalid case of a `switch`",
                help,
            ));
        }
        None
    }

    /// `1.5`
    fn decimal(&self, ix: usize, token: LooseToken<'t>) -> Option<SyntaxHint> {
        let dot = self
            .token(ix + 1)
            .filter(|dot| dot.text == "." && dot.start == token.end())?;
        let rest = self
            .token(ix + 2)
            .filter(|rest| rest.kind == LooseKind::Number && rest.start == dot.end())?;
        let help = "scripts use whole numbers only: multiply first, then divide, as in `x * 3 / 2`";
        Some(SyntaxHint::new(
            token.start..rest.end(),
            "a decimal number",
            help,
        ))
    }

    /// An operator without a value after it, before the error.
    fn dangling_operator(&self, near: usize) -> Option<SyntaxHint> {
        let upto = (near + 1).min(self.all.len());
        for (ix, token) in self.all[..upto].iter().enumerate().rev() {
            let is_binary = token.kind == LooseKind::Sign
                && matches!(
                    token.text,
                    "==" | "!="
                        | "<"
                        | ">"
                        | "<="
                        | ">="
                        | "&&"
                        | "+"
                        | "*"
                        | "/"
                        | "="
                        | "+="
                        | "-="
                        | "-"
                        | "%"
                );
            let next = self.get(ix + 1);
            let compares = matches!(token.text, "==" | "!=" | "<" | ">" | "<=" | ">=" | "&&");
            let ends = matches!(next, ")" | ";" | "]" | "}" | ",") || compares && next == "{";
            let is_sign = self
                .token(ix + 1)
                .is_none_or(|next| next.kind == LooseKind::Sign);
            if is_binary && is_sign && (ends || next.is_empty()) {
                let help = format!("write a value after `{}`", token.text);
                return Some(SyntaxHint::new(
                    token.range(),
                    "an operator without a value",
                    help,
                ));
            }
        }
        None
    }

    fn brackets(&self) -> Option<SyntaxHint> {
        match bracket_fault(self.text, self.all)? {
            BracketFault::Unclosed(ix) => {
                if let Some(found) = self.closing_word(ix) {
                    return Some(found);
                }
                let token = self.all[ix];
                let close = closer(token.text).unwrap_or("}");
                let message = format!("`{}` is not closed", token.text);
                let hint =
                    SyntaxHint::new(token.range(), message, format!("close it with `{close}`"));
                Some(hint.label("opened here"))
            }
            BracketFault::Extra(ix) => {
                let token = self.all[ix];
                let message = format!("`{}` closes nothing", token.text);
                let help = format!("remove `{}`, or open a bracket before it", token.text);
                Some(SyntaxHint::new(token.range(), message, help))
            }
        }
    }
}

/// A word of Rhai that scripts may not use.
fn disabled(token: LooseToken, word: &str) -> SyntaxHint {
    let help = match word {
        "print" | "debug" => "to show a line in the log, write `say(\"…\")`",
        "eval" => "write the code itself",
        _ => "functions in the `.rhai` files of a pack are visible without it",
    };
    SyntaxHint::new(token.range(), format!("`{word}` cannot be used"), help)
}
