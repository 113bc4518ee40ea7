//! Reads `[[kind]]` blocks, in which the engine and packs declare the fields of entries.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Edit, Misspelling, Span};
use crate::migrate;

use super::branches;
use super::convert::Converter;
use super::id;
use super::insert_field;
use super::kind::{EntryNature, FieldRules, FieldSpec, Kind, Requirement, RowForm, Type, quoted};
use super::read_context::ReadContext;
use super::table_reader::{LocatedText, TableReader};
use super::toml_tree::{TomlNode, TomlPair, TomlShape, TomlTable};

/// The type names that `[[kind]]` accepts.
pub const TYPES: [&str; 15] = [
    "int", "bool", "string", "text", "enum", "ref", "list", "table", "map", "script", "bound",
    "cost", "options", "results", "any",
];

/// Fields that the engine reads from every entry; a kind cannot redefine them.
const RESERVED: [&str; 8] = [
    "id", "in", "replaces", "on", "offer", "answer", "then", "face",
];

pub(super) type KindNames<'a> = BTreeSet<&'a str>;

pub(super) fn kind(
    cx: &mut ReadContext,
    table: &TomlTable,
    at: Span,
    known: &KindNames,
    pack: Option<u16>,
) -> Option<Kind> {
    let mut reader = TableReader::new(table, "a kind", at);
    let name = reader.need_text(cx, "id");
    let title = reader.text(cx, "title");
    let text = reader.text(cx, "text");
    let is = reader
        .text(cx, "is")
        .and_then(|word| is(cx, &word))
        .unwrap_or_default();
    let faces = reader
        .texts(cx, "faces")
        .into_iter()
        .map(|(face, _)| face)
        .collect();
    let needs = needs(cx, &mut reader);
    let mut fields = reader
        .table(cx, "fields")
        .map(|fields| field_specs(cx, fields, known, true))
        .unwrap_or_default();
    reader.finish(cx);
    if is == EntryNature::Place && !fields.iter().any(|field| field.name == "routes") {
        fields.push(routes(at));
    }
    let (name, span) = name?;
    id::check(cx, &name, span, "kind");
    Some(Kind {
        title: title.map_or_else(|| name.clone(), |(title, _)| title),
        text: text.map(|(text, _)| text).unwrap_or_default(),
        id: name,
        is,
        faces,
        fields,
        needs,
        pack,
        span,
    })
}

/// Reads `needs = [{ field = "type", is = "test", fields = ["test"] }]`.
pub(super) fn needs(cx: &mut ReadContext, reader: &mut TableReader) -> Vec<Requirement> {
    let mut needs = Vec::new();
    for item in reader
        .pair("needs")
        .map(|pair| pair.node.items())
        .unwrap_or_default()
    {
        let TomlShape::Table(table) = &item.shape else {
            cx.wrong_type(
                item,
                "needs",
                "a table, as in { field = \"type\", is = \"test\", fields = [\"test\"] }",
            );
            continue;
        };
        let mut reader = TableReader::new(table, "a need", item.span);
        let (field, is) = (reader.need_text(cx, "field"), reader.need_text(cx, "is"));
        let fields = reader
            .texts(cx, "fields")
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        reader.finish(cx);
        needs.extend(
            field
                .zip(is)
                .map(|((field, _), (is, _))| Requirement { field, is, fields }),
        );
    }
    needs
}

/// The field `routes` of every kind of place.
fn routes(at: Span) -> FieldSpec {
    FieldSpec {
        name: "routes".into(),
        ty: Type::List(Box::new(Type::Ref(Arc::from(["place".to_owned()])))),
        optional: true,
        default: None,
        text: "The neighbouring places.".into(),
        span: at,
        default_at: None,
        rules: FieldRules::default(),
        added_by: None,
    }
}

fn is(cx: &mut ReadContext, (word, span): &LocatedText) -> Option<EntryNature> {
    let all = [EntryNature::Piece, EntryNature::Place, EntryNature::Data];
    let found = all.into_iter().find(|is| is.word() == word);
    if found.is_none() {
        unknown_value(cx, *span, word, "is", &all.map(EntryNature::word));
    }
    found
}

