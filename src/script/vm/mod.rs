//! Runs bytecode. Frames and registers are plain values.

mod calls;
mod path;
mod surroundings;

use std::rc::Rc;

use calls::{ask, call, change};
use path::PathWalk;
#[cfg(feature = "reference")]
pub use surroundings::global_value;
pub use surroundings::hook_value;
use surroundings::{error_value, location, thrown};

use super::arithmetic;
use super::bytecode::{Address, Code, Op, Register, SwitchTest};
use super::operators;
use super::primitives;
use super::property;
use super::syntax::BinaryOp;
use crate::game::context::{MAX_WORK, work_limit_message};
use crate::game::{Cx, StepResult, Stop};
use crate::value::{Map, Value};

/// The maximum depth of nested calls of pack functions.
pub const MAX_LEVELS: usize = 32;

/// Why an instruction failed.
#[derive(Debug)]
pub enum ScriptError {
    /// The game stops the script; `try` does not catch it.
    Stop(Stop),
    /// An error of the language, with a message for the author.
    Error(String),
    /// A value that the script has thrown.
    Thrown(Value),
}

impl From<Stop> for ScriptError {
    fn from(stop: Stop) -> ScriptError {
        ScriptError::Stop(stop)
    }
}

/// Where the code of functions comes from.
pub trait CodeSource {
    /// The code of a function of a pack, or of the language.
    fn function(&self, number: u16) -> Rc<Code>;

    /// Counts a statement for coverage.
    fn cover(&self, statement: u32);
}

/// The registers and frames of a running script.
#[derive(Clone, Debug, Default)]
pub struct Machine {
    stack: Vec<Value>,
    frames: Vec<CallFrame>,
    handlers: Vec<Handler>,
    closures: Vec<ClosureValue>,
    /// The function that asked, while the script waits for an answer.
    running: Option<Running>,
    /// Whether the script waits for an answer and can go on with the instruction that asked.
    waits: bool,
}

/// A function that waits for another one to return.
#[derive(Clone, Debug)]
struct CallFrame {
    code: Rc<Code>,
    next: Address,
    base: usize,
    /// The register for the result of the call.
    to: Register,
}

/// Where an error is caught.
#[derive(Clone, Copy, Debug)]
struct Handler {
    /// The number of frames around the `try`.
    frames: usize,
    error: Register,
    catch: Address,
}

#[derive(Clone, Debug)]
struct ClosureValue {
    code: Rc<Code>,
    captured: Box<[Value]>,
}

/// The function that is running.
#[derive(Clone, Debug)]
struct Running {
    code: Rc<Code>,
    next: usize,
    base: usize,
}

/// The result of an instruction.
pub type OpResult<T = ()> = Result<T, ScriptError>;

impl Machine {
    /// Runs the code of a hook and returns its value.
    ///
    /// # Errors
    /// Returns [`Stop`] if the script suspends, ends the game or fails.
    pub fn run(
        &mut self,
        cx: &mut Cx,
        library: &impl CodeSource,
        code: Rc<Code>,
    ) -> StepResult<Value> {
        self.clear();
        self.stack.resize(usize::from(code.registers), Value::Unit);
        let running = Running {
            code,
            next: 0,
            base: 0,
        };
        self.go_on(cx, library, running)
    }

    /// Goes on with a script that waits for an answer.
    ///
    /// # Errors
    /// Returns [`Stop`] if the script suspends, ends the game or fails.
    pub fn resume(&mut self, cx: &mut Cx, library: &impl CodeSource) -> StepResult<Value> {
        match self.running.take() {
            Some(running) => self.go_on(cx, library, running),
            None => Ok(Value::Unit),
        }
    }

    fn go_on(
        &mut self,
        cx: &mut Cx,
        library: &impl CodeSource,
        mut running: Running,
    ) -> StepResult<Value> {
        self.waits = false;
        loop {
            match self.execute(cx, library, &mut running) {
                Ok(value) => return Ok(value),
                Err(failure) => {
                    if let Err(stop) = self.catch(cx, &mut running, failure) {
                        self.running = self.waits.then_some(running);
                        return Err(stop);
                    }
                }
            }
        }
    }

