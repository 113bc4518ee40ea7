//! Sequences, follow-ups, extra turns and the end of the game.

use std::sync::Arc;

use kaer_macros::primitives;

use super::entry::{entry_id, entry_of_kind};
use super::object::entry_of;
use super::seat::seat_id;
use crate::content::{EntryId, HookId, PieceId, SeatId};
use crate::game::context::{Stop, run_hook};
use crate::game::state::{Frame, FrameKind, GameOutcome, PhaseListKind};
use crate::game::{Cx, Entity, HookCall, StepResult, agenda, fight, initial};
use crate::script::operators::{map_cost, search_cost, text_cost, value_cost};
use crate::script::primitive::*;
use crate::value::Value;

/// The follow-up with that name in the `then` table of the entry whose script runs.
pub(super) fn follow_up(
    cx: &mut Cx,
    name: Option<&str>,
) -> StepResult<(Option<HookId>, Option<PieceId>)> {
    let Some(name) = name else {
        return Ok((None, None));
    };
    charge_hooks(cx)?;
    let Some(call) = cx.calls.last() else {
        return Ok((None, None));
    };
    match hook_of(cx, call.entry, &format!("then.{name}")) {
        Some(hook) => Ok((Some(hook), call.it)),
        None => {
            let id = cx.content().entry(call.entry).id.clone();
            Err(cx.fault(format!(
                "{id} has no `then.{name}`: add that script to the entry"
            )))
        }
    }
}

/// Charges the work of looking for a hook.
fn charge_hooks(cx: &mut Cx) -> StepResult {
    let hooks = cx.content().hooks.len() as u64;
    cx.charge_work(hooks / 64)
}

fn hook_of(cx: &Cx, entry: EntryId, name: &str) -> Option<HookId> {
    // A replaced script comes before its replacement, so take the last one.
    let hooks = cx.content().hooks.iter().enumerate();
    hooks
        .filter(|(_, hook)| hook.entry == entry && &*hook.name == name)
        .map(|(ix, _)| HookId::at(ix))
        .next_back()
}

/// Limits nesting: a sequence that starts itself would never end.
pub(super) fn check_agenda_depth(cx: &Cx) -> StepResult {
    if cx.state.agenda.len() + cx.queue.len() >= 200 {
        return Err(cx.fault("more than 200 nested sequences: does one of them start itself?"));
    }
    Ok(())
}

fn run_named(
    cx: &mut Cx,
    entry: EntryId,
    name: &str,
    it: Option<PieceId>,
    argument: Value,
) -> StepResult<Value> {
    charge_hooks(cx)?;
    let Some(hook) = hook_of(cx, entry, name) else {
        let id = cx.content().entry(entry).id.clone();
        return Err(cx.fault(format!("{id} has no script `{name}`")));
    };
    run_as(cx, hook, entry, it, argument)
}

fn run_as(
    cx: &mut Cx,
    hook: HookId,
    entry: EntryId,
    it: Option<PieceId>,
    argument: Value,
) -> StepResult<Value> {
    let actor = cx.calls.last().and_then(|call| call.actor).or(cx.actor);
    let owner = it.and_then(|piece| cx.owner_of(piece)).or(actor);
    let call = HookCall {
        hook,
        entry,
        it,
        owner,
        actor,
        argument,
        effect: None,
        question_count: 0,
        run: 0,
    };
    Ok(Value::clone(&run_hook(cx, call)?))
}

fn outcome(cx: &Cx, map: &Map) -> StepResult<GameOutcome> {
    let seats = |name: &str| -> StepResult<Vec<SeatId>> {
        let list = map.get(name).and_then(|value| match value {
            Value::List(list) => Some(list.clone()),
            _ => None,
        });
        let objects = list
            .iter()
            .flatten()
            .filter_map(crate::value::Value::entity);
        // Winners may come from `fight.standing()`: pieces in it do not count.
        objects
            .filter(|object| !matches!(object, Entity::Piece(_)))
            .map(|object| seat_id(cx, object))
            .collect()
    };
    let text = map
        .get("text")
        .and_then(|value| value.text().map(std::string::ToString::to_string));
    let mut outcome = GameOutcome {
        winners: seats("winners")?,
        text: text.unwrap_or_default().into(),
        ..GameOutcome::default()
    };
    let counter = map
        .get("score")
        .and_then(|value| value.text().map(std::string::ToString::to_string));
    if let Some(counter) = counter {
        for seat in cx.state.seats_from(0) {
            let entity = Entity::Seat(seat);
            let id = super::object::counter_id(cx, entity, &counter)?;
            outcome
                .scores
                .push((seat, i64::from(cx.state.base(cx.content(), entity, id))));
        }
        outcome.scores.sort_by_key(|(seat, score)| (-score, *seat));
        if map.get("winners").is_none() {
            let best = outcome.scores.first().map(|(_, score)| *score);
            outcome.winners = outcome
                .scores
                .iter()
                .filter(|(_, score)| Some(*score) == best)
                .map(|(seat, _)| *seat)
                .collect();
        }
    }
    Ok(outcome)
}

