//! Converts TOML into values of the types that a kind declares.

use crate::number::cast;
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Span, sanitize};

use super::body::body;
use super::builtin::common;
use super::declare::unknown_value;
use super::entry::{CheckedText, Entry, NumberReference};
use super::extension::ADDED_BY;
use super::insert_field;
use super::kind::{FieldSpec, Kind, Type, quoted};
use super::read_context::ReadContext;
use super::resolve::is_option;
use super::scope::TemplateScope;
use super::template::Template;
use super::toml_tree::{TomlNode, TomlPair, TomlShape, TomlTable};
use super::value::{Condition, FieldValue, Reference, ScriptSource};

/// Converts the values of one entry.
pub(super) struct Converter<'a, 'c> {
    pub cx: &'a mut ReadContext<'c>,
    /// The kind of the entry, which declares its faces.
    kind: Option<&'a Kind>,
    /// The names that templates may use; `None` if templates are not checked.
    scope: Option<TemplateScope<'a>>,
    /// The path to the value being read, as in `option.2.`.
    pub(super) path: String,
    /// Texts that contain numbers or promises.
    pub texts: Vec<CheckedText>,
    /// Numbers that refer to other entries.
    pub numbers: Vec<NumberReference>,
    /// The counters, zones and chains that costs inside tables are paid with.
    pub costs: Vec<(String, Span)>,
}

impl<'a, 'c> Converter<'a, 'c> {
    /// A converter for values outside entries, whose templates cannot be checked.
    pub fn bare(cx: &'a mut ReadContext<'c>) -> Self {
        Self {
            cx,
            kind: None,
            scope: None,
            path: String::new(),
            texts: Vec::new(),
            numbers: Vec::new(),
            costs: Vec::new(),
        }
    }

    /// A converter for the fields of an entry of a kind.
    pub fn for_entry(
        cx: &'a mut ReadContext<'c>,
        kind: &'a Kind,
        table: Option<&'a TomlTable>,
    ) -> Self {
        Self {
            scope: Some(TemplateScope::new(kind, table)),
            kind: Some(kind),
            ..Self::bare(cx)
        }
    }

    /// A converter for the values that a patch sets in an entry.
    pub fn patching(cx: &'a mut ReadContext<'c>, kind: &'a Kind, target: &Entry) -> Self {
        let mut scope = TemplateScope::new(kind, None);
        scope.enter_entry(target);
        Self {
            scope: Some(scope),
            kind: Some(kind),
            ..Self::bare(cx)
        }
    }

    /// Converts the value under a name or at a position. If it does not match its type, reports it
    /// and returns `None`.
    pub fn step(
        &mut self,
        node: &TomlNode,
        ty: &Type,
        name: &str,
        step: &str,
    ) -> Option<FieldValue> {
        let before = self.path.len();
        self.path.extend([step, "."]);
        let value = self.value(node, ty, name);
        self.path.truncate(before);
        value
    }

    /// Converts a value. If it does not match its type, reports it and returns `None`.
    pub fn value(&mut self, node: &TomlNode, ty: &Type, name: &str) -> Option<FieldValue> {
        match (ty, &node.shape) {
            (Type::Int { min, max }, TomlShape::Int(number)) => {
                self.int(node, *number, (*min, *max), name)
            }
            (Type::Bool, TomlShape::Bool(yes)) => Some(FieldValue::Bool(*yes)),
            (Type::String, TomlShape::Text(text)) => Some(plain(text)),
            (Type::Text, TomlShape::Text(text)) => Some(self.template(node, text)),
            (Type::Enum(values), TomlShape::Text(text)) => {
                self.one_of(node.span, text, values, name)
            }
            (Type::Ref(to), TomlShape::Text(text)) => Some(self.name(node.span, text, to)),
            (Type::List(item_type), _) => self.list(node, item_type, name),
            (Type::Table(specs), TomlShape::Table(table)) => {
                Some(self.table(table, specs, node.span, name))
            }
            (Type::Map(item_type), TomlShape::Table(table)) => Some(self.map(table, item_type)),
            (Type::Script, TomlShape::Text(text)) => {
                Some(FieldValue::Script(self.script(node, text)))
            }
            (Type::Bound, TomlShape::Int(number)) => Some(FieldValue::Int(*number)),
            (Type::Bound, TomlShape::Text(text)) => Some(self.name(node.span, text, &counter())),
            (Type::Cost, _) => self.cost(node, name),
            (Type::Face, TomlShape::Table(table)) => Some(self.faces(table)),
            (Type::Any, _) => self.any(node, name),
            _ => {
                self.cx.wrong_type(node, name, &ty.phrase());
                None
            }
        }
    }

