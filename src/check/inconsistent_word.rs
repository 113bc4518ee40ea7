//! `inconsistent-word`: one thing under two words: a counter that texts call by its id here and by its title there, or a word that the
//! pack itself says it avoids.

use super::Subject;
use crate::diagnostic::{Confidence, Diagnostic, Report, Span};
use crate::pack::{Pack, Value};

pub(super) fn check(subject: &Subject, report: &mut Report) {
    for pack in &subject.packs {
        let texts = texts(pack);
        for (word, instead) in pairs(pack, &texts) {
            for (text, field) in &texts {
                if let Some(found) = says(text, &word) {
                    let span = place(subject, *field, found);
                    Diagnostic::untidy(
                        span,
                        "inconsistent-word",
                        format!("this text says “{found}”, and others say “{instead}”"),
                    )
                    .label("another word for the same thing")
                    .help(format!("write “{instead}”"))
                    .confidence(Confidence::Likely)
                    .push(report);
                }
            }
        }
    }
}

/// The texts of a pack that are sentences, and the fields they stand in.
fn texts(pack: &Pack) -> Vec<(&str, Span)> {
    fn gather<'a>(value: &'a Value, span: Span, list: &mut Vec<(&'a str, Span)>) {
        match value {
            Value::Text(text) if text.contains(' ') => list.push((text, span)),
            Value::List(items) => items.iter().for_each(|item| gather(item, span, list)),
            Value::Table(rows) => rows.iter().for_each(|(_, value)| gather(value, span, list)),
            _ => {}
        }
    }
    let mut list = Vec::new();
    for entry in &pack.entries {
        let given = entry.fields.iter().filter(|field| field.given && field.span.file == entry.span.file);
        given.for_each(|field| gather(&field.value, field.span, &mut list));
    }
    list
}

/// Words to avoid, and what to say instead.
fn pairs(pack: &Pack, texts: &[(&str, Span)]) -> Vec<(String, String)> {
    let mut pairs: Vec<(String, String)> = pack.manifest.avoid.clone();
    for entry in pack.entries.iter().filter(|entry| entry.kind == "counter") {
        let title = entry.text("title").unwrap_or_default().to_lowercase();
        let id = entry.id.to_lowercase();
        if title.is_empty() || title.contains([' ', '-']) || id.contains(['_', '-']) || stem(&title) == stem(&id) {
            continue;
        }
        let count = |word: &str| texts.iter().filter(|(text, _)| says(text, word).is_some()).count();
        match (count(&id), count(&title)) {
            (0, _) | (_, 0) => {}
            (ids, titles) if ids <= titles => pairs.push((id, title)),
            _ => pairs.push((title, id)),
        }
    }
    pairs
}

fn stem(word: &str) -> &str {
    word.strip_suffix('s').unwrap_or(word)
}

/// The word as it stands in a text, one or many, however its first letter is written.
fn says<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter(|own| !own.is_empty()).find(|own| stem(&own.to_lowercase()) == stem(&word.to_lowercase()))
}

fn place(subject: &Subject, field: Span, word: &str) -> Span {
    let from = field.start as usize;
    let text = subject.shelf.set.files.text(field.file).get(from..).unwrap_or_default();
    let is_edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    let mut found = text.match_indices(word).map(|(at, _)| at);
    let at =
        found.find(|at| is_edge(text[..*at].chars().next_back()) && is_edge(text[at + word.len()..].chars().next()));
    at.map_or(field, |at| Span::new(field.file, from + at, from + at + word.len()))
}
