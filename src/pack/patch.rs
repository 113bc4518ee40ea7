//! Reads `[[patch]]` and `[[remove]]`: changes to existing entries.

use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Span, sanitize};
use crate::migrate;

use super::convert::Converter;
use super::entry::Entry;
use super::kind::{Kind, Type};
use super::path::SchemaPath;
use super::read_context::ReadContext;
use super::table_reader::TableReader;
use super::toml_tree::{TomlNode, TomlPair, TomlShape, TomlTable};
use super::value::{Condition, FieldValue, Reference};

/// A `[[patch]]` or `[[remove]]`: changes to one entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patch {
    /// The pack that wrote it.
    pub pack: u16,
    /// The entry it changes.
    pub entry: Reference,
    /// The modes and options in which it applies; empty means all.
    pub only_in: Vec<Reference>,
    /// The changes, in file order.
    pub ops: Vec<PatchOp>,
    /// The source location of the entry's name.
    pub span: Span,
}

/// A change to an entry, a field, or a value inside one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatchOp {
    /// The path of the value; empty for the whole entry.
    pub path: Vec<String>,
    /// The change to make.
    pub change: PatchChange,
    /// The source location of the change.
    pub span: Span,
}

/// A change to a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatchChange {
    /// Removes the entry.
    Drop,
    /// Replaces the value; a new script keeps the old one as its base.
    Set(FieldValue),
    /// Appends items to a list.
    Add(Vec<FieldValue>),
    /// Removes items from a list.
    Remove(Vec<FieldValue>),
    /// Inserts items before or after an item of a list.
    Insert {
        /// The new items.
        values: Vec<FieldValue>,
        /// The existing item.
        anchor: FieldValue,
        /// Whether the new items go before the existing one.
        before: bool,
    },
    /// Replaces an item of a list.
    Swap {
        /// The old item.
        from: FieldValue,
        /// The new item.
        to: FieldValue,
    },
}

/// Fields that patches cannot change, because they decide which entries exist before patches apply.
pub const FIXED: [&str; 3] = ["id", "in", "replaces"];

/// Reads the fields that `[[patch]]` and `[[remove]]` share: `entry` and `in`.
pub(super) fn head(cx: &mut ReadContext, reader: &mut TableReader) -> Option<Patch> {
    let (text, span) = reader.need_text(cx, "entry")?;
    let by = cx.pack;
    let modes: Arc<[String]> = Arc::from(["mode".to_owned(), "option".to_owned()]);
    let only_in = reader.texts(cx, "in").into_iter();
    let only_in = only_in
        .map(|(text, span)| Reference::conditional(&text, span, &modes, by))
        .collect();
    let entry = Reference {
        text,
        span,
        to: Arc::from([]),
        by,
        condition: Condition::default(),
    };
    Some(Patch {
        pack: by,
        entry,
        only_in,
        ops: Vec::new(),
        span,
    })
}