    fn int(
        &mut self,
        node: &TomlNode,
        number: i64,
        (min, max): (Option<i64>, Option<i64>),
        name: &str,
    ) -> Option<FieldValue> {
        let low = min.is_some_and(|min| number < min);
        let high = max.is_some_and(|max| number > max);
        if low || high {
            let bounds = bounds(min, max);
            Diagnostic::error(
                node.span,
                "out-of-range",
                format!("`{name}` cannot be {number}"),
            )
            .label(format!("must be {bounds}"))
            .help(format!("write a number {bounds}"))
            .push(self.cx.report);
            return None;
        }
        Some(FieldValue::Int(number))
    }

    fn one_of(
        &mut self,
        span: Span,
        text: &str,
        values: &[String],
        name: &str,
    ) -> Option<FieldValue> {
        if values.iter().any(|value| value == text) {
            return Some(FieldValue::Text(text.to_owned()));
        }
        unknown_value(self.cx, span, text, name, values);
        None
    }

    fn name(&self, span: Span, text: &str, to: &Arc<[String]>) -> FieldValue {
        let text = sanitize(text);
        if is_option(to) {
            return FieldValue::Name(Reference::conditional(&text, span, to, self.cx.pack));
        }
        FieldValue::Name(Reference {
            text: text.into_owned(),
            span,
            to: Arc::clone(to),
            by: self.cx.pack,
            condition: Condition::default(),
        })
    }

    /// Converts a list, or a single value as a list with one item. Enum values may also share one
    /// string, separated by commas.
    fn list(&mut self, node: &TomlNode, item_type: &Type, name: &str) -> Option<FieldValue> {
        if let (Type::Enum(values), TomlShape::Text(text)) = (item_type, &node.shape)
            && text.contains(',')
        {
            let words = text.split(',').map(str::trim);
            return Some(FieldValue::List(
                words
                    .filter_map(|word| self.one_of(node.span, word, values, name))
                    .collect(),
            ));
        }
        if let (Type::String, TomlShape::Text(text)) = (item_type, &node.shape)
            && name == "tags"
            && text.contains(',')
        {
            let words: Vec<String> = text
                .split(',')
                .map(|word| format!("\"{}\"", word.trim()))
                .collect();
            Diagnostic::warning(node.span, "wrong-type", "several words in one text")
                .label("this is one tag")
                .help(format!("write {name} = [{}]", words.join(", ")))
                .push(self.cx.report);
        }
        let TomlShape::List(items) = &node.shape else {
            return Some(FieldValue::List(vec![self.value(node, item_type, name)?]));
        };
        if let Type::Table(specs) = item_type
            && specs.iter().any(|spec| spec.name == "id")
        {
            self.distinct(items, name);
        }
        let mut list = Vec::with_capacity(items.len());
        for (position, item) in (1..).zip(items) {
            list.extend(self.step(item, item_type, name, &usize::to_string(&position)));
        }
        Some(FieldValue::List(list))
    }

    /// Reports rows with the same id, because nothing could refer to the second.
    fn distinct(&mut self, items: &[TomlNode], name: &str) {
        let id = |item: &TomlNode| {
            let pair = item.as_table()?.get("id")?;
            Some((pair.node.as_text()?.to_owned(), pair.node.span))
        };
        let ids: Vec<(String, Span)> = items.iter().filter_map(id).collect();
        for (ix, (id, span)) in ids.iter().enumerate() {
            if let Some((_, first)) = ids[..ix].iter().find(|(other, _)| other == id) {
                Diagnostic::error(
                    *span,
                    "duplicate-id",
                    format!("duplicate id `{id}` in `{name}`"),
                )
                .label("second use")
                .related(*first, "first use")
                .help("change one of the two ids")
                .push(self.cx.report);
            }
        }
    }

