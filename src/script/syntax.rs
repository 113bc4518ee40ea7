//! The syntax tree of scripts, with names resolved. [`super::resolve`] builds it from Rhai's tree;
//! lints walk it, and [`super::codegen`] turns it into bytecode.

use super::visible::HookVariable;
use crate::value::{Text, Value};

/// A script: the statements of a hook, or the functions of a file.
#[derive(Debug, Default)]
pub struct Script {
    /// The statements of a hook; empty for a file of functions.
    pub body: Function,
    /// The functions of a file, by name and number of parameters.
    pub functions: Vec<Function>,
    /// Syntax of Rhai that scripts cannot use.
    pub unsupported: Vec<Unsupported>,
}

/// The body of a hook, a function or a closure.
#[derive(Debug, Default)]
pub struct Function {
    /// The name; empty for a hook and a closure.
    pub name: Text,
    /// The parameters, which are the first locals. The first ones of a closure are the variables it
    /// captures.
    pub parameters: Vec<Text>,
    /// The statements.
    pub body: Vec<Node>,
    /// The largest number of locals at the same time.
    pub locals: u16,
    /// The byte offset of its name, or of its body.
    pub at: u32,
    /// The end of its body.
    pub end: u32,
    /// The doc comment before it.
    pub comment: String,
}

/// Syntax that scripts cannot use.
#[derive(Debug)]
pub struct Unsupported {
    /// The byte offset.
    pub at: u32,
    /// What it is.
    pub what: &'static str,
    /// What to write instead.
    pub help: &'static str,
}

/// A statement or an expression.
#[derive(Debug)]
pub struct Node {
    pub kind: NodeKind,
    /// The byte offset in the text of the script.
    pub at: u32,
}

#[derive(Debug)]
pub enum NodeKind {
    /// A literal.
    Value(Value),
    /// `[a, b]`.
    List(Vec<Node>),
    /// `#{ a: 1, b: 2 }`.
    Map(Vec<MapRow>),
    /// `` `a ${b}` ``.
    Interpolation(Vec<Node>),
    /// A variable.
    Variable(Variable),
    /// Properties, positions and methods after each other: `a.b[c].d()`.
    Chain(Box<Chain>),
    /// A function call.
    Call(Box<Call>),
    /// `!a`, `-a`.
    Unary(UnaryOp, Box<Node>),
    /// `a + b`.
    Binary(BinaryOp, Box<(Node, Node)>),
    /// `a && b`.
    And(Vec<Node>),
    /// `a || b`.
    Or(Vec<Node>),
    /// `a ?? b`.
    Coalesce(Vec<Node>),
    /// `a..b`, or `a..=b` if the flag is set.
    Range(Box<(Node, Node)>, bool),
    /// `|a, b| …`.
    Closure(Box<Closure>),
    /// `{ … }`.
    Block(Vec<Node>),
    /// `if`, with both branches.
    If(Box<If>),
    Switch(Box<Switch>),
    /// `while`; `loop` without a condition.
    While(Box<While>),
    For(Box<For>),
    /// `let` and `const`.
    Let(Box<Let>),
    /// `a = b`, `a += b`.
    Assign(Box<Assign>),
    Return(Option<Box<Node>>),
    Throw(Option<Box<Node>>),
    Break(Option<Box<Node>>),
    Continue,
    Try(Box<Try>),
    /// Syntax that scripts cannot use; it is reported, and never runs.
    Unsupported,
}

#[derive(Debug)]
pub struct MapRow {
    pub key: Text,
    pub value: Node,
}

/// A variable and what it refers to.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: Text,
    pub meaning: Meaning,
}

/// What a variable refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// A parameter or a `let`.
    Local(u16),
    /// A variable that the engine provides.
    Hook(HookVariable),
    /// Nothing that is visible here.
    Unknown,
}

#[derive(Debug)]
pub struct Chain {
    pub root: Node,
    pub steps: Vec<Step>,
}

/// A step of a chain.
#[derive(Debug)]
pub struct Step {
    pub kind: StepKind,
    /// Whether it is skipped, with the rest of the chain, after `()`: `?.` and `?[`.
    pub optional: bool,
    pub at: u32,
}

