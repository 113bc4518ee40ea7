//! Reads `[[<kind>]]` blocks into entries.

use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Span, nearest};

use super::builtin::{builtin_kinds, common};
use super::convert::Converter;
use super::entry::{CheckedText, Entry, NumberReference};
use super::face_action;
use super::id;
use super::insert_field;
use super::kind::{FieldSpec, Kind};
use super::read_context::ReadContext;
use super::toml_tree::{TomlNode, TomlPair, TomlShape, TomlTable};
use super::value::{EntryField, FieldValue};

/// Reads one block and reports everything wrong with it. Returns `None` if it has no id.
pub(super) fn entry(
    cx: &mut ReadContext,
    kind: &Kind,
    node: &TomlNode,
    pack_id: &str,
) -> Option<Entry> {
    let TomlShape::Table(table) = &node.shape else {
        cx.wrong_type(
            node,
            &kind.id,
            &format!("a block that begins with [[{}]]", kind.id),
        );
        return None;
    };
    let lifted = face_action::lift(cx, table);
    let table = lifted.as_ref().unwrap_or(table);
    let named = name(cx, kind, table, node.span);
    let at = named.as_ref().map_or(node.span, |(_, span)| *span);
    let what = named.as_ref().map_or_else(
        || format!("this {}", kind.id),
        |(id, _)| format!("{} `{id}`", kind.id),
    );
    let (mut fields, notes) = given_fields(cx, kind, table, &what);
    report_required(cx, kind, table, &what, at);
    add_missing(cx, kind, (table, node.span), &what, at, &mut fields);
    let (id, span) = named?;
    Some(Entry {
        pack: cx.pack,
        pack_id: pack_id.to_owned(),
        kind: kind.id.clone(),
        id,
        fields,
        span,
        texts: notes.0,
        numbers: notes.1,
        costs: notes.2,
    })
}

fn name(cx: &mut ReadContext, kind: &Kind, table: &TomlTable, at: Span) -> Option<(String, Span)> {
    let Some(pair) = table.get("id") else {
        cx.missing_field(
            at,
            &format!("this {}", kind.id),
            "id",
            "a short name, as in \"grey-owl\"",
            None,
        );
        return None;
    };
    let TomlShape::Text(text) = &pair.node.shape else {
        cx.wrong_type(&pair.node, "id", "text in quotes");
        return None;
    };
    id::check(cx, text, pair.node.span, &kind.id).then(|| (text.clone(), pair.node.span))
}

/// The data of an entry that checks need: texts with numbers, numbers that refer to entries, and
/// costs.
type EntryNotes = (Vec<CheckedText>, Vec<NumberReference>, Vec<(String, Span)>);

/// Reports missing fields that the value of another field requires.
fn report_required(cx: &mut ReadContext, kind: &Kind, table: &TomlTable, what: &str, at: Span) {
    for need in &kind.needs {
        let Some(pair) = table
            .get(&need.field)
            .filter(|pair| pair.node.as_text() == Some(&need.is))
        else {
            continue;
        };
        for name in need.fields.iter().filter(|name| table.get(name).is_none()) {
            Diagnostic::error(at, "missing-field", format!("missing field `{name}`"))
                .label(format!("{what} needs it"))
                .related(
                    pair.node.span,
                    format!("its `{}` is `{}`", need.field, need.is),
                )
                .help(format!("add `{name}`, or change `{}`", need.field))
                .push(cx.report);
        }
    }
}

/// Reads the fields that are present in the block.
fn given_fields(
    cx: &mut ReadContext,
    kind: &Kind,
    table: &TomlTable,
    what: &str,
) -> (Vec<EntryField>, EntryNotes) {
    let mut fields = Vec::with_capacity(table.pairs.len() + 4);
    let by = cx.pack;
    let mut converter = Converter::for_entry(cx, kind, Some(table));
    for pair in table.pairs.iter().filter(|pair| pair.key != "id") {
        let Some(spec) = spec(kind, &pair.key) else {
            unknown(converter.cx, kind, pair, what);
            continue;
        };
        let before = converter.cx.report.len();
        converter.check_rules(&pair.node, spec);
        let value = converter.step(&pair.node, &spec.ty, &pair.key, &pair.key);
        if let Some(pack) = &spec.added_by {
            let text = format!("`{pack}` adds this field to the kind");
            converter
                .cx
                .report
                .add_related_since(before, spec.span, &text);
        }
        let Some(mut value) = value else {
            continue;
        };
        if let ("replaces", FieldValue::Name(name)) = (pair.key.as_str(), &mut value) {
            name.to = Arc::from([kind.id.clone()]);
        }
        fields.push(EntryField {
            name: pair.key.clone(),
            value,
            span: pair.node.span,
            by,
            is_explicit: true,
        });
    }
    (
        fields,
        (converter.texts, converter.numbers, converter.costs),
    )
}

