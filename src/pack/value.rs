//! The values of fields.

use std::borrow::Cow;
use std::sync::Arc;

use crate::diagnostic::Span;

/// The index of an entry in [`Layered::entries`](super::Layered::entries).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntryIx(pub u32);

/// A value that matches its type. References are names until the packs are layered, then indices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldValue {
    /// A whole number.
    Int(i64),
    /// `true` or `false`.
    Bool(bool),
    /// A string, a template or a value of an enum.
    Text(String),
    /// A reference as written; none is left after layering.
    Name(Reference),
    /// A reference to an entry of the game.
    Ref(EntryIx),
    /// A list of values.
    List(Vec<FieldValue>),
    /// Named values in the order of the file.
    Table(Vec<(String, FieldValue)>),
    /// A script, not yet compiled.
    Script(ScriptSource),
}

/// A reference by name, with everything needed to find the entry later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The name: `id`, `kind/id`, `pack:id` or `pack:kind/id`.
    pub text: String,
    /// The source location of the name.
    pub span: Span,
    /// The kinds it may refer to. `place` and `piece` mean all kinds of places and pieces; empty
    /// means any kind.
    pub to: Arc<[String]>,
    /// The pack that wrote it, which determines which entries are visible.
    pub by: u16,
    /// What a name in `in` requires of the mode or option it names.
    pub condition: Condition,
}

/// What a name in `in` requires of the mode or option it names: `!solo`, `difficulty=hard`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Condition {
    /// Whether the mode or option must not be active.
    pub negated: bool,
    /// The value that the option must have.
    pub value: Option<String>,
}

impl Reference {
    /// A name in `in`: a mode or an option with a condition.
    pub(super) fn conditional(text: &str, span: Span, to: &Arc<[String]>, by: u16) -> Self {
        let (negated, rest) = match text.strip_prefix('!') {
            Some(rest) => (true, rest.trim()),
            None => (false, text),
        };
        let (name, value) = match rest.split_once('=') {
            Some((name, value)) => (name.trim(), Some(value.trim().to_owned())),
            None => (rest, None),
        };
        Self {
            text: name.to_owned(),
            span,
            to: Arc::clone(to),
            by,
            condition: Condition { negated, value },
        }
    }

    /// The name with its condition, as in a file.
    #[must_use]
    pub fn written(&self) -> Cow<'_, str> {
        let Condition { negated, value } = &self.condition;
        let not = if *negated { "!" } else { "" };
        match value {
            Some(value) => Cow::Owned(format!("{not}{}={value}", self.text)),
            None if *negated => Cow::Owned(format!("!{}", self.text)),
            None => Cow::Borrowed(&self.text),
        }
    }
}

/// The text of a script and its source location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptSource {
    /// The source, or the name of a function in the pack's libraries.
    pub text: String,
    /// The source location of the text.
    pub span: Span,
    /// Whether byte `n` of the text is byte `span.start + n` of the file.
    pub exact: bool,
    /// The pack that wrote it.
    pub by: u16,
    /// Whether it only computes a value, wherever it is.
    pub is_value: bool,
    /// The script that a patch replaced with this one, for `replaced()`.
    pub base: Option<Box<ScriptSource>>,
}

/// A field of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryField {
    /// The key.
    pub name: String,
    /// The value, explicit or default.
    pub value: FieldValue,
    /// The source location of the value; for a default, that of the entry's id.
    pub span: Span,
    /// The pack that set it last.
    pub by: u16,
    /// Whether a file sets it; otherwise it is the default of the kind.
    pub is_explicit: bool,
}

impl FieldValue {
    /// The value at a path of names and positions from 1: `levels.2.draw`.
    #[must_use]
    pub fn get_path(&self, path: &str) -> Option<&FieldValue> {
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

    /// Visits every value inside this one that is neither a list nor a table.
    pub fn each<'v>(&'v self, visit: &mut dyn FnMut(&'v FieldValue)) {
        match self {
            Self::List(items) => items.iter().for_each(|item| item.each(visit)),
            Self::Table(rows) => rows.iter().for_each(|(_, value)| value.each(visit)),
            other => visit(other),
        }
    }

    /// The number, if the value is one.
    #[must_use]
    pub fn as_int(&self) -> Option<i64> {
        if let Self::Int(n) = self {
            Some(*n)
        } else {
            None
        }
    }

    /// The boolean, if the value is one.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        if let Self::Bool(b) = self {
            Some(*b)
        } else {
            None
        }
    }

    /// The text, if the value is one; a name counts as text.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Name(name) => Some(&name.text),
            _ => None,
        }
    }

    /// The entry that a resolved reference refers to.
    #[must_use]
    pub fn as_ref_ix(&self) -> Option<EntryIx> {
        if let Self::Ref(ix) = self {
            Some(*ix)
        } else {
            None
        }
    }

    /// The list, if the value is one.
    #[must_use]
    pub fn as_list(&self) -> Option<&[FieldValue]> {
        if let Self::List(list) = self {
            Some(list)
        } else {
            None
        }
    }

    /// The table, if the value is one.
    #[must_use]
    pub fn as_table(&self) -> Option<&[(String, FieldValue)]> {
        if let Self::Table(table) = self {
            Some(table)
        } else {
            None
        }
    }

    /// The script, if the value is one.
    #[must_use]
    pub fn as_script(&self) -> Option<&ScriptSource> {
        if let Self::Script(script) = self {
            Some(script)
        } else {
            None
        }
    }

    /// The value under a key of a table.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&FieldValue> {
        self.as_table()?
            .iter()
            .find(|(name, _)| name == key)
            .map(|(_, value)| value)
    }
}
