//! The schema of test files; see [`case`](crate::cases::case). In a case with `rows`, any value can
//! be a `"{column}"`.

use serde_json::{Value, json};

use super::json::{any_of, branches, described, list, map, object, quiet, word};
use super::names::SchemaNames;
use super::types::id;

pub fn file(scope: &SchemaNames, title: &str, draft: &str) -> Value {
    let properties = json!({
        "defaults": described(defaults(scope), "Defaults for all cases of this file."),
        "case": { "description": "A test case: it sets up a game, makes moves and compares the result.", "type": "array", "items": case(scope) },
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

/// A value, or a placeholder for a column of the rows.
fn or_column(value: Value) -> Value {
    let column = json!({ "type": "string", "pattern": "^\\{[A-Za-z][A-Za-z0-9_-]*\\}$" });
    any_of(branches(value).into_iter().chain([quiet(column)]).collect())
}

fn number(min: i64, max: i64) -> Value {
    or_column(json!({ "type": "integer", "minimum": min, "maximum": max }))
}

fn amount() -> Value {
    or_column(json!({ "type": "integer" }))
}

/// Offers ids but accepts others: a case can add packs that the schema does not know.
fn ids(scope: &SchemaNames, to: &[&str]) -> Value {
    let to: Vec<String> = to.iter().map(|kind| (*kind).to_owned()).collect();
    word(&scope.ids(&to).into_keys().collect::<Vec<_>>())
}

fn several(items: &Value, text: &str) -> Value {
    described(or_column(json!({ "type": "array", "items": items })), text)
}

const MODE: &str = "The mode to play; by default, the first mode of the pack.";
const PLAYERS: &str = "The number of players, or their names; by default, the minimum of the mode.";

fn mode(scope: &SchemaNames) -> Value {
    id(scope, &["mode".to_owned()])
}

fn players() -> Value {
    let count = json!({ "type": "integer", "minimum": 0, "maximum": 255 });
    any_of(vec![
        count,
        json!({ "type": "array", "items": { "type": "string" } }),
    ])
}

/// Everything that a case can have, except a name.
fn defaults(scope: &SchemaNames) -> Value {
    let mut properties = properties(scope);
    if let Some(properties) = properties.as_object_mut() {
        properties.remove("name");
    }
    object(properties, &[])
}

fn case(scope: &SchemaNames) -> Value {
    object(properties(scope), &["name"])
}

fn properties(scope: &SchemaNames) -> Value {
    let rules: Vec<&str> = scope
        .entries
        .iter()
        .filter(|entry| entry.text("section").is_some())
        .map(|entry| &*entry.id)
        .collect();
    let then = json!({ "type": "string", "enum": ["random"] });
    json!({
        "name": line("The name of the case: what it shows."),
        "rows": described(rows(), "Rows of parameters. The case runs once per row, with the values in place of `{column}`."),
        "rule": described(list(&word(&rules)), "The rules that the case covers."),
        "mode": described(or_column(mode(scope)), MODE),
        "roles": lines("The role of each player, by id; `\"\"` leaves it to the game."),
        "with": several(&word(&scope.pack_ids()), "Additional packs, by id."),
        "options": several(&ids(scope, &["option"]), "Game options to enable."),
        "players": described(or_column(players()), PLAYERS),
        "seed": described(number(0, i64::MAX), "The random seed."),
        "chance": several(&forced(), "Forced random results after the setup, in order: numbers from 1, `order: a, b`, `piece: a`."),
        "setup": described(setup(scope), "The state before the first move."),
        "moves": lines("Moves as option keys; write `2>` before a key for an answer of seat 2."),
        "then": described(then, "How to finish the game after the moves: with random answers."),
        "expect": described(expect(), "The expected result."),
    })
}

fn forced() -> Value {
    let drawn = json!({ "type": "integer", "minimum": 1, "maximum": u32::MAX });
    any_of(vec![drawn, json!({ "type": "string" })])
}

fn rows() -> Value {
    let row = json!({ "type": "object", "minProperties": 1 });
    json!({ "type": "array", "items": row, "minItems": 1 })
}

fn setup(scope: &SchemaNames) -> Value {
    let zone = or_column(json!({ "type": "array", "items": ids(scope, &["piece"]) }));
    let files = map(json!({ "type": "string" }));
    let properties = json!({
        "start": line("The entry the game starts at, as with `kaer play --at`: one whose kind has a [[start]], a place or a role."),
        "files": described(files, "Files to add to the pack or replace, in memory: `\"extra.toml\" = \'\'\'…\'\'\'`."),
        "counters": described(map(amount()), "Counters: `\"1.coins\" = 3`."),
        "flags": described(map(json!({})), "Flags: `\"table.baron\" = \"spared\"`, `\"1.met\" = true`."),
        "zones": described(map(zone), "Pieces in zones, the top first: `\"1.hand\" = [\"a\", \"b\"]`."),
        "places": described(map(ids(scope, &["place"])), "Places of players: `\"1\" = \"mill\"`."),
        "chance": several(&forced(), "Forced random results of the setup, in order."),
        "before": line("A script that runs before the setup of the mode."),
        "do": line("A script that runs after the setup of the mode and everything above. It can call the functions of the pack, and those in `.rhai` files of its folder `tests/`."),
    });
    object(properties, &[])
}

fn expect() -> Value {
    let flag = |text: &str| described(or_column(json!({ "type": "boolean" })), text);
    let text = || json!({ "type": "string" });
    let properties = json!({
        "after": described(number(0, i64::MAX), "Compare the log only after this many moves."),
        "log": lines("Fragments of log lines, in this order."),
        "not_log": lines("Fragments that no log line may contain."),
        "state": described(map(json!({})), "Values of counters, zones and places: `\"1.coins\" = 3`, `\"1.hand\" = [\"a\"]`."),
        "counted": described(
            map(map(amount())),
            "Values of statistics: all groups of each one named.",
        ),
        "decision": line("A fragment of the pending question, or of its id."),
        "options": lines("The keys of all available options, in any order."),
        "open": lines("Keys of available options, among others."),
        "closed": described(map(text()), "Keys of unavailable options, each with a fragment of the reason."),
        "hidden": lines("Keys of hidden options."),
        "over": flag("Whether the game is over."),
        "winners": several(&number(0, 255), "The winners, by seat number."),
        "faults": lines("Fragments of script faults; by default, no fault is expected."),
        "refused": line("A fragment of the reason why the last move is refused."),
        "unseen": described(map(texts()), "Texts that must not appear in a seat's view: `\"2\" = [\"Low Sweep\"]`."),
        "diagnostics": lines(
            "All diagnostics of `kaer check`: `\"unknown-zone\"`, `\"cards.toml:12 unknown-zone\"`.",
        ),
        "snapshot": flag("Whether to compare the whole log with a snapshot."),
    });
    object(properties, &[])
}
