//! Fixes for TOML: adding a missing field, renaming the header of a block.

use crate::diagnostic::{Edit, Files, Misspelling, Report, Span};

use super::kind::{FieldSpec, Type};
use super::toml_tree::{self, TomlNode, TomlShape, TomlTable};

/// Whether a text is TOML that packs may contain.
#[must_use]
pub fn is_toml(text: &str) -> bool {
    let mut files = Files::new();
    let file = files.add("", text);
    toml_tree::parse_on_large_stack(&files, file, &mut Report::new()).1
}

/// Adds a field to a table, with the value that its declaration suggests; `None` if there is no
/// obvious value.
///
/// The table may be a block with a header, an inline table, or one that exists only through dotted
/// keys.
pub(super) fn field(
    files: &Files,
    table: &TomlTable,
    whole: Span,
    spec: &FieldSpec,
) -> Option<Edit> {
    let value = empty(&spec.ty)?;
    if !spec
        .name
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
    {
        return None;
    }
    let line = format!("{} = {value}", spec.name);
    let text = files.text(whole.file);
    match files.slice(whole).chars().next()? {
        '{' if table.pairs.is_empty() => Some(Edit::replace(files, whole, format!("{{ {line} }}"))),
        // Insert before the other keys, because a comma or a comment may follow them.
        '{' => Some(Edit::insert(whole.part(1, 0), format!(" {line},"))),
        '[' => {
            let last = last_own(files, table);
            let (key, end) = last.unwrap_or((whole, whole.end as usize));
            let indent = blank(&text[line_start(text, key.start as usize)..]);
            Some(below(text, whole, end, &format!("{indent}{line}")))
        }
        _ => {
            let (key, end) = last_own(files, table)?;
            let path = text.get(line_start(text, key.start as usize)..key.start as usize)?;
            // The line must begin with a plain dotted key.
            let names = path.ends_with('.') && !path.contains(['=', '{', '[', '"', '\'', '#']);
            names.then(|| below(text, whole, end, &format!("{path}{line}")))
        }
    }
}

/// Inserts a line below the line that contains a byte.
fn below(text: &str, whole: Span, end: usize, line: &str) -> Edit {
    let at = |offset: usize| Span::new(whole.file, offset, offset);
    match text[end..].find('\n') {
        Some(found) => {
            let ending = if text[..end + found].ends_with('\r') {
                "\r\n"
            } else {
                "\n"
            };
            Edit::insert(at(end + found + 1), format!("{line}{ending}"))
        }
        None => {
            let ending = if text.contains("\r\n") { "\r\n" } else { "\n" };
            Edit::insert(at(text.len()), format!("{ending}{line}"))
        }
    }
}

/// The last line of a table before the headers of its subtables: the span of the key, and the end
/// of the value.
fn last_own(files: &Files, table: &TomlTable) -> Option<(Span, usize)> {
    table
        .pairs
        .iter()
        .filter_map(|pair| own_end(files, pair.at, &pair.node))
        .max_by_key(|(_, end)| *end)
}

fn own_end(files: &Files, key: Span, node: &TomlNode) -> Option<(Span, usize)> {
    let has_head = |node: &TomlNode| {
        matches!(node.shape, TomlShape::Table(_)) && files.slice(node.span).starts_with('[')
    };
    match &node.shape {
        TomlShape::Table(_) if has_head(node) => None,
        TomlShape::Table(table) if !files.slice(node.span).starts_with('{') => {
            last_own(files, table)
        }
        TomlShape::List(items) if items.first().is_some_and(has_head) => None,
        _ => Some((key, node.span.end as usize)),
    }
}

fn line_start(text: &str, at: usize) -> usize {
    text.get(..at)
        .and_then(|before| before.rfind('\n'))
        .map_or(0, |found| found + 1)
}

fn blank(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// The obvious value of a type. Scripts and references have none.
fn empty(ty: &Type) -> Option<String> {
    match ty {
        Type::Int { min, max } => {
            let min = min.unwrap_or(0);
            Some(max.map_or(min, |max| min.min(max)).to_string())
        }
        Type::Bool => Some("false".to_owned()),
        Type::String | Type::Text => Some("\"\"".to_owned()),
        Type::Enum(values) => {
            let first = values.first()?;
            let plain = !first.contains(|c: char| c.is_control() || c == '"' || c == '\\');
            plain.then(|| format!("\"{first}\""))
        }
        _ => None,
    }
}

/// Renames a word in the headers of blocks and of their subtables.
pub(super) fn headers(files: &Files, node: &TomlNode, near: &Misspelling) -> Vec<Edit> {
    let mut edits = Vec::new();
    match &node.shape {
        TomlShape::List(items) => items
            .iter()
            .for_each(|item| edits.extend(headers(files, item, near))),
        TomlShape::Table(table) => {
            if files.slice(node.span).starts_with('[') {
                edits.extend(near.edit(node.span));
            }
            table
                .pairs
                .iter()
                .for_each(|pair| edits.extend(headers(files, &pair.node, near)));
        }
        _ => {}
    }
    edits
}
