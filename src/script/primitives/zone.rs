//! Zones: ordered lists of pieces; the first is the top.

use kaer_macros::primitives;

use crate::number::cast;
use crate::script::primitive::*;

use super::entry::entry_id;
use super::piece::{ids, list};
use crate::content::{EntryDef, EntryId, PieceId};
use crate::game::moves;
use crate::game::zones::ZoneAt;
use crate::game::{Cx, Entity, StepResult, names};
use crate::value::Value;

fn pieces_in(cx: &Cx, zone: ZoneAt) -> Vec<PieceId> {
    cx.state
        .zones
        .pieces(zone)
        .iter()
        .map(|piece| PieceId(*piece))
        .collect()
}

/// Charges the work of looking for something in a zone.
fn charge_search(cx: &mut Cx, zone: ZoneAt) -> StepResult {
    let pieces = cx.state.zones.count(zone) as u64;
    cx.charge_work(pieces / 8)
}

fn size(value: i64) -> usize {
    usize::try_from(value).unwrap_or(0)
}

fn object(piece: Option<PieceId>) -> Value {
    piece.map_or(Value::Unit, |piece| Value::Entity(Entity::Piece(piece)))
}

/// Reads one row of a layout: a zone and the ids of entries.
fn parse_row(cx: &Cx, row: &Value) -> StepResult<(ZoneAt, Vec<EntryId>)> {
    let [Value::Zone(zone), Value::List(ids)] = row.list() else {
        return Err(cx.fault("each row of `lay_out` must be `[zone, [ids]]`"));
    };
    let entry = |id: &Value| {
        let id = id.text().map(std::string::ToString::to_string);
        entry_id(cx, &id.unwrap_or_default())
    };
    Ok((*zone, ids.iter().map(entry).collect::<StepResult<_>>()?))
}

/// The number in a value, or the sum of a key over a list of tables.
fn sum_of(value: &Value, name: &str) -> i64 {
    match value {
        Value::Rows(list) => list
            .iter()
            .map(|value| sum_of(value, name))
            .fold(0, i64::saturating_add),
        Value::Table(_) => value.get(name).and_then(Value::int).unwrap_or(0),
        other => other.int().unwrap_or(0),
    }
}

#[primitives("zones")]
pub mod functions {
    use super::*;

    /// Returns the number of pieces in a zone.
    /// ```rhai
    /// actor.hand.len() // is 3
    /// actor.hand.len() // is 3
    /// ```
    #[name("len")]
    pub fn zone_len(cx: &mut Cx, zone: ZoneAt) -> StepResult<i64> {
        let at = zone;
        Ok(cast::<_, i64>(cx.state.zones.count(at)))
    }

    /// Returns the sum of a field over the pieces of a zone; `field.key` sums a key over the tables of a
    /// list.
    /// ```rhai
    /// // 2, 1 and 1; and what the links add.
    /// actor.hand.sum("petals") // is 4
    /// actor.hand.sum("links.petals") // is 1
    /// ```
    #[name("sum")]
    #[does(READS_ZONE)]
    pub fn zone_sum(cx: &mut Cx, zone: ZoneAt, #[names(Field)] field: Text) -> StepResult<i64> {
        let pieces = cx.state.zones.count(zone) as u64;
        cx.charge_work(pieces)?;
        let content = cx.content();
        let of_entry = |(first, rest): (&str, &str), entry: &EntryDef| {
            entry.field(first).map_or(0, |value| sum_of(value, rest))
        };
        let path = || field.split_once('.').unwrap_or((&field, ""));
        let numbers = cx.rules.derived.numbers(&field, || {
            let entries = content.entries.iter();
            entries.map(|entry| of_entry(path(), entry)).collect()
        });
        let number = |piece: &u16| {
            let shown = &cx.state.pieces[usize::from(*piece)];
            if let (Some(numbers), 0) = (&numbers, shown.face) {
                return numbers[shown.entry.ix()];
            }
            let (first, rest) = path();
            let value = names::piece_field(cx, PieceId(*piece), first);
            value.map_or(0, |value| sum_of(value, rest))
        };
        let pieces = cx.state.zones.pieces(zone).iter();
        Ok(pieces.map(number).fold(0, i64::saturating_add))
    }

