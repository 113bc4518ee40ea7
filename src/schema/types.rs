//! Schemas of field types.

use serde_json::{Map, Value, json};

use super::json::{
    any_of, branches, described, key, list, map, object, pointer, quiet, with_default,
};
use super::kinds::OF_A_PACK;
use super::names::SchemaNames;
use crate::pack::{self, FieldSpec, Type};

/// An id with a pack or a kind before it. These are not validated, because they can refer to any
/// pack.
const QUALIFIED: &str = "^([a-z0-9-]+:([a-z0-9_-]+/)?|[a-z0-9_-]+/)[a-z0-9_-]+$";

/// The name of the definition of a cost.
pub const COST: &str = "cost";

/// The schema of a field, with its description and default.
pub fn field(scope: &SchemaNames, spec: &FieldSpec) -> Value {
    let schema = type_schema(scope, &spec.ty);
    let text = if spec.text.is_empty() {
        sentence(&spec.ty.phrase())
    } else {
        spec.text.clone()
    };
    let schema = described(schema, &text);
    match spec.default.as_ref().and_then(plain) {
        Some(default) => with_default(schema, &default),
        None => schema,
    }
}

fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).chain(['.']).collect()
}

/// The schema of a type. The fields of faces depend on their kind, so any table is accepted here.
pub fn type_schema(scope: &SchemaNames, ty: &Type) -> Value {
    match ty {
        Type::Int { min, max } => {
            let mut schema = json!({ "type": "integer" });
            if let Some(min) = min {
                schema["minimum"] = json!(min);
            }
            if let Some(max) = max {
                schema["maximum"] = json!(max);
            }
            schema
        }
        Type::Bool => json!({ "type": "boolean" }),
        Type::String | Type::Text | Type::Script => json!({ "type": "string" }),
        Type::Enum(values) => json!({ "type": "string", "enum": &**values }),
        Type::Ref(to) => match &**to {
            [mode, option] if mode == "mode" && option == "option" => {
                condition(scope, &["mode", "option"])
            }
            to => id(scope, to),
        },
        Type::List(inner) => list_of(scope, inner),
        Type::Table(fields) => table(scope, fields),
        Type::Map(inner) => map(type_schema(scope, inner)),
        Type::Bound => {
            let mut forms = vec![json!({ "type": "integer" })];
            forms.extend(branches(id(scope, &["counter".to_owned()])));
            any_of(forms)
        }
        Type::Cost => {
            let several = json!({ "type": "array", "items": pointer(COST) });
            any_of(vec![pointer(COST), quiet(several)])
        }
        Type::Face => json!({ "type": "object" }),
        Type::Any => json!({ "type": ["array", "boolean", "integer", "object", "string"] }),
    }
}

/// A reference to an entry of one of some kinds.
pub fn id(scope: &SchemaNames, to: &[String]) -> Value {
    let ids = scope.ids(to);
    let other = if scope.has_missing_dependency {
        json!({ "type": "string" })
    } else {
        json!({ "type": "string", "pattern": QUALIFIED })
    };
    if ids.is_empty() {
        return other;
    }
    let (ids, titles): (Vec<&str>, Vec<Option<&str>>) = ids.into_iter().unzip();
    let mut known = json!({ "type": "string", "enum": ids });
    if titles.iter().any(Option::is_some) {
        known["x-taplo"] = json!({ "docs": { "enumValues": titles } });
    }
    any_of(vec![known, quiet(other)])
}

/// A name in `in`: a mode or an option, with `!` for not and with `=value`.
pub fn condition(scope: &SchemaNames, kinds: &[&str]) -> Value {
    let kinds: Vec<String> = kinds.iter().map(|kind| (*kind).to_owned()).collect();
    let mut forms = branches(id(scope, &kinds));
    forms.push(quiet(json!({ "type": "string", "pattern": "^!|=" })));
    any_of(forms)
}

/// A list. Values of an enum can also be written in one string, separated by commas.
fn list_of(scope: &SchemaNames, inner: &Type) -> Value {
    let mut schema = list(&type_schema(scope, inner));
    if let (Type::Enum(values), Some(forms)) =
        (inner, schema.get_mut("anyOf").and_then(Value::as_array_mut))
    {
        let words: Vec<String> = values.iter().map(|value| escaped(value)).collect();
        let word = format!("\\s*({})\\s*", words.join("|"));
        forms.push(quiet(
            json!({ "type": "string", "pattern": format!("^{word}(,{word})+$") }),
        ));
    }
    schema
}

/// Escapes a word for use in a regular expression.
fn escaped(word: &str) -> String {
    let special = |c: char| r"\^$.|?*+()[]{}/".contains(c);
    word.chars()
        .flat_map(|c| special(c).then_some('\\').into_iter().chain([c]))
        .collect()
}

