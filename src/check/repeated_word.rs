//! `repeated-word`: a word written twice in a row, as in "the the".

use super::CheckSubject;
use crate::diagnostic::{Diagnostic, Report, Span};

pub(super) fn check(subject: &CheckSubject, report: &mut Report) {
    for entry in subject.entries() {
        for field in entry
            .fields
            .iter()
            .filter(|field| field.span.file == entry.span.file)
        {
            let mut texts = Vec::new();
            field
                .value
                .each(&mut |value| texts.extend(value.as_text().filter(|text| text.contains(' '))));
            if let Some(word) = texts.iter().find_map(|text| doubled(text)) {
                Diagnostic::style(
                    locate(subject, field.span, word),
                    "repeated-word",
                    format!("repeated word: “{word} {word}”"),
                )
                .label("written twice")
                .help("remove one of them")
                .push(report);
            }
        }
    }
}

/// The source location of the second word; a line break may be between the two.
fn locate(subject: &CheckSubject, field: Span, word: &str) -> Span {
    let files = &subject.library.set.files;
    let from = field.start as usize;
    let text = files.text(field.file).get(from..).unwrap_or_default();
    let is_edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    let mut starts = text.match_indices(word).map(|(at, _)| at).filter(|at| {
        let rest = &text[at + word.len()..];
        let next = rest.trim_start_matches([' ', '\n', '\r', '\t', '\\']);
        is_edge(text[..*at].chars().next_back())
            && next.len() < rest.len()
            && next
                .strip_prefix(word)
                .is_some_and(|after| is_edge(after.chars().next()))
    });
    match starts.next() {
        Some(at) => {
            let rest = &text[at + word.len()..];
            let second = at
                + word.len()
                + (rest.len() - rest.trim_start_matches([' ', '\n', '\r', '\t', '\\']).len());
            Span::new(field.file, from + second, from + second + word.len())
        }
        None => field,
    }
}

/// The first word that occurs twice in a row. Words that are commonly repeated, as in "had had",
/// are skipped.
fn doubled(text: &str) -> Option<&str> {
    const INTENTIONAL: &[&str] = &[
        "had", "that", "very", "no", "so", "ha", "there", "well", "knock", "tick",
    ];
    let letters = |word: &str| !word.is_empty() && word.chars().all(char::is_alphabetic);
    let mut pairs = text.split(' ').zip(text.split(' ').skip(1));
    pairs
        .find(|(word, next)| word == next && letters(word) && !INTENTIONAL.contains(word))
        .map(|(word, _)| word)
}
