//! The definitions of script functions for a language server.

use kaer::script::{definitions, primitives};
use libtest_mimic::Trial;

use crate::support::trials;

pub fn trials() -> Vec<Trial> {
    trials![
        every_line_is_one_the_language_server_reads,
        every_word_is_there_with_its_page,
    ]
}

const OPERATORS: &[&str] = &[
    "+", "-", "*", "/", "%", "**", ">>", "<<", "&", "|", "^", "==", "!=", ">", ">=", "<", "<=",
    "&&", "||", "!", "+=", "-=", "*=", "/=", "%=", "**=", ">>=", "<<=", "&=", "|=", "^=",
];

/// Words that the language server reserves.
const RESERVED: &str = "
    let const for do until while in loop break continue if else switch fn private return throw
    try catch import export as var static goto exit match case public protected new use with
    module package super spawn thread go sync async await yield default void null nil true
    false
";

fn is_name(name: &str) -> bool {
    let reserved = RESERVED.split_whitespace().any(|word| word == name);
    let letters = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    letters && name.starts_with(|c: char| c.is_ascii_alphabetic()) && !reserved
}

/// A type: names separated by `|`.
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
        return is_function(text, |sign| OPERATORS.contains(&sign), is_type);
    }
    line.strip_prefix("fn ")
        .is_some_and(|text| is_function(text, is_named, is_typed))
}

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
            "a page without an item: {line}"
        );
    }
    assert!(
        !is_item("fn with(list: Array) -> Array;")
            && !is_item("fn a(b) -> ?;")
            && !is_item("let x: a::B;")
    );
}

fn every_word_is_there_with_its_page() {
    let text = definitions();
    let joined = text.replace("\n/// ", " ").replace("\n// ", " ");
    let mut told = 0;
    for word in primitives() {
        let name = word.name.rsplit('.').next().unwrap_or_default();
        let wanted = match word.signature.split_once('[') {
            Some((list, _)) => format!("\n// {list}["),
            None if OPERATORS.contains(&name) => format!("\nop {name}("),
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
            && text.contains("\nlet actor: Object;\n")
    );
}
