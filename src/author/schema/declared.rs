//! `[[kind]]`: the language in which packs declare what entries look like.

use serde_json::{Map, Value, json};

use super::kinds::ID;
use super::shape::{described, map, object, pointer, texts};
use super::sight::Sight;
use crate::pack::{Is, TYPES};

/// The types that say nothing without further words.
const NEED_MORE: [&str; 2] = ["enum", "table"];

/// The block, the declaration of a field, and that of what a list or a map holds.
pub fn definitions(sight: &Sight) -> Map<String, Value> {
    let all = [
        ("kind", kind()),
        ("field", field(sight, true)),
        ("item", field(sight, false)),
    ];
    all.into_iter()
        .map(|(name, schema)| (name.to_owned(), schema))
        .collect()
}

fn kind() -> Value {
    let line = |text: &str| json!({ "description": text, "type": "string" });
    let words = [Is::Piece, Is::Place, Is::Data].map(Is::word);
    let is = json!({ "type": "string", "enum": words, "default": Is::default().word() });
    let properties = json!({
        "id": { "description": "The word in `[[id]]`.", "type": "string", "pattern": ID, "maxLength": 80 },
        "title": line("What people call it."),
        "text": line("What it is for."),
        "is": described(is, "What its entries are: pieces in zones, places of the map, or nothing that could be touched."),
        "faces": described(texts(&[]), "The names of its other faces."),
        "fields": described(map(pointer("field")), "Its fields: a type, or a table with a type."),
        "needs": {
            "description": "Fields that must be there if another has a certain value.",
            "type": "array",
            "items": object(json!({ "field": line("Which field."), "is": line("What it is then."), "fields": described(texts(&[]), "What must be there.") }), &["field", "is", "fields"]),
        },
    });
    object(properties, &["id"])
}

/// A type in one word, or a table that says more. Only what is a field of its own has a default and a text.
fn field(sight: &Sight, is_field: bool) -> Value {
    let simple: Vec<&str> = TYPES
        .into_iter()
        .filter(|word| !NEED_MORE.contains(word))
        .collect();
    let mut kinds: Vec<&str> = sight
        .kinds
        .iter()
        .map(|kind| &*kind.id)
        .chain(["piece"])
        .collect();
    kinds.sort_unstable();
    kinds.dedup();
    let number = |text: &str| json!({ "description": text, "type": "integer" });
    let mut properties = json!({
        "type": { "description": "What it may hold.", "type": "string", "enum": TYPES },
        "min": number("The least a number may be, or how many items a list has at least."),
        "max": number("The most a number may be, or how many items a list has at most."),
        "values": described(texts(&[]), "The words of an enum."),
        "to": described(texts(&kinds), "The kinds of the entries a ref may name; none means all."),
        "of": pointer("item"),
        "fields": described(map(pointer("field")), "The fields of a table."),
    });
    if is_field {
        properties["one_of"] = described(texts(&[]), "Fields of which a table must have one.");
        properties["names"] = json!({ "description": "A number that an entry of a kind has in a field, as in chapter.number.", "type": "string" });
        properties["optional"] =
            json!({ "description": "Whether it may be missing.", "type": "boolean" });
        properties["text"] = json!({ "description": "What it is for.", "type": "string" });
        properties["default"] = json!({ "description": "What it holds when it is missing." });
    }
    let mut table = object(properties, &["type"]);
    let is = |word: &str| json!({ "properties": { "type": { "const": word } } });
    table["if"] = is("enum");
    table["then"] = json!({ "required": ["values"] });
    table["else"] = json!({ "if": is("table"), "then": { "required": ["fields"] } });
    json!({ "anyOf": [{ "description": "A type.", "type": "string", "enum": simple }, table] })
}
