//! Reads `[[patch]]` and `[[remove]]`: changes to existing entries.

use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Span, clean};
use crate::migrate;

use super::asker::Asker;
use super::convert::Converter;
use super::entry::Entry;
use super::faults::Cx;
use super::kind::{Kind, Type};
use super::node::{Node, Pair, Shape, Table};
use super::path::Spot;
use super::value::{Name, Value};

/// A `[[patch]]` or `[[remove]]`: changes to one entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patch {
    /// The pack that wrote it.
    pub pack: u16,
    /// The entry it changes.
    pub entry: Name,
    /// The modes and options in which it applies; empty means always.
    pub only_in: Vec<Name>,
    /// The changes, in the order of the file.
    pub ops: Vec<Op>,
    /// Where the entry is named.
    pub span: Span,
}

/// A change to an entry, a field, or a value inside one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Op {
    /// The path of the value; empty for the whole entry.
    pub path: Vec<String>,
    /// The change to make there.
    pub change: Change,
    /// Where it is written.
    pub span: Span,
}

/// What a patch does to a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Removes the entry.
    Drop,
    /// Replaces the value; a new script keeps the old one as its base.
    Set(Value),
    /// Appends items to a list.
    Add(Vec<Value>),
    /// Removes items from a list.
    Remove(Vec<Value>),
    /// Inserts items before or after an item of a list.
    Insert {
        /// The new items.
        values: Vec<Value>,
        /// The item of the list.
        mark: Value,
        /// Whether the new items go before it.
        before: bool,
    },
    /// Replaces an item of a list.
    Swap {
        /// The old item.
        from: Value,
        /// The new item.
        to: Value,
    },
}

/// Fields that no patch can change, because they decide which entries exist before patches apply.
pub const FIXED: [&str; 3] = ["id", "in", "replaces"];

/// Reads the fields that `[[patch]]` and `[[remove]]` share: `entry` and `in`.
pub(super) fn head(cx: &mut Cx, asker: &mut Asker) -> Option<Patch> {
    let (text, span) = asker.need_text(cx, "entry")?;
    let by = cx.pack;
    let modes: Arc<[String]> = Arc::from(["mode".to_owned(), "option".to_owned()]);
    let only_in = asker.texts(cx, "in").into_iter();
    let only_in = only_in
        .map(|(text, span)| Name {
            text,
            span,
            to: Arc::clone(&modes),
            by,
        })
        .collect();
    let entry = Name {
        text,
        span,
        to: Arc::from([]),
        by,
    };
    Some(Patch {
        pack: by,
        entry,
        only_in,
        ops: Vec::new(),
        span,
    })
}

