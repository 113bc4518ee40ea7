//! Runs bytecode. Frames and registers are plain values.

mod calls;
mod environment;
mod frames;
mod path;

use std::rc::Rc;

use calls::{ask, call, change};
#[cfg(feature = "reference")]
pub use environment::global_value;
use environment::hook_property;
pub use environment::hook_value;
use path::PathWalk;

use super::arithmetic;
use super::bytecode::{Address, Code, Op, Register, SwitchTest};
use super::operators;
use super::primitives::{self, object};
use super::property;
use super::syntax::BinaryOp;
use crate::game::context::{MAX_WORK, work_limit_message};
use crate::game::{Cx, StepResult, Stop, question};
use crate::value::{Map, Value};

/// The maximum depth of nested calls of pack functions.
pub const MAX_CALL_DEPTH: usize = 32;

/// Why an instruction failed.
#[derive(Debug)]
pub enum ScriptError {
    /// The game stops the script; `try` does not catch it.
    Stop(Stop),
    /// A language error, with a message for the author.
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
    /// The code of a pack function or a built-in function.
    fn function(&self, number: u16) -> Rc<Code>;

    /// Counts a statement for coverage.
    fn cover(&self, statement: u32);
}

/// The registers and frames of a running script.
#[derive(Clone, Debug, Default)]
pub struct Machine {
    /// The registers of all functions that run, and above them values that own no heap memory.
    stack: Vec<Value>,
    /// The number of registers in use.
    top: usize,
    frames: Vec<CallFrame>,
    handlers: Vec<Handler>,
    closures: Vec<ClosureValue>,
    /// The function that asked, while the script waits for an answer.
    running: Option<ActiveFrame>,
    /// Whether the script waits for an answer and can resume at the instruction that asked.
    suspended: bool,
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
    /// The number of frames when the `try` began.
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
struct ActiveFrame {
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
        self.reserve(code.registers);
        let running = ActiveFrame {
            code,
            next: 0,
            base: 0,
        };
        self.run_until_stop(cx, library, running)
    }

    /// Resumes a script that waits for an answer.
    ///
    /// # Errors
    /// Returns [`Stop`] if the script suspends, ends the game or fails.
    pub fn resume(&mut self, cx: &mut Cx, library: &impl CodeSource) -> StepResult<Value> {
        match self.running.take() {
            Some(running) => self.run_until_stop(cx, library, running),
            None => Ok(Value::Unit),
        }
    }

    fn run_until_stop(
        &mut self,
        cx: &mut Cx,
        library: &impl CodeSource,
        mut running: ActiveFrame,
    ) -> StepResult<Value> {
        self.suspended = false;
        loop {
            match self.execute(cx, library, &mut running) {
                Ok(value) => return Ok(value),
                Err(failure) => {
                    if let Err(stop) = self.catch(cx, &mut running, failure) {
                        self.running = self.suspended.then_some(running);
                        return Err(stop);
                    }
                }
            }
        }
    }

    /// Whether the script waits for an answer and can be resumed.
    #[must_use]
    pub fn is_suspended(&self) -> bool {
        self.suspended
    }

