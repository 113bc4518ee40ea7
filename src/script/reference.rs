//! The reference: every word scripts speak, with its page.

use super::api;

/// A word scripts speak.
#[derive(Clone, Debug)]
pub struct Primitive {
    /// What it belongs to: seats, zones, fights.
    pub topic: &'static str,
    /// Its name.
    pub name: String,
    /// How it is written.
    pub signature: String,
    /// Its page.
    pub text: String,
}

/// Every word, by topic and name.
#[must_use]
pub fn primitives() -> Vec<Primitive> {
    let mut list = Vec::new();
    for (topic, module) in api::topics() {
        list.extend(functions(module).iter().map(|function| primitive(topic, function)));
    }
    list.sort_by(|a, b| (a.topic, &a.name, &a.signature).cmp(&(b.topic, &b.name, &b.signature)));
    list
}

/// What Rhai tells of the functions of a module.
pub(super) fn functions(module: impl Into<rhai::Shared<rhai::Module>>) -> Vec<serde_json::Value> {
    let mut engine = rhai::Engine::new_raw();
    engine.register_global_module(module.into());
    let json = engine.gen_fn_metadata_to_json(true).unwrap_or_default();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap_or_default();
    json.get("functions").and_then(serde_json::Value::as_array).cloned().unwrap_or_default()
}

fn primitive(topic: &'static str, json: &serde_json::Value) -> Primitive {
    let text =
        |value: &serde_json::Value, name: &str| value.get(name).and_then(|v| v.as_str()).unwrap_or("").to_owned();
    let list = |name: &str| json.get(name).and_then(serde_json::Value::as_array).cloned().unwrap_or_default();
    let parameter = |value: &serde_json::Value| {
        let name = text(value, "name").trim_start_matches('_').to_owned();
        format!("{name}: {}", type_name(&text(value, "type")))
    };
    let parameters: Vec<String> = list("params").iter().map(parameter).collect();
    let comments = list("docComments");
    let lines = comments.iter().filter_map(|line| line.as_str()).flat_map(str::lines);
    let lines: Vec<&str> = lines.map(|line| line.trim_start_matches("///").trim()).collect();
    let name = text(json, "name");
    if let Some(written) = property(&name, &parameters) {
        return Primitive { topic, name: written.clone(), signature: written, text: lines.join(" ") };
    }
    Primitive { topic, signature: format!("{name}({})", parameters.join(", ")), name, text: lines.join(" ") }
}

/// How a property or a look-up is written, which are functions only inside.
fn property(name: &str, parameters: &[String]) -> Option<String> {
    let first = parameters.first()?.split(':').next()?;
    match name {
        "index$get$" => Some(format!("{first}[{}]", parameters.get(1)?)),
        "index$set$" => Some(format!("{first}[{}] = {}", parameters.get(1)?, parameters.get(2)?)),
        _ => name.strip_prefix("get$").map(|name| format!("{first}.{name}")),
    }
}

/// A type as authors know it.
fn type_name(name: &str) -> String {
    let bare = name.trim_start_matches("&mut ").rsplit("::").next().unwrap_or(name).trim_end_matches('>');
    match bare {
        "i64" | "INT" => "number".to_owned(),
        "ImmutableString" | "String" => "text".to_owned(),
        "Dynamic" => "anything".to_owned(),
        "Array" => "list".to_owned(),
        "EntryRef" => "Entry".to_owned(),
        other => other.trim_end_matches("Ref").to_owned(),
    }
}
