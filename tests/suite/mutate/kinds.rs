//! Every way to break a pack. A new one is a function and a line in the list of its family.

use super::book::Book;
use super::chance::Chance;
use super::mutation::Mutation;
use super::{
    calls, entries, hooks, names, packs, statements, stories, syntax, texts, values, words,
};

/// One way to break a pack.
#[derive(Clone, Copy)]
pub struct Kind {
    pub name: &'static str,
    /// A line of the table says what is done.
    pub text: &'static str,
    /// Breaks one random place; nothing if the place that chance took does not fit.
    pub make: fn(&Book, &mut Chance) -> Option<Mutation>,
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
