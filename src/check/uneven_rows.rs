//! `uneven-rows`: a row of a table with a column that no other row has.

use std::collections::BTreeSet;

use super::Subject;
use crate::diagnostic::{Diagnostic, Report, slip};
use crate::pack::{Entry, Field, Value};

pub(super) fn check(subject: &Subject, report: &mut Report) {
    for entry in subject.entries().filter(|entry| entry.kind == "table") {
        for field in &entry.fields {
            if let Value::List(rows) = &field.value {
                check_rows(subject, entry, field, rows, report);
            }
        }
    }
}

fn check_rows(
    subject: &Subject,
    entry: &Entry,
    field: &Field,
    rows: &[Value],
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
            Diagnostic::odd(
                span,
                "uneven-rows",
                format!("only one row of `{}` has `{key}`", entry.id),
            )
            .label("no other row has it")
            .did_you_mean(slip(key, others))
            .help("give it to all rows, or remove it: scripts read the same columns from every row")
            .push(report);
        }
    }
}
