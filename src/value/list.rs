//! Lists of values.

use std::ops::Deref;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Value;

/// The capacity of a list that was empty: most lists of scripts start so and grow.
const FIRST_CAPACITY: usize = 8;

/// A list that is shared until it is changed. It knows how much is nested in it, so that no script
/// builds a value that takes long to compare, print or free.
#[derive(Clone, Debug)]
pub struct List(Arc<SharedItems>);

#[derive(Clone, Debug)]
struct SharedItems {
    items: Vec<Value>,
    weight: u32,
    depth: u8,
}

impl List {
    /// A list of values.
    #[must_use]
    pub fn new(items: Vec<Value>) -> List {
        let (weight, depth) = measure(items.iter());
        List(Arc::new(SharedItems {
            items,
            weight,
            depth,
        }))
    }

    /// The number of values in the list, counting itself and everything nested in it.
    #[must_use]
    pub fn weight(&self) -> u32 {
        self.0.weight
    }

    /// The address in memory.
    #[must_use]
    pub fn address(&self) -> u64 {
        Arc::as_ptr(&self.0) as u64
    }

    /// How deep lists and maps are nested, counting this list.
    #[must_use]
    pub fn depth(&self) -> u8 {
        self.0.depth
    }

    /// Adds a value at the end.
    pub fn push(&mut self, value: Value) {
        let list = Arc::make_mut(&mut self.0);
        list.weight = list.weight.saturating_add(value.weight());
        list.depth = list.depth.max(value.depth().saturating_add(1));
        if list.items.capacity() == 0 {
            list.items.reserve(FIRST_CAPACITY);
        }
        list.items.push(value);
    }

    /// Removes the last value and returns it.
    pub fn pop(&mut self) -> Option<Value> {
        let list = Arc::make_mut(&mut self.0);
        let value = list.items.pop()?;
        list.weight = list.weight.saturating_sub(value.weight());
        Some(value)
    }

    /// Replaces the value at a position.
    pub fn set(&mut self, at: usize, value: Value) {
        let list = Arc::make_mut(&mut self.0);
        let before = list.items[at].weight();
        list.weight = list
            .weight
            .saturating_sub(before)
            .saturating_add(value.weight());
        list.depth = list.depth.max(value.depth().saturating_add(1));
        list.items[at] = value;
    }

    /// Takes the value at a position out, to change it and [put](List::put) it back.
    pub fn take(&mut self, at: usize) -> Value {
        let list = Arc::make_mut(&mut self.0);
        let value = std::mem::take(&mut list.items[at]);
        list.weight = list.weight.saturating_sub(value.weight()).saturating_add(1);
        value
    }

    /// Puts a value back that was taken out.
    pub fn put(&mut self, at: usize, value: Value) {
        self.set(at, value);
    }

    /// Changes the items in any way.
    pub fn change<T>(&mut self, work: impl FnOnce(&mut Vec<Value>) -> T) -> T {
        let list = Arc::make_mut(&mut self.0);
        let result = work(&mut list.items);
        (list.weight, list.depth) = measure(list.items.iter());
        result
    }

    /// The items, copied only if the list is shared.
    #[must_use]
    pub fn into_items(self) -> Vec<Value> {
        Arc::try_unwrap(self.0).map_or_else(|shared| shared.items.clone(), |list| list.items)
    }

    /// Whether both are the same list in memory.
    #[must_use]
    pub fn is_same(&self, other: &List) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// The weight and depth of a list or map with these values.
pub(super) fn measure<'v>(values: impl Iterator<Item = &'v Value>) -> (u32, u8) {
    values.fold((1_u32, 1_u8), |(weight, depth), value| {
        let (own, nested) = match value {
            Value::List(list) | Value::Rows(list) => (list.weight(), list.depth()),
            Value::Map(map) | Value::Table(map) => (map.weight(), map.depth()),
            _ => return (weight.saturating_add(1), depth),
        };
        (
            weight.saturating_add(own),
            depth.max(nested.saturating_add(1)),
        )
    })
}

impl Deref for List {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        &self.0.items
    }
}

impl<'l> IntoIterator for &'l List {
    type Item = &'l Value;
    type IntoIter = std::slice::Iter<'l, Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.items.iter()
    }
}

impl Default for List {
    fn default() -> List {
        List::new(Vec::new())
    }
}

impl FromIterator<Value> for List {
    fn from_iter<I: IntoIterator<Item = Value>>(items: I) -> List {
        List::new(items.into_iter().collect())
    }
}

impl PartialEq for List {
    fn eq(&self, other: &List) -> bool {
        self.is_same(other) || self.0.items == other.0.items
    }
}

impl Eq for List {}

impl Serialize for List {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.items.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for List {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<List, D::Error> {
        Vec::deserialize(deserializer).map(List::new)
    }
}
