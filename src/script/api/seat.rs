//! Seats: turn order, drawing, paying and travelling.

use rhai::plugin::*;
use rhai::{Array, Dynamic, ImmutableString, Map};

use super::super::convert::{from_value, to_val};
use super::super::host::{HostResult, with};
use super::super::types::{EntityRef, EntryRef, ZoneRef};
use crate::content::{Amount, CostAlternative, CostPart, SeatId, Value};
use crate::game::cost::{self, Payer};
use crate::game::{Cx, Entity, StepResult, Val, moves, travel};

/// The seat itself, or the owner of a piece; anything else is a fault.
pub(super) fn seat_id(cx: &Cx, thing: EntityRef) -> StepResult<SeatId> {
    match thing.0 {
        Entity::Seat(seat) => Ok(seat),
        Entity::Piece(piece) => cx
            .owner_of(piece)
            .ok_or_else(|| cx.fault("expected a seat, and this piece has no owner")),
        _ => Err(cx.fault("expected a seat")),
    }
}

/// The built-in properties of a seat.
pub(super) fn property(cx: &Cx, seat: SeatId, name: &str) -> Option<Dynamic> {
    let thing = |seat: SeatId| Dynamic::from(EntityRef(Entity::Seat(seat)));
    let others = || cx.state.seats_from(seat.0).skip(1);
    Some(match name {
        "number" => Dynamic::from_int(i64::from(seat.0) + 1),
        "turns" => Dynamic::from_int(i64::from(cx.state.turns[seat.ix()])),
        "is_active" => Dynamic::from_bool(cx.active() == seat),
        "is_out" => Dynamic::from_bool(cx.state.eliminated.contains(seat)),
        "left" => thing(others().next().unwrap_or(seat)),
        "right" => thing(others().last().unwrap_or(seat)),
        "role" => match cx.roles.get(seat.ix()) {
            Some(Some(role)) => Dynamic::from(EntryRef(*role)),
            _ => Dynamic::UNIT,
        },
        _ => return None,
    })
}

fn seat_list(seats: impl Iterator<Item = SeatId>) -> Array {
    seats
        .map(|seat| Dynamic::from(EntityRef(Entity::Seat(seat))))
        .collect()
}

/// Reads a cost from a table of an entry: one alternative or a list, in whole numbers.
pub(super) fn table_cost(cx: &Cx, cost: &Value) -> StepResult<Vec<CostAlternative>> {
    let alternatives = if cost.list().is_empty() {
        std::slice::from_ref(cost)
    } else {
        cost.list()
    };
    let one = |alternative: &Value| {
        let Value::Table(rows) = alternative else {
            return Ok(CostAlternative { parts: Vec::new() });
        };
        let map = rows
            .iter()
            .map(|(name, value)| ((&**name).into(), from_value(value)))
            .collect();
        written_cost(cx, &map)
    };
    alternatives.iter().map(one).collect()
}

/// Reads a cost from a map of a script: `#{ coins: 2, hand: 1 }`.
fn written_cost(cx: &Cx, map: &Map) -> StepResult<CostAlternative> {
    let mut parts = Vec::new();
    for (name, value) in map {
        let amount = Amount::Fixed(value.as_int().unwrap_or(0));
        let symbols = cx.content().symbol(name);
        parts.push(match (symbols.counter, symbols.chain, symbols.zone) {
            (Some(counter), _, _) => CostPart::Counter(counter, amount),
            (_, Some(chain), _) => CostPart::Chain(chain, amount),
            (_, _, Some(zone)) => CostPart::Pieces {
                zone,
                amount,
                only: None,
            },
            _ => {
                return Err(cx.fault(format!(
                    "unknown cost `{name}`: name a counter, a chain or a zone"
                )));
            }
        });
    }
    Ok(CostAlternative { parts })
}

pub(super) fn payer(cx: &Cx, seat: SeatId) -> Payer {
    let call = cx.calls.last();
    Payer {
        seat,
        entry: call.map_or(crate::content::EntryId(0), |call| call.entry),
        piece: call.and_then(|call| call.it),
        each: Val::Unit,
    }
}

