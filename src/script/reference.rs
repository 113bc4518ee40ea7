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
    /// What it does, in a sentence or two.
    pub text: String,
    /// How it is used, with what comes of it; `tests/suite/words.rs` runs it.
    pub example: Option<Example>,
}

/// Some lines of a pack that show what a word does.
///
/// In `rhai`, a line may end in `// is VALUE`, which is the text of what stands before it, or in `// answer: KEYS`, which is
/// what those who are asked say. In `toml` it is entries of a pack, and a `[[case]]` that proves what they do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// `rhai` or `toml`.
    pub language: String,
    /// The lines.
    pub text: String,
}

/// The game in which examples are run, as an example in `rhai`: what they may count on.
pub const EXAMPLE_GAME: &str = r"// Two gardens in a village. It is Ann's first turn, and she is `actor`.
seats() // is [Ann, Ben]
actor.hand.pieces() // is [Rose, Tulip, Daisy]
actor.deck.pieces() // is [Daisy, Thistle, Rose, Tulip]
table.market.pieces() // is [Lily, Tulip, Thistle]
`${actor.coins} coins, ${actor.water} water in a jug of ${actor.jug}` // is 3 coins, 2 water in a jug of 4
// What speaks of `fight`, `foe` or `combo` stands in Ann's turn of a fight against Ben and a goose.";

/// Every word, by topic and name.
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

/// What Rhai tells of the functions of a module.
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

/// What a comment says, and the block of code at its end.
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

/// How a property or a look-up is written, which are functions only inside.
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

/// A type as authors know it.
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
        "EntryRef" => "Entry".to_owned(),
        other => other.trim_end_matches("Ref").to_owned(),
    }
}
