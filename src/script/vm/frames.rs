//! The registers and frames of running functions.

use std::rc::Rc;

use super::environment::{error_value, location, thrown};
use super::{
    ActiveFrame, CallFrame, ClosureValue, MAX_CALL_DEPTH, Machine, OpResult, ScriptError, put,
};
use crate::game::context::{MAX_WORK, work_limit_message};
use crate::game::{Cx, StepResult, Stop};
use crate::script::bytecode::{Address, Code, Register};
use crate::value::Value;

impl Machine {
    /// Adds registers at the top of the stack.
    pub(super) fn reserve(&mut self, registers: u16) {
        self.top += usize::from(registers);
        if self.stack.len() < self.top {
            self.stack.resize(self.top + 32, Value::Unit);
        }
    }

    /// Frees the registers from `top` on. Code writes every register before it reads it, so values
    /// that own no heap memory stay where they are.
    #[inline]
    pub(super) fn shrink(&mut self, top: usize) {
        for register in &mut self.stack[top..self.top] {
            if register.is_shared() {
                *register = Value::Unit;
            }
        }
        self.top = top;
    }

    pub(super) fn clear(&mut self) {
        self.shrink(0);
        self.frames.clear();
        self.handlers.clear();
        self.closures.clear();
    }

    /// Jumps to the handler of an error, or returns the fault.
    pub(super) fn catch(
        &mut self,
        cx: &mut Cx,
        running: &mut ActiveFrame,
        failure: ScriptError,
    ) -> StepResult {
        let message = match failure {
            ScriptError::Stop(Stop::Fault(mut fault)) => {
                let run = cx.calls.last().map_or(0, |call| call.run);
                if fault.at.is_none() && fault.run == run {
                    fault.at = location(&running.code, running.next);
                }
                return Err(Stop::Fault(fault));
            }
            ScriptError::Stop(stop) => return Err(stop),
            ScriptError::Error(message) => Err(message),
            ScriptError::Thrown(value) => Ok(value),
        };
        let at = location(&running.code, running.next);
        // Finding the line goes through the text before it.
        let offset = running.code.offsets.get(running.next.saturating_sub(1));
        cx.work += offset.map_or(0, |offset| u64::from(*offset)) / 64;
        let Some(handler) = self.handlers.pop() else {
            let message = match message {
                Ok(value) => thrown(cx, &value),
                Err(message) => message,
            };
            let mut stop = cx.fault(message);
            if let Stop::Fault(fault) = &mut stop {
                fault.at = at;
            }
            return Err(stop);
        };
        while self.frames.len() > handler.frames
            && let Some(frame) = self.frames.pop()
        {
            running.code = frame.code;
            running.base = frame.base;
        }
        let error = match message {
            Ok(value) => value,
            Err(message) => error_value(&message, at.as_ref()),
        };
        running.next = handler.catch as usize;
        let end = running.base + usize::from(running.code.registers);
        self.shrink(end);
        self.stack[running.base + usize::from(handler.error)] = error;
        Ok(())
    }

    /// Starts a function whose arguments are on the stack.
    pub(super) fn enter(
        &mut self,
        cx: &Cx,
        running: &mut ActiveFrame,
        code: Rc<Code>,
        to: Register,
        arguments: std::ops::Range<usize>,
    ) -> OpResult {
        if cx.work > MAX_WORK {
            return Err(cx.fault(work_limit_message()).into());
        }
        if self.frames.len() >= MAX_CALL_DEPTH {
            return Err(cx
                .fault("function calls are nested too deeply: check for endless recursion")
                .into());
        }
        let base = self.top;
        self.reserve(code.registers);
        let (before, registers) = self.stack.split_at_mut(base);
        for (register, argument) in registers.iter_mut().zip(&mut before[arguments]) {
            std::mem::swap(register, argument);
        }
        let caller = std::mem::replace(&mut running.code, code);
        self.frames.push(CallFrame {
            code: caller,
            next: Address::try_from(running.next).unwrap_or(Address::MAX),
            base: running.base,
            to,
        });
        running.next = 0;
        running.base = base;
        Ok(())
    }

    /// Returns from a function; returns the value if it was the hook itself.
    #[inline]
    pub(super) fn leave(&mut self, running: &mut ActiveFrame, value: Value) -> Option<Value> {
        let Some(frame) = self.frames.pop() else {
            return Some(value);
        };
        let depth = self.frames.len();
        while self
            .handlers
            .last()
            .is_some_and(|handler| handler.frames > depth)
        {
            self.handlers.pop();
        }
        self.shrink(running.base);
        running.code = frame.code;
        running.next = frame.next as usize;
        running.base = frame.base;
        put(&mut self.stack[frame.base + usize::from(frame.to)], value);
        None
    }

    pub(super) fn call_closure(
        &mut self,
        cx: &Cx,
        running: &mut ActiveFrame,
        to: Register,
        closure: Register,
        first: Register,
        count: u16,
    ) -> OpResult {
        let number = match self.stack[running.base + usize::from(closure)] {
            Value::Function(number) => number as usize,
            _ => usize::MAX,
        };
        let Some(ClosureValue { code, captured }) = self.closures.get(number).cloned() else {
            return Err(ScriptError::Error("this is not a closure".to_owned()));
        };
        let arity = code.parameters - code.captured;
        if arity == 0 || arity > count {
            return Err(ScriptError::Error(format!(
                "this closure takes {arity} arguments, but got {count}"
            )));
        }
        let first = running.base + usize::from(first);
        let base = self.top;
        let captured_count = captured.len();
        self.enter(cx, running, code, to, 0..0)?;
        for (ix, value) in captured.into_iter().enumerate() {
            self.stack[base + ix] = value;
        }
        for ix in 0..usize::from(arity) {
            self.stack[base + captured_count + ix] = self.stack[first + ix].clone();
        }
        Ok(())
    }
}
