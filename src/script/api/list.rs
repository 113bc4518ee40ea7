//! Lists: filters for pieces and places, and other helpers.

use rhai::plugin::*;
use rhai::{Array, Dynamic, ImmutableString};

use super::super::convert::to_val;
use super::super::host::{HostResult, with};
use super::super::types::{EntityRef, TableRef, ZoneRef};
use crate::content::PieceId;
use crate::game::{Cx, Entity, StepResult, Val, names};

/// Whether a field of a piece or place has a value. A missing field is equal to `()`.
fn has_value(cx: &Cx, thing: Entity, field: &str, wanted: &Val) -> bool {
    let value = match thing {
        Entity::Piece(piece) => match field {
            "id" => return wanted.text() == Some(&cx.content().entry(cx.entry_of(piece)).id),
            _ => names::piece_field(cx, piece, field),
        },
        Entity::Place(place) => cx
            .content()
            .entry(cx.content().map.places[place.ix()].entry)
            .field(field),
        _ => None,
    };
    let Some(value) = value else {
        return *wanted == Val::Unit;
    };
    match (value, wanted) {
        (crate::content::Value::Int(n), Val::Int(m)) => n == m,
        (crate::content::Value::Bool(a), Val::Bool(b)) => a == b,
        (crate::content::Value::Text(a), Val::Text(b)) => **a == **b,
        (crate::content::Value::Entry(id), Val::Text(b)) => *cx.content().entry(*id).id == **b,
        (crate::content::Value::Entry(a), Val::Entry(b)) => a == b,
        _ => false,
    }
}

fn filter(cx: &mut Cx, list: Array, keep: impl Fn(&Cx, Entity) -> bool) -> StepResult<Array> {
    cx.spend(list.len() as u64)?;
    let kept = list.into_iter().filter(|item| {
        item.read_lock::<EntityRef>()
            .is_some_and(|thing| keep(cx, thing.0))
    });
    Ok(kept.collect())
}

fn things(cx: &Cx, zone: ZoneRef) -> Array {
    super::piece::list(
        cx.state
            .zones
            .pieces(zone.0)
            .iter()
            .map(|piece| PieceId(*piece)),
    )
}

fn tagged(cx: &Cx, thing: Entity, tag: &str) -> bool {
    super::thing::entry_of(cx, thing).is_some_and(|entry| {
        cx.content()
            .entry(entry)
            .tags
            .iter()
            .any(|own| **own == *tag)
    })
}

#[export_module]
pub mod words {
    /// Returns the pieces or places of a list whose field has a value.
    /// ```rhai
    /// actor.hand.pieces().with("colour", "red") // is [Rose]
    /// actor.hand.pieces().with("price", 0) // is [Daisy]
    /// ```
    #[rhai_fn(name = "with", return_raw)]
    pub fn with_value(list: Array, field: ImmutableString, value: Dynamic) -> HostResult<Array> {
        let wanted = to_val(&value);
        with(|cx| filter(cx, list, |cx, thing| has_value(cx, thing, &field, &wanted)))
    }

    /// Returns the pieces of a zone whose field has a value.
    /// ```rhai
    /// table.market.with("colour", "white") // is [Lily]
    /// ```
    #[rhai_fn(name = "with", return_raw)]
    pub fn zone_with_value(
        zone: ZoneRef,
        field: ImmutableString,
        value: Dynamic,
    ) -> HostResult<Array> {
        let wanted = to_val(&value);
        with(|cx| {
            let list = things(cx, zone);
            filter(cx, list, |cx, thing| has_value(cx, thing, &field, &wanted))
        })
    }

    /// Returns the pieces or places of a list that have a tag.
    /// ```rhai
    /// places().tagged("open") // is [Green, Orchard]
    /// ```
    #[rhai_fn(name = "tagged", return_raw)]
    pub fn list_tagged(list: Array, tag: ImmutableString) -> HostResult<Array> {
        with(|cx| filter(cx, list, |cx, thing| tagged(cx, thing, &tag)))
    }

    /// Returns the pieces of a zone that have a tag.
    /// ```rhai
    /// actor.hand.tagged("spring") // is [Tulip, Daisy]
    /// ```
    #[rhai_fn(name = "tagged", return_raw)]
    pub fn zone_tagged(zone: ZoneRef, tag: ImmutableString) -> HostResult<Array> {
        with(|cx| {
            let list = things(cx, zone);
            filter(cx, list, |cx, thing| tagged(cx, thing, &tag))
        })
    }

    /// Returns a list without a given seat, piece or place.
    /// ```rhai
    /// actor.hand.pieces().without(piece("rose")) // is [Tulip, Daisy]
    /// ```
    #[rhai_fn(name = "without", return_raw)]
    pub fn without(list: Array, thing: EntityRef) -> HostResult<Array> {
        with(|cx| filter(cx, list, |_, other| other != thing.0))
    }

    /// Returns whether a list contains a seat, piece or place.
    /// ```rhai
    /// actor.place.neighbours().contains(place("mill")) // is true
    /// ```
    #[rhai_fn(name = "contains")]
    pub fn list_contains(list: &mut Array, thing: EntityRef) -> bool {
        list.iter().any(|item| {
            item.read_lock::<EntityRef>()
                .is_some_and(|other| *other == thing)
        })
    }

    /// Returns a list in random order.
    /// ```rhai
    /// let order = seats().shuffled();
    /// order.len() // is 2
    /// order.contains(actor) // is true
    /// ```
    #[rhai_fn(name = "shuffled", return_raw)]
    pub fn shuffled(list: Array) -> HostResult<Array> {
        with(|cx| {
            cx.require_write_access("shuffling")?;
            cx.spend(list.len() as u64)?;
            let mut list = list;
            let name = cx
                .cause()
                .hook
                .map_or("list".to_owned(), |hook| cx.content().hook_name(hook));
            for ix in (1..list.len()).rev() {
                let below = u32::try_from(ix + 1).unwrap_or(1);
                let other = crate::game::chance::draw(
                    cx,
                    &name,
                    crate::game::chance::ChanceRequest::Number(below),
                );
                list.swap(ix, other as usize);
            }
            Ok(list)
        })
    }

    /// Returns a list in an entry as a list that scripts can change.
    /// ```rhai
    /// let levels = piece("pedlar").levels.to_list();
    /// levels.pop();
    /// levels.len() // is 1
    /// ```
    #[rhai_fn(name = "to_list")]
    pub fn to_list(data: TableRef) -> Array {
        data.0
            .list()
            .iter()
            .map(super::super::super::convert::from_value)
            .collect()
    }

    /// Returns the smaller of two numbers.
    /// ```rhai
    /// // At most what is there.
    /// actor.lose("coins", min(actor.coins, 5)); // is 3
    /// ```
    #[rhai_fn(name = "min")]
    pub fn min(one: i64, other: i64) -> i64 {
        one.min(other)
    }

    /// Returns the larger of two numbers.
    /// ```rhai
    /// max(actor.water, 3) // is 3
    /// max(-1, 0) // is 0
    /// ```
    #[rhai_fn(name = "max")]
    pub fn max(one: i64, other: i64) -> i64 {
        one.max(other)
    }
}
