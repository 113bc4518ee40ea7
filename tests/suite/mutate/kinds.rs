//! Every kind of mutation. A new kind is a function and a line in the list of its family.

use super::book::Book;
use super::mutation::Mutation;
use super::rng::Rng;
use super::{
    calls, entries, hooks, names, packs, statements, stories, syntax, texts, values, words,
};

/// One kind of mutation.
#[derive(Clone, Copy)]
pub struct Kind {
    pub name: &'static str,
    /// The description in the table.
    pub text: &'static str,
    /// Breaks a random place; `None` if the chosen place is not suitable.
    pub make: fn(&Book, &mut Rng) -> Option<Mutation>,
}

/// The families: each is a file in this folder.
const FAMILIES: &[&[Kind]] = &[
    names::KINDS,
    values::KINDS,
    entries::KINDS,
    syntax::KINDS,
    words::KINDS,
    calls::KINDS,
    statements::KINDS,
    hooks::KINDS,
    stories::KINDS,
    texts::KINDS,
    packs::KINDS,
];

pub fn all() -> Vec<Kind> {
    FAMILIES
        .iter()
        .flat_map(|family| family.iter().copied())
        .collect()
}
