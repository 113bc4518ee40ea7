//! Kinds of entries and their typed fields.

use std::sync::Arc;

use crate::diagnostic::{Files, Span};

use super::value::FieldValue;

/// A kind of entry, declared by the engine or by a pack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The word in `[[id]]`.
    pub id: String,
    /// Its name for players.
    pub title: String,
    /// Its documentation.
    pub text: String,
    /// Whether its entries are pieces, places or plain data.
    pub is: EntryNature,
    /// The names of its other faces.
    pub faces: Vec<String>,
    /// Its own fields, without the [common](super::common) ones.
    pub fields: Vec<FieldSpec>,
    /// Fields that a certain value of another field requires.
    pub needs: Vec<Requirement>,
    /// The pack that declares it; `None` for the engine's own kinds.
    pub pack: Option<u16>,
    /// Where its id is.
    pub span: Span,
}

impl Kind {
    /// Whether two declarations are equal, apart from where they are.
    pub(super) fn is_same_as(&self, other: &Kind) -> bool {
        self == other || self.id == other.id && self.without_spans() == other.without_spans()
    }

    /// The declaration without its spans.
    fn without_spans(&self) -> Kind {
        let mut kind = self.clone();
        kind.span = Files::outside();
        remove_spans(&mut kind.fields);
        kind
    }
}

fn remove_spans(fields: &mut [FieldSpec]) {
    for field in fields {
        field.span = Files::outside();
        field.default_at = None;
        let mut ty = &mut field.ty;
        while let Type::List(inner) | Type::Map(inner) = ty {
            ty = inner;
        }
        if let Type::Table(inner) = ty {
            remove_spans(inner);
        }
    }
}

/// Fields that a certain value of another field requires: `type = "test"` needs `success`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement {
    /// The field whose value decides.
    pub field: String,
    /// The value that requires the others.
    pub is: String,
    /// The fields it requires.
    pub fields: Vec<String>,
}

/// What entries of a kind are in a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntryNature {
    /// Things that lie in zones, in any number of copies.
    #[default]
    Piece,
    /// Nodes of the map.
    Place,
    /// Neither: rules, phases, tables of numbers.
    Data,
}

impl EntryNature {
    /// Its name in `[[kind]]`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Piece => "piece",
            Self::Place => "place",
            Self::Data => "data",
        }
    }
}

/// A declared field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldSpec {
    /// The key in entries.
    pub name: String,
    /// The type of its values.
    pub ty: Type,
    /// Whether entries may leave it out.
    pub optional: bool,
    /// The value of entries that leave it out.
    pub default: Option<FieldValue>,
    /// Its documentation.
    pub text: String,
    /// Where its name is.
    pub span: Span,
    /// Where its default is.
    pub default_at: Option<Span>,
    /// Rules beyond its type.
    pub rules: FieldRules,
}

/// Rules for a value beyond its type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldRules {
    /// A table must have at least one of these fields.
    pub one_of: Vec<String>,
    /// The minimum and maximum length of a list.
    pub items: (Option<i64>, Option<i64>),
    /// A number must be that of an entry of this kind, in this field.
    pub names: Option<(String, String)>,
}

impl FieldSpec {
    /// Whether an entry without it is an error.
    #[must_use]
    pub fn is_required(&self) -> bool {
        !self.optional && self.default.is_none()
    }
}

/// The type of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// A whole number within bounds.
    Int {
        /// The minimum, if there is one.
        min: Option<i64>,
        /// The maximum, if there is one.
        max: Option<i64>,
    },
    /// `true` or `false`.
    Bool,
    /// Any string.
    String,
    /// A template for people to read.
    Text,
    /// One of a list of words.
    Enum(Arc<[String]>),
    /// An entry of one of these kinds; empty means any kind.
    Ref(Arc<[String]>),
    /// A list of values of one type; a single value counts as a list of one.
    List(Box<Type>),
    /// Named values, each with a type of its own.
    Table(Vec<FieldSpec>),
    /// Values of one type under arbitrary names.
    Map(Box<Type>),
    /// A script, or the name of a function in a library of the pack.
    Script,
    /// A whole number, or the id of a counter.
    Bound,
    /// What an action costs: a table of amounts, or a list of such tables to choose from.
    Cost,
    /// The other faces of an entry: face names over tables of the kind's fields, none of them
    /// required.
    Face,
    /// Anything.
    Any,
}

impl Type {
    /// The type in words, for "expected …".
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Self::Int { .. } => "a whole number".into(),
            Self::Bool => "true or false".into(),
            Self::String | Self::Text => "text in quotes".into(),
            Self::Enum(values) => format!("one of {}", quoted(values, "or")),
            Self::Ref(to) if to.is_empty() => "the id of an entry".into(),
            Self::Ref(to) => format!("the id of a {}", to.join(" or ")),
            Self::List(of) => format!("a list, each item {}", of.words()),
            Self::Table(_) | Self::Map(_) | Self::Face => "a table, as in { name = value }".into(),
            Self::Script => "a script in quotes".into(),
            Self::Bound => "a whole number or the id of a counter".into(),
            Self::Cost => "a cost, as in { pips = 1 }".into(),
            Self::Any => "anything".into(),
        }
    }

    /// Its name in `[[kind]]`.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Int { .. } => "int",
            Self::Bool => "bool",
            Self::String => "string",
            Self::Text => "text",
            Self::Enum(_) => "enum",
            Self::Ref(_) => "ref",
            Self::List(_) => "list",
            Self::Table(_) => "table",
            Self::Map(_) => "map",
            Self::Script => "script",
            Self::Bound => "bound",
            Self::Cost => "cost",
            Self::Face => "face",
            Self::Any => "any",
        }
    }
}

/// Words in backticks, separated by commas, the last two joined by `and` or `or`.
pub(super) fn quoted(words: &[impl AsRef<str>], join: &str) -> String {
    let all: Vec<String> = words
        .iter()
        .map(|word| format!("`{}`", word.as_ref()))
        .collect();
    match all.split_last() {
        None => "none".into(),
        Some((only, [])) => only.clone(),
        Some((last, rest)) => format!("{} {join} {last}", rest.join(", ")),
    }
}
