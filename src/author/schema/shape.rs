//! The few shapes of which all schemas are made.

use serde_json::{Value, json};

/// One of several forms.
pub fn any_of(branches: Vec<Value>) -> Value {
    match <[Value; 1]>::try_from(branches) {
        Ok([only]) => only,
        Err(branches) => json!({ "anyOf": branches }),
    }
}

/// The forms a schema accepts.
pub fn branches(schema: Value) -> Vec<Value> {
    match schema.get("anyOf") {
        Some(Value::Array(branches)) if !is_quiet(&schema) => branches.clone(),
        _ => vec![schema],
    }
}

/// A form that is accepted, but not offered.
///
/// `taplo` leaves out what is composed of other schemas and has no properties of its own, and looks at the parts
/// instead; here the part is `true`, in which nothing is to be found.
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

/// The schema with a description, in each form that is offered too, because keys are shown with what stands there.
pub fn described(mut schema: Value, text: &str) -> Value {
    each_offered(&mut schema, &mut |form| {
        if !text.is_empty() {
            form["description"] = text.into();
        }
    });
    schema
}

/// The schema with what holds when the field is missing, in the forms that can say it.
pub fn with_default(mut schema: Value, default: &Value) -> Value {
    each_offered(&mut schema, &mut |form| {
        let ty = form.get("type").unwrap_or(&Value::Null);
        if ty == type_word(default)
            || ty
                .as_array()
                .is_some_and(|all| all.iter().any(|one| one == type_word(default)))
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

fn type_word(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// A table of these fields and no others.
pub fn object(properties: Value, required: &[&str]) -> Value {
    let mut schema = json!({ "type": "object", "additionalProperties": false });
    schema["properties"] = properties;
    if !required.is_empty() {
        schema["required"] = required.into();
    }
    schema
}

/// A table of anything under names nobody declared.
pub fn map(of: Value) -> Value {
    let mut schema = json!({ "type": "object" });
    schema["additionalProperties"] = of;
    schema
}

/// A list; a single item counts as a list of one.
pub fn list(of: &Value) -> Value {
    let mut all = vec![json!({ "type": "array", "items": of })];
    all.extend(branches(of.clone()).into_iter().map(|form| {
        // Ids and words are worth offering in both ways; what else there is would only stand twice in the list.
        if form.get("enum").is_some() || is_quiet(&form) {
            form
        } else {
            quiet(form)
        }
    }));
    any_of(all)
}

/// A text; words are offered where there are any, and others fit too.
pub fn word(offered: &[&str]) -> Value {
    if offered.is_empty() {
        return json!({ "type": "string" });
    }
    json!({ "anyOf": [{ "type": "string", "enum": offered }, quiet(json!({ "type": "string" }))] })
}

/// Texts, or a single one; words are offered where there are any.
pub fn texts(offered: &[&str]) -> Value {
    list(&word(offered))
}

/// The name of a definition, without what a pointer to it could not hold.
pub fn key(parts: &[&str]) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    parts
        .join(".")
        .chars()
        .map(|c| if fits(c) { c } else { '-' })
        .collect()
}

/// A pointer to a definition.
pub fn pointer(key: &str) -> Value {
    json!({ "$ref": format!("#/definitions/{key}") })
}
