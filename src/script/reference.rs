//! The reference of script functions, from their doc comments.

use super::lint::types::Types;
use super::primitive::{NameKind, Role, SideEffects};
use super::primitives::{self, closures};

/// A script function or built-in property.
#[derive(Clone, Debug)]
pub struct Primitive {
    /// The group that lists it, such as seats, zones or fights.
    pub topic: &'static str,
    /// The name; for a property, its signature.
    pub name: String,
    /// How to call it, with the types of its parameters.
    pub signature: String,
    /// The doc comment without the example.
    pub text: String,
    /// An example of its use; `tests/suite/functions.rs` runs it.
    pub example: Option<Example>,
}

/// Lines of a pack that show what a function does.
///
/// In a `rhai` example, a line may end in `// is VALUE`, its value as text, or in
/// `// answer: KEYS`, the answers of the seats it asks. A `toml` example has entries of a pack and
/// a `[[case]]` that tests them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// `rhai` or `toml`.
    pub language: String,
    /// The lines, without the code fence.
    pub text: String,
}

/// The game that examples run in, as a `rhai` example.
pub const EXAMPLE_GAME: &str = r"// Two gardens in a village. It is Ann's first turn, and she is `actor`.
seats() // is [Ann, Ben]
actor.hand.pieces() // is [Rose, Tulip, Daisy]
actor.deck.pieces() // is [Daisy, Thistle, Rose, Tulip]
table.market.pieces() // is [Lily, Tulip, Thistle]
`${actor.coins} coins, ${actor.water} water in a jug of ${actor.jug}` // is 3 coins, 2 water in a jug of 4
// Examples with `fight`, `foe` or `combo` run in Ann's turn of a fight against Ben and a goose.";

/// Every script function, sorted by topic and name. Those of the language come last.
#[must_use]
pub fn primitives() -> Vec<Primitive> {
    let declared = primitives::all().map(|def| {
        let parameters = def.parameters.iter();
        let parameters: Vec<_> = parameters.map(|own| (own.name, own.types)).collect();
        primitive(def.topic, def.name, &parameters, def.page)
    });
    let with_closure = closures::all().iter().map(|function| {
        let parameters = function.parameters.iter();
        let parameters: Vec<_> = parameters.map(|own| (own.0.as_str(), own.1)).collect();
        let topic = if function.does.any(SideEffects::LANGUAGE) {
            LANGUAGE
        } else {
            "questions"
        };
        primitive(topic, &function.name, &parameters, &function.page)
    });
    let mut list: Vec<Primitive> = declared.chain(with_closure).collect();
    list.sort_by(|a, b| {
        let key = |own: &Primitive| (own.topic == LANGUAGE, own.topic);
        let names = |own: &Primitive| (own.name.clone(), own.signature.clone());
        (key(a), names(a)).cmp(&(key(b), names(b)))
    });
    list
}

/// The topic of the language functions.
const LANGUAGE: &str = "language";

fn primitive(
    topic: &'static str,
    name: &str,
    parameters: &[(&str, Types)],
    page: &str,
) -> Primitive {
    let written: Vec<String> = parameters
        .iter()
        .map(|(name, types)| format!("{name}: {}", type_name(*types)))
        .collect();
    let (text, example) = split_page(page);
    let (name, signature) = match (name, parameters, &written[..]) {
        ("[]", [(of, _), _], [_, at]) => both(format!("{of}[{at}]")),
        ("[]=", [(of, _), ..], [_, at, value]) => both(format!("{of}[{at}] = {value}")),
        ("in range", ..) => both("value in from..to".to_owned()),
        (name, _, [left, right]) if is_operator(name) => {
            (name.to_owned(), format!("{left} {name} {right}"))
        }
        _ => (name.to_owned(), format!("{name}({})", written.join(", "))),
    };
    Primitive {
        topic,
        name,
        signature,
        text,
        example,
    }
}

fn both(notation: String) -> (String, String) {
    (notation.clone(), notation)
}

/// Whether a name is that of an operator.
pub(super) fn is_operator(name: &str) -> bool {
    !name.starts_with('[') && !name.contains(|c: char| c.is_alphanumeric() || c == '_')
}

/// The text of a doc comment, and the code block at its end.
fn split_page(page: &str) -> (String, Option<Example>) {
    let lines: Vec<&str> = page.lines().collect();
    let code = lines
        .iter()
        .position(|line| line.starts_with("```"))
        .unwrap_or(lines.len());
    let (said, code) = lines.split_at(code);
    let example = code.split_first().map(|(head, rest)| {
        let end = rest
            .iter()
            .position(|line| *line == "```")
            .unwrap_or(rest.len());
        Example {
            language: head.trim_start_matches('`').to_owned(),
            text: rest[..end].join("\n"),
        }
    });
    (said.join(" ").trim().to_owned(), example)
}

/// The name of a type that is shown to authors.
fn type_name(types: Types) -> &'static str {
    const NAMES: &[(Types, &str)] = &[
        (Types::NUMBER, "number"),
        (Types::BOOL, "bool"),
        (Types::TEXT, "string"),
        (Types::LIST, "list"),
        (Types::MAP, "Map"),
        (Types::NOTHING, "()"),
        (Types::OBJECT, "Object"),
        (Types::ZONE, "Zone"),
        (Types::ENTRY, "Entry"),
        (Types::PHASE, "Phase"),
        (Types::DATA, "Data"),
        (Types::SCRIPT, "Script"),
        (Types::EVENT, "Event"),
        (Types::FIGHT, "Fight"),
        (Types::COMBO, "Combo"),
        (Types::PACKET, "Packet"),
        (Types::ROLL, "Roll"),
        (Types::EFFECT, "Effect"),
        (Types::FUNCTION, "function"),
    ];
    let found = NAMES.iter().find(|(own, _)| *own == types);
    found.map_or("anything", |(_, name)| name)
}

/// What the strings in the arguments of a function refer to; `None` if it is not an engine function,
/// so that they may refer to anything.
#[must_use]
pub fn names_in_arguments(function: &str) -> Option<Vec<NameKind>> {
    let mut kinds = Vec::new();
    let mut is_known = false;
    for def in primitives::all().filter(|def| def.name == function) {
        is_known |= !def.does.any(SideEffects::LANGUAGE);
        for parameter in def.parameters {
            match parameter.role {
                Role::Name(kind) => kinds.push(kind),
                Role::Keys(keys) => kinds.extend(keys.iter().map(|(_, kind)| *kind)),
                Role::Plain | Role::Word | Role::Shown => {}
            }
        }
    }
    is_known.then_some(kinds)
}