/// Reports an unknown field. Hooks written as `on_event` are a common mistake and get their own
/// help.
fn unknown(cx: &mut ReadContext, kind: &Kind, pair: &TomlPair, what: &str) {
    if pair.key.starts_with("on_") || pair.key.starts_with("ask_") {
        let (word, rest) = pair.key.split_once('_').unwrap_or(("on", ""));
        Diagnostic::unknown(pair.at, "unknown-field", "field", &pair.key)
            .label(format!("not a field of {what}"))
            .help(format!("write {word}.{rest} with a dot"))
            .push(cx.report);
        return;
    }
    let known = kind
        .fields
        .iter()
        .chain(common())
        .map(|spec| spec.name.as_str());
    let remedy = remedy(kind, pair);
    cx.unknown_field_or(pair, what, known, remedy);
}

/// What to do about a field that is not misspelt: another kind has it, or no kind declares it yet.
fn remedy(kind: &Kind, pair: &TomlPair) -> Option<String> {
    let others: Vec<&str> = builtin_kinds()
        .iter()
        .filter(|other| declares(other, &pair.key))
        .map(|other| other.id.as_str())
        .collect();
    if let [other] = &others[..] {
        return Some(format!("`{}` is a field of [[{other}]]", pair.key));
    }
    kind.pack?;
    let ty = match &pair.node.shape {
        TomlShape::Int(_) => "int",
        TomlShape::Bool(_) => "bool",
        TomlShape::List(_) => "list",
        TomlShape::Table(_) => "any",
        _ => "string",
    };
    Some(format!(
        "declare it in the kind `{}`: fields.{} = \"{ty}\"",
        kind.id, pair.key
    ))
}

/// Adds defaults, and reports missing fields.
fn add_missing(
    cx: &mut ReadContext,
    kind: &Kind,
    block: (&TomlTable, Span),
    what: &str,
    at: Span,
    fields: &mut Vec<EntryField>,
) {
    let (table, whole) = block;
    let inherits = kind.id == "mode" && table.get("extends").is_some();
    // A misspelt field is reported as unknown.
    let is_misspelt = |name: &str| {
        let mut unknown = table
            .pairs
            .iter()
            .filter(|pair| spec(kind, &pair.key).is_none());
        unknown.any(|pair| nearest(&pair.key, [name]).is_some())
    };
    let matters =
        |spec: &&FieldSpec| spec.name != "id" && (spec.default.is_some() || spec.is_required());
    let own = kind.fields.iter().filter(matters);
    let shared = common()
        .iter()
        .filter(matters)
        .filter(|spec| !declares(kind, &spec.name));
    for spec in own
        .chain(shared)
        .filter(|spec| table.get(&spec.name).is_none())
    {
        if let Some(default) = &spec.default {
            let field = EntryField {
                name: spec.name.clone(),
                value: default.clone(),
                span: at,
                by: cx.pack,
                is_explicit: false,
            };
            fields.push(field);
        } else if spec.is_required() && !inherits && !is_misspelt(&spec.name) {
            let fix = insert_field::field(cx.files, table, whole, spec);
            cx.missing_field(at, what, &spec.name, &spec.ty.phrase(), fix);
        }
    }
}

/// The declaration of a field: that of the kind takes precedence over the common one.
pub(super) fn spec<'k>(kind: &'k Kind, name: &str) -> Option<&'k FieldSpec> {
    kind.fields
        .iter()
        .chain(common())
        .find(|spec| spec.name == name)
}

/// All fields of a kind: its own, and the common ones that it does not redeclare.
pub(super) fn specs(kind: &Kind) -> impl Iterator<Item = &FieldSpec> {
    kind.fields
        .iter()
        .chain(common().iter().filter(|spec| !declares(kind, &spec.name)))
}

fn declares(kind: &Kind, name: &str) -> bool {
    kind.fields.iter().any(|own| own.name == name)
}
