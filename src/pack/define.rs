//! Reads `[[<kind>]]` blocks into entries.

use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Span};

use super::builtin::common;
use super::convert::Converter;
use super::entry::{Entry, NumberAt, TextAt};
use super::faults::Cx;
use super::id;
use super::kind::{FieldSpec, Kind};
use super::mend;
use super::node::{Node, Pair, Shape, Table};
use super::value::{Field, Value};

/// Reads one block. All its faults are reported, but without an id there is no entry.
pub(super) fn entry(cx: &mut Cx, kind: &Kind, node: &Node, pack_id: &str) -> Option<Entry> {
    let Shape::Table(table) = &node.shape else {
        cx.wrong_type(
            node,
            &kind.id,
            &format!("a block that begins with [[{}]]", kind.id),
        );
        return None;
    };
    let named = name(cx, kind, table, node.span);
    let at = named.as_ref().map_or(node.span, |(_, span)| *span);
    let what = named.as_ref().map_or_else(
        || format!("this {}", kind.id),
        |(id, _)| format!("{} `{id}`", kind.id),
    );
    let (mut fields, notes) = given(cx, kind, table, &what);
    needed(cx, kind, table, &what, at);
    absent(cx, kind, (table, node.span), &what, at, &mut fields);
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

fn name(cx: &mut Cx, kind: &Kind, table: &Table, at: Span) -> Option<(String, Span)> {
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
    let Shape::Text(text) = &pair.node.shape else {
        cx.wrong_type(&pair.node, "id", "a text in quotes");
        return None;
    };
    id::check(cx, text, pair.node.span, &kind.id).then(|| (text.clone(), pair.node.span))
}

/// What checks want to know of an entry: texts with numbers, numbers that are names, costs.
type Notes = (Vec<TextAt>, Vec<NumberAt>, Vec<(String, Span)>);

/// Reports what has to be there because another field says so.
fn needed(cx: &mut Cx, kind: &Kind, table: &Table, what: &str, at: Span) {
    for need in &kind.needs {
        let Some(pair) = table
            .get(&need.field)
            .filter(|pair| pair.node.as_text() == Some(&need.is))
        else {
            continue;
        };
        for name in need.fields.iter().filter(|name| table.get(name).is_none()) {
            Diagnostic::wrong(
                at,
                "missing-field",
                format!("{what} needs a field `{name}`"),
            )
            .label(format!("`{name}` is missing"))
            .also(
                pair.node.span,
                format!("its `{}` is `{}`", need.field, need.is),
            )
            .help(format!("add `{name}`, or change `{}`", need.field))
            .push(cx.report);
        }
    }
}

/// The fields the block gives.
fn given(cx: &mut Cx, kind: &Kind, table: &Table, what: &str) -> (Vec<Field>, Notes) {
    let mut fields = Vec::with_capacity(table.pairs.len() + 4);
    let by = cx.pack;
    let mut converter = Converter::of(cx, kind, Some(table));
    for pair in table.pairs.iter().filter(|pair| pair.key != "id") {
        let Some(spec) = spec(kind, &pair.key) else {
            unknown(converter.cx, kind, pair, what);
            continue;
        };
        converter.ruled(&pair.node, spec);
        let Some(mut value) = converter.step(&pair.node, &spec.ty, &pair.key, &pair.key) else {
            continue;
        };
        if let ("replaces", Value::Name(name)) = (pair.key.as_str(), &mut value) {
            name.to = Arc::from([kind.id.clone()]);
        }
        fields.push(Field {
            name: pair.key.clone(),
            value,
            span: pair.node.span,
            by,
            given: true,
        });
    }
    (
        fields,
        (converter.texts, converter.numbers, converter.costs),
    )
}

/// Hooks written as `on = '…'` or beside `on` are common slips; all else is just unknown.
fn unknown(cx: &mut Cx, kind: &Kind, pair: &Pair, what: &str) {
    if pair.key.starts_with("on_") || pair.key.starts_with("ask_") {
        let (word, rest) = pair.key.split_once('_').unwrap_or(("on", ""));
        Diagnostic::wrong(
            pair.at,
            "unknown-field",
            format!("{what} has no field `{}`", pair.key),
        )
        .label("nobody reads this")
        .help(format!("write {word}.{rest} with a dot"))
        .push(cx.report);
        return;
    }
    let known = kind
        .fields
        .iter()
        .chain(common())
        .map(|spec| spec.name.as_str());
    cx.unknown_field(pair, what, known);
}

/// Fills in defaults, and reports what has to be there and is not.
fn absent(
    cx: &mut Cx,
    kind: &Kind,
    block: (&Table, Span),
    what: &str,
    at: Span,
    fields: &mut Vec<Field>,
) {
    let (table, whole) = block;
    let inherits = kind.id == "mode" && table.get("extends").is_some();
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
            let field = Field {
                name: spec.name.clone(),
                value: default.clone(),
                span: at,
                by: cx.pack,
                given: false,
            };
            fields.push(field);
        } else if spec.is_required() && !inherits {
            let fix = mend::field(cx.files, table, whole, spec);
            cx.missing_field(at, what, &spec.name, &spec.ty.words(), fix);
        }
    }
}

/// The declaration of a field of a kind, its own before the common one.
pub(super) fn spec<'k>(kind: &'k Kind, name: &str) -> Option<&'k FieldSpec> {
    kind.fields
        .iter()
        .chain(common())
        .find(|spec| spec.name == name)
}

/// All declared fields of a kind, its own and the common ones it does not redeclare.
pub(super) fn specs(kind: &Kind) -> impl Iterator<Item = &FieldSpec> {
    kind.fields
        .iter()
        .chain(common().iter().filter(|spec| !declares(kind, &spec.name)))
}

fn declares(kind: &Kind, name: &str) -> bool {
    kind.fields.iter().any(|own| own.name == name)
}
