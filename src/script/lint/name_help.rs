//! What to write instead of an unknown variable or function.

use super::natives;
use super::types::Types;
use crate::content::Content;
use crate::diagnostic::{Diagnostic, Report, Span};

/// Values and words that other languages know.
const FOREIGN_VARIABLES: &[(&str, &str)] = &[
    ("null", "()"),
    ("nil", "()"),
    ("none", "()"),
    ("undefined", "()"),
    ("nothing", "()"),
    ("true", "true"),
    ("false", "false"),
    ("yes", "true"),
    ("no", "false"),
    ("this", "it"),
    ("self", "it"),
    ("me", "actor"),
    ("player", "actor"),
    ("seat", "actor"),
    ("game", "table"),
    ("board", "table"),
    ("opponent", "foe"),
    ("enemy", "foe"),
    ("target", "each"),
];

/// Words that are statements in other languages.
const FOREIGN_STATEMENTS: &[(&str, &str)] = &[
    ("exit", "to end the script, write `return;`"),
    ("quit", "to end the script, write `return;`"),
    ("stop", "to end the script, write `return;`"),
    (
        "end",
        "leave it out: `}` ends a block, and `return;` the script",
    ),
    ("pass", "leave it out: a block may be empty, `{}`"),
    ("skip", "leave it out: a block may be empty, `{}`"),
    ("endif", "leave it out: `}` ends the block"),
    ("fi", "leave it out: `}` ends the block"),
    ("endfor", "leave it out: `}` ends the block"),
    ("endwhile", "leave it out: `}` ends the block"),
    ("done", "leave it out: `}` ends the block"),
    (
        "campaign",
        "flags of the campaign belong to the table: write `table.` and the flag",
    ),
    (
        "flags",
        "a flag is a property: write `table.` or `actor.` and the flag",
    ),
    (
        "flag",
        "a flag is a property: write `table.` or `actor.` and the flag",
    ),
    (
        "counters",
        "a counter is a property: write `actor.` and the counter",
    ),
];

/// Functions that other languages know.
const FOREIGN_FUNCTIONS: &[(&str, &str)] = &[
    ("length", "len"),
    ("size", "len"),
    ("count", "len"),
    ("append", "push"),
    ("add", "push"),
    ("log", "say"),
    ("println", "say"),
    ("printf", "say"),
    ("echo", "say"),
    ("alert", "say"),
    ("write", "say"),
    ("message", "say"),
    ("random", "roll"),
    ("rand", "roll"),
    ("randint", "roll"),
    ("rnd", "roll"),
    ("ask", "choose"),
    ("input", "choose"),
    ("prompt", "choose"),
    ("any", "some"),
    ("every", "all"),
    ("sum", "sum_of"),
    ("joined", "join"),
    ("pluralize", "plural"),
    ("includes", "contains"),
    ("has", "contains"),
    ("indexof", "index_of"),
    ("str", "to_string"),
    ("tostring", "to_string"),
    ("int", "parse_int"),
    ("parseint", "parse_int"),
    ("move", "move_to"),
    ("spawn", "create"),
    ("destroy", "trash"),
    ("delete", "trash"),
];

/// Help for a variable that nothing declares.
pub(super) fn variable(content: &Content, name: &str, seen: &[&str]) -> Option<String> {
    let lower = name.to_lowercase();
    let is_declared = content.find(name).is_some() || content.symbol(name).is_property();
    if let Some((_, help)) = FOREIGN_STATEMENTS.iter().find(|(old, _)| *old == lower)
        && !is_declared
    {
        return Some((*help).to_owned());
    }
    if let Some((_, new)) = FOREIGN_VARIABLES.iter().find(|(old, _)| *old == lower) {
        let is_value = matches!(*new, "()" | "true" | "false");
        if is_value || seen.contains(new) {
            return Some(format!("write `{new}`"));
        }
    }
    let symbol = content.symbol(name);
    let owner = if seen.contains(&"actor") {
        "actor"
    } else {
        "seat"
    };
    if symbol.is_property() {
        return Some(format!(
            "name its owner before a dot, as in `{owner}.{name}` or `table.{name}`"
        ));
    }
    if natives::counts(name).is_some_and(|counts| counts.contains(&0)) {
        return Some(format!("`{name}` is a function: write `{name}()`"));
    }
    let ids = [name.to_owned(), name.replace('_', "-")];
    let id = ids
        .iter()
        .find(|id| content.find(id).is_some() || content.kind(id).is_some())?;
    Some(format!(
        "an id is a text: write it in quotes, as in `\"{id}\"`"
    ))
}

/// Help for a call with a wrong number of arguments, if the first one was written before a dot.
pub(super) fn needless_receiver(name: &str, counts: &[usize], count: usize) -> Option<String> {
    let fits = counts.contains(&count.checked_sub(1)?);
    fits.then(|| format!("`{name}` needs nothing before a dot here: write `{name}(…)`"))
}

/// Help for a call whose arguments show what the author meant.
pub(super) fn misuse(name: &str, given: &[Types]) -> Option<&'static str> {
    let first = *given.first()?;
    let adds = matches!(name, "add" | "push" | "append" | "insert" | "put");
    if adds && first == Types::ZONE {
        return Some("a piece moves into a zone: write `piece.move_to(zone)`");
    }
    let second = given.get(1).copied().unwrap_or(Types::NOTHING);
    match name {
        "end_game" if !first.meets(Types::MAP) => {
            Some("write `end_game(#{ winners: [actor] })`, with a list of seats")
        }
        "move_to" if second == Types::TEXT => Some(
            "name the zone by its owner, as in `actor.hand`, or a place as `place(\"its-id\")`",
        ),
        "add" | "append" if first == Types::LIST => Some("write `list.push(value)`"),
        "has" if first == Types::LIST => Some("write `value in list`"),
        "filter" | "map" | "all" | "some" | "find" | "order_by" | "sum_of"
            if first.meets(Types::LIST) =>
        {
            Some(
                "write a closure between the parentheses, as in `list.filter(|item| item.price > 2)`",
            )
        }
        "say" if first.without(Types::NOTHING).is_none() => {
            Some("write a text, in backticks if it has values in it: `Only ${price}.`")
        }
        "say" => Some("put values into a text with backticks: say(`Only ${price}.`)"),
        "add" | "increase" if first == Types::NUMBER => {
            Some("to change a counter, write `actor.coins += 2`, with `+=`")
        }
        "random" if given.iter().all(|types| *types == Types::NUMBER) => {
            Some("for a random number, write `chance(6)`; for dice, `roll(\"die\", 2)`")
        }
        _ => None,
    }
}

/// A suggestion for a call to a function of another language.
pub(super) fn function(name: &str, is_method: bool) -> Option<String> {
    let lower = name.to_lowercase();
    if lower == "not" {
        return Some("write `!` instead of `not`, as in `!(x > 2)`".to_owned());
    }
    let (_, new) = FOREIGN_FUNCTIONS.iter().find(|(old, _)| *old == lower)?;
    natives::counts(new)?;
    let dot = if is_method { "." } else { "" };
    Some(format!(
        "write `{dot}{new}({})`",
        if *new == "len" { "" } else { "…" }
    ))
}

/// Reports a name that several packs define, with what to write instead.
pub(super) fn ambiguous(name: &str, help: String, span: Span, report: &mut Report) {
    Diagnostic::error(span, "ambiguous-entry", format!("ambiguous name `{name}`"))
        .label("several packs define it")
        .help(help)
        .push(report);
}
