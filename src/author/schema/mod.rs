//! JSON Schemas of the files of packs, so that editors complete fields and ids and mark what does not fit.
//!
//! They are made for the language server `taplo`, which shapes them in two ways. It takes descriptions only from the
//! schema a key ends at, never from beside a `$ref`, so that what differs from field to field is written out. And it
//! offers a key once for each branch of an `anyOf`, so that forms that are only accepted are hidden (`shape::quiet`).

mod cases;
mod changes;
mod declared;
mod kinds;
mod shape;
mod sight;
mod taplo;
mod types;

use serde_json::{Map, Value, json};

use crate::pack::PackSet;
use shape::{described, object, texts};
use sight::Sight;

pub use taplo::{MARK, associations};

/// The draft that `taplo` reads.
const DRAFT: &str = "http://json-schema.org/draft-07/schema#";

/// The schemas of the files of some packs.
pub struct Schemas {
    /// For `pack.toml`.
    pub pack: Value,
    /// For all other files of content.
    pub content: Value,
    /// For the files of cases below `tests/`.
    pub tests: Value,
}

/// Makes the schemas for the files of these packs, by number. `codes` are the warnings a pack may allow.
#[must_use]
pub fn schemas(set: &PackSet, chosen: &[u16], codes: &[&str]) -> Schemas {
    let sight = Sight::new(set, chosen);
    let names: Vec<&str> = chosen
        .iter()
        .filter_map(|pack| Some(&*set.packs.get(usize::from(*pack))?.manifest.id))
        .collect();
    let of = names.join(", ");
    let definitions = definitions(&sight);
    let blocks = blocks(&sight);
    let mut with_head = blocks.clone();
    with_head.insert("pack".into(), manifest(&sight));
    with_head.insert("check".into(), allowed(codes));
    let content = file(&format!("Content of {of}"), &blocks, &definitions, &sight);
    let mut pack = file(
        &format!("pack.toml of {of}"),
        &with_head,
        &definitions,
        &sight,
    );
    pack["required"] = json!(["pack"]);
    Schemas {
        pack,
        content,
        tests: cases::file(&sight, &format!("Cases of {of}"), DRAFT),
    }
}

fn file(
    title: &str,
    blocks: &Map<String, Value>,
    definitions: &Map<String, Value>,
    sight: &Sight,
) -> Value {
    json!({
        "$schema": DRAFT,
        "title": title,
        "type": "object",
        "properties": blocks,
        // A pack that is not here may declare further kinds.
        "additionalProperties": sight.open,
        "definitions": definitions,
    })
}

fn definitions(sight: &Sight) -> Map<String, Value> {
    let mut all = kinds::definitions(sight);
    all.extend(changes::definitions(sight));
    all.extend(declared::definitions(sight));
    all
}

/// What may stand at the top of a file: a list of blocks for each kind, and the words that are not kinds.
fn blocks(sight: &Sight) -> Map<String, Value> {
    let mut all = kinds::blocks(sight);
    for (word, text) in [
        (
            "kind",
            "Declares a kind of entries: its fields and what they may hold.",
        ),
        (
            "patch",
            "Changes fields of an entry, of this pack or of one it builds on.",
        ),
        ("remove", "Takes an entry out."),
    ] {
        let items = json!({ "$ref": format!("#/definitions/{word}") });
        all.insert(
            word.into(),
            json!({ "description": text, "type": "array", "items": items }),
        );
    }
    all
}

/// `[pack]`.
fn manifest(sight: &Sight) -> Value {
    let line = |text: &str| json!({ "description": text, "type": "string" });
    let packs = |text: &str| described(texts(&sight.pack_ids()), text);
    let id = json!({ "description": "Its name in files and journals.", "type": "string", "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$" });
    let properties = json!({
        "id": id,
        "title": line("What people call it."),
        "version": line("Three numbers with dots, as in \"1.0.0\"."),
        "authors": described(texts(&[]), "Who wrote it."),
        "license": line("Under which licence."),
        "description": line("What it is, in a sentence or two."),
        "engine": line("The versions of the engine it was written for, as in \"1\"."),
        "depends": packs("Packs it cannot do without: \"id\", or \"id ^1\" with a range of versions."),
        "optional": packs("Packs it knows about, but can do without."),
        "extends": packs("Packs whose modes it adds layers to when it is chosen."),
    });
    described(
        object(properties, &["id"]),
        "What the pack is called, which version it is, and what it needs.",
    )
}

/// `[check]`.
fn allowed(codes: &[&str]) -> Value {
    let allow = described(
        texts(codes),
        "Codes of warnings that are silenced in the whole pack.",
    );
    let avoid = json!({ "description": "Words to avoid, each with what to write instead.", "type": "object", "additionalProperties": { "type": "string" } });
    described(
        object(json!({ "allow": allow, "avoid": avoid }), &[]),
        "What `kaer check` is to leave alone.",
    )
}
