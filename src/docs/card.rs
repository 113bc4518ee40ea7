//! Cards: a box with the filled-in texts and options of an entry, and one box for each other face.

use super::html::{Html, classed, paragraphs, tag, tag_with};
use super::site::PageWriter;
use super::usage::spec_of;
use super::values::{self, filled, is_nothing};
use crate::pack::{EntryNature, FieldSpec, FieldValue, Type};

/// Fields that are shown elsewhere on the page: in the heading of the card, or as scripts.
const HIDDEN_FIELDS: &[&str] = &[
    "id", "title", "text", "tags", "copies", "face", "on", "offer", "then", "answer", "source",
];

pub fn cards(writer: &PageWriter, at: usize) -> Html {
    let item = &writer.site.items[at];
    let rows: Vec<(&str, &FieldValue)> = item
        .entry
        .fields
        .iter()
        .map(|field| (&*field.name, &field.value))
        .collect();
    let mut body = card(writer, at, &item.title, None, &rows);
    let faces = item
        .entry
        .get("face")
        .and_then(FieldValue::as_table)
        .unwrap_or_default();
    for (name, face) in faces {
        let rows: Vec<(&str, &FieldValue)> = face
            .as_table()
            .unwrap_or_default()
            .iter()
            .map(|(key, value)| (key.as_str(), value))
            .collect();
        let title = face
            .get("title")
            .and_then(FieldValue::as_text)
            .unwrap_or(&item.title);
        body.push(card(
            writer,
            at,
            &filled(writer.site, at, &[face], title),
            Some((name, face)),
            &rows,
        ));
    }
    body
}

fn card(
    writer: &PageWriter,
    at: usize,
    title: &str,
    face: Option<(&str, &FieldValue)>,
    fields: &[(&str, &FieldValue)],
) -> Html {
    let item = &writer.site.items[at];
    let enclosing: Vec<&FieldValue> = face.iter().map(|(_, face)| *face).collect();
    let mut words = vec![item.kind_title().to_owned()];
    match face {
        Some((name, _)) => words.push(format!("face “{name}”")),
        None => {
            let copies = item.entry.int("copies").filter(|copies| *copies != 1);
            words.extend(copies.map(|copies| format!("{copies} copies")));
            words.extend(
                item.entry
                    .list("tags")
                    .iter()
                    .filter_map(FieldValue::as_text)
                    .map(|tag| format!("#{tag}")),
            );
        }
    }
    let head = tag(
        "header",
        [
            classed("p", "name", title),
            classed("p", "kind", words.join(" · ")),
        ],
    );
    let mut body = Html::default();
    let find = |wanted: &str| {
        fields
            .iter()
            .find(|(name, _)| *name == wanted)
            .map(|(_, value)| *value)
    };
    if let Some(text) = find("text").and_then(FieldValue::as_text) {
        body.push(classed(
            "div",
            "says",
            paragraphs(&filled(writer.site, at, &enclosing, text)),
        ));
    }
    for (name, value) in fields
        .iter()
        .filter(|(name, _)| !HIDDEN_FIELDS.contains(name))
    {
        if let Some(spec) =
            spec_of(item, name).filter(|spec| has_text(&spec.ty) && !is_nothing(value))
        {
            body.push(texts(writer, at, spec, value, &enclosing));
        }
    }
    // For data without texts, the box would be empty.
    let has_no_text = body.is_empty()
        && words.len() == 1
        && item.kind.is_some_and(|kind| kind.is == EntryNature::Data);
    if has_no_text {
        body
    } else {
        tag_with("article", &[("class", "card")], head.and(body))
    }
}

/// Whether a type contains texts for players.
fn has_text(ty: &Type) -> bool {
    match ty {
        Type::Text => true,
        Type::List(of) | Type::Map(of) => has_text(of),
        Type::Table(specs) => specs.iter().any(|spec| has_text(&spec.ty)),
        _ => false,
    }
}

/// Whether a field is shown on the card.
pub fn is_on_card(spec: &FieldSpec) -> bool {
    HIDDEN_FIELDS.contains(&&*spec.name) || has_text(&spec.ty)
}

/// A field that contains texts, such as an option with its text and result.
fn texts<'v>(
    writer: &PageWriter,
    at: usize,
    spec: &'v FieldSpec,
    value: &'v FieldValue,
    enclosing: &[&'v FieldValue],
) -> Html {
    let mut inner = &spec.ty;
    while let Type::List(of) | Type::Map(of) = inner {
        inner = of;
    }
    match (inner, value) {
        (Type::Table(specs), FieldValue::List(rows)) => rows
            .iter()
            .map(|row| table(writer, at, &spec.name, specs, row, enclosing))
            .collect(),
        (Type::Table(specs), row) => table(writer, at, &spec.name, specs, row, enclosing),
        (_, FieldValue::Text(text)) => {
            let label = classed("span", "key", &spec.name);
            let text = paragraphs(&filled(writer.site, at, enclosing, text));
            classed("div", "more", [tag("p", label), text])
        }
        _ => Html::default(),
    }
}

fn table<'v>(
    writer: &PageWriter,
    at: usize,
    name: &str,
    specs: &'v [FieldSpec],
    row: &'v FieldValue,
    enclosing: &[&'v FieldValue],
) -> Html {
    let mut enclosing = enclosing.to_vec();
    enclosing.push(row);
    let id = row.get("id").and_then(FieldValue::as_text);
    let label = classed(
        "span",
        "key",
        id.map_or_else(|| name.to_owned(), |id| format!("{name} {id}")),
    );
    let mut facts = vec![label];
    let mut texts_below = Html::default();
    for spec in specs.iter().filter(|spec| spec.name != "id") {
        let Some(value) = row.get(&spec.name).filter(|value| !is_nothing(value)) else {
            continue;
        };
        match (&spec.ty, value) {
            (Type::Script, _) => {}
            (Type::Text, FieldValue::Text(text)) => {
                let class = if spec.name == "text" {
                    "says"
                } else {
                    "result"
                };
                texts_below.push(classed(
                    "div",
                    class,
                    paragraphs(&filled(writer.site, at, &enclosing, text)),
                ));
            }
            (ty, value) if has_text(ty) => {
                texts_below.push(texts(writer, at, spec, value, &enclosing));
            }
            (Type::Cost, value) => {
                let paid = values::cost(writer.site, writer.site.items[at].entry.pack, value);
                facts.push(format!("costs {paid}").into());
            }
            (_, value) => {
                facts.push(Html::from([
                    classed("span", "key", &spec.name),
                    " ".into(),
                    writer.field(at, value, Some(spec)),
                ]));
            }
        }
    }
    let facts = super::html::joined(facts, " · ");
    classed("div", "option", [classed("p", "small", facts), texts_below])
}
