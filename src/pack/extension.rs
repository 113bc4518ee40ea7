//! `[[extend]]`: what a pack adds to a kind that another pack or the engine declares.

use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Report, Span, sanitize};

use super::convert::Converter;
use super::declare::{self, KindNames, unknown_kind};
use super::define::spec;
use super::entry::Entry;
use super::kind::{FieldSpec, Kind, Requirement, Type, quoted};
use super::read_context::ReadContext;
use super::scope::TemplateScope;
use super::set::PackSet;
use super::table_reader::TableReader;
use super::toml_tree::{TomlNode, TomlShape, TomlTable};
use super::value::{EntryField, FieldValue};

/// The tables of hooks that an extension may add.
const HOOKS: [&str; 3] = ["on", "offer", "answer"];

/// Separates the event from the pack that adds the hook: `on.after_damage@trail`.
pub(super) const ADDED_BY: char = '@';

/// What a pack adds to a kind of another pack or of the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KindExtension {
    /// The pack that adds it.
    pub pack: u16,
    /// The id of that pack.
    pub pack_id: Arc<str>,
    /// The kind that gets the additions.
    pub kind: String,
    /// New fields.
    pub fields: Vec<FieldSpec>,
    /// New values of existing enum fields.
    pub values: Vec<AddedValues>,
    /// New faces.
    pub faces: Vec<String>,
    /// Fields that a certain value of another field requires.
    pub needs: Vec<Requirement>,
    /// A template that follows the text of every entry of the kind.
    pub text: Option<String>,
    /// Hooks for every entry of the kind: the table, the event or query, and the script.
    pub hooks: Vec<(&'static str, String, FieldValue)>,
    /// The source location of the kind's name.
    pub span: Span,
}

/// New values of an enum field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddedValues {
    /// The names of the field and of the tables around it.
    pub path: Vec<String>,
    /// The values.
    pub values: Vec<String>,
}

/// The event or query of a hook, without the pack that adds it to a kind.
#[must_use]
pub fn hook_key(key: &str) -> &str {
    key.split_once(ADDED_BY).map_or(key, |(event, _)| event)
}

/// Reads one `[[extend]]` block. Returns `None` if it names no kind of another pack.
pub(super) fn read(cx: &mut ReadContext, set: &PackSet, node: &TomlNode) -> Option<KindExtension> {
    let Some(table) = node.as_table() else {
        cx.wrong_type(node, "extend", "a block that begins with [[extend]]");
        return None;
    };
    let known: KindNames = set.kinds_of(cx.pack).map(|kind| kind.id.as_str()).collect();
    let mut reader = TableReader::new(table, "[[extend]]", node.span);
    let named = reader.need_text(cx, "kind");
    let fields = reader.table(cx, "fields");
    let values = reader.table(cx, "values");
    let faces = reader.texts(cx, "faces");
    let needs = declare::needs(cx, &mut reader);
    let text = reader.pair("text");
    let hooks = HOOKS.map(|name| (name, reader.pair(name)));
    reader.finish(cx);
    let (name, span) = named?;
    let (of, id) = name
        .split_once(':')
        .map_or((None, &*name), |(of, id)| (Some(of), id));
    let is_of = |pack: u16, of: &str| set.packs[usize::from(pack)].manifest.id == of;
    let is_named = |kind: &&Kind| {
        kind.id == id && of.is_none_or(|of| kind.pack.is_some_and(|pack| is_of(pack, of)))
    };
    let Some(kind) = set.kinds_of(cx.pack).find(is_named) else {
        unknown_kind(cx, &name, span, &known, None);
        return None;
    };
    let name = id.to_owned();
    if kind.pack == Some(cx.pack) {
        own_kind(cx, kind, span);
        return None;
    }
    let pack_id: Arc<str> = set.packs[usize::from(cx.pack)].manifest.id.as_str().into();
    let mut extension = KindExtension {
        pack: cx.pack,
        pack_id,
        kind: name,
        fields: Vec::new(),
        values: Vec::new(),
        faces: faces.into_iter().map(|(face, _)| face).collect(),
        needs,
        text: None,
        hooks: Vec::new(),
        span,
    };
    if let Some(fields) = fields {
        for mut field in declare::field_specs(cx, fields, &known, true) {
            field.added_by = Some(extension.pack_id.clone());
            if is_addable(cx, kind, &field) {
                extension.fields.push(field);
            }
        }
    }
    if let Some(values) = values {
        read_values(
            cx,
            &kind.fields,
            values,
            &mut Vec::new(),
            &mut extension.values,
        );
    }
    let mut extended = kind.clone();
    extension.merge_into(&mut extended, &mut Report::new());
    if let Some(pair) = text {
        match &pair.node.shape {
            TomlShape::Text(text) => {
                TemplateScope::new(&extended, None).check(cx, &pair.node, text);
                extension.text = Some(sanitize(text).into_owned());
            }
            _ => cx.wrong_type(&pair.node, "text", "text in quotes"),
        }
    }
    for (table, pair) in hooks {
        let Some((pair, spec)) = pair.zip(spec(&extended, table)) else {
            continue;
        };
        let mut converter = Converter::for_entry(cx, &extended, None);
        if let Some(FieldValue::Table(rows)) = converter.step(&pair.node, &spec.ty, table, table) {
            let hook = |(event, script)| (table, event, script);
            extension.hooks.extend(rows.into_iter().map(hook));
        }
    }
    Some(extension)
}

