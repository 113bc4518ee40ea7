//! Native functions of the engine and of Rhai: their types, and whether they have effects.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use super::types::Types;
use crate::diagnostic::nearest;
use crate::migrate;
use crate::script::engine;

/// The types of one overload of a function.
#[derive(Clone, Debug)]
pub struct Signature {
    pub takes: Vec<Types>,
    pub gives: Types,
}

/// Functions with an effect: they change the game, ask a player or write to the log.
const WITH_EFFECT: &[&str] = &[
    "add",
    "again",
    "allow",
    "at_least",
    "call",
    "cap",
    "chance",
    "choose",
    "choose_amount",
    "choose_amount_each",
    "choose_each",
    "choose_first",
    "choose_option",
    "choose_order",
    "choose_some",
    "choose_split",
    "clear",
    "confirm",
    "control",
    "create",
    "create_all",
    "damage",
    "damage_from",
    "deny",
    "discard",
    "draw",
    "effect",
    "eliminate",
    "emit",
    "end",
    "end_effect",
    "end_effects",
    "end_fight_turn",
    "end_game",
    "end_phase",
    "end_turn",
    "extra_turn",
    "fall",
    "flip",
    "gain",
    "goes_first",
    "hide",
    "join",
    "later",
    "lay_out",
    "leave",
    "lock",
    "look",
    "lose",
    "mark",
    "move_to",
    "move_under",
    "order",
    "pay",
    "pay_one",
    "random",
    "refill",
    "replaced",
    "reroll",
    "reroute",
    "resolve",
    "reveal",
    "roll",
    "run",
    "run_sequence",
    "say",
    "say_to",
    "set",
    "shuffle",
    "shuffled",
    "spend",
    "start_fight",
    "suffer",
    "tally",
    "trash",
    "unmark",
    "use_up",
];

/// Functions with an effect that read-only scripts may call, because they do not change the game.
const IN_READ_ONLY: &[&str] = &[
    "add", "allow", "at_least", "call", "cap", "deny", "hide", "lock", "replaced", "run", "set",
];

/// Methods that change the list, map or text they are called on.
pub const MUTATING: &[&str] = &[
    "push",
    "append",
    "insert",
    "pad",
    "pop",
    "shift",
    "remove",
    "truncate",
    "chop",
    "crop",
    "reverse",
    "splice",
    "drain",
    "retain",
    "sort",
    "dedup",
    "clear",
    "set",
    "mixin",
    "fill_with",
    "replace",
    "trim",
    "make_upper",
    "make_lower",
    "rotate",
    "order_by",
    "order_desc",
    "sort_by",
    "sort_desc",
    "for_each",
];

/// Whether a function affects anything but the value it is called on.
pub fn acts(name: &str) -> bool {
    WITH_EFFECT.contains(&name)
}

/// Whether a function has an effect besides returning a value.
pub fn does(name: &str) -> bool {
    WITH_EFFECT.contains(&name) || MUTATING.contains(&name)
}

/// Whether a function changes the game or asks a player.
pub fn changes(name: &str) -> bool {
    WITH_EFFECT.contains(&name) && !IN_READ_ONLY.contains(&name)
}

thread_local! {
    static NATIVES: OnceCell<BTreeMap<String, Vec<Signature>>> = const { OnceCell::new() };
}

/// Calls `look` with the signatures of native functions by name.
pub fn natives<T>(look: impl FnOnce(&BTreeMap<String, Vec<Signature>>) -> T) -> T {
    NATIVES.with(|cell| look(cell.get_or_init(gather)))
}

/// The numbers of arguments a native function takes; `None` if it does not exist.
pub fn counts(name: &str) -> Option<Vec<usize>> {
    if LANGUAGE.contains(&name) {
        return Some((0..8).collect());
    }
    natives(|all| {
        let mut counts: Vec<usize> = all
            .get(name)?
            .iter()
            .map(|signature| signature.takes.len())
            .collect();
        counts.sort_unstable();
        counts.dedup();
        Some(counts)
    })
}

/// Functions of the language, which accept any arguments.
pub const LANGUAGE: &[&str] = &["type_of", "is_def_var", "is_def_fn", "call", "Fn", "curry"];

