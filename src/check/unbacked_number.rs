//! `unbacked-number`: a text says `{3}`, and nothing beside it knows of a 3.

use super::{Subject, promise};
use crate::diagnostic::{Diagnostic, Report};
use crate::pack::{Entry, TextAt, Value};

pub(super) fn check(subject: &Subject, report: &mut Report) {
    for entry in subject.entries() {
        for at in &entry.texts {
            for promise in promise::of(entry, at)
                .iter()
                .filter(|promise| promise.words.len() == 1)
            {
                let Some(number) = promise.number() else {
                    continue;
                };
                let numbers = beside(entry, at);
                if !numbers.contains(&number) {
                    let known: Vec<String> = numbers.iter().map(i64::to_string).collect();
                    let known = if known.is_empty() {
                        "no number at all".to_owned()
                    } else {
                        known.join(", ")
                    };
                    let message = format!(
                        "the text says {number}, and neither a script nor a field beside it does"
                    );
                    Diagnostic::odd(
                        at.part(
                            &subject.shelf.set.files,
                            promise::text(entry, at),
                            &promise.at,
                        ),
                        "unbacked-number",
                        message,
                    )
                    .label(format!("beside it: {known}"))
                    .help("make them say the same, or read the number from a field")
                    .push(report);
                }
            }
        }
    }
}

/// The numbers of the scripts and fields of the table a text stands in; if that has none, of the whole entry.
fn beside(entry: &Entry, at: &TextAt) -> Vec<i64> {
    let mut numbers = Vec::new();
    let around = at
        .path
        .rsplit_once('.')
        .and_then(|(around, _)| entry.along(around));
    if let Some(around) = around {
        gather(around, &mut numbers);
    }
    if numbers.is_empty() {
        let given = entry.fields.iter().filter(|field| field.given);
        given.for_each(|field| gather(&field.value, &mut numbers));
    }
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

fn gather(value: &Value, numbers: &mut Vec<i64>) {
    value.each(&mut |value| match value {
        Value::Int(number) => numbers.push(*number),
        Value::Script(script) => {
            let digits = script.text.split(|c: char| !c.is_ascii_digit());
            numbers.extend(digits.filter_map(|digits| digits.parse::<i64>().ok()));
        }
        _ => {}
    });
}
