//! Type inference: finds arguments, operands and conditions of the wrong type before they fail.
//!
//! A type is the set of types that a value may have. A diagnostic is reported only if no type in
//! the set is valid; a value of unknown type is valid everywhere.

use std::collections::BTreeMap;

use super::ScriptText;
use super::facts::Facts;
use super::flow::{self, StatementResult};
use super::natives;
use super::types::Types;
use crate::content::{Content, HookDef};
use crate::diagnostic::{Diagnostic, DiagnosticBuilder, Report};
use crate::script::compile::PackFunction;
use crate::script::syntax::{
    BinaryOp, CallSite, Closure, Function, Meaning, Node, NodeKind, Script, UnaryOp, Variable,
};

/// Inferred types and effects of a pack function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionSummary {
    /// The types each parameter accepts.
    pub takes: Vec<Types>,
    pub gives: Types,
    /// Whether it has an effect besides returning a value.
    pub does: bool,
    /// Whether it changes the game or asks a player.
    pub changes: bool,
}

impl FunctionSummary {
    /// The summary of a function that has not been analysed yet.
    pub fn unknown(parameters: usize) -> FunctionSummary {
        FunctionSummary {
            takes: vec![Types::ANY; parameters],
            gives: Types::ANY,
            does: true,
            changes: false,
        }
    }
}

/// Infers the types of the functions of a file, from the summaries of other functions.
pub fn summaries(
    content: &Content,
    facts: &Facts,
    functions: &BTreeMap<(String, usize), PackFunction>,
    pack: u16,
    tree: &Script,
) -> Vec<((String, usize), FunctionSummary)> {
    let all = each_function(content, facts, functions, pack, tree);
    all.into_iter()
        .map(|(key, infer)| (key, infer.summary()))
        .collect()
}

/// Analyses each function of a file.
fn each_function<'a>(
    content: &'a Content,
    facts: &'a Facts,
    functions: &'a BTreeMap<(String, usize), PackFunction>,
    pack: u16,
    tree: &Script,
) -> Vec<((String, usize), TypeInference<'a>)> {
    let analyse = |function: &Function| {
        let mut infer = TypeInference::new(content, facts, functions, pack);
        infer.wants = vec![Types::ANY; function.parameters.len()];
        for (ix, name) in function.parameters.iter().enumerate() {
            infer.locals.push(LocalVariable {
                name: name.to_string(),
                types: Types::ANY,
                parameter: Some(ix),
                read: true,
                at: function.at,
            });
        }
        function.body.iter().for_each(|node| infer.next(node));
        (
            (function.name.to_string(), function.parameters.len()),
            infer,
        )
    };
    tree.functions.iter().map(analyse).collect()
}

/// Checks a hook, or the functions of a file.
pub fn check(
    content: &Content,
    functions: &BTreeMap<(String, usize), PackFunction>,
    tree: &Script,
    hook: Option<&HookDef>,
    source: &ScriptText<'_>,
    report: &mut Report,
) {
    let mut all: Vec<TypeInference> =
        each_function(content, source.facts, functions, source.pack, tree)
            .into_iter()
            .map(|(_, f)| f)
            .collect();
    if let Some(def) = hook {
        let mut infer = TypeInference::new(content, source.facts, functions, source.pack);
        infer.hook = Some(def);
        tree.body.body.iter().for_each(|node| infer.next(node));
        all.push(infer);
    }
    for infer in all {
        for finding in infer.finish() {
            let found = source.span(finding.at, finding.len);
            report.push((finding.fault)(found));
        }
    }
}

/// A local variable or parameter.
pub(super) struct LocalVariable {
    pub name: String,
    pub types: Types,
    /// The index of the parameter, if it is one.
    pub parameter: Option<usize>,
    pub read: bool,
    pub at: u32,
}

/// A diagnostic whose source location has not been computed yet.
pub(super) struct Finding {
    pub at: u32,
    pub len: usize,
    pub fault: Box<dyn Fn(crate::diagnostic::Span) -> DiagnosticBuilder>,
}

