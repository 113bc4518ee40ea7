//! The values of fields, with names resolved.

use std::sync::Arc;

use super::ids::{EntryId, HookId};

/// The value of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A missing optional field.
    Unit,
    /// A whole number.
    Int(i64),
    /// `true` or `false`.
    Bool(bool),
    /// A string, a template or a value of an enum.
    Text(Arc<str>),
    /// A reference to an entry.
    Entry(EntryId),
    /// A list of values.
    List(Arc<[Value]>),
    /// Named values.
    Table(Arc<[(Arc<str>, Value)]>),
    /// A script.
    Script(HookId),
}

impl Value {
    /// The value at a path of names and positions from 1: `levels.2.draw`.
    #[must_use]
    pub fn path(&self, path: &str) -> Option<&Value> {
        path.split('.')
            .filter(|step| !step.is_empty())
            .try_fold(self, |value, step| match step.parse::<usize>() {
                Ok(position) => value.list().get(position.checked_sub(1)?),
                Err(_) => value.get(step),
            })
    }

    /// The value under a key of a table.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        match self {
            Value::Table(rows) => rows
                .iter()
                .find(|(key, _)| &**key == name)
                .map(|(_, value)| value),
            _ => None,
        }
    }

    /// The number, if the value is one.
    #[must_use]
    pub const fn int(&self) -> Option<i64> {
        match self {
            Value::Int(n) => Some(*n),
            _ => None,
        }
    }

    /// The text, if the value is one.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The items, if the value is a list; otherwise an empty slice.
    #[must_use]
    pub fn list(&self) -> &[Value] {
        match self {
            Value::List(list) => list,
            _ => &[],
        }
    }

    /// Whether `{?field}` in a template is true: not zero, not false, not empty.
    #[must_use]
    pub fn is_truthy(&self) -> bool {
        match self {
            Value::Unit => false,
            Value::Int(n) => *n != 0,
            Value::Bool(yes) => *yes,
            Value::Text(text) => !text.is_empty(),
            Value::List(list) => !list.is_empty(),
            Value::Table(rows) => !rows.is_empty(),
            Value::Entry(_) | Value::Script(_) => true,
        }
    }
}