fn gather() -> BTreeMap<String, Vec<Signature>> {
    let mut all: BTreeMap<String, Vec<Signature>> = BTreeMap::new();
    for module in engine::natives() {
        for text in module.gen_fn_signatures_with_mapper(Into::into) {
            let (name, signature) = signature(&text);
            all.entry(name.to_owned()).or_default().push(signature);
        }
    }
    all
}

/// Parses `name(a: T, b: U) -> V`.
fn signature(text: &str) -> (&str, Signature) {
    let Some((name, rest)) = text.split_once('(') else {
        return (
            text,
            Signature {
                takes: Vec::new(),
                gives: Types::ANY,
            },
        );
    };
    let (mut depth, mut start, mut end, mut parts) = (0_i32, 0, rest.len(), Vec::new());
    for (at, c) in rest.char_indices() {
        match c {
            '(' | '<' | '[' => depth += 1,
            ')' if depth == 0 => {
                end = at;
                break;
            }
            // The arrow of a function type is not a bracket.
            '>' if rest[..at].ends_with('-') => {}
            ')' | '>' | ']' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&rest[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    if !rest[start..end].trim().is_empty() {
        parts.push(&rest[start..end]);
    }
    let takes = parts
        .iter()
        .map(|part| {
            part.split_once(':')
                .map_or(Types::ANY, |(_, ty)| Types::of(ty))
        })
        .collect();
    let gives = rest[end..]
        .split_once("->")
        .map_or(Types::NOTHING, |(_, gives)| Types::of(gives));
    (name.trim(), Signature { takes, gives })
}

/// Whether a native function has this name.
pub fn is_native(name: &str) -> bool {
    LANGUAGE.contains(&name) || natives(|all| all.contains_key(name))
}

/// The message for a call of a function that does not exist with these arguments.
pub fn not_found(signature: &str) -> String {
    let (name, arguments) = signature.split_once(" (").unwrap_or((signature, ""));
    let arguments = arguments.strip_suffix(')').unwrap_or(arguments);
    let count = if arguments.is_empty() {
        0
    } else {
        arguments.split(", ").count()
    };
    let arguments = in_words(arguments);
    if let Some(property) = name.strip_prefix("get$") {
        if let Some(method) = migrate::method(property) {
            return format!("`{property}` is a method: write `{method}`");
        }
        return format!("{arguments} has no `{property}`");
    }
    if let Some(property) = name.strip_prefix("set$") {
        return format!("`{property}` of {arguments} cannot be set");
    }
    if name == "index$get$" || name == "index$set$" {
        return format!("cannot be indexed: {arguments}");
    }
    match counts(name) {
        None => {
            let near =
                natives(|all| nearest(name, all.keys().map(String::as_str)).map(str::to_owned));
            let near = near.map(|near| format!("; did you mean `{near}`?"));
            format!("unknown function `{name}`{}", near.unwrap_or_default())
        }
        Some(counts) if !counts.contains(&count) => {
            format!(
                "`{name}` takes {}, not {count}",
                arguments_in_words(&counts)
            )
        }
        Some(_) => format!("wrong arguments of `{name}`: {arguments}"),
    }
}

/// Describes the types in one of Rhai's messages for authors.
fn in_words(types: &str) -> String {
    types
        .split(", ")
        .map(|name| {
            if name.is_empty() {
                String::new()
            } else {
                in_word(name)
            }
        })
        .collect::<Vec<_>>()
        .join(", ")
}

fn in_word(name: &str) -> String {
    match name
        .trim_start_matches("&mut ")
        .rsplit("::")
        .next()
        .unwrap_or(name)
    {
        "()" => "nothing".to_owned(),
        "array" => "a list".to_owned(),
        "map" => "a map".to_owned(),
        "string" | "&str | ImmutableString | String" => "a text".to_owned(),
        "EntityRef" | "Thing" => "a seat, piece, place or the table".to_owned(),
        bare => match Types::of(bare) {
            Types::ANY => bare.to_owned(),
            types => types.words(),
        },
    }
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
