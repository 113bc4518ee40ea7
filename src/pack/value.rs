//! What a field of an entry may hold.

use std::sync::Arc;

use crate::diagnostic::Span;

/// The number of an entry in [`Layered::entries`](super::Layered::entries).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntryIx(pub u32);

/// A checked value. After loading, references are names; after layering, they are entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A whole number.
    Int(i64),
    /// Yes or no.
    Bool(bool),
    /// A string, a template, one of the words of an enum.
    Text(String),
    /// A reference as it was written. None is left after layering.
    Name(Name),
    /// A reference to an entry that is in force.
    Ref(EntryIx),
    /// Values in order.
    List(Vec<Value>),
    /// Named values in the order of the file.
    Table(Vec<(String, Value)>),
    /// A script.
    Script(Script),
}

/// A reference by name, with all it takes to find the entry later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// `id`, `kind/id`, `pack:id` or `pack:kind/id`.
    pub text: String,
    /// Where it stands.
    pub span: Span,
    /// The kinds it may be of, or `place` and `piece` for all such kinds; empty means any kind.
    pub to: Arc<[String]>,
    /// The pack that wrote it: names are looked for from there.
    pub by: u16,
}

/// The text of a script and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// The source, or the name of a function in a library of the pack.
    pub text: String,
    /// Where the text stands in the file.
    pub span: Span,
    /// Whether byte `n` of the text is byte `span.start + n` of the file.
    pub exact: bool,
    /// The pack that wrote it.
    pub by: u16,
    /// The script it was set over by a patch, for `replaced()`.
    pub base: Option<Box<Script>>,
}

/// A named value of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub value: Value,
    /// Where the value stands; for a default, where the entry's id stands.
    pub span: Span,
    /// The pack that set it last.
    pub by: u16,
    /// Whether a file says it. If not, it is the default of the kind.
    pub given: bool,
}

impl Value {
    /// The value behind further names and positions (from 1), as in `levels.2.draw`.
    #[must_use]
    pub fn along(&self, path: &str) -> Option<&Value> {
        path.split('.')
            .filter(|step| !step.is_empty())
            .try_fold(self, |value, step| match (value, step.parse::<usize>()) {
                (Self::List(list), Ok(position)) => list.get(position.checked_sub(1)?),
                (Self::Table(rows), _) => rows
                    .iter()
                    .find(|(key, _)| key.as_str() == step)
                    .map(|(_, value)| value),
                _ => None,
            })
    }

    /// Looks at everything in it that is neither a list nor a table.
    pub fn each<'v>(&'v self, see: &mut dyn FnMut(&'v Value)) {
        match self {
            Self::List(items) => items.iter().for_each(|item| item.each(see)),
            Self::Table(rows) => rows.iter().for_each(|(_, value)| value.each(see)),
            other => see(other),
        }
    }

    /// The number, if it is one.
    #[must_use]
    pub fn as_int(&self) -> Option<i64> {
        if let Self::Int(n) = self {
            Some(*n)
        } else {
            None
        }
    }

    /// Yes or no, if it is one of them.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        if let Self::Bool(b) = self {
            Some(*b)
        } else {
            None
        }
    }

    /// The text, if it is one; a name counts as text.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Name(name) => Some(&name.text),
            _ => None,
        }
    }

    /// The entry it refers to, if it is a reference in layered content.
    #[must_use]
    pub fn as_ref_ix(&self) -> Option<EntryIx> {
        if let Self::Ref(ix) = self {
            Some(*ix)
        } else {
            None
        }
    }

    /// The list, if it is one.
    #[must_use]
    pub fn as_list(&self) -> Option<&[Value]> {
        if let Self::List(list) = self {
            Some(list)
        } else {
            None
        }
    }

    /// The table, if it is one.
    #[must_use]
    pub fn as_table(&self) -> Option<&[(String, Value)]> {
        if let Self::Table(table) = self {
            Some(table)
        } else {
            None
        }
    }

    /// The script, if it is one.
    #[must_use]
    pub fn as_script(&self) -> Option<&Script> {
        if let Self::Script(script) = self {
            Some(script)
        } else {
            None
        }
    }

    /// The value under a key of a table.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.as_table()?
            .iter()
            .find(|(name, _)| name == key)
            .map(|(_, value)| value)
    }
}
