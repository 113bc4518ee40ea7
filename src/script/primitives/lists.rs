//! Lists: the language functions. A negative position counts from the end, and -1 is the
//! last item.

use kaer_macros::primitives;

use crate::number::cast;
use crate::script::operators::{
    change_cost, check_list, check_text, compare, display, equals, text_cost,
};
use crate::script::primitive::*;

/// The index that a position refers to: not before the first item, and not past the end.
pub(super) fn index(length: usize, position: i64) -> usize {
    let distance = usize::try_from(position.unsigned_abs()).unwrap_or(usize::MAX);
    if position < 0 {
        length.saturating_sub(distance)
    } else {
        distance.min(length)
    }
}

/// The first index and the number of items from a position on, limited to those that exist.
pub(super) fn span(length: usize, start: i64, len: i64) -> (usize, usize) {
    let first = index(length, start);
    let len = usize::try_from(len.max(0)).unwrap_or(usize::MAX);
    (first, len.min(length - first))
}

/// Refuses to add values with a total weight and a maximum depth to a list that has no room for
/// them.
fn check_capacity(cx: &Cx, list: &List, weight: u64, depth: u8) -> StepResult {
    check_list(
        cx,
        u64::from(list.weight()) + weight,
        list.depth().max(depth.saturating_add(1)),
    )
}

/// Charges the work of going through a list.
fn charge_items(cx: &mut Cx, list: &List) -> StepResult {
    cx.charge_work(list.len() as u64)
}

/// The index of the first item that is equal to a value, from an index on.
fn find(cx: &mut Cx, list: &List, value: &Value, from: usize) -> StepResult<Option<usize>> {
    cx.charge_work(list.weight().into())?;
    let mut rest = list.iter().enumerate().skip(from);
    Ok(rest.find_map(|(ix, item)| equals(cx, item, value).then_some(ix)))
}

fn sort_list(cx: &mut Cx, list: &mut List, descending: bool) -> StepResult {
    let Some((first, rest)) = list.split_first() else {
        return Ok(());
    };
    if rest.iter().any(|item| compare(first, item).is_none()) {
        return Err(cx.fault(
            "cannot sort this list: its items must be all numbers, all strings or all booleans",
        ));
    }
    let items = list.len() as u64;
    let bytes: usize = list.iter().filter_map(Value::text).map(str::len).sum();
    cx.charge_work((items + bytes as u64 / 64) * u64::from(items.ilog2() + 1))?;
    list.change(|items| {
        items.sort_by(|left, right| {
            let order = compare(left, right).unwrap_or(std::cmp::Ordering::Equal);
            if descending { order.reverse() } else { order }
        });
    });
    Ok(())
}

#[primitives("language")]
pub mod functions {
    use super::*;

    /// Returns the number of items in a list.
    /// ```rhai
    /// seats().len() // is 2
    /// ```
    #[does(LANGUAGE)]
    pub fn len(list: List) -> i64 {
        cast::<_, i64>(list.len())
    }

    /// Returns the items of a list as one text, with a separator between them.
    /// ```rhai
    /// actor.hand.pieces().join(", ") // is Rose, Tulip, Daisy
    /// ```
    #[does(LANGUAGE)]
    pub fn join(cx: &mut Cx, list: List, separator: Text) -> StepResult<Text> {
        charge_items(cx, &list)?;
        let mut joined = String::new();
        for (position, item) in list.iter().enumerate() {
            if position > 0 {
                joined.push_str(&separator);
            }
            joined.push_str(&display(cx, item)?);
            check_text(cx, joined.len())?;
        }
        cx.charge_work(text_cost(joined.len()))?;
        Ok(joined.into())
    }

    /// Returns whether a list has no items.
    /// ```rhai
    /// actor.hand.pieces().is_empty() // is false
    /// ```
    #[does(LANGUAGE)]
    pub fn is_empty(list: List) -> bool {
        list.is_empty()
    }