fn own_kind(cx: &mut ReadContext, kind: &Kind, span: Span) {
    Diagnostic::error(
        span,
        "bad-extension",
        format!("`{}` is a kind of this pack", kind.id),
    )
    .label("[[extend]] adds to the kinds of other packs")
    .related(kind.span, "declared here")
    .help("add these lines to its [[kind]] block")
    .push(cx.report);
}

/// Whether a field can be added. Entries of other packs do not have it, so it needs a default or
/// must be optional.
fn is_addable(cx: &mut ReadContext, kind: &Kind, field: &FieldSpec) -> bool {
    if let Some(other) = kind.fields.iter().find(|other| other.name == field.name) {
        if !other.is_same_addition(field) {
            conflict(kind, other, field, cx.report);
        }
        return other.is_same_addition(field);
    }
    if field.is_required() {
        Diagnostic::error(
            field.span,
            "bad-extension",
            format!("the added field `{}` needs a default", field.name),
        )
        .label(format!(
            "other packs' entries of `{}` do not have it",
            kind.id
        ))
        .help("add default = … to its declaration, or optional = true")
        .push(cx.report);
    }
    !field.is_required()
}

fn conflict(kind: &Kind, first: &FieldSpec, second: &FieldSpec, report: &mut Report) {
    let adder = |field: &FieldSpec| {
        field.added_by.as_ref().map_or_else(
            || format!("declared by the kind, as {}", field.ty.word()),
            |pack| format!("added by `{pack}`, as {}", field.ty.word()),
        )
    };
    let message = format!(
        "two declarations of the field `{}` of `{}` differ",
        second.name, kind.id
    );
    let help = if first.added_by.is_some() {
        "choose another name in one of the two packs, or write the same type and default in both"
    } else {
        "choose another name for the added field, or use the existing one"
    };
    Diagnostic::error(second.span, "extension-conflict", message)
        .label(adder(second))
        .related(first.span, adder(first))
        .help(help)
        .push(report);
}

/// Reads `values.colour = ["grey"]`; the path may lead into tables.
fn read_values(
    cx: &mut ReadContext,
    fields: &[FieldSpec],
    table: &TomlTable,
    path: &mut Vec<String>,
    out: &mut Vec<AddedValues>,
) {
    for pair in &table.pairs {
        let field = fields.iter().find(|field| field.name == pair.key);
        path.push(pair.key.clone());
        match (field.map(|field| innermost(&field.ty)), &pair.node.shape) {
            (Some(Type::Table(inner)), TomlShape::Table(rows)) => {
                read_values(cx, inner, rows, path, out);
            }
            (Some(Type::Enum(_)), _) => {
                let mut values = Vec::new();
                for item in pair.node.items() {
                    match item.as_text() {
                        Some(value) => values.push(sanitize(value).into_owned()),
                        None => cx.wrong_type(item, &pair.key, "text in quotes"),
                    }
                }
                out.push(AddedValues {
                    path: path.clone(),
                    values,
                });
            }
            (found, _) => {
                let enums = fields.iter().filter(|field| is_or_has_enum(&field.ty));
                let names: Vec<&str> = enums.map(|field| field.name.as_str()).collect();
                let near = cx.suggest(&pair.key, names.iter().copied());
                let message = if found.is_some() {
                    format!("the field `{}` has no list of values", pair.key)
                } else {
                    format!("unknown field `{}`", pair.key)
                };
                let help = near.is_none().then(|| match &names[..] {
                    [] => "remove this line: no field here has a list of values".to_owned(),
                    names => format!("fields with a list of values: {}", quoted(names, "and")),
                });
                Diagnostic::error(pair.at, "bad-extension", message)
                    .label("not an enum field of the kind")
                    .did_you_mean(near)
                    .maybe_help(help)
                    .push(cx.report);
            }
        }
        path.pop();
    }
}