/// Reports a value that a field does not accept.
pub(super) fn unknown_value(
    cx: &mut ReadContext,
    span: Span,
    word: &str,
    field: &str,
    fits: &[impl AsRef<str>],
) {
    let known = |new: &&str| fits.iter().any(|fit| fit.as_ref() == *new);
    let foreign = FOREIGN_TYPES
        .iter()
        .filter(|_| field == "type")
        .find(|(old, _)| *old == word.to_lowercase())
        .map(|(_, new)| *new)
        .filter(known);
    let owner = OWNERS
        .iter()
        .find(|(old, _)| *old == word.to_lowercase())
        .map(|(_, new)| *new)
        .filter(known);
    let near = match foreign.or(owner) {
        Some(new) => Some(Misspelling::from(new)),
        None => cx.suggest(word, fits.iter().map(AsRef::as_ref)),
    };
    let is_of_flag = fits.iter().all(|fit| fit.as_ref() != "text");
    let reference = if field == "type" && near.is_none() && is_of_flag {
        "; for words, type = \"enum\" and values = [\"…\"]".to_owned()
    } else if field == "type" && near.is_none() {
        format!("; for the id of another entry, type = \"ref\", to = \"{word}\"")
    } else {
        String::new()
    };
    Diagnostic::unknown(span, "unknown-value", "value", word)
        .label(format!("not a value of `{field}`"))
        .did_you_mean(near)
        .help(format!("write {}{reference}", quoted(fits, "or")))
        .push(cx.report);
}

/// Words for the owner of a counter or zone, and what packs write.
const OWNERS: &[(&str, &str)] = &[
    ("board", "table"),
    ("game", "table"),
    ("all", "table"),
    ("player", "seat"),
    ("players", "seat"),
    ("card", "piece"),
    ("location", "place"),
];

/// Reads the fields of a kind, or of a table inside one.
pub(super) fn field_specs(
    cx: &mut ReadContext,
    table: &TomlTable,
    known: &KindNames,
    top: bool,
) -> Vec<FieldSpec> {
    table
        .pairs
        .iter()
        .filter_map(|pair| field_spec(cx, pair, known, top))
        .collect()
}

fn field_spec(
    cx: &mut ReadContext,
    pair: &TomlPair,
    known: &KindNames,
    top: bool,
) -> Option<FieldSpec> {
    if top && RESERVED.contains(&pair.key.as_str()) {
        Diagnostic::error(
            pair.at,
            "reserved-field",
            format!("reserved field name `{}`", pair.key),
        )
        .label("the engine gives this field to every entry")
        .help("choose another name, or remove this line")
        .push(cx.report);
        return None;
    }
    id::check(cx, &pair.key, pair.at, "field");
    let mut spec = FieldSpec {
        name: pair.key.clone(),
        ty: Type::Any,
        optional: false,
        default: None,
        text: String::new(),
        span: pair.at,
        default_at: None,
        rules: FieldRules::default(),
        added_by: None,
    };
    match &pair.node.shape {
        TomlShape::Text(word) => match bare_type(cx, word, pair.node.span) {
            Some(ty) => {
                spec.ty = ty;
                spec.rules.rows = RowForm::of(word);
            }
            None => spec.optional = true,
        },
        TomlShape::Table(table) => full_spec(cx, table, pair, known, top, &mut spec),
        _ => {
            cx.wrong_type(
                &pair.node,
                &pair.key,
                "a type, as in \"int\" or { type = \"int\", min = 0 }",
            );
            spec.optional = true;
        }
    }
    Some(spec)
}

