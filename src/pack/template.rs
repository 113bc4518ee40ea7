//! Templates: texts with placeholders `{field}`, `{field:one|many}` and `{?field}…{/}`, and `{{`
//! and `}}` for literal braces.
//!
//! A number is written once, in a field, and the text of a card refers to that field. If the number
//! is in a script, the text marks what it promises, so that a check can compare the two:
//! `{gain 2 coins}`, or `{3}` for a number alone.

use std::ops::Range;

/// Names that every template may use, because the engine provides them.
const BUILT_IN_NAMES: [&str; 6] = ["cost", "title", "place", "owner", "actor", "each"];

/// The maximum depth of nested `{?…}`.
const MAX_DEPTH: usize = 16;

/// A parsed template.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Template {
    segments: Vec<Segment>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Segment {
    Plain(String),
    Field(Placeholder),
    Plural {
        placeholder: Placeholder,
        singular: String,
        plural: String,
    },
    If {
        placeholder: Placeholder,
        then: Template,
    },
    Promise(Promise),
}

/// What a text promises: `{gain 2 coins}`, `{draw prize card|cards}`, or a number alone, `{3}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Promise {
    /// The words in order. A bare number is the only element.
    pub words: Vec<String>,
    /// The index of the number, or of the field that contains it.
    pub amount: usize,
    /// The range of bytes in the text, braces included.
    pub at: Range<usize>,
}

impl Promise {
    /// The number, if it is in the text itself.
    #[must_use]
    pub fn number(&self) -> Option<i64> {
        self.words[self.amount].parse().ok()
    }

    /// The field that contains the number, if it is not in the text.
    #[must_use]
    pub fn field(&self) -> Option<&str> {
        self.number()
            .is_none()
            .then_some(self.words[self.amount].as_str())
    }

    fn render(&self, lookup: &dyn Fn(&str) -> Option<String>) -> String {
        let amount = &self.words[self.amount];
        let amount = self
            .field()
            .and_then(lookup)
            .unwrap_or_else(|| amount.clone());
        let word = |(ix, word): (usize, &String)| match word.split_once('|') {
            _ if ix == self.amount => amount.clone(),
            Some((one, many)) => (if amount.trim() == "1" { one } else { many }).to_owned(),
            None => word.clone(),
        };
        self.words
            .iter()
            .enumerate()
            .map(word)
            .collect::<Vec<_>>()
            .join(" ")
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Placeholder {
    name: String,
    at: Range<usize>,
}

/// An error in a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateError {
    /// The range of bytes in the text.
    pub at: Range<usize>,
    /// From [`Template::parse`]: what is wrong, a semicolon, and what to do. From
    /// [`Template::check`]: the unknown field.
    pub message: String,
}

impl Template {
    /// Parses a template. Invalid parts are kept as text, and returned as errors.
    #[must_use]
    pub fn parse(text: &str) -> (Self, Vec<TemplateError>) {
        let mut parser = TemplateParser {
            text,
            at: 0,
            errors: Vec::new(),
        };
        let template = parser.segments(0);
        (template, parser.errors)
    }

    /// The unknown fields that the template names.
    #[must_use]
    pub fn check(&self, known: &dyn Fn(&str) -> bool) -> Vec<TemplateError> {
        let mut errors = Vec::new();
        self.each_placeholder(&mut |placeholder| {
            let first = placeholder.name.split('.').next().unwrap_or("");
            if BUILT_IN_NAMES.contains(&first) {
                return;
            }
            // If the first part is unknown, the rest of the path does not matter.
            let unknown = if known(first) {
                placeholder.name.as_str()
            } else {
                first
            };
            if !known(unknown) {
                errors.push(TemplateError {
                    at: placeholder.at.clone(),
                    message: unknown.to_owned(),
                });
            }
        });
        errors
    }

    /// Fills in the placeholders. Unknown placeholders are left unchanged.
    #[must_use]
    pub fn render(&self, lookup: &dyn Fn(&str) -> Option<String>) -> String {
        let mut out = String::new();
        self.render_into(&mut out, lookup);
        out
    }