    /// Returns whether a zone is empty.
    /// ```rhai
    /// actor.bed.is_empty() // is true
    /// actor.hand.is_empty() // is false
    /// ```
    #[name("is_empty")]
    pub fn zone_is_empty(cx: &mut Cx, zone: ZoneAt) -> StepResult<bool> {
        let at = zone;
        Ok(cx.state.zones.count(at) == 0)
    }

    /// Returns the pieces of a zone, the top one first.
    /// ```rhai
    /// actor.hand.pieces() // is [Rose, Tulip, Daisy]
    /// ```
    #[does(READS_ZONE)]
    pub fn pieces(cx: &mut Cx, zone: ZoneAt) -> StepResult<List> {
        let all = cx.state.zones.count(zone) as u64;
        cx.charge_work(all)?;
        Ok(list(pieces_in(cx, zone)))
    }

    /// Returns the top piece, or `()` if the zone is empty.
    /// ```rhai
    /// actor.hand.top() // is Rose
    /// actor.bed.top() // is ()
    /// ```
    #[does(READS_ZONE)]
    pub fn top(cx: &mut Cx, zone: ZoneAt) -> StepResult<Value> {
        Ok(object(cx.state.zones.top(zone)))
    }

    /// Returns up to `count` pieces from the top.
    /// ```rhai
    /// actor.deck.top(2) // is [Daisy, Thistle]
    /// actor.deck.top(9).len() // is 4
    /// ```
    #[name("top")]
    #[does(READS_ZONE)]
    pub fn top_some(cx: &mut Cx, zone: ZoneAt, count: i64) -> StepResult<List> {
        let count = size(count).min(cx.state.zones.count(zone));
        cx.charge_work(count as u64)?;
        let pieces = cx.state.zones.pieces(zone).iter().take(count);
        Ok(list(pieces.map(|piece| PieceId(*piece))))
    }

    /// Returns the bottom piece, or `()` if the zone is empty.
    /// ```rhai
    /// actor.hand.bottom() // is Daisy
    /// ```
    #[does(READS_ZONE)]
    pub fn bottom(cx: &mut Cx, zone: ZoneAt) -> StepResult<Value> {
        let last = cx.state.zones.pieces(zone).last();
        Ok(object(last.map(|piece| PieceId(*piece))))
    }

    /// Returns the piece at a position, counted from 0, or `()`.
    /// ```rhai
    /// table.market[1] // is Tulip
    /// table.market[9] // is ()
    /// ```
    #[name("[]")]
    pub fn at(cx: &mut Cx, zone: ZoneAt, position: i64) -> StepResult<Value> {
        let at = usize::try_from(position).ok();
        let found = at.and_then(|at| cx.state.zones.pieces(zone).get(at));
        Ok(object(found.map(|piece| PieceId(*piece))))
    }

    /// Returns the position of a piece in its zone, counted from 0.
    /// ```rhai
    /// piece("daisy").position() // is 2
    /// ```
    pub fn position(cx: &mut Cx, piece: Entity) -> StepResult<i64> {
        let piece = super::super::piece::piece_id(cx, piece)?;
        charge_search(cx, cx.state.zones.zone_of(piece))?;
        Ok(cast::<_, i64>(cx.state.zones.position(piece)))
    }

    /// Shuffles a zone: only seats that can see into it still know which piece is where.
    /// ```rhai
    /// let top = actor.deck.top();
    /// actor.look([top]);
    /// actor.deck.shuffle();
    /// actor.knows(top) // is false
    /// ```
    #[does(CHANGES, CHANCE)]
    pub fn shuffle(cx: &mut Cx, zone: ZoneAt) -> StepResult<()> {
        moves::shuffle(cx, zone)
    }

