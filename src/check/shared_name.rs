//! `duplicate-id`: a counter, a flag or a zone with the name of another one of the same owner, so that
//! scripts reach only one of the two.

use std::collections::BTreeMap;

use super::CheckSubject;
use crate::diagnostic::{Diagnostic, Report};
use crate::pack::{Entry, FieldValue};

pub(super) fn check(subject: &CheckSubject, report: &mut Report) {
    for pack in &subject.packs {
        let mut seen: BTreeMap<String, Vec<&Entry>> = BTreeMap::new();
        let is_property = |entry: &&Entry| matches!(&*entry.kind, "counter" | "flag" | "zone");
        for entry in pack.entries().filter(is_property) {
            let same = seen.entry(entry.id.replace('-', "_")).or_default();
            let other = same
                .iter()
                .find(|other| other.kind != entry.kind && shares_owner(other, entry));
            if let Some(other) = other {
                // A flag is mostly newer than a counter or a zone.
                let (first, second) = if other.kind == "flag" {
                    (entry, *other)
                } else {
                    (*other, entry)
                };
                let message = format!(
                    "the {} and the {} `{}` have the same name",
                    first.kind, second.kind, second.id
                );
                Diagnostic::error(second.span, "duplicate-id", message)
                    .label("the second one")
                    .related(first.span, "the first one")
                    .help("change one of the two ids: scripts read both after a dot")
                    .push(report);
            }
            same.push(entry);
        }
    }
}

fn shares_owner(one: &Entry, other: &Entry) -> bool {
    let others = owners(other);
    owners(one).iter().any(|owner| others.contains(owner))
}

fn owners(entry: &Entry) -> Vec<&str> {
    let owner = |text| if text == "campaign" { "table" } else { text };
    match entry.get("of") {
        Some(FieldValue::Text(text)) => vec![owner(text)],
        Some(FieldValue::List(list)) => (list.iter())
            .filter_map(FieldValue::as_text)
            .map(owner)
            .collect(),
        _ => vec![],
    }
}
