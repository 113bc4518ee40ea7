//! Migrates scripts: functions, methods, properties, keys of maps, and hook variables.

use super::scope::PackNames;
use super::table::{Area, Hook, Rename, rows};
use super::{Rewrite, Rewrites};
use crate::lexer::{ASSIGNMENT_OPERATORS, Lexeme, LexemeKind, tokens};

/// Functions whose argument is a kind.
const OF_KINDS: &[&str] = &["entries", "create_all"];

/// Migrates the script of a hook.
pub(super) fn script(text: &str, hook: Hook, version: u32, scope: &PackNames, out: &mut Rewrites) {
    let tokens = tokens(text);
    let script = ScriptRewriter::new(&tokens, version, scope);
    script.names(out);
    script.rename_hook_variable(hook, 0..tokens.len(), out);
}

/// Migrates a function file. A function that a hook calls by name has the hook's variable as a
/// parameter.
pub(super) fn library(text: &str, version: u32, scope: &PackNames, out: &mut Rewrites) {
    let tokens = tokens(text);
    let script = ScriptRewriter::new(&tokens, version, scope);
    script.names(out);
    for (at, token) in tokens.iter().enumerate() {
        let Some(name) = tokens.get(at + 1).filter(|_| token.is_word("fn")) else {
            continue;
        };
        let hooks = scope.hooks_of(name.text);
        let body = script.function(at);
        match hooks {
            [] | [Hook::Action] => {}
            [hook] => script.rename_hook_variable(*hook, body, out),
            _ if script.mentions_hook_variable(&body) => out.note(
                name.start,
                format!(
                    "`{}` is called by hooks with different variables: write one function for each",
                    name.text
                ),
            ),
            _ => {}
        }
    }
}

struct ScriptRewriter<'t> {
    tokens: &'t [Lexeme<'t>],
    scope: &'t PackNames,
    rows: Vec<&'static Rename>,
}

