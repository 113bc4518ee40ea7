//! `bad-event`: events and queries that are declared in a way that cannot work.

use super::CheckSubject;
use crate::content::events::{ask, on};
use crate::diagnostic::{Diagnostic, Report, Span};
use crate::pack::{Entry, FieldValue};

/// What `emit` returns besides the provided values.
const DENIED: &str = "denied";

pub(super) fn check(subject: &CheckSubject, report: &mut Report) {
    for entry in subject.entries() {
        let natives = match entry.kind.as_str() {
            "event" => on::EVENTS,
            "query" => ask::QUERIES,
            _ => continue,
        };
        let name = entry.id.replace('-', "_");
        if natives.iter().any(|native| native.name == name) {
            hides_native(entry, report);
        }
        provided_names(entry, report);
    }
}

fn hides_native(entry: &Entry, report: &mut Report) {
    let kind = &entry.kind;
    let message = format!("the engine has {} `{}`", article(kind), entry.id);
    Diagnostic::error(entry.span, "bad-event", message)
        .label("this hides it in your pack")
        .help(format!(
            "choose another id; to use the engine's {kind}, write its hook without declaring it"
        ))
        .push(report);
}

fn article(kind: &str) -> String {
    match kind {
        "event" => "an event".to_owned(),
        kind => format!("a {kind}"),
    }
}

/// Reports names of provided values that scripts could not read.
fn provided_names(entry: &Entry, report: &mut Report) {
    let span = entry
        .field("provides")
        .map_or(entry.span, |field| field.span);
    let items = entry.list("provides").iter();
    let names: Vec<&str> = items
        .filter_map(FieldValue::as_text)
        .map(|item| item.split(':').next().unwrap_or(item).trim())
        .collect();
    for (ix, name) in names.iter().enumerate() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        if name.is_empty() || !name.chars().all(is_word) {
            let help = "a name has letters, digits and `_`, and perhaps a type: `\"toll: int\"`";
            report_name(span, name, "is not a name", help, report);
        } else if names[..ix].contains(name) {
            report_name(
                span,
                name,
                "is provided twice",
                "remove one of them",
                report,
            );
        } else if *name == DENIED && entry.kind == "event" {
            let help =
                "choose another name: `emit` returns in `denied` why a hook denied the event";
            report_name(span, name, "is a name of the engine", help, report);
        }
    }
}

fn report_name(span: Span, name: &str, what: &str, help: &str, report: &mut Report) {
    Diagnostic::error(span, "bad-event", format!("`{name}` {what}"))
        .label("in this list")
        .help(help)
        .push(report);
}
