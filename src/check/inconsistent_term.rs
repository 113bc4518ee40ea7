//! `inconsistent-term`: one thing under two words: a counter that texts call by its id here and by its title there, or a word that the
//! pack itself says it avoids.

use super::Subject;
use crate::diagnostic::{Confidence, Diagnostic, Report, Span};
use crate::pack::Pack;

pub(super) fn check(subject: &Subject, report: &mut Report) {
    for pack in &subject.packs {
        let texts = texts(pack);
        for (word, instead, avoided) in pairs(pack, &texts) {
            for (text, field) in &texts {
                if let Some(found) = says(text, &word, avoided) {
                    let span = subject.word_at(*field, found);
                    Diagnostic::untidy(
                        span,
                        "inconsistent-term",
                        message(found, &instead, avoided),
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

fn message(found: &str, instead: &str, avoided: bool) -> String {
    if avoided {
        format!("this text says “{found}”, and the pack wants “{instead}”")
    } else {
        format!("this text says “{found}”, and others say “{instead}”")
    }
}

/// The texts of a pack that are sentences, and the fields they stand in.
fn texts(pack: &Pack) -> Vec<(&str, Span)> {
    let mut list = Vec::new();
    for entry in pack.entries() {
        let given = entry
            .fields
            .iter()
            .filter(|field| field.given && field.span.file == entry.span.file);
        given.for_each(|field| {
            field.value.each(&mut |value| {
                list.extend(
                    value
                        .as_text()
                        .filter(|text| text.contains(' '))
                        .map(|text| (text, field.span)),
                );
            });
        });
    }
    list
}

/// Words to avoid, what to say instead, and whether the pack says so itself.
fn pairs(pack: &Pack, texts: &[(&str, Span)]) -> Vec<(String, String, bool)> {
    let declared = pack
        .manifest
        .avoid
        .iter()
        .cloned()
        .map(|(word, instead)| (word, instead, true));
    let mut pairs: Vec<(String, String, bool)> = declared.collect();
    for entry in pack.entries().filter(|entry| entry.kind == "counter") {
        let title = entry.text("title").unwrap_or_default().to_lowercase();
        let id = entry.id.to_lowercase();
        if title.is_empty()
            || title.contains([' ', '-'])
            || id.contains(['_', '-'])
            || stem(&title) == stem(&id)
        {
            continue;
        }
        let count = |word: &str| {
            texts
                .iter()
                .filter(|(text, _)| says(text, word, false).is_some())
                .count()
        };
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
    text.split(|c: char| !(c.is_alphanumeric() || c == '}'))
        .filter(|own| !own.is_empty())
        .find(|own| {
            let before = std::mem::replace(
                &mut counted,
                own.ends_with('}') || own.chars().all(|c| c.is_ascii_digit()),
            );
            (anywhere || before)
                && stem(&own.trim_end_matches('}').to_lowercase()) == stem(&word.to_lowercase())
        })
}
