//! Queries: `ask` and `allowed`, and the functions that answer them (`add`, `cap`, `set` …).

use kaer_macros::primitives;

use super::event::fill;
use crate::content::{HookRole, QueryId};
use crate::diagnostic::nearest;
use crate::game::context::Verdict;
use crate::game::query as queries;
use crate::game::state::ModifierOp;
use crate::game::{Cx, StepResult};
use crate::script::operators::{map_cost, text_cost};
use crate::script::primitive::*;

fn query_id(cx: &Cx, name: &str) -> StepResult<QueryId> {
    cx.symbol(name).query.ok_or_else(|| {
        let hint = nearest(name, cx.content().queries.iter().map(|def| &*def.name));
        let hint = hint
            .map(|near| format!("; did you mean `{near}`?"))
            .unwrap_or_default();
        cx.fault(format!("unknown query `{name}`{hint}"))
    })
}

/// Denies the action, query or event that the current hook is for.
fn refuse(cx: &mut Cx, reason: &str) -> StepResult {
    let role = cx
        .calls
        .last()
        .map(|call| cx.content().hooks[call.hook.ix()].role);
    match role {
        Some(HookRole::Can) => {
            cx.verdict = Verdict::Closed(reason.into());
            Ok(())
        }
        Some(HookRole::Answer(_)) => {
            queries::contribute(cx, ModifierOp::Deny, 0, Some(reason.into()))
        }
        Some(HookRole::On(_) | HookRole::Offer(_)) => match cx.events.last_mut() {
            Some(event) => {
                event.denied = Some(reason.into());
                Ok(())
            }
            None => Err(cx.fault("no event is running that could be denied")),
        },
        _ => Err(cx.fault("`deny` works only in `can`, `answer` and hooks of `before_` events")),
    }
}

#[primitives("queries")]
pub mod functions {
    use super::*;

    /// Asks a query for a number, starting from `base`. Answers read the values of the map from `event`.
    /// ```rhai
    /// // A rule of the village: whatever has thorns fetches one less.
    /// ask("price", 3, #{ seat: actor, piece: piece("rose") }) // is 2
    /// ask("price", 3, #{ seat: actor, piece: piece("lily") }) // is 3
    /// ```
    #[name("ask")]
    pub fn ask_number(
        cx: &mut Cx,
        #[names(Query)] query: Text,
        base: i64,
        values: Map,
    ) -> StepResult<i64> {
        let id = query_id(cx, &query)?;
        cx.charge_work(map_cost(&values))?;
        let mut event = queries::context();
        fill(cx, &mut event, &values);
        queries::number(cx, id, base, |context| *context = event).map(|(number, _)| number)
    }

    /// Asks a query whether something is allowed.
    /// ```rhai
    /// // A rule of the village: nobody enters a house with muddy boots.
    /// allowed("may_enter_house", #{ seat: actor }) // is true
    /// actor.mark("muddy");
    /// allowed("may_enter_house", #{ seat: actor }) // is false
    /// ```
    pub fn allowed(cx: &mut Cx, #[names(Query)] query: Text, values: Map) -> StepResult<bool> {
        let id = query_id(cx, &query)?;
        cx.charge_work(map_cost(&values))?;
        let mut event = queries::context();
        fill(cx, &mut event, &values);
        Ok(queries::permission(cx, id, None, |context| *context = event)?.is_none())
    }

    /// Adds to the number; only in an answer.
    /// ```toml
    /// [[rule]]
    /// id = "long-days"
    /// text = "Everyone draws one more."
    /// answer.draw_count = 'add(1);'
    ///
    /// [[case]]
    /// name = "Two are three"
    /// setup.zones = { "1.hand" = [] }
    /// setup.do = 'seat(1).draw(2);'
    /// expect.state = { "1.hand" = 3 }
    /// ```
    #[does(ANSWERS)]
    pub fn add(cx: &mut Cx, amount: i64) -> StepResult<()> {
        queries::contribute(cx, ModifierOp::Add, amount, None)
    }

    /// Limits the number to a maximum; only in an answer.
    /// ```toml
    /// [[rule]]
    /// id = "short-days"
    /// text = "Nobody draws more than one."
    /// answer.draw_count = 'cap(1);'
    ///
    /// [[case]]
    /// name = "Two are one"
    /// setup.zones = { "1.hand" = [] }
    /// setup.do = 'seat(1).draw(2);'
    /// expect.state = { "1.hand" = 1 }
    /// ```
    #[does(ANSWERS)]
    pub fn cap(cx: &mut Cx, amount: i64) -> StepResult<()> {
        queries::contribute(cx, ModifierOp::Cap, amount, None)
    }

    /// Limits the number to a minimum; only in an answer.
    /// ```toml
    /// [[rule]]
    /// id = "kind-fields"
    /// text = "Every draw is two or more."
    /// answer.draw_count = 'at_least(2);'
    ///
    /// [[case]]
    /// name = "One is two"
    /// setup.zones = { "1.hand" = [] }
    /// setup.do = 'seat(1).draw(1);'
    /// expect.state = { "1.hand" = 2 }
    /// ```
    #[does(ANSWERS)]
    pub fn at_least(cx: &mut Cx, amount: i64) -> StepResult<()> {
        queries::contribute(cx, ModifierOp::Floor, amount, None)
    }

