//! An entry of another pack as the model of a new one: its fields, without its words and its scripts.

use super::base::Base;
use super::fill::quoted;
use crate::pack::{Entry, FieldSpec, Kind, Type};

/// What stands where the model has words of its own.
const WORDS: &str = "Write here what it says.";

/// The fields of a new entry, each as a line of TOML; nothing if the model's file does not show what it must have.
pub fn fields(base: &Base, kind: &Kind, model: &Entry) -> Option<Vec<String>> {
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
                    renewed(value, &spec.ty)
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

/// Whether a field of the model is one of the new entry, too: scripts are not, unless they must be there.
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

/// A value without words and scripts that somebody else wrote.
fn renewed(value: &toml::Value, ty: &Type) -> toml::Value {
    match (ty, value) {
        (Type::Text, toml::Value::String(_)) => toml::Value::from(WORDS),
        (Type::List(of), toml::Value::Array(items)) => {
            toml::Value::Array(items.iter().map(|item| renewed(item, of)).collect())
        }
        (Type::List(of), single) => renewed(single, of),
        (Type::Table(specs), toml::Value::Table(rows)) => {
            let spec = |name: &str| specs.iter().find(|spec| spec.name == name);
            let kept = rows
                .iter()
                .filter(|(name, _)| spec(name).is_none_or(is_kept));
            let new = |name: &str, value: &toml::Value| {
                spec(name).map_or_else(|| value.clone(), |spec| renewed(value, &spec.ty))
            };
            toml::Value::Table(
                kept.map(|(name, value)| (name.clone(), new(name, value)))
                    .collect(),
            )
        }
        _ => value.clone(),
    }
}

/// A text that reads a number or two, so that it shows how.
fn text(numbers: &[&str]) -> String {
    let read: Vec<String> = numbers
        .iter()
        .take(2)
        .map(|name| format!("{} {{{name}}}", name.replace(['_', '-'], " ")))
        .collect();
    let text = read.join(", ");
    match text.chars().next() {
        Some(first) => format!("{}{}.", first.to_uppercase(), &text[first.len_utf8()..]),
        None => WORDS.to_owned(),
    }
}

/// A key as TOML writes it.
fn key(name: &str) -> String {
    let plain = name
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if plain { name.to_owned() } else { quoted(name) }
}