fn table(scope: &SchemaNames, fields: &[FieldSpec]) -> Value {
    let properties: Map<String, Value> = fields
        .iter()
        .map(|spec| (spec.name.clone(), field(scope, spec)))
        .collect();
    let required: Vec<&str> = fields
        .iter()
        .filter(|spec| spec.is_required())
        .map(|spec| &*spec.name)
        .collect();
    object(properties.into(), &required)
}

/// The schema of a cost: amounts by counter, zone or chain.
pub fn cost(scope: &SchemaNames) -> Value {
    let amount = |text: &str| json!({ "description": text, "type": ["integer", "string"] });
    let pieces = |text: &str| {
        let group = group_of_pieces();
        let number = json!({ "type": ["integer", "string"] });
        let groups = list(&any_of(vec![group.clone(), number]));
        let forms = vec![json!({ "type": ["integer", "string"] }), group, groups];
        described(any_of(forms), text)
    };
    let mut properties = Map::new();
    let (mut zones, mut counters) = (Vec::new(), Map::new());
    for kind in ["counter", "zone", "chain"] {
        for (id, title) in scope.ids(&[kind.to_owned()]) {
            let text = format!(
                "The amount to pay from the {kind} {}: a number, or a script that returns one.",
                title.unwrap_or(id)
            );
            // Scripts write `_` instead of `-`, and costs can do the same.
            for name in [id.to_owned(), id.replace('-', "_")] {
                if kind == "zone" {
                    zones.push(name.clone());
                    properties.entry(name).or_insert_with(|| pieces(&text));
                    continue;
                }
                if kind == "counter" {
                    counters.insert(name.clone(), amount(&text));
                }
                properties.entry(name).or_insert_with(|| amount(&text));
            }
        }
    }
    zones.sort();
    zones.dedup();
    let zones: Vec<&str> = zones.iter().map(String::as_str).collect();
    properties.insert(
        "discard".into(),
        pieces("The pieces to discard from the hand, or from the zone in `from`."),
    );
    properties.insert(
        "from".into(),
        described(
            super::json::word(&zones),
            "The zone that `discard` takes from.",
        ),
    );
    properties.insert(
        "where".into(),
        json!({ "description": "A script that selects the pieces that can be discarded.", "type": "string" }),
    );
    let own = "Counters that the piece with the cost pays, even if seats have them too.";
    let mut own_counters = described(object(counters.into(), &[]), own);
    let texts = [
        (
            "id",
            "The key of this alternative in answers and test cases.",
        ),
        (
            "label",
            "The words for this alternative, instead of a list of its parts.",
        ),
    ];
    for (name, text) in texts {
        properties.insert(
            name.into(),
            json!({ "description": text, "type": "string" }),
        );
    }
    if scope.open {
        own_counters["additionalProperties"] = json!({ "type": ["integer", "string"] });
    }
    properties.insert("self".into(), own_counters);
    let mut schema = object(properties.into(), &[]);
    schema["patternProperties"] = json!({ OF_A_PACK: pieces("The amount to pay.") });
    if scope.open {
        schema["additionalProperties"] = pieces("The amount to pay.");
    }
    described(
        schema,
        "What must be paid first, as in `{ coins = 1 }`, or a list of alternatives to choose from.",
    )
}

/// The schema of a group of pieces in a cost.
fn group_of_pieces() -> Value {
    let fields = json!({
        "count": { "description": "How many, 1 by default.", "type": ["integer", "string"] },
        "where": { "description": "A script that selects the pieces.", "type": "string" },
        "label": { "description": "The words for these pieces.", "type": "string" },
    });
    described(
        object(fields, &[]),
        "A group of pieces, each of which pays once.",
    )
}

/// A value as JSON; `None` for a resolved reference, which has no written form.
fn plain(value: &pack::FieldValue) -> Option<Value> {
    Some(match value {
        pack::FieldValue::Int(number) => json!(number),
        pack::FieldValue::Bool(yes) => json!(yes),
        pack::FieldValue::Text(text) => json!(text),
        pack::FieldValue::Name(name) => json!(name.text),
        pack::FieldValue::Script(script) => json!(script.text),
        pack::FieldValue::Ref(_) => return None,
        pack::FieldValue::List(items) => items
            .iter()
            .map(plain)
            .collect::<Option<Vec<Value>>>()?
            .into(),
        pack::FieldValue::Table(rows) => {
            let rows = rows
                .iter()
                .map(|(name, value)| Some((name.clone(), plain(value)?)));
            rows.collect::<Option<Map<String, Value>>>()?.into()
        }
    })
}

/// The name of the definition of a shared field.
pub fn common_key(name: &str) -> String {
    key(&["field", name])
}