    /// Sets the number before other answers add to it; only in an answer.
    /// ```toml
    /// [[rule]]
    /// id = "rations"
    /// text = "Every draw is one, and what adds to it still does."
    /// answer.draw_count = 'set(1);'
    ///
    /// [[case]]
    /// name = "A lily in the bed adds one"
    /// setup.zones = { "1.hand" = [], "1.bed" = ["lily"] }
    /// setup.do = 'seat(1).draw(3);'
    /// expect.state = { "1.hand" = 2 }
    /// ```
    #[name("set")]
    #[does(ANSWERS)]
    pub fn set_to(cx: &mut Cx, amount: i64) -> StepResult<()> {
        queries::contribute(cx, ModifierOp::Set, amount, None)
    }

    /// Sets the number and ignores all other answers; only in an answer.
    /// ```toml
    /// [[rule]]
    /// id = "frost"
    /// text = "Every draw is one, whatever grows."
    /// answer.draw_count = 'lock(1);'
    ///
    /// [[case]]
    /// name = "A lily in the bed adds nothing"
    /// setup.zones = { "1.hand" = [], "1.bed" = ["lily"] }
    /// setup.do = 'seat(1).draw(3);'
    /// expect.state = { "1.hand" = 1 }
    /// ```
    #[does(ANSWERS)]
    pub fn lock(cx: &mut Cx, amount: i64) -> StepResult<()> {
        queries::contribute(cx, ModifierOp::Lock, amount, None)
    }

    /// Allows what the rules would refuse; only in an answer. A refusal takes precedence.
    /// ```toml
    /// [[rule]]
    /// id = "wreaths"
    /// text = "A daisy follows whatever lies there, link or not."
    /// answer.may_follow = 'if event.piece.id == "daisy" { allow() }'
    ///
    /// [[case]]
    /// name = "No link of a rose names white"
    /// setup.do = 'throw_flowers(seat(1), seat(2));'
    /// moves = ["throw:rose"]
    /// expect.options = ["throw:tulip", "throw:daisy", "hurl", "done"]
    /// ```
    #[does(ANSWERS)]
    pub fn allow(cx: &mut Cx) -> StepResult<()> {
        queries::contribute(cx, ModifierOp::Allow, 0, None)
    }

    /// Denies with a reason and ends the script. In `can` it closes the menu line, in `answer` it refuses,
    /// in a hook of a `before_` event it prevents the event.
    /// ```toml
    /// [[action]]
    /// id = "water-bed"
    /// title = "Water the bed"
    /// window = "work"
    /// can = 'if actor.bed.is_empty() { deny("nothing grows there") }'
    /// do = 'actor.water -= 1;'
    ///
    /// [[rule]]
    /// id = "high-water"
    /// answer.may_enter = 'if event.place == place("well") { deny("the well is flooded") }'
    /// on.before_draw = 'if event.seat.marked("muddy") { deny("wash your hands") }'
    ///
    /// [[case]]
    /// name = "A line is closed, a draw does not happen, a place is out of bounds"
    /// setup.do = '''
    ///     seat(1).mark("muddy");
    ///     seat(1).draw(1);
    ///     seat(1).move_to(place("well"));
    /// '''
    /// expect.closed = { water-bed = "nothing grows there" }
    /// expect.state = { "1.hand" = 3, "1.place" = "green" }
    /// ```
    #[does(ANSWERS)]
    pub fn deny(cx: &mut Cx, #[shown] reason: Text) -> StepResult<()> {
        cx.charge_work(text_cost(reason.len()))?;
        refuse(cx, &reason)?;
        Err(Stop::Leave)
    }

    /// Hides the menu line and ends the script; only in `can`.
    /// ```toml
    /// [[action]]
    /// id = "water-bed"
    /// title = "Water the bed"
    /// window = "work"
    /// can = 'if actor.bed.is_empty() { hide() }'
    /// do = 'actor.water -= 1;'
    ///
    /// [[case]]
    /// name = "Nothing grows there"
    /// expect.hidden = ["water-bed"]
    ///
    /// [[case]]
    /// name = "A rose grows there"
    /// setup.zones = { "1.bed" = ["rose"] }
    /// moves = ["water-bed"]
    /// expect.state = { "1.water" = 1 }
    /// ```
    #[does(ANSWERS)]
    pub fn hide(cx: &mut Cx) -> StepResult<()> {
        cx.verdict = Verdict::Hidden;
        Err(Stop::Leave)
    }

    /// Returns the value of a key of a map, or `default` if there is none.
    /// ```rhai
    /// let order = #{ flower: "rose" };
    /// get(order, "count", 1) // is 1
    /// get(order, "flower", "tulip") // is rose
    /// ```
    #[name("get")]
    pub fn get_or(cx: &mut Cx, map: Map, name: Text, default: Value) -> StepResult<Value> {
        super::super::maps::charge_key(cx, &name)?;
        Ok(map.get(name.as_str()).cloned().unwrap_or(default))
    }
}
