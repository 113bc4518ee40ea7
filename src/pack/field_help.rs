//! What to write instead of a value of the wrong type, or of a field that does not exist.

use crate::diagnostic::Files;

use super::toml_tree::{TomlNode, TomlShape};

/// Names that other tools and languages use for fields.
const SYNONYMS: &[(&str, &[&str])] = &[
    ("name", &["title", "id"]),
    ("label", &["title"]),
    ("caption", &["title"]),
    ("title", &["label", "name"]),
    ("description", &["text"]),
    ("desc", &["text"]),
    ("rules", &["text"]),
    ("count", &["copies"]),
    ("amount", &["copies"]),
    ("number", &["copies"]),
    ("quantity", &["copies"]),
    ("script", &["do"]),
    ("action", &["do"]),
    ("effect", &["do"]),
    ("run", &["do"]),
    ("code", &["do"]),
    ("condition", &["can", "when"]),
    ("if", &["can", "when"]),
    ("requires", &["can", "depends"]),
    ("dependencies", &["depends"]),
    ("needs", &["depends"]),
    ("players", &["seats"]),
    ("maximum", &["max"]),
    ("minimum", &["min"]),
    ("size", &["limit", "max"]),
    ("initial", &["start"]),
    ("value", &["start", "default"]),
    ("visible", &["seen_by"]),
    ("owner", &["of"]),
    ("phases", &["turn"]),
    ("rounds", &["turn"]),
    ("steps", &["moves"]),
    ("actions", &["moves"]),
    ("inputs", &["moves"]),
    ("given", &["setup"]),
    ("result", &["expect"]),
    ("output", &["expect"]),
    ("assert", &["expect"]),
    ("test", &["case"]),
    ("tests", &["case"]),
    ("scenario", &["case"]),
];

/// The field that was probably meant by an unknown one.
pub(super) fn synonym<'w>(
    field: &str,
    known: &(impl Iterator<Item = &'w str> + Clone),
) -> Option<&'w str> {
    let field = field.to_lowercase();
    if known.clone().any(|known| known == field) {
        return None;
    }
    let (_, meant) = SYNONYMS.iter().find(|(other, _)| *other == field)?;
    meant
        .iter()
        .find_map(|meant| known.clone().find(|known| known == meant))
}

/// The value to write instead of one of the wrong type.
pub(super) fn other_type(
    files: &Files,
    node: &TomlNode,
    name: &str,
    expected: &str,
) -> Option<String> {
    let raw = files.slice(node.span);
    let before = files.text(node.span.file).get(..node.span.start as usize);
    let is_assigned = before.is_some_and(|text| text.trim_end().ends_with('='));
    let write = |value: &str| {
        if is_assigned {
            format!("write {name} = {value}")
        } else {
            format!("write {value}")
        }
    };
    if let Some(header) = header(expected) {
        return Some(format!("write {header}"));
    }
    if matches!(name, "on" | "offer" | "answer") && node.as_text().is_some() {
        return Some(format!(
            "name the event after a dot, as in {name}.after_move = '…'"
        ));
    }
    // `{ 1.coins = 5 }` is a table in a table.
    if let Some(table) = node
        .as_table()
        .filter(|_| expected.starts_with("a number, a string"))
    {
        let key = table.pairs.first().map_or("…", |pair| pair.key.as_str());
        return Some(format!(
            "put the whole name in quotes: \"{name}.{key}\" = …"
        ));
    }
    if expected.starts_with("a whole number") || expected.starts_with("a number") {
        return Some(whole_number(node, name, &write));
    }
    if expected == "true or false" {
        return Some(truth(node, &write));
    }
    if expected.starts_with("a cost") {
        return Some(cost(node, &write));
    }
    if expected.starts_with("a list") && !raw.starts_with('[') && is_assigned {
        return Some(write(&format!("[{raw}]")));
    }
    if expected.starts_with("a table: keys") {
        let key = node.items().first().and_then(TomlNode::as_text);
        let key = key.unwrap_or("key");
        return Some(format!("write {name} = {{ \"{key}\" = … }}"));
    }
    if let Some(values) = expected.strip_prefix("one of ") {
        return Some(format!("write {values}, in quotes"));
    }
    if expected.starts_with("a script") {
        return Some(write("'…'").replace("write", "write a script in quotes, as in"));
    }
    let is_text = ["text", "a string", "the id"]
        .iter()
        .any(|word| expected.starts_with(word));
    if is_text {
        return text(node, raw, name, &write);
    }
    None
}

/// The header in "[[card]], in double brackets" or "blocks that begin with [[case]]".
fn header(expected: &str) -> Option<&str> {
    let start = expected.find('[')?;
    let end = expected.rfind(']')?;
    let is_block = expected.ends_with("brackets") || expected.contains("begin");
    expected.get(start..=end).filter(|_| is_block)
}

fn whole_number(node: &TomlNode, name: &str, write: &dyn Fn(&str) -> String) -> String {
    const WORDS: [&str; 13] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    let Some(text) = node.as_text() else {
        return match node.shape {
            TomlShape::Foreign(_) => format!("write a whole number, as in {name} = 2"),
            _ => write("2").replace("write", "write a number, as in"),
        };
    };
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    if text.trim().parse::<i64>().is_ok() {
        return format!("write it without quotes: {}", text.trim());
    }
    let word = text.trim().to_lowercase();
    match WORDS.iter().position(|known| *known == word) {
        Some(number) => write(&number.to_string()),
        None if digits.is_empty() => {
            write("2").replace("write", "write a number without quotes, as in")
        }
        None => write(&digits),
    }
}

fn truth(node: &TomlNode, write: &dyn Fn(&str) -> String) -> String {
    let word = node.as_text().map(str::to_lowercase);
    match (&node.shape, word.as_deref()) {
        (TomlShape::Int(0), _) => write("false"),
        (TomlShape::Int(_), _) => write("true"),
        (_, Some("true" | "yes" | "on")) => format!("{}, without quotes", write("true")),
        (_, Some("false" | "no" | "off")) => format!("{}, without quotes", write("false")),
        _ => format!("{} or false, without quotes", write("true")),
    }
}

fn cost(node: &TomlNode, write: &dyn Fn(&str) -> String) -> String {
    let words: Vec<&str> = node.as_text().unwrap_or_default().split(' ').collect();
    let is_number = |word: &str| word.parse::<u32>().is_ok();
    match &words[..] {
        [number, counter] if is_number(number) => write(&format!("{{ {counter} = {number} }}")),
        [counter, number] if is_number(number) => write(&format!("{{ {counter} = {number} }}")),
        [counter] if !counter.is_empty() => write(&format!("{{ {counter} = 1 }}")),
        _ => format!("{}, with the id of a counter", write("{ counter = 1 }")),
    }
}

fn text(node: &TomlNode, raw: &str, name: &str, write: &dyn Fn(&str) -> String) -> Option<String> {
    match &node.shape {
        TomlShape::List(items) => match &items[..] {
            [only] => Some(write(&format!("\"{}\"", only.as_text()?))),
            _ => Some(format!("{}, not a list", write("\"…\""))),
        },
        TomlShape::Table(_) => Some(format!("{}, not a table", write("\"…\""))),
        // A version has three numbers.
        _ if name == "version" => {
            let dots = raw.matches('.').count();
            let rest = ".0".repeat(2_usize.saturating_sub(dots));
            Some(write(&format!("\"{raw}{rest}\"")))
        }
        _ => Some(format!("{}, in quotes", write(&format!("\"{raw}\"")))),
    }
}
