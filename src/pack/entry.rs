//! Entries: the cards, places and phases that packs define.

use crate::diagnostic::{Files, Span};

use super::value::{EntryField, FieldValue, ScriptSource};

/// One block of a kind, as its pack wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The pack it comes from, as an index into [`PackSet::packs`](super::PackSet::packs).
    pub pack: u16,
    /// The id of that pack, for full names.
    pub pack_id: String,
    /// The id of its kind.
    pub kind: String,
    /// Its id, unique among the entries of its kind in the pack.
    pub id: String,
    /// Its fields: those in the file, in order, then the defaults of the kind.
    pub fields: Vec<EntryField>,
    /// The source location of its id.
    pub span: Span,
    /// Its texts that contain numbers or promises.
    pub texts: Vec<CheckedText>,
    /// Its numbers that refer to other entries.
    pub numbers: Vec<NumberReference>,
    /// The counters, zones and chains that its costs are paid with, except the cost of its action.
    pub costs: Vec<(String, Span)>,
}

/// A number that refers to another entry by the value of one of its fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberReference {
    /// The number to look for.
    pub number: i64,
    /// The kind of the other entry.
    pub kind: String,
    /// The field of the other entry that contains the number.
    pub field: String,
    /// The source location of this number.
    pub span: Span,
}

/// A text of an entry that checks compare with its scripts, because it contains a number or a
/// promise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedText {
    /// The path to the text, with positions from 1: `option.2.result`.
    pub path: String,
    /// The source location of the string, including quotes.
    pub span: Span,
    /// The source location of the text, if the file contains it byte for byte.
    pub body: Option<Span>,
}

impl CheckedText {
    /// The source location of a range of bytes in the text.
    #[must_use]
    pub fn part(&self, files: &Files, text: &str, at: &std::ops::Range<usize>) -> Span {
        if let Some(body) = self.body {
            return body.part(at.start, at.len());
        }
        // If backslashes join lines, search the file for the words themselves.
        let found = text
            .get(at.clone())
            .and_then(|words| files.slice(self.span).find(words));
        found.map_or(self.span, |from| self.span.part(from, at.len()))
    }
}

impl Entry {
    /// A field with its source location and the pack that set it.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&EntryField> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The value of a field.
    #[must_use]
    pub fn get(&self, field: &str) -> Option<&FieldValue> {
        self.field(field).map(|field| &field.value)
    }

    /// The value at a path, with positions from 1: `option.2.result`.
    #[must_use]
    pub fn get_path(&self, path: &str) -> Option<&FieldValue> {
        let (field, rest) = path.split_once('.').unwrap_or((path, ""));
        self.get(field)?.get_path(rest)
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

    /// The list in a field; empty if it is missing.
    #[must_use]
    pub fn list(&self, field: &str) -> &[FieldValue] {
        self.get(field).and_then(FieldValue::as_list).unwrap_or(&[])
    }

    /// Whether a field is `true`; `false` if it is missing.
    #[must_use]
    pub fn flag(&self, field: &str) -> bool {
        self.get(field)
            .and_then(FieldValue::as_bool)
            .unwrap_or(false)
    }

    /// The script in a field.
    #[must_use]
    pub fn script(&self, field: &str) -> Option<&ScriptSource> {
        self.get(field)?.as_script()
    }

    /// `pack:kind/id`, which is unique among all packs.
    #[must_use]
    pub fn full_name(&self) -> String {
        format!("{}:{}/{}", self.pack_id, self.kind, self.id)
    }
}
