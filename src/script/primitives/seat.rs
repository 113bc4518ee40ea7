//! Seats: turn order, drawing, paying and travelling.

use kaer_macros::primitives;

use super::object::BuiltIn;
use crate::content::{CostAlternative, CostError, CostReader, SeatId};
use crate::game::cost::{self, Payer};
use crate::game::{Cx, Entity, StepResult, moves, travel};
use crate::script::primitive::*;
use crate::value::Value;

/// The seat itself, or the owner of a piece; anything else is a fault.
pub(super) fn seat_id(cx: &Cx, object: Entity) -> StepResult<SeatId> {
    match object {
        Entity::Seat(seat) => Ok(seat),
        Entity::Piece(piece) => cx
            .owner_of(piece)
            .ok_or_else(|| cx.fault("expected a seat, and this piece has no owner")),
        _ => Err(cx.fault("expected a seat")),
    }
}

/// The built-in properties of a seat.
pub(super) fn property(cx: &Cx, seat: SeatId, property: BuiltIn) -> Option<Value> {
    let object = |seat: SeatId| Value::Entity(Entity::Seat(seat));
    let others = || cx.state.seats_from(seat.0).skip(1);
    Some(match property {
        BuiltIn::Number => Value::Int(i64::from(seat.0) + 1),
        BuiltIn::Turns => Value::Int(i64::from(cx.state.turns[seat.ix()])),
        BuiltIn::IsActive => Value::Bool(cx.acting() == seat),
        BuiltIn::IsOut => Value::Bool(cx.state.eliminated.contains(seat)),
        BuiltIn::Left => object(others().next().unwrap_or(seat)),
        BuiltIn::Right => object(others().last().unwrap_or(seat)),
        BuiltIn::Role => match cx.roles.get(seat.ix()) {
            Some(Some(role)) => Value::Entry(*role),
            _ => Value::Unit,
        },
        _ => return None,
    })
}

fn seat_list(seats: impl Iterator<Item = SeatId>) -> List {
    seats
        .map(|seat| Value::Entity(Entity::Seat(seat)))
        .collect()
}

/// Reads a cost from a table of an entry: one alternative or a list, in whole numbers.
pub(super) fn table_cost(cx: &Cx, cost: &Value) -> StepResult<Vec<CostAlternative>> {
    let alternatives = if cost.list().is_empty() {
        std::slice::from_ref(cost)
    } else {
        cost.list()
    };
    alternatives
        .iter()
        .map(|alternative| match alternative {
            Value::Table(rows) => written_cost(cx, rows),
            _ => Ok(CostAlternative::default()),
        })
        .collect()
}

/// Reads a cost from a map of a script: `#{ coins: 2, hand: 1 }`.
fn written_cost(cx: &Cx, rows: &Map) -> StepResult<CostAlternative> {
    let reader = CostReader {
        symbols: &|name| cx.symbol(name),
        hand: cx.content().drawing_zone(),
    };
    reader.alternative(rows).map_err(|fault| {
        cx.fault(match fault {
            CostError::Unknown(name) => {
                format!("unknown cost `{name}`: name a counter, a chain or a zone")
            }
            CostError::NotAnAmount(name) => {
                format!("the amount of `{name}` is not a number: write a number after it")
            }
        })
    })
}

pub(super) fn payer(cx: &Cx, seat: SeatId) -> Payer {
    let call = cx.calls.last();
    Payer {
        seat,
        entry: call.map_or(crate::content::EntryId(0), |call| call.entry),
        piece: call.and_then(|call| call.it),
        argument: Value::Unit,
    }
}

#[primitives("seats")]
pub mod functions {
    use super::*;

    /// Returns every seat in turn order, starting with the active one, without eliminated seats.
    /// ```rhai
    /// seats() // is [Ann, Ben]
    /// for seat in seats() { seat.coins += 1; }
    /// seat(2).coins // is 4
    /// ```
    #[does(OTHERS)]
    pub fn seats(cx: &mut Cx) -> StepResult<List> {
        Ok(seat_list(cx.state.seats_from(cx.state.active)))
    }

    /// Returns every other seat in turn order, starting with the next one.
    /// ```rhai
    /// actor.others() // is [Ben]
    /// ```
    #[does(OTHERS)]
    pub fn others(cx: &mut Cx, seat: Entity) -> StepResult<List> {
        let id = seat_id(cx, seat)?;
        Ok(seat_list(
            cx.state.seats_from(id.0).filter(|other| *other != id),
        ))
    }

    /// Returns the seat whose turn it is. If all seats take their turns together, this is the acting seat.
    /// ```rhai
    /// active() // is Ann
    /// ```
    pub fn active(cx: &mut Cx) -> StepResult<Entity> {
        Ok(Entity::Seat(cx.acting()))
    }

    /// Returns the seat with a number, counted from 1.
    /// ```rhai
    /// seat(2) // is Ben
    /// seat(2).number // is 2
    /// ```
    #[name("seat")]
    #[does(OTHERS)]
    pub fn seat_number(cx: &mut Cx, number: i64) -> StepResult<Entity> {
        let seat = u8::try_from(number - 1)
            .ok()
            .filter(|seat| *seat < cx.state.seats);
        seat.map(|seat| Entity::Seat(SeatId(seat)))
            .ok_or_else(|| cx.fault(format!("there is no seat {number} in this game")))
    }

