//! Zones: ordered lists of pieces; the first is the top.

use crate::number::cast;
use rhai::plugin::*;
use rhai::{Array, Dynamic, ImmutableString, Module};

use super::super::convert::from_value;
use super::super::host::{HostResult, with};
use super::super::types::{EntityRef, EntryRef, TableRef, ZoneRef};
use super::entry::entry_id;
use super::piece::{ids, list};
use crate::content::{EntryId, PieceId, Value};
use crate::game::moves;
use crate::game::zones::ZoneAt;
use crate::game::{Cx, Entity, StepResult, names};

fn pieces_in(cx: &Cx, zone: ZoneRef) -> Vec<PieceId> {
    cx.state
        .zones
        .pieces(zone.0)
        .iter()
        .map(|piece| PieceId(*piece))
        .collect()
}

fn count(value: i64) -> usize {
    usize::try_from(value).unwrap_or(0)
}

fn thing(piece: Option<PieceId>) -> Dynamic {
    piece.map_or(Dynamic::UNIT, |piece| {
        Dynamic::from(EntityRef(Entity::Piece(piece)))
    })
}

/// Reads one row of a layout: a zone and the ids of entries.
fn planned(cx: &Cx, row: &Dynamic) -> StepResult<(ZoneAt, Vec<EntryId>)> {
    let row = row
        .read_lock::<Array>()
        .map(|row| row.clone())
        .unwrap_or_default();
    let zone = row
        .first()
        .and_then(|zone| zone.read_lock::<ZoneRef>().map(|zone| zone.0));
    let ids = row
        .get(1)
        .and_then(|ids| ids.read_lock::<Array>().map(|ids| ids.clone()));
    let (Some(zone), Some(ids)) = (zone, ids) else {
        return Err(cx.fault("each row of `lay_out` must be `[zone, [ids]]`"));
    };
    let entry = |id: &Dynamic| {
        let id = id.read_lock::<ImmutableString>().map(|id| id.to_string());
        entry_id(cx, &id.unwrap_or_default())
    };
    Ok((zone, ids.iter().map(entry).collect::<StepResult<_>>()?))
}

/// Supports `for piece in actor.hand` and `for row in entry.rows`.
pub(super) fn iterators(module: &mut Module) {
    module.set_iter(std::any::TypeId::of::<ZoneRef>(), |value| {
        let zone = value.cast::<ZoneRef>();
        let pieces = with(|cx| Ok(pieces_in(cx, zone))).unwrap_or_default();
        Box::new(list(pieces).into_iter())
    });
    module.set_iter(std::any::TypeId::of::<TableRef>(), |value| {
        let data = value.cast::<TableRef>();
        let items: Vec<Dynamic> = data.0.list().iter().map(from_value).collect();
        Box::new(items.into_iter())
    });
}

/// The number in a value, or the sum of a key over a list of tables.
fn sum_of(value: &Value, name: &str) -> i64 {
    match value {
        Value::List(list) => list
            .iter()
            .map(|value| sum_of(value, name))
            .fold(0, i64::saturating_add),
        Value::Table(_) => value.get(name).and_then(Value::int).unwrap_or(0),
        other => other.int().unwrap_or(0),
    }
}

#[export_module]
pub mod words {
    /// Returns the number of pieces in a zone.
    /// ```rhai
    /// actor.hand.len() // is 3
    /// actor.hand.len() // is 3
    /// ```
    #[rhai_fn(name = "len", return_raw)]
    pub fn zone_len(zone: ZoneRef) -> HostResult<i64> {
        let at = zone.0;
        with(|cx| Ok(cast::<_, i64>(cx.state.zones.count(at))))
    }

