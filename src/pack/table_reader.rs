//! Reads the fields of a table one by one, and reports unknown fields.

use crate::diagnostic::Span;

use super::read_context::ReadContext;
use super::toml_tree::{TomlNode, TomlPair, TomlShape, TomlTable};

/// A text and its source location.
pub(super) type LocatedText = (String, Span);

/// A table whose fields are read one by one.
pub(super) struct TableReader<'t> {
    table: &'t TomlTable,
    /// A phrase for messages: `[pack]`, "a kind".
    what: String,
    /// The source location of the table's start.
    pub at: Span,
    asked: Vec<&'static str>,
}

impl<'t> TableReader<'t> {
    pub fn new(table: &'t TomlTable, what: impl Into<String>, at: Span) -> Self {
        Self {
            table,
            what: what.into(),
            at,
            asked: Vec::new(),
        }
    }

    /// The field with that name, of any type.
    pub fn pair(&mut self, name: &'static str) -> Option<&'t TomlPair> {
        self.asked.push(name);
        self.table.get(name)
    }

    /// A required field.
    pub fn need(
        &mut self,
        cx: &mut ReadContext,
        name: &'static str,
        expected: &str,
    ) -> Option<&'t TomlPair> {
        let found = self.pair(name);
        if found.is_none() {
            cx.missing_field(self.at, &self.what, name, expected, None);
        }
        found
    }

    pub fn text(&mut self, cx: &mut ReadContext, name: &'static str) -> Option<LocatedText> {
        text(cx, &self.pair(name)?.node, name)
    }

    /// A required text.
    pub fn need_text(&mut self, cx: &mut ReadContext, name: &'static str) -> Option<LocatedText> {
        let pair = self.need(cx, name, "text in quotes")?;
        text(cx, &pair.node, name)
    }

    /// A list of texts; a single text counts as a list with one item.
    pub fn texts(&mut self, cx: &mut ReadContext, name: &'static str) -> Vec<LocatedText> {
        let Some(pair) = self.pair(name) else {
            return Vec::new();
        };
        pair.node
            .items()
            .iter()
            .filter_map(|item| text(cx, item, name))
            .collect()
    }

    pub fn int(&mut self, cx: &mut ReadContext, name: &'static str) -> Option<i64> {
        let node = &self.pair(name)?.node;
        if let TomlShape::Int(number) = node.shape {
            return Some(number);
        }
        cx.wrong_type(node, name, "a whole number");
        None
    }

    /// A flag; `false` if it is missing.
    pub fn flag(&mut self, cx: &mut ReadContext, name: &'static str) -> bool {
        let Some(pair) = self.pair(name) else {
            return false;
        };
        if let TomlShape::Bool(yes) = pair.node.shape {
            return yes;
        }
        cx.wrong_type(&pair.node, name, "true or false");
        false
    }

    pub fn table(&mut self, cx: &mut ReadContext, name: &'static str) -> Option<&'t TomlTable> {
        let node = &self.pair(name)?.node;
        if node.as_table().is_none() {
            cx.wrong_type(node, name, "a table, as in { name = value }");
        }
        node.as_table()
    }

    /// Reports the fields that were never read.
    pub fn finish(self, cx: &mut ReadContext) {
        for pair in &self.table.pairs {
            if !self.asked.contains(&pair.key.as_str()) {
                cx.unknown_field(pair, &self.what, self.asked.iter().copied());
            }
        }
    }
}

fn text(cx: &mut ReadContext, node: &TomlNode, name: &str) -> Option<LocatedText> {
    if let TomlShape::Text(text) = &node.shape {
        return Some((crate::diagnostic::sanitize(text).into_owned(), node.span));
    }
    cx.wrong_type(node, name, "text in quotes");
    None
}
