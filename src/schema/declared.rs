//! `[[kind]]`: how packs declare kinds of entry and their fields.

use serde_json::{Map, Value, json};

use super::json::{described, map, object, pointer, texts};
use super::kinds::ID;
use super::names::SchemaNames;
use super::types::common_key;
use crate::pack::{EntryNature, TYPES};

/// Types that need further keys, so a name alone is not enough.
const TYPES_WITH_DETAILS: [&str; 2] = ["enum", "table"];

/// The definitions of a `[[kind]]` block, of a field, and of the items of a list or map.
pub fn definitions(scope: &SchemaNames) -> Map<String, Value> {
    let all = [
        ("kind", kind()),
        ("extend", extend(scope)),
        ("field", field(scope, true)),
        ("item", field(scope, false)),
    ];
    all.into_iter()
        .map(|(name, schema)| (name.to_owned(), schema))
        .collect()
}

fn kind() -> Value {
    let line = |text: &str| json!({ "description": text, "type": "string" });
    let words = [EntryNature::Piece, EntryNature::Place, EntryNature::Data].map(EntryNature::word);
    let is = json!({ "type": "string", "enum": words, "default": EntryNature::default().word() });
    let properties = json!({
        "id": { "description": "The id of the kind: the name in `[[id]]`.", "type": "string", "pattern": ID, "maxLength": 80 },
        "title": line("The title shown to players."),
        "text": line("What entries of this kind are for."),
        "is": described(is, "What its entries are: pieces in zones, places on the map, or plain data."),
        "faces": described(texts(&[]), "The names of the other faces of its pieces."),
        "fields": described(map(pointer("field")), "The fields: each a type, or a table with a `type`."),
        "needs": {
            "description": "Fields that are required if another field has a certain value.",
            "type": "array",
            "items": object(json!({ "field": line("The field to compare."), "is": line("The value of that field."), "fields": described(texts(&[]), "The fields that are then required.") }), &["field", "is", "fields"]),
        },
    });
    object(properties, &["id"])
}

fn extend(scope: &SchemaNames) -> Value {
    let mut kinds: Vec<&str> = scope.kinds.iter().map(|kind| &*kind.id).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let mut properties = kind()["properties"].clone();
    if let Some(properties) = properties.as_object_mut() {
        properties.retain(|name, _| matches!(name.as_str(), "faces" | "fields" | "needs"));
    }
    let hooks = ["on", "offer", "answer"];
    properties["kind"] = json!({ "description": "The kind that gets the additions.", "type": "string", "enum": kinds });
    properties["values"] =
        json!({ "description": "New values of enum fields, by field.", "type": "object" });
    properties["text"] = json!({ "description": "A text that follows the text of every entry of the kind.", "type": "string" });
    for name in hooks {
        properties[name] = pointer(&common_key(name));
    }
    object(properties, &["kind"])
}

/// A type by name, or a table with details. Only fields have a default and a text; items do not.
fn field(scope: &SchemaNames, is_field: bool) -> Value {
    let simple: Vec<&str> = TYPES
        .into_iter()
        .filter(|word| !TYPES_WITH_DETAILS.contains(word))
        .collect();
    let mut kinds: Vec<&str> = scope
        .kinds
        .iter()
        .map(|kind| &*kind.id)
        .chain(["piece"])
        .collect();
    kinds.sort_unstable();
    kinds.dedup();
    let number = |text: &str| json!({ "description": text, "type": "integer" });
    let mut properties = json!({
        "type": { "description": "The type.", "type": "string", "enum": TYPES },
        "min": number("The minimum of a number, or of the length of a list."),
        "max": number("The maximum of a number, or of the length of a list."),
        "values": described(texts(&[]), "The values of an enum."),
        "to": described(texts(&kinds), "The kinds that a ref can refer to; by default, all."),
        "of": pointer("item"),
        "fields": { "description": "The fields of a table, or the kind of this pack that declares them.", "anyOf": [map(pointer("field")), { "type": "string" }] },
    });
    if is_field {
        properties["one_of"] =
            described(texts(&[]), "Fields of which a table must have exactly one.");
        properties["names"] = json!({ "description": "The kind and field that this number refers to, as in `chapter.number`.", "type": "string" });
        properties["unique"] = json!({ "description": "Whether no two entries of the kind may have the same value.", "type": "boolean" });
        properties["optional"] =
            json!({ "description": "Whether the field can be left out.", "type": "boolean" });
        properties["text"] = json!({ "description": "What the field is for.", "type": "string" });
        properties["default"] = json!({ "description": "The value if the field is left out." });
    }
    let mut table = object(properties, &["type"]);
    let is = |word: &str| json!({ "properties": { "type": { "const": word } } });
    table["if"] = is("enum");
    table["then"] = json!({ "required": ["values"] });
    table["else"] = json!({ "if": is("table"), "then": { "required": ["fields"] } });
    json!({ "anyOf": [{ "description": "A type.", "type": "string", "enum": simple }, table] })
}
