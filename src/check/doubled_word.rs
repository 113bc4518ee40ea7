//! `doubled-word`: "the the".

use super::Subject;
use crate::diagnostic::{Diagnostic, Report};
use crate::pack::Value;

pub(super) fn check(subject: &Subject, report: &mut Report) {
    for entry in subject.packs.iter().flat_map(|pack| &pack.entries) {
        for field in entry.fields.iter().filter(|field| field.span.file == entry.span.file) {
            let mut texts = Vec::new();
            gather(&field.value, &mut texts);
            if let Some(word) = texts.iter().find_map(|text| doubled(text)) {
                Diagnostic::untidy(field.span, "doubled-word", format!("“{word} {word}”: the same word twice"))
                    .label("in this text")
                    .help("take one of them out")
                    .push(report);
            }
        }
    }
}

fn gather<'a>(value: &'a Value, texts: &mut Vec<&'a str>) {
    match value {
        Value::Text(text) if text.contains(' ') => texts.push(text),
        Value::List(list) => list.iter().for_each(|value| gather(value, texts)),
        Value::Table(rows) => rows.iter().for_each(|(_, value)| gather(value, texts)),
        _ => {}
    }
}

/// A word that stands twice in a row, letters only: "had had" is left alone, as people do write it.
fn doubled(text: &str) -> Option<&str> {
    const MEANT: &[&str] = &["had", "that", "very", "no", "so", "ha", "there", "well", "knock", "tick"];
    let words: Vec<&str> = text.split(' ').collect();
    let letters = |word: &str| !word.is_empty() && word.chars().all(char::is_alphabetic);
    let twice = |pair: &&[&str]| letters(pair[0]) && pair[0] == pair[1] && !MEANT.contains(&pair[0]);
    words.windows(2).find(twice).map(|pair| pair[0])
}