fn full_spec(
    cx: &mut ReadContext,
    table: &TomlTable,
    pair: &TomlPair,
    known: &KindNames,
    top: bool,
    spec: &mut FieldSpec,
) {
    let mut reader = TableReader::new(table, format!("the declaration of `{}`", pair.key), pair.at);
    spec.optional = reader.flag(cx, "optional");
    spec.text = reader
        .text(cx, "text")
        .map(|(text, _)| text)
        .unwrap_or_default();
    let default = reader.pair("default");
    let form = reader.pair("type").and_then(|pair| pair.node.as_text());
    spec.rules.rows = form.map(RowForm::of).unwrap_or_default();
    let ty = declared_type(cx, &mut reader, known);
    match ty {
        Some(Type::Int { .. }) => spec.rules.names = named_number(cx, &mut reader, known),
        Some(Type::List(ref row)) => {
            spec.rules.items = (reader.int(cx, "min"), reader.int(cx, "max"));
            if let (Type::Table(fields), RowForm::Options | RowForm::Results) =
                (&**row, spec.rules.rows)
            {
                spec.rules.one_of = one_of(cx, &mut reader, fields);
            }
        }
        Some(Type::Table(ref fields)) => spec.rules.one_of = one_of(cx, &mut reader, fields),
        _ => {}
    }
    let is_plain = |ty: &Type| {
        matches!(
            ty,
            Type::Int { .. } | Type::String | Type::Enum(_) | Type::Ref(_)
        )
    };
    if top && ty.as_ref().is_some_and(is_plain) {
        spec.rules.unique = reader.flag(cx, "unique");
    }
    reader.finish(cx);
    // After an error, entries may have any value, so that the error is reported only once.
    spec.optional |= ty.is_none();
    spec.ty = ty.unwrap_or(Type::Any);
    spec.default_at = default.map(|default| default.node.span);
    spec.default =
        default.and_then(|default| Converter::bare(cx).value(&default.node, &spec.ty, "default"));
    spec.optional |= default.is_some() && spec.default.is_none();
}

/// Reads `one_of`: the table must have exactly one of these fields.
fn one_of(cx: &mut ReadContext, reader: &mut TableReader, fields: &[FieldSpec]) -> Vec<String> {
    let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
    let mut known = Vec::new();
    for (word, span) in reader.texts(cx, "one_of") {
        if names.contains(&word.as_str()) {
            known.push(word);
        } else {
            unknown_value(cx, span, &word, "one_of", &names);
        }
    }
    known
}

/// Reads `names = "chapter.number"`: the value must equal the field `number` of an entry of the
/// kind `chapter`.
fn named_number(
    cx: &mut ReadContext,
    reader: &mut TableReader,
    known: &KindNames,
) -> Option<(String, String)> {
    let (word, span) = reader.text(cx, "names")?;
    let (kind, field) = word.split_once('.').unwrap_or((&word, "number"));
    if !known.contains(kind) {
        unknown_kind(cx, kind, span, known, None);
        return None;
    }
    Some((kind.to_owned(), field.to_owned()))
}

/// A type that needs nothing but its name.
fn bare_type(cx: &mut ReadContext, word: &str, span: Span) -> Option<Type> {
    let ty = simple_type(word);
    if ty.is_none() {
        if TYPES.contains(&word) {
            needs_more(cx, word, span);
        } else {
            unknown_value(cx, span, word, "type", &TYPES);
        }
    }
    ty
}

/// The names of types in other languages.
const FOREIGN_TYPES: &[(&str, &str)] = &[
    ("integer", "int"),
    ("number", "int"),
    ("float", "int"),
    ("boolean", "bool"),
    ("flag", "bool"),
    ("str", "string"),
    ("word", "string"),
    ("array", "list"),
    ("object", "table"),
    ("dict", "map"),
    ("reference", "ref"),
    ("entry", "ref"),
    ("choice", "enum"),
    ("code", "script"),
    ("function", "script"),
];

fn simple_type(word: &str) -> Option<Type> {
    Some(match word {
        "int" => Type::Int {
            min: None,
            max: None,
        },
        "bool" => Type::Bool,
        "string" => Type::String,
        "text" => Type::Text,
        "ref" => Type::Ref(Arc::from([])),
        "list" => Type::List(Box::new(Type::Any)),
        "options" | "results" => branches::list_type(RowForm::of(word), Vec::new()),
        "map" => Type::Map(Box::new(Type::Any)),
        "script" => Type::Script,
        "bound" => Type::Bound,
        "cost" => Type::Cost,
        "any" => Type::Any,
        _ => return None,
    })
}

