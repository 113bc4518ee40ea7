//! Building blocks of JSON Schemas.

use serde_json::{Value, json};

/// A schema that accepts any of several forms.
pub fn any_of(branches: Vec<Value>) -> Value {
    match <[Value; 1]>::try_from(branches) {
        Ok([only]) => only,
        Err(branches) => json!({ "anyOf": branches }),
    }
}

/// The forms that a schema accepts, the inverse of [`any_of`].
pub fn branches(schema: Value) -> Vec<Value> {
    match schema.get("anyOf") {
        Some(Value::Array(branches)) if !is_quiet(&schema) => branches.clone(),
        _ => vec![schema],
    }
}

/// A form that is accepted, but not offered for completion.
///
/// If a schema is composed of others and has no properties, `taplo` skips it and offers the
/// contents of the parts instead. Here the only part is `true`, which offers nothing.
pub fn quiet(schema: Value) -> Value {
    let mut schema = if schema.get("properties").is_some() || schema.get("$ref").is_some() {
        json!({ "if": true, "then": schema })
    } else {
        schema
    };
    if let Some(rows) = schema.as_object_mut() {
        rows.insert("anyOf".into(), json!([true]));
    }
    schema
}

fn is_quiet(schema: &Value) -> bool {
    schema
        .get("anyOf")
        .is_some_and(|parts| *parts == json!([true]))
}

/// Adds a description, also to each offered form, because that is where `taplo` looks for it.
pub fn described(mut schema: Value, text: &str) -> Value {
    each_offered(&mut schema, &mut |form| {
        if !text.is_empty() {
            form["description"] = text.into();
        }
    });
    schema
}

/// Adds a default to the forms that have its type.
pub fn with_default(mut schema: Value, default: &Value) -> Value {
    each_offered(&mut schema, &mut |form| {
        let ty = form.get("type").unwrap_or(&Value::Null);
        if ty == type_name(default)
            || ty
                .as_array()
                .is_some_and(|all| all.iter().any(|name| name == type_name(default)))
        {
            form["default"] = default.clone();
        }
    });
    schema
}

fn each_offered(schema: &mut Value, change: &mut dyn FnMut(&mut Value)) {
    if schema.get("$ref").is_some() || is_quiet(schema) {
        return;
    }
    change(schema);
    for branch in schema
        .get_mut("anyOf")
        .and_then(Value::as_array_mut)
        .into_iter()
        .flatten()
    {
        each_offered(branch, change);
    }
}

fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// A table with these fields and no others.
pub fn object(properties: Value, required: &[&str]) -> Value {
    let mut schema = json!({ "type": "object", "additionalProperties": false });
    schema["properties"] = properties;
    if !required.is_empty() {
        schema["required"] = required.into();
    }
    schema
}

/// A table with arbitrary keys and values of one type.
pub fn map(item_type: Value) -> Value {
    let mut schema = json!({ "type": "object" });
    schema["additionalProperties"] = item_type;
    schema
}

/// A list, or a single item, which counts as a list with one item.
pub fn list(item_type: &Value) -> Value {
    let mut all = vec![json!({ "type": "array", "items": item_type })];
    all.extend(branches(item_type.clone()).into_iter().map(|form| {
        // Offer ids and enum values in both forms; anything else would appear twice.
        if form.get("enum").is_some() || is_quiet(&form) {
            form
        } else {
            quiet(form)
        }
    }));
    any_of(all)
}

/// A string; some values are offered, but any is accepted.
pub fn word(offered: &[&str]) -> Value {
    if offered.is_empty() {
        return json!({ "type": "string" });
    }
    json!({ "anyOf": [{ "type": "string", "enum": offered }, quiet(json!({ "type": "string" }))] })
}

/// A list of strings, or a single one; some values are offered, but any is accepted.
pub fn texts(offered: &[&str]) -> Value {
    list(&word(offered))
}

/// The name of a definition, with characters replaced that a pointer cannot contain.
pub fn key(parts: &[&str]) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    parts
        .join(".")
        .chars()
        .map(|c| if fits(c) { c } else { '-' })
        .collect()
}

/// A `$ref` to a definition.
pub fn pointer(key: &str) -> Value {
    json!({ "$ref": format!("#/definitions/{key}") })
}
