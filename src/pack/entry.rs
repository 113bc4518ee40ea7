//! One definition: a card, a place, a phase.

use crate::diagnostic::{Files, Span};

use super::value::{Field, Script, Value};

/// One definition of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The pack it comes from, as an index into [`PackSet::packs`](super::PackSet::packs).
    pub pack: u16,
    /// The id of that pack, for full names.
    pub pack_id: String,
    /// The id of its kind.
    pub kind: String,
    /// Its own id.
    pub id: String,
    /// Its fields: those of the file in their order, then the defaults of the kind.
    pub fields: Vec<Field>,
    /// Where its id stands.
    pub span: Span,
    /// Its texts that speak of numbers.
    pub texts: Vec<TextAt>,
    /// Its numbers that name other entries.
    pub numbers: Vec<NumberAt>,
    /// What its costs are paid with, apart from that of its action.
    pub costs: Vec<(String, Span)>,
}

/// A number of an entry that names another by a field, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberAt {
    /// The number.
    pub number: i64,
    /// The kind of the other.
    pub kind: String,
    /// The field that has the number there.
    pub field: String,
    /// Where it stands.
    pub span: Span,
}

/// A text of an entry that has a number or promises something, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextAt {
    /// The field, and how to come to it from there, with positions from 1: `option.2.result`.
    pub path: String,
    /// Where the string stands.
    pub span: Span,
    /// Where its text stands, if every byte of it is one of the file.
    pub body: Option<Span>,
}

impl TextAt {
    /// The place of some bytes of the text.
    #[must_use]
    pub fn part(&self, files: &Files, text: &str, at: &std::ops::Range<usize>) -> Span {
        if let Some(body) = self.body {
            return body.part(at.start, at.len());
        }
        // Lines joined by backslashes: the words themselves stand in the file as they are.
        let found = text
            .get(at.clone())
            .and_then(|words| files.slice(self.span).find(words));
        found.map_or(self.span, |from| self.span.part(from, at.len()))
    }
}

impl Entry {
    /// The field of that name, with its place and who set it.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The value of a field.
    #[must_use]
    pub fn get(&self, field: &str) -> Option<&Value> {
        self.field(field).map(|field| &field.value)
    }

    /// The value at the end of a path, as in `option.2.result`.
    #[must_use]
    pub fn along(&self, path: &str) -> Option<&Value> {
        let (field, rest) = path.split_once('.').unwrap_or((path, ""));
        self.get(field)?.along(rest)
    }

    /// The number in a field.
    #[must_use]
    pub fn int(&self, field: &str) -> Option<i64> {
        self.get(field)?.as_int()
    }

    /// The text in a field.
    #[must_use]
    pub fn text(&self, field: &str) -> Option<&str> {
        self.get(field)?.as_text()
    }

    /// The list in a field; empty if there is none.
    #[must_use]
    pub fn list(&self, field: &str) -> &[Value] {
        self.get(field).and_then(Value::as_list).unwrap_or(&[])
    }

    /// Whether a field says yes; no if there is none.
    #[must_use]
    pub fn flag(&self, field: &str) -> bool {
        self.get(field).and_then(Value::as_bool).unwrap_or(false)
    }

    /// The script in a field.
    #[must_use]
    pub fn script(&self, field: &str) -> Option<&Script> {
        self.get(field)?.as_script()
    }

    /// `pack:kind/id`, which names it from anywhere.
    #[must_use]
    pub fn full_name(&self) -> String {
        format!("{}:{}/{}", self.pack_id, self.kind, self.id)
    }
}
