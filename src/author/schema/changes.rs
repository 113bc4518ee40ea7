//! `[[patch]]` and `[[remove]]`: what may be changed in entries that are there already.
//!
//! A schema cannot look up which kind the entry of a patch is of, so that a field of any kind fits. `kaer check` knows more.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::kinds::entry_key;
use super::shape::{any_of, branches, described, key, list, map, object, pointer, quiet};
use super::sight::Sight;
use super::types::{self, common_key, id};
use crate::pack::{FACE_FIELDS, FIXED, FieldSpec, Is, Kind, Type, common};

/// What a patch may do, and what it means.
const VERBS: [(&str, &str); 5] = [
    (
        "set",
        "Fields that get another value; in a script, `replaced()` runs the old one.",
    ),
    ("add", "Lists that get more items at their end."),
    ("remove", "Lists that lose items."),
    (
        "insert",
        "Lists that get more items in a place of their own: `{ value = …, before = … }`.",
    ),
    (
        "swap",
        "Lists in which an item makes place for another: `{ from = …, to = … }`.",
    ),
];

/// The name of the definition of the entry that is changed.
const ENTRY: &str = "changed";

/// The blocks.
pub fn definitions(sight: &Sight) -> Map<String, Value> {
    let mut head = Map::new();
    head.insert("entry".into(), pointer(ENTRY));
    let modes = list(&id(sight, &["mode".to_owned(), "option".to_owned()]));
    head.insert(
        "in".into(),
        described(
            modes,
            "Only when one of these modes or options is in force.",
        ),
    );
    let remove = object(head.clone().into(), &["entry"]);
    for (verb, text) in VERBS {
        head.insert(verb.into(), described(changes(sight, verb), text));
    }
    let patch = object(head.into(), &["entry"]);
    let entry = described(entry(sight), "The entry that is changed.");
    [("patch", patch), ("remove", remove), (ENTRY, entry)]
        .map(|(name, schema)| (name.to_owned(), schema))
        .into_iter()
        .collect()
}

/// Full names are offered, because a patch is mostly about another pack. Ids alone will do.
fn entry(sight: &Sight) -> Value {
    let mut forms = vec![json!({ "type": "string", "enum": sight.full_names() })];
    forms.extend(branches(id(sight, &[])).into_iter().map(quiet));
    any_of(forms)
}

/// The fields of all kinds that a verb may change.
fn changes(sight: &Sight, verb: &str) -> Value {
    let mut forms: BTreeMap<&str, Vec<(&Type, Value)>> = BTreeMap::new();
    for spec in common().iter().filter(|spec| !FIXED.contains(&&*spec.name)) {
        let at = common_key(&spec.name);
        // Events and queries are known; to a map of scripts any name would do.
        let hooks = verb == "set" && matches!(&*spec.name, "on" | "offer" | "answer");
        let schema = if hooks {
            Some(pointer(&at))
        } else {
            field(sight, verb, spec, None, Some(&at))
        };
        forms
            .entry(&spec.name)
            .or_default()
            .extend(schema.map(|schema| (&spec.ty, schema)));
    }
    for kind in &sight.kinds {
        let faces = common().iter().filter(|spec| spec.ty == Type::Face);
        for spec in kind.fields.iter().chain(faces) {
            let at = format!("{}/properties/{}", entry_key(sight, kind), spec.name);
            let schema = field(sight, verb, spec, Some(kind), Some(&at));
            let known = forms.entry(&spec.name).or_default();
            // Kinds with the same field would only have it offered several times.
            if spec.ty == Type::Face || known.iter().all(|(ty, _)| **ty != spec.ty) {
                known.extend(schema.map(|schema| (&spec.ty, schema)));
            }
        }
    }
    let fields = forms.into_iter().filter(|(_, forms)| !forms.is_empty());
    let joined =
        |forms: Vec<(&Type, Value)>| any_of(forms.into_iter().map(|(_, schema)| schema).collect());
    names(
        fields
            .map(|(name, forms)| (name.to_owned(), joined(forms)))
            .collect(),
        sight.open,
    )
}

