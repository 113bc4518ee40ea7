//! The schemas of `[[patch]]` and `[[remove]]`, which change existing entries.
//!
//! A schema cannot look up the kind of an entry, so it accepts the fields of any kind. `kaer check`
//! is stricter.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::json::{any_of, branches, described, key, list, map, object, pointer, quiet};
use super::kinds::entry_key;
use super::names::SchemaNames;
use super::types::{self, common_key, condition, id};
use crate::pack::{EntryNature, FACE_FIELDS, FIXED, FieldSpec, Kind, Type, common};

/// The operations of a patch, with their descriptions.
const VERBS: [(&str, &str); 5] = [
    (
        "set",
        "Replaces the values of fields. In a script, `replaced()` runs the replaced script.",
    ),
    ("add", "Appends items to lists."),
    ("remove", "Removes items from lists."),
    (
        "insert",
        "Inserts items at a position in a list: `{ value = …, before = … }`, or `after = …`.",
    ),
    (
        "swap",
        "Replaces an item of a list: `{ from = …, to = … }`.",
    ),
];

/// The name of the definition of `entry`.
const ENTRY: &str = "changed";

pub fn definitions(scope: &SchemaNames) -> Map<String, Value> {
    let mut head = Map::new();
    head.insert("entry".into(), pointer(ENTRY));
    let modes = list(&condition(scope, &["mode", "option"]));
    head.insert(
        "in".into(),
        described(modes, "Applies only in these modes or with these options."),
    );
    let remove = object(head.clone().into(), &["entry"]);
    for (verb, text) in VERBS {
        head.insert(verb.into(), described(changes(scope, verb), text));
    }
    let patch = object(head.into(), &["entry"]);
    let entry = described(entry(scope), "The entry to change.");
    [("patch", patch), ("remove", remove), (ENTRY, entry)]
        .map(|(name, schema)| (name.to_owned(), schema))
        .into_iter()
        .collect()
}

/// Offers full names, because most patches change another pack, but also accepts plain ids.
fn entry(scope: &SchemaNames) -> Value {
    let mut forms = vec![json!({ "type": "string", "enum": scope.full_names() })];
    forms.extend(branches(id(scope, &[])).into_iter().map(quiet));
    any_of(forms)
}

/// The fields of all kinds that an operation can change.
fn changes(scope: &SchemaNames, verb: &str) -> Value {
    let mut forms: BTreeMap<&str, Vec<(&Type, Value)>> = BTreeMap::new();
    for spec in common().iter().filter(|spec| !FIXED.contains(&&*spec.name)) {
        let at = common_key(&spec.name);
        // Names of events and queries are checked; a map of scripts would accept any name.
        let hooks = verb == "set" && matches!(&*spec.name, "on" | "offer" | "answer");
        let schema = if hooks {
            Some(pointer(&at))
        } else {
            field(scope, verb, spec, None, Some(&at))
        };
        forms
            .entry(&spec.name)
            .or_default()
            .extend(schema.map(|schema| (&spec.ty, schema)));
    }
    for kind in &scope.kinds {
        let faces = common().iter().filter(|spec| spec.ty == Type::Face);
        for spec in kind.fields.iter().chain(faces) {
            let at = format!("{}/properties/{}", entry_key(scope, kind), spec.name);
            let schema = field(scope, verb, spec, Some(kind), Some(&at));
            let known = forms.entry(&spec.name).or_default();
            // If kinds share a field, the editor would offer it several times.
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
        scope.open,
    )
}

fn field(
    scope: &SchemaNames,
    verb: &str,
    spec: &FieldSpec,
    kind: Option<&Kind>,
    at: Option<&str>,
) -> Option<Value> {
    // An invalid field name cannot be part of a pointer; `kaer check` reports it.
    let at = at.filter(|_| key(&[&spec.name]) == spec.name);
    change(scope, verb, &spec.ty, kind, at).map(|schema| described(schema, &spec.text))
}

/// The schema of an operation on a type; `None` if the operation does not apply to it. `at` points
/// to the full schema of the type.
fn change(
    scope: &SchemaNames,
    verb: &str,
    ty: &Type,
    kind: Option<&Kind>,
    at: Option<&str>,
) -> Option<Value> {
    match ty {
        Type::Table(fields) => nested(scope, verb, fields.iter(), kind, at),
        Type::Map(item_type) => change(scope, verb, item_type, kind, None).map(map),
        Type::Face => faces(scope, verb, kind?),
        Type::List(item_type) => Some(list_change(
            verb,
            item_type,
            &whole(scope, ty, at),
            &items(scope, item_type, at),
        )),
        _ if verb == "set" => Some(whole(scope, ty, at)),
        Type::Any => Some(list_change(
            verb,
            ty,
            &list(&whole(scope, ty, None)),
            &whole(scope, ty, None),
        )),
        // A cost is also a list of costs.
        Type::Cost => Some(list_change(
            verb,
            ty,
            &whole(scope, ty, None),
            &whole(scope, ty, None),
        )),
        _ => None,
    }
}

fn whole(scope: &SchemaNames, ty: &Type, at: Option<&str>) -> Value {
    at.map_or_else(|| types::type_schema(scope, ty), pointer)
}

/// The schema of the items of a list, in the form that [`list`] generates.
fn items(scope: &SchemaNames, item_type: &Type, at: Option<&str>) -> Value {
    at.map_or_else(
        || types::type_schema(scope, item_type),
        |at| pointer(&format!("{at}/anyOf/0/items")),
    )
}

/// The fields of a table, none of them required: omitted fields stay the same.
fn nested<'f>(
    scope: &SchemaNames,
    verb: &str,
    fields: impl Iterator<Item = &'f FieldSpec>,
    kind: Option<&Kind>,
    at: Option<&str>,
) -> Option<Value> {
    let mut inner = Map::new();
    for spec in fields {
        let at = at.map(|at| format!("{at}/properties/{}", spec.name));
        inner.extend(
            field(scope, verb, spec, kind, at.as_deref()).map(|schema| (spec.name.clone(), schema)),
        );
    }
    (!inner.is_empty()).then(|| names(inner, false))
}

/// Fields by name or by a path such as `"on.fight_start"`.
fn names(properties: Map<String, Value>, open: bool) -> Value {
    let mut schema = object(properties.into(), &[]);
    schema["patternProperties"] = json!({ "\\.": true });
    schema["additionalProperties"] = open.into();
    schema
}

fn faces(scope: &SchemaNames, verb: &str, kind: &Kind) -> Option<Value> {
    let shared = common()
        .iter()
        .filter(|spec| FACE_FIELDS.contains(&&*spec.name));
    let shared = shared.filter(|spec| spec.name != "offer" || kind.is == EntryNature::Piece);
    let face = nested(
        scope,
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

fn list_change(verb: &str, item_type: &Type, values: &Value, items: &Value) -> Value {
    // Existing tables can be named by their id.
    let by_id = matches!(item_type, Type::Table(_));
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
