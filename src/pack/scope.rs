//! What a template may name: the fields of the tables it stands in, and those of its entry.

use crate::diagnostic::{Diagnostic, Span};

use super::body::body;
use super::builtin::common;
use super::entry::Entry;
use super::faults::Cx;
use super::kind::{FieldSpec, Kind, Type};
use super::node::{Node, Shape, Table};
use super::template::{Template, TemplateFault};
use super::value::Value;

/// The names known at one place in an entry.
pub(super) struct Scope<'a> {
    kind: &'a Kind,
    /// The entry as it stands in the file, for names that only its own free tables hold.
    entry: Option<&'a Table>,
    /// The names of the tables around, innermost last.
    around: Vec<String>,
}

impl<'a> Scope<'a> {
    pub fn new(kind: &'a Kind, entry: Option<&'a Table>) -> Self {
        Self {
            kind,
            entry,
            around: Vec::new(),
        }
    }

    /// Goes into a table with these fields; gives what `leave` needs.
    pub fn enter(&mut self, specs: &[FieldSpec]) -> usize {
        let depth = self.around.len();
        self.around
            .extend(specs.iter().map(|spec| spec.name.clone()));
        depth
    }

    /// Takes in all names that tables in an entry hold, for texts that a patch brings.
    pub fn enter_entry(&mut self, entry: &Entry) {
        for field in &entry.fields {
            self.enter_value(&field.value);
        }
    }

    fn enter_value(&mut self, value: &Value) {
        match value {
            Value::Table(pairs) => {
                for (name, inner) in pairs {
                    self.around.push(name.clone());
                    self.enter_value(inner);
                }
            }
            Value::List(items) => items.iter().for_each(|item| self.enter_value(item)),
            _ => {}
        }
    }

    /// Leaves the table again.
    pub fn leave(&mut self, depth: usize) {
        self.around.truncate(depth);
    }

    /// Reports what is wrong with a template.
    pub fn check(&self, cx: &mut Cx, node: &Node, text: &str) {
        if !text.contains(['{', '}']) {
            return;
        }
        let (template, faults) = Template::parse(text);
        for fault in faults {
            let (message, help) = fault
                .message
                .split_once("; ")
                .unwrap_or((&fault.message, "look at the braces"));
            Diagnostic::wrong(
                place(cx, node, &fault),
                "bad-template",
                format!("this text has {message}"),
            )
            .help(help)
            .push(cx.report);
        }
        for fault in template.check(&|name| self.knows(name)) {
            let near = cx.suggest(&fault.message, self.names());
            let fix = near
                .as_ref()
                .and_then(|near| near.edit(place(cx, node, &fault)));
            let near = near.map(|near| format!("did you mean {{{near}}}?"));
            let help = near.unwrap_or_else(|| {
                "name a field of this entry, or write {{ and }} for braces".to_owned()
            });
            Diagnostic::wrong(
                place(cx, node, &fault),
                "unknown-template-field",
                format!("the text names `{}`, which is no field here", fault.message),
            )
            .fix(fix)
            .help(help)
            .push(cx.report);
        }
    }

    /// Whether a name, or a path such as `levels.2.draw`, leads somewhere.
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
        self.around.iter().map(String::as_str).chain(declared)
    }
}

/// Whether a path leads somewhere inside a type.
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

/// Whether a table somewhere in a type declares the field: a text may speak of the level that is in force.
fn declared_inside(ty: &Type, name: &str) -> bool {
    match ty {
        Type::Table(specs) => specs
            .iter()
            .any(|spec| spec.name == name || declared_inside(&spec.ty, name)),
        Type::List(of) | Type::Map(of) => declared_inside(of, name),
        _ => false,
    }
}

/// Whether a table somewhere in a field holds the name, for fields of the type `any`.
fn written_inside(node: &Node, name: &str) -> bool {
    match &node.shape {
        Shape::Table(table) => table
            .pairs
            .iter()
            .any(|pair| pair.key == name || written_inside(&pair.node, name)),
        Shape::List(items) => items.iter().any(|item| written_inside(item, name)),
        _ => false,
    }
}

/// The hole itself if the text stands in the file byte by byte, else the whole string.
fn place(cx: &Cx, node: &Node, fault: &TemplateFault) -> Span {
    match body(cx.files, node.span) {
        Some(span) => span.part(fault.at.start, fault.at.len()),
        // Lines joined by backslashes: the hole itself stands in the file as it is.
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
