//! Checks maps that functions read by key: options such as `winners`, and pools of dice.

use super::ScriptText;
use crate::content::Content;
use crate::diagnostic::{Diagnostic, Report, find_misspelling};
use crate::script::primitive::NameKind;
use crate::script::syntax::{CallSite, MapRow, Node, NodeKind, Script};

/// The keys that the map in an argument may have: the function, the number of arguments, the argument.
const KEYS: &[(&str, usize, &[&str])] = &[
    ("end_game", 0, &["winners", "text", "score", "at_once"]),
    ("start_fight", 1, &["fighters", "about", "seat", "then"]),
    ("run_sequence", 1, &["seat", "value", "then"]),
    ("join", 0, FIGHTER),
];

const FIGHTER: &[&str] = &["who", "chain", "side", "controller"];

/// The keys of `effect`; scripts of the effect read any other one with `param`.
const EFFECT: &[&str] = &[
    "subject",
    "from",
    "until",
    "while_here",
    "uses",
    "add",
    "set",
    "cap",
    "at_least",
    "lock",
];

/// Checks the maps that a script passes to functions.
pub fn check(content: &Content, tree: &Script, source: &ScriptText<'_>, report: &mut Report) {
    tree.walk(&mut |node| node.each_call(&mut |site| call(content, site, source, report)));
}

fn call(content: &Content, site: CallSite, source: &ScriptText<'_>, report: &mut Report) {
    let (name, arguments) = (&*site.call.name, &site.call.arguments[..]);
    // `join` of a list takes a text.
    for (_, position, keys) in KEYS.iter().filter(|(own, ..)| *own == name) {
        if let Some(rows) = arguments.get(*position).and_then(rows) {
            known_keys(name, rows, keys, source, report);
            for fighter in rows.iter().filter(|row| row.key == "fighters") {
                if let NodeKind::List(fighters) = &fighter.value.kind {
                    for rows in fighters.iter().filter_map(self::rows) {
                        known_keys("fighters", rows, FIGHTER, source, report);
                    }
                }
            }
        }
    }
    if let ("effect", [_, map]) = (name, arguments)
        && let Some(rows) = rows(map)
        && !source.facts.params.is_open
    {
        let own = source.facts.params.keys.iter().map(String::as_str);
        let keys: Vec<&str> = EFFECT.iter().copied().chain(own).collect();
        known_keys(name, rows, &keys, source, report);
    }
    let pool = if site.is_method {
        arguments.first()
    } else {
        arguments.get(1)
    };
    if let ("roll", Some(pool)) = (name, pool) {
        dice(content, pool, source, report);
    }
}

fn rows(node: &Node) -> Option<&[MapRow]> {
    match &node.kind {
        NodeKind::Map(rows) => Some(rows),
        _ => None,
    }
}

fn known_keys(
    name: &str,
    rows: &[MapRow],
    keys: &[&str],
    source: &ScriptText<'_>,
    report: &mut Report,
) {
    for row in rows.iter().filter(|row| !keys.contains(&&*row.key)) {
        let span = source.span(row.value.start(), 1);
        let list: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
        let help = if name == "effect" {
            format!(
                "it reads {}; scripts of an [[effect]] read other values with `param`",
                list.join(", ")
            )
        } else {
            format!("it reads {}", list.join(", "))
        };
        Diagnostic::unknown(span, "unknown-key", "key", &row.key)
            .label(format!("`{name}` never reads it"))
            .did_you_mean(find_misspelling(&row.key, keys.iter().copied()))
            .help(help)
            .push(report);
    }
}

/// Checks the names of a pool of dice.
fn dice(content: &Content, pool: &Node, source: &ScriptText<'_>, report: &mut Report) {
    let mut check = |name: &str, at: u32, len: usize| {
        if NameKind::Die.is_known(content, source.pack, name) {
            return;
        }
        let near = find_misspelling(name, NameKind::Die.known(content));
        Diagnostic::unknown(source.span(at, len), "unknown-die", "die", name)
            .label("in this pool")
            .did_you_mean(near)
            .help("declare it: [[die]] with `id` and `faces`")
            .push(report);
    };
    match &pool.kind {
        NodeKind::Map(rows) => {
            for row in rows {
                check(&row.key, row.value.start(), 1);
            }
        }
        NodeKind::List(list) => {
            for item in list {
                if let Some(name) = item.text() {
                    check(name, item.at, name.len() + 2);
                }
            }
        }
        _ => {}
    }
}
