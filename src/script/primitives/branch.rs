//! Conditions of options and results: the `when` of a table in an entry.

use kaer_macros::primitives;

use crate::content::{PieceId, SeatId};
use crate::game::context::run_hook;
use crate::game::{Cx, Entity, HookCall, StepResult};
use crate::script::operators::value_cost;
use crate::script::primitive::*;
use crate::value::Value;

/// Whether the `when` of a table returns true, or is missing.
pub(super) fn applies(
    cx: &mut Cx,
    table: &Value,
    (it, seat): (Option<PieceId>, Option<SeatId>),
) -> StepResult<bool> {
    let Some(Value::Script(hook)) = table.get("when") else {
        return Ok(true);
    };
    let caller = cx.calls.last();
    let (own, asker) = caller.map_or((None, None), |call| (call.it, call.actor));
    let (it, actor) = (it.or(own), seat.or(asker).or(cx.actor));
    let call = HookCall {
        hook: *hook,
        entry: cx.content().hooks[hook.ix()].entry,
        it,
        owner: it.and_then(|piece| cx.owner_of(piece)).or(actor),
        actor,
        argument: Value::Unit,
        effect: None,
        question_count: 0,
        run: 0,
    };
    cx.read_only += 1;
    let result = run_hook(cx, call);
    cx.read_only -= 1;
    match result? {
        Value::Bool(yes) => Ok(yes),
        other => {
            let found = crate::script::property::describe(&other);
            Err(cx.fault(format!("`when` must return true or false, not {found}")))
        }
    }
}

#[primitives("questions")]
pub mod functions {
    use super::*;

    /// Returns the first table of a list whose `when` returns true; a table without `when` always applies.
    /// Use it for fields of the type `results`: `let result = first_match(option.results);`.
    /// ```rhai
    /// first_match(piece("pedlar").moods).text // is He hums.
    /// actor.coins = 0;
    /// first_match(piece("pedlar").moods).text // is He looks away.
    /// ```
    pub fn first_match(cx: &mut Cx, list: Data) -> StepResult<Value> {
        first(cx, None, &list)
    }

    /// Returns the first table of a list whose `when` returns true, with a piece as `it`.
    /// ```rhai
    /// let pedlar = piece("pedlar");
    /// first_match(pedlar, pedlar.moods).text // is He hums.
    /// ```
    #[name("first_match")]
    pub fn first_match_of(cx: &mut Cx, object: Entity, list: Data) -> StepResult<Value> {
        let it = match object {
            Entity::Piece(piece) => Some(piece),
            _ => None,
        };
        first(cx, it, &list)
    }
}

fn first(cx: &mut Cx, it: Option<PieceId>, list: &Data) -> StepResult<Value> {
    cx.charge_work(value_cost(&list.0))?;
    for (position, table) in list.0.list().iter().enumerate() {
        if applies(cx, table, (it, None))? {
            if let Some(chosen) = &mut cx.chosen_options {
                chosen.push((list.0.clone(), position));
            }
            if cx.exploration.is_some() {
                let text = super::talk::table_text(cx, table);
                cx.record_result(text);
            }
            return Ok(table.clone());
        }
    }
    Err(cx.fault("no table applies: end the list with one without `when`"))
}
