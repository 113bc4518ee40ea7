//! The primitives, one file for each topic. The doc comment of a function is its reference page.

pub(super) mod ask;
mod branch;
pub(super) mod closures;
pub(super) mod combo;
mod dice;
pub(super) mod effect;
pub(super) mod entry;
pub(super) mod event;
pub(super) mod fight;
pub(super) mod flow;
pub(super) mod list;
mod lists;
pub(super) mod map;
mod maps;
mod numbers;
pub(super) mod object;
pub(super) mod packet;
pub(super) mod piece;
pub(super) mod query;
pub(super) mod seat;
pub(super) mod talk;
mod texts;
mod values;
pub(super) mod zone;

use std::collections::HashMap;
use std::sync::LazyLock;

use super::lint::types::Types;
use super::primitive::{PrimitiveDef, SideEffects};
use crate::value::Value;

/// The primitives of every topic. To add a topic, add a line here.
pub const TOPICS: &[&[PrimitiveDef]] = &[
    object::functions::PRIMITIVES,
    entry::functions::PRIMITIVES,
    seat::functions::PRIMITIVES,
    piece::functions::PRIMITIVES,
    zone::functions::PRIMITIVES,
    map::functions::PRIMITIVES,
    ask::functions::PRIMITIVES,
    branch::functions::PRIMITIVES,
    query::functions::PRIMITIVES,
    event::functions::PRIMITIVES,
    effect::functions::PRIMITIVES,
    packet::functions::PRIMITIVES,
    fight::functions::PRIMITIVES,
    combo::functions::PRIMITIVES,
    dice::functions::PRIMITIVES,
    flow::functions::PRIMITIVES,
    list::functions::PRIMITIVES,
    talk::functions::PRIMITIVES,
    values::functions::PRIMITIVES,
    numbers::functions::PRIMITIVES,
    texts::functions::PRIMITIVES,
    lists::functions::PRIMITIVES,
    maps::functions::PRIMITIVES,
];

/// The primitives with the same name and number of parameters.
pub struct Overloads {
    pub name: &'static str,
    pub count: usize,
    /// The declarations, those with the most specific parameters first.
    pub defs: Vec<&'static PrimitiveDef>,
    /// The types of their parameters.
    types: Vec<Box<[Types]>>,
    /// Whether one of them asks a question.
    pub asks: bool,
}

impl Overloads {
    /// The declaration that takes the arguments.
    pub fn select(&self, arguments: &[Value]) -> Option<&'static PrimitiveDef> {
        for (types, def) in self.types.iter().zip(&self.defs) {
            let mut pairs = types.iter().zip(arguments);
            if pairs.all(|(types, own)| Types::of_value(own).is_within(*types)) {
                return Some(def);
            }
        }
        None
    }
}

struct Table {
    overloads: Vec<Overloads>,
    numbers: HashMap<(&'static str, usize), u16>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table {
        overloads: Vec::new(),
        numbers: HashMap::new(),
    };
    for def in all() {
        let (name, count) = (def.name, def.parameters.len());
        let next = table.overloads.len();
        let number = *table
            .numbers
            .entry((name, count))
            .or_insert(u16::try_from(next).unwrap_or(u16::MAX));
        if usize::from(number) == next {
            table.overloads.push(Overloads {
                name,
                count,
                defs: Vec::new(),
                types: Vec::new(),
                asks: false,
            });
        }
        let overloads = &mut table.overloads[usize::from(number)];
        overloads.defs.push(def);
        overloads.asks |= def.does.any(SideEffects::ASKS);
    }
    let general = |def: &&PrimitiveDef| {
        let parameters = def.parameters.iter();
        parameters.filter(|own| own.types == Types::ANY).count()
    };
    for overloads in &mut table.overloads {
        overloads.defs.sort_by_key(general);
        let types = |def: &&PrimitiveDef| def.parameters.iter().map(|own| own.types).collect();
        overloads.types = overloads.defs.iter().map(types).collect();
    }
    table
});

/// Every primitive, topic by topic.
pub fn all() -> impl Iterator<Item = &'static PrimitiveDef> {
    TOPICS.iter().copied().flatten()
}

/// The number of the primitives with this name and number of arguments.
pub fn overloads(name: &str, count: usize) -> Option<u16> {
    TABLE.numbers.get(&(name, count)).copied()
}

/// All primitives by number.
pub fn table() -> &'static [Overloads] {
    &TABLE.overloads
}

/// The primitives with a number.
pub fn numbered(number: u16) -> &'static Overloads {
    &TABLE.overloads[usize::from(number)]
}

/// Whether a function does nothing but show a text to players.
pub fn only_shows_text(name: &str) -> bool {
    all().any(|def| def.name == name && def.does == SideEffects::SHOWS)
}

/// Whether a method changes the list, map or string that it is called on.
pub fn changes_receiver(name: &str) -> bool {
    let mut with_closure = closures::all().iter();
    all().any(|def| def.changes_receiver && def.name == name)
        || with_closure.any(|function| function.changes_receiver && function.name == name)
}
