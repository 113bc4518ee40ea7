//! `uneven-rows`: a row of a table with a column that no other row has.

use std::collections::BTreeSet;

use super::CheckSubject;
use crate::diagnostic::{Diagnostic, Report, find_misspelling};
use crate::pack::{Entry, EntryField, FieldValue};

pub(super) fn check(subject: &CheckSubject, report: &mut Report) {
    for entry in subject.entries().filter(|entry| entry.kind == "table") {
        for field in &entry.fields {
            if let FieldValue::List(rows) = &field.value {
                check_rows(subject, entry, field, rows, report);
            }
        }
    }
}

fn check_rows(
    subject: &CheckSubject,
    entry: &Entry,
    field: &EntryField,
    rows: &[FieldValue],
    report: &mut Report,
) {
    let keys: Vec<BTreeSet<&str>> = rows
        .iter()
        .filter_map(|row| {
            Some(
                row.as_table()?
                    .iter()
                    .map(|(key, _)| key.as_str())
                    .collect(),
            )
        })
        .collect();
    if keys.len() < 3 || keys.len() != rows.len() {
        return;
    }
    let rows_with = |key: &str| keys.iter().filter(|row| row.contains(key)).count();
    for row in &keys {
        for key in row.iter().filter(|key| rows_with(key) == 1) {
            let others: Vec<&str> = keys
                .iter()
                .flatten()
                .copied()
                .filter(|other| rows_with(other) + 1 == keys.len())
                .collect();
            let span = subject.word_at(field.span, key);
            Diagnostic::warning(
                span,
                "uneven-rows",
                format!("only one row of `{}` has `{key}`", entry.id),
            )
            .label("no other row has it")
            .did_you_mean(find_misspelling(key, others))
            .help("give it to all rows, or remove it: scripts read the same columns from every row")
            .push(report);
        }
    }
}