#[derive(Debug)]
pub enum StepKind {
    Property(Text),
    Index(Node),
    Method(Call),
}

#[derive(Debug)]
pub struct Call {
    pub name: Text,
    pub arguments: Vec<Node>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    Not,
    Negate,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Power,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    BitAnd,
    BitOr,
    BitXor,
    ShiftLeft,
    ShiftRight,
    /// `a in b..c`. The operands are swapped: the range, then the value. For a list, Rhai writes
    /// `contains(list, value)`.
    In,
}

impl BinaryOp {
    /// The operator in scripts.
    pub const fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Subtract => "-",
            BinaryOp::Multiply => "*",
            BinaryOp::Divide => "/",
            BinaryOp::Remainder => "%",
            BinaryOp::Power => "**",
            BinaryOp::Equal => "==",
            BinaryOp::NotEqual => "!=",
            BinaryOp::Less => "<",
            BinaryOp::LessOrEqual => "<=",
            BinaryOp::Greater => ">",
            BinaryOp::GreaterOrEqual => ">=",
            BinaryOp::BitAnd => "&",
            BinaryOp::BitOr => "|",
            BinaryOp::BitXor => "^",
            BinaryOp::ShiftLeft => "<<",
            BinaryOp::ShiftRight => ">>",
            BinaryOp::In => "in",
        }
    }
}

#[derive(Debug)]
pub struct Closure {
    /// The variables it captures, which are its first parameters.
    pub captured: Vec<Node>,
    pub function: Function,
}

#[derive(Debug)]
pub struct If {
    pub condition: Node,
    pub then: Vec<Node>,
    pub otherwise: Vec<Node>,
}

#[derive(Debug)]
pub struct Switch {
    pub on: Node,
    /// The cases in the order in which they are tried.
    pub cases: Vec<SwitchCase>,
    /// The bodies; several cases may share one.
    pub bodies: Vec<Node>,
    /// The position of the body of `_`.
    pub otherwise: Option<usize>,
}

#[derive(Debug)]
pub struct SwitchCase {
    pub test: CaseTest,
    /// The condition after `if`.
    pub condition: Option<Node>,
    /// The position of the body in [`Switch::bodies`].
    pub body: usize,
}

#[derive(Debug)]
pub enum CaseTest {
    Is(Value),
    /// A range of numbers, from the first up to and including the last.
    Between(i64, i64),
}

#[derive(Debug)]
pub struct While {
    pub condition: Option<Node>,
    pub body: Vec<Node>,
    /// Whether the condition is tested after the body: `do … while`.
    pub is_do: bool,
}

#[derive(Debug)]
pub struct For {
    pub name: Text,
    pub name_at: u32,
    pub local: u16,
    /// The second variable, which counts from 0.
    pub counter: Option<(Text, u16)>,
    pub over: Node,
    pub body: Vec<Node>,
}

#[derive(Debug)]
pub struct Let {
    /// Whether it is a `const`.
    pub constant: bool,
    pub name: Text,
    pub name_at: u32,
    pub local: u16,
    pub value: Node,
}

#[derive(Debug)]
pub struct Assign {
    /// A variable or a chain.
    pub target: Node,
    /// The operator of `+=` and the like.
    pub op: Option<BinaryOp>,
    pub value: Node,
}

#[derive(Debug)]
pub struct Try {
    pub body: Vec<Node>,
    /// The variable for the error.
    pub error: Option<(Text, u16)>,
    pub catch: Vec<Node>,
}

/// A call of a function or a method.
#[derive(Clone, Copy, Debug)]
pub struct CallSite<'n> {
    pub call: &'n Call,
    /// Whether it follows a dot; then the value before the dot is the first argument.
    pub is_method: bool,
    /// The offset of the name.
    pub at: u32,
}

impl CallSite<'_> {
    /// The number of arguments, with the one before the dot.
    pub fn count(&self) -> usize {
        self.call.arguments.len() + usize::from(self.is_method)
    }
}

impl Script {
    /// Calls `visit` with every node, outer nodes first.
    pub fn walk<'n>(&'n self, visit: &mut impl FnMut(&'n Node)) {
        for function in std::iter::once(&self.body).chain(&self.functions) {
            function.walk(visit);
        }
    }
}