    /// Returns the item at a position, or `()` past the end. Positions start at 0; -1 is the last item.
    /// ```rhai
    /// let flowers = ["rose", "tulip", "daisy"];
    /// flowers.get(0) // is rose
    /// flowers.get(-1) // is daisy
    /// flowers.get(3) // is ()
    /// ```
    #[does(LANGUAGE)]
    pub fn get(list: List, position: i64) -> Value {
        list.get(index(list.len(), position))
            .cloned()
            .unwrap_or_default()
    }

    /// Replaces the item at a position. Does nothing past the end.
    /// ```rhai
    /// let flowers = ["rose", "tulip", "daisy"];
    /// flowers.set(1, "lily");
    /// flowers // is [rose, lily, daisy]
    /// ```
    #[does(LANGUAGE)]
    pub fn set(cx: &mut Cx, list: &mut List, position: i64, value: Value) -> StepResult<()> {
        let at = index(list.len(), position);
        let Some(old) = list.get(at) else {
            return Ok(());
        };
        let weight = u64::from(list.weight()) + u64::from(value.weight());
        check_list(
            cx,
            weight.saturating_sub(old.weight().into()),
            list.depth().max(value.depth().saturating_add(1)),
        )?;
        cx.charge_work(change_cost(list.len()))?;
        list.set(at, value);
        Ok(())
    }

    /// Adds an item at the end of a list.
    /// ```rhai
    /// let flowers = ["rose"];
    /// flowers.push("lily");
    /// flowers // is [rose, lily]
    /// ```
    #[does(LANGUAGE)]
    pub fn push(cx: &mut Cx, list: &mut List, item: Value) -> StepResult<()> {
        check_capacity(cx, list, item.weight().into(), item.depth())?;
        cx.charge_work(change_cost(list.len()))?;
        list.push(item);
        Ok(())
    }

    /// Adds the items of another list at the end of a list.
    /// ```rhai
    /// let flowers = ["rose"];
    /// flowers.append(["lily", "daisy"]);
    /// flowers // is [rose, lily, daisy]
    /// ```
    #[does(LANGUAGE)]
    pub fn append(cx: &mut Cx, list: &mut List, other: List) -> StepResult<()> {
        let depth = other.depth().saturating_sub(1);
        check_capacity(cx, list, u64::from(other.weight()).saturating_sub(1), depth)?;
        cx.charge_work(other.len() as u64 + change_cost(list.len()))?;
        if list.is_empty() {
            *list = other;
        } else {
            for item in other.into_items() {
                list.push(item);
            }
        }
        Ok(())
    }

    /// Inserts an item before a position, or at the end if the position is past it.
    /// ```rhai
    /// let flowers = ["rose", "daisy"];
    /// flowers.insert(1, "lily");
    /// flowers // is [rose, lily, daisy]
    /// ```
    #[does(LANGUAGE)]
    pub fn insert(cx: &mut Cx, list: &mut List, position: i64, item: Value) -> StepResult<()> {
        check_capacity(cx, list, item.weight().into(), item.depth())?;
        charge_items(cx, list)?;
        let at = index(list.len(), position);
        list.change(|items| items.insert(at, item));
        Ok(())
    }

    /// Adds copies of an item until a list has `len` items.
    /// ```rhai
    /// let prices = [3, 2];
    /// prices.pad(4, 1);
    /// prices // is [3, 2, 1, 1]
    /// ```
    #[does(LANGUAGE)]
    pub fn pad(cx: &mut Cx, list: &mut List, len: i64, item: Value) -> StepResult<()> {
        let missing = u64::try_from(len).unwrap_or(0);
        let missing = missing.saturating_sub(list.len() as u64);
        if missing == 0 {
            return Ok(());
        }
        // The limit is far below this one, so that the sum cannot overflow.
        let weight = missing.saturating_mul(item.weight().into());
        check_capacity(cx, list, weight.min(u32::MAX.into()), item.depth())?;
        cx.charge_work(missing + change_cost(list.len()))?;
        for _ in 0..missing {
            list.push(item.clone());
        }
        Ok(())
    }

