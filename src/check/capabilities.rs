//! What a pack can do to a game, for whoever must decide whether to trust it.

use super::Subject;
use crate::content::{Content, SeenBy};
use crate::diagnostic::{FileId, Span};
use crate::pack::Pack;
use crate::shelf::Shelf;

/// Something a pack can do, and where it does it.
pub struct Capability {
    /// In words.
    pub what: &'static str,
    /// Where.
    pub at: Vec<Span>,
}

/// Words of scripts that leave something to chance.
const CHANCE: &[&str] = &["roll", "reroll", "chance", "shuffle", "shuffled", "random"];
/// Words that come to other players.
const OTHERS: &[&str] = &[
    "others",
    "seats",
    "seat",
    "left",
    "right",
    "choose_each",
    "choose_amount_each",
    "seats_at",
    "eliminate",
    "control",
];
/// Words that show what is hidden.
const SHOWING: &[&str] = &["look", "reveal", "knows"];
/// Words that read what lies in a zone.
const READING: &[&str] = &[
    "pieces", "top", "bottom", "find", "has", "contains", "count", "sum", "with", "tagged",
];
/// Words that end something.
const ENDING: &[&str] = &["end_game", "eliminate", "end_turn", "extra_turn"];

/// What a pack can do.
#[must_use]
pub fn of(shelf: &Shelf, pack: &Pack, content: Option<&Content>) -> Vec<Capability> {
    let texts = scripts(shelf, pack);
    let with = |words: &[&str]| -> Vec<Span> {
        texts
            .iter()
            .filter(|(text, _)| calls(text).any(|(_, word)| words.contains(&word)))
            .map(|(_, span)| *span)
            .collect()
    };
    let hidden = texts
        .iter()
        .filter(|(text, _)| content.is_some_and(|content| reads_hidden(content, text)));
    let mut hidden: Vec<Span> = hidden.map(|(_, span)| *span).chain(with(SHOWING)).collect();
    hidden.sort_unstable();
    hidden.dedup();
    let theirs = |name: &str| !pack.entries().any(|entry| name.ends_with(&entry.id));
    let patches = pack
        .patches
        .iter()
        .filter(|patch| theirs(&patch.entry.text));
    vec![
        Capability {
            what: "leaves something to chance",
            at: with(CHANCE),
        },
        Capability {
            what: "reads or shows what is hidden",
            at: hidden,
        },
        Capability {
            what: "touches other players",
            at: with(OTHERS),
        },
        Capability {
            what: "ends or prolongs games and turns",
            at: with(ENDING),
        },
        Capability {
            what: "changes entries of other packs",
            at: patches.map(|patch| patch.entry.span).collect(),
        },
    ]
}

/// Every script of a pack, and every function of its files.
fn scripts<'a>(shelf: &'a Shelf, pack: &'a Pack) -> Vec<(&'a str, Span)> {
    let mut all: Vec<(&str, Span)> = Vec::new();
    for field in pack.entries().flat_map(|entry| &entry.fields) {
        field.value.each(&mut |value| {
            all.extend(
                value
                    .as_script()
                    .map(|script| (script.text.as_str(), script.span)),
            );
        });
    }
    for file in &pack.libraries {
        all.extend(functions(shelf.set.files.text(*file), *file));
    }
    all
}

/// The functions of a file, by the lines they begin in.
fn functions(text: &str, file: FileId) -> Vec<(&str, Span)> {
    let starts: Vec<usize> = text
        .match_indices("fn ")
        .map(|(at, _)| at)
        .filter(|at| *at == 0 || text[..*at].ends_with('\n'))
        .collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts
        .iter()
        .zip(ends)
        .map(|(start, end)| (&text[*start..end], Span::new(file, *start, *start + 2)))
        .collect()
}

/// The names of a text, each with the one before it.
fn calls(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let code = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or(line));
    let words = code
        .flat_map(|line| line.split(|c: char| !(c.is_alphanumeric() || c == '_')))
        .filter(|word| !word.is_empty());
    let mut last = "";
    words.map(move |word| (std::mem::replace(&mut last, word), word))
}

/// Whether a script reads a zone that not everybody sees.
fn reads_hidden(content: &Content, text: &str) -> bool {
    calls(text).any(|(zone, word)| {
        let hidden = |zone: &str| {
            content
                .symbol(zone)
                .zone
                .is_some_and(|zone| content.zones[zone.ix()].seen_by == SeenBy::Nobody)
        };
        READING.contains(&word) && hidden(zone)
    })
}

/// What the packs of a subject can do.
pub(super) fn all(subject: &Subject) -> Vec<(String, Vec<Capability>)> {
    let one = |pack: &&Pack| {
        let opened = subject.opened_with(pack);
        let content = opened.map(|opened| &*opened.rules.content);
        (pack.manifest.id.clone(), of(subject.shelf, pack, content))
    };
    subject.packs.iter().map(one).collect()
}