    /// Checks the rules of a field beyond its type.
    pub fn check_rules(&mut self, node: &TomlNode, spec: &FieldSpec) {
        let rules = &spec.rules;
        self.check_rows(node, spec);
        for item in node.items() {
            if let (TomlShape::Table(table), [_, ..]) = (&item.shape, &rules.one_of[..])
                && !rules.one_of.iter().any(|name| table.get(name).is_some())
            {
                let names = quoted(&rules.one_of, "or");
                let message = format!("`{}` needs {names}", spec.name);
                Diagnostic::error(item.span, "missing-field", message)
                    .label("has none of them")
                    .help(format!("add {names}"))
                    .push(self.cx.report);
            }
        }
        if let TomlShape::Table(table) = &node.shape {
            let given = rules.one_of.iter().filter_map(|name| table.get(name));
            if let [first, second, ..] = &given.collect::<Vec<_>>()[..] {
                let message = format!(
                    "`{}` has both `{}` and `{}`",
                    spec.name, first.key, second.key
                );
                Diagnostic::error(second.at, "conflicting-fields", message)
                    .label("only one of them can apply")
                    .related(first.at, "the other one")
                    .help("remove one of them")
                    .push(self.cx.report);
            }
        }
        if let TomlShape::List(items) = &node.shape {
            let count = cast::<_, i64>(items.len());
            let (min, max) = rules.items;
            if min.is_some_and(|min| count < min) || max.is_some_and(|max| count > max) {
                let bounds = bounds(min, max);
                Diagnostic::error(
                    node.span,
                    "out-of-range",
                    format!("`{}` cannot have {count} rows", spec.name),
                )
                .label(format!("must be {bounds}"))
                .help(format!("scripts expect {bounds}"))
                .push(self.cx.report);
            }
        }
        if let (TomlShape::Int(number), Some((kind, field))) = (&node.shape, &rules.names) {
            let (kind, field) = (kind.clone(), field.clone());
            self.numbers.push(NumberReference {
                number: *number,
                kind,
                field,
                span: node.span,
            });
        }
    }

    /// Converts a table with declared fields. Missing fields get their default or are reported.
    fn table(
        &mut self,
        table: &'_ TomlTable,
        specs: &[FieldSpec],
        at: Span,
        name: &str,
    ) -> FieldValue {
        let depth = self.scope.as_mut().map(|scope| scope.enter(specs));
        let what = format!("`{name}`");
        let mut out = self.known_pairs(table, &[specs], &what);
        for spec in specs.iter().filter(|spec| table.get(&spec.name).is_none()) {
            if let Some(default) = &spec.default {
                out.push((spec.name.clone(), default.clone()));
            } else if spec.is_required() {
                let fix = insert_field::field(self.cx.files, table, at, spec);
                self.cx
                    .missing_field(at, &what, &spec.name, &spec.ty.phrase(), fix);
            }
        }
        if let (Some(scope), Some(depth)) = (self.scope.as_mut(), depth) {
            scope.leave(depth);
        }
        FieldValue::Table(out)
    }

    /// The pairs whose keys are declared. Other pairs are reported.
    fn known_pairs(
        &mut self,
        table: &TomlTable,
        specs: &[&[FieldSpec]],
        what: &str,
    ) -> Vec<(String, FieldValue)> {
        let mut out = Vec::with_capacity(table.pairs.len());
        for pair in &table.pairs {
            if let Some(spec) = find(specs, &pair.key) {
                out.extend(self.pair(pair, &spec.ty));
                self.check_rules(&pair.node, spec);
            } else {
                let known = specs
                    .iter()
                    .flat_map(|specs| specs.iter())
                    .map(|spec| spec.name.as_str());
                self.cx.unknown_field(pair, what, known);
            }
        }
        out
    }

    fn pair(&mut self, pair: &TomlPair, ty: &Type) -> Option<(String, FieldValue)> {
        if matches!(ty, Type::Script) && pair.key.contains(ADDED_BY) {
            Diagnostic::unknown(pair.at, "unknown-event", "event", &pair.key)
                .label(format!("a name has no `{ADDED_BY}`"))
                .help(format!("write the name without `{ADDED_BY}`"))
                .push(self.cx.report);
            return None;
        }
        Some((
            sanitize(&pair.key).into_owned(),
            self.step(&pair.node, ty, &pair.key, &pair.key)?,
        ))
    }

    fn map(&mut self, table: &TomlTable, item_type: &Type) -> FieldValue {
        FieldValue::Table(
            table
                .pairs
                .iter()
                .filter_map(|pair| self.pair(pair, item_type))
                .collect(),
        )
    }

