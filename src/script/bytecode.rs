//! The bytecode of scripts: what [`super::codegen`] emits and [`super::vm`] runs.

use super::primitives::object::Named;
use super::syntax::BinaryOp;
use super::visible::HookVariable;
use crate::value::{Text, Value};

/// The number of a register in the frame of a function. Locals come first, then temporary values.
pub type Register = u16;

/// The position of an instruction.
pub type Address = u32;

/// An instruction. `to` is the register of the result.
#[derive(Clone, Copy, Debug)]
pub enum Op {
    /// A constant of the code.
    Constant {
        to: Register,
        constant: u16,
    },
    /// A small number.
    Int {
        to: Register,
        number: i32,
    },
    Unit {
        to: Register,
    },
    /// Copies a register.
    Copy {
        to: Register,
        from: Register,
    },
    /// Moves a temporary value.
    Move {
        to: Register,
        from: Register,
    },
    /// A variable that the engine provides.
    HookVariable {
        to: Register,
        name: HookVariable,
    },
    /// `variable.name`, for a variable that the engine provides.
    HookProperty {
        to: Register,
        variable: HookVariable,
        name: u16,
    },
    /// `receiver.name`.
    Property {
        to: Register,
        receiver: Register,
        name: u16,
    },
    /// `receiver[at]`.
    Index {
        to: Register,
        receiver: Register,
        at: Register,
    },
    /// Any operator without an instruction of its own.
    Binary {
        op: BinaryOp,
        to: Register,
        left: Register,
        right: Register,
    },
    Add {
        to: Register,
        left: Register,
        right: Register,
    },
    Subtract {
        to: Register,
        left: Register,
        right: Register,
    },
    /// `left + number` with a small number.
    AddNumber {
        to: Register,
        left: Register,
        number: i16,
    },
    Equal {
        to: Register,
        left: Register,
        right: Register,
    },
    NotEqual {
        to: Register,
        left: Register,
        right: Register,
    },
    Less {
        to: Register,
        left: Register,
        right: Register,
    },
    LessOrEqual {
        to: Register,
        left: Register,
        right: Register,
    },
    Greater {
        to: Register,
        left: Register,
        right: Register,
    },
    GreaterOrEqual {
        to: Register,
        left: Register,
        right: Register,
    },
    Not {
        to: Register,
        value: Register,
    },
    Negate {
        to: Register,
        value: Register,
    },
    /// `local op= value`.
    Assign {
        op: BinaryOp,
        local: Register,
        value: Register,
    },
    Jump {
        target: Address,
    },
    JumpIf {
        test: Register,
        target: Address,
    },
    JumpIfNot {
        test: Register,
        target: Address,
    },
    /// Jumps if a comparison gives `expected`.
    JumpCompared {
        compare: Compare,
        expected: bool,
        left: Register,
        right: Register,
        target: Address,
    },
    /// Jumps if a comparison with a small number gives `expected`.
    JumpComparedNumber {
        compare: Compare,
        expected: bool,
        left: Register,
        number: i16,
        target: Address,
    },
    /// Jumps if a comparison with a constant of the code gives `expected`.
    JumpComparedConstant {
        compare: Compare,
        expected: bool,
        left: Register,
        constant: u16,
        target: Address,
    },
    /// Requires that the register is `true` or `false`, as the last operand of `&&` and `||`.
    CheckBool {
        value: Register,
    },
    /// Requires that the register is a list, or a zone or rows, which functions with a closure
    /// also take.
    CheckList {
        value: Register,
    },
    /// Refuses a call that would change its first argument, which is a constant.
    CheckConstant {
        overloads: u16,
        first: Register,
    },
    /// Refuses to change a constant, unless it is a game object.
    ChangesConstant {
        constant: Register,
    },
    JumpIfUnit {
        test: Register,
        target: Address,
    },
    JumpIfNotUnit {
        test: Register,
        target: Address,
    },
    List {
        to: Register,
        first: Register,
        count: u16,
    },
    Map {
        to: Register,
        first: Register,
        keys: u16,
    },
    Interpolation {
        to: Register,
        first: Register,
        count: u16,
    },
    /// Calls a function of a pack; its arguments are in `first` and the registers after it.
    Call {
        to: Register,
        function: u16,
        first: Register,
    },
    /// Calls a primitive.
    Primitive {
        to: Register,
        overloads: u16,
        first: Register,
    },
    /// Calls a primitive that may change `local`, which takes the place of its first argument.
    MutatingPrimitive {
        to: Register,
        overloads: u16,
        first: Register,
        local: Register,
    },
    /// Reads, changes or assigns something inside `root`.
    Path {
        to: Register,
        root: Register,
        path: u16,
        value: Register,
    },
    /// Makes a closure; the captured values are in `first` and the registers after it.
    Closure {
        to: Register,
        function: u16,
        first: Register,
    },
    /// Calls a closure with as many of the arguments as it takes.
    CallClosure {
        to: Register,
        closure: Register,
        first: Register,
        count: u16,
    },
    /// Prepares a loop over the values in `over`: stores the list in `state`, and the position 0 in
    /// the register after it.
    Iterate {
        state: Register,
        over: Register,
    },
    /// Jumps to the body of a loop with its next value, or falls through after the last one.
    Next {
        to: Register,
        state: Register,
        body: Address,
    },
    /// Prepares a loop over numbers: from `state` up to, not including, the register after it.
    Range {
        state: Register,
        inclusive: bool,
    },
    /// Jumps to the body of a loop with its next number, or falls through after the last one.
    NextNumber {
        to: Register,
        state: Register,
        body: Address,
    },
    /// Jumps to the body of the first case that fits.
    Switch {
        on: Register,
        table: u16,
    },
    Return {
        value: Register,
    },
    ReturnUnit,
    Throw {
        value: Register,
    },
    /// Until the matching [`Op::EndTry`], an error jumps to `catch` and is stored in `error`.
    Try {
        error: Register,
        catch: Address,
    },
    EndTry,
    /// Whether a player will see the labels of the next question. If so, what follows is read-only
    /// and does not count as work of the step, until [`Op::EndLabels`].
    BeginLabels {
        to: Register,
    },
    /// Keeps the labels for the next question.
    EndLabels {
        labels: Register,
    },
    /// Counts a statement for coverage, at no cost.
    Cover {
        statement: u32,
    },
    /// Fails: the function does not exist.
    Unknown {
        name: u16,
        count: u16,
    },
    /// Fails: the variable does not exist.
    UnknownVariable {
        name: u16,
    },
    /// Fails: the syntax is not supported.
    Unsupported,
}