    /// Returns up to `count` random pieces of a zone; they stay in the zone.
    /// ```rhai
    /// let picked = table.market.random(2);
    /// picked.len() // is 2
    /// table.market.contains(picked[0]) // is true
    /// ```
    #[does(CHANCE)]
    pub fn random(cx: &mut Cx, zone: ZoneAt, count: i64) -> StepResult<List> {
        charge_search(cx, zone)?;
        let stream = moves::stream(cx, "random", zone);
        let all = pieces_in(cx, zone);
        Ok(list(moves::random(cx, &stream, &all, size(count))?))
    }

    /// Returns up to `count` random pieces of a list.
    /// ```rhai
    /// let spring = actor.hand.tagged("spring").random(1);
    /// spring[0].has_tag("spring") // is true
    /// ```
    #[name("random")]
    #[does(CHANCE)]
    pub fn random_of(cx: &mut Cx, pieces: List, count: i64) -> StepResult<List> {
        let all = ids(cx, &pieces)?;
        Ok(list(moves::random(cx, "random list", &all, size(count))?))
    }

    /// Returns the first piece of a zone that is a copy of an entry, or `()`.
    /// ```rhai
    /// table.market.find("lily").price // is 3
    /// table.market.find("rose") // is ()
    /// ```
    #[does(READS_ZONE)]
    pub fn find(cx: &mut Cx, zone: ZoneAt, #[names(Entry)] id: Text) -> StepResult<Value> {
        let entry = entry_id(cx, &id)?;
        charge_search(cx, zone)?;
        Ok(object(
            pieces_in(cx, zone)
                .into_iter()
                .find(|piece| cx.entry_of(*piece) == entry),
        ))
    }

    /// Returns whether a zone contains a copy of an entry.
    /// ```rhai
    /// actor.hand.has("rose") // is true
    /// actor.hand.has("lily") // is false
    /// ```
    #[does(READS_ZONE)]
    pub fn has(cx: &mut Cx, zone: ZoneAt, #[names(Entry)] id: Text) -> StepResult<bool> {
        let entry = entry_id(cx, &id)?;
        charge_search(cx, zone)?;
        Ok(pieces_in(cx, zone)
            .into_iter()
            .any(|piece| cx.entry_of(piece) == entry))
    }

    /// Returns whether a zone contains a piece.
    /// ```rhai
    /// actor.hand.contains(piece("rose")) // is true
    /// seat(2).hand.contains(piece("rose")) // is false
    /// ```
    #[does(READS_ZONE)]
    pub fn contains(cx: &mut Cx, zone: ZoneAt, piece: Entity) -> StepResult<bool> {
        let piece = super::super::piece::piece_id(cx, piece)?;
        Ok(cx.state.zones.zone_of(piece) == zone)
    }

    /// Returns how many more pieces fit into a zone.
    /// ```rhai
    /// // A hand takes 5 and holds 3.
    /// actor.hand.room() // is 2
    /// ```
    pub fn room(cx: &mut Cx, zone: ZoneAt) -> StepResult<i64> {
        Ok(cast::<_, i64>(moves::free_space(cx, zone)?.min(1_000_000)))
    }

    /// Refills a zone now from its `refills_from` zone.
    /// ```rhai
    /// actor.deck.pieces().move_to(actor.compost);
    /// actor.deck.refill();
    /// actor.deck.len() // is 4
    /// actor.compost.len() // is 0
    /// ```
    #[does(CHANGES)]
    pub fn refill(cx: &mut Cx, zone: ZoneAt) -> StepResult<()> {
        moves::refill(cx, zone)
    }