    /// Returns the sum of a field over the pieces of a zone; `field.key` sums a key over the tables of a
    /// list.
    /// ```rhai
    /// // 2, 1 and 1; and what the links add.
    /// actor.hand.sum("petals") // is 4
    /// actor.hand.sum("links.petals") // is 1
    /// ```
    #[rhai_fn(name = "sum", return_raw)]
    pub fn zone_sum(zone: ZoneRef, field: ImmutableString) -> HostResult<i64> {
        with(|cx| {
            let (first, rest) = field.split_once('.').unwrap_or((&field, ""));
            let mut sum = 0_i64;
            for piece in cx.state.zones.pieces(zone.0) {
                let value = names::piece_field(cx, PieceId(*piece), first);
                sum = sum.saturating_add(value.map_or(0, |value| sum_of(value, rest)));
            }
            let pieces = cx.state.zones.count(zone.0) as u64;
            cx.spend(pieces)?;
            Ok(sum)
        })
    }

    /// Returns whether a zone is empty.
    /// ```rhai
    /// actor.bed.is_empty() // is true
    /// actor.hand.is_empty() // is false
    /// ```
    #[rhai_fn(name = "is_empty", return_raw)]
    pub fn zone_is_empty(zone: ZoneRef) -> HostResult<bool> {
        let at = zone.0;
        with(|cx| Ok(cx.state.zones.count(at) == 0))
    }

    /// Returns the pieces of a zone, the top one first.
    /// ```rhai
    /// actor.hand.pieces() // is [Rose, Tulip, Daisy]
    /// ```
    #[rhai_fn(return_raw)]
    pub fn pieces(zone: ZoneRef) -> HostResult<Array> {
        with(|cx| {
            let all = cx.state.zones.count(zone.0) as u64;
            cx.spend(all)?;
            Ok(list(pieces_in(cx, zone)))
        })
    }

    /// Returns the top piece, or `()` if the zone is empty.
    /// ```rhai
    /// actor.hand.top() // is Rose
    /// actor.bed.top() // is ()
    /// ```
    #[rhai_fn(name = "top", return_raw)]
    pub fn top(zone: ZoneRef) -> HostResult<Dynamic> {
        with(|cx| Ok(thing(cx.state.zones.top(zone.0))))
    }

    /// Returns up to `some` pieces from the top.
    /// ```rhai
    /// actor.deck.top(2) // is [Daisy, Thistle]
    /// actor.deck.top(9).len() // is 4
    /// ```
    #[rhai_fn(name = "top", return_raw)]
    pub fn top_some(zone: ZoneRef, some: i64) -> HostResult<Array> {
        with(|cx| Ok(list(pieces_in(cx, zone).into_iter().take(count(some)))))
    }

    /// Returns the bottom piece, or `()` if the zone is empty.
    /// ```rhai
    /// actor.hand.bottom() // is Daisy
    /// ```
    #[rhai_fn(return_raw)]
    pub fn bottom(zone: ZoneRef) -> HostResult<Dynamic> {
        with(|cx| Ok(thing(pieces_in(cx, zone).last().copied())))
    }

    /// Returns the piece at a position, counted from 0, or `()`.
    /// ```rhai
    /// table.market[1] // is Tulip
    /// table.market[9] // is ()
    /// ```
    #[rhai_fn(index_get, return_raw)]
    pub fn at(zone: &mut ZoneRef, position: i64) -> HostResult<Dynamic> {
        let zone = *zone;
        with(|cx| {
            Ok(thing(
                usize::try_from(position)
                    .ok()
                    .and_then(|at| pieces_in(cx, zone).get(at).copied()),
            ))
        })
    }

    /// Returns the position of a piece in its zone, counted from 0.
    /// ```rhai
    /// piece("daisy").position() // is 2
    /// ```
    #[rhai_fn(return_raw)]
    pub fn position(piece: EntityRef) -> HostResult<i64> {
        with(|cx| {
            let piece = super::super::piece::piece_id(cx, piece)?;
            Ok(cast::<_, i64>(cx.state.zones.position(piece)))
        })
    }

