//! One definition: a card, a place, a phase.

use crate::diagnostic::Span;

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