fn needs_more(cx: &mut ReadContext, word: &str, span: Span) {
    let (field, example) = match word {
        "enum" => (
            "values",
            "{ type = \"enum\", values = [\"red\", \"blue\"] }",
        ),
        _ => ("fields", "{ type = \"table\", fields.damage = \"int\" }"),
    };
    Diagnostic::error(
        span,
        "missing-field",
        format!("the type `{word}` needs `{field}`"),
    )
    .help(format!("write {example}"))
    .push(cx.report);
}

/// The type that a declaration describes. Reads only the fields that belong to the type; all others
/// are reported.
fn declared_type(
    cx: &mut ReadContext,
    reader: &mut TableReader,
    known: &KindNames,
) -> Option<Type> {
    let (word, span) = reader.need_text(cx, "type")?;
    match word.as_str() {
        "int" => {
            let (min, max) = (reader.int(cx, "min"), reader.int(cx, "max"));
            Some(Type::Int { min, max })
        }
        "enum" => {
            let values: Vec<String> = reader
                .texts(cx, "values")
                .into_iter()
                .map(|(value, _)| value)
                .collect();
            if values.is_empty() {
                needs_more(cx, "enum", span);
            }
            Some(Type::Enum(values.into()))
        }
        "ref" => {
            let to = reader.texts(cx, "to");
            Some(Type::Ref(
                to.into_iter().map(|to| ref_target(cx, to, known)).collect(),
            ))
        }
        "list" | "map" => {
            let item = match reader.pair("of") {
                Some(pair) => inner_type(cx, &pair.node, known)?,
                None => Type::Any,
            };
            Some(if word == "list" {
                Type::List(Box::new(item))
            } else {
                Type::Map(Box::new(item))
            })
        }
        "table" => {
            let fields = reader.table(cx, "fields");
            if fields.is_none() {
                needs_more(cx, "table", span);
            }
            Some(Type::Table(field_specs(cx, fields?, known, false)))
        }
        "options" | "results" => {
            let fields = reader.table(cx, "fields");
            let added = fields.map(|fields| field_specs(cx, fields, known, false));
            let form = RowForm::of(&word);
            Some(branches::list_type(form, added.unwrap_or_default()))
        }
        _ => bare_type(cx, &word, span),
    }
}

fn inner_type(cx: &mut ReadContext, node: &TomlNode, known: &KindNames) -> Option<Type> {
    match &node.shape {
        TomlShape::Text(word) => bare_type(cx, word, node.span),
        TomlShape::Table(table) => {
            let mut reader = TableReader::new(table, "the type of an item", node.span);
            let ty = declared_type(cx, &mut reader, known);
            reader.finish(cx);
            ty
        }
        _ => {
            cx.wrong_type(
                node,
                "of",
                "a type, as in \"int\" or { type = \"ref\", to = \"zone\" }",
            );
            None
        }
    }
}

fn ref_target(cx: &mut ReadContext, (kind, span): LocatedText, known: &KindNames) -> String {
    if !known.contains(kind.as_str()) && kind != "piece" {
        unknown_kind(cx, &kind, span, known, None);
    }
    kind
}

/// Reports an unknown kind. The fix renames it in the headers of `blocks`.
pub(super) fn unknown_kind(
    cx: &mut ReadContext,
    kind: &str,
    span: Span,
    known: &KindNames,
    blocks: Option<&TomlNode>,
) {
    let renamed = migrate::kind(kind).filter(|new| known.contains(new));
    let near = cx.suggest(kind, known.iter().copied());
    let declare = || {
        format!(
            "declare it with [[kind]] and id = \"{kind}\", or add the pack that does to depends"
        )
    };
    let help = (near.is_none() && renamed.is_none()).then(declare);
    let near = near.filter(|_| renamed.is_none());
    let fixes = near
        .iter()
        .zip(blocks)
        .flat_map(|(near, blocks)| insert_field::headers(cx.files, blocks, near));
    let fixes: Vec<Edit> = fixes.collect();
    Diagnostic::unknown(span, "unknown-kind", "kind", kind)
        .label("not declared by the engine, this pack or a pack it depends on")
        .did_you_mean(near)
        .fix(fixes)
        .renamed(kind, renamed)
        .maybe_help(help)
        .push(cx.report);
}