pub(super) fn remove(cx: &mut Cx, table: &Table, at: Span) -> Option<Patch> {
    let mut asker = Asker::new(table, "[[remove]]", at);
    let patch = head(cx, &mut asker);
    asker.finish(cx);
    let mut patch = patch?;
    patch.ops.push(Op {
        path: Vec::new(),
        change: Change::Drop,
        span: patch.span,
    });
    Some(patch)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Verb {
    Set,
    Add,
    Remove,
    Insert,
    Swap,
}

const VERBS: [(&str, Verb); 5] = [
    ("set", Verb::Set),
    ("add", Verb::Add),
    ("remove", Verb::Remove),
    ("insert", Verb::Insert),
    ("swap", Verb::Swap),
];

/// Reads the changes of a `[[patch]]`.
pub(super) fn ops(cx: &mut Cx, asker: &mut Asker, kind: &Kind, target: &Entry) -> Vec<Op> {
    let mut reader = OpReader {
        cx,
        kind,
        target,
        out: Vec::new(),
    };
    for (word, verb) in VERBS {
        if let Some(table) = asker.table(reader.cx, word) {
            reader.walk(verb, Spot::Entry(kind), &mut Vec::new(), table);
        }
    }
    reader.out
}

/// Skips the changes of a `[[patch]]` whose entry is unknown.
pub(super) fn skip_ops(asker: &mut Asker) {
    for (word, _) in VERBS {
        asker.pair(word);
    }
}

struct OpReader<'a, 'c> {
    cx: &'a mut Cx<'c>,
    kind: &'a Kind,
    target: &'a Entry,
    out: Vec<Op>,
}

impl<'a> OpReader<'a, '_> {
    /// Descends through tables to the values to change. Keys may contain dots: `"on.fight_start"`.
    fn walk(&mut self, verb: Verb, spot: Spot<'a>, path: &mut Vec<String>, table: &Table) {
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

    fn step(&mut self, spot: Spot<'a>, part: &str, pair: &Pair) -> Option<Spot<'a>> {
        let fixed = matches!(spot, Spot::Entry(_)) && FIXED.contains(&part);
        let next = if fixed { None } else { spot.step(part) };
        if next.is_none() {
            let is_face = matches!(spot, Spot::Type(Type::Face, _));
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
                Diagnostic::wrong(pair.at, "patch-unknown-field", message)
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

    fn arrive(&mut self, verb: Verb, spot: Spot<'a>, path: &mut Vec<String>, pair: &Pair) {
        if let (Shape::Table(inner), true) = (&pair.node.shape, spot.has_names()) {
            self.walk(verb, spot, path, inner);
            return;
        }
        let change = match (verb, spot) {
            (Verb::Set, Spot::Type(ty, _)) => {
                self.value(&pair.node, ty, &pair.key).map(Change::Set)
            }
            (_, Spot::Type(Type::List(of), _)) => self.list_change(verb, of, pair),
            (_, Spot::Type(Type::Any, _)) => self.list_change(verb, &Type::Any, pair),
            (_, Spot::Type(Type::Cost, _)) => self.list_change(verb, &Type::Cost, pair),
            (Verb::Set, _) => {
                self.cx
                    .wrong_type(&pair.node, &pair.key, "a table, as in { name = value }");
                None
            }
            _ => {
                self.not_a_list(pair);
                None
            }
        };
        self.out.extend(change.map(|change| Op {
            path: path.clone(),
            change,
            span: pair.node.span,
        }));
    }

    fn not_a_list(&mut self, pair: &Pair) {
        Diagnostic::wrong(
            pair.at,
            "patch-not-a-list",
            format!("`{}` is not a list", pair.key),
        )
        .label("only lists have items to add or remove")
        .help(format!("use set.{} = … to replace its value", pair.key))
        .push(self.cx.report);
    }

    fn list_change(&mut self, verb: Verb, of: &Type, pair: &Pair) -> Option<Change> {
        match verb {
            Verb::Set => None,
            Verb::Add => Some(Change::Add(self.values(&pair.node, of, &pair.key))),
            Verb::Remove => {
                let items = pair.node.items().iter();
                Some(Change::Remove(
                    items
                        .filter_map(|item| self.mark(item, of, &pair.key))
                        .collect(),
                ))
            }
            Verb::Insert => self.insert(of, pair),
            Verb::Swap => self.swap(of, pair),
        }
    }

    fn insert(&mut self, of: &Type, pair: &Pair) -> Option<Change> {
        let mut asker = self.asker(pair, "insert", "{ value = …, before = … }")?;
        let value = asker.need(self.cx, "value", "the items to insert");
        let (before, after) = (asker.pair("before"), asker.pair("after"));
        asker.finish(self.cx);
        let Some(mark) = before.or(after) else {
            self.no_mark(pair);
            return None;
        };
        let values = self.values(&value?.node, of, &pair.key);
        let mark = self.mark(&mark.node, of, &pair.key)?;
        Some(Change::Insert {
            values,
            mark,
            before: before.is_some(),
        })
    }

    fn no_mark(&mut self, pair: &Pair) {
        Diagnostic::wrong(
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

    fn swap(&mut self, of: &Type, pair: &Pair) -> Option<Change> {
        let mut asker = self.asker(pair, "swap", "{ from = …, to = … }")?;
        let from = asker.need(self.cx, "from", "the item to replace");
        let to = asker.need(self.cx, "to", "the new item");
        asker.finish(self.cx);
        let from = self.mark(&from?.node, of, &pair.key)?;
        let to = self.values(&to?.node, of, &pair.key).into_iter().next()?;
        Some(Change::Swap { from, to })
    }

    fn asker<'t>(&mut self, pair: &'t Pair, verb: &str, form: &str) -> Option<Asker<'t>> {
        let table = pair.node.as_table();
        if table.is_none() {
            self.cx.wrong_type(&pair.node, &pair.key, form);
        }
        Some(Asker::new(table?, format!("{verb}.{}", pair.key), pair.at))
    }

    /// One item or several.
    fn values(&mut self, node: &Node, of: &Type, name: &str) -> Vec<Value> {
        let list = match of {
            Type::Cost => self.value(node, of, name),
            _ => self.value(node, &Type::List(Box::new(of.clone())), name),
        };
        match list {
            Some(Value::List(values)) => values,
            _ => Vec::new(),
        }
    }

    /// Identifies an item of the list: by the item itself, or by the id of a table in it.
    fn mark(&mut self, node: &Node, of: &Type, name: &str) -> Option<Value> {
        match (of, &node.shape) {
            (Type::Table(_), Shape::Text(id)) => Some(Value::Text(clean(id).into_owned())),
            (Type::Cost, _) => self.value(node, of, name).and_then(|value| match value {
                Value::List(values) => values.into_iter().next(),
                _ => None,
            }),
            _ => self.value(node, of, name),
        }
    }

    fn value(&mut self, node: &Node, ty: &Type, name: &str) -> Option<Value> {
        Converter::patching(self.cx, self.kind, self.target).value(node, ty, name)
    }
}