    /// The fields that the template reads, in order, with repetitions.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        self.each_placeholder(&mut |placeholder| names.push(placeholder.name.clone()));
        names
    }

    /// What the text promises, in order.
    #[must_use]
    pub fn promises(&self) -> Vec<&Promise> {
        let mut all = Vec::new();
        for piece in &self.segments {
            match piece {
                Segment::Promise(promise) => all.push(promise),
                Segment::If { then, .. } => all.extend(then.promises()),
                Segment::Plain(_) | Segment::Field(_) | Segment::Plural { .. } => {}
            }
        }
        all
    }

    fn render_into(&self, out: &mut String, lookup: &dyn Fn(&str) -> Option<String>) {
        for piece in &self.segments {
            match piece {
                Segment::Plain(text) => out.push_str(text),
                Segment::Promise(promise) => out.push_str(&promise.render(lookup)),
                Segment::Field(placeholder) => match lookup(&placeholder.name) {
                    Some(text) => out.push_str(&text),
                    None => out.extend(["{", &placeholder.name, "}"]),
                },
                Segment::Plural {
                    placeholder,
                    singular,
                    plural,
                } => {
                    let single = lookup(&placeholder.name).is_some_and(|n| n.trim() == "1");
                    out.push_str(if single { singular } else { plural });
                }
                Segment::If { placeholder, then } => {
                    if lookup(&placeholder.name).is_some_and(|value| is_truthy(&value)) {
                        then.render_into(out, lookup);
                    }
                }
            }
        }
    }

    fn each_placeholder(&self, visit: &mut dyn FnMut(&Placeholder)) {
        for piece in &self.segments {
            match piece {
                Segment::Plain(_) => {}
                Segment::Promise(promise) => {
                    if let Some(field) = promise.field() {
                        visit(&Placeholder {
                            name: field.to_owned(),
                            at: promise.at.clone(),
                        });
                    }
                }
                Segment::Field(placeholder) | Segment::Plural { placeholder, .. } => {
                    visit(placeholder);
                }
                Segment::If { placeholder, then } => {
                    visit(placeholder);
                    then.each_placeholder(visit);
                }
            }
        }
    }
}

/// Whether `{?field}` is true: any number except zero, `true`, any text that is not empty.
fn is_truthy(value: &str) -> bool {
    !matches!(value.trim(), "" | "0" | "false")
}

struct TemplateParser<'a> {
    text: &'a str,
    at: usize,
    errors: Vec<TemplateError>,
}

impl<'a> TemplateParser<'a> {
    /// Parses to the end, or inside `{?…}` to the matching `{/}`.
    fn segments(&mut self, depth: usize) -> Template {
        let mut segments = Vec::new();
        let mut plain = String::new();
        while let Some(found) = self.rest().find(['{', '}']) {
            plain.push_str(&self.rest()[..found]);
            self.at += found;
            if self.take("{{") {
                plain.push('{');
            } else if self.take("}}") {
                plain.push('}');
            } else if depth > 0 && self.take("{/}") {
                return close(segments, plain);
            } else if self.rest().starts_with('}') {
                self.error(
                    self.at..self.at + 1,
                    "closing brace without an opening brace; open it with {, or write }} for a literal brace",
                );
                self.at += 1;
                plain.push('}');
            } else {
                self.brace(&mut segments, &mut plain, depth);
            }
        }
        plain.push_str(self.rest());
        self.at = self.text.len();
        if depth > 0 {
            self.error(
                self.text.len()..self.text.len(),
                "{?…} is never closed; write {/} where it ends",
            );
        }
        close(segments, plain)
    }

    /// Parses a placeholder, from its opening brace on.
    fn brace(&mut self, segments: &mut Vec<Segment>, plain: &mut String, depth: usize) {
        let start = self.at;
        let Some((inner, end)) = self.inner() else {
            self.error(
                start..start + 1,
                "opening brace is never closed; close it with }, or write {{ for a literal brace",
            );
            plain.push('{');
            self.at += 1;
            return;
        };
        self.at = end;
        match self.placeholder(inner, start..end, depth) {
            Some(piece) => {
                if !plain.is_empty() {
                    segments.push(Segment::Plain(std::mem::take(plain)));
                }
                segments.push(piece);
            }
            None => plain.push_str(&self.text[start..end]),
        }
    }

