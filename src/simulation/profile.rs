//! A profiler for scripts: how often each hook runs, and how long it takes without nested hooks.

#![allow(
    clippy::disallowed_methods,
    reason = "this measures how long scripts take; nothing of it reaches a game"
)]

use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use crate::content::HookId;
use crate::game::{Cx, HookRunner, OptionInputs, Rules, StepResult, SuspendedScript};
use crate::value::Value;

/// The number of runs of a hook and their total time, without nested hooks.
#[derive(Clone, Copy, Debug, Default)]
pub struct HookTime {
    pub runs: u64,
    pub time: Duration,
}

/// Runs hooks and measures their time.
struct TimedRunner {
    inner: Rc<Rules>,
    watch: Rc<RefCell<HookClock>>,
}

#[derive(Default)]
struct HookClock {
    spent: Vec<HookTime>,
    /// The time of nested hooks, for each running hook; it is subtracted from the outer hook.
    nested: Vec<Duration>,
}

impl HookRunner for TimedRunner {
    fn run(&self, cx: &mut Cx, hook: HookId) -> StepResult<Value> {
        self.watch.borrow_mut().spent[hook.ix()].runs += 1;
        self.timed(hook, || self.inner.runner.run(cx, hook))
    }

    fn option_inputs(&self, hooks: &[HookId], argument: &Value) -> Option<OptionInputs> {
        self.inner.runner.option_inputs(hooks, argument)
    }

    fn resume(
        &self,
        cx: &mut Cx,
        hook: HookId,
        script: Box<dyn SuspendedScript>,
    ) -> StepResult<Value> {
        self.timed(hook, || self.inner.runner.resume(cx, hook, script))
    }
}

impl TimedRunner {
    /// Measures a run of a hook, or a part of one, without the hooks inside it.
    fn timed<T>(&self, hook: HookId, run: impl FnOnce() -> T) -> T {
        self.watch.borrow_mut().nested.push(Duration::ZERO);
        let started = Instant::now();
        let result = run();
        let total = started.elapsed();
        let mut watch = self.watch.borrow_mut();
        let nested_time = watch.nested.pop().unwrap_or_default();
        if let Some(outer) = watch.nested.last_mut() {
            *outer += total;
        }
        watch.spent[hook.ix()].time += total.saturating_sub(nested_time);
        result
    }
}

/// The measurements of one or more games.
pub struct Profile(Rc<RefCell<HookClock>>);

impl Profile {
    /// Wraps rules so that every hook is measured.
    #[must_use]
    pub fn attach(rules: &Rc<Rules>) -> (Rc<Rules>, Profile) {
        let spent = vec![HookTime::default(); rules.content.hooks.len()];
        let watch = Rc::new(RefCell::new(HookClock {
            spent,
            nested: Vec::new(),
        }));
        let runner = Box::new(TimedRunner {
            inner: rules.clone(),
            watch: watch.clone(),
        });
        (Rc::new(rules.with_runner(runner)), Profile(watch))
    }

    /// The hooks that ran, slowest first.
    #[must_use]
    pub fn hooks(&self) -> Vec<(HookId, HookTime)> {
        let watch = self.0.borrow();
        let ran = (0..watch.spent.len())
            .map(|ix| (HookId::at(ix), watch.spent[ix]))
            .filter(|(_, spent)| spent.runs > 0);
        let mut hooks: Vec<_> = ran.collect();
        hooks.sort_by_key(|(hook, spent)| (std::cmp::Reverse(spent.time), *hook));
        hooks
    }
}