impl Function {
    /// Calls `visit` with every node, outer nodes first.
    pub fn walk<'n>(&'n self, visit: &mut impl FnMut(&'n Node)) {
        self.body.iter().for_each(|node| node.walk(visit));
    }
}

impl Node {
    /// The text, if the node is one in quotes.
    pub fn text(&self) -> Option<&Text> {
        match &self.kind {
            NodeKind::Value(Value::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// The offset where the first operand of `&&`, `||` and `??`, or a chain, starts.
    pub fn start(&self) -> u32 {
        match &self.kind {
            NodeKind::And(list) | NodeKind::Or(list) | NodeKind::Coalesce(list) => {
                list.first().map_or(self.at, Node::start)
            }
            NodeKind::Chain(chain) => chain.root.start(),
            _ => self.at,
        }
    }

    /// Calls `visit` with the calls in this node, except those in nodes inside it.
    pub fn each_call<'n>(&'n self, visit: &mut dyn FnMut(CallSite<'n>)) {
        match &self.kind {
            NodeKind::Call(call) => visit(CallSite {
                call,
                is_method: false,
                at: self.at,
            }),
            NodeKind::Chain(chain) => {
                for step in &chain.steps {
                    if let StepKind::Method(call) = &step.kind {
                        visit(CallSite {
                            call,
                            is_method: true,
                            at: step.at,
                        });
                    }
                }
            }
            _ => {}
        }
    }

    /// Calls `visit` with this node and everything in it, outer nodes first. Closures are included.
    pub fn walk<'n>(&'n self, visit: &mut impl FnMut(&'n Node)) {
        visit(self);
        self.each_child(&mut |child| child.walk(visit));
    }

    /// Calls `visit` with the nodes directly in this one, in the order of the text.
    pub fn each_child<'n>(&'n self, visit: &mut dyn FnMut(&'n Node)) {
        match &self.kind {
            NodeKind::Value(_)
            | NodeKind::Variable(_)
            | NodeKind::Continue
            | NodeKind::Unsupported => {}
            NodeKind::List(list)
            | NodeKind::Interpolation(list)
            | NodeKind::And(list)
            | NodeKind::Or(list)
            | NodeKind::Coalesce(list)
            | NodeKind::Block(list) => list.iter().for_each(visit),
            NodeKind::Map(rows) => rows.iter().for_each(|row| visit(&row.value)),
            NodeKind::Chain(chain) => {
                visit(&chain.root);
                for step in &chain.steps {
                    match &step.kind {
                        StepKind::Property(_) => {}
                        StepKind::Index(index) => visit(index),
                        StepKind::Method(call) => call.arguments.iter().for_each(&mut *visit),
                    }
                }
            }
            NodeKind::Call(call) => call.arguments.iter().for_each(visit),
            NodeKind::Unary(_, value) => visit(value),
            NodeKind::Binary(_, pair) | NodeKind::Range(pair, _) => {
                visit(&pair.0);
                visit(&pair.1);
            }
            NodeKind::Closure(closure) => {
                closure.captured.iter().for_each(&mut *visit);
                closure.function.body.iter().for_each(visit);
            }
            NodeKind::If(parts) => {
                visit(&parts.condition);
                parts.then.iter().for_each(&mut *visit);
                parts.otherwise.iter().for_each(visit);
            }
            NodeKind::Switch(switch) => {
                visit(&switch.on);
                for case in &switch.cases {
                    case.condition.iter().for_each(&mut *visit);
                }
                switch.bodies.iter().for_each(visit);
            }
            NodeKind::While(parts) => {
                parts.condition.iter().for_each(&mut *visit);
                parts.body.iter().for_each(visit);
            }
            NodeKind::For(parts) => {
                visit(&parts.over);
                parts.body.iter().for_each(visit);
            }
            NodeKind::Let(parts) => visit(&parts.value),
            NodeKind::Assign(parts) => {
                visit(&parts.target);
                visit(&parts.value);
            }
            NodeKind::Return(value) | NodeKind::Throw(value) | NodeKind::Break(value) => {
                value.iter().for_each(|value| visit(value));
            }
            NodeKind::Try(parts) => {
                parts.body.iter().for_each(&mut *visit);
                parts.catch.iter().for_each(visit);
            }
        }
    }
}