    /// Removes the last item of a list and returns it, or `()` if the list is empty.
    /// ```rhai
    /// let flowers = ["rose", "tulip"];
    /// flowers.pop(); // is tulip
    /// flowers // is [rose]
    /// ```
    #[does(LANGUAGE)]
    pub fn pop(cx: &mut Cx, list: &mut List) -> StepResult<Value> {
        if list.is_empty() {
            return Ok(Value::Unit);
        }
        cx.charge_work(change_cost(list.len()))?;
        Ok(list.pop().unwrap_or_default())
    }

    /// Removes the first item of a list and returns it, or `()` if the list is empty.
    /// ```rhai
    /// let flowers = ["rose", "tulip"];
    /// flowers.shift(); // is rose
    /// flowers // is [tulip]
    /// ```
    #[does(LANGUAGE)]
    pub fn shift(cx: &mut Cx, list: &mut List) -> StepResult<Value> {
        if list.is_empty() {
            return Ok(Value::Unit);
        }
        charge_items(cx, list)?;
        Ok(list.change(|items| items.remove(0)))
    }

    /// Removes the item at a position and returns it, or `()` if there is none.
    /// ```rhai
    /// let flowers = ["rose", "tulip", "daisy"];
    /// flowers.remove(1); // is tulip
    /// flowers // is [rose, daisy]
    /// ```
    #[does(LANGUAGE)]
    pub fn remove(cx: &mut Cx, list: &mut List, position: i64) -> StepResult<Value> {
        let at = index(list.len(), position);
        let is_before = position < 0 && position.unsigned_abs() > list.len() as u64;
        if is_before || at >= list.len() {
            return Ok(Value::Unit);
        }
        charge_items(cx, list)?;
        Ok(list.change(|items| items.remove(at)))
    }

    /// Removes all items of a list.
    /// ```rhai
    /// let flowers = ["rose", "tulip"];
    /// flowers.clear();
    /// flowers.len() // is 0
    /// ```
    #[does(LANGUAGE)]
    pub fn clear(list: &mut List) {
        *list = List::default();
    }

    /// Shortens a list to its first items.
    /// ```rhai
    /// let flowers = ["rose", "tulip", "daisy"];
    /// flowers.truncate(2);
    /// flowers // is [rose, tulip]
    /// ```
    #[does(LANGUAGE)]
    pub fn truncate(cx: &mut Cx, list: &mut List, len: i64) -> StepResult<()> {
        let len = index(list.len(), len.max(0));
        if len < list.len() {
            charge_items(cx, list)?;
            list.change(|items| items.truncate(len));
        }
        Ok(())
    }

    /// Shortens a list to its last `len` items.
    /// ```rhai
    /// let flowers = ["rose", "tulip", "daisy"];
    /// flowers.chop(2);
    /// flowers // is [tulip, daisy]
    /// ```
    #[does(LANGUAGE)]
    pub fn chop(cx: &mut Cx, list: &mut List, len: i64) -> StepResult<()> {
        let len = index(list.len(), len.max(0));
        if len < list.len() {
            charge_items(cx, list)?;
            list.change(|items| {
                items.drain(..items.len() - len);
            });
        }
        Ok(())
    }

    /// Reverses the order of a list.
    /// ```rhai
    /// let flowers = ["rose", "tulip", "daisy"];
    /// flowers.reverse();
    /// flowers // is [daisy, tulip, rose]
    /// ```
    #[does(LANGUAGE)]
    pub fn reverse(cx: &mut Cx, list: &mut List) -> StepResult<()> {
        charge_items(cx, list)?;
        list.change(|items| items.reverse());
        Ok(())
    }