    /// Shuffles a zone: only seats that can see into it still know which piece is where.
    /// ```rhai
    /// let top = actor.deck.top();
    /// actor.look([top]);
    /// actor.deck.shuffle();
    /// actor.knows(top) // is false
    /// ```
    #[rhai_fn(name = "shuffle", return_raw)]
    pub fn shuffle(zone: ZoneRef) -> HostResult<()> {
        with(|cx| moves::shuffle(cx, zone.0))
    }

    /// Returns up to `some` random pieces of a zone; they stay in the zone.
    /// ```rhai
    /// let picked = table.market.random(2);
    /// picked.len() // is 2
    /// table.market.contains(picked[0]) // is true
    /// ```
    #[rhai_fn(name = "random", return_raw)]
    pub fn random(zone: ZoneRef, some: i64) -> HostResult<Array> {
        with(|cx| {
            let stream = moves::stream(cx, "random", zone.0);
            let all = pieces_in(cx, zone);
            Ok(list(moves::random(cx, &stream, &all, count(some))?))
        })
    }

    /// Returns up to `some` random pieces of a list.
    /// ```rhai
    /// let spring = actor.hand.tagged("spring").random(1);
    /// spring[0].has_tag("spring") // is true
    /// ```
    #[rhai_fn(name = "random", return_raw)]
    pub fn random_of(pieces: Array, some: i64) -> HostResult<Array> {
        with(|cx| {
            let all = ids(cx, &pieces)?;
            Ok(list(moves::random(cx, "random list", &all, count(some))?))
        })
    }

    /// Returns the first piece of a zone that is a copy of an entry, or `()`.
    /// ```rhai
    /// table.market.find("lily").price // is 3
    /// table.market.find("rose") // is ()
    /// ```
    #[rhai_fn(name = "find", return_raw)]
    pub fn find(zone: ZoneRef, id: ImmutableString) -> HostResult<Dynamic> {
        with(|cx| {
            let entry = entry_id(cx, &id)?;
            Ok(thing(
                pieces_in(cx, zone)
                    .into_iter()
                    .find(|piece| cx.entry_of(*piece) == entry),
            ))
        })
    }

    /// Returns whether a zone contains a copy of an entry.
    /// ```rhai
    /// actor.hand.has("rose") // is true
    /// actor.hand.has("lily") // is false
    /// ```
    #[rhai_fn(name = "has", return_raw)]
    pub fn has(zone: ZoneRef, id: ImmutableString) -> HostResult<bool> {
        with(|cx| {
            let entry = entry_id(cx, &id)?;
            Ok(pieces_in(cx, zone)
                .into_iter()
                .any(|piece| cx.entry_of(piece) == entry))
        })
    }

    /// Returns whether a zone contains a piece.
    /// ```rhai
    /// actor.hand.contains(piece("rose")) // is true
    /// seat(2).hand.contains(piece("rose")) // is false
    /// ```
    #[rhai_fn(name = "contains", return_raw)]
    pub fn contains(zone: &mut ZoneRef, piece: EntityRef) -> HostResult<bool> {
        let zone = *zone;
        with(|cx| {
            let piece = super::super::piece::piece_id(cx, piece)?;
            Ok(cx.state.zones.zone_of(piece) == zone.0)
        })
    }

    /// Returns how many more pieces fit into a zone.
    /// ```rhai
    /// // A hand takes 5 and holds 3.
    /// actor.hand.room() // is 2
    /// ```
    #[rhai_fn(return_raw)]
    pub fn room(zone: ZoneRef) -> HostResult<i64> {
        with(|cx| {
            Ok(cast::<_, i64>(
                moves::free_space(cx, zone.0)?.min(1_000_000),
            ))
        })
    }

    /// Refills a zone now from its `refills_from` zone.
    /// ```rhai
    /// actor.deck.pieces().move_to(actor.compost);
    /// actor.deck.refill();
    /// actor.deck.len() // is 4
    /// actor.compost.len() // is 0
    /// ```
    #[rhai_fn(return_raw)]
    pub fn refill(zone: ZoneRef) -> HostResult<()> {
        with(|cx| moves::refill(cx, zone.0))
    }

