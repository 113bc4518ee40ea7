//! Runs hooks.

use std::rc::Rc;

use super::bytecode::Code;
use super::compile::Scripts;
use super::inputs::{self, argument_fields};
use super::memo::PureScript;
use super::vm::Machine;
use crate::content::{HookId, HookRole};
use crate::game::context::MAX_WORK;
use crate::game::{Cx, HookRunner, OptionInputs, StepResult, Stop, SuspendedScript, SuspendedStep};
use crate::value::{Text, Value};

/// A script that waits for an answer.
struct SuspendedMachine {
    scripts: Rc<Scripts>,
    machine: Box<Machine>,
}

impl SuspendedScript for SuspendedMachine {
    fn resume(mut self: Box<Self>, cx: &mut Cx) -> StepResult<Value> {
        let result = self.machine.resume(cx, &*self.scripts);
        self.scripts.finish(cx, self.machine, result)
    }

    fn boxed(&self) -> Box<dyn SuspendedScript> {
        Box::new(SuspendedMachine {
            scripts: self.scripts.clone(),
            machine: self.machine.clone(),
        })
    }
}

impl Scripts {
    /// Stores a machine whose script waits for an answer in the step.
    fn suspend(
        self: Rc<Self>,
        cx: &mut Cx,
        machine: Box<Machine>,
        result: StepResult<Value>,
    ) -> StepResult<Value> {
        match (cx.after_hook, cx.calls.last()) {
            (Some(after), Some(call)) => {
                let call = call.clone();
                cx.suspended = Some(Box::new(SuspendedStep {
                    script: Box::new(SuspendedMachine {
                        scripts: self,
                        machine,
                    }),
                    call,
                    after,
                }));
            }
            _ => self.machines.borrow_mut().push(machine),
        }
        result
    }

    /// Ends the run of a machine.
    #[inline]
    fn finish(
        self: &Rc<Self>,
        cx: &mut Cx,
        machine: Box<Machine>,
        result: StepResult<Value>,
    ) -> StepResult<Value> {
        if machine.is_suspended() && matches!(result, Err(Stop::Suspend)) {
            return self.clone().suspend(cx, machine, result);
        }
        self.machines.borrow_mut().push(machine);
        result
    }
}

impl HookRunner for Rc<Scripts> {
    fn counter_guard(&self, hook: HookId) -> Option<Text> {
        let script = self.compiled_hooks.get(hook.ix())?.as_ref()?;
        inputs::counter_guard(&script.tree.body).cloned()
    }

    fn option_inputs(&self, hooks: &[HookId], argument: &Value) -> Option<OptionInputs> {
        let mut inputs = OptionInputs::new();
        for hook in hooks {
            let script = self.compiled_hooks.get(hook.ix())?.as_ref()?;
            let fields = script.argument_fields.get_or_init(|| {
                let intern = |name: &str| self.program().interned(&self.content, name);
                argument_fields(&script.tree.body, &intern)
            });
            for name in fields.as_ref()? {
                match argument {
                    Value::Map(map) => inputs.push(map.get_interned(name)?.clone()),
                    _ => return None,
                }
            }
        }
        Some(inputs)
    }

    fn run(&self, cx: &mut Cx, hook: HookId) -> StepResult<Value> {
        let Some(ready) = self.ready(hook) else {
            return Err(cx.fault("this script has a syntax error and cannot run: see `kaer check`"));
        };
        match &ready.pure {
            Some(pure) => self.run_pure(cx, ready, pure),
            None => self.run_code(cx, ready),
        }
    }
}

/// Data that all runs of a hook share.
pub(super) struct ReadyHook {
    code: Rc<Code>,
    /// The results so far, if they depend on nothing but printed fields.
    pure: Option<PureScript>,
    /// Whether the value is ignored, as that of a hook or an answer.
    ignores_value: bool,
}

impl Scripts {
    /// A hook that is ready to run; `None` if its script has a syntax error.
    #[inline]
    fn ready(&self, hook: HookId) -> Option<&ReadyHook> {
        let ready = self.ready.get(hook.ix())?;
        match ready.get() {
            Some(ready) => Some(ready),
            None => {
                let made = self.prepare(hook)?;
                Some(ready.get_or_init(|| made))
            }
        }
    }

    fn prepare(&self, hook: HookId) -> Option<ReadyHook> {
        let compiled = self.compiled_hooks.get(hook.ix())?.as_ref()?;
        let def = &self.content.hooks[hook.ix()];
        let intern = |name: &str| self.program().interned(&self.content, name);
        let pure = || PureScript::new(&compiled.tree.body, &self.content, def.script.by, &intern);
        Some(ReadyHook {
            code: self.hook_code(compiled, def, hook),
            // Coverage sees every run.
            pure: self.trace.get().is_none().then(pure).flatten(),
            ignores_value: matches!(
                def.role,
                HookRole::On(_) | HookRole::Offer(_) | HookRole::Answer(_)
            ),
        })
    }

    /// Runs a script, or takes the result of an earlier run with the same inputs.
    fn run_pure(
        self: &Rc<Self>,
        cx: &mut Cx,
        ready: &ReadyHook,
        pure: &PureScript,
    ) -> StepResult<Value> {
        let Some(inputs) = pure.inputs(cx) else {
            return self.run_code(cx, ready);
        };
        if let Some((value, work)) = pure.cached(&inputs)
            && cx.work + work <= MAX_WORK
        {
            cx.work += work;
            return Ok(value);
        }
        let before = cx.work;
        let value = self.run_code(cx, ready)?;
        pure.store(inputs, value.clone(), cx.work - before);
        Ok(value)
    }

    fn run_code(self: &Rc<Self>, cx: &mut Cx, ready: &ReadyHook) -> StepResult<Value> {
        let mut machine = self.machines.borrow_mut().pop().unwrap_or_default();
        let result = machine.run(cx, &**self, ready.code.clone());
        match self.finish(cx, machine, result) {
            Ok(_) if ready.ignores_value => Ok(Value::Unit),
            // The script has decided.
            Err(Stop::Leave) => Ok(Value::Unit),
            result => result,
        }
    }
}
