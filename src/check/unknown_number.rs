//! `unknown-number`: a number that should refer to an entry, but does not. `duplicate-number`: two
//! entries with the same number.

use std::collections::BTreeMap;

use super::CheckSubject;
use crate::diagnostic::{Diagnostic, Report, Span};
use crate::pack::{Entry, NumberReference, Pack};

pub(super) fn check(subject: &CheckSubject, report: &mut Report) {
    for pack in &subject.packs {
        let all: Vec<&Entry> = subject.related(pack).flat_map(Pack::entries).collect();
        let mut targets: BTreeMap<(&str, &str), BTreeMap<i64, Span>> = BTreeMap::new();
        for at in pack.entries().flat_map(|entry| &entry.numbers) {
            let key = (at.kind.as_str(), at.field.as_str());
            let numbers = targets
                .entry(key)
                .or_insert_with(|| numbers(subject, &all, key, report));
            if !numbers.contains_key(&at.number) {
                unknown(at, numbers, report);
            }
        }
    }
}

/// The numbers in a field of all entries of a kind; reports duplicates.
fn numbers(
    subject: &CheckSubject,
    all: &[&Entry],
    (kind, field): (&str, &str),
    report: &mut Report,
) -> BTreeMap<i64, Span> {
    let mut found: BTreeMap<i64, Span> = BTreeMap::new();
    for entry in all.iter().filter(|entry| entry.kind == kind) {
        let Some((held, number)) = entry
            .field(field)
            .and_then(|held| Some((held, held.value.as_int()?)))
        else {
            continue;
        };
        match found.get(&number) {
            Some(first) if subject.owns(held.span) => {
                Diagnostic::error(
                    held.span,
                    "duplicate-number",
                    format!("two {kind} entries have the {field} {number}"),
                )
                .label("the second one")
                .related(*first, "the first one")
                .help("other entries refer to it by number: change one of the two")
                .push(report);
            }
            Some(_) => {}
            None => drop(found.insert(number, held.span)),
        }
    }
    found
}

fn unknown(at: &NumberReference, numbers: &BTreeMap<i64, Span>, report: &mut Report) {
    let near = numbers
        .keys()
        .min_by_key(|number| number.abs_diff(at.number));
    let near = near.map_or_else(String::new, |near| format!(" (the nearest is {near})"));
    Diagnostic::error(
        at.span,
        "unknown-number",
        format!("no {} has the {} {}", at.kind, at.field, at.number),
    )
    .label("refers to nothing")
    .help(format!(
        "use the number of an existing entry{near}, or add one"
    ))
    .push(report);
}