#[primitives("sequences")]
pub mod functions {
    use super::*;

    /// Runs a [[sequence]] for the acting seat when the current step is over.
    /// ```toml
    /// [[action]]
    /// id = "hold-market"
    /// title = "Hold a market"
    /// window = "work"
    /// do = 'run_sequence("market-day");'
    ///
    /// [[case]]
    /// name = "The stalls pay a coin"
    /// moves = ["hold-market"]
    /// expect.state = { "1.coins" = 4 }
    /// ```
    #[does(CHANGES)]
    pub fn run_sequence(cx: &mut Cx, #[names(Sequence)] id: Text) -> StepResult<()> {
        run_sequence_with(cx, id, Map::default())
    }

    /// Runs a [[sequence]] for a `seat` when the current step is over. Its phases get `value`; `then` names
    /// a script in the entry's `then` table that runs after it.
    /// ```toml
    /// [[action]]
    /// id = "send-to-market"
    /// title = "Send the neighbour to the market"
    /// window = "work"
    /// do = 'run_sequence("market-day", #{ seat: actor.left, then: "home" });'
    /// then.home = 'say(`${actor} comes home.`);'
    ///
    /// [[case]]
    /// name = "Ben goes, and comes home"
    /// moves = ["send-to-market"]
    /// expect.log = ["Ben: Coins 3 → 4", "Ben comes home."]
    /// ```
    #[name("run_sequence")]
    #[does(CHANGES)]
    pub fn run_sequence_with(
        cx: &mut Cx,
        #[names(Sequence)] id: Text,
        values: Map,
    ) -> StepResult<()> {
        cx.require_write_access("starting a sequence")?;
        cx.charge_work(map_cost(&values))?;
        check_agenda_depth(cx)?;
        let Some(list) = cx.symbol(&id).list else {
            return Err(cx.fault(format!("unknown sequence `{id}`")));
        };
        let object = values.get("seat").and_then(crate::value::Value::entity);
        let seat = match object {
            Some(object) => seat_id(cx, object)?,
            None => cx.actor.unwrap_or(SeatId(0)),
        };
        let argument = values.get("value").map_or(Value::Unit, Value::clone);
        let piece = cx.calls.last().and_then(|call| call.it);
        let run = FrameKind::List {
            list,
            next: 0,
            of: PhaseListKind::Sequence,
        };
        cx.queue.push(Frame {
            kind: run,
            seat,
            piece,
            argument: argument.clone(),
        });
        let then = values.get("then").and_then(Value::text);
        if let (Some(hook), piece) = follow_up(cx, then)? {
            cx.queue.push(Frame {
                kind: FrameKind::Call { hook },
                seat,
                piece,
                argument,
            });
        }
        Ok(())
    }

    /// Runs a script of the entry's `then` table with a `value`, when the current step and everything it
    /// started are over.
    /// ```toml
    /// [[action]]
    /// id = "sow"
    /// title = "Sow"
    /// window = "work"
    /// do = '''
    ///     run_sequence("market-day");
    ///     later("grow", actor.hand.top());
    ///     say("It is sown.");
    /// '''
    /// then.grow = 'say(`${value} grows.`);'
    ///
    /// [[case]]
    /// name = "It grows when the market is over"
    /// moves = ["sow"]
    /// expect.log = ["It is sown.", "Ann: Coins 3 → 4", "Rose grows."]
    /// ```
    #[does(CHANGES)]
    pub fn later(cx: &mut Cx, name: Text, value: Value) -> StepResult<()> {
        cx.require_write_access("scheduling a follow-up")?;
        cx.charge_work(value_cost(&value))?;
        check_agenda_depth(cx)?;
        let seat = cx.actor.unwrap_or(SeatId(0));
        if let (Some(hook), piece) = follow_up(cx, Some(&name))? {
            cx.queue.push(Frame {
                kind: FrameKind::Call { hook },
                seat,
                piece,
                argument: Value::clone(&value),
            });
        }
        Ok(())
    }