    #[allow(
        clippy::too_many_lines,
        reason = "one instruction after another; the work is in functions"
    )]
    fn execute(
        &mut self,
        cx: &mut Cx,
        library: &impl CodeSource,
        running: &mut ActiveFrame,
    ) -> OpResult<Value> {
        let overloads_table = primitives::table();
        // Each iteration runs one function, until it calls another one or returns.
        'functions: loop {
            let code = running.code.clone();
            cx.script_pack = code.pack;
            let ops = &code.ops[..];
            let mut next = running.next;
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
            // Every loop and every recursion passes through this check.
            macro_rules! limit {
                () => {
                    if cx.work > MAX_WORK {
                        return Err(cx.fault(work_limit_message()).into());
                    }
                };
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
                let Some(op) = ops.get(next) else {
                    return Ok(Value::Unit);
                };
                next += 1;
                running.next = next;
                cx.work += 1;
                match *op {
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
                    Op::HookVariable { to, name } => set!(to, hook_value(cx, name)),
                    Op::HookProperty { to, variable, name } => {
                        let name = &code.names[usize::from(name)];
                        set!(to, hook_property(cx, variable, name)?);
                    }
                    Op::Property { to, receiver, name } => {
                        let name = &code.names[usize::from(name)];
                        let value = match &register!(receiver) {
                            Value::Entity(entity) => object::property(cx, *entity, name)?,
                            receiver => property::get(cx, receiver, name)?,
                        };
                        set!(to, value);
                    }
                    Op::Index { to, receiver, at } => {
                        set!(
                            to,
                            property::index(cx, &register!(receiver), &register!(at))?
                        );
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
                        let result = match (&register!(left), &register!(right)) {
                            (Value::Int(left), Value::Int(right)) => {
                                arithmetic::number(op, *left, *right)?
                            }
                            (left, right) => arithmetic::binary(cx, op, left, right)?,
                        };
                        set!(to, result);
                    }
                    Op::Not { to, value } => {
                        let result = !expect_bool(&register!(value))?;
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
                    Op::Jump { target } => {
                        limit!();
                        next = target as usize;
                    }
                    Op::JumpIf { test, target } => {
                        if expect_bool(&register!(test))? {
                            next = target as usize;
                        }
                    }
                    Op::JumpIfNot { test, target } => {
                        if !expect_bool(&register!(test))? {
                            next = target as usize;
                        }
                    }
                    Op::JumpCompared {
                        compare,
                        expected,
                        left,
                        right,
                        target,
                    } => {
                        let holds = match (&register!(left), &register!(right)) {
                            (Value::Int(left), Value::Int(right)) => compare.numbers(*left, *right),
                            (left, right) => {
                                arithmetic::evaluate_comparison(cx, compare, left, right)?
                            }
                        };
                        if holds == expected {
                            next = target as usize;
                        }
                    }
                    Op::JumpComparedNumber {
                        compare,
                        expected,
                        left,
                        number,
                        target,
                    } => {
                        let holds = match &register!(left) {
                            Value::Int(left) => compare.numbers(*left, number.into()),
                            left => {
                                let right = &Value::Int(number.into());
                                arithmetic::evaluate_comparison(cx, compare, left, right)?
                            }
                        };
                        if holds == expected {
                            next = target as usize;
                        }
                    }
                    Op::JumpComparedConstant {
                        compare,
                        expected,
                        left,
                        constant,
                        target,
                    } => {
                        let right = &code.constants[usize::from(constant)];
                        if arithmetic::evaluate_comparison(cx, compare, &register!(left), right)?
                            == expected
                        {
                            next = target as usize;
                        }
                    }
                    Op::CheckBool { value } => {
                        expect_bool(&register!(value))?;
                    }
                    Op::CheckList { value } => {
                        let value = &register!(value);
                        if !matches!(value, Value::List(_) | Value::Rows(_) | Value::Zone(_)) {
                            return Err(ScriptError::Error(format!(
                                "a function with a closure needs a list or a zone, not {}",
                                property::describe(value)
                            )));
                        }
                    }
                    Op::CheckConstant { overloads, first } => {
                        let overloads = &overloads_table[usize::from(overloads)];
                        let first = usize::from(first);
                        let arguments = &registers[first..first + overloads.count];
                        let def = overloads.select(arguments);
                        if def.is_some_and(|def| def.changes_receiver) {
                            return Err(changed_constant());
                        }
                    }
                    Op::ChangesConstant { constant } => {
                        if matches!(
                            register!(constant),
                            Value::Unit
                                | Value::Int(_)
                                | Value::Bool(_)
                                | Value::Text(_)
                                | Value::List(_)
                                | Value::Map(_)
                        ) {
                            return Err(changed_constant());
                        }
                    }
                    Op::JumpIfUnit { test, target } => {
                        if matches!(register!(test), Value::Unit) {
                            next = target as usize;
                        }
                    }
                    Op::JumpIfNotUnit { test, target } => {
                        if !matches!(register!(test), Value::Unit) {
                            next = target as usize;
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
                        if overloads.asks && cx.can_resume_in_place() {
                            let result = ask(cx, overloads, arguments, &mut self.suspended);
                            running.next -= usize::from(self.suspended);
                            set!(to, result?);
                        } else {
                            set!(to, call(cx, overloads, arguments)?);
                        }
                    }
                    Op::MutatingPrimitive {
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
                        // A closure keeps what it captures until the script ends: one operation for
                        // every 8 values in it.
                        let values = captured.iter().map(|value| u64::from(value.weight()));
                        cx.work += values.sum::<u64>() / 8;
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
                    Op::Next { to, state, body } => {
                        let item = match (&register!(state), &register!(state + 1)) {
                            (Value::List(list), Value::Int(at)) => {
                                usize::try_from(*at).ok().and_then(|at| list.get(at))
                            }
                            _ => None,
                        };
                        if let Some(item) = item.cloned() {
                            if let Value::Int(at) = &mut register!(state + 1) {
                                *at += 1;
                            }
                            set!(to, item);
                            limit!();
                            next = body as usize;
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
                    Op::NextNumber { to, state, body } => {
                        if let (Value::Int(now), Value::Int(end)) =
                            (&register!(state), &register!(state + 1))
                            && now < end
                        {
                            let now = *now;
                            set!(state, Value::Int(now + 1));
                            set!(to, Value::Int(now));
                            limit!();
                            next = body as usize;
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
                        let target = case.map_or(table.default, |(_, target)| *target);
                        next = target as usize;
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
                    Op::BeginLabels { to } => {
                        set!(to, Value::Bool(question::begin_labels(cx)));
                    }
                    Op::EndLabels { labels } => {
                        question::end_labels(cx, std::mem::take(&mut register!(labels)));
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
}

/// Stores a value in a register. Values that own no heap memory are forgotten instead of dropped,
/// which skips the drop glue.
#[inline]
fn put(register: &mut Value, value: Value) {
    if register.is_shared() {
        *register = value;
    } else {
        std::mem::forget(std::mem::replace(register, value));
    }
}

fn changed_constant() -> ScriptError {
    ScriptError::Error("a constant cannot be changed: declare it with `let`".to_owned())
}

#[inline]
fn expect_bool(value: &Value) -> OpResult<bool> {
    match value {
        Value::Bool(yes) => Ok(*yes),
        other => Err(ScriptError::Error(format!(
            "expected true or false, not {}",
            property::describe(other)
        ))),
    }
}
