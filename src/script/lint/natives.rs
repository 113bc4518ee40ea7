//! The functions of the engine and of the language: their types, and whether they have effects.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::types::Types;
use crate::script::primitive::{Parameter, Role, SideEffects};
use crate::script::primitives::{self, closures};

/// One overload of a function.
#[derive(Clone, Debug)]
pub struct Signature {
    pub takes: Vec<Types>,
    pub gives: Types,
    pub does: SideEffects,
    /// Whether it changes the list, map or string that it is called on.
    changes_receiver: bool,
    /// The declarations of the parameters; empty for a function that takes a closure.
    parameters: &'static [Parameter],
}

impl Signature {
    /// The signature of a pack function.
    pub fn of_pack(takes: &[Types]) -> Signature {
        Signature {
            takes: takes.to_vec(),
            gives: Types::ANY,
            does: SideEffects::NOTHING,
            changes_receiver: false,
            parameters: &[],
        }
    }

    /// Whether it takes arguments of these types.
    pub fn fits(&self, given: &[Types]) -> bool {
        let mut pairs = self.takes.iter().zip(given);
        pairs.all(|(takes, given)| takes.meets(*given))
    }

    /// Whether it changes the game, or asks a player.
    pub const fn changes(&self) -> bool {
        let changes = SideEffects::CHANGES.and(SideEffects::ASKS);
        self.does
            .any(changes.and(SideEffects::CHANCE).and(SideEffects::SHOWS))
    }

    /// Whether it affects anything but the value it is called on.
    pub const fn acts(&self) -> bool {
        self.changes() || self.does.any(SideEffects::ANSWERS.and(SideEffects::RUNS))
    }
}

/// Functions of Rhai that scripts cannot call. Packs may not define them either.
const DISALLOWED: &[&str] = &[
    "Fn",
    "call",
    "curry",
    "is_def_fn",
    "is_def_var",
    "is_shared",
];

/// A function that is called only for what the closure does.
const FOR_EACH: &str = "for_each";

static SIGNATURES: LazyLock<BTreeMap<&str, Vec<Signature>>> = LazyLock::new(|| {
    let mut all: BTreeMap<&str, Vec<Signature>> = BTreeMap::new();
    for def in primitives::all() {
        all.entry(def.name).or_default().push(Signature {
            takes: def.parameters.iter().map(|own| own.types).collect(),
            gives: def.result,
            does: def.does,
            changes_receiver: def.changes_receiver,
            parameters: def.parameters,
        });
    }
    for function in closures::all() {
        all.entry(&function.name).or_default().push(Signature {
            takes: function
                .parameters
                .iter()
                .map(|(_, types)| *types)
                .collect(),
            gives: function.result,
            does: function.does,
            changes_receiver: function.changes_receiver,
            parameters: &[],
        });
    }
    all
});

/// The overloads of a function.
pub fn signatures(name: &str) -> &'static [Signature] {
    SIGNATURES.get(name).map(Vec::as_slice).unwrap_or_default()
}

/// The overloads of a function with a number of arguments.
pub fn with_count(name: &str, count: usize) -> impl Iterator<Item = &'static Signature> {
    let all = signatures(name).iter();
    all.filter(move |signature| signature.takes.len() == count)
}

/// The names of all functions.
pub fn names() -> impl Iterator<Item = &'static str> {
    SIGNATURES.keys().copied()
}

/// Whether a function has an effect besides returning a value.
pub fn does(name: &str) -> bool {
    let acts = |signature: &Signature| signature.acts() || signature.changes_receiver;
    name == FOR_EACH || signatures(name).iter().any(acts)
}

/// What an argument of a call stands for, if it is a string or a map.
pub fn roles(name: &str, count: usize, position: usize) -> impl Iterator<Item = Role> {
    let parameters =
        with_count(name, count).filter_map(move |native| native.parameters.get(position));
    parameters.map(|parameter| parameter.role)
}

/// The numbers of arguments a function takes; `None` if it does not exist.
pub fn counts(name: &str) -> Option<Vec<usize>> {
    let all = SIGNATURES.get(name)?.iter();
    let mut counts: Vec<usize> = all.map(|signature| signature.takes.len()).collect();
    counts.sort_unstable();
    counts.dedup();
    Some(counts)
}

/// Whether an engine function or the language has this name.
pub fn is_native(name: &str) -> bool {
    SIGNATURES.contains_key(name) || DISALLOWED.contains(&name)
}

/// "2 or 3 arguments".
pub fn arguments_in_words(counts: &[usize]) -> String {
    let list = counts
        .iter()
        .map(usize::to_string)
        .collect::<Vec<_>>()
        .join(" or ");
    format!("{list} argument{}", if counts == [1] { "" } else { "s" })
}

/// The ways to call a function, at most three: "`draw(seat, count)`".
pub fn usages(name: &str, is_method: bool) -> Vec<String> {
    let usage = |signature: &Signature| {
        let names: Vec<&str> = signature.parameters.iter().map(|own| own.name).collect();
        match names.split_first() {
            Some((first, rest)) if is_method => {
                format!("`{first}.{name}({})`", rest.join(", "))
            }
            _ => format!("`{name}({})`", names.join(", ")),
        }
    };
    let mut all: Vec<String> = signatures(name).iter().map(usage).collect();
    all.dedup();
    all.truncate(3);
    all
}
