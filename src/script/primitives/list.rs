//! Lists: filters for pieces and places, and other helpers.

use kaer_macros::primitives;

use crate::content::PieceId;
use crate::game::{Cx, Entity, StepResult, names};
use crate::script::primitive::*;
use crate::value::Value;

/// Whether a field of a piece or place has a value. A missing field is equal to `()`.
fn has_value(cx: &Cx, object: Entity, field: &str, wanted: &Value) -> bool {
    let value = match object {
        Entity::Piece(piece) => match field {
            "id" => {
                return wanted
                    .text()
                    .is_some_and(|id| cx.is_named(cx.entry_of(piece), id));
            }
            _ => names::piece_field(cx, piece, field),
        },
        Entity::Place(place) => cx
            .content()
            .entry(cx.content().map.places[place.ix()].entry)
            .field(field),
        _ => None,
    };
    let Some(value) = value else {
        return *wanted == Value::Unit;
    };
    match (value, wanted) {
        (crate::content::Value::Int(n), Value::Int(m)) => n == m,
        (crate::content::Value::Bool(a), Value::Bool(b)) => a == b,
        (crate::content::Value::Text(a), Value::Text(b)) => **a == **b,
        (crate::content::Value::Entry(id), Value::Text(b)) => cx.is_named(*id, b),
        (crate::content::Value::Entry(a), Value::Entry(b)) => a == b,
        _ => false,
    }
}

fn filter(cx: &mut Cx, list: &List, keep: impl Fn(&Cx, Entity) -> bool) -> StepResult<List> {
    cx.charge_work(list.len() as u64)?;
    let kept = list
        .into_iter()
        .filter(|item| item.entity().is_some_and(|object| keep(cx, object)));
    Ok(kept.cloned().collect())
}

fn objects(cx: &Cx, zone: ZoneAt) -> List {
    super::piece::list(
        cx.state
            .zones
            .pieces(zone)
            .iter()
            .map(|piece| PieceId(*piece)),
    )
}

fn tagged(cx: &Cx, object: Entity, tag: &str) -> bool {
    super::object::entry_of(cx, object).is_some_and(|entry| {
        cx.content()
            .entry(entry)
            .tags
            .iter()
            .any(|own| **own == *tag)
    })
}

#[primitives("lists")]
pub mod functions {
    use super::*;

    /// Returns the pieces or places of a list whose field equals `value`.
    /// ```rhai
    /// actor.hand.pieces().with("colour", "red") // is [Rose]
    /// actor.hand.pieces().with("price", 0) // is [Daisy]
    /// ```
    #[name("with")]
    #[does(READS_ZONE)]
    pub fn with_value(
        cx: &mut Cx,
        list: List,
        #[names(Field)] field: Text,
        #[word] value: Value,
    ) -> StepResult<List> {
        let wanted = Value::clone(&value);
        filter(cx, &list, |cx, object| {
            has_value(cx, object, &field, &wanted)
        })
    }

    /// Returns the pieces of a zone whose field equals `value`.
    /// ```rhai
    /// table.market.with("colour", "white") // is [Lily]
    /// ```
    #[name("with")]
    #[does(READS_ZONE)]
    pub fn zone_with_value(
        cx: &mut Cx,
        zone: ZoneAt,
        #[names(Field)] field: Text,
        #[word] value: Value,
    ) -> StepResult<List> {
        let wanted = Value::clone(&value);
        let list = objects(cx, zone);
        filter(cx, &list, |cx, object| {
            has_value(cx, object, &field, &wanted)
        })
    }

    /// Returns the pieces or places of a list that have a tag.
    /// ```rhai
    /// places().tagged("open") // is [Green, Orchard]
    /// ```
    #[name("tagged")]
    #[does(READS_ZONE)]
    pub fn list_tagged(cx: &mut Cx, list: List, #[word] tag: Text) -> StepResult<List> {
        filter(cx, &list, |cx, object| tagged(cx, object, &tag))
    }

    /// Returns the pieces of a zone that have a tag.
    /// ```rhai
    /// actor.hand.tagged("spring") // is [Tulip, Daisy]
    /// ```
    #[name("tagged")]
    #[does(READS_ZONE)]
    pub fn zone_tagged(cx: &mut Cx, zone: ZoneAt, #[word] tag: Text) -> StepResult<List> {
        let list = objects(cx, zone);
        filter(cx, &list, |cx, object| tagged(cx, object, &tag))
    }

    /// Returns a list without a given seat, piece or place.
    /// ```rhai
    /// actor.hand.pieces().without(piece("rose")) // is [Tulip, Daisy]
    /// ```
    pub fn without(cx: &mut Cx, list: List, object: Entity) -> StepResult<List> {
        filter(cx, &list, |_, other| other != object)
    }

    /// Returns a list in random order.
    /// ```rhai
    /// let order = seats().shuffled();
    /// order.len() // is 2
    /// order.contains(actor) // is true
    /// ```
    #[does(CHANCE)]
    pub fn shuffled(cx: &mut Cx, list: List) -> StepResult<List> {
        cx.require_write_access("shuffling")?;
        cx.charge_work(list.len() as u64)?;
        let mut list = list.into_items();
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
        Ok(List::new(list))
    }

    /// Returns a list in an entry as a list that scripts can change.
    /// ```rhai
    /// let levels = piece("pedlar").levels.to_list();
    /// levels.pop();
    /// levels.len() // is 1
    /// ```
    pub fn to_list(cx: &mut Cx, data: Data) -> StepResult<List> {
        cx.charge_work(data.0.list().len() as u64)?;
        Ok(data.0.list().iter().map(Value::clone).collect())
    }

    /// Returns the smaller of two numbers.
    /// ```rhai
    /// // Five coins, or all if there are fewer.
    /// actor.lose("coins", min(actor.coins, 5)); // is 3
    /// ```
    pub fn min(left: i64, right: i64) -> i64 {
        left.min(right)
    }

    /// Returns the larger of two numbers.
    /// ```rhai
    /// max(actor.water, 3) // is 3
    /// max(-1, 0) // is 0
    /// ```
    pub fn max(left: i64, right: i64) -> i64 {
        left.max(right)
    }
}
