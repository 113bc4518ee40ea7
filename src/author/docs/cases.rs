//! The cases of packs, by the rule they prove.

use std::collections::BTreeMap;

use super::book::{Book, Here};
use super::html::{Html, classed, list};
use crate::author::read;
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
            let cases = read::cases(&book.shelf.set.files, held.file).unwrap_or_default();
            for (name, case) in cases
                .into_iter()
                .filter_map(|read| Some((read.name, read.case.ok()?)))
            {
                for entry in case
                    .rule
                    .iter()
                    .filter_map(|rule| book.named(shown.number, rule, &[]))
                {
                    all.entry(entry).or_default().push(Proof {
                        name: name.clone(),
                        span: case.name.at,
                    });
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