impl<'t> ScriptRewriter<'t> {
    fn new(tokens: &'t [Lexeme<'t>], version: u32, scope: &'t PackNames) -> Self {
        let rows = rows(version).collect();
        Self {
            tokens,
            scope,
            rows,
        }
    }

    fn get(&self, at: usize) -> Option<&Lexeme<'_>> {
        self.tokens.get(at)
    }

    fn before(&self, at: usize) -> Option<&Lexeme<'_>> {
        at.checked_sub(1).and_then(|at| self.get(at))
    }

    fn is_behind_dot(&self, at: usize) -> bool {
        self.before(at)
            .is_some_and(|before| before.is(".") || before.is("?."))
    }

    /// Whether a token is the key of a map.
    fn is_key(&self, at: usize) -> bool {
        self.get(at + 1).is_some_and(|next| next.is(":"))
            && self
                .before(at)
                .is_some_and(|before| before.is("#{") || before.is(","))
    }

    /// The position of the closing bracket.
    fn closing(&self, open: usize) -> usize {
        let mut depth = 0_usize;
        for (at, token) in self.tokens.iter().enumerate().skip(open) {
            if token.kind != LexemeKind::Punct {
                continue;
            }
            match token.text {
                "(" | "[" | "?[" | "{" | "#{" | "${" => depth += 1,
                ")" | "]" | "}" => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return at;
                    }
                }
                _ => {}
            }
        }
        self.tokens.len()
    }

    /// The nesting depth of each token inside a bracket; 1 for its direct contents.
    fn depths(&self, open: usize) -> Vec<(usize, usize)> {
        let (end, mut depth) = (self.closing(open), 0_usize);
        let mut out = Vec::new();
        for (at, token) in self.tokens.iter().enumerate().take(end).skip(open) {
            let sign = token.kind == LexemeKind::Punct;
            if sign && matches!(token.text, ")" | "]" | "}") {
                depth = depth.saturating_sub(1);
            }
            out.push((at, depth));
            if sign && matches!(token.text, "(" | "[" | "?[" | "{" | "#{" | "${") {
                depth += 1;
            }
        }
        out
    }

    /// The number of arguments of the call with this opening bracket.
    fn arguments(&self, open: usize) -> usize {
        let inside = self.depths(open);
        if inside.len() <= 1 {
            return 0;
        }
        // In `|a, b| …` the comma separates parameters.
        let mut in_bars = false;
        let mut commas = 0;
        for (at, depth) in &inside {
            let token = &self.tokens[*at];
            if *depth != 1 {
                continue;
            }
            if token.is("|") {
                let begins = self
                    .before(*at)
                    .is_some_and(|before| before.is("(") || before.is(","));
                in_bars = if in_bars { false } else { begins };
            }
            let last = inside.last().is_some_and(|(end, _)| end == at);
            commas += usize::from(token.is(",") && !in_bars && !last);
        }
        commas + 1
    }

    /// Renames everything except hook variables.
    fn names(&self, out: &mut Rewrites) {
        for (at, token) in self.tokens.iter().enumerate() {
            if token.kind == LexemeKind::Word {
                self.word(at, token, out);
            }
        }
    }

    fn word(&self, at: usize, token: &Lexeme<'_>, out: &mut Rewrites) {
        let called = self.get(at + 1).is_some_and(|next| next.is("("));
        let defined = self.before(at).is_some_and(|before| before.is_word("fn"));
        if called && !defined {
            self.call(at, token, out);
        } else if self.is_behind_dot(at) {
            self.property(at, token, out);
        } else if self.is_key(at) {
            for row in self.rows.iter().filter(|row| row.of == Area::OptionKey) {
                if row.old == token.text {
                    out.rename(token.start, row.old, row.new);
                }
            }
        } else if token.text == "switch" {
            self.switch(at, out);
        }
        if matches!(token.text, "pass") {
            self.compared(at, out);
        }
    }

    fn call(&self, at: usize, token: &Lexeme<'_>, out: &mut Rewrites) {
        let open = at + 1;
        let arguments = self.arguments(open) + usize::from(self.is_behind_dot(at));
        for row in self.rows.iter().filter(|row| row.old == token.text) {
            match row.of {
                Area::Function(takes) if takes == arguments => {
                    out.rename(token.start, row.old, row.new);
                }
                Area::ById(place) if arguments == 1 => self.by_id(at, row, place, out),
                _ => {}
            }
        }
        let argument = self.get(open + 1);
        match token.text {
            "Fn" => self.renamed_text(argument, out, |row| matches!(row.of, Area::Function(_))),
            "resolve" => {
                for (at, _) in self.depths(open) {
                    self.renamed_text(self.get(at), out, |row| row.of == Area::Pass);
                }
            }
            "run_sequence" => {
                for (at, depth) in self.depths(open) {
                    let direct = depth == 2 && self.is_key(at);
                    for row in self.rows.iter().filter(|row| row.of == Area::SequenceKey) {
                        if direct && self.tokens[at].is_word(row.old) {
                            out.rename(self.tokens[at].start, row.old, row.new);
                        }
                    }
                }
            }
            name if OF_KINDS.contains(&name) => {
                self.renamed_text(argument, out, |row| row.of == Area::Kind);
            }
            _ => {}
        }
    }

    /// Renames a function that takes the id of a piece or a place. There is now a function for
    /// each.
    fn by_id(&self, at: usize, row: &Rename, place: &str, out: &mut Rewrites) {
        let token = &self.tokens[at];
        let id = self.get(at + 2).and_then(Lexeme::quoted);
        let literal = id.filter(|_| self.get(at + 3).is_some_and(|next| next.is(")")));
        match literal.map(|id| self.scope.is_place(id)) {
            Some(Some(true)) => out.rename(token.start, row.old, place),
            Some(Some(false)) => out.rename(token.start, row.old, row.new),
            // No packs were loaded: decide at run time.
            Some(None) => {
                let id = literal.unwrap_or_default();
                let is_place = format!("places().some(|place| place.id == \"{id}\")");
                let call = format!("(if {is_place} {{ {place}(\"{id}\") }} else {{ {}", row.new);
                out.rename(token.start, row.old, &call);
                let end = self.tokens[at + 3].end();
                out.insert(end, " })");
            }
            None => {
                out.rename(token.start, row.old, row.new);
                out.note(
                    token.start,
                    format!(
                        "`{}(…)` is now `{}(…)`; for the id of a place, write `{place}(…)`",
                        row.old, row.new
                    ),
                );
            }
        }
    }

    fn renamed_text(
        &self,
        token: Option<&Lexeme<'_>>,
        out: &mut Rewrites,
        fits: impl Fn(&Rename) -> bool,
    ) {
        let Some((token, held)) = token.and_then(|token| Some((token, token.quoted()?))) else {
            return;
        };
        for row in self.rows.iter().filter(|row| fits(row)) {
            if row.old == held {
                out.rename(token.start + 1, row.old, row.new);
            }
        }
    }

    /// Renames `x.len` or `x.told`, unless packs declare that name.
    fn property(&self, at: usize, token: &Lexeme<'_>, out: &mut Rewrites) {
        if let Some(row) = self.rows.iter().find(|row| row.of == Area::OptionKey)
            && row.old == token.text
            && !self.scope.has_own(token.text)
        {
            out.rename(token.start, row.old, row.new);
        }
        let assigned = self.get(at + 1).is_some_and(|next| {
            next.kind == LexemeKind::Punct && ASSIGNMENT_OPERATORS.contains(&next.text)
        });
        if self.scope.has_own(token.text) {
            return;
        }
        let renamed = |row: &&&Rename| {
            let is = matches!(row.of, Area::Method) || matches!(row.of, Area::Field([]));
            is && row.old == token.text
        };
        let is_key = |at: usize| self.tokens[at].is_word(token.text) && self.is_key(at);
        if let (Some(row), true) = (
            self.rows.iter().find(renamed),
            (0..self.tokens.len()).any(is_key),
        ) {
            let message = format!(
                "`.{}` is unchanged because a map has that key; elsewhere it is now `.{}`",
                row.old, row.new
            );
            out.note(token.start, message);
            return;
        }
        for row in self.rows.iter().filter(|row| row.old == token.text) {
            match row.of {
                Area::Method if !assigned => {
                    out.rename(token.start, row.old, row.new);
                }
                Area::Field([]) => {
                    out.rename(token.start, row.old, row.new);
                }
                _ => {}
            }
        }
    }

    /// Renames the string in `event.pass == "each"`, or with the sides swapped.
    fn compared(&self, at: usize, out: &mut Rewrites) {
        let compares = |token: Option<&Lexeme<'_>>| {
            token.is_some_and(|token| token.is("==") || token.is("!="))
        };
        if compares(self.get(at + 1)) {
            self.renamed_text(self.get(at + 2), out, |row| row.of == Area::Pass);
        }
        // The comparison starts at `event`, before the dot.
        let first = if self.is_behind_dot(at) {
            at.saturating_sub(2)
        } else {
            at
        };
        if first >= 2 && compares(self.get(first - 1)) {
            self.renamed_text(self.get(first - 2), out, |row| row.of == Area::Pass);
        }
    }

    /// Renames the strings in `switch event.pass { "each" => … }`.
    fn switch(&self, at: usize, out: &mut Rewrites) {
        let open = (at + 1..self.tokens.len()).find(|at| self.tokens[*at].is("{"));
        let Some(open) = open.filter(|open| self.tokens[open - 1].is_word("pass")) else {
            return;
        };
        for (at, depth) in self.depths(open) {
            let case = self
                .get(at + 1)
                .is_some_and(|next| next.is("=>") || next.is("|"));
            if depth == 1 && case {
                self.renamed_text(self.get(at), out, |row| row.of == Area::Pass);
            }
        }
    }

    /// The parameters and the body of the function at a position.
    fn function(&self, at: usize) -> std::ops::Range<usize> {
        let body = (at..self.tokens.len()).find(|at| self.tokens[*at].is("{"));
        at..body.map_or(at, |body| self.closing(body))
    }

    fn mentions_hook_variable(&self, part: &std::ops::Range<usize>) -> bool {
        let old = |row: &&&Rename| matches!(row.of, Area::HookVariable(_));
        self.rows
            .iter()
            .filter(old)
            .any(|row| part.clone().any(|at| self.is_variable(at, row.old)))
    }

    /// Whether a token is a variable with that name.
    fn is_variable(&self, at: usize, name: &str) -> bool {
        self.tokens[at].is_word(name) && !self.is_behind_dot(at) && !self.is_key(at)
    }

    /// Renames a hook variable in a part of the script.
    fn rename_hook_variable(&self, hook: Hook, part: std::ops::Range<usize>, out: &mut Rewrites) {
        for row in self
            .rows
            .iter()
            .filter(|row| row.of == Area::HookVariable(hook))
        {
            let places: Vec<usize> = part
                .clone()
                .filter(|at| self.is_variable(*at, row.old))
                .collect();
            let taken = part.clone().find(|at| self.is_variable(*at, row.new));
            let Some(first) = places.first() else {
                continue;
            };
            if let Some(taken) = taken {
                let message = format!(
                    "`{}` is `{}` since version {}, but the script already has a variable `{}`: rename that first",
                    row.old, row.new, row.version, row.new
                );
                out.note(self.tokens[taken.min(*first)].start, message);
                continue;
            }
            for at in places {
                out.rename(self.tokens[at].start, row.old, row.new);
            }
        }
    }
}

impl Rewrites {
    fn rename(&mut self, start: usize, old: &str, new: &str) {
        self.list.push(Rewrite {
            start,
            end: start + old.len(),
            new: new.to_owned(),
        });
    }

    fn insert(&mut self, at: usize, new: &str) {
        self.list.push(Rewrite {
            start: at,
            end: at,
            new: new.to_owned(),
        });
    }
}