/// The type of the items of lists and maps.
fn innermost(mut ty: &Type) -> &Type {
    while let Type::List(inner) | Type::Map(inner) = ty {
        ty = inner;
    }
    ty
}

fn is_or_has_enum(ty: &Type) -> bool {
    match innermost(ty) {
        Type::Enum(_) => true,
        Type::Table(fields) => fields.iter().any(|field| is_or_has_enum(&field.ty)),
        _ => false,
    }
}

impl FieldSpec {
    /// Whether two packs may both add these fields: they have the same type and default.
    fn is_same_addition(&self, other: &FieldSpec) -> bool {
        self.added_by.is_some()
            && self.ty.word() == other.ty.word()
            && self.ty.phrase() == other.ty.phrase()
            && self.default == other.default
            && self.optional == other.optional
    }
}

impl KindExtension {
    /// Adds the declarations to a kind. Reports fields that an earlier pack has added differently.
    pub(crate) fn merge_into(&self, kind: &mut Kind, report: &mut Report) {
        for field in &self.fields {
            match kind.fields.iter().find(|other| other.name == field.name) {
                None => kind.fields.push(field.clone()),
                Some(other) if other.is_same_addition(field) => {}
                Some(other) => conflict(kind, other, field, report),
            }
        }
        for added in &self.values {
            add_values(&mut kind.fields, &added.path, &added.values);
        }
        let new = |face: &&String| !kind.faces.contains(*face);
        let faces: Vec<String> = self.faces.iter().filter(new).cloned().collect();
        kind.faces.extend(faces);
        kind.needs.extend(self.needs.iter().cloned());
    }

    /// Adds the defaults of the new fields to an entry. Returns whether the entry has changed.
    pub(super) fn add_defaults(&self, entry: &mut Arc<Entry>) -> bool {
        if entry.kind != self.kind {
            return false;
        }
        let missing: Vec<EntryField> = (self.fields.iter())
            .filter(|field| entry.get(&field.name).is_none())
            .filter_map(|field| {
                Some(EntryField {
                    name: field.name.clone(),
                    value: field.default.clone()?,
                    span: entry.span,
                    by: self.pack,
                    is_explicit: false,
                })
            })
            .collect();
        let changed = !missing.is_empty();
        if changed {
            Arc::make_mut(entry).fields.extend(missing);
        }
        changed
    }

    /// Adds the text and the hooks to an entry. Returns whether the entry has changed.
    pub(super) fn add_hooks(&self, entry: &mut Arc<Entry>) -> bool {
        if entry.kind != self.kind || self.text.is_none() && self.hooks.is_empty() {
            return false;
        }
        let entry = Arc::make_mut(entry);
        if let Some(text) = &self.text {
            let field = self.field(entry, "text", FieldValue::Text(String::new()));
            if let FieldValue::Text(own) = field {
                let space = if own.is_empty() { "" } else { " " };
                *own = format!("{own}{space}{text}");
            }
        }
        for (table, event, script) in &self.hooks {
            let field = self.field(entry, table, FieldValue::Table(Vec::new()));
            if let FieldValue::Table(rows) = field {
                rows.push((format!("{event}{ADDED_BY}{}", self.pack_id), script.clone()));
            }
        }
        true
    }

    /// The value of a field, which is added if it is missing.
    fn field<'e>(&self, entry: &'e mut Entry, name: &str, empty: FieldValue) -> &'e mut FieldValue {
        let found = entry.fields.iter().position(|field| field.name == name);
        let at = found.unwrap_or_else(|| {
            entry.fields.push(EntryField {
                name: name.to_owned(),
                value: empty,
                span: self.span,
                by: self.pack,
                is_explicit: true,
            });
            entry.fields.len() - 1
        });
        &mut entry.fields[at].value
    }
}

fn add_values(fields: &mut [FieldSpec], path: &[String], new: &[String]) {
    let Some((first, rest)) = path.split_first() else {
        return;
    };
    let Some(field) = fields.iter_mut().find(|field| field.name == *first) else {
        return;
    };
    let mut ty = &mut field.ty;
    while let Type::List(inner) | Type::Map(inner) = ty {
        ty = inner;
    }
    match ty {
        Type::Table(inner) => add_values(inner, rest, new),
        Type::Enum(values) => {
            let fresh = new.iter().filter(|value| !values.contains(value));
            *values = values.iter().chain(fresh).cloned().collect();
        }
        _ => {}
    }
}
