//! Kinds of entries and their typed fields.

use std::sync::Arc;

use crate::diagnostic::{Files, Span};

use super::value::FieldValue;

/// A kind of entry, declared by the engine or by a pack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The id, as in `[[id]]`.
    pub id: String,
    /// The title, for players.
    pub title: String,
    /// The documentation.
    pub text: String,
    /// Whether its entries are pieces, places or data.
    pub is: EntryNature,
    /// The names of its other faces.
    pub faces: Vec<String>,
    /// The fields it declares, without the [common](super::common) ones.
    pub fields: Vec<FieldSpec>,
    /// Fields that a certain value of another field requires.
    pub needs: Vec<Requirement>,
    /// The pack that declares it; `None` for the engine's own kinds.
    pub pack: Option<u16>,
    /// The source location of its id.
    pub span: Span,
}

impl Kind {
    /// Whether two declarations are equal, apart from their source locations.
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

/// What the entries of a kind represent in a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntryNature {
    /// Pieces, which are in zones, in any number of copies.
    #[default]
    Piece,
    /// Nodes of the map.
    Place,
    /// Data, such as rules, phases and tables of numbers.
    Data,
}

impl EntryNature {
    /// The name used in `[[kind]]`.
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
    /// The key.
    pub name: String,
    /// The type of the value.
    pub ty: Type,
    /// Whether entries may omit it.
    pub optional: bool,
    /// The value for entries that omit it.
    pub default: Option<FieldValue>,
    /// The documentation.
    pub text: String,
    /// The source location of its name.
    pub span: Span,
    /// The source location of its default.
    pub default_at: Option<Span>,
    /// Rules beyond its type.
    pub rules: FieldRules,
    /// The pack that adds it to a kind of another pack.
    pub added_by: Option<Arc<str>>,
}

/// Rules for a value beyond its type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldRules {
    /// A table must have exactly one of these fields.
    pub one_of: Vec<String>,
    /// The minimum and maximum length of a list.
    pub items: (Option<i64>, Option<i64>),
    /// A kind and a field: a number must equal that field of an entry of that kind.
    pub names: Option<(String, String)>,
    /// Whether no two entries of the kind may have the same value.
    pub unique: bool,
    /// What the rows of a list are.
    pub rows: RowForm,
}

/// What the rows of a list are, which decides how their conditions are checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowForm {
    /// Anything.
    #[default]
    Plain,
    /// Options to choose from: the type `options`.
    Options,
    /// Results, of which the first that fits applies: the type `results`.
    Results,
}

impl FieldSpec {
    /// Whether an entry that omits it is an error.
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
    /// A list of values of one type; a single value counts as a list with one item.
    List(Box<Type>),
    /// Named values, each with its own type.
    Table(Vec<FieldSpec>),
    /// Values of one type under arbitrary names.
    Map(Box<Type>),
    /// A script, or the name of a function in a library of the pack.
    Script,
    /// A whole number, or the id of a counter.
    Bound,
    /// What an action costs: a table of amounts, or a list of alternative tables.
    Cost,
    /// The other faces of an entry: a table with face names as keys and tables of the kind's fields
    /// as values. No field is required.
    Face,
    /// Anything.
    Any,
}

impl Type {
    /// A phrase for "expected …" messages.
    #[must_use]
    pub fn phrase(&self) -> String {
        match self {
            Self::Int { .. } => "a whole number".into(),
            Self::Bool => "true or false".into(),
            Self::String | Self::Text => "text in quotes".into(),
            Self::Enum(values) => format!("one of {}", quoted(values, "or")),
            Self::Ref(to) if to.is_empty() => "the id of an entry".into(),
            Self::Ref(to) => format!("the id of a {}", to.join(" or ")),
            Self::List(of) => format!("a list, each item {}", of.phrase()),
            Self::Table(_) | Self::Map(_) | Self::Face => "a table, as in { name = value }".into(),
            Self::Script => "a script in quotes".into(),
            Self::Bound => "a whole number or the id of a counter".into(),
            Self::Cost => "a cost, as in { pips = 1 }".into(),
            Self::Any => "anything".into(),
        }
    }

    /// The name used in `[[kind]]`.
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

/// Quotes words in backticks and joins them with commas, and the last two with `and` or `or`.
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
