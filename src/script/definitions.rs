//! Definitions for editors: the words of scripts in the language that Rhai's language server reads.
//!
//! Rhai can write such a file itself, but not this one: it knows neither our results nor what stands behind a dot, names
//! types as Rust does, and takes words for names that its language server keeps for itself.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::Value as Json;

use super::api::{self, EVENT_NAMES, FIGHT_NAMES, PACKET_NAMES, THING_NAMES};
use super::engine;
use super::lint::types::Types;
use super::lint::{built_in, of_event};
use super::reference::functions;
use super::words::ENTRY_NAMES;

const HEAD: &str = "\
/// The words of Kaer's scripts, written by `kaer definitions`.
module static;

// Types: a Thing is a seat, a piece, a place or the table. A Zone holds pieces, an Entry is what a file says of a
// card or a place, Data is a list or a table in an entry. `?` can be anything, `()` is nothing.
";

/// The names every hook sees; functions see the last five.
const NAMES: &[(&str, &str, &str)] = &[
    (
        "it",
        "Thing",
        "In a hook: the piece it belongs to. A function takes it as a parameter.",
    ),
    (
        "entry",
        "Entry",
        "In a hook: the entry it stands in, with its fields. A function takes it as a parameter.",
    ),
    (
        "owner",
        "Thing",
        "In a hook: whose piece it is. A function takes it as a parameter.",
    ),
    (
        "actor",
        "Thing",
        "In a hook: who does it. A function takes it as a parameter.",
    ),
    (
        "each",
        "?",
        "In an action with `each`: the item of this line. A function takes it as a parameter.",
    ),
    (
        "value",
        "?",
        "In `then` and in phases of a sequence: the value that was handed over. A function takes it as a parameter.",
    ),
    (
        "typed",
        "String",
        "In a panel: what was typed after the command. A function takes it as a parameter.",
    ),
    (
        "fighter",
        "Thing",
        "In a fight: whose turn it is. A function takes it as a parameter.",
    ),
    (
        "foe",
        "Thing",
        "In a fight: against whom. A function takes it as a parameter.",
    ),
    ("event", "Event", "What is happening."),
    ("fight", "Fight", "The fight that goes on."),
    ("combo", "Combo", "The cards that were played in a row."),
    ("packet", "Packet", "The loss that is being absorbed."),
    (
        "table",
        "Thing",
        "The table itself, with its counters and zones.",
    ),
];

/// What the language itself has.
const LANGUAGE: &str = "
/// What type a value has, in a word.
fn type_of(value: ?) -> String;

/// A function of a name.
fn Fn(name: String) -> FnPtr;

/// Calls a function.
fn call(function: FnPtr, ...arguments: ?) -> ?;

/// A function that has some of its arguments already.
fn curry(function: FnPtr, ...arguments: ?) -> FnPtr;

/// Whether there is a function of that name with so many parameters.
fn is_def_fn(name: String, parameters: int) -> bool;

/// Whether there is a variable of that name.
fn is_def_var(name: String) -> bool;
";

/// Words that the language server keeps for itself: nothing can be called so in its files.
const KEPT: &[&str] = &[
    "let",
    "const",
    "for",
    "do",
    "until",
    "while",
    "in",
    "loop",
    "break",
    "continue",
    "if",
    "else",
    "switch",
    "fn",
    "private",
    "return",
    "throw",
    "try",
    "catch",
    "import",
    "export",
    "as",
    "var",
    "static",
    "goto",
    "exit",
    "match",
    "case",
    "public",
    "protected",
    "new",
    "use",
    "with",
    "module",
    "package",
    "super",
    "spawn",
    "thread",
    "go",
    "sync",
    "async",
    "await",
    "yield",
    "default",
    "void",
    "null",
    "nil",
    "true",
    "false",
];

/// The signs it knows as operators.
const SIGNS: &[&str] = &[
    "+", "-", "*", "/", "%", "**", ">>", "<<", "&", "|", "^", "==", "!=", ">", ">=", "<", "<=",
    "&&", "||", "!", "+=", "-=", "*=", "/=", "%=", "**=", ">>=", "<<=", "&=", "|=", "^=",
];

/// The definitions, as the text of a `.d.rhai` file.
#[must_use]
pub fn definitions() -> String {
    let mut text = HEAD.to_owned();
    for (name, ty, about) in NAMES {
        let _ = write!(text, "\n/// {about}\nlet {name}: {ty};\n");
    }
    properties(&mut text);
    for (topic, module) in api::topics() {
        let _ = write!(text, "\n// {topic}\n");
        text += &lines(&functions(module));
    }
    text += "\n// What the language itself has: numbers, texts, lists and maps.\n";
    text += LANGUAGE;
    // The words of the engine are the last module; those have been told.
    let natives = engine::natives();
    let of_language: Vec<Json> = natives
        .iter()
        .rev()
        .skip(1)
        .rev()
        .flat_map(|module| functions(module.clone()))
        .collect();
    text += &lines(&of_language);
    text
}

