//! JSON Schemas of pack files, so that editors complete fields and ids and mark mistakes.
//!
//! They are written for the language server `taplo`, which has two peculiarities. It reads
//! descriptions only from the schema that a key resolves to, never from next to a `$ref`, so fields
//! that differ in their description are written out. And it offers a key once for each branch of an
//! `anyOf`, so forms that should be accepted but not offered are hidden (`json::quiet`).

mod cases;
mod changes;
mod declared;
mod json;
mod kinds;
mod names;
mod taplo;
mod types;

use serde_json::{Map, Value, json};

use crate::pack::PackSet;
use json::{described, list, object, texts};
use names::SchemaNames;

pub use taplo::{MARK, associations};

/// The version of JSON Schema that `taplo` supports.
const DRAFT: &str = "http://json-schema.org/draft-07/schema#";

/// The schemas of the three types of pack file.
pub struct Schemas {
    /// For `pack.toml`.
    pub pack: Value,
    /// For all other content files.
    pub content: Value,
    /// For test files in `tests/`.
    pub tests: Value,
}

/// Generates the schemas for these packs, given by index. `codes` are the warnings that a pack can
/// allow.
#[must_use]
pub fn schemas(set: &PackSet, chosen: &[u16], codes: &[&str]) -> Schemas {
    let scope = SchemaNames::new(set, chosen);
    let names: Vec<&str> = chosen
        .iter()
        .filter_map(|pack| Some(&*set.packs.get(usize::from(*pack))?.manifest.id))
        .collect();
    let packs = names.join(", ");
    let definitions = definitions(&scope);
    let blocks = blocks(&scope);
    let mut with_head = blocks.clone();
    with_head.insert("pack".into(), manifest(&scope));
    with_head.insert("check".into(), allowed(codes));
    let content = file(
        &format!("Content of {packs}"),
        &blocks,
        &definitions,
        &scope,
    );
    let mut pack = file(
        &format!("pack.toml of {packs}"),
        &with_head,
        &definitions,
        &scope,
    );
    pack["required"] = json!(["pack"]);
    Schemas {
        pack,
        content,
        tests: cases::file(&scope, &format!("Tests of {packs}"), DRAFT),
    }
}

fn file(
    title: &str,
    blocks: &Map<String, Value>,
    definitions: &Map<String, Value>,
    scope: &SchemaNames,
) -> Value {
    json!({
        "$schema": DRAFT,
        "title": title,
        "type": "object",
        "properties": blocks,
        // A missing pack may declare further kinds.
        "additionalProperties": scope.open,
        "definitions": definitions,
    })
}

fn definitions(scope: &SchemaNames) -> Map<String, Value> {
    let mut all = kinds::definitions(scope);
    all.extend(changes::definitions(scope));
    all.extend(declared::definitions(scope));
    all
}

/// The top-level keys of a file: each kind, and the blocks that are not kinds.
fn blocks(scope: &SchemaNames) -> Map<String, Value> {
    let mut all = kinds::blocks(scope);
    for (word, text) in [
        (
            "kind",
            "Declares a kind of entry, with its fields and their types.",
        ),
        (
            "extend",
            "Adds fields, values, texts and hooks to a kind of another pack or of the engine.",
        ),
        (
            "patch",
            "Changes fields of an entry in this pack or in a pack it builds on.",
        ),
        ("remove", "Removes an entry."),
    ] {
        let items = json!({ "$ref": format!("#/definitions/{word}") });
        all.insert(
            word.into(),
            json!({ "description": text, "type": "array", "items": items }),
        );
    }
    all
}

/// The schema of `[pack]`.
fn manifest(scope: &SchemaNames) -> Value {
    let line = |text: &str| json!({ "description": text, "type": "string" });
    let packs = |text: &str| described(texts(&scope.pack_ids()), text);
    let id = json!({ "description": "The id of the pack, used in files and journals: lower-case letters and digits, with single hyphens between words.", "type": "string", "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$" });
    let properties = json!({
        "id": id,
        "title": line("The title shown to players."),
        "version": line("The version of the pack, as in \"1.0.0\"."),
        "authors": described(texts(&[]), "The authors."),
        "license": line("The licence, as in \"CC-BY-4.0\"."),
        "description": line("What the pack is, in a sentence or two."),
        "engine": line("The engine version it was written for, as in \"1\"."),
        "depends": packs("Packs it requires: \"id\", or \"id ^1\" with a version range."),
        "optional": packs("Packs it can use if they are there."),
        "extends": packs("Packs whose modes it can be added to."),
        "conflicts": packs("Packs it cannot be played with."),
        "in": described(list(&types::condition(scope, &["mode"])), "The modes it can be played in; by default, all: \"solo\", or \"!solo\" for all others."),
    });
    described(
        object(properties, &["id"]),
        "The manifest: id, title, version and dependencies of the pack.",
    )
}

/// The schema of `[check]`.
fn allowed(codes: &[&str]) -> Value {
    let allow = described(
        texts(codes),
        "Warnings to silence in the whole pack, by code.",
    );
    let avoid = json!({ "description": "Words to avoid, each with its replacement.", "type": "object", "additionalProperties": { "type": "string" } });
    described(
        object(json!({ "allow": allow, "avoid": avoid }), &[]),
        "Settings for `kaer check`.",
    )
}
