//! The cases of packs, by the rule they prove.

use std::collections::BTreeMap;

use super::book::{Book, Here};
use super::html::{Html, classed, list};
use crate::author::case::Words;
use crate::author::test;
use crate::diagnostic::Span;

/// A case that proves a rule.
#[derive(Clone, Debug)]
pub struct Proof {
    /// What it shows.
    pub name: String,
    /// Where it stands.
    pub span: Span,
}

/// The cases by the entry they prove, which must be in sight of their pack. A file that cannot be read proves nothing.
pub fn proofs(book: &Book) -> BTreeMap<usize, Vec<Proof>> {
    let mut all: BTreeMap<usize, Vec<Proof>> = BTreeMap::new();
    for shown in &book.packs {
        for held in &shown.pack.tests {
            let text = book.shelf.set.files.text(held.file);
            let cases = test::read(text).map(|file| file.case).unwrap_or_default();
            let mut from = 0;
            for case in cases {
                let at = text[from..].find(&case.name).map_or(from, |at| from + at);
                from = at;
                let span = Span::new(held.file, at, at + case.name.len());
                for rule in case.rule.iter().flat_map(Words::list) {
                    if let Some(entry) = book.named(shown.number, rule, &[]) {
                        all.entry(entry).or_default().push(Proof { name: case.name.clone(), span });
                    }
                }
            }
        }
    }
    all
}

/// Cases with their places.
pub fn listed(here: &Here, proofs: &[Proof]) -> Html {
    list(proofs.iter().map(|proof| {
        let place = classed("span", "place", here.book.place_of(proof.span));
        Html::from(&proof.name).and(" ").and(place)
    }))
}