/// What is before a dot, its type, what may follow, and of which type that is.
type Named = (
    &'static str,
    &'static str,
    &'static [&'static str],
    fn(&str) -> Types,
);

/// What stands behind a dot, whatever a pack declares.
fn properties(text: &mut String) {
    let all: [Named; 5] = [
        ("thing", "Thing", THING_NAMES, built_in),
        ("entry", "Entry", ENTRY_NAMES, of_entry),
        ("event", "Event", EVENT_NAMES, of_event),
        ("fight", "Fight", FIGHT_NAMES, of_fight),
        ("packet", "Packet", PACKET_NAMES, of_packet),
    ];
    for (of, ty, names, gives) in all {
        let _ = write!(
            text,
            "\n// What stands behind the dot of `{of}`, besides what packs declare.\n"
        );
        for name in names.iter().filter(|name| is_name(name)) {
            let _ = writeln!(
                text,
                "fn get {name}({of}: {ty}) -> {};",
                in_definition(gives(name))
            );
        }
    }
}

fn of_entry(name: &str) -> Types {
    if name == "copies" {
        Types::NUMBER
    } else {
        Types::TEXT
    }
}

fn of_fight(name: &str) -> Types {
    match name {
        "round" | "turn" => Types::NUMBER,
        "id" => Types::TEXT,
        _ => Types::THING | Types::NOTHING,
    }
}

fn of_packet(name: &str) -> Types {
    match name {
        "purpose" => Types::TEXT,
        "pieces" => Types::LIST,
        _ => Types::NUMBER,
    }
}

/// Every function with its page, sorted.
fn lines(functions: &[Json]) -> String {
    let is_disabled = |function: &&Json| engine::DISABLED.contains(&of(function, "name"));
    let all: BTreeSet<(String, String)> = functions
        .iter()
        .filter(|function| !is_disabled(function))
        .map(|function| (of(function, "name").to_owned(), definition(function)))
        .collect();
    all.into_iter()
        .map(|(_, definition)| format!("\n{definition}"))
        .collect()
}

fn of<'j>(json: &'j Json, name: &str) -> &'j str {
    json.get(name).and_then(Json::as_str).unwrap_or_default()
}

fn items<'j>(json: &'j Json, name: &str) -> &'j [Json] {
    json.get(name)
        .and_then(Json::as_array)
        .map(Vec::as_slice)
        .unwrap_or_default()
}

/// A function as it stands in the file. What its language cannot say is a comment, so that a reader finds it.
fn definition(function: &Json) -> String {
    let name = of(function, "name");
    let takes: Vec<(String, String)> = items(function, "params").iter().map(parameter).collect();
    let gives = type_name(of(function, "returnType"));
    let typed = takes
        .iter()
        .map(|(name, ty)| format!("{name}: {ty}"))
        .collect::<Vec<_>>()
        .join(", ");
    let page = page(function);
    if SIGNS.contains(&name) {
        let types: Vec<&str> = takes.iter().map(|(_, ty)| ty.as_str()).collect();
        return format!(
            "{}op {name}({}) -> {gives};\n",
            commented(&page, "///"),
            types.join(", ")
        );
    }
    let (word, named) = match name.split_once('$') {
        Some((word @ ("get" | "set"), named)) => (format!("fn {word} "), named),
        _ => ("fn ".to_owned(), name),
    };
    if is_name(named) {
        return format!(
            "{}{word}{named}({typed}) -> {gives};\n",
            commented(&page, "///")
        );
    }
    let written = match (name, &takes[..]) {
        ("index$get$", [(list, _), (key, ty)]) => format!("{list}[{key}: {ty}] -> {gives}"),
        ("index$set$", [(list, _), (key, ty), (value, of)]) => {
            format!("{list}[{key}: {ty}] = {value}: {of}")
        }
        _ => format!("{named}({typed}) -> {gives}"),
    };
    format!("{}// {written}\n", commented(&page, "//"))
}

fn commented(page: &[String], mark: &str) -> String {
    page.iter().map(|line| format!("{mark} {line}\n")).collect()
}

fn is_name(name: &str) -> bool {
    let letters = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    letters && name.starts_with(|c: char| c.is_ascii_alphabetic()) && !KEPT.contains(&name)
}

/// The page of a function up to its examples, which for the language's own words are not of this engine.
fn page(function: &Json) -> Vec<String> {
    let comments = items(function, "docComments")
        .iter()
        .filter_map(Json::as_str)
        .flat_map(str::lines);
    let lines = comments.map(|line| line.trim_start_matches(['/', '*']).trim().to_owned());
    lines
        .take_while(|line| !line.is_empty() && !line.starts_with('#'))
        .collect()
}

