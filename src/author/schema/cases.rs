//! The files of cases: see [`case`](super::super::case). In a case with `each`, `"{column}"` may stand for any value.

use serde_json::{Value, json};

use super::shape::{any_of, branches, described, list, map, object, quiet, word};
use super::sight::Sight;
use super::types::id;

/// A file of cases.
pub fn file(sight: &Sight, title: &str, draft: &str) -> Value {
    let properties = json!({
        "defaults": described(defaults(sight), "What each case of the file takes over where it says nothing."),
        "case": { "description": "A case.", "type": "array", "items": case(sight) },
    });
    let mut schema = object(properties, &[]);
    schema["$schema"] = draft.into();
    schema["title"] = title.into();
    schema
}

fn line(text: &str) -> Value {
    json!({ "description": text, "type": "string" })
}

fn lines(text: &str) -> Value {
    described(texts(), text)
}

fn texts() -> Value {
    or_column(json!({ "type": "array", "items": { "type": "string" } }))
}

/// A value, or the column of a row that has it.
fn or_column(value: Value) -> Value {
    let column = json!({ "type": "string", "pattern": "^\\{[A-Za-z][A-Za-z0-9_-]*\\}$" });
    any_of(branches(value).into_iter().chain([quiet(column)]).collect())
}

fn number(least: i64, most: i64) -> Value {
    or_column(json!({ "type": "integer", "minimum": least, "maximum": most }))
}

fn amount() -> Value {
    or_column(json!({ "type": "integer" }))
}

/// Ids are offered here and not insisted on: a case may bring packs along that are not in sight.
fn ids(sight: &Sight, to: &[&str]) -> Value {
    let to: Vec<String> = to.iter().map(|kind| (*kind).to_owned()).collect();
    word(&sight.ids(&to).into_keys().collect::<Vec<_>>())
}

fn several(items: &Value, text: &str) -> Value {
    described(or_column(json!({ "type": "array", "items": items })), text)
}

const MODE: &str = "The mode that is played; the pack's first where none is given.";
const PLAYERS: &str =
    "How many players, or their names; as few as the mode takes where none are given.";

fn mode(sight: &Sight) -> Value {
    id(sight, &["mode".to_owned()])
}

fn players() -> Value {
    let count = json!({ "type": "integer", "minimum": 0, "maximum": 255 });
    any_of(vec![
        count,
        json!({ "type": "array", "items": { "type": "string" } }),
    ])
}

fn defaults(sight: &Sight) -> Value {
    let properties = json!({
        "mode": described(mode(sight), MODE),
        "players": described(players(), PLAYERS),
        "do": line("A script that runs before each case's own."),
    });
    object(properties, &[])
}

fn case(sight: &Sight) -> Value {
    let rules: Vec<&str> = sight
        .entries
        .iter()
        .filter(|entry| entry.text("section").is_some())
        .map(|entry| &*entry.id)
        .collect();
    let drawn = json!({ "type": "integer", "minimum": 1, "maximum": u32::MAX });
    let forced = any_of(vec![drawn, json!({ "type": "string" })]);
    let then = json!({ "type": "string", "enum": ["random"] });
    let properties = json!({
        "name": line("What it shows."),
        "each": described(rows(), "Rows of parameters: each is a case of its own, with its values in the place of `{column}`."),
        "rule": described(list(&word(&rules)), "The rules it proves."),
        "mode": described(or_column(mode(sight)), MODE),
        "roles": lines("What each player is, by id; `\"\"` where that is left to the game."),
        "with": several(&word(&sight.pack_ids()), "Further packs."),
        "options": several(&ids(sight, &["option"]), "Options."),
        "players": described(or_column(players()), PLAYERS),
        "seed": described(number(0, i64::MAX), "The seed."),
        "chance": several(&forced, "Results of chance given in advance: numbers from 1, `order: a, b`, `piece: a`."),
        "given": described(given(sight), "What is so before the first move."),
        "moves": lines("The moves: keys of options, with `2>` before them for an answer of seat 2."),
        "then": described(then, "Who goes on after the moves, to the end."),
        "expect": described(expect(), "What is expected."),
    });
    object(properties, &["name"])
}

