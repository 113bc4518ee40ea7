//! The files of cases: see [`case`](super::super::case).

use serde_json::{Value, json};

use super::shape::{any_of, described, list, map, object, word};
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
    json!({ "description": text, "type": "array", "items": { "type": "string" } })
}

fn number(least: i64, most: i64) -> Value {
    json!({ "type": "integer", "minimum": least, "maximum": most })
}

/// Ids are offered here and not insisted on: a case may bring packs along that are not in sight.
fn ids(sight: &Sight, to: &[&str]) -> Value {
    let to: Vec<String> = to.iter().map(|kind| (*kind).to_owned()).collect();
    word(&sight.ids(&to).into_keys().collect::<Vec<_>>())
}

fn several(items: &Value, text: &str) -> Value {
    json!({ "description": text, "type": "array", "items": items })
}

fn mode(sight: &Sight) -> Value {
    described(id(sight, &["mode".to_owned()]), "The mode that is played; the pack's first where none is given.")
}

fn players() -> Value {
    let forms = vec![number(0, 255), json!({ "type": "array", "items": { "type": "string" } })];
    described(any_of(forms), "How many players, or their names; as few as the mode takes where none are given.")
}

fn defaults(sight: &Sight) -> Value {
    let properties = json!({
        "mode": mode(sight),
        "players": players(),
        "do": line("A script that runs before each case's own."),
    });
    object(properties, &[])
}

fn case(sight: &Sight) -> Value {
    let rules: Vec<&str> =
        sight.entries.iter().filter(|entry| entry.text("section").is_some()).map(|entry| &*entry.id).collect();
    let forced = any_of(vec![number(1, i64::from(u32::MAX)), json!({ "type": "string" })]);
    let then = json!({ "type": "string", "enum": ["random"] });
    let properties = json!({
        "name": line("What it shows."),
        "rule": described(list(&word(&rules)), "The rules it proves."),
        "mode": mode(sight),
        "roles": lines("What each player is, by id, where that is not left to the game."),
        "with": several(&word(&sight.pack_ids()), "Further packs."),
        "options": several(&ids(sight, &["option"]), "Options."),
        "players": players(),
        "seed": described(number(0, i64::MAX), "The seed."),
        "chance": several(&forced, "Results of chance given in advance: numbers from 1, `order: a, b`, `piece: a`."),
        "given": described(given(sight), "What is so before the first move."),
        "moves": lines("The moves: keys of options, with `2>` before them for an answer of seat 2."),
        "then": described(then, "Who goes on after the moves, to the end."),
        "expect": described(expect(), "What is expected."),
    });
    object(properties, &["name"])
}

fn given(sight: &Sight) -> Value {
    let zone = json!({ "type": "array", "items": ids(sight, &["piece"]) });
    let properties = json!({
        "counters": described(map(json!({ "type": "integer" })), "Counters: `\"1.coins\" = 3`."),
        "zones": described(map(zone), "Zones, the top first: `\"1.hand\" = [\"a\", \"b\"]`."),
        "places": described(map(ids(sight, &["place"])), "Places of seats: `\"1\" = \"mill\"`."),
        "do": line("A script, after all of that."),
    });
    object(properties, &[])
}

fn expect() -> Value {
    let flag = |text: &str| json!({ "description": text, "type": "boolean" });
    let text = || json!({ "type": "string" });
    let texts = || json!({ "type": "array", "items": { "type": "string" } });
    let properties = json!({
        "log": lines("Parts of lines, in this order."),
        "not_log": lines("Parts of lines that must not be there."),
        "state": described(map(json!({})), "Counters, zones, places: `\"1.coins\" = 3`, `\"1.hand\" = [\"a\"]`."),
        "counted": described(
            map(map(json!({ "type": "integer" }))),
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
        "snapshot": flag("Whether the whole log is compared with a snapshot."),
    });
    object(properties, &[])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::author::case::CaseFile;
    use crate::pack::PackSet;

    /// The names a table may have, told by the reader itself when it meets one that it does not know.
    fn known(text: &str) -> Vec<String> {
        let told = toml::from_str::<CaseFile>(text).map(|_| ()).unwrap_err().to_string();
        let (_, list) = told.split_once("expected").unwrap();
        let mut names: Vec<String> = list.split('`').skip(1).step_by(2).map(str::to_owned).collect();
        names.sort();
        names
    }

    fn properties(schema: &Value) -> Vec<String> {
        schema["properties"].as_object().unwrap().keys().cloned().collect()
    }

    #[test]
    fn the_schema_has_the_names_that_are_read() {
        let set = PackSet::default();
        let sight = Sight::new(&set, &[]);
        assert_eq!(properties(&file(&sight, "", "")), known("nobody = 1"));
        assert_eq!(properties(&defaults(&sight)), known("[defaults]\nnobody = 1"));
        assert_eq!(properties(&case(&sight)), known("[[case]]\nname = \"a\"\nnobody = 1"));
        assert_eq!(properties(&given(&sight)), known("[[case]]\nname = \"a\"\ngiven.nobody = 1"));
        assert_eq!(properties(&expect()), known("[[case]]\nname = \"a\"\nexpect.nobody = 1"));
    }
}