#[export_module]
pub mod words {
    /// Returns every seat in turn order, starting with the active one, without eliminated seats.
    /// ```rhai
    /// seats() // is [Ann, Ben]
    /// for seat in seats() { seat.coins += 1; }
    /// seat(2).coins // is 4
    /// ```
    #[rhai_fn(return_raw)]
    pub fn seats() -> HostResult<Array> {
        with(|cx| Ok(seat_list(cx.state.seats_from(cx.state.active))))
    }

    /// Returns every other seat in turn order, starting with the next one.
    /// ```rhai
    /// actor.others() // is [Ben]
    /// ```
    #[rhai_fn(return_raw)]
    pub fn others(seat: EntityRef) -> HostResult<Array> {
        with(|cx| {
            let own = seat_id(cx, seat)?;
            Ok(seat_list(
                cx.state.seats_from(own.0).filter(|other| *other != own),
            ))
        })
    }

    /// Returns the seat whose turn it is.
    /// ```rhai
    /// active() // is Ann
    /// ```
    #[rhai_fn(return_raw)]
    pub fn active() -> HostResult<EntityRef> {
        with(|cx| Ok(EntityRef(Entity::Seat(cx.active()))))
    }

    /// Returns the seat with a number, counted from 1.
    /// ```rhai
    /// seat(2) // is Ben
    /// seat(2).number // is 2
    /// ```
    #[rhai_fn(name = "seat", return_raw)]
    pub fn seat_number(number: i64) -> HostResult<EntityRef> {
        with(|cx| {
            let seat = u8::try_from(number - 1)
                .ok()
                .filter(|seat| *seat < cx.state.seats);
            seat.map(|seat| EntityRef(Entity::Seat(SeatId(seat))))
                .ok_or_else(|| cx.fault(format!("there is no seat {number} in this game")))
        })
    }

    /// Draws `amount` pieces into the zone with `draws_from` and returns those drawn. The query
    /// `draw_count` and the limit of the zone apply; an empty source is refilled.
    /// ```rhai
    /// actor.draw(2); // is [Daisy, Thistle]
    /// // A hand takes 5.
    /// actor.draw(2); // is []
    /// ```
    #[rhai_fn(return_raw)]
    pub fn draw(thing: EntityRef, amount: i64) -> HostResult<Array> {
        with(|cx| {
            let drawn = moves::draw_own(cx, thing.0, amount)?;
            Ok(super::super::piece::list(drawn))
        })
    }

    /// Draws `amount` pieces from one zone into another and returns those drawn.
    /// ```rhai
    /// actor.draw(table.market, actor.bed, 2); // is [Lily, Tulip]
    /// table.market.pieces() // is [Thistle]
    /// ```
    #[rhai_fn(name = "draw", return_raw)]
    pub fn draw_from(
        thing: EntityRef,
        from: ZoneRef,
        to: ZoneRef,
        amount: i64,
    ) -> HostResult<Array> {
        with(|cx| {
            let drawn = moves::draw(cx, thing.0, from.0, to.0, amount)?;
            Ok(super::super::piece::list(drawn))
        })
    }

    /// Pays a cost in counters, chains and zones, and asks if there is a choice; returns whether it was
    /// paid.
    /// ```rhai
    /// actor.pay(#{ coins: 2 }); // is true
    /// actor.pay(#{ coins: 2 }); // is false
    /// actor.pay(#{ hand: 1 }); // answer: daisy
    /// actor.hand.pieces() // is [Rose, Tulip]
    /// ```
    #[rhai_fn(return_raw)]
    pub fn pay(seat: EntityRef, cost: Map) -> HostResult<bool> {
        with(|cx| {
            let payer = payer(cx, seat_id(cx, seat)?);
            let cost = [written_cost(cx, &cost)?];
            cost::pay(cx, &payer, &cost)
        })
    }