fn field(
    sight: &Sight,
    verb: &str,
    spec: &FieldSpec,
    kind: Option<&Kind>,
    at: Option<&str>,
) -> Option<Value> {
    // A name that is no id could not stand in a pointer; it is a fault that is told elsewhere.
    let at = at.filter(|_| key(&[&spec.name]) == spec.name);
    change(sight, verb, &spec.ty, kind, at).map(|schema| described(schema, &spec.text))
}

/// What a verb may say about a value of a type; nothing if it cannot change it. The type stands in full `at` a pointer.
fn change(
    sight: &Sight,
    verb: &str,
    ty: &Type,
    kind: Option<&Kind>,
    at: Option<&str>,
) -> Option<Value> {
    match ty {
        Type::Table(fields) => below(sight, verb, fields.iter(), kind, at),
        Type::Map(of) => change(sight, verb, of, kind, None).map(map),
        Type::Face => faces(sight, verb, kind?),
        Type::List(of) => Some(list_change(
            verb,
            of,
            &whole(sight, ty, at),
            &items(sight, of, at),
        )),
        _ if verb == "set" => Some(whole(sight, ty, at)),
        Type::Any => Some(list_change(
            verb,
            ty,
            &list(&whole(sight, ty, None)),
            &whole(sight, ty, None),
        )),
        // A cost is a list of itself.
        Type::Cost => Some(list_change(
            verb,
            ty,
            &whole(sight, ty, None),
            &whole(sight, ty, None),
        )),
        _ => None,
    }
}

fn whole(sight: &Sight, ty: &Type, at: Option<&str>) -> Value {
    at.map_or_else(|| types::of(sight, ty), pointer)
}

/// What a list holds: see [`list`].
fn items(sight: &Sight, of: &Type, at: Option<&str>) -> Value {
    at.map_or_else(
        || types::of(sight, of),
        |at| pointer(&format!("{at}/anyOf/0/items")),
    )
}

/// The fields inside a table, none of them required: what is not named stays.
fn below<'f>(
    sight: &Sight,
    verb: &str,
    fields: impl Iterator<Item = &'f FieldSpec>,
    kind: Option<&Kind>,
    at: Option<&str>,
) -> Option<Value> {
    let mut inner = Map::new();
    for spec in fields {
        let at = at.map(|at| format!("{at}/properties/{}", spec.name));
        inner.extend(
            field(sight, verb, spec, kind, at.as_deref()).map(|schema| (spec.name.clone(), schema)),
        );
    }
    (!inner.is_empty()).then(|| names(inner, false))
}

/// Fields by name. A name may also lead further down: `"on.fight_start"`.
fn names(properties: Map<String, Value>, open: bool) -> Value {
    let mut schema = object(properties.into(), &[]);
    schema["patternProperties"] = json!({ "\\.": true });
    schema["additionalProperties"] = open.into();
    schema
}

fn faces(sight: &Sight, verb: &str, kind: &Kind) -> Option<Value> {
    let shared = common()
        .iter()
        .filter(|spec| FACE_FIELDS.contains(&&*spec.name));
    let shared = shared.filter(|spec| spec.name != "offer" || kind.is == Is::Piece);
    let face = below(
        sight,
        verb,
        kind.fields.iter().chain(shared),
        Some(kind),
        None,
    )?;
    let faces: Map<String, Value> = kind
        .faces
        .iter()
        .map(|name| (name.clone(), face.clone()))
        .collect();
    (!faces.is_empty()).then(|| names(faces, false))
}

fn list_change(verb: &str, of: &Type, values: &Value, items: &Value) -> Value {
    // What is there already may be named by the id of a table.
    let by_id = matches!(of, Type::Table(_));
    let mark = if by_id {
        any_of(vec![items.clone(), json!({ "type": "string" })])
    } else {
        items.clone()
    };
    match verb {
        "remove" if by_id => list(&mark),
        "insert" => {
            let mut schema = object(
                json!({ "value": values, "before": mark, "after": mark }),
                &["value"],
            );
            schema["if"] = json!({ "not": { "required": ["before"] } });
            schema["then"] = json!({ "required": ["after"] });
            schema
        }
        "swap" => object(json!({ "from": mark, "to": values }), &["from", "to"]),
        _ => values.clone(),
    }
}