    /// Replaces the pieces of zones. Their pieces go to the box; then copies of the entries are put into
    /// each zone, the first on top: from the box, else from other zones of the same owner, else new ones.
    /// Only new pieces fire events.
    /// ```rhai
    /// lay_out([[actor.hand, ["rose", "rose"]], [actor.bed, ["lily"]]]);
    /// actor.hand.pieces() // is [Rose, Rose]
    /// actor.bed.pieces() // is [Lily]
    /// ```
    #[does(CHANGES)]
    pub fn lay_out(cx: &mut Cx, plan: List) -> StepResult<()> {
        cx.charge_work(plan.weight().into())?;
        let rows = plan
            .iter()
            .map(|row| parse_row(cx, row))
            .collect::<StepResult<Vec<_>>>()?;
        moves::lay_out(cx, rows)
    }

    /// Returns the owner of a zone: a seat, a piece, a place or the table.
    /// ```rhai
    /// actor.hand.holder() // is Ann
    /// table.market.holder() == table // is true
    /// ```
    pub fn holder(cx: &mut Cx, zone: ZoneAt) -> StepResult<Value> {
        let def = cx.state.zones.def(cx.content(), zone);
        Ok(def.map_or(Value::Unit, |(entity, _)| Value::Entity(entity)))
    }

    /// Returns whether a zone has an id, regardless of its owner.
    /// ```toml
    /// [[rule]]
    /// id = "good-soil"
    /// text = "Whatever rots pays."
    /// on.after_move = 'if event.to == "compost" { event.seat.coins += 1; }'
    ///
    /// [[case]]
    /// name = "A rose rots"
    /// setup.do = 'seat(1).hand.top().discard();'
    /// expect.state = { "1.coins" = 4 }
    /// ```
    #[name("==")]
    pub fn zone_is(cx: &mut Cx, zone: ZoneAt, id: Text) -> StepResult<bool> {
        let def = cx.state.zones.def(cx.content(), zone);
        Ok(def.map_or(id == "box", |(_, def)| {
            cx.is_named(cx.content().zones[def.ix()].entry, &id)
        }))
    }

    /// Returns whether a zone has a different id.
    /// ```rhai
    /// piece("rose").zone != "compost" // is true
    /// ```
    #[name("!=")]
    pub fn zone_is_not(cx: &mut Cx, zone: ZoneAt, id: Text) -> StepResult<bool> {
        zone_is(cx, zone, id).map(|is| !is)
    }

    /// Returns whether two zones are the same.
    /// ```rhai
    /// piece("rose").zone == actor.hand // is true
    /// piece("rose").zone == seat(2).hand // is false
    /// ```
    #[name("==")]
    pub fn zones_equal(left: ZoneAt, right: ZoneAt) -> bool {
        left == right
    }

    /// Returns whether two zones differ.
    /// ```rhai
    /// actor.hand != seat(2).hand // is true
    /// ```
    #[name("!=")]
    pub fn zones_differ(left: ZoneAt, right: ZoneAt) -> bool {
        left != right
    }

    /// Returns the box: the zone of pieces that are out of the game.
    /// ```rhai
    /// piece("lily").move_to(the_box());
    /// the_box().pieces() // is [Lily]
    /// ```
    pub fn the_box() -> ZoneAt {
        crate::game::zones::ZoneAt::BOX
    }

    /// Returns the number of copies of an entry in a zone.
    /// ```rhai
    /// actor.draw(1);
    /// actor.hand.count(entry("daisy")) // is 2
    /// ```
    #[name("count")]
    #[does(READS_ZONE)]
    pub fn count_copies(cx: &mut Cx, zone: ZoneAt, entry: EntryId) -> StepResult<i64> {
        charge_search(cx, zone)?;
        let all = pieces_in(cx, zone);
        Ok(i64::try_from(
            all.iter()
                .filter(|piece| cx.entry_of(**piece) == entry)
                .count(),
        )
        .unwrap_or(0))
    }
}
