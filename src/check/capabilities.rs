//! What a pack is able to do to a game, to help decide whether to trust it.

use super::CheckSubject;
use crate::content::{Content, SeenBy};
use crate::diagnostic::{FileId, Span};
use crate::library::PackLibrary;
use crate::pack::Pack;

/// Something that a pack can do, and the places where it does.
pub struct Capability {
    /// A verb phrase, as shown to the user.
    pub description: &'static str,
    /// The scripts and patches that do it; empty if the pack does not do it.
    pub at: Vec<Span>,
}

/// Functions that use randomness.
const CHANCE: &[&str] = &["roll", "reroll", "chance", "shuffle", "shuffled", "random"];
/// Functions that affect other players.
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
/// Functions that reveal hidden information.
const SHOWING: &[&str] = &["look", "reveal", "knows"];
/// Functions that read the contents of a zone.
const READING: &[&str] = &[
    "pieces", "top", "bottom", "find", "has", "contains", "count", "sum", "with", "tagged",
];
/// Functions that end or prolong games and turns.
const ENDING: &[&str] = &["end_game", "eliminate", "end_turn", "extra_turn"];

/// Lists every capability, whether the pack has it or not.
pub(crate) fn capabilities(
    library: &PackLibrary,
    pack: &Pack,
    content: Option<&Content>,
) -> Vec<Capability> {
    let texts = scripts(library, pack);
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
            description: "uses randomness",
            at: with(CHANCE),
        },
        Capability {
            description: "reads or reveals hidden information",
            at: hidden,
        },
        Capability {
            description: "affects other players",
            at: with(OTHERS),
        },
        Capability {
            description: "ends or prolongs games and turns",
            at: with(ENDING),
        },
        Capability {
            description: "changes entries of other packs",
            at: patches.map(|patch| patch.entry.span).collect(),
        },
    ]
}

/// The text of every script of a pack, and of every function in its libraries.
fn scripts<'a>(library: &'a PackLibrary, pack: &'a Pack) -> Vec<(&'a str, Span)> {
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
        all.extend(functions(library.set.files.text(*file), *file));
    }
    all
}

/// Splits a library into functions; the span is the keyword `fn`.
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

/// The words of a script, each with the word before it; comments are skipped.
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

/// Whether a script reads a zone that no player can see.
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

/// The capabilities of all checked packs, by pack id.
pub(super) fn all(subject: &CheckSubject) -> Vec<(String, Vec<Capability>)> {
    let of_pack = |pack: &&Pack| {
        let opened = subject.opened_with(pack);
        let content = opened.map(|opened| &*opened.rules.content);
        (
            pack.manifest.id.clone(),
            capabilities(subject.library, pack, content),
        )
    };
    subject.packs.iter().map(of_pack).collect()
}
