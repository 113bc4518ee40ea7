//! `inconsistent-word`: one thing under two words: a counter that texts call by its id here and by its title there, or a word that the
//! pack itself says it avoids.

use super::Subject;
use crate::diagnostic::{Confidence, Diagnostic, Report, Span};
use crate::pack::{Pack, Value};

pub(super) fn check(subject: &Subject, report: &mut Report) {
    for pack in &subject.packs {
        let texts = texts(pack);
        for (word, instead, avoided) in pairs(pack, &texts) {
            for (text, field) in &texts {
                if let Some(found) = says(text, &word, avoided) {
                    let span = place(subject, *field, found);
                    Diagnostic::untidy(span, "inconsistent-word", message(found, &instead, avoided))
                        .label("another word for the same thing")
                        .help(format!("write “{instead}”"))
                        .confidence(Confidence::Likely)
                        .push(report);
                }
            }
        }
    }
}

fn message(found: &str, instead: &str, avoided: bool) -> String {
    if avoided {
        format!("this text says “{found}”, and the pack wants “{instead}”")
    } else {
        format!("this text says “{found}”, and others say “{instead}”")
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

/// Words to avoid, what to say instead, and whether the pack says so itself.
fn pairs(pack: &Pack, texts: &[(&str, Span)]) -> Vec<(String, String, bool)> {
    let declared = pack.manifest.avoid.iter().cloned().map(|(word, instead)| (word, instead, true));
    let mut pairs: Vec<(String, String, bool)> = declared.collect();
    for entry in pack.entries.iter().filter(|entry| entry.kind == "counter") {
        let title = entry.text("title").unwrap_or_default().to_lowercase();
        let id = entry.id.to_lowercase();
        if title.is_empty() || title.contains([' ', '-']) || id.contains(['_', '-']) || stem(&title) == stem(&id) {
            continue;
        }
        let count = |word: &str| texts.iter().filter(|(text, _)| says(text, word, false).is_some()).count();
        match (count(&id), count(&title)) {
            (0, _) | (_, 0) => {}
            (ids, titles) if ids <= titles => pairs.push((id, title, false)),
            _ => pairs.push((title, id, false)),
        }
    }
    pairs
}

fn stem(word: &str) -> &str {
    word.strip_suffix('s').unwrap_or(word)
}

/// The word as it stands in a text, one or many, however its first letter is written; anywhere, or only behind a number.
fn says<'t>(text: &'t str, word: &str, anywhere: bool) -> Option<&'t str> {
    let mut counted = false;
    text.split(|c: char| !(c.is_alphanumeric() || c == '}')).filter(|own| !own.is_empty()).find(|own| {
        let before = std::mem::replace(&mut counted, own.ends_with('}') || own.chars().all(|c| c.is_ascii_digit()));
        (anywhere || before) && stem(&own.trim_end_matches('}').to_lowercase()) == stem(&word.to_lowercase())
    })
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
