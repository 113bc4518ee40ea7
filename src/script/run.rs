//! Runs hooks.

use std::rc::Rc;

use super::compile::Scripts;
use super::inputs::{self, argument_fields};
use super::vm::Machine;
use crate::content::{HookId, HookRole};
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
        self.scripts.clone().finish(cx, self.machine, result)
    }

    fn boxed(&self) -> Box<dyn SuspendedScript> {
        Box::new(SuspendedMachine {
            scripts: self.scripts.clone(),
            machine: self.machine.clone(),
        })
    }
}

impl Scripts {
    /// Ends the run of a machine: it is kept with the step if it waits for an answer.
    fn finish(
        self: Rc<Self>,
        cx: &mut Cx,
        machine: Box<Machine>,
        result: StepResult<Value>,
    ) -> StepResult<Value> {
        if matches!(result, Err(Stop::Suspend))
            && machine.is_suspended()
            && let (Some(after), Some(call)) = (cx.after_hook, cx.calls.last())
        {
            let call = call.clone();
            cx.suspended = Some(Box::new(SuspendedStep {
                script: Box::new(SuspendedMachine {
                    scripts: self,
                    machine,
                }),
                call,
                after,
            }));
        } else {
            self.machines.borrow_mut().push(machine);
        }
        result
    }
}

impl HookRunner for Rc<Scripts> {
    fn counter_guard(&self, hook: HookId) -> Option<Text> {
        let script = self.codes.get(hook.ix())?.as_ref()?;
        inputs::counter_guard(&script.tree.body).cloned()
    }

    fn option_inputs(&self, hooks: &[HookId], each: &Value) -> Option<OptionInputs> {
        let mut inputs = OptionInputs::new();
        for hook in hooks {
            let script = self.codes.get(hook.ix())?.as_ref()?;
            let fields = script.argument_fields.get_or_init(|| {
                let intern = |name: &str| self.program().interned(&self.content, name);
                argument_fields(&script.tree.body, &intern)
            });
            for name in fields.as_ref()? {
                match each {
                    Value::Map(map) => inputs.push(map.get_interned(name)?.clone()),
                    _ => return None,
                }
            }
        }
        Some(inputs)
    }

    fn run(&self, cx: &mut Cx, hook: HookId) -> StepResult<Value> {
        let Some(Some(code)) = self.codes.get(hook.ix()) else {
            return Err(cx.fault("this script has a syntax error and cannot run: see `kaer check`"));
        };
        let def = &self.content.hooks[hook.ix()];
        let code = self.hook_code(code, def, hook);
        let mut machine = self.machines.borrow_mut().pop().unwrap_or_default();
        let result = machine.run(cx, &**self, code);
        match self.clone().finish(cx, machine, result) {
            // The value of a hook or an answer is ignored.
            Ok(_)
                if matches!(
                    def.role,
                    HookRole::On(_) | HookRole::Offer(_) | HookRole::Answer(_)
                ) =>
            {
                Ok(Value::Unit)
            }
            // The script has decided.
            Err(Stop::Leave) => Ok(Value::Unit),
            result => result,
        }
    }
}