    /// Pays one of several costs, chosen by the seat; returns whether one was paid.
    /// ```rhai
    /// actor.pay_one([#{ coins: 1 }, #{ water: 1 }]); // answer: 1-water
    /// actor.water // is 1
    /// ```
    #[rhai_fn(name = "pay_one", return_raw)]
    pub fn pay_one(seat: EntityRef, costs: Array) -> HostResult<bool> {
        with(|cx| {
            let payer = payer(cx, seat_id(cx, seat)?);
            let maps = costs
                .iter()
                .filter_map(|cost| cost.read_lock::<Map>().map(|map| map.clone()));
            let costs = maps
                .map(|map| written_cost(cx, &map))
                .collect::<StepResult<Vec<_>>>()?;
            cost::pay(cx, &payer, &costs)
        })
    }

    /// Returns whether a seat can pay a cost now.
    /// ```rhai
    /// actor.can_pay(#{ coins: 3 }) // is true
    /// actor.can_pay(#{ coins: 3, water: 5 }) // is false
    /// ```
    #[rhai_fn(return_raw)]
    pub fn can_pay(seat: EntityRef, cost: Map) -> HostResult<bool> {
        with(|cx| {
            let payer = payer(cx, seat_id(cx, seat)?);
            let cost = [written_cost(cx, &cost)?];
            Ok(cost::unpayable_reason(cx, &payer, &cost)?.is_none())
        })
    }

    /// Moves a seat to a place; returns whether it moved. The query `may_enter` can refuse.
    /// ```rhai
    /// actor.move_to(place("well")); // is true
    /// actor.place // is Well
    /// ```
    #[rhai_fn(name = "move_to", return_raw)]
    pub fn move_to_place(seat: EntityRef, place: EntityRef) -> HostResult<bool> {
        with(|cx| {
            let seat = seat_id(cx, seat)?;
            match place.0 {
                Entity::Place(place) => travel::travel(cx, seat, place),
                _ => Err(cx.fault("expected a place or a zone to move to")),
            }
        })
    }

    /// Eliminates a seat: it takes no more turns.
    /// ```rhai
    /// seat(2).eliminate();
    /// seats() // is [Ann]
    /// seat(2).is_out // is true
    /// ```
    #[rhai_fn(return_raw)]
    pub fn eliminate(seat: EntityRef) -> HostResult<()> {
        with(|cx| {
            cx.require_write_access("eliminating a seat")?;
            let seat = seat_id(cx, seat)?;
            cx.state.eliminated.insert(seat);
            Ok(())
        })
    }

    /// Makes a seat the first of each round. Call it between rounds: within a round it also changes whose
    /// turn is still to come.
    /// ```toml
    /// [[rule]]
    /// id = "kind-neighbours"
    /// text = "Whoever has no coins begins the next round."
    /// on.round_end = 'for seat in seats() { if seat.coins == 0 { seat.goes_first(); } }'
    ///
    /// [[case]]
    /// name = "Ben has no coins"
    /// setup.counters = { "2.coins" = 0 }
    /// moves = ["done", "done"]
    /// expect.log = ["— round 1 —", "Ann: turn 1", "Ben: turn 1", "— round 2 —", "Ben: turn 2"]
    /// ```
    #[rhai_fn(return_raw)]
    pub fn goes_first(seat: EntityRef) -> HostResult<()> {
        with(|cx| {
            cx.require_write_access("setting the first seat")?;
            cx.state.first = seat_id(cx, seat)?.0;
            Ok(())
        })
    }

    /// Returns the name of a seat, piece or place; texts use it.
    /// ```rhai
    /// `${actor} picks a ${piece("rose")}.` // is Ann picks a Rose.
    /// ```
    #[rhai_fn(name = "to_string", return_raw)]
    pub fn thing_text(thing: &mut EntityRef) -> HostResult<ImmutableString> {
        let of = thing.0;
        with(|cx| Ok(crate::game::names::val(cx, &to_val(&Dynamic::from(EntityRef(of)))).into()))
    }
}