    /// Replaces the pieces of zones. Their pieces go to the box; then copies of the entries are put into
    /// each zone, the first on top: from the box, else from other zones of the same owner, else new ones.
    /// Only new pieces fire events.
    /// ```rhai
    /// lay_out([[actor.hand, ["rose", "rose"]], [actor.bed, ["lily"]]]);
    /// actor.hand.pieces() // is [Rose, Rose]
    /// actor.bed.pieces() // is [Lily]
    /// ```
    #[rhai_fn(name = "lay_out", return_raw)]
    pub fn lay_out(plan: Array) -> HostResult<()> {
        with(|cx| {
            let plan = plan
                .iter()
                .map(|row| planned(cx, row))
                .collect::<StepResult<Vec<_>>>()?;
            moves::lay_out(cx, plan)
        })
    }

    /// Returns the owner of a zone: a seat, a piece, a place or the table.
    /// ```rhai
    /// actor.hand.holder() // is Ann
    /// table.market.holder() == table // is true
    /// ```
    #[rhai_fn(name = "holder", return_raw)]
    pub fn holder(zone: ZoneRef) -> HostResult<Dynamic> {
        with(|cx| {
            let def = cx.state.zones.def(cx.content(), zone.0);
            Ok(def.map_or(Dynamic::UNIT, |(of, _)| Dynamic::from(EntityRef(of))))
        })
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
    #[rhai_fn(name = "==", return_raw)]
    pub fn zone_is(zone: ZoneRef, id: ImmutableString) -> HostResult<bool> {
        with(|cx| {
            let def = cx.state.zones.def(cx.content(), zone.0);
            Ok(def.map_or(id == "box", |(_, def)| {
                *cx.content().entry(cx.content().zones[def.ix()].entry).id == *id.as_str()
            }))
        })
    }

    /// Returns whether a zone has a different id.
    /// ```rhai
    /// piece("rose").zone != "compost" // is true
    /// ```
    #[rhai_fn(name = "!=", return_raw)]
    pub fn zone_is_not(zone: ZoneRef, id: ImmutableString) -> HostResult<bool> {
        zone_is(zone, id).map(|is| !is)
    }

    /// Returns whether two zones are the same.
    /// ```rhai
    /// piece("rose").zone == actor.hand // is true
    /// piece("rose").zone == seat(2).hand // is false
    /// ```
    #[rhai_fn(name = "==")]
    pub fn same_zone(one: ZoneRef, other: ZoneRef) -> bool {
        one == other
    }

    /// Returns whether two zones differ.
    /// ```rhai
    /// actor.hand != seat(2).hand // is true
    /// ```
    #[rhai_fn(name = "!=")]
    pub fn other_zone(one: ZoneRef, other: ZoneRef) -> bool {
        one != other
    }

    /// Returns the box: the zone of pieces that are out of the game.
    /// ```rhai
    /// piece("lily").move_to(the_box());
    /// the_box().pieces() // is [Lily]
    /// ```
    #[rhai_fn(name = "the_box")]
    pub fn the_box() -> ZoneRef {
        ZoneRef(crate::game::zones::ZoneAt::BOX)
    }

    /// Returns the number of copies of an entry in a zone.
    /// ```rhai
    /// actor.draw(1);
    /// actor.hand.count(entry("daisy")) // is 2
    /// ```
    #[rhai_fn(name = "count", return_raw)]
    pub fn count_copies(zone: ZoneRef, entry: EntryRef) -> HostResult<i64> {
        with(|cx| {
            let all = pieces_in(cx, zone);
            Ok(i64::try_from(
                all.iter()
                    .filter(|piece| cx.entry_of(**piece) == entry.0)
                    .count(),
            )
            .unwrap_or(0))
        })
    }
}
