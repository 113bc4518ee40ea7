//! Type inference: finds arguments, operands and conditions of the wrong type before they fail.
//!
//! A type is the set of types that a value may have. A diagnostic is reported only if no type in
//! the set is valid; a value of unknown type is valid everywhere.

use std::collections::BTreeMap;

use rhai::{AST, ASTNode, Expr, FnCallExpr, Position, Stmt, Token};

use super::ScriptText;
use super::facts::Facts;
use super::flow::{self, StatementResult};
use super::natives::{self, LANGUAGE, Signature};
use super::types::Types;
use crate::content::{Content, HookDef};
use crate::diagnostic::{Diagnostic, DiagnosticBuilder, Report};
use crate::script::api::GLOBALS;
use crate::script::compile::PackFunction;
use crate::script::tree;
use crate::script::visible::HookName;

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
    tree: &AST,
) -> Vec<((String, usize), FunctionSummary)> {
    let all = each_function(content, facts, functions, tree);
    all.into_iter()
        .map(|(key, infer)| (key, infer.summary()))
        .collect()
}

/// Analyses each function of a file.
fn each_function<'a>(
    content: &'a Content,
    facts: &'a Facts,
    functions: &'a BTreeMap<(String, usize), PackFunction>,
    ast: &AST,
) -> Vec<((String, usize), TypeInference<'a>)> {
    let begin = |parameters: Vec<String>, at: Position| {
        let mut infer = TypeInference::new(content, facts, functions);
        infer.wants = vec![Types::ANY; parameters.len()];
        let local = |(ix, name)| LocalVariable {
            name,
            types: Types::ANY,
            parameter: Some(ix),
            read: true,
            at,
        };
        infer.locals = parameters.into_iter().enumerate().map(local).collect();
        infer
    };
    let all = tree::functions(ast, begin, TypeInference::next);
    let named = all
        .into_iter()
        .filter(|function| !function.name.starts_with("anon$"));
    named
        .map(|function| ((function.name, function.made.wants.len()), function.made))
        .collect()
}

