//! `unused-field`: a field that works only together with another one, which is missing.

use super::CheckSubject;
use crate::diagnostic::{Diagnostic, Report};
use crate::pack::{Entry, FieldValue};

/// A kind, a field of its entries, the fields of which at least one must be present, and the fix.
const NEEDS: &[(&str, &str, &[&str], &str)] = &[
    (
        "zone",
        "refills",
        &["refills_from"],
        "add refills_from = \"…\", the zone that is shuffled into this one",
    ),
    ("phase", "limit", MENU, OPEN_MENU),
    ("phase", "must", MENU, OPEN_MENU),
    ("phase", "done", MENU, OPEN_MENU),
    ("phase", "prompt", MENU, OPEN_MENU),
];

const MENU: &[&str] = &["menu", "combo"];
const OPEN_MENU: &str = "add menu = true, so that the phase has a menu";

pub(super) fn check(subject: &CheckSubject, report: &mut Report) {
    for entry in subject.entries() {
        for (kind, field, needed, help) in NEEDS {
            if *kind == entry.kind && needed.iter().all(|other| !is_set(entry, other)) {
                unused(entry, field, needed[0], help, report);
            }
        }
        // Phases, zones and others have a `limit` of their own.
        let is_offered = entry.field("window").is_some() && entry.kind != "phase";
        if is_offered && entry.field("once").is_none() {
            let help = "add once = \"turn\", for example: `limit` says how often instead of once";
            unused(entry, "limit", "once", help, report);
        }
    }
}

fn is_set(entry: &Entry, field: &str) -> bool {
    let field = entry.field(field);
    field.is_some_and(|field| !matches!(field.value, FieldValue::Bool(false)))
}

fn unused(entry: &Entry, field: &str, needed: &str, help: &str, report: &mut Report) {
    // A default is no mistake.
    let Some(own) = entry.field(field).filter(|own| own.is_explicit) else {
        return;
    };
    let message = format!("`{field}` does nothing without `{needed}`");
    Diagnostic::warning(own.span, "unused-field", message)
        .label("never used")
        .help(help)
        .push(report);
}
