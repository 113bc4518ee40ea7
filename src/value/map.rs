//! Maps from keys to values.

use std::ops::Deref;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::list::measure;
use super::{Text, Value};

/// Values by key, shared until they are changed. Maps of scripts are sorted by key; tables of
/// entries keep the order of their fields.
#[derive(Clone, Debug)]
pub struct Map(Arc<SharedRows>);

#[derive(Clone, Debug)]
struct SharedRows {
    rows: Vec<(Text, Value)>,
    weight: u32,
    depth: u8,
}

impl Map {
    /// A map with rows in any order; of equal keys, the last row counts.
    #[must_use]
    pub fn new(mut rows: Vec<(Text, Value)>) -> Map {
        if !rows.is_sorted_by(|one, other| one.0 < other.0) {
            rows.reverse();
            rows.sort_by(|one, other| one.0.cmp(&other.0));
            rows.dedup_by(|later, first| later.0 == first.0);
        }
        Map::table(rows)
    }

    /// A map whose rows are sorted by key, each key once.
    #[must_use]
    pub fn from_sorted(rows: Vec<(Text, Value)>) -> Map {
        debug_assert!(rows.is_sorted_by(|one, other| one.0 < other.0));
        Map::table(rows)
    }

    /// A table of an entry, in the order of its fields.
    #[must_use]
    pub fn table(rows: Vec<(Text, Value)>) -> Map {
        let (weight, depth) = measure(rows.iter().map(|(_, value)| value));
        Map(Arc::new(SharedRows {
            rows,
            weight,
            depth,
        }))
    }

    /// The number of values in the map, counting itself and everything nested in it.
    #[must_use]
    pub fn weight(&self) -> u32 {
        self.0.weight
    }

    /// The address in memory.
    #[must_use]
    pub fn address(&self) -> u64 {
        Arc::as_ptr(&self.0) as u64
    }

    /// How deep lists and maps are nested, counting this map.
    #[must_use]
    pub fn depth(&self) -> u8 {
        self.0.depth
    }

    fn position(&self, key: &str) -> Result<usize, usize> {
        self.0
            .rows
            .binary_search_by(|(own, _)| own.as_str().cmp(key))
    }

    /// The value of a key in a sorted map.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.position(key).ok().map(|at| &self.0.rows[at].1)
    }

    /// The value of a key that is probably the same text in memory as in the map.
    #[must_use]
    pub fn get_interned(&self, key: &Text) -> Option<&Value> {
        let same = |(own, _): &&(Text, Value)| Text::ptr_eq(own, key);
        match self.0.rows.iter().find(same) {
            Some((_, value)) => Some(value),
            None => self.get(key),
        }
    }

    /// The value of a key in a table, whose rows have any order.
    #[must_use]
    pub fn find(&self, key: &str) -> Option<&Value> {
        self.0
            .rows
            .iter()
            .find(|(own, _)| own == key)
            .map(|(_, value)| value)
    }

    /// Adds or replaces a value.
    pub fn insert(&mut self, key: Text, value: Value) {
        let at = self.position(&key);
        let map = Arc::make_mut(&mut self.0);
        map.depth = map.depth.max(value.depth().saturating_add(1));
        map.weight = map.weight.saturating_add(value.weight());
        match at {
            Ok(at) => {
                let before = std::mem::replace(&mut map.rows[at].1, value);
                map.weight = map.weight.saturating_sub(before.weight());
            }
            Err(at) => map.rows.insert(at, (key, value)),
        }
    }

    /// Removes a key and returns its value.
    pub fn remove(&mut self, key: &str) -> Option<Value> {
        let at = self.position(key).ok()?;
        let map = Arc::make_mut(&mut self.0);
        let (_, value) = map.rows.remove(at);
        map.weight = map.weight.saturating_sub(value.weight());
        Some(value)
    }

    /// Takes the value of a key out, to change it and [insert](Map::insert) it again.
    pub fn take(&mut self, key: &str) -> Option<Value> {
        let at = self.position(key).ok()?;
        let map = Arc::make_mut(&mut self.0);
        let value = std::mem::take(&mut map.rows[at].1);
        map.weight = map.weight.saturating_sub(value.weight()).saturating_add(1);
        Some(value)
    }

    /// Changes the rows in any way; they are sorted again afterwards.
    pub fn change(&mut self, work: impl FnOnce(&mut Vec<(Text, Value)>)) {
        let mut rows = std::mem::take(&mut Arc::make_mut(&mut self.0).rows);
        work(&mut rows);
        *self = Map::new(rows);
    }
}

impl Deref for Map {
    type Target = [(Text, Value)];

    fn deref(&self) -> &[(Text, Value)] {
        &self.0.rows
    }
}

impl<'m> IntoIterator for &'m Map {
    type Item = &'m (Text, Value);
    type IntoIter = std::slice::Iter<'m, (Text, Value)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.rows.iter()
    }
}

impl Default for Map {
    fn default() -> Map {
        Map::table(Vec::new())
    }
}

impl FromIterator<(Text, Value)> for Map {
    fn from_iter<I: IntoIterator<Item = (Text, Value)>>(rows: I) -> Map {
        Map::new(rows.into_iter().collect())
    }
}

impl PartialEq for Map {
    fn eq(&self, other: &Map) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.rows == other.0.rows
    }
}

impl Eq for Map {}

impl Serialize for Map {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.rows.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Map {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Map, D::Error> {
        Vec::deserialize(deserializer).map(Map::table)
    }
}