    /// Whether the script waits for an answer and can be resumed.
    #[must_use]
    pub fn waits(&self) -> bool {
        self.waits
    }

    fn clear(&mut self) {
        self.stack.clear();
        self.frames.clear();
        self.handlers.clear();
        self.closures.clear();
    }

    /// Goes on where an error is caught, or returns the fault.
    fn catch(&mut self, cx: &Cx, running: &mut Running, failure: ScriptError) -> StepResult {
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
        self.stack.truncate(end);
        self.stack[running.base + usize::from(handler.error)] = error;
        Ok(())
    }

    #[allow(
        clippy::too_many_lines,
        reason = "one instruction after another; the work is in functions"
    )]
    fn execute(
        &mut self,
        cx: &mut Cx,
        library: &impl CodeSource,
        running: &mut Running,
    ) -> OpResult<Value> {
        let overloads_table = primitives::table();
        // Each round runs one function, until it calls another one or returns.
        'functions: loop {
            let code = running.code.clone();
            let registers = &mut self.stack[running.base..];
            macro_rules! register {
                ($register:expr) => {
                    registers[usize::from($register)]
                };
            }
            macro_rules! set {
                ($register:expr, $value:expr) => {{
                    let value = $value;
                    put(&mut register!($register), value);
                }};
            }
            macro_rules! compare {
                ($to:expr, $left:expr, $right:expr, $op:tt, $binary:expr) => {{
                    let result = match (&register!($left), &register!($right)) {
                        (Value::Int(left), Value::Int(right)) => Value::Bool(left $op right),
                        (left, right) => arithmetic::binary(cx, $binary, left, right)?,
                    };
                    set!($to, result);
                }};
            }
            loop {
                let Some(&op) = code.ops.get(running.next) else {
                    return Ok(Value::Unit);
                };
                running.next += 1;
                cx.work += 1;
                if cx.work > MAX_WORK {
                    return Err(cx.fault(work_limit_message()).into());
                }
                match op {
                    Op::Constant { to, constant } => {
                        set!(to, code.constants[usize::from(constant)].clone());
                    }
                    Op::Int { to, number } => set!(to, Value::Int(number.into())),
                    Op::Unit { to } => set!(to, Value::Unit),
                    Op::Copy { to, from } => set!(to, register!(from).clone()),
                    Op::Move { to, from } => {
                        let value = std::mem::take(&mut register!(from));
                        set!(to, value);
                    }
                    Op::Hook { to, name } => set!(to, hook_value(cx, name)),
                    Op::Property { to, of, name } => {
                        let name = &code.names[usize::from(name)];
                        set!(to, property::get(cx, &register!(of), name)?);
                    }
                    Op::Index { to, of, at } => {
                        set!(to, property::index(cx, &register!(of), &register!(at))?);
                    }
                    Op::Add { to, left, right } => {
                        let result = match (&register!(left), &register!(right)) {
                            (Value::Int(left), Value::Int(right)) => {
                                arithmetic::add(*left, *right)?
                            }
                            (left, right) => arithmetic::binary(cx, BinaryOp::Add, left, right)?,
                        };
                        set!(to, result);
                    }
                    Op::Subtract { to, left, right } => {
                        let result = match (&register!(left), &register!(right)) {
                            (Value::Int(left), Value::Int(right)) => {
                                arithmetic::subtract(*left, *right)?
                            }
                            (left, right) => {
                                arithmetic::binary(cx, BinaryOp::Subtract, left, right)?
                            }
                        };
                        set!(to, result);
                    }
                    Op::AddNumber { to, left, number } => {
                        let result = match &register!(left) {
                            Value::Int(left) => arithmetic::add(*left, number.into())?,
                            left if number < 0 => arithmetic::binary(
                                cx,
                                BinaryOp::Subtract,
                                left,
                                &Value::Int(-i64::from(number)),
                            )?,
                            left => arithmetic::binary(
                                cx,
                                BinaryOp::Add,
                                left,
                                &Value::Int(number.into()),
                            )?,
                        };
                        set!(to, result);
                    }
                    Op::Equal { to, left, right } => compare!(to, left, right, ==, BinaryOp::Equal),
                    Op::NotEqual { to, left, right } => {
                        compare!(to, left, right, !=, BinaryOp::NotEqual);
                    }
                    Op::Less { to, left, right } => compare!(to, left, right, <, BinaryOp::Less),
                    Op::LessOrEqual { to, left, right } => {
                        compare!(to, left, right, <=, BinaryOp::LessOrEqual);
                    }
                    Op::Greater { to, left, right } => {
                        compare!(to, left, right, >, BinaryOp::Greater);
                    }
                    Op::GreaterOrEqual { to, left, right } => {
                        compare!(to, left, right, >=, BinaryOp::GreaterOrEqual);
                    }
                    Op::Binary {
                        op,
                        to,
                        left,
                        right,
                    } => {
                        let result =
                            arithmetic::binary(cx, op, &register!(left), &register!(right))?;
                        set!(to, result);
                    }
                    Op::Not { to, value } => {
                        let result = !truth(&register!(value))?;
                        set!(to, Value::Bool(result));
                    }
                    Op::Negate { to, value } => {
                        set!(to, arithmetic::negate(&register!(value))?);
                    }
                    Op::Assign { op, local, value } => {
                        let mut target = std::mem::take(&mut register!(local));
                        let result = arithmetic::assign(cx, op, &mut target, &register!(value));
                        set!(local, target);
                        result?;
                    }
                    Op::Jump { target } => running.next = target as usize,
                    Op::JumpIf { test, target } => {
                        if truth(&register!(test))? {
                            running.next = target as usize;
                        }
                    }
                    Op::JumpIfNot { test, target } => {
                        if !truth(&register!(test))? {
                            running.next = target as usize;
                        }
                    }
                    Op::CheckBool { value } => {
                        truth(&register!(value))?;
                    }
                    Op::JumpIfUnit { test, target } => {
                        if matches!(register!(test), Value::Unit) {
                            running.next = target as usize;
                        }
                    }
                    Op::JumpIfNotUnit { test, target } => {
                        if !matches!(register!(test), Value::Unit) {
                            running.next = target as usize;
                        }
                    }
                    Op::List { to, first, count } => {
                        let first = usize::from(first);
                        let items = &mut registers[first..first + usize::from(count)];
                        let items = items.iter_mut().map(std::mem::take).collect();
                        set!(to, operators::bounded(cx, Value::from_list(items))?);
                    }
                    Op::Map { to, first, keys } => {
                        let keys = &code.keys[usize::from(keys)];
                        let first = usize::from(first);
                        let values = &mut registers[first..first + keys.len()];
                        let values = values.iter_mut().map(std::mem::take);
                        let map = Map::from_sorted(keys.iter().cloned().zip(values).collect());
                        set!(to, operators::bounded(cx, Value::Map(map))?);
                    }
                    Op::Interpolation { to, first, count } => {
                        let first = usize::from(first);
                        let parts = &registers[first..first + usize::from(count)];
                        set!(to, arithmetic::interpolate(cx, parts)?);
                    }
                    Op::Call {
                        to,
                        function,
                        first,
                    } => {
                        let code = library.function(function);
                        let first = running.base + usize::from(first);
                        let count = usize::from(code.parameters);
                        self.enter(cx, running, code, to, first..first + count)?;
                        continue 'functions;
                    }
                    Op::Primitive {
                        to,
                        overloads,
                        first,
                    } => {
                        let overloads = &overloads_table[usize::from(overloads)];
                        let first = usize::from(first);
                        let arguments = &mut registers[first..first + overloads.count];
                        if overloads.asks && cx.after_hook.is_some() && cx.calls.len() == 1 {
                            let result = ask(cx, overloads, arguments, &mut self.waits);
                            running.next -= usize::from(self.waits);
                            set!(to, result?);
                        } else {
                            set!(to, call(cx, overloads, arguments)?);
                        }
                    }
                    Op::Change {
                        to,
                        overloads,
                        first,
                        local,
                    } => {
                        let overloads = &overloads_table[usize::from(overloads)];
                        let mut target = std::mem::take(&mut register!(local));
                        let first = usize::from(first);
                        let arguments = &mut registers[first..first + overloads.count];
                        let result = change(cx, overloads, arguments, &mut target);
                        set!(local, target);
                        set!(to, result?);
                    }
                    Op::Path {
                        to,
                        root,
                        path,
                        value,
                    } => {
                        let mut target = std::mem::take(&mut register!(root));
                        let mut walk = PathWalk {
                            path: &code.paths[usize::from(path)],
                            names: &code.names,
                            registers,
                            value: usize::from(value),
                        };
                        let result = walk.descend(cx, &mut target, 0);
                        set!(root, target);
                        set!(to, result?);
                    }
                    Op::Closure {
                        to,
                        function,
                        first,
                    } => {
                        let code = code.closures[usize::from(function)].clone();
                        let first = usize::from(first);
                        let captured = &mut registers[first..first + usize::from(code.captured)];
                        let captured = captured.iter_mut().map(std::mem::take).collect();
                        let number = u32::try_from(self.closures.len()).unwrap_or(u32::MAX);
                        self.closures.push(ClosureValue { code, captured });
                        set!(to, Value::Function(number));
                    }
                    Op::CallClosure {
                        to,
                        closure,
                        first,
                        count,
                    } => {
                        self.call_closure(cx, running, to, closure, first, count)?;
                        continue 'functions;
                    }
                    Op::Iterate { state, over } => {
                        let list = arithmetic::iterate(cx, &register!(over))?;
                        set!(state, list);
                        set!(state + 1, Value::Int(0));
                    }
                    Op::Next { to, state, done } => {
                        let item = match (&register!(state), &register!(state + 1)) {
                            (Value::List(list), Value::Int(at)) => {
                                usize::try_from(*at).ok().and_then(|at| list.get(at))
                            }
                            _ => None,
                        };
                        match item.cloned() {
                            Some(item) => {
                                if let Value::Int(at) = &mut register!(state + 1) {
                                    *at += 1;
                                }
                                set!(to, item);
                            }
                            None => running.next = done as usize,
                        }
                    }
                    Op::Range { state, inclusive } => {
                        let end = match (&register!(state), &register!(state + 1)) {
                            (Value::Int(_), Value::Int(end)) => {
                                end.saturating_add(i64::from(inclusive))
                            }
                            (from, end) => {
                                return Err(ScriptError::Error(format!(
                                    "a range needs two numbers, not {} and {}",
                                    property::describe(from),
                                    property::describe(end)
                                )));
                            }
                        };
                        set!(state + 1, Value::Int(end));
                    }
                    Op::NextNumber { to, state, done } => {
                        match (&register!(state), &register!(state + 1)) {
                            (Value::Int(now), Value::Int(end)) if now < end => {
                                let now = *now;
                                set!(state, Value::Int(now + 1));
                                set!(to, Value::Int(now));
                            }
                            _ => running.next = done as usize,
                        }
                    }
                    Op::Switch { on, table } => {
                        let table = &code.switches[usize::from(table)];
                        let on = &register!(on);
                        cx.work += table.cases.len() as u64;
                        let fits = |test: &SwitchTest| match (test, on) {
                            (SwitchTest::Is(value), on) => value == on,
                            (SwitchTest::Between(from, last), Value::Int(on)) => {
                                from <= on && on <= last
                            }
                            _ => false,
                        };
                        let case = table.cases.iter().find(|(test, _)| fits(test));
                        let target = case.map_or(table.otherwise, |(_, target)| *target);
                        running.next = target as usize;
                    }
                    Op::Return { value } => {
                        let value = std::mem::take(&mut register!(value));
                        if let Some(value) = self.leave(running, value) {
                            return Ok(value);
                        }
                        continue 'functions;
                    }
                    Op::ReturnUnit => {
                        if let Some(value) = self.leave(running, Value::Unit) {
                            return Ok(value);
                        }
                        continue 'functions;
                    }
                    Op::Throw { value } => {
                        return Err(ScriptError::Thrown(std::mem::take(&mut register!(value))));
                    }
                    Op::Try { error, catch } => self.handlers.push(Handler {
                        frames: self.frames.len(),
                        error,
                        catch,
                    }),
                    Op::EndTry => {
                        self.handlers.pop();
                    }
                    Op::Cover { statement } => {
                        cx.work -= 1;
                        library.cover(statement);
                    }
                    Op::Unknown { name, count } => {
                        let name = code.names[usize::from(name)].name();
                        return Err(ScriptError::Error(arithmetic::unknown_function(
                            name,
                            count.into(),
                        )));
                    }
                    Op::UnknownVariable { name } => {
                        let name = code.names[usize::from(name)].name();
                        return Err(ScriptError::Error(format!("unknown variable `{name}`")));
                    }
                    Op::Unsupported => {
                        return Err(ScriptError::Error(
                            "scripts cannot use this part of the language: see `kaer check`"
                                .to_owned(),
                        ));
                    }
                }
            }
        }
    }

    /// Starts a function whose arguments are in the stack.
    fn enter(
        &mut self,
        cx: &Cx,
        running: &mut Running,
        code: Rc<Code>,
        to: Register,
        arguments: std::ops::Range<usize>,
    ) -> OpResult {
        if self.frames.len() >= MAX_LEVELS {
            return Err(cx
                .fault("function calls are nested too deep: check for endless recursion")
                .into());
        }
        let base = self.stack.len();
        for at in arguments {
            let value = std::mem::take(&mut self.stack[at]);
            self.stack.push(value);
        }
        let end = base + usize::from(code.registers);
        self.stack.resize(end, Value::Unit);
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

    /// Returns from a function; gives the value if it was the hook itself.
    fn leave(&mut self, running: &mut Running, value: Value) -> Option<Value> {
        let Some(frame) = self.frames.pop() else {
            return Some(value);
        };
        let around = self.frames.len();
        while self
            .handlers
            .last()
            .is_some_and(|handler| handler.frames > around)
        {
            self.handlers.pop();
        }
        self.stack.truncate(running.base);
        running.code = frame.code;
        running.next = frame.next as usize;
        running.base = frame.base;
        self.stack[frame.base + usize::from(frame.to)] = value;
        None
    }

    fn call_closure(
        &mut self,
        cx: &Cx,
        running: &mut Running,
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
            return Err(ScriptError::Error(
                "this is not an inline function".to_owned(),
            ));
        };
        let own = code.parameters - code.captured;
        if own == 0 || own > count {
            return Err(ScriptError::Error(format!(
                "this inline function takes {own} parameters, but gets {count}"
            )));
        }
        let first = running.base + usize::from(first);
        let base = self.stack.len();
        let captured_count = captured.len();
        self.enter(cx, running, code, to, 0..0)?;
        for (ix, value) in captured.into_iter().enumerate() {
            self.stack[base + ix] = value;
        }
        for ix in 0..usize::from(own) {
            self.stack[base + captured_count + ix] = self.stack[first + ix].clone();
        }
        Ok(())
    }
}

/// Stores a value in a register. Most values need no clean-up.
#[inline]
fn put(register: &mut Value, value: Value) {
    let old = std::mem::replace(register, value);
    if old.is_shared() {
        drop(old);
    } else {
        std::mem::forget(old);
    }
}

#[inline]
fn truth(value: &Value) -> OpResult<bool> {
    match value {
        Value::Bool(yes) => Ok(*yes),
        other => Err(ScriptError::Error(format!(
            "expected true or false, not {}",
            property::describe(other)
        ))),
    }
}