/// A comparison that decides a jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Compare {
    /// The comparison that an operator makes.
    pub const fn of(op: BinaryOp) -> Option<Compare> {
        Some(match op {
            BinaryOp::Equal => Compare::Equal,
            BinaryOp::NotEqual => Compare::NotEqual,
            BinaryOp::Less => Compare::Less,
            BinaryOp::LessOrEqual => Compare::LessOrEqual,
            BinaryOp::Greater => Compare::Greater,
            BinaryOp::GreaterOrEqual => Compare::GreaterOrEqual,
            _ => return None,
        })
    }

    pub const fn operator(self) -> BinaryOp {
        match self {
            Compare::Equal => BinaryOp::Equal,
            Compare::NotEqual => BinaryOp::NotEqual,
            Compare::Less => BinaryOp::Less,
            Compare::LessOrEqual => BinaryOp::LessOrEqual,
            Compare::Greater => BinaryOp::Greater,
            Compare::GreaterOrEqual => BinaryOp::GreaterOrEqual,
        }
    }

    /// Compares two numbers.
    #[inline]
    pub const fn numbers(self, left: i64, right: i64) -> bool {
        match self {
            Compare::Equal => left == right,
            Compare::NotEqual => left != right,
            Compare::Less => left < right,
            Compare::LessOrEqual => left <= right,
            Compare::Greater => left > right,
            Compare::GreaterOrEqual => left >= right,
        }
    }
}

const _: () = assert!(size_of::<Op>() <= 12);

/// The code of a hook, a function or a closure.
#[derive(Debug, Default)]
pub struct Code {
    pub ops: Vec<Op>,
    /// The byte offset in the script for each instruction.
    pub offsets: Vec<u32>,
    pub constants: Vec<Value>,
    pub names: Vec<Named>,
    /// The keys of map literals.
    pub keys: Vec<Box<[Text]>>,
    pub paths: Vec<Path>,
    pub switches: Vec<SwitchTable>,
    /// The closures in it.
    pub closures: Vec<std::rc::Rc<Code>>,
    /// The number of registers.
    pub registers: u16,
    /// The number of parameters, including captured variables.
    pub parameters: u16,
    /// The number of captured variables.
    pub captured: u16,
    /// The pack of the script.
    pub pack: u16,
    /// The file of the function; `None` for a hook.
    pub source: Option<Text>,
    /// The text that the offsets refer to.
    pub text: Text,
}

/// A place inside a value, and what to do there.
#[derive(Debug)]
pub struct Path {
    pub steps: Box<[PathStep]>,
    pub action: PathAction,
}

#[derive(Clone, Copy, Debug)]
pub struct PathStep {
    pub kind: PathStepKind,
    /// Whether the rest is skipped after `()`.
    pub optional: bool,
}

#[derive(Clone, Copy, Debug)]
pub enum PathStepKind {
    Property(u16),
    Index(Register),
}

#[derive(Clone, Copy, Debug)]
pub enum PathAction {
    /// `= value`.
    Set,
    /// `op= value`.
    Assign(BinaryOp),
    /// Calls a primitive that may change what is there; the other arguments follow `value`.
    Call(u16),
}

/// The cases of a `switch`.
#[derive(Debug, Default)]
pub struct SwitchTable {
    /// Cases that are tried in order, with the address to jump to.
    pub cases: Vec<(SwitchTest, Address)>,
    pub default: Address,
}

#[derive(Clone, Debug)]
pub enum SwitchTest {
    Is(Value),
    Between(i64, i64),
}
