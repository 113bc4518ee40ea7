//! Queries: `ask` and `allowed`, and the functions that answer them (`add`, `cap`, `set` …).

use rhai::plugin::*;
use rhai::{Dynamic, ImmutableString, Map};

use super::super::host::{HostResult, leave, with};
use super::event::fill;
use crate::content::{HookRole, QueryId};
use crate::diagnostic::nearest;
use crate::game::context::Verdict;
use crate::game::query as queries;
use crate::game::state::ModifierOp;
use crate::game::{Cx, StepResult};

fn query_id(cx: &Cx, name: &str) -> StepResult<QueryId> {
    cx.content().symbol(name).query.ok_or_else(|| {
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

#[export_module]
pub mod words {
    /// Asks a query for a number, starting from `base`. Answers read the values of the map from `event`.
    /// ```rhai
    /// // A rule of the village: whatever has thorns fetches one less.
    /// ask("price", 3, #{ seat: actor, piece: piece("rose") }) // is 2
    /// ask("price", 3, #{ seat: actor, piece: piece("lily") }) // is 3
    /// ```
    #[rhai_fn(name = "ask", return_raw)]
    pub fn ask_number(query: ImmutableString, base: i64, about: Map) -> HostResult<i64> {
        with(|cx| {
            let id = query_id(cx, &query)?;
            let mut event = queries::context();
            fill(cx, &mut event, &about);
            queries::number(cx, id, base, |context| *context = event).map(|(number, _)| number)
        })
    }

    /// Asks a query whether something is allowed.
    /// ```rhai
    /// // A rule of the village: nobody enters a house with muddy boots.
    /// allowed("may_enter_house", #{ seat: actor }) // is true
    /// actor.mark("muddy");
    /// allowed("may_enter_house", #{ seat: actor }) // is false
    /// ```
    #[rhai_fn(name = "allowed", return_raw)]
    pub fn allowed(query: ImmutableString, about: Map) -> HostResult<bool> {
        with(|cx| {
            let id = query_id(cx, &query)?;
            let mut event = queries::context();
            fill(cx, &mut event, &about);
            Ok(queries::permission(cx, id, None, |context| *context = event)?.is_none())
        })
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
    #[rhai_fn(name = "add", return_raw)]
    pub fn add(amount: i64) -> HostResult<()> {
        with(|cx| queries::contribute(cx, ModifierOp::Add, amount, None))
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
    #[rhai_fn(name = "cap", return_raw)]
    pub fn cap(amount: i64) -> HostResult<()> {
        with(|cx| queries::contribute(cx, ModifierOp::Cap, amount, None))
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
    #[rhai_fn(name = "at_least", return_raw)]
    pub fn at_least(amount: i64) -> HostResult<()> {
        with(|cx| queries::contribute(cx, ModifierOp::Floor, amount, None))
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
    #[rhai_fn(name = "set", return_raw)]
    pub fn set_to(amount: i64) -> HostResult<()> {
        with(|cx| queries::contribute(cx, ModifierOp::Set, amount, None))
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
    #[rhai_fn(name = "lock", return_raw)]
    pub fn lock(amount: i64) -> HostResult<()> {
        with(|cx| queries::contribute(cx, ModifierOp::Lock, amount, None))
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
    #[rhai_fn(name = "allow", return_raw)]
    pub fn allow() -> HostResult<()> {
        with(|cx| queries::contribute(cx, ModifierOp::Allow, 0, None))
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
    #[rhai_fn(name = "deny", return_raw)]
    pub fn deny(reason: ImmutableString) -> HostResult<()> {
        with(|cx| refuse(cx, &reason))?;
        Err(leave())
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
    #[rhai_fn(name = "hide", return_raw)]
    pub fn hide() -> HostResult<()> {
        with(|cx| {
            cx.verdict = Verdict::Hidden;
            Ok(())
        })?;
        Err(leave())
    }

    /// Returns the value of a key of a map, or `other` if there is none.
    /// ```rhai
    /// let order = #{ flower: "rose" };
    /// get(order, "count", 1) // is 1
    /// get(order, "flower", "tulip") // is rose
    /// ```
    #[rhai_fn(name = "get")]
    pub fn get_or(map: Map, name: ImmutableString, other: Dynamic) -> Dynamic {
        map.get(name.as_str()).cloned().unwrap_or(other)
    }
}
