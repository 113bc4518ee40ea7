//! Maps: the language functions.

use kaer_macros::primitives;

use crate::number::cast;
use crate::script::operators::{change_cost, check_map, keys_cost};
use crate::script::primitive::*;

/// Adds the rows of another map. If the map already has a key, its value is replaced or kept.
fn merge(cx: &mut Cx, map: &mut Map, other: &Map, replaces: bool) -> StepResult {
    cx.charge_work(other.len() as u64 + change_cost(map.len()))?;
    cx.charge_work(2 * keys_cost(other))?;
    let (mut keys, mut weight) = (map.len(), u64::from(map.weight()));
    for (key, value) in other {
        match map.get(key) {
            None => {
                keys += 1;
                weight += u64::from(value.weight());
            }
            Some(old) if replaces => {
                weight = weight.saturating_sub(old.weight().into()) + u64::from(value.weight());
            }
            Some(_) => {}
        }
    }
    check_map(cx, keys, weight, map.depth().max(other.depth()))?;
    if map.is_empty() {
        *map = other.clone();
        return Ok(());
    }
    for (key, value) in other {
        if replaces || map.get(key).is_none() {
            map.insert(key.clone(), value.clone());
        }
    }
    Ok(())
}

/// Charges the work of finding a key.
pub(super) fn charge_key(cx: &mut Cx, key: &str) -> StepResult {
    cx.charge_work(key.len() as u64 / 16)
}

#[primitives("language")]
pub mod functions {
    use super::*;

    /// Returns the number of keys of a map.
    /// ```rhai
    /// let prices = #{ rose: 2, tulip: 1 };
    /// prices.len() // is 2
    /// ```
    #[does(LANGUAGE)]
    pub fn len(map: Map) -> i64 {
        cast::<_, i64>(map.len())
    }

    /// Returns whether a map has no keys.
    /// ```rhai
    /// let prices = #{ rose: 2 };
    /// prices.is_empty() // is false
    /// ```
    #[does(LANGUAGE)]
    pub fn is_empty(map: Map) -> bool {
        map.is_empty()
    }

    /// Returns whether a map has a key.
    /// ```rhai
    /// let prices = #{ rose: 2, tulip: 1 };
    /// prices.contains("rose") // is true
    /// prices.contains("daisy") // is false
    /// ```
    #[does(LANGUAGE)]
    pub fn contains(cx: &mut Cx, map: Map, key: Text) -> StepResult<bool> {
        charge_key(cx, &key)?;
        Ok(map.get(&key).is_some())
    }

    /// Returns the value of a key of a map, or `()` if there is none.
    /// ```rhai
    /// let prices = #{ rose: 2 };
    /// prices.get("rose") // is 2
    /// prices.get("daisy") // is ()
    /// ```
    #[does(LANGUAGE)]
    pub fn get(cx: &mut Cx, map: Map, key: Text) -> StepResult<Value> {
        charge_key(cx, &key)?;
        Ok(map.get(&key).cloned().unwrap_or_default())
    }

    /// Sets the value of a key of a map.
    /// ```rhai
    /// let prices = #{ rose: 2 };
    /// prices.set("tulip", 1);
    /// prices.tulip // is 1
    /// ```
    #[does(LANGUAGE)]
    pub fn set(cx: &mut Cx, map: &mut Map, key: Text, value: Value) -> StepResult<()> {
        charge_key(cx, &key)?;
        cx.charge_work(change_cost(map.len()))?;
        let old = map.get(&key);
        let keys = map.len() + usize::from(old.is_none());
        let weight = u64::from(map.weight()) + u64::from(value.weight());
        let weight = weight.saturating_sub(old.map_or(0, |old| old.weight().into()));
        check_map(
            cx,
            keys,
            weight,
            map.depth().max(value.depth().saturating_add(1)),
        )?;
        map.insert(key, value);
        Ok(())
    }

    /// Removes a key from a map and returns its value, or `()` if there is none.
    /// ```rhai
    /// let prices = #{ rose: 2, tulip: 1 };
    /// prices.remove("rose"); // is 2
    /// prices.keys() // is [tulip]
    /// ```
    #[does(LANGUAGE)]
    pub fn remove(cx: &mut Cx, map: &mut Map, key: Text) -> StepResult<Value> {
        charge_key(cx, &key)?;
        cx.charge_work(map.len() as u64)?;
        Ok(map.remove(&key).unwrap_or_default())
    }

    /// Removes all keys from a map.
    /// ```rhai
    /// let prices = #{ rose: 2, tulip: 1 };
    /// prices.clear();
    /// prices.len() // is 0
    /// ```
    #[does(LANGUAGE)]
    pub fn clear(map: &mut Map) {
        *map = Map::default();
    }

    /// Returns the keys of a map, sorted.
    /// ```rhai
    /// let prices = #{ tulip: 1, rose: 2 };
    /// prices.keys() // is [rose, tulip]
    /// ```
    #[does(LANGUAGE)]
    pub fn keys(cx: &mut Cx, map: Map) -> StepResult<List> {
        cx.charge_work(map.len() as u64)?;
        Ok(map
            .iter()
            .map(|(key, _)| Value::Text(key.clone()))
            .collect())
    }

    /// Returns the values of a map, in the order of the sorted keys.
    /// ```rhai
    /// let prices = #{ tulip: 1, rose: 2 };
    /// prices.values() // is [2, 1]
    /// ```
    #[does(LANGUAGE)]
    pub fn values(cx: &mut Cx, map: Map) -> StepResult<List> {
        cx.charge_work(map.len() as u64)?;
        Ok(map.iter().map(|(_, value)| value.clone()).collect())
    }

    /// Adds the keys of another map. Where both have a key, the value of the other map replaces the old
    /// one.
    /// ```rhai
    /// let prices = #{ rose: 2, tulip: 1 };
    /// prices.mixin(#{ rose: 3, daisy: 0 });
    /// prices // is daisy 0, rose 3, tulip 1
    /// ```
    #[does(LANGUAGE)]
    pub fn mixin(cx: &mut Cx, map: &mut Map, other: Map) -> StepResult<()> {
        merge(cx, map, &other, true)
    }

    /// Adds the keys of another map that the map does not have yet.
    /// ```rhai
    /// let prices = #{ rose: 2, tulip: 1 };
    /// prices.fill_with(#{ rose: 3, daisy: 0 });
    /// prices // is daisy 0, rose 2, tulip 1
    /// ```
    #[does(LANGUAGE)]
    pub fn fill_with(cx: &mut Cx, map: &mut Map, other: Map) -> StepResult<()> {
        merge(cx, map, &other, false)
    }
}