    /// Starts the game at an entry, following the [[start]] of its kind: `prepare` runs at once, `do` when
    /// the current step is over. `kaer play --at` uses it.
    /// ```toml
    /// [[start]]
    /// id = "at-flower"
    /// of = "flower"
    /// prepare = 'actor.coins = 9;'
    /// do = 'say(`Here is ${create(entry, actor.hand)}.`);'
    ///
    /// [[case]]
    /// name = "A game begins with a rose"
    /// setup.do = 'start_at("rose");'
    /// expect.log = ["Here is Rose."]
    /// expect.state = { "1.coins" = 9 }
    /// ```
    pub fn start_at(cx: &mut Cx, #[names(Entry)] id: Text) -> StepResult<()> {
        cx.require_write_access("starting at an entry")?;
        check_agenda_depth(cx)?;
        let entry = entry_id(cx, &id)?;
        initial::start_at(cx, entry)
    }

    /// Gives a seat an extra turn after this one.
    /// ```toml
    /// [[action]]
    /// id = "work-late"
    /// title = "Work late"
    /// window = "work"
    /// do = 'actor.extra_turn();'
    ///
    /// [[case]]
    /// name = "Ann has another turn before Ben"
    /// moves = ["work-late", "done"]
    /// expect.log = ["Ann: turn 1", "Ann: turn 2"]
    /// expect.not_log = ["Ben: turn 1"]
    /// ```
    #[does(CHANGES, ENDS)]
    pub fn extra_turn(cx: &mut Cx, seat: Entity) -> StepResult<()> {
        cx.require_write_access("an extra turn")?;
        let seat = seat_id(cx, seat)?;
        if cx.state.extra_turns.len() >= 64 {
            return Err(cx.fault("more than 64 extra turns are pending"));
        }
        cx.state.extra_turns.push(seat);
        Ok(())
    }

    /// Ends the phase, including its menu, after the current step.
    /// ```toml
    /// [[action]]
    /// id = "nap"
    /// title = "Take a nap"
    /// window = "work"
    /// do = 'end_phase();'
    ///
    /// [[case]]
    /// name = "Work is over, and rest comes"
    /// moves = ["nap"]
    /// expect.log = ["Ann: Water 2 → 3", "Ben: turn 1"]
    /// ```
    #[does(CHANGES)]
    pub fn end_phase(cx: &mut Cx) -> StepResult<()> {
        cx.require_write_access("ending a phase")?;
        let at = cx
            .state
            .agenda
            .iter()
            .rposition(|frame| matches!(frame.kind, FrameKind::Phase { .. }));
        if let Some(at) = at {
            cx.state.agenda.truncate(at + 1);
            if let FrameKind::Phase {
                stage, seats_done, ..
            } = &mut cx.state.agenda[at].kind
            {
                *stage = crate::game::state::PhaseStage::End;
                *seats_done = u8::MAX;
            }
        }
        Ok(())
    }

    /// Ends the turn of the seat after the current step. While turns are taken together, the others continue.
    /// ```toml
    /// [[action]]
    /// id = "go-home"
    /// title = "Go home"
    /// window = "work"
    /// do = 'end_turn();'
    ///
    /// [[case]]
    /// name = "No rest for Ann"
    /// moves = ["go-home"]
    /// expect.log = ["Ben: turn 1"]
    /// expect.not_log = ["Ann: Water 2 → 3"]
    /// ```
    #[does(CHANGES, ENDS)]
    pub fn end_turn(cx: &mut Cx) -> StepResult<()> {
        cx.require_write_access("ending a turn")?;
        let seat = cx.calls.last().and_then(|call| call.actor).or(cx.actor);
        let seat = seat.unwrap_or_else(|| cx.active());
        agenda::leave_turn(cx, seat);
        Ok(())
    }

    /// Ends the turn of the fighter after the current step.
    /// ```toml
    /// [[action]]
    /// id = "stumble"
    /// title = "Stumble"
    /// window = "bout"
    /// do = 'end_fight_turn();'
    ///
    /// [[case]]
    /// name = "Ben's turn comes at once"
    /// setup.do = 'throw_flowers(seat(1), seat(2));'
    /// moves = ["stumble"]
    /// expect.log = ["Fight turn: Ann", "Fight turn: Ben"]
    /// ```
    #[does(CHANGES)]
    pub fn end_fight_turn(cx: &mut Cx) -> StepResult<()> {
        cx.require_write_access("ending a fight turn")?;
        fight::end_fight_turn(cx);
        Ok(())
    }

