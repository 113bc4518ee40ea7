//! Turns syntax trees into bytecode.

mod chain;
mod flow;

use std::collections::BTreeSet;

use super::bytecode::{Address, Code, Compare, Op, Register};
use super::primitives::{self, object::Named};
use super::syntax::{BinaryOp, Function, Meaning, Node, NodeKind, StepKind, UnaryOp};
use crate::content::Content;
use crate::value::{Text, Value};

/// The environment that code is generated in.
pub struct Environment<'a> {
    pub content: &'a Content,
    /// The pack of the script, in which its names are resolved.
    pub pack: u16,
    /// The number of a visible function of a pack, by name and number of parameters.
    pub function: &'a dyn Fn(&str, usize) -> Option<u16>,
    /// Whether it is a language function, which may use [`Op::BeginLabels`].
    pub language: bool,
    /// The number of a language function that takes a closure.
    pub closure_function: &'a dyn Fn(&str, usize) -> Option<u16>,
    /// Interns a name.
    pub intern: &'a dyn Fn(&str) -> Text,
    /// Registers a statement for coverage.
    pub cover: Option<&'a dyn Fn(u32) -> u32>,
    /// The file of the function; `None` for a hook.
    pub source: Option<Text>,
    /// The text of the script.
    pub text: Text,
}

/// Emits the code of a hook or a function.
pub fn code(environment: &Environment, function: &Function) -> Code {
    function_code(environment, function, 0)
}

fn function_code(environment: &Environment, function: &Function, captured: usize) -> Code {
    let mut codegen = Codegen {
        environment,
        code: Code {
            pack: environment.pack,
            source: environment.source.clone(),
            text: environment.text.clone(),
            parameters: narrow(function.parameters.len()),
            captured: narrow(captured),
            ..Code::default()
        },
        next: function.locals,
        loops: Vec::new(),
        constants: BTreeSet::new(),
        tries: 0,
        catches: Vec::new(),
        at: function.at,
    };
    codegen.code.registers = function.locals;
    let result = codegen.temporary();
    codegen.block(&function.body, Some(result));
    codegen.emit(Op::Return { value: result });
    codegen.code
}

fn narrow(count: usize) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX)
}

struct Codegen<'a> {
    environment: &'a Environment<'a>,
    code: Code,
    /// The next free register.
    next: Register,
    /// The enclosing loops, innermost last.
    loops: Vec<Loop>,
    /// The locals that are constants.
    constants: BTreeSet<Register>,
    /// The number of enclosing `try` blocks.
    tries: usize,
    /// For each enclosing `try` statement, the register of the error inside its `catch` block.
    catches: Vec<Option<Register>>,
    /// The offset of the current node.
    at: u32,
}

/// A loop whose end is not known yet.
struct Loop {
    /// Jumps to its end.
    breaks: Vec<usize>,
    /// Jumps to its next round.
    continues: Vec<usize>,
    /// The register of its value.
    to: Option<Register>,
    tries: usize,
}

