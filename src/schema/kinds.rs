//! Entries: a definition for each kind, and the fields that all entries share.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::json::{any_of, described, key, object, pointer};
use super::names::{NamedEvent, SchemaNames};
use super::types::{COST, common_key, cost, field, id};
use crate::pack::{ACTION_FIELDS, EntryNature, FACE_FIELDS, FieldSpec, Kind, common};

/// The pattern of ids.
pub const ID: &str = "^[a-z0-9]+([-_][a-z0-9]+)*$";

/// The definitions of all kinds, their faces and the shared fields.
pub fn definitions(scope: &SchemaNames) -> Map<String, Value> {
    let mut all = Map::new();
    all.insert(COST.into(), cost(scope));
    for spec in common()
        .iter()
        .filter(|spec| !matches!(&*spec.name, "face" | "replaces"))
    {
        all.insert(common_key(&spec.name), shared(scope, spec));
    }
    for kind in &scope.kinds {
        all.insert(entry_key(scope, kind), entry(scope, kind));
        if !kind.faces.is_empty() {
            all.insert(face_key(scope, kind), face(scope, kind));
        }
    }
    all
}

/// The top-level key of each kind. Unrelated packs may have kinds with the same name.
pub fn blocks(scope: &SchemaNames) -> Map<String, Value> {
    let mut by_id: BTreeMap<&str, Vec<&Kind>> = BTreeMap::new();
    for kind in &scope.kinds {
        by_id.entry(&kind.id).or_default().push(kind);
    }
    let block = |kinds: Vec<&Kind>| {
        let items = any_of(
            kinds
                .iter()
                .map(|kind| pointer(&entry_key(scope, kind)))
                .collect(),
        );
        let (title, text) = kinds
            .first()
            .map_or(("", ""), |kind| (&*kind.title, &*kind.text));
        described(
            json!({ "title": title, "type": "array", "items": items }),
            if text.is_empty() { title } else { text },
        )
    };
    by_id
        .into_iter()
        .map(|(id, kinds)| (id.to_owned(), block(kinds)))
        .collect()
}

pub fn entry_key(scope: &SchemaNames, kind: &Kind) -> String {
    key(&["kind", scope.pack_of(kind), &kind.id])
}

fn face_key(scope: &SchemaNames, kind: &Kind) -> String {
    key(&["face", scope.pack_of(kind), &kind.id])
}

/// The schema of a shared field.
fn shared(scope: &SchemaNames, spec: &FieldSpec) -> Value {
    match &*spec.name {
        "id" => described(
            json!({ "type": "string", "pattern": ID, "maxLength": 80 }),
            &spec.text,
        ),
        "on" => hooks(scope, &spec.text, &scope.events(), true),
        "offer" => hooks(scope, &spec.text, &scope.events(), false),
        "answer" => hooks(scope, &spec.text, &scope.queries(), false),
        _ => field(scope, spec),
    }
}

/// A name of a particular pack, such as `"storms:gust"`.
pub(super) const OF_A_PACK: &str = "^(self_)?[a-z0-9][a-z0-9-]*:";

/// A table of scripts by event or query; `about_itself` adds the `self_` events.
fn hooks(scope: &SchemaNames, text: &str, events: &[NamedEvent], about_itself: bool) -> Value {
    let script = |text: &str| described(json!({ "type": "string" }), text);
    let mut properties = Map::new();
    for NamedEvent { name, text } in events {
        properties.insert(name.clone(), script(text));
        if about_itself {
            let only = format!("Only if it happens to this piece. {text}");
            properties
                .entry(format!("self_{name}"))
                .or_insert_with(|| script(&only));
        }
    }
    let mut schema = described(object(properties.into(), &[]), text);
    schema["patternProperties"] = json!({ OF_A_PACK: { "type": "string" } });
    if scope.open {
        schema["additionalProperties"] = json!({ "type": "string" });
    }
    schema
}

fn entry(scope: &SchemaNames, kind: &Kind) -> Value {
    let mut properties = Map::new();
    for spec in common() {
        if let Some(schema) = common_field(scope, kind, spec) {
            properties.insert(spec.name.clone(), schema);
        }
    }
    properties.extend(
        kind.fields
            .iter()
            .map(|spec| (spec.name.clone(), field(scope, spec))),
    );
    let own = kind
        .fields
        .iter()
        .filter(|spec| spec.is_required())
        .map(|spec| &*spec.name);
    let mut required = vec!["id"];
    // A mode that extends another inherits the fields it omits.
    let (inherits, own): (bool, Vec<&str>) =
        (kind.id == "mode" && kind.pack.is_none(), own.collect());
    if !inherits {
        required.extend(&own);
    }
    let mut schema = object(properties.into(), &required);
    if inherits {
        schema["if"] = json!({ "not": { "required": ["extends"] } });
        schema["then"] = json!({ "required": own });
    }
    schema["title"] = kind.title.clone().into();
    described(schema, &kind.text)
}

/// The schema of a shared field for one kind; `None` if the kind does not have it.
fn common_field(scope: &SchemaNames, kind: &Kind, spec: &FieldSpec) -> Option<Value> {
    match &*spec.name {
        "face" => (!kind.faces.is_empty()).then(|| {
            let faces: Map<String, Value> = kind
                .faces
                .iter()
                .map(|face| (face.clone(), pointer(&face_key(scope, kind))))
                .collect();
            described(object(faces.into(), &[]), &spec.text)
        }),
        // Only pieces have an owner that can be offered something.
        "offer" if kind.is != EntryNature::Piece => None,
        "replaces" => Some(described(
            id(scope, std::slice::from_ref(&kind.id)),
            &spec.text,
        )),
        _ => Some(pointer(&common_key(&spec.name))),
    }
}

/// A face: the fields of the kind and some shared ones, none of them required.
fn face(scope: &SchemaNames, kind: &Kind) -> Value {
    let shared = common()
        .iter()
        .filter(|spec| FACE_FIELDS.contains(&&*spec.name) || ACTION_FIELDS.contains(&&*spec.name));
    let mut properties: Map<String, Value> = shared
        .filter_map(|spec| Some((spec.name.clone(), common_field(scope, kind, spec)?)))
        .collect();
    properties.extend(
        kind.fields
            .iter()
            .map(|spec| (spec.name.clone(), without_default(field(scope, spec)))),
    );
    described(
        object(properties.into(), &[]),
        &format!("Another face of a {}.", kind.id),
    )
}

/// Removes defaults, which do not apply to other faces.
fn without_default(mut schema: Value) -> Value {
    for branch in schema
        .get_mut("anyOf")
        .and_then(Value::as_array_mut)
        .into_iter()
        .flatten()
    {
        *branch = without_default(branch.take());
    }
    if let Some(rows) = schema.as_object_mut() {
        rows.remove("default");
    }
    schema
}
