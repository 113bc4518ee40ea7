//! The reference of script functions, from their doc comments.

use super::api;

/// A script function or property of the engine.
#[derive(Clone, Debug)]
pub struct Primitive {
    /// The group that lists it, such as seats, zones or fights.
    pub topic: &'static str,
    /// The name; for a property, its signature.
    pub name: String,
    /// How to call it, with the types of its parameters.
    pub signature: String,
    /// The doc comment without the example.
    pub text: String,
    /// An example of its use; `tests/suite/words.rs` runs it.
    pub example: Option<Example>,
}

/// Lines of a pack that show what a function does.
///
/// In a `rhai` example, a line may end in `// is VALUE`, its value as text, or in
/// `// answer: KEYS`, the answers of the seats it asks. A `toml` example has entries of a pack and
/// a `[[case]]` that tests them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// `rhai` or `toml`.
    pub language: String,
    /// The lines, without the code fence.
    pub text: String,
}

/// The game that examples run in, as a `rhai` example.
pub const EXAMPLE_GAME: &str = r"// Two gardens in a village. It is Ann's first turn, and she is `actor`.
seats() // is [Ann, Ben]
actor.hand.pieces() // is [Rose, Tulip, Daisy]
actor.deck.pieces() // is [Daisy, Thistle, Rose, Tulip]
table.market.pieces() // is [Lily, Tulip, Thistle]
`${actor.coins} coins, ${actor.water} water in a jug of ${actor.jug}` // is 3 coins, 2 water in a jug of 4
// Examples with `fight`, `foe` or `combo` run in Ann's turn of a fight against Ben and a goose.";

/// Every script function, sorted by topic and name.
#[must_use]
pub fn primitives() -> Vec<Primitive> {
    let mut list = Vec::new();
    for (topic, module) in api::topics() {
        list.extend(
            functions(module)
                .iter()
                .map(|function| primitive(topic, function)),
        );
    }
    list.sort_by(|a, b| (a.topic, &a.name, &a.signature).cmp(&(b.topic, &b.name, &b.signature)));
    list
}

/// Rhai's metadata of the functions of a module, as JSON.
pub(super) fn functions(module: impl Into<rhai::Shared<rhai::Module>>) -> Vec<serde_json::Value> {
    let mut engine = rhai::Engine::new_raw();
    engine.register_global_module(module.into());
    let json = engine.gen_fn_metadata_to_json(true).unwrap_or_default();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap_or_default();
    json.get("functions")
        .and_then(serde_json::Value::as_array)
        .cloned()
        .unwrap_or_default()
}

fn primitive(topic: &'static str, json: &serde_json::Value) -> Primitive {
    let text = |value: &serde_json::Value, name: &str| {
        value
            .get(name)
            .and_then(|v| v.as_str())
            .unwrap_or("")
            .to_owned()
    };
    let list = |name: &str| {
        json.get(name)
            .and_then(serde_json::Value::as_array)
            .cloned()
            .unwrap_or_default()
    };
    let parameter = |value: &serde_json::Value| {
        let name = text(value, "name").trim_start_matches('_').to_owned();
        format!("{name}: {}", type_name(&text(value, "type")))
    };
    let parameters: Vec<String> = list("params").iter().map(parameter).collect();
    let (page, example) = page(&list("docComments"));
    let name = text(json, "name");
    match property(&name, &parameters) {
        Some(written) => Primitive {
            topic,
            name: written.clone(),
            signature: written,
            text: page,
            example,
        },
        None => {
            let signature = format!("{name}({})", parameters.join(", "));
            Primitive {
                topic,
                name,
                signature,
                text: page,
                example,
            }
        }
    }
}

/// The text of a doc comment, and the code block at its end.
fn page(comments: &[serde_json::Value]) -> (String, Option<Example>) {
    let lines = comments
        .iter()
        .filter_map(|line| line.as_str())
        .flat_map(str::lines);
    let bare = |line: &str| {
        line.trim_start_matches("///")
            .strip_prefix(' ')
            .unwrap_or_default()
            .to_owned()
    };
    let lines: Vec<String> = lines.map(bare).collect();
    let code = lines
        .iter()
        .position(|line| line.starts_with("```"))
        .unwrap_or(lines.len());
    let (said, code) = lines.split_at(code);
    let example = code.split_first().map(|(head, rest)| {
        let end = rest
            .iter()
            .position(|line| line == "```")
            .unwrap_or(rest.len());
        Example {
            language: head.trim_start_matches('`').to_owned(),
            text: rest[..end].join("\n"),
        }
    });
    (said.join(" ").trim().to_owned(), example)
}

/// The notation for a property or an index, which Rhai implements as a function.
fn property(name: &str, parameters: &[String]) -> Option<String> {
    let first = parameters.first()?.split(':').next()?;
    match name {
        "index$get$" => Some(format!("{first}[{}]", parameters.get(1)?)),
        "index$set$" => Some(format!(
            "{first}[{}] = {}",
            parameters.get(1)?,
            parameters.get(2)?
        )),
        _ => name
            .strip_prefix("get$")
            .map(|name| format!("{first}.{name}")),
    }
}

/// The type name shown to authors.
fn type_name(name: &str) -> String {
    let bare = name
        .trim_start_matches("&mut ")
        .rsplit("::")
        .next()
        .unwrap_or(name)
        .trim_end_matches('>');
    match bare {
        "i64" | "INT" => "number".to_owned(),
        "ImmutableString" | "String" => "text".to_owned(),
        "Dynamic" => "anything".to_owned(),
        "Array" => "list".to_owned(),
        "EntityRef" => "Thing".to_owned(),
        "TableRef" => "Data".to_owned(),
        other => other.trim_end_matches("Ref").to_owned(),
    }
}
