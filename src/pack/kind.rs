//! A type of entry with its typed fields.

use std::sync::Arc;

use crate::diagnostic::{Files, Span};

use super::value::Value;

/// A type of entry, declared by the engine or by a pack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Its id, the word in `[[id]]`.
    pub id: String,
    /// What people call it.
    pub title: String,
    /// What it is for.
    pub text: String,
    /// Whether its entries are pieces, places or plain data.
    pub is: Is,
    /// The names of its other faces.
    pub faces: Vec<String>,
    /// Its own fields, without those every entry has.
    pub fields: Vec<FieldSpec>,
    /// Fields that must be there if another has a certain value.
    pub needs: Vec<Need>,
    /// The pack that declares it; nothing for the engine's own kinds.
    pub pack: Option<u16>,
    /// Where its id stands.
    pub span: Span,
}

impl Kind {
    /// Whether entries of another declaration are read in the same way, wherever the two stand.
    pub(super) fn means(&self, other: &Kind) -> bool {
        self == other || self.id == other.id && self.unplaced() == other.unplaced()
    }

    /// Its declaration without the places where it stands.
    fn unplaced(&self) -> Kind {
        let mut kind = self.clone();
        kind.span = Files::outside();
        unplace(&mut kind.fields);
        kind
    }
}

fn unplace(fields: &mut [FieldSpec]) {
    for field in fields {
        field.span = Files::outside();
        field.default_at = None;
        let mut ty = &mut field.ty;
        while let Type::List(inner) | Type::Map(inner) = ty {
            ty = inner;
        }
        if let Type::Table(inner) = ty {
            unplace(inner);
        }
    }
}

/// Fields that must be there if another has a certain value: a test needs its `success`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Need {
    /// Which field.
    pub field: String,
    /// What it is then.
    pub is: String,
    /// What must be there.
    pub fields: Vec<String>,
}

/// What entries of a kind are at the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Is {
    /// Copies of it lie in zones.
    #[default]
    Piece,
    /// Nodes of the map.
    Place,
    /// Nothing that could be touched.
    Data,
}

impl Is {
    /// The word in the file.
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
    /// Its name.
    pub name: String,
    /// What it may hold.
    pub ty: Type,
    /// Whether it may be missing.
    pub optional: bool,
    /// What it holds when it is missing.
    pub default: Option<Value>,
    /// What it is for.
    pub text: String,
    /// Where its name stands.
    pub span: Span,
    /// Where its default stands.
    pub default_at: Option<Span>,
    /// What else must be true of what it holds.
    pub rules: Rules,
}

/// What must be true of a value besides its type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// A table has one of these at least.
    pub one_of: Vec<String>,
    /// A list has so many items: at least, at most.
    pub items: (Option<i64>, Option<i64>),
    /// A number that some entry of this kind has in this field.
    pub names: Option<(String, String)>,
}

impl FieldSpec {
    /// Whether an entry without it is a fault.
    #[must_use]
    pub fn is_required(&self) -> bool {
        !self.optional && self.default.is_none()
    }
}

/// What a field may hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// A whole number within bounds.
    Int {
        /// The least it may be.
        min: Option<i64>,
        /// The most it may be.
        max: Option<i64>,
    },
    /// Yes or no.
    Bool,
    /// Any string.
    String,
    /// A template for people to read.
    Text,
    /// One of some words.
    Enum(Arc<[String]>),
    /// An entry of one of these kinds; empty means any kind.
    Ref(Arc<[String]>),
    /// A list of values of one type; a single value counts as a list of one.
    List(Box<Type>),
    /// Named values, each with a type of its own.
    Table(Vec<FieldSpec>),
    /// Named values of one type, under names nobody declared.
    Map(Box<Type>),
    /// A script, or the name of a function in a library of the pack.
    Script,
    /// A whole number, or the id of a counter.
    Bound,
    /// What an action costs: a table of amounts, or a list of such tables to choose from.
    Cost,
    /// The other faces of an entry: face names over tables of the kind's fields, none of them required.
    Face,
    /// Anything.
    Any,
}

impl Type {
    /// The type in words of the author, for "expected …".
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Self::Int { .. } => "a whole number".into(),
            Self::Bool => "true or false".into(),
            Self::String | Self::Text => "a text in quotes".into(),
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

    /// The word for it in a kind declaration.
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

/// Words in double quotes with commas, the last two joined by `and` or `or`.
pub(super) fn quoted(words: &[impl AsRef<str>], join: &str) -> String {
    let all: Vec<String> = words
        .iter()
        .map(|word| format!("`{}`", word.as_ref()))
        .collect();
    match all.split_last() {
        None => "nothing".into(),
        Some((only, [])) => only.clone(),
        Some((last, rest)) => format!("{} {join} {last}", rest.join(", ")),
    }
}