    /// Replaces `len` items, from a position on, with the items of another list.
    /// ```rhai
    /// let flowers = ["rose", "tulip", "daisy"];
    /// flowers.splice(1, 1, ["lily", "thistle"]);
    /// flowers // is [rose, lily, thistle, daisy]
    /// ```
    #[does(LANGUAGE)]
    pub fn splice(
        cx: &mut Cx,
        list: &mut List,
        start: i64,
        len: i64,
        replacement: List,
    ) -> StepResult<()> {
        let (start, len) = span(list.len(), start, len);
        let replaced = list.iter().skip(start).take(len);
        let replaced: u64 = replaced.map(|item| u64::from(item.weight())).sum();
        let weight = u64::from(list.weight()) + u64::from(replacement.weight());
        check_list(
            cx,
            weight.saturating_sub(replaced).saturating_sub(1),
            list.depth().max(replacement.depth()),
        )?;
        cx.charge_work((list.len() + replacement.len()) as u64)?;
        list.change(|items| {
            items.splice(start..start + len, replacement.into_items());
        });
        Ok(())
    }

    /// Returns a copy of the items from a position on.
    /// ```rhai
    /// let flowers = ["rose", "tulip", "daisy"];
    /// flowers.extract(1) // is [tulip, daisy]
    /// ```
    #[name("extract")]
    #[does(LANGUAGE)]
    pub fn extract_from(cx: &mut Cx, list: List, start: i64) -> StepResult<List> {
        extract(cx, list, start, i64::MAX)
    }

    /// Returns a copy of up to `len` items from a position on.
    /// ```rhai
    /// let flowers = ["rose", "tulip", "daisy"];
    /// flowers.extract(0, 2) // is [rose, tulip]
    /// flowers.extract(-2, 1) // is [tulip]
    /// ```
    #[does(LANGUAGE)]
    pub fn extract(cx: &mut Cx, list: List, start: i64, len: i64) -> StepResult<List> {
        let (start, len) = span(list.len(), start, len);
        cx.charge_work(len as u64)?;
        Ok(list.iter().skip(start).take(len).cloned().collect())
    }

    /// Removes the items from a position on and returns them.
    /// ```rhai
    /// let flowers = ["rose", "tulip", "daisy"];
    /// flowers.split(1) // is [tulip, daisy]
    /// flowers // is [rose]
    /// ```
    #[does(LANGUAGE)]
    pub fn split(cx: &mut Cx, list: &mut List, position: i64) -> StepResult<List> {
        let at = index(list.len(), position);
        if at >= list.len() {
            return Ok(List::default());
        }
        charge_items(cx, list)?;
        Ok(List::new(list.change(|items| items.split_off(at))))
    }

    /// Returns whether a list contains a value.
    /// ```rhai
    /// actor.place.neighbours().contains(place("mill")) // is true
    /// ["rose", "tulip"].contains("daisy") // is false
    /// ```
    #[does(LANGUAGE)]
    pub fn contains(cx: &mut Cx, list: List, value: Value) -> StepResult<bool> {
        Ok(find(cx, &list, &value, 0)?.is_some())
    }

    /// Returns the position of the first item that is equal to a value, or -1 if there is none.
    /// ```rhai
    /// let flowers = ["rose", "tulip", "daisy"];
    /// flowers.index_of("tulip") // is 1
    /// flowers.index_of("lily") // is -1
    /// ```
    #[does(LANGUAGE)]
    pub fn index_of(cx: &mut Cx, list: List, value: Value) -> StepResult<i64> {
        index_of_from(cx, list, value, 0)
    }

    /// Returns the position of the first item, from a position on, that is equal to a value, or -1 if
    /// there is none.
    /// ```rhai
    /// let flowers = ["rose", "tulip", "rose"];
    /// flowers.index_of("rose", 1) // is 2
    /// ```
    #[name("index_of")]
    #[does(LANGUAGE)]
    pub fn index_of_from(cx: &mut Cx, list: List, value: Value, start: i64) -> StepResult<i64> {
        let from = index(list.len(), start);
        Ok(find(cx, &list, &value, from)?.map_or(-1, cast::<_, i64>))
    }