    /// Ends the game. `winners` lists the winning seats (pieces in it are ignored); or `score` names the
    /// counter that decides. `text` is optional. The current step still finishes, unless `at_once: true` is
    /// set.
    /// ```toml
    /// [[action]]
    /// id = "retire"
    /// title = "Retire"
    /// window = "work"
    /// do = 'end_game(#{ winners: [actor.left], text: "One garden is enough." });'
    ///
    /// [[action]]
    /// id = "collapse"
    /// title = "Collapse"
    /// window = "work"
    /// do = '''
    ///     end_game(#{ winners: [], at_once: true });
    ///     actor.coins = 0;
    /// '''
    ///
    /// [[case]]
    /// name = "Ben wins when Ann retires"
    /// moves = ["retire"]
    /// expect.over = true
    /// expect.winners = [2]
    ///
    /// [[case]]
    /// name = "Nothing is done after an end at once"
    /// moves = ["collapse"]
    /// expect.over = true
    /// expect.not_log = ["Ann: Coins"]
    /// ```
    #[does(CHANGES, ENDS)]
    pub fn end_game(cx: &mut Cx, #[keys(score = Counter)] options: Map) -> StepResult<()> {
        cx.require_write_access("ending the game")?;
        cx.charge_work(map_cost(&options))?;
        let outcome = outcome(cx, &options)?;
        agenda::end_game(cx, outcome)?;
        let at_once = options
            .get("at_once")
            .is_some_and(|value| value.boolean() == Some(true));
        if at_once { Err(Stop::Over) } else { Ok(()) }
    }

    /// Adds to a [[statistic]], grouped by a string.
    /// ```toml
    /// [[rule]]
    /// id = "footsteps"
    /// on.after_travel = 'tally("visits", event.place.title, 1);'
    ///
    /// [[case]]
    /// name = "Visits are counted by place"
    /// setup.do = '''
    ///     seat(1).move_to(place("well"));
    ///     seat(2).move_to(place("well"));
    /// '''
    /// expect.counted = { visits = { Green = 1, Mill = 1, Well = 2 } }
    /// ```
    #[does(CHANGES)]
    pub fn tally(
        cx: &mut Cx,
        #[names(Statistic)] id: Text,
        group: Text,
        amount: i64,
    ) -> StepResult<()> {
        cx.require_write_access("counting a statistic")?;
        let entry = entry_of_kind(cx, "statistic", &id)?;
        let tallies = cx.state.tallies.len();
        cx.charge_work(text_cost(group.len()) + search_cost(tallies, &group))?;
        let tallies = Arc::make_mut(&mut cx.state.tallies);
        match tallies
            .iter()
            .position(|(own, word, _)| *own == entry && **word == *group.as_str())
        {
            Some(at) => tallies[at].2 = tallies[at].2.saturating_add(amount),
            None if tallies.len() < 1000 => {
                tallies.push((entry, group, amount));
            }
            None => {
                return Err(cx.fault("too many groups: statistics hold at most 1000 numbers"));
            }
        }
        Ok(())
    }

    /// Returns the number of the current round.
    /// ```rhai
    /// round() // is 1
    /// ```
    pub fn round(cx: &mut Cx) -> StepResult<i64> {
        Ok(i64::from(cx.state.round))
    }

    /// Runs a script in a table of an entry.
    /// ```rhai
    /// let offer = piece("pedlar").deal[0];
    /// run(offer.result);
    /// actor.hand.len() // is 4
    /// ```
    #[name("run")]
    #[does(RUNS)]
    pub fn run_script(cx: &mut Cx, script: HookId) -> StepResult<Value> {
        let it = cx.calls.last().and_then(|call| call.it);
        let entry = cx.content().hooks[script.ix()].entry;
        run_as(cx, script, entry, it, Value::Unit)
    }

    /// Runs a script in a table of a piece's entry, with that piece as `it`.
    /// ```rhai
    /// let pedlar = piece("pedlar");
    /// run(pedlar, pedlar.deal[2].result);
    /// table.gate.is_empty() // is true
    /// ```
    #[name("run")]
    #[does(RUNS)]
    pub fn run_script_of(cx: &mut Cx, object: Entity, script: HookId) -> StepResult<Value> {
        let it = match object {
            Entity::Piece(piece) => Some(piece),
            _ => None,
        };
        let entry = cx.content().hooks[script.ix()].entry;
        run_as(cx, script, entry, it, Value::Unit)
    }

    /// Runs a script of a piece or place by name: `"do"`, `"on.turn_start"`, `"then.won"`.
    /// ```rhai
    /// run(piece("pedlar"), "do");
    /// actor.coins // is 5
    /// ```
    #[name("run")]
    #[does(RUNS)]
    pub fn run_piece(cx: &mut Cx, object: Entity, name: Text) -> StepResult<Value> {
        let Some(entry) = entry_of(cx, object) else {
            return Err(cx.fault("only a piece or a place has scripts to run"));
        };
        let it = match object {
            Entity::Piece(piece) => Some(piece),
            _ => None,
        };
        run_named(cx, entry, &name, it, Value::Unit)
    }