    /// Draws `amount` pieces into the zone with `draws_from` and returns those drawn. The query
    /// `draw_count` and the limit of the zone apply; an empty source is refilled.
    /// ```rhai
    /// actor.draw(2); // is [Daisy, Thistle]
    /// // A hand takes 5.
    /// actor.draw(2); // is []
    /// ```
    #[does(CHANGES)]
    pub fn draw(cx: &mut Cx, object: Entity, amount: i64) -> StepResult<List> {
        let drawn = moves::draw_own(cx, object, amount)?;
        Ok(super::super::piece::list(drawn))
    }

    /// Draws `amount` pieces from one zone into another and returns those drawn.
    /// ```rhai
    /// actor.draw(table.market, actor.bed, 2); // is [Lily, Tulip]
    /// table.market.pieces() // is [Thistle]
    /// ```
    #[name("draw")]
    #[does(CHANGES)]
    pub fn draw_from(
        cx: &mut Cx,
        object: Entity,
        from: ZoneAt,
        to: ZoneAt,
        amount: i64,
    ) -> StepResult<List> {
        let drawn = moves::draw(cx, object, from, to, amount)?;
        Ok(super::super::piece::list(drawn))
    }

    /// Pays a cost in counters, chains and zones, and asks if there is a choice; returns whether it was
    /// paid.
    /// ```rhai
    /// actor.pay(#{ coins: 2 }); // is true
    /// actor.pay(#{ coins: 2 }); // is false
    /// actor.pay(#{ hand: 1 }); // answer: daisy
    /// actor.hand.pieces() // is [Rose, Tulip]
    /// ```
    #[does(CHANGES)]
    pub fn pay(cx: &mut Cx, seat: Entity, cost: Map) -> StepResult<bool> {
        let payer = payer(cx, seat_id(cx, seat)?);
        cx.charge_work(cost.len() as u64 * 4)?;
        let cost = [written_cost(cx, &cost)?];
        cost::pay(cx, &payer, &cost)
    }

    /// Pays one of several costs, chosen by the seat; returns whether one was paid.
    /// ```rhai
    /// actor.pay_one([#{ coins: 1 }, #{ water: 1 }]); // answer: 1-water
    /// actor.water // is 1
    /// ```
    #[does(CHANGES)]
    pub fn pay_one(cx: &mut Cx, seat: Entity, costs: List) -> StepResult<bool> {
        let payer = payer(cx, seat_id(cx, seat)?);
        cx.charge_work(u64::from(costs.weight()) * 4)?;
        let maps = costs.iter().filter_map(|cost| match cost {
            Value::Map(map) => Some(map.clone()),
            _ => None,
        });
        let costs = maps
            .map(|map| written_cost(cx, &map))
            .collect::<StepResult<Vec<_>>>()?;
        cost::pay(cx, &payer, &costs)
    }

    /// Returns whether a seat can pay a cost now.
    /// ```rhai
    /// actor.can_pay(#{ coins: 3 }) // is true
    /// actor.can_pay(#{ coins: 3, water: 5 }) // is false
    /// ```
    pub fn can_pay(cx: &mut Cx, seat: Entity, cost: Map) -> StepResult<bool> {
        let payer = payer(cx, seat_id(cx, seat)?);
        cx.charge_work(cost.len() as u64 * 4)?;
        let cost = [written_cost(cx, &cost)?];
        Ok(cost::unpayable_reason(cx, &payer, &cost)?.is_none())
    }

    /// Moves a seat to a place; returns whether it moved. The query `may_enter` can refuse.
    /// ```rhai
    /// actor.move_to(place("well")); // is true
    /// actor.place // is Well
    /// ```
    #[name("move_to")]
    #[does(CHANGES)]
    pub fn move_to_place(cx: &mut Cx, seat: Entity, place: Entity) -> StepResult<bool> {
        let seat = seat_id(cx, seat)?;
        match place {
            Entity::Place(place) => travel::travel(cx, seat, place),
            _ => Err(cx.fault("expected a place or a zone to move to")),
        }
    }

    /// Eliminates a seat: it takes no more turns.
    /// ```rhai
    /// seat(2).eliminate();
    /// seats() // is [Ann]
    /// seat(2).is_out // is true
    /// ```
    #[does(CHANGES, OTHERS, ENDS)]
    pub fn eliminate(cx: &mut Cx, seat: Entity) -> StepResult<()> {
        cx.require_write_access("eliminating a seat")?;
        let seat = seat_id(cx, seat)?;
        cx.state.eliminated.insert(seat);
        Ok(())
    }

    /// Makes a seat go first in each round. Call it between rounds: within a round it also changes whose
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
    #[does(CHANGES)]
    pub fn goes_first(cx: &mut Cx, seat: Entity) -> StepResult<()> {
        cx.require_write_access("setting the first seat")?;
        cx.state.first = seat_id(cx, seat)?.0;
        Ok(())
    }

    /// Returns the name of a seat, piece or place; texts use it.
    /// ```rhai
    /// `${actor} picks a ${piece("rose")}.` // is Ann picks a Rose.
    /// ```
    #[name("to_string")]
    pub fn object_text(cx: &mut Cx, object: Entity) -> StepResult<Text> {
        let entity = object;
        Ok(crate::game::names::value(cx, &Value::clone(&Value::Entity(entity))).into())
    }
}
