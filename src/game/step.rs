//! The context of the steps of a game: created with it, reset before each step, and cleared after a step
//! that stopped early.

use std::rc::Rc;

use super::context::{Cx, StepContext, Verdict};
use super::log::Log;
use super::rules::Rules;
use super::setup::Setup;
use super::state::State;

/// The context of a game before its first step.
pub(super) fn new_step_context(rules: Rc<Rules>, state: State, setup: &Setup) -> StepContext {
    StepContext {
        state,
        roles: Vec::new(),
        rules,
        names: setup.names.clone(),
        log: Log {
            lines: Vec::new(),
            off: !setup.log,
        },
        calls: Vec::new(),
        script_pack: 0,
        listening: std::cell::RefCell::default(),
        events: Vec::new(),
        packets: Vec::new(),
        queries: Vec::new(),
        answers: Vec::new(),
        first_answer: 0,
        next_answer: 0,
        agent: None,
        labels: super::question::QuestionLabels::new(setup.without_labels),
        pending: None,
        after_hook: None,
        suspended: None,
        queue: Vec::new(),
        read_only: 0,
        evaluation_only: false,
        work: 0,
        fired: 0,
        runs: 0,
        all_runs: 0,
        skips: Vec::new(),
        verdict: Verdict::Open,
        chosen_options: setup.records_options.then(Vec::new),
        exploration: None,
        forced_numbers: None,
        forced_uses: Vec::new(),
        pending_contributions: Vec::new(),
        actor: None,
        journal: setup.journal.then(Vec::new),
        asks_forced: false,
        faults: Vec::new(),
    }
}

/// Prepares the context for the next run of a step.
pub(super) fn reset_step(cx: &mut Cx) {
    let context = &mut **cx;
    context.next_answer = context.first_answer;
    context.work = 0;
    context.fired = 0;
    context.runs = 0;
    context.read_only = 0;
    super::question::reset_labels(context);
}

/// Clears what a step that stopped early may have left behind.
pub(super) fn clear_step(cx: &mut Cx) {
    cx.calls.clear();
    cx.events.clear();
    cx.packets.clear();
    cx.queries.clear();
    cx.queue.clear();
    cx.pending_contributions.clear();
    cx.after_hook = None;
    cx.suspended = None;
}
