//! What to write instead of an unknown variable or function.

use super::natives;
use crate::content::Content;

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
    if symbol.counter.is_some() || symbol.zone.is_some() {
        return Some(format!(
            "name its owner before a dot, as in `{owner}.{name}` or `table.{name}`"
        ));
    }
    None
}

/// The function of another language that a call stands for.
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
