//! Copies the fields of an existing entry for a new one, without its texts and scripts.

use super::base::BasePack;
use super::fill::quoted;
use crate::pack::{Entry, FieldSpec, Kind, Type};

/// Replaces the texts of the model.
const SAMPLE_TEXT: &str = "Write the text here.";

/// The fields of a new entry, each as a line of TOML; `None` if a required field is not in the
/// model's file.
pub fn fields(base: &BasePack, kind: &Kind, model: &Entry) -> Option<Vec<String>> {
    let file: toml::Table = base.file_of(model).parse().ok()?;
    let blocks = file.get(&kind.id)?.as_array()?;
    let block = blocks
        .iter()
        .find(|block| block.get("id").and_then(toml::Value::as_str) == Some(&model.id))?;
    let own = |name: &str| kind.fields.iter().find(|spec| spec.name == name);
    let mut lines = Vec::new();
    let mut numbers = Vec::new();
    for name in ["copies", "tags"] {
        if let Some(value) = block.get(name).filter(|_| own(name).is_none()) {
            lines.push(format!("{name} = {value}"));
        }
    }
    for spec in kind
        .fields
        .iter()
        .filter(|spec| spec.name != "title" && spec.name != "text")
    {
        match block.get(&spec.name) {
            Some(value) if is_kept(spec) => {
                lines.push(format!(
                    "{} = {}",
                    key(&spec.name),
                    without_texts(value, &spec.ty)
                ));
                numbers.extend(value.as_integer().map(|_| spec.name.as_str()));
            }
            None if spec.is_required() => return None,
            _ => {}
        }
    }
    if own("text").is_none_or(|spec| spec.ty == Type::Text) && block.get("text").is_some() {
        lines.push(format!("text = {}", quoted(&text(&numbers))));
    }
    Some(lines)
}

/// Whether the new entry gets a field of the model: scripts are left out, unless they are required.
fn is_kept(spec: &FieldSpec) -> bool {
    spec.is_required() || !is_script(&spec.ty)
}

fn is_script(ty: &Type) -> bool {
    match ty {
        Type::Script | Type::Face => true,
        Type::List(of) | Type::Map(of) => is_script(of),
        _ => false,
    }
}

/// A value with its texts replaced and its optional scripts left out.
fn without_texts(value: &toml::Value, ty: &Type) -> toml::Value {
    match (ty, value) {
        (Type::Text, toml::Value::String(_)) => toml::Value::from(SAMPLE_TEXT),
        (Type::List(of), toml::Value::Array(items)) => {
            toml::Value::Array(items.iter().map(|item| without_texts(item, of)).collect())
        }
        (Type::List(of), single) => without_texts(single, of),
        (Type::Table(specs), toml::Value::Table(rows)) => {
            let spec = |name: &str| specs.iter().find(|spec| spec.name == name);
            let kept = rows
                .iter()
                .filter(|(name, _)| spec(name).is_none_or(is_kept));
            let new = |name: &str, value: &toml::Value| {
                spec(name).map_or_else(|| value.clone(), |spec| without_texts(value, &spec.ty))
            };
            toml::Value::Table(
                kept.map(|(name, value)| (name.clone(), new(name, value)))
                    .collect(),
            )
        }
        _ => value.clone(),
    }
}

/// A sample text that shows up to two number fields.
fn text(numbers: &[&str]) -> String {
    let read: Vec<String> = numbers
        .iter()
        .take(2)
        .map(|name| format!("{} {{{name}}}", name.replace(['_', '-'], " ")))
        .collect();
    let text = read.join(", ");
    match text.chars().next() {
        Some(first) => format!("{}{}.", first.to_uppercase(), &text[first.len_utf8()..]),
        None => SAMPLE_TEXT.to_owned(),
    }
}

/// A key in TOML syntax.
fn key(name: &str) -> String {
    let plain = name
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if plain { name.to_owned() } else { quoted(name) }
}