fn rows() -> Value {
    let row = json!({ "type": "object", "minProperties": 1 });
    json!({ "type": "array", "items": row, "minItems": 1 })
}

fn given(sight: &Sight) -> Value {
    let zone = or_column(json!({ "type": "array", "items": ids(sight, &["piece"]) }));
    let files = map(json!({ "type": "string" }));
    let properties = json!({
        "files": described(files, "Files that are laid over the pack in memory: `\"extra.toml\" = \'\'\'…\'\'\'`."),
        "counters": described(map(amount()), "Counters: `\"1.coins\" = 3`."),
        "zones": described(map(zone), "Zones, the top first: `\"1.hand\" = [\"a\", \"b\"]`."),
        "places": described(map(ids(sight, &["place"])), "Places of seats: `\"1\" = \"mill\"`."),
        "do": line("A script, after all of that."),
    });
    object(properties, &[])
}

fn expect() -> Value {
    let flag = |text: &str| described(or_column(json!({ "type": "boolean" })), text);
    let text = || json!({ "type": "string" });
    let properties = json!({
        "after": described(number(0, i64::MAX), "How many moves are made before the log counts."),
        "log": lines("Parts of lines, in this order."),
        "not_log": lines("Parts of lines that must not be there."),
        "state": described(map(json!({})), "Counters, zones, places: `\"1.coins\" = 3`, `\"1.hand\" = [\"a\"]`."),
        "counted": described(
            map(map(amount())),
            "What statistics have counted, all groups of each that is named.",
        ),
        "decision": line("A part of the question that waits, or of its id."),
        "options": lines("The keys that are open, all of them, in any order."),
        "closed": described(map(text()), "Keys that are closed, and a part of the reason."),
        "hidden": lines("Keys that are not shown."),
        "over": flag("Whether the game is over."),
        "winners": several(&number(0, 255), "The winners, by number."),
        "faults": lines("Parts of faults of scripts; none are expected where none are named."),
        "refused": line("Why the last move does not fit."),
        "unseen": described(map(texts()), "What a seat may not find anywhere in its view: `\"2\" = [\"Low Sweep\"]`."),
        "diagnostics": lines(
            "What `kaer check` finds in the pack, all of it: `\"unknown-zone\"`, `\"cards.toml:12 unknown-zone\"`.",
        ),
        "snapshot": flag("Whether the whole log is compared with a snapshot."),
    });
    object(properties, &[])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::author::read;
    use crate::diagnostic::Files;
    use crate::pack::PackSet;

    /// The names a table may have, told by the reader itself when it meets one that it does not know.
    fn known(text: &str) -> Vec<String> {
        let mut files = Files::new();
        let file = files.add("a.toml", text);
        let told = match read::cases(&files, file) {
            Ok(read) => read[0].case.as_ref().unwrap_err().concat(),
            Err(told) => told.concat(),
        };
        let (_, list) = told.split_once("known fields:").unwrap();
        list.split([',', ' ', '\n'])
            .filter(|name| !name.is_empty())
            .map(str::to_owned)
            .collect()
    }

    fn properties(schema: &Value) -> Vec<String> {
        schema["properties"]
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect()
    }

    #[test]
    fn the_schema_has_the_names_that_are_read() {
        let set = PackSet::default();
        let sight = Sight::new(&set, &[]);
        assert_eq!(properties(&file(&sight, "", "")), known("xyzzy = 1"));
        assert_eq!(
            properties(&defaults(&sight)),
            known("[defaults]\nxyzzy = 1")
        );
        assert_eq!(
            properties(&case(&sight)),
            known("[[case]]\nname = \"a\"\nxyzzy = 1")
        );
        assert_eq!(
            properties(&given(&sight)),
            known("[[case]]\nname = \"a\"\ngiven.xyzzy = 1")
        );
        assert_eq!(
            properties(&expect()),
            known("[[case]]\nname = \"a\"\nexpect.xyzzy = 1")
        );
    }
}
