//! `uneven-rows`: a row of a table that has what none of the others has.

use std::collections::BTreeSet;

use super::Subject;
use crate::diagnostic::{Diagnostic, Report, slip};
use crate::pack::{Entry, Field, Value};

pub(super) fn check(subject: &Subject, report: &mut Report) {
    for entry in subject.entries().filter(|entry| entry.kind == "table") {
        for field in &entry.fields {
            if let Value::List(rows) = &field.value {
                look(subject, entry, field, rows, report);
            }
        }
    }
}

fn look(subject: &Subject, entry: &Entry, field: &Field, rows: &[Value], report: &mut Report) {
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
    let held = |key: &str| keys.iter().filter(|row| row.contains(key)).count();
    for row in &keys {
        for key in row.iter().filter(|key| held(key) == 1) {
            let others: Vec<&str> = keys
                .iter()
                .flatten()
                .copied()
                .filter(|other| held(other) + 1 == keys.len())
                .collect();
            let span = subject.word_at(field.span, key);
            Diagnostic::odd(
                span,
                "uneven-rows",
                format!("only this row of {} has `{key}`", entry.id),
            )
            .label("no other row has it")
            .did_you_mean(slip(key, others))
            .help("scripts read the same columns of every row")
            .push(report);
        }
    }
}
