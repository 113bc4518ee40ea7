//! The names that a template may use: fields of the tables enclosing it, and of its entry.

use crate::diagnostic::{Confidence, Diagnostic, Span};

use super::body::body;
use super::builtin::common;
use super::entry::Entry;
use super::kind::{FieldSpec, Kind, Type};
use super::read_context::ReadContext;
use super::template::{Template, TemplateError};
use super::toml_tree::{TomlNode, TomlShape, TomlTable};
use super::value::FieldValue;

/// Numbers as words, from one.
const NUMBERS: &[&str] = &[
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
];

/// The names that are known at one position in an entry.
pub(super) struct TemplateScope<'a> {
    kind: &'a Kind,
    /// The entry in the file, for names in its undeclared tables.
    entry: Option<&'a TomlTable>,
    /// The fields of the enclosing tables, innermost last.
    enclosing: Vec<String>,
}

impl<'a> TemplateScope<'a> {
    pub fn new(kind: &'a Kind, entry: Option<&'a TomlTable>) -> Self {
        Self {
            kind,
            entry,
            enclosing: Vec::new(),
        }
    }

    /// Enters a table with these fields; returns the depth for `leave`.
    pub fn enter(&mut self, specs: &[FieldSpec]) -> usize {
        let depth = self.enclosing.len();
        self.enclosing
            .extend(specs.iter().map(|spec| spec.name.clone()));
        depth
    }

    /// Adds all names in the tables of an entry, for texts in a patch.
    pub fn enter_entry(&mut self, entry: &Entry) {
        for field in &entry.fields {
            self.enter_value(&field.value);
        }
    }

    fn enter_value(&mut self, value: &FieldValue) {
        match value {
            FieldValue::Table(pairs) => {
                for (name, inner) in pairs {
                    self.enclosing.push(name.clone());
                    self.enter_value(inner);
                }
            }
            FieldValue::List(items) => items.iter().for_each(|item| self.enter_value(item)),
            _ => {}
        }
    }

    pub fn leave(&mut self, depth: usize) {
        self.enclosing.truncate(depth);
    }

    /// Reports errors in a template.
    pub fn check(&self, cx: &mut ReadContext, node: &TomlNode, text: &str) {
        if !text.contains(['{', '}']) {
            return;
        }
        let (template, errors) = Template::parse(text);
        for error in errors {
            let (message, help) = error
                .message
                .split_once("; ")
                .unwrap_or((&error.message, "check the braces"));
            let inner = text.get(error.at.clone()).map(|placeholder| {
                placeholder.trim_matches(|c: char| matches!(c, '{' | '}') || c.is_whitespace())
            });
            let help = match inner.filter(|inner| self.names().any(|known| known == *inner)) {
                Some(field) => format!("write {{{field}}}, without spaces"),
                None => help.to_owned(),
            };
            Diagnostic::error(locate(cx, node, &error), "bad-template", message)
                .help(help)
                .push(cx.report);
        }
        if let Some(at) = text.find("${") {
            let error = TemplateError {
                at: at..at + 1,
                message: String::new(),
            };
            let placeholder = text[at + 1..].split_inclusive('}').next().unwrap_or("{…}");
            Diagnostic::warning(
                locate(cx, node, &error),
                "bad-template",
                "dollar sign before a brace",
            )
            .label("players see it")
            .help(format!(
                "in the text of an entry, write {placeholder}; only scripts write ${placeholder}"
            ))
            .confidence(Confidence::Likely)
            .push(cx.report);
        }
        // Only an entry with a list of items has something to put there.
        let without_list = self.entry.is_some_and(|own| own.get("each").is_none());
        let each = text.find("{each}").or_else(|| text.find("{each."));
        if let Some(at) = each.filter(|_| without_list) {
            let end = text[at..].find('}').map_or(text.len(), |end| at + end + 1);
            let error = TemplateError {
                at: at..end,
                message: String::new(),
            };
            Diagnostic::unknown(
                locate(cx, node, &error),
                "unknown-template-field",
                "field",
                "each",
            )
            .label("not a field of this entry")
            .help("write `{each}` only in the label and the log of an action with `each`")
            .push(cx.report);
        }
        for error in template.check(&|name| self.knows(name)) {
            let placeholder = text.get(error.at.clone()).unwrap_or_default();
            if let Some(meant) = self.meant(placeholder) {
                let span = locate(cx, node, &error);
                Diagnostic::unknown(span, "unknown-template-field", "field", &error.message)
                    .label("not a field of this entry")
                    .help(meant)
                    .push(cx.report);
                continue;
            }
            let near = cx.suggest(&error.message, self.names());
            let own: Vec<&str> = self.kind.fields.iter().map(|spec| &*spec.name).collect();
            let help = near.is_none().then(|| {
                let own = if own.is_empty() {
                    String::new()
                } else {
                    format!(" ({})", own.join(", "))
                };
                format!(
                    "name a field of this entry{own}, or write {{{{ and }}}} for literal braces"
                )
            });
            let span = locate(cx, node, &error);
            Diagnostic::unknown(span, "unknown-template-field", "field", &error.message)
                .label("not a field of this entry")
                .did_you_mean(near)
                .maybe_help(help)
                .push(cx.report);
        }
    }

