//! `inconsistent-term`: two words for the same thing. Texts call a counter by its id in one place
//! and by its title in another, or use a word that the pack declares as avoided.

use super::CheckSubject;
use crate::diagnostic::{Confidence, Diagnostic, Report, Span};
use crate::pack::Pack;

pub(super) fn check(subject: &CheckSubject, report: &mut Report) {
    for pack in &subject.packs {
        let texts = texts(pack);
        for (word, instead, avoided) in pairs(pack, &texts) {
            for (text, field) in &texts {
                if let Some(found) = find_word(text, &word, avoided) {
                    let span = subject.word_at(*field, found);
                    Diagnostic::style(span, "inconsistent-term", message(found, &instead, avoided))
                        .label("a different word for the same thing")
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
        format!("“{found}” should be “{instead}” in this pack")
    } else {
        format!("“{found}” here, “{instead}” in other texts")
    }
}

/// The texts of a pack that have more than one word, with the spans of their fields.
fn texts(pack: &Pack) -> Vec<(&str, Span)> {
    let mut list = Vec::new();
    for entry in pack.entries() {
        let given = entry
            .fields
            .iter()
            .filter(|field| field.is_explicit && field.span.file == entry.span.file);
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

/// Words to avoid, their replacements, and whether the pack itself declares them.
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
                .filter(|(text, _)| find_word(text, word, false).is_some())
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

/// Finds a word in a text, singular or plural and in any case; anywhere, or only after a number.
fn find_word<'t>(text: &'t str, word: &str, anywhere: bool) -> Option<&'t str> {
    let mut after_number = false;
    text.split(|c: char| !(c.is_alphanumeric() || c == '}'))
        .filter(|own| !own.is_empty())
        .find(|own| {
            let follows_number = std::mem::replace(
                &mut after_number,
                own.ends_with('}') || own.chars().all(|c| c.is_ascii_digit()),
            );
            (anywhere || follows_number)
                && stem(&own.trim_end_matches('}').to_lowercase()) == stem(&word.to_lowercase())
        })
}