    /// Runs a script of another entry; `it` and `actor` stay the same.
    /// ```rhai
    /// run(entry("pedlar"), "do");
    /// actor.coins // is 5
    /// ```
    #[name("run")]
    #[does(RUNS)]
    pub fn run_entry(cx: &mut Cx, entry: EntryId, name: Text) -> StepResult<Value> {
        let it = cx.calls.last().and_then(|call| call.it);
        run_named(cx, entry, &name, it, Value::Unit)
    }

    /// Runs a script of another entry, found by its id.
    /// ```rhai
    /// run("pedlar", "do");
    /// actor.coins // is 5
    /// ```
    #[name("run")]
    #[does(RUNS)]
    pub fn run_id(cx: &mut Cx, id: Text, name: Text) -> StepResult<Value> {
        let entry = entry_id(cx, &id)?;
        let it = cx.calls.last().and_then(|call| call.it);
        run_named(cx, entry, &name, it, Value::Unit)
    }

    /// Runs the script that this one replaced and returns its value.
    /// ```toml
    /// [[patch]]
    /// entry = "phase/rest"
    /// set.do = '''
    ///     replaced();
    ///     actor.coins += 1;
    /// '''
    ///
    /// [[case]]
    /// name = "Rest fills the jug as ever, and pays a coin"
    /// moves = ["done"]
    /// expect.state = { "1.water" = 3, "1.coins" = 4 }
    /// ```
    #[does(RUNS)]
    pub fn replaced(cx: &mut Cx) -> StepResult<Value> {
        let Some(call) = cx.calls.last().cloned() else {
            return Ok(Value::Unit);
        };
        match cx.content().hooks[call.hook.ix()].base {
            Some(hook) => Ok(Value::clone(&run_hook(
                cx,
                HookCall {
                    hook,
                    question_count: 0,
                    ..call
                },
            )?)),
            None => Ok(Value::Unit),
        }
    }

    /// Returns whether two phases are the same.
    /// ```toml
    /// [[effect]]
    /// id = "habit"
    /// title = "Habit"
    /// text = "A coin whenever the phase begins in which it was taken up."
    /// on.phase_start = 'if event.phase == param("phase") && event.seat == subject() { event.seat.coins += 1; }'
    ///
    /// [[rule]]
    /// id = "first-habit"
    /// on.phase_end = '''
    ///     if !event.seat.has_effect("habit") { effect("habit", #{ subject: event.seat, phase: event.phase }); }
    /// '''
    ///
    /// [[case]]
    /// name = "Ann works again"
    /// moves = ["done", "done"]
    /// expect.state = { "1.coins" = 4 }
    /// ```
    #[name("==")]
    pub fn phases_equal(left: PhaseId, right: PhaseId) -> bool {
        left == right
    }

    /// Returns whether a phase has an id.
    /// ```toml
    /// [[rule]]
    /// id = "dew"
    /// on.phase_start = 'if event.phase == "rest" { event.seat.water += 1; }'
    ///
    /// [[case]]
    /// name = "Dew falls while Ann rests"
    /// moves = ["done"]
    /// expect.state = { "1.water" = 4 }
    /// ```
    #[name("==")]
    pub fn phase_is(cx: &mut Cx, phase: PhaseId, id: Text) -> StepResult<bool> {
        Ok(cx.is_named(cx.content().phases[phase.ix()].entry, &id))
    }

    /// Returns whether a phase has a different id.
    /// ```toml
    /// [[rule]]
    /// id = "wages"
    /// on.phase_end = 'if event.phase != "rest" { event.seat.coins += 1; }'
    ///
    /// [[case]]
    /// name = "Work pays, rest does not"
    /// moves = ["done"]
    /// expect.state = { "1.coins" = 4 }
    /// ```
    #[name("!=")]
    pub fn phase_is_not(cx: &mut Cx, phase: PhaseId, id: Text) -> StepResult<bool> {
        phase_is(cx, phase, id).map(|is| !is)
    }

    /// Returns whether a script exists.
    /// ```rhai
    /// let offers = piece("pedlar").deal;
    /// offers[0].result != () // is true
    /// offers[1].result != () // is false
    /// ```
    #[name("!=")]
    pub fn script_exists(_script: HookId, _nothing: ()) -> bool {
        true
    }
}
