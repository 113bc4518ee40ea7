//! The names that a template may use: fields of the tables enclosing it, and of its entry.

use crate::diagnostic::{Confidence, Diagnostic, Span};

use super::body::body;
use super::builtin::common;
use super::entry::Entry;
use super::kind::{FieldSpec, Kind, Type};
use super::read_context::ReadContext;
use super::template::{Template, TemplateFault};
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
        let (template, faults) = Template::parse(text);
        for fault in faults {
            let (message, help) = fault
                .message
                .split_once("; ")
                .unwrap_or((&fault.message, "check the braces"));
            let inner = text.get(fault.at.clone()).map(|hole| {
                hole.trim_matches(|c: char| matches!(c, '{' | '}') || c.is_whitespace())
            });
            let help = match inner.filter(|inner| self.names().any(|known| known == *inner)) {
                Some(field) => format!("write {{{field}}}, without spaces"),
                None => help.to_owned(),
            };
            Diagnostic::error(place(cx, node, &fault), "bad-template", message)
                .help(help)
                .push(cx.report);
        }
        if let Some(at) = text.find("${") {
            let fault = TemplateFault {
                at: at..at + 1,
                message: String::new(),
            };
            let hole = text[at + 1..].split_inclusive('}').next().unwrap_or("{…}");
            Diagnostic::warning(
                place(cx, node, &fault),
                "bad-template",
                "dollar sign before a brace",
            )
            .label("players see it")
            .help(format!(
                "in the text of an entry, write {hole}; only scripts write ${hole}"
            ))
            .confidence(Confidence::Likely)
            .push(cx.report);
        }
        // Only an entry with a list of items has something to put there.
        let without_list = self.entry.is_some_and(|own| own.get("each").is_none());
        let each = text.find("{each}").or_else(|| text.find("{each."));
        if let Some(at) = each.filter(|_| without_list) {
            let end = text[at..].find('}').map_or(text.len(), |end| at + end + 1);
            let fault = TemplateFault {
                at: at..end,
                message: String::new(),
            };
            Diagnostic::unknown(
                place(cx, node, &fault),
                "unknown-template-field",
                "field",
                "each",
            )
            .label("not a field of this entry")
            .help("write `{each}` only in the label and the log of an action with `each`")
            .push(cx.report);
        }
        for fault in template.check(&|name| self.knows(name)) {
            let hole = text.get(fault.at.clone()).unwrap_or_default();
            if let Some(meant) = self.meant(hole) {
                let span = place(cx, node, &fault);
                Diagnostic::unknown(span, "unknown-template-field", "field", &fault.message)
                    .label("not a field of this entry")
                    .help(meant)
                    .push(cx.report);
                continue;
            }
            let near = cx.suggest(&fault.message, self.names());
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
            let span = place(cx, node, &fault);
            Diagnostic::unknown(span, "unknown-template-field", "field", &fault.message)
                .label("not a field of this entry")
                .did_you_mean(near)
                .maybe_help(help)
                .push(cx.report);
        }
    }

    /// What to write instead of a placeholder that names a field in a way that other languages do.
    fn meant(&self, hole: &str) -> Option<String> {
        let inner = hole.trim_matches(['{', '}', '?']);
        let knows = |name: &str| self.names().any(|known| known == name);
        let words: Vec<&str> = inner.split_whitespace().collect();
        if let [field, rest @ ..] = &words[..]
            && !rest.is_empty()
            && knows(field)
        {
            return Some(format!(
                "only the field stands in braces: {{{field}}} {}",
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
fn place(cx: &ReadContext, node: &TomlNode, fault: &TemplateFault) -> Span {
    match body(cx.files, node.span) {
        Some(span) => span.part(fault.at.start, fault.at.len()),
        // If backslashes join lines, search the file for the placeholder itself.
        None => {
            let hole = node
                .as_text()
                .and_then(|text| text.get(fault.at.clone()))
                .filter(|hole| !hole.is_empty());
            let at = hole.and_then(|hole| cx.files.slice(node.span).find(hole));
            at.map_or(node.span, |at| node.span.part(at, fault.at.len()))
        }
    }
}