    /// Removes each item that is equal to the one before it.
    /// ```rhai
    /// let flowers = ["rose", "rose", "tulip", "rose"];
    /// flowers.dedup();
    /// flowers // is [rose, tulip, rose]
    /// ```
    #[does(LANGUAGE)]
    pub fn dedup(cx: &mut Cx, list: &mut List) -> StepResult<()> {
        cx.charge_work(list.weight().into())?;
        list.change(|items| items.dedup_by(|item, before| equals(cx, before, item)));
        Ok(())
    }

    /// Sorts a list of numbers, strings or booleans.
    /// ```rhai
    /// let prices = [3, 1, 2];
    /// prices.sort();
    /// prices // is [1, 2, 3]
    /// ```
    #[does(LANGUAGE)]
    pub fn sort(cx: &mut Cx, list: &mut List) -> StepResult<()> {
        sort_list(cx, list, false)
    }

    /// Sorts a list of numbers, strings or booleans in descending order.
    /// ```rhai
    /// let prices = [3, 1, 2];
    /// prices.sort_desc();
    /// prices // is [3, 2, 1]
    /// ```
    #[does(LANGUAGE)]
    pub fn sort_desc(cx: &mut Cx, list: &mut List) -> StepResult<()> {
        sort_list(cx, list, true)
    }

    /// Returns a sorted copy of a list of numbers, strings or booleans.
    /// ```rhai
    /// let flowers = ["tulip", "rose"];
    /// flowers.order() // is [rose, tulip]
    /// flowers // is [tulip, rose]
    /// ```
    #[does(LANGUAGE)]
    pub fn order(cx: &mut Cx, list: List) -> StepResult<List> {
        let mut list = list;
        sort_list(cx, &mut list, false)?;
        Ok(list)
    }

    /// Returns a copy of a list of numbers, strings or booleans, sorted in descending order.
    /// ```rhai
    /// let prices = [1, 3, 2];
    /// prices.order_desc() // is [3, 2, 1]
    /// ```
    #[does(LANGUAGE)]
    pub fn order_desc(cx: &mut Cx, list: List) -> StepResult<List> {
        let mut list = list;
        sort_list(cx, &mut list, true)?;
        Ok(list)
    }

    /// Removes up to `len` items from a position on, and returns them.
    /// ```rhai
    /// let flowers = ["rose", "tulip", "daisy"];
    /// flowers.drain(0, 2) // is [rose, tulip]
    /// flowers // is [daisy]
    /// ```
    #[does(LANGUAGE)]
    pub fn drain(cx: &mut Cx, list: &mut List, start: i64, len: i64) -> StepResult<List> {
        let (start, len) = span(list.len(), start, len);
        if len == 0 {
            return Ok(List::default());
        }
        charge_items(cx, list)?;
        Ok(list.change(|items| items.drain(start..start + len).collect()))
    }

    /// Removes all items except up to `len` of them from a position on, and returns what it removed. If
    /// none would be left, it does nothing.
    /// ```rhai
    /// let flowers = ["rose", "tulip", "daisy"];
    /// flowers.retain(1, 1) // is [rose, daisy]
    /// flowers // is [tulip]
    /// ```
    #[does(LANGUAGE)]
    pub fn retain(cx: &mut Cx, list: &mut List, start: i64, len: i64) -> StepResult<List> {
        let (start, len) = span(list.len(), start, len);
        if len == 0 {
            return Ok(List::default());
        }
        charge_items(cx, list)?;
        Ok(list.change(|items| {
            let mut removed: Vec<Value> = items.drain(..start).collect();
            removed.extend(items.drain(len..));
            List::new(removed)
        }))
    }
}
