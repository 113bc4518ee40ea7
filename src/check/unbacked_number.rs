//! `unbacked-number`: a text says `{3}`, but no script or field of the same table has a 3.

use super::{CheckSubject, promise};
use crate::diagnostic::{Diagnostic, Report};
use crate::pack::{CheckedText, Entry, FieldValue};

pub(super) fn check(subject: &CheckSubject, report: &mut Report) {
    for entry in subject.entries() {
        for at in &entry.texts {
            for promise in promise::promises(entry, at)
                .iter()
                .filter(|promise| promise.words.len() == 1)
            {
                let Some(number) = promise.number() else {
                    continue;
                };
                let numbers = nearby_numbers(subject, entry, at);
                if !numbers.contains(&number) {
                    let known: Vec<String> = numbers.iter().map(i64::to_string).collect();
                    let known = if known.is_empty() {
                        "none".to_owned()
                    } else {
                        known.join(", ")
                    };
                    let message =
                        format!("the text says {number}, but no script or field contains it");
                    Diagnostic::warning(
                        at.part(
                            &subject.library.set.files,
                            promise::text(entry, at),
                            &promise.at,
                        ),
                        "unbacked-number",
                        message,
                    )
                    .label(format!("numbers in scripts and fields next to it: {known}"))
                    .help("make text and script agree, or read the number from a field")
                    .push(report);
                }
            }
        }
    }
}

/// The numbers in the scripts and fields of the table that a text belongs to. If there are none,
/// those of the whole entry.
fn nearby_numbers(subject: &CheckSubject, entry: &Entry, at: &CheckedText) -> Vec<i64> {
    let mut numbers = Vec::new();
    let table = at
        .path
        .rsplit_once('.')
        .and_then(|(path, _)| entry.get_path(path));
    if let Some(table) = table {
        collect(subject, table, &mut numbers);
    }
    if numbers.is_empty() {
        let explicit = entry.fields.iter().filter(|field| field.is_explicit);
        explicit.for_each(|field| collect(subject, &field.value, &mut numbers));
    }
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

fn collect(subject: &CheckSubject, value: &FieldValue, numbers: &mut Vec<i64>) {
    value.each(&mut |value| match value {
        FieldValue::Int(number) => numbers.push(*number),
        FieldValue::Script(script) => {
            let outline = subject.outlines.hook(script);
            let own = outline.numbers.iter().copied();
            numbers.extend(own.filter_map(|number| i64::try_from(number).ok()));
        }
        _ => {}
    });
}