fn parameter(json: &Json) -> (String, String) {
    let name = of(json, "name")
        .trim_start_matches('_')
        .trim_start_matches("mut ");
    let name = if is_name(name) {
        name.to_owned()
    } else {
        format!("{name}_")
    };
    (
        if name == "_" {
            "value".to_owned()
        } else {
            name
        },
        type_name(of(json, "type")),
    )
}

/// A type as the language server and authors know it.
fn type_name(rust: &str) -> String {
    match rust.rsplit("::").next().unwrap_or(rust) {
        // One letter, of which our own types make a text.
        "char" => "char".to_owned(),
        own => in_definition(Types::of(own)),
    }
}

/// One of several types, as a definition says it.
fn in_definition(types: Types) -> String {
    const WORDS: &[(Types, &str)] = &[
        (Types::NUMBER, "int"),
        (Types::YES_NO, "bool"),
        (Types::TEXT, "String"),
        (Types::LIST, "Array"),
        (Types::MAP, "Map"),
        (Types::THING, "Thing"),
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
        (Types::FUNCTION, "FnPtr"),
        (Types::RANGE, "Range"),
        (Types::NOTHING, "()"),
    ];
    if types == Types::ANY || types.meets(Types::OTHER) || types.is_none() {
        return "?".to_owned();
    }
    let words: Vec<&str> = WORDS
        .iter()
        .filter(|(own, _)| types.meets(*own))
        .map(|(_, word)| *word)
        .collect();
    words.join(" | ")
}

#[cfg(test)]
mod tests {
    use super::super::reference::primitives;
    use super::*;

    /// A type: names with `|` between them.
    fn is_type(text: &str) -> bool {
        text.split(" | ")
            .all(|one| matches!(one, "?" | "()") || is_name(one))
    }

    fn is_typed(text: &str) -> bool {
        let (name, ty) = text
            .trim_start_matches("...")
            .split_once(": ")
            .unwrap_or_default();
        is_name(name) && is_type(ty)
    }

    fn all(list: &str, fits: fn(&str) -> bool) -> bool {
        list.is_empty() || list.split(", ").all(fits)
    }

    /// `name(a: T, b: U) -> V;`, or for operators only types.
    fn is_function(text: &str, is_head: fn(&str) -> bool, item: fn(&str) -> bool) -> bool {
        let text = text.strip_suffix(';').unwrap_or_default();
        let (head, rest) = text.split_once('(').unwrap_or_default();
        let (takes, gives) = rest.split_once(") -> ").unwrap_or_default();
        is_head(head) && all(takes, item) && is_type(gives)
    }

    fn is_named(head: &str) -> bool {
        let named = head
            .strip_prefix("get ")
            .or_else(|| head.strip_prefix("set "))
            .unwrap_or(head);
        is_name(named)
    }

    fn is_item(line: &str) -> bool {
        if let Some(text) = line.strip_prefix("let ") {
            return text.strip_suffix(';').is_some_and(is_typed);
        }
        if let Some(text) = line.strip_prefix("op ") {
            return is_function(text, |sign| SIGNS.contains(&sign), is_type);
        }
        line.strip_prefix("fn ")
            .is_some_and(|text| is_function(text, is_named, is_typed))
    }

    #[test]
    fn every_line_is_one_the_language_server_reads() {
        let text = definitions();
        let mut lines = text
            .lines()
            .skip_while(|line| *line != "module static;")
            .skip(1)
            .peekable();
        assert!(lines.peek().is_some());
        while let Some(line) = lines.next() {
            let is_page = line.starts_with("/// ");
            let is_comment = line.starts_with("// ");
            assert!(
                line.is_empty() || is_page || is_comment || is_item(line),
                "{line}"
            );
            let next = lines.peek().copied().unwrap_or_default();
            assert!(
                !is_page || next.starts_with("/// ") || is_item(next),
                "a page of nothing: {line}"
            );
        }
        assert!(
            !is_item("fn with(list: Array) -> Array;")
                && !is_item("fn a(b) -> ?;")
                && !is_item("let x: a::B;")
        );
    }

    #[test]
    fn every_word_is_there_with_its_page() {
        let text = definitions();
        let joined = text.replace("\n/// ", " ").replace("\n// ", " ");
        let mut told = 0;
        for word in primitives() {
            let name = word.name.rsplit('.').next().unwrap_or_default();
            let wanted = match word.signature.split_once('[') {
                Some((list, _)) => format!("\n// {list}["),
                None if SIGNS.contains(&name) => format!("\nop {name}("),
                None if word.name.contains('.') => format!("\nfn get {name}("),
                None if is_name(name) => format!("\nfn {name}("),
                None => format!("\n// {name}("),
            };
            assert!(text.contains(&wanted), "{}", word.signature);
            assert!(
                joined.contains(&word.text),
                "{}: {}",
                word.signature,
                word.text
            );
            told += 1;
        }
        assert!(told > 150, "only {told} words");
        assert!(
            text.contains("\nfn pieces(zone: Zone) -> Array;\n")
                && text.contains("\nlet actor: Thing;\n")
        );
    }
}