    /// Converts the other faces: each is a table of the kind's fields and the common ones, without
    /// required fields or defaults.
    fn faces(&mut self, table: &TomlTable) -> FieldValue {
        let mut out = Vec::new();
        let Some(kind) = self.kind else {
            return self.map(table, &Type::Any);
        };
        for pair in &table.pairs {
            if !kind.faces.contains(&pair.key) {
                self.unknown_face(pair, kind);
            } else if let TomlShape::Table(face) = &pair.node.shape {
                let what = format!("the face `{}`", pair.key);
                out.push((
                    pair.key.clone(),
                    FieldValue::Table(self.face(face, kind, &what)),
                ));
            } else {
                self.cx
                    .wrong_type(&pair.node, &pair.key, "a table of fields");
            }
        }
        FieldValue::Table(out)
    }

    fn face(&mut self, face: &TomlTable, kind: &Kind, what: &str) -> Vec<(String, FieldValue)> {
        let shared = common();
        let on_faces: Vec<FieldSpec> = shared
            .iter()
            .filter(|spec| FACE_FIELDS.contains(&&*spec.name))
            .cloned()
            .collect();
        self.known_pairs(face, &[&kind.fields, &on_faces], what)
    }

    fn unknown_face(&mut self, pair: &TomlPair, kind: &Kind) {
        let near = self
            .cx
            .suggest(&pair.key, kind.faces.iter().map(String::as_str));
        let declare = || {
            format!(
                "declare it in the kind `{}`: faces = [\"{}\"]",
                kind.id, pair.key
            )
        };
        let help = near.is_none().then(declare);
        Diagnostic::unknown(pair.at, "unknown-field", "face", &pair.key)
            .label(format!("not a face of the kind `{}`", kind.id))
            .did_you_mean(near)
            .maybe_help(help)
            .push(self.cx.report);
    }

    /// Converts a template, and reports errors at their position in it.
    fn template(&mut self, node: &TomlNode, text: &str) -> FieldValue {
        if let Some(scope) = &self.scope {
            scope.check(self.cx, node, text);
        }
        if text.bytes().any(|byte| byte.is_ascii_digit())
            || !Template::parse(text).0.promises().is_empty()
        {
            let path = self.path.trim_end_matches('.').to_owned();
            self.texts.push(CheckedText {
                path,
                span: node.span,
                body: body(self.cx.files, node.span),
            });
        }
        plain(text)
    }

    pub fn script(&mut self, node: &TomlNode, text: &str) -> ScriptSource {
        let by = self.cx.pack;
        if let Some(span) = body(self.cx.files, node.span) {
            return ScriptSource {
                text: self.cx.files.slice(span).to_owned(),
                span,
                exact: true,
                by,
                is_value: false,
                base: None,
            };
        }
        Diagnostic::warning(node.span, "escaped-script", "errors in this script cannot be located")
            .label("double quotes with a backslash")
            .help("put the script between ' and ', or between lines of ''', where a backslash needs no escape")
            .push(self.cx.report);
        ScriptSource {
            text: text.to_owned(),
            span: node.span,
            exact: false,
            by,
            is_value: false,
            base: None,
        }
    }

    fn any(&mut self, node: &TomlNode, name: &str) -> Option<FieldValue> {
        Some(match &node.shape {
            TomlShape::Int(number) => FieldValue::Int(*number),
            TomlShape::Bool(yes) => FieldValue::Bool(*yes),
            TomlShape::Text(text) => plain(text),
            TomlShape::List(items) => FieldValue::List(
                items
                    .iter()
                    .filter_map(|item| self.any(item, name))
                    .collect(),
            ),
            TomlShape::Table(table) => self.map(table, &Type::Any),
            TomlShape::Foreign(_) => {
                self.cx.wrong_type(
                    node,
                    name,
                    "a whole number, text, true or false, a list or a table",
                );
                return None;
            }
        })
    }
}

fn bounds(min: Option<i64>, max: Option<i64>) -> String {
    match (min, max) {
        (Some(min), Some(max)) if min == max => min.to_string(),
        (Some(min), Some(max)) => format!("from {min} to {max}"),
        (Some(min), None) => format!("{min} or more"),
        (None, Some(max)) => format!("{max} or less"),
        (None, None) => String::new(),
    }
}

/// The common fields that a face may have.
pub const FACE_FIELDS: [&str; 5] = ["title", "text", "on", "offer", "answer"];

pub(super) fn find<'s>(specs: &[&'s [FieldSpec]], name: &str) -> Option<&'s FieldSpec> {
    specs
        .iter()
        .flat_map(|specs| specs.iter())
        .find(|spec| spec.name == name)
}

pub(super) fn plain(text: &str) -> FieldValue {
    FieldValue::Text(sanitize(text).into_owned())
}

fn counter() -> Arc<[String]> {
    Arc::from(["counter".to_owned()])
}