/// The state of the analysis of one hook or function.
#[allow(
    clippy::struct_excessive_bools,
    reason = "independent facts about the script"
)]
pub(super) struct TypeInference<'a> {
    pub content: &'a Content,
    /// The pack of the script, in which its names are resolved.
    pub pack: u16,
    pub facts: &'a Facts,
    pub functions: &'a BTreeMap<(String, usize), PackFunction>,
    pub hook: Option<&'a HookDef>,
    pub locals: Vec<LocalVariable>,
    /// The types each parameter accepts.
    pub wants: Vec<Types>,
    pub gives: Types,
    pub does: bool,
    pub changes: bool,
    pub asks_types: bool,
    pub findings: Vec<Finding>,
    /// The last top-level statement, which may be the value of the script or function.
    pub last: Option<(StatementResult, Types)>,
    /// Whether the code after the statements seen so far is unreachable.
    pub left: bool,
    /// The types of the values of the last map literal.
    pub last_map: Vec<Types>,
}

impl<'a> TypeInference<'a> {
    fn new(
        content: &'a Content,
        facts: &'a Facts,
        functions: &'a BTreeMap<(String, usize), PackFunction>,
        pack: u16,
    ) -> TypeInference<'a> {
        TypeInference {
            content,
            pack,
            facts,
            functions,
            hook: None,
            locals: Vec::new(),
            wants: Vec::new(),
            gives: Types::NONE,
            does: false,
            changes: false,
            asks_types: false,
            findings: Vec::new(),
            last: None,
            left: false,
            last_map: Vec::new(),
        }
    }

    fn summary(mut self) -> FunctionSummary {
        if let (Some((_, types)), false) = (self.last.take(), self.left) {
            self.gives = self.gives | types;
        }
        let gives = if self.gives.is_none() {
            Types::NOTHING
        } else {
            self.gives
        };
        FunctionSummary {
            takes: self.wants,
            gives,
            does: self.does,
            changes: self.changes,
        }
    }

    fn finish(mut self) -> Vec<Finding> {
        flow::end(&mut self);
        self.findings
    }

    pub fn found(
        &mut self,
        at: u32,
        len: usize,
        fault: impl Fn(crate::diagnostic::Span) -> DiagnosticBuilder + 'static,
    ) {
        self.findings.push(Finding {
            at,
            len,
            fault: Box::new(fault),
        });
    }

    /// Narrows the types of a parameter that is used unchanged.
    pub fn want(&mut self, node: &Node, accepted: Types) {
        let NodeKind::Variable(variable) = &node.kind else {
            return;
        };
        // A function that calls `type_of` may accept several types.
        if self.asks_types {
            return;
        }
        let local = self
            .locals
            .iter()
            .rev()
            .find(|local| *local.name == *variable.name);
        if let Some(parameter) = local.and_then(|local| local.parameter) {
            // The function may check for `()` first.
            self.wants[parameter] = self.wants[parameter].and(accepted | Types::NOTHING);
        }
    }

    /// Infers the type of an expression.
    pub fn expr(&mut self, node: &Node) -> Types {
        match &node.kind {
            NodeKind::Value(value) => Types::of_value(value),
            NodeKind::Interpolation(list) => {
                self.each(list);
                Types::TEXT
            }
            NodeKind::List(list) => {
                self.each(list);
                Types::LIST
            }
            NodeKind::Map(rows) => {
                self.last_map = rows.iter().map(|row| self.expr(&row.value)).collect();
                Types::MAP
            }
            NodeKind::Variable(variable) => self.variable(variable),
            NodeKind::Call(call) => self.call(&call.name, None, &call.arguments, node.at),
            NodeKind::Chain(chain) => {
                let of = self.expr(&chain.root);
                self.chain(chain, of)
            }
            NodeKind::And(list) | NodeKind::Or(list) => {
                for part in list {
                    self.condition(part);
                }
                Types::BOOL
            }
            NodeKind::Coalesce(list) => {
                let types = list
                    .iter()
                    .fold(Types::NONE, |types, part| types | self.expr(part));
                types.without(Types::NOTHING) | Types::NOTHING
            }
            NodeKind::Unary(UnaryOp::Not, value) => {
                self.condition(value);
                Types::BOOL
            }
            NodeKind::Unary(UnaryOp::Negate, value) => {
                let types = self.expr(value);
                self.want(value, Types::NUMBER);
                self.operand(types, Types::NUMBER, "-", value.start());
                Types::NUMBER
            }
            NodeKind::Binary(op, pair) => self.operator(*op, &pair.0, &pair.1, node.at),
            NodeKind::Range(pair, inclusive) => {
                let sign = if *inclusive { "..=" } else { ".." };
                for end in [&pair.0, &pair.1] {
                    let types = self.expr(end);
                    self.want(end, Types::NUMBER);
                    self.operand(types, Types::NUMBER, sign, end.start());
                }
                Types::RANGE
            }
            NodeKind::Closure(closure) => {
                self.closure(closure);
                Types::FUNCTION
            }
            NodeKind::Block(nodes) => flow::block(self, nodes, true).0,
            NodeKind::Unsupported => Types::ANY,
            _ => flow::statement(self, node),
        }
    }

    fn each(&mut self, list: &[Node]) {
        for part in list {
            self.expr(part);
        }
    }

    /// Checks a closure. Its first parameters are the variables that it captures.
    fn closure(&mut self, closure: &Closure) {
        let mut types: Vec<Types> = closure
            .captured
            .iter()
            .map(|node| self.expr(node))
            .collect();
        types.resize(closure.function.parameters.len(), Types::ANY);
        let outside = self.locals.len();
        for (name, types) in closure.function.parameters.iter().zip(types) {
            self.locals.push(LocalVariable {
                name: name.to_string(),
                types,
                parameter: None,
                read: true,
                at: closure.function.at,
            });
        }
        // A `return` leaves only the closure.
        let gives = self.gives;
        flow::block(self, &closure.function.body, true);
        self.gives = gives;
        self.locals.truncate(outside);
    }

    /// Checks an expression that must be true or false.
    pub fn condition(&mut self, node: &Node) {
        let types = self.expr(node);
        self.want(node, Types::BOOL);
        if !types.meets(Types::BOOL) {
            let phrase = types.phrase();
            self.found(node.start(), 1, move |span| {
                Diagnostic::error(
                    span,
                    "wrong-operand",
                    "a condition must be true or false",
                )
                .label(format!("this is {phrase}"))
                .help("compare it with something, as in `x > 0`, `x == \"red\"` or `!x.is_empty()`")
            });
        }
    }

    fn variable(&mut self, variable: &Variable) -> Types {
        let local = self.locals.iter_mut().rev();
        if let Some(local) = local
            .filter(|_| matches!(variable.meaning, Meaning::Local(_)))
            .find(|local| *local.name == *variable.name)
        {
            local.read = true;
            return local.types;
        }
        let Meaning::Hook(name) = variable.meaning else {
            return Types::ANY;
        };
        if self.hook.is_some_and(|hook| !name.is_visible(hook)) {
            return Types::ANY;
        }
        name.types()
    }

    fn operator(&mut self, op: BinaryOp, left: &Node, right: &Node, at: u32) -> Types {
        let (one, other) = (self.expr(left), self.expr(right));
        let sign = op.symbol();
        let ends = (left.start(), right.start());
        match op {
            BinaryOp::In => Types::BOOL,
            BinaryOp::Equal | BinaryOp::NotEqual => {
                self.compared(sign, one, other, at);
                self.compare_flag(left, right);
                Types::BOOL
            }
            BinaryOp::Less
            | BinaryOp::Greater
            | BinaryOp::LessOrEqual
            | BinaryOp::GreaterOrEqual => {
                let (ordered, number) = (Types::NUMBER | Types::TEXT, Types::NUMBER);
                self.want(left, ordered);
                self.want(right, ordered);
                if matches!(left.kind, NodeKind::Unary(UnaryOp::Not, _)) {
                    self.negated_comparison(sign, left.start());
                    return Types::BOOL;
                }
                self.operand(one, ordered, sign, ends.0);
                self.operand(other, ordered, sign, ends.1);
                if one.meets(ordered) && other.meets(ordered) && !one.meets(other) {
                    self.operand(if one == number { other } else { one }, number, sign, at);
                }
                Types::BOOL
            }
            BinaryOp::Add if one.meets(Types::TEXT) || other.meets(Types::TEXT) => {
                if one == Types::TEXT || other == Types::TEXT {
                    return Types::TEXT;
                }
                one.and(Types::NUMBER | Types::LIST | Types::MAP) | Types::TEXT
            }
            BinaryOp::Add => {
                let both = Types::NUMBER | Types::LIST | Types::MAP;
                self.operand(one, both, sign, ends.0);
                self.operand(other, both, sign, ends.1);
                if one.meets(both) && other.meets(both) && !one.meets(other) {
                    self.operand(other, one, sign, ends.1);
                }
                one.and(other).and(both)
            }
            _ => {
                let numbers = matches!(
                    op,
                    BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Remainder
                );
                let both = Types::NUMBER | Types::BOOL | Types::TEXT | Types::LIST | Types::MAP;
                let both = if numbers { Types::NUMBER } else { both };
                self.want(left, both);
                self.want(right, both);
                self.operand(one, both, sign, ends.0);
                self.operand(other, both, sign, ends.1);
                if one.meets(both) && other.meets(both) && !one.meets(other) {
                    let number = Types::NUMBER;
                    let (wrong, at) = if one == number {
                        (other, ends.1)
                    } else {
                        (one, ends.0)
                    };
                    self.operand(wrong, number, sign, at);
                }
                one.and(other).and(both)
            }
        }
    }

    /// Reports `!x > 2`, which negates only `x`.
    fn negated_comparison(&mut self, sign: &'static str, at: u32) {
        self.found(at, 1, move |span| {
            Diagnostic::error(
                span,
                "wrong-operand",
                format!("`!` belongs to the value before `{sign}`"),
            )
            .label("negates only this value")
            .help(format!(
                "put the comparison in parentheses: `!(x {sign} 2)`"
            ))
        });
    }

    fn operand(&mut self, types: Types, accepted: Types, sign: &'static str, at: u32) {
        if types.meets(accepted) {
            return;
        }
        let (phrase, accepted) = (types.phrase(), accepted.phrase());
        let is_chain =
            matches!(sign, "<" | ">" | "<=" | ">=") && types.without(Types::BOOL).is_none();
        let help = if is_chain {
            "compare twice: `a < b && b < c`"
        } else {
            "read a property, as in `.coins`, call a method, as in `.len()`, or compare values of the same type"
        };
        self.found(at, 1, move |span| {
            Diagnostic::error(
                span,
                "wrong-operand",
                format!("wrong operand of `{sign}`: {phrase}"),
            )
            .label(format!("expected {accepted}"))
            .help(help)
        });
    }

    fn compared(&mut self, sign: &'static str, left: Types, right: Types, at: u32) {
        let is_bare = |types: Types| types.without(Types::NOTHING).is_none();
        let declared = natives::with_count("==", 2).any(|native| native.fits(&[left, right]));
        if left.meets(right) || declared || is_bare(left) || is_bare(right) {
            return;
        }
        let (left, right) = (
            left.without(Types::NOTHING).phrase(),
            right.without(Types::NOTHING).phrase(),
        );
        self.found(at, sign.len(), move |span| {
            Diagnostic::error(
                span,
                "wrong-operand",
                format!("{left} and {right} are never equal"),
            )
            .label(format!("`{sign}` compares different types"))
            .help("compare a property or the result of a method, as in `.id` or `.len()`")
        });
    }

    /// Whether an expression has an effect besides its value.
    pub fn does_something(&self, node: &Node) -> bool {
        let mut found = false;
        node.walk(&mut |node| {
            found |= matches!(
                node.kind,
                NodeKind::Assign(_)
                    | NodeKind::Return(_)
                    | NodeKind::Throw(_)
                    | NodeKind::Break(_)
                    | NodeKind::Continue
                    | NodeKind::Unsupported
            );
            node.each_call(&mut |site| found |= self.call_does(site));
        });
        found
    }

    fn call_does(&self, site: CallSite) -> bool {
        let name = &*site.call.name;
        let of_packs = self
            .functions
            .iter()
            .filter(|((function, _), _)| function == name);
        let mut does = of_packs
            .map(|(_, function)| function.summary.does)
            .peekable();
        match does.peek() {
            Some(_) => does.any(|does| does),
            None => natives::does(name) || !natives::is_native(name),
        }
    }
}