pub(super) fn remove(cx: &mut ReadContext, table: &TomlTable, at: Span) -> Option<Patch> {
    let mut reader = TableReader::new(table, "[[remove]]", at);
    let patch = head(cx, &mut reader);
    reader.finish(cx);
    let mut patch = patch?;
    patch.ops.push(PatchOp {
        path: Vec::new(),
        change: PatchChange::Drop,
        span: patch.span,
    });
    Some(patch)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum PatchVerb {
    Set,
    Add,
    Remove,
    Insert,
    Swap,
}

const VERBS: [(&str, PatchVerb); 5] = [
    ("set", PatchVerb::Set),
    ("add", PatchVerb::Add),
    ("remove", PatchVerb::Remove),
    ("insert", PatchVerb::Insert),
    ("swap", PatchVerb::Swap),
];

/// Reads the changes of a `[[patch]]`.
pub(super) fn ops(
    cx: &mut ReadContext,
    fields: &mut TableReader,
    kind: &Kind,
    target: &Entry,
) -> Vec<PatchOp> {
    let mut reader = PatchReader {
        cx,
        kind,
        target,
        out: Vec::new(),
    };
    for (word, verb) in VERBS {
        if let Some(table) = fields.table(reader.cx, word) {
            reader.walk(verb, SchemaPath::Entry(kind), &mut Vec::new(), table);
        }
    }
    reader.out
}

/// Skips the changes of a `[[patch]]` whose entry is unknown.
pub(super) fn skip_ops(reader: &mut TableReader) {
    for (word, _) in VERBS {
        reader.pair(word);
    }
}

struct PatchReader<'a, 'c> {
    cx: &'a mut ReadContext<'c>,
    kind: &'a Kind,
    target: &'a Entry,
    out: Vec<PatchOp>,
}

impl<'a> PatchReader<'a, '_> {
    /// Descends through tables to the values to change. Keys may contain dots: `"on.fight_start"`.
    fn walk(
        &mut self,
        verb: PatchVerb,
        spot: SchemaPath<'a>,
        path: &mut Vec<String>,
        table: &TomlTable,
    ) {
        for pair in &table.pairs {
            let depth = path.len();
            let mut here = Some(spot);
            for part in pair.key.split('.') {
                here = here.and_then(|here| self.step(here, part, pair));
                path.push(part.to_owned());
            }
            if let Some(here) = here {
                self.arrive(verb, here, path, pair);
            }
            path.truncate(depth);
        }
    }

    fn step(
        &mut self,
        spot: SchemaPath<'a>,
        part: &str,
        pair: &TomlPair,
    ) -> Option<SchemaPath<'a>> {
        let fixed = matches!(spot, SchemaPath::Entry(_)) && FIXED.contains(&part);
        let next = if fixed { None } else { spot.step(part) };
        if next.is_none() {
            let is_face = matches!(spot, SchemaPath::Type(Type::Face, _));
            let what = if is_face { "face" } else { "field" };
            let mut names = spot.names();
            names.retain(|name| !FIXED.contains(name));
            names.sort_unstable();
            let near = if fixed {
                None
            } else {
                self.cx.suggest(part, names.iter().copied())
            };
            let renamed = migrate::known_field(part, |new| names.contains(&new));
            let help = match near {
                _ if fixed => Some("write an entry with `replaces` instead".to_owned()),
                Some(_) => None,
                None if renamed.is_some() => None,
                None if names.is_empty() && is_face => Some(format!(
                    "declare it in the kind `{}`: faces = [\"{part}\"]",
                    self.kind.id
                )),
                None if names.is_empty() => Some("set the whole field instead".to_owned()),
                None => Some(format!("known {what}s: {}", names.join(", "))),
            };
            let diagnostic = if fixed {
                let message = format!("cannot patch the field `{part}`");
                Diagnostic::error(pair.at, "patch-unknown-field", message)
                    .label("decides which entries exist")
            } else {
                Diagnostic::unknown(pair.at, "patch-unknown-field", what, part)
                    .label(format!("not a {what} of the kind `{}`", self.kind.id))
            };
            diagnostic
                .did_you_mean(near)
                .renamed(part, renamed)
                .maybe_help(help)
                .push(self.cx.report);
        }
        next
    }

    fn arrive(
        &mut self,
        verb: PatchVerb,
        spot: SchemaPath<'a>,
        path: &mut Vec<String>,
        pair: &TomlPair,
    ) {
        if let (TomlShape::Table(inner), true) = (&pair.node.shape, spot.has_names()) {
            self.walk(verb, spot, path, inner);
            return;
        }
        let change = match (verb, spot) {
            (PatchVerb::Set, SchemaPath::Type(ty, _)) => {
                self.value(&pair.node, ty, &pair.key).map(PatchChange::Set)
            }
            (_, SchemaPath::Type(Type::List(item_type), _)) => {
                self.list_change(verb, item_type, pair)
            }
            (_, SchemaPath::Type(Type::Any, _)) => self.list_change(verb, &Type::Any, pair),
            (_, SchemaPath::Type(Type::Cost, _)) => self.list_change(verb, &Type::Cost, pair),
            (PatchVerb::Set, _) => {
                self.cx
                    .wrong_type(&pair.node, &pair.key, "a table, as in { name = value }");
                None
            }
            _ => {
                self.not_a_list(pair);
                None
            }
        };
        self.out.extend(change.map(|change| PatchOp {
            path: path.clone(),
            change,
            span: pair.node.span,
        }));
    }

    fn not_a_list(&mut self, pair: &TomlPair) {
        Diagnostic::error(
            pair.at,
            "patch-not-a-list",
            format!("`{}` is not a list", pair.key),
        )
        .label("only lists have items to add or remove")
        .help(format!("use set.{} = … to replace its value", pair.key))
        .push(self.cx.report);
    }

    fn list_change(
        &mut self,
        verb: PatchVerb,
        item_type: &Type,
        pair: &TomlPair,
    ) -> Option<PatchChange> {
        match verb {
            PatchVerb::Set => None,
            PatchVerb::Add => Some(PatchChange::Add(
                self.values(&pair.node, item_type, &pair.key),
            )),
            PatchVerb::Remove => {
                let items = pair.node.items().iter();
                Some(PatchChange::Remove(
                    items
                        .filter_map(|item| self.list_item(item, item_type, &pair.key))
                        .collect(),
                ))
            }
            PatchVerb::Insert => self.insert(item_type, pair),
            PatchVerb::Swap => self.swap(item_type, pair),
        }
    }

    fn insert(&mut self, item_type: &Type, pair: &TomlPair) -> Option<PatchChange> {
        let mut reader = self.table_reader(pair, "insert", "{ value = …, before = … }")?;
        let value = reader.need(self.cx, "value", "the items to insert");
        let (before, after) = (reader.pair("before"), reader.pair("after"));
        reader.finish(self.cx);
        let Some(anchor) = before.or(after) else {
            self.no_mark(pair);
            return None;
        };
        let values = self.values(&value?.node, item_type, &pair.key);
        let anchor = self.list_item(&anchor.node, item_type, &pair.key)?;
        Some(PatchChange::Insert {
            values,
            anchor,
            before: before.is_some(),
        })
    }

    fn no_mark(&mut self, pair: &TomlPair) {
        Diagnostic::error(
            pair.at,
            "missing-field",
            format!("insert.{} needs `before` or `after`", pair.key),
        )
        .label("where to insert?")
        .help(format!(
            "write insert.{} = {{ value = …, before = … }}, with an item of the list",
            pair.key
        ))
        .push(self.cx.report);
    }

    fn swap(&mut self, item_type: &Type, pair: &TomlPair) -> Option<PatchChange> {
        let mut reader = self.table_reader(pair, "swap", "{ from = …, to = … }")?;
        let from = reader.need(self.cx, "from", "the item to replace");
        let to = reader.need(self.cx, "to", "the new item");
        reader.finish(self.cx);
        let from = self.list_item(&from?.node, item_type, &pair.key)?;
        let to = self
            .values(&to?.node, item_type, &pair.key)
            .into_iter()
            .next()?;
        Some(PatchChange::Swap { from, to })
    }

    fn table_reader<'t>(
        &mut self,
        pair: &'t TomlPair,
        verb: &str,
        form: &str,
    ) -> Option<TableReader<'t>> {
        let table = pair.node.as_table();
        if table.is_none() {
            self.cx.wrong_type(&pair.node, &pair.key, form);
        }
        Some(TableReader::new(
            table?,
            format!("{verb}.{}", pair.key),
            pair.at,
        ))
    }

    /// Converts one item or a list of items.
    fn values(&mut self, node: &TomlNode, item_type: &Type, name: &str) -> Vec<FieldValue> {
        let list = match item_type {
            Type::Cost => self.value(node, item_type, name),
            _ => self.value(node, &Type::List(Box::new(item_type.clone())), name),
        };
        match list {
            Some(FieldValue::List(values)) => values,
            _ => Vec::new(),
        }
    }

    /// Identifies an item of a list: by the item itself, or by the id of a table.
    fn list_item(&mut self, node: &TomlNode, item_type: &Type, name: &str) -> Option<FieldValue> {
        match (item_type, &node.shape) {
            (Type::Table(_), TomlShape::Text(id)) => {
                Some(FieldValue::Text(sanitize(id).into_owned()))
            }
            (Type::Cost, _) => self
                .value(node, item_type, name)
                .and_then(|value| match value {
                    FieldValue::List(values) => values.into_iter().next(),
                    _ => None,
                }),
            _ => self.value(node, item_type, name),
        }
    }

    fn value(&mut self, node: &TomlNode, ty: &Type, name: &str) -> Option<FieldValue> {
        Converter::patching(self.cx, self.kind, self.target).value(node, ty, name)
    }
}