    /// What to write instead of a placeholder in the syntax of another language.
    fn meant(&self, placeholder: &str) -> Option<String> {
        let inner = placeholder.trim_matches(['{', '}', '?']);
        let knows = |name: &str| self.names().any(|known| known == name);
        let words: Vec<&str> = inner.split_whitespace().collect();
        if let [field, rest @ ..] = &words[..]
            && !rest.is_empty()
            && knows(field)
        {
            return Some(format!(
                "only the field goes in the braces: {{{field}}} {}",
                rest.join(" ")
            ));
        }
        if let Some(at) = words.iter().position(|word| NUMBERS.contains(word)) {
            let number = NUMBERS.iter().position(|word| *word == words[at])? + 1;
            let mut words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            words[at] = number.to_string();
            return Some(format!(
                "write the number in digits: {{{}}}",
                words.join(" ")
            ));
        }
        let (first, field) = inner.split_once('.')?;
        let is_self = matches!(first, "this" | "self" | "it" | "entry" | "card" | "me");
        (is_self && knows(field))
            .then(|| format!("write {{{field}}}: it is this entry's own field"))
    }

    /// Whether a name, or a path such as `levels.2.draw`, is known.
    fn knows(&self, name: &str) -> bool {
        if let Some((first, rest)) = name.split_once('.') {
            let mut declared = self
                .kind
                .fields
                .iter()
                .chain(common())
                .filter(|spec| spec.name == first);
            return declared.next().is_none_or(|spec| leads(&spec.ty, rest));
        }
        self.names().any(|known| known == name)
            || self
                .kind
                .fields
                .iter()
                .any(|spec| declared_inside(&spec.ty, name))
            || self.entry.is_some_and(|entry| {
                entry
                    .pairs
                    .iter()
                    .any(|pair| written_inside(&pair.node, name))
            })
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        let declared = self
            .kind
            .fields
            .iter()
            .chain(common())
            .map(|spec| spec.name.as_str());
        self.enclosing.iter().map(String::as_str).chain(declared)
    }
}

/// Whether a path exists inside a type.
fn leads(ty: &Type, path: &str) -> bool {
    let (step, rest) = path.split_once('.').unwrap_or((path, ""));
    match ty {
        _ if path.is_empty() => true,
        Type::List(of) if step.parse::<usize>().is_ok() => leads(of, rest),
        Type::Table(specs) => specs
            .iter()
            .find(|spec| spec.name == step)
            .is_some_and(|spec| leads(&spec.ty, rest)),
        Type::Map(of) => leads(of, rest),
        Type::Any | Type::Ref(_) | Type::Face | Type::Cost => true,
        _ => false,
    }
}

/// Whether a table inside a type declares the field. A text may name a field of the current level.
fn declared_inside(ty: &Type, name: &str) -> bool {
    match ty {
        Type::Table(specs) => specs
            .iter()
            .any(|spec| spec.name == name || declared_inside(&spec.ty, name)),
        Type::List(of) | Type::Map(of) => declared_inside(of, name),
        _ => false,
    }
}

/// Whether a table inside a value contains the name, for fields of the type `any`.
fn written_inside(node: &TomlNode, name: &str) -> bool {
    match &node.shape {
        TomlShape::Table(table) => table
            .pairs
            .iter()
            .any(|pair| pair.key == name || written_inside(&pair.node, name)),
        TomlShape::List(items) => items.iter().any(|item| written_inside(item, name)),
        _ => false,
    }
}

/// The span of the placeholder if it can be found in the file, otherwise the whole string.
fn locate(cx: &ReadContext, node: &TomlNode, error: &TemplateError) -> Span {
    match body(cx.files, node.span) {
        Some(span) => span.part(error.at.start, error.at.len()),
        // If backslashes join lines, search the file for the placeholder itself.
        None => {
            let placeholder = node
                .as_text()
                .and_then(|text| text.get(error.at.clone()))
                .filter(|placeholder| !placeholder.is_empty());
            let at =
                placeholder.and_then(|placeholder| cx.files.slice(node.span).find(placeholder));
            at.map_or(node.span, |at| node.span.part(at, error.at.len()))
        }
    }
}