    /// The text between this brace and the next closing one.
    fn inner(&self) -> Option<(&'a str, usize)> {
        let inner = self.rest().get(1..)?;
        let len = inner.find(['{', '}', '\n'])?;
        inner[len..]
            .starts_with('}')
            .then(|| (&inner[..len], self.at + len + 2))
    }

    fn placeholder(&mut self, inner: &str, at: Range<usize>, depth: usize) -> Option<Segment> {
        if inner == "/" {
            self.error(
                at,
                "{/} closes nothing; write {?field} before it, or remove it",
            );
            return None;
        }
        if let Some(name) = inner.strip_prefix('?') {
            let placeholder = self.named(name, at)?;
            if depth >= MAX_DEPTH {
                self.error(placeholder.at, "{?…} nested too deeply; simplify the text");
                return None;
            }
            return Some(Segment::If {
                placeholder,
                then: self.segments(depth + 1),
            });
        }
        if inner.contains(' ') || is_number(inner) {
            return self.promise(inner, at).map(Segment::Promise);
        }
        let Some((name, words)) = inner.split_once(':') else {
            return self.named(inner, at).map(Segment::Field);
        };
        let Some((singular, plural)) = words.split_once('|') else {
            self.error(
                at,
                "colon without two words after it; write both, as in {cards:card|cards}",
            );
            return None;
        };
        let placeholder = self.named(name, at)?;
        Some(Segment::Plural {
            placeholder,
            singular: singular.to_owned(),
            plural: plural.to_owned(),
        })
    }

    /// Parses a verb, a number or a field, and a noun. The number may come last, as in
    /// `gain coins 2`.
    fn promise(&mut self, inner: &str, at: Range<usize>) -> Option<Promise> {
        let mut words: Vec<String> = inner.split_whitespace().map(str::to_owned).collect();
        let is_field = |word: &String| {
            word.starts_with(|c: char| c.is_ascii_alphabetic()) && !word.contains('|')
        };
        let fits = |word: &String| {
            word.chars()
                .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '|' | '.' | '\''))
        };
        let mut amount = words.iter().position(|word| is_number(word)).unwrap_or(1);
        if !words.iter().all(fits)
            || !words
                .get(amount)
                .is_some_and(|word| is_number(word) || is_field(word))
        {
            self.error(at, "not a placeholder; write a field, as in {level}, a verb, a number and a noun, as in {gain 2 coins}, or {{ and }} for literal braces");
            return None;
        }
        if words.len() == 3 && amount == 2 {
            words.swap(1, 2);
            amount = 1;
        }
        Some(Promise { words, amount, at })
    }

    fn named(&mut self, name: &str, at: Range<usize>) -> Option<Placeholder> {
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        if name.is_empty() || !name.chars().all(fits) {
            self.error(
                at,
                "no field between the braces; write a field, as in {level}, or {{ and }} for literal braces",
            );
            return None;
        }
        Some(Placeholder {
            name: name.to_owned(),
            at,
        })
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn take(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        self.at += if found { token.len() } else { 0 };
        found
    }

    fn error(&mut self, at: Range<usize>, message: &str) {
        self.errors.push(TemplateError {
            at,
            message: message.to_owned(),
        });
    }
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.len() < 10 && word.chars().all(|c| c.is_ascii_digit())
}

/// The numbers in a text that are not in braces.
#[must_use]
pub fn loose_numbers(text: &str) -> Vec<Range<usize>> {
    let (mut found, mut depth, mut start) = (Vec::new(), 0_usize, None);
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let digit = depth == 0 && c.is_ascii_digit();
        match start {
            None if digit => start = Some(at),
            Some(from) if !digit => {
                found.push(from..at);
                start = None;
            }
            _ => {}
        }
    }
    found
}

fn close(mut segments: Vec<Segment>, plain: String) -> Template {
    if !plain.is_empty() {
        segments.push(Segment::Plain(plain));
    }
    Template { segments }
}