impl Codegen<'_> {
    fn emit(&mut self, op: Op) -> usize {
        self.code.ops.push(op);
        self.code.offsets.push(self.at);
        self.code.ops.len() - 1
    }

    fn here(&self) -> Address {
        Address::try_from(self.code.ops.len()).unwrap_or(Address::MAX)
    }

    /// Sets the target of a jump to the next instruction.
    fn patch_to_here(&mut self, jump: usize) {
        let here = self.here();
        self.patch_jump(jump, here);
    }

    fn patch_jump(&mut self, jump: usize, address: Address) {
        match &mut self.code.ops[jump] {
            Op::Jump { target }
            | Op::JumpIf { target, .. }
            | Op::JumpIfNot { target, .. }
            | Op::JumpIfUnit { target, .. }
            | Op::JumpIfNotUnit { target, .. }
            | Op::JumpCompared { target, .. }
            | Op::JumpComparedNumber { target, .. }
            | Op::JumpComparedConstant { target, .. }
            | Op::Try { catch: target, .. } => *target = address,
            _ => debug_assert!(false, "only jumps have a target"),
        }
    }

    fn temporary(&mut self) -> Register {
        let register = self.next;
        self.next = self.next.saturating_add(1);
        self.code.registers = self.code.registers.max(self.next);
        register
    }

    fn name(&mut self, name: &str) -> u16 {
        let names = &mut self.code.names;
        let at = names.iter().position(|own| own.name() == name);
        narrow(at.unwrap_or_else(|| {
            let interned = (self.environment.intern)(name);
            names.push(Named::of_text(
                self.environment.content,
                self.environment.pack,
                interned,
            ));
            names.len() - 1
        }))
    }

    fn constant(&mut self, value: &Value, to: Register) {
        let op = match value {
            Value::Unit => Op::Unit { to },
            Value::Int(number) if i32::try_from(*number).is_ok() => Op::Int {
                to,
                number: i32::try_from(*number).unwrap_or_default(),
            },
            value => {
                let constant = self.constant_number(value);
                Op::Constant { to, constant }
            }
        };
        self.emit(op);
    }

    /// A value in the text of the script. Names have the form in which scripts see them.
    fn literal(&self, value: &Value) -> Value {
        let environment = self.environment;
        let plain = value
            .text()
            .and_then(|text| environment.content.plain_name(environment.pack, text));
        plain.map_or_else(|| value.clone(), Value::Text)
    }

    fn constant_number(&mut self, value: &Value) -> u16 {
        let value = self.literal(value);
        let constants = &mut self.code.constants;
        let at = constants.iter().position(|own| *own == value);
        narrow(at.unwrap_or_else(|| {
            constants.push(value);
            constants.len() - 1
        }))
    }

    /// The statements of a block; the value of the last one goes to `to`.
    fn block(&mut self, nodes: &[Node], to: Option<Register>) {
        let Some((last, first)) = nodes.split_last() else {
            if let Some(to) = to {
                self.emit(Op::Unit { to });
            }
            return;
        };
        for node in first {
            self.statement(node, None);
        }
        self.statement(last, to);
    }

    fn statement(&mut self, node: &Node, to: Option<Register>) {
        self.at = node.at;
        if let Some(cover) = self.environment.cover
            && !matches!(node.kind, NodeKind::Value(Value::Unit))
        {
            let statement = cover(node.at);
            self.emit(Op::Cover { statement });
        }
        self.run(node, to);
    }

    /// Runs a node; its value goes to `to`, if anything needs it.
    fn run(&mut self, node: &Node, to: Option<Register>) {
        let (next, at) = (self.next, self.at);
        self.at = node.at;
        match &node.kind {
            NodeKind::Value(value) => {
                if let Some(to) = to {
                    self.constant(value, to);
                }
            }
            NodeKind::Block(nodes) => self.block(nodes, to),
            NodeKind::If(parts) => {
                let jump = self.jump_unless(&parts.condition);
                self.block(&parts.then, to);
                if parts.otherwise.is_empty() && to.is_none() {
                    self.patch_all_to_here(jump);
                } else {
                    let end = self.emit(Op::Jump { target: 0 });
                    self.patch_all_to_here(jump);
                    self.block(&parts.otherwise, to);
                    self.patch_to_here(end);
                }
            }
            NodeKind::Switch(switch) => self.switch(switch, to),
            NodeKind::While(parts) => self.repeat(parts, to),
            NodeKind::For(parts) => self.each(parts, to),
            NodeKind::Let(parts) => {
                if declares_locals(&parts.value) {
                    // A variable inside the value may have the same register.
                    let from = self.temporary();
                    self.run(&parts.value, Some(from));
                    let to = parts.local;
                    self.emit(Op::Move { to, from });
                } else {
                    self.run(&parts.value, Some(parts.local));
                }
                if parts.constant {
                    self.constants.insert(parts.local);
                } else {
                    self.constants.remove(&parts.local);
                }
                self.unit(to);
            }
            NodeKind::Assign(parts) => {
                self.assign(parts);
                self.unit(to);
            }
            NodeKind::Return(value) => match value {
                Some(value) => {
                    let value = self.value(value);
                    self.emit(Op::Return { value });
                }
                None => {
                    self.emit(Op::ReturnUnit);
                }
            },
            NodeKind::Throw(value) => {
                let thrown = self.temporary();
                match value {
                    Some(value) => self.run(value, Some(thrown)),
                    None => {
                        self.emit(Op::Unit { to: thrown });
                    }
                }
                self.at = node.at;
                if let Some(Some(error)) = self.catches.last().copied() {
                    // As in Rhai, a `catch` block that throws nothing throws its error again.
                    let jump = self.emit(Op::JumpIfNotUnit {
                        test: thrown,
                        target: 0,
                    });
                    self.emit(Op::Throw { value: error });
                    self.patch_to_here(jump);
                }
                self.emit(Op::Throw { value: thrown });
            }
            NodeKind::Break(value) => self.leave(value.as_deref(), true),
            NodeKind::Continue => self.leave(None, false),
            NodeKind::Try(parts) => self.attempt(parts, to),
            _ => {
                let to = match to {
                    Some(to) => to,
                    None => self.temporary(),
                };
                self.expression(node, to);
            }
        }
        (self.next, self.at) = (next, at);
    }

    fn unit(&mut self, to: Option<Register>) {
        if let Some(to) = to {
            self.emit(Op::Unit { to });
        }
    }

    /// The register that holds the value of a node: that of a local, or a temporary one.
    fn value(&mut self, node: &Node) -> Register {
        if let NodeKind::Variable(variable) = &node.kind
            && let Meaning::Local(local) = variable.meaning
        {
            return local;
        }
        let to = self.temporary();
        self.run(node, Some(to));
        to
    }

    /// Like [`Codegen::value`], for an operand that is evaluated before others. If one of them
    /// changes locals, the value is copied.
    fn operand(&mut self, node: &Node, others: &[&Node]) -> Register {
        if others.iter().any(|other| changes_locals(other)) {
            let to = self.temporary();
            self.run(node, Some(to));
            return to;
        }
        self.value(node)
    }

    /// Evaluates nodes into registers one after another and returns the first.
    fn values(&mut self, nodes: &[Node]) -> Register {
        let first = self.next;
        for _ in nodes {
            self.temporary();
        }
        for (ix, node) in nodes.iter().enumerate() {
            self.run(node, Some(first + narrow(ix)));
        }
        first
    }

    fn expression(&mut self, node: &Node, to: Register) {
        match &node.kind {
            NodeKind::Variable(variable) => match variable.meaning {
                Meaning::Local(from) => {
                    if from != to {
                        self.emit(Op::Copy { to, from });
                    }
                }
                Meaning::Hook(name) => {
                    self.emit(Op::HookVariable { to, name });
                }
                Meaning::Unknown => {
                    let name = self.name(&variable.name);
                    self.emit(Op::UnknownVariable { name });
                }
            },
            NodeKind::List(nodes) => {
                let first = self.values(nodes);
                let count = narrow(nodes.len());
                self.emit(Op::List { to, first, count });
            }
            NodeKind::Map(rows) => {
                let first = self.next;
                for _ in rows {
                    self.temporary();
                }
                // The values are evaluated as written, and stored in the order of their keys.
                let mut sorted: Vec<&Text> = rows.iter().map(|row| &row.key).collect();
                sorted.sort();
                for row in rows {
                    let ix = sorted.partition_point(|key| *key < &row.key);
                    self.run(&row.value, Some(first + narrow(ix)));
                }
                let keys = narrow(self.code.keys.len());
                let intern = |key: &&Text| (self.environment.intern)(key);
                self.code.keys.push(sorted.iter().map(intern).collect());
                self.emit(Op::Map { to, first, keys });
            }
            NodeKind::Interpolation(nodes) => {
                let first = self.values(nodes);
                let count = narrow(nodes.len());
                self.emit(Op::Interpolation { to, first, count });
            }
            NodeKind::Chain(chain) => self.chain(chain, to),
            NodeKind::Call(call) => self.call(call, to),
            NodeKind::Unary(op, value) => {
                let value = self.value(value);
                self.emit(match op {
                    UnaryOp::Not => Op::Not { to, value },
                    UnaryOp::Negate => Op::Negate { to, value },
                });
            }
            NodeKind::Binary(op, pair) => self.binary(*op, &pair.0, &pair.1, to),
            NodeKind::And(nodes) => self.logical(nodes, true, to),
            NodeKind::Or(nodes) => self.logical(nodes, false, to),
            NodeKind::Coalesce(nodes) => {
                let mut jumps = Vec::new();
                for (ix, node) in nodes.iter().enumerate() {
                    self.run(node, Some(to));
                    if ix + 1 < nodes.len() {
                        jumps.push(self.emit(Op::JumpIfNotUnit {
                            test: to,
                            target: 0,
                        }));
                    }
                }
                jumps.into_iter().for_each(|jump| self.patch_to_here(jump));
            }
            NodeKind::Closure(closure) => self.closure(closure, to),
            // A range is a value only in a loop, after `in` and in a `switch`.
            NodeKind::Range(..) | NodeKind::Unsupported => {
                self.emit(Op::Unsupported);
            }
            _ => self.run(node, Some(to)),
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &Node, right: &Node, to: Register) {
        if let (BinaryOp::In, NodeKind::Range(ends, inclusive)) = (op, &left.kind) {
            return self.within(&ends.0, &ends.1, *inclusive, right, to);
        }
        if op == BinaryOp::In {
            let first = self.next;
            let _ = (self.temporary(), self.temporary());
            self.run(left, Some(first));
            self.run(right, Some(first + 1));
            return self.call_with("contains", first, 2, false, to);
        }
        let small = match &right.kind {
            NodeKind::Value(Value::Int(number)) => i16::try_from(*number).ok(),
            _ => None,
        };
        let at = self.at;
        let left = self.operand(left, &[right]);
        match (op, small) {
            // A text joins with a number, so the sign of the constant must show the operator.
            (BinaryOp::Add, Some(number)) if number >= 0 => {
                self.emit(Op::AddNumber { to, left, number });
                return;
            }
            (BinaryOp::Subtract, Some(number)) if number > 0 => {
                let number = -number;
                self.emit(Op::AddNumber { to, left, number });
                return;
            }
            _ => {}
        }
        let right = self.value(right);
        self.at = at;
        self.emit(match op {
            BinaryOp::Add => Op::Add { to, left, right },
            BinaryOp::Subtract => Op::Subtract { to, left, right },
            BinaryOp::Equal => Op::Equal { to, left, right },
            BinaryOp::NotEqual => Op::NotEqual { to, left, right },
            BinaryOp::Less => Op::Less { to, left, right },
            BinaryOp::LessOrEqual => Op::LessOrEqual { to, left, right },
            BinaryOp::Greater => Op::Greater { to, left, right },
            BinaryOp::GreaterOrEqual => Op::GreaterOrEqual { to, left, right },
            op => Op::Binary {
                op,
                to,
                left,
                right,
            },
        });
    }

    /// `value in from..to`.
    fn within(&mut self, from: &Node, end: &Node, inclusive: bool, value: &Node, to: Register) {
        let first = self.next;
        for _ in 0..4 {
            self.temporary();
        }
        self.run(from, Some(first));
        self.run(end, Some(first + 1));
        self.run(value, Some(first + 2));
        self.constant(&Value::Bool(inclusive), first + 3);
        let overloads = primitives::overloads("in range", 4).unwrap_or_default();
        self.emit(Op::Primitive {
            to,
            overloads,
            first,
        });
    }

    fn logical(&mut self, nodes: &[Node], and: bool, to: Register) {
        let mut jumps = Vec::new();
        for (ix, node) in nodes.iter().enumerate() {
            self.run(node, Some(to));
            let (test, target) = (to, 0);
            if ix + 1 == nodes.len() {
                self.emit(Op::CheckBool { value: to });
            } else {
                jumps.push(self.emit(if and {
                    Op::JumpIfNot { test, target }
                } else {
                    Op::JumpIf { test, target }
                }));
            }
        }
        jumps.into_iter().for_each(|jump| self.patch_to_here(jump));
    }

    /// Emits a condition and returns the jumps that are taken when it is false.
    fn jump_unless(&mut self, condition: &Node) -> Vec<usize> {
        self.jump_when(condition, false)
    }

    /// Emits a condition and returns the jumps that are taken when it is `expected`.
    fn jump_when(&mut self, condition: &Node, expected: bool) -> Vec<usize> {
        let (next, at) = (self.next, self.at);
        self.at = condition.at;
        let jumps = match &condition.kind {
            // `a && b` is false as soon as one of them is, `a || b` is true.
            NodeKind::And(nodes) => self.jump_when_any(nodes, expected, !expected),
            NodeKind::Or(nodes) => self.jump_when_any(nodes, expected, expected),
            NodeKind::Unary(UnaryOp::Not, inner) => self.jump_when(inner, !expected),
            NodeKind::Binary(op, pair) if let Some(compare) = Compare::of(*op) => {
                vec![self.jump_compared(compare, &pair.0, &pair.1, expected)]
            }
            _ => {
                let (test, target) = (self.value(condition), 0);
                vec![self.emit(if expected {
                    Op::JumpIf { test, target }
                } else {
                    Op::JumpIfNot { test, target }
                })]
            }
        };
        (self.next, self.at) = (next, at);
        jumps
    }

    /// The operands of `&&` or `||`. If `any`, one operand that is `expected` decides.
    fn jump_when_any(&mut self, nodes: &[Node], expected: bool, any: bool) -> Vec<usize> {
        let mut jumps = Vec::new();
        let mut skips = Vec::new();
        for (ix, node) in nodes.iter().enumerate() {
            if any || ix + 1 == nodes.len() {
                jumps.append(&mut self.jump_when(node, expected));
            } else {
                skips.append(&mut self.jump_when(node, !expected));
            }
        }
        self.patch_all_to_here(skips);
        jumps
    }

    fn jump_compared(
        &mut self,
        compare: Compare,
        left: &Node,
        right: &Node,
        expected: bool,
    ) -> usize {
        let (at, target) = (self.at, 0);
        let left = self.operand(left, &[right]);
        let op = match &right.kind {
            NodeKind::Value(Value::Int(number)) if let Ok(number) = i16::try_from(*number) => {
                Op::JumpComparedNumber {
                    compare,
                    expected,
                    left,
                    number,
                    target,
                }
            }
            NodeKind::Value(value) => Op::JumpComparedConstant {
                compare,
                expected,
                left,
                constant: self.constant_number(value),
                target,
            },
            _ => Op::JumpCompared {
                compare,
                expected,
                left,
                right: self.value(right),
                target,
            },
        };
        self.at = at;
        self.emit(op)
    }

    fn patch_all_to_here(&mut self, jumps: Vec<usize>) {
        jumps.into_iter().for_each(|jump| self.patch_to_here(jump));
    }
}

/// Whether a node declares locals of its own.
fn declares_locals(node: &Node) -> bool {
    let mut declares = false;
    node.walk(&mut |node| {
        declares |= matches!(
            node.kind,
            NodeKind::Let(_) | NodeKind::For(_) | NodeKind::Try(_)
        );
    });
    declares
}

/// Whether evaluating a node may assign to locals.
fn changes_locals(node: &Node) -> bool {
    let mut changes = false;
    node.walk(&mut |node| {
        changes |= match &node.kind {
            NodeKind::Assign(_) => true,
            NodeKind::Call(call) => primitives::changes_receiver(&call.name),
            NodeKind::Chain(chain) => chain.steps.iter().any(|step| match &step.kind {
                StepKind::Method(call) => primitives::changes_receiver(&call.name),
                _ => false,
            }),
            _ => false,
        };
    });
    changes
}