/// Checks a hook, or the functions of a file.
pub fn check(
    content: &Content,
    functions: &BTreeMap<(String, usize), PackFunction>,
    tree: &AST,
    hook: Option<&HookDef>,
    source: &ScriptText<'_>,
    report: &mut Report,
) {
    let mut all: Vec<TypeInference> = each_function(content, source.facts, functions, tree)
        .into_iter()
        .map(|(_, f)| f)
        .collect();
    if let Some(def) = hook {
        let mut infer = TypeInference::new(content, source.facts, functions);
        infer.hook = Some(def);
        tree.statements()
            .iter()
            .for_each(|statement| infer.next(statement));
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
    pub at: Position,
}

/// A diagnostic whose source location has not been computed yet.
pub(super) struct Finding {
    pub at: Position,
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
}

impl<'a> TypeInference<'a> {
    fn new(
        content: &'a Content,
        facts: &'a Facts,
        functions: &'a BTreeMap<(String, usize), PackFunction>,
    ) -> TypeInference<'a> {
        TypeInference {
            content,
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
        at: Position,
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
    pub fn want(&mut self, expr: &Expr, accepted: Types) {
        let Expr::Variable(variable, ..) = expr else {
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
            .find(|local| *local.name == *variable.1);
        if let Some(parameter) = local.and_then(|local| local.parameter) {
            // The function may check for `()` first.
            self.wants[parameter] = self.wants[parameter].and(accepted | Types::NOTHING);
        }
    }

    /// Infers the type of an expression.
    pub fn expr(&mut self, expr: &Expr) -> Types {
        match expr {
            Expr::IntegerConstant(..) => Types::NUMBER,
            Expr::BoolConstant(..) => Types::YES_NO,
            Expr::CharConstant(..) | Expr::StringConstant(..) => Types::TEXT,
            Expr::InterpolatedString(list, _) => {
                self.each(list);
                Types::TEXT
            }
            Expr::Array(list, _) => {
                self.each(list);
                Types::LIST
            }
            Expr::Map(map, _) => {
                for (_, value) in &map.0 {
                    self.expr(value);
                }
                Types::MAP
            }
            Expr::Unit(_) => Types::NOTHING,
            Expr::Variable(variable, ..) => self.variable(&variable.1),
            Expr::FnCall(call, at) => self.call(call, *at),
            Expr::Dot(pair, flags, _) => self.chain(pair, *flags, true),
            Expr::Index(pair, flags, _) => self.chain(pair, *flags, false),
            Expr::And(list, _) | Expr::Or(list, _) => {
                for part in list.iter() {
                    self.condition(part);
                }
                Types::YES_NO
            }
            Expr::Coalesce(list, _) => {
                let types = list
                    .iter()
                    .fold(Types::NONE, |types, part| types | self.expr(part));
                types.without(Types::NOTHING) | Types::NOTHING
            }
            Expr::Stmt(block) => flow::block(self, block.statements(), true).0,
            Expr::DynamicConstant(value, _) if value.is_fnptr() => Types::FUNCTION,
            _ => Types::ANY,
        }
    }

    fn each(&mut self, list: &[Expr]) {
        for part in list {
            self.expr(part);
        }
    }

    /// Checks an expression that must be true or false.
    pub fn condition(&mut self, expr: &Expr) {
        let types = self.expr(expr);
        self.want(expr, Types::YES_NO);
        if !types.meets(Types::YES_NO) {
            let words = types.words();
            self.found(expr.start_position(), 1, move |span| {
                Diagnostic::error(
                    span,
                    "wrong-operand",
                    "a condition must be true or false",
                )
                .label(format!("this is {words}"))
                .help("compare it with something, as in `x > 0`, `x == \"red\"` or `!x.is_empty()`")
            });
        }
    }

    fn variable(&mut self, name: &str) -> Types {
        if let Some(local) = self
            .locals
            .iter_mut()
            .rev()
            .find(|local| local.name == name)
        {
            local.read = true;
            return local.types;
        }
        let visible = HookName::parse(name).filter(|own| match self.hook {
            Some(hook) => own.is_visible(hook),
            None => GLOBALS.contains(&name),
        });
        let Some(name) = visible else {
            return Types::ANY;
        };
        match name {
            HookName::It => Types::PIECE | Types::NOTHING,
            HookName::Entry => Types::ENTRY,
            HookName::Owner | HookName::Actor => Types::SEAT | Types::NOTHING,
            HookName::Each | HookName::Value | HookName::Typed => Types::ANY,
            HookName::Fighter | HookName::Foe => Types::SEAT | Types::PIECE | Types::NOTHING,
            HookName::Event => Types::EVENT,
            HookName::Fight => Types::FIGHT,
            HookName::Combo => Types::COMBO,
            HookName::Packet => Types::PACKET,
            HookName::Table => Types::TABLE,
        }
    }

    fn call(&mut self, call: &FnCallExpr, at: Position) -> Types {
        match (&call.op_token, &call.args[..]) {
            (Some(Token::In | Token::NotIn) | None, args) => {
                let args: Vec<&Expr> = args.iter().collect();
                self.word(&call.name, None, &args, at)
            }
            (Some(Token::Bang), [value]) => {
                self.condition(value);
                Types::YES_NO
            }
            (Some(token), [value]) => {
                let types = self.expr(value);
                self.want(value, Types::NUMBER);
                self.operand(types, Types::NUMBER, token, value.start_position());
                Types::NUMBER
            }
            (Some(token), [left, right]) => self.operator(token, left, right, at),
            _ => Types::ANY,
        }
    }

    fn operator(&mut self, token: &Token, left: &Expr, right: &Expr, at: Position) -> Types {
        let (one, other) = (self.expr(left), self.expr(right));
        match token {
            Token::EqualsTo | Token::NotEqualsTo => {
                self.compared(token, one, other, at);
                Types::YES_NO
            }
            Token::LessThan
            | Token::GreaterThan
            | Token::LessThanEqualsTo
            | Token::GreaterThanEqualsTo => {
                let (ordered, words) = (Types::NUMBER | Types::TEXT, Types::NUMBER);
                self.want(left, ordered);
                self.want(right, ordered);
                self.operand(one, ordered, token, left.start_position());
                self.operand(other, ordered, token, right.start_position());
                if one.meets(ordered) && other.meets(ordered) && !one.meets(other) {
                    self.operand(if one == words { other } else { one }, words, token, at);
                }
                Types::YES_NO
            }
            Token::ExclusiveRange | Token::InclusiveRange => {
                self.want(left, Types::NUMBER);
                self.want(right, Types::NUMBER);
                self.operand(one, Types::NUMBER, token, left.start_position());
                self.operand(other, Types::NUMBER, token, right.start_position());
                Types::RANGE
            }
            Token::Plus if one.meets(Types::TEXT) || other.meets(Types::TEXT) => {
                if one == Types::TEXT || other == Types::TEXT {
                    return Types::TEXT;
                }
                one.and(Types::NUMBER | Types::LIST | Types::MAP) | Types::TEXT
            }
            Token::Plus => {
                let both = Types::NUMBER | Types::LIST | Types::MAP;
                self.operand(one, both, token, left.start_position());
                self.operand(other, both, token, right.start_position());
                if one.meets(both) && other.meets(both) && !one.meets(other) {
                    self.operand(other, one, token, right.start_position());
                }
                one.and(other).and(both)
            }
            _ => {
                let both = Types::NUMBER | Types::YES_NO | Types::TEXT | Types::LIST | Types::MAP;
                let both = if matches!(token, Token::Multiply | Token::Divide | Token::Modulo) {
                    Types::NUMBER
                } else {
                    both
                };
                self.want(left, both);
                self.want(right, both);
                self.operand(one, both, token, left.start_position());
                self.operand(other, both, token, right.start_position());
                one.and(other).and(both)
            }
        }
    }

    fn operand(&mut self, types: Types, accepted: Types, token: &Token, at: Position) {
        if types.meets(accepted) {
            return;
        }
        let (sign, words, accepted) = (token.to_string(), types.words(), accepted.words());
        self.found(at, 1, move |span| {
            Diagnostic::error(span, "wrong-operand", format!("wrong operand of `{sign}`: {words}"))
                .label(format!("expected {accepted}"))
                .help("read a property, as in `.coins`, call a method, as in `.len()`, or compare values of the same type")
        });
    }

    fn compared(&mut self, token: &Token, one: Types, other: Types, at: Position) {
        let is_bare = |types: Types| types.without(Types::NOTHING).is_none();
        let declared = natives::natives(|all| {
            let of = |signature: &Signature| {
                let [left, right] = signature.takes[..] else {
                    return false;
                };
                left.meets(one) && right.meets(other)
            };
            all.get("==").is_some_and(|list| list.iter().any(of))
        });
        if one.meets(other) || declared || is_bare(one) || is_bare(other) {
            return;
        }
        let (sign, one, other) = (
            token.to_string(),
            one.without(Types::NOTHING).words(),
            other.without(Types::NOTHING).words(),
        );
        self.found(at, sign.len(), move |span| {
            Diagnostic::error(
                span,
                "wrong-operand",
                format!("{one} and {other} are never equal"),
            )
            .label(format!("`{sign}` compares different types"))
            .help("compare a property or the result of a method, as in `.id` or `.len()`")
        });
    }

    /// Whether an expression has an effect besides its value.
    pub fn does_something(&self, expr: &Expr) -> bool {
        let mut found = false;
        let mut path = Vec::new();
        expr.walk(&mut path, &mut |path: &[ASTNode]| {
            found |= match path.last() {
                Some(
                    ASTNode::Expr(Expr::FnCall(call, _) | Expr::MethodCall(call, _))
                    | ASTNode::Stmt(Stmt::FnCall(call, _)),
                ) => self.call_does(call),
                Some(ASTNode::Stmt(
                    Stmt::Assignment(..) | Stmt::Return(..) | Stmt::BreakLoop(..),
                )) => true,
                _ => false,
            };
            !found
        });
        found
    }

    pub fn call_does(&self, call: &FnCallExpr) -> bool {
        if call.op_token.is_some() {
            return false;
        }
        let name = call.name.as_str();
        let own = self.functions.iter().filter(|((own, _), _)| own == name);
        let mut own = own.map(|(_, function)| function.summary.does).peekable();
        match own.peek() {
            Some(_) => own.any(|does| does),
            None => {
                natives::does(name)
                    || LANGUAGE.contains(&name)
                    || name.starts_with("anon$")
                    || !natives::is_native(name)
            }
        }
    }
}
