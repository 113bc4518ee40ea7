//! Plain scripts: what most hooks say, as a small tree of our own that runs without the interpreter.
//!
//! A hook of names, fields, numbers, comparisons, `if`, `let` and the words of [`super::direct`] is lowered from Rhai's tree;
//! whatever else stands in a script leaves the whole of it to Rhai. Both give the same results: the tests of the miniatures
//! run every script both ways.

use rhai::{ASTFlags, BinaryExpr, Dynamic, Expr, FnCallExpr, Identifier, OpAssignment, Position, Stmt, Token};

use super::api::Named;
use super::compile::{Known, NAMES};
use super::direct::{self, Word};
use super::run::ARGUMENTS;
use crate::content::Content;

/// A bit of a plain script.
pub(super) enum Plain {
    /// A number, a word, a yes or no, nothing.
    Value(Dynamic),
    /// `[a, b]`.
    List(Box<[Plain]>),
    /// `#{ a: 1, b: 2 }`.
    Map(Box<[(Identifier, Plain)]>),
    /// One of [`NAMES`], by position.
    Name(usize),
    /// A `let`, by position.
    Local(usize),
    /// `of.name`.
    Field(Box<Plain>, Named, Position),
    /// `of.name = value`, `of.name += value`.
    Set { of: Box<Plain>, named: Named, by: Option<(Op, Position)>, value: Box<Plain>, at: Position },
    /// A word of the engine, as a function or a method.
    Word { word: Word, name: Box<str>, with: Box<[Plain]>, at: Position },
    /// A function of the pack, which Rhai runs.
    Call { text: Box<str>, with: Box<[Plain]>, at: Position },
    /// `` `a ${b}` ``.
    Text(Box<[Plain]>, Position),
    /// `return`.
    Return(Option<Box<Plain>>),
    /// Two values and a sign between them.
    Pair(Op, Box<(Plain, Plain)>, Position),
    /// `!value`.
    Not(Box<Plain>, Position),
    /// `-value`.
    Minus(Box<Plain>, Position),
    /// `a && b` when the flag is set, else `a || b`; stops at the first that settles it.
    All(bool, Box<[Plain]>, Position),
    /// A condition and two ways to go on.
    If(Box<(Plain, Plain, Plain)>, Position),
    /// One after another; gives the last. Its `let`s are gone after it.
    Block(Box<[Plain]>),
    /// `let`: a further local.
    Let(Box<Plain>),
}

/// A sign between two values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Op {
    Plus,
    Minus,
    Times,
    Equal,
    Unequal,
    Less,
    AtMost,
    More,
    AtLeast,
}

impl Op {
    fn of(token: &Token) -> Option<Op> {
        Some(match token {
            Token::Plus => Op::Plus,
            Token::Minus => Op::Minus,
            Token::Multiply => Op::Times,
            Token::EqualsTo => Op::Equal,
            Token::NotEqualsTo => Op::Unequal,
            Token::LessThan => Op::Less,
            Token::LessThanEqualsTo => Op::AtMost,
            Token::GreaterThan => Op::More,
            Token::GreaterThanEqualsTo => Op::AtLeast,
            _ => return None,
        })
    }

    /// How it is written.
    pub const fn sign(self) -> &'static str {
        match self {
            Op::Plus => "+",
            Op::Minus => "-",
            Op::Times => "*",
            Op::Equal => "==",
            Op::Unequal => "!=",
            Op::Less => "<",
            Op::AtMost => "<=",
            Op::More => ">",
            Op::AtLeast => ">=",
        }
    }
}

/// A script as a plain one, if it is plain all through.
pub(super) fn lower(content: &Content, known: &Known, statements: &[Stmt]) -> Option<Plain> {
    let plain = Lowering { content, known, locals: Vec::new() }.block(statements)?;
    // What only hands everything on to a function of the pack gains nothing.
    let hands_on = matches!(&plain, Plain::Block(list) if matches!(&list[..], [Plain::Call { .. }]));
    (!hands_on).then_some(plain)
}

struct Lowering<'a> {
    content: &'a Content,
    /// The functions of packs in sight.
    known: &'a Known,
    /// The names of the `let`s in sight.
    locals: Vec<String>,
}

impl Lowering<'_> {
    fn block(&mut self, statements: &[Stmt]) -> Option<Plain> {
        let outside = self.locals.len();
        let lowered: Option<Box<[Plain]>> = statements.iter().map(|statement| self.statement(statement)).collect();
        self.locals.truncate(outside);
        lowered.map(Plain::Block)
    }

    fn statement(&mut self, statement: &Stmt) -> Option<Plain> {
        match statement {
            Stmt::Noop(_) => Some(Plain::Value(Dynamic::UNIT)),
            Stmt::Expr(expr) => self.quiet(expr),
            Stmt::FnCall(call, at) => self.call(call, *at, true),
            Stmt::Block(block) => self.block(block.statements()),
            Stmt::If(flow, at) => {
                let condition = self.expr(&flow.expr)?;
                let (yes, no) = (self.block(flow.body.statements())?, self.block(flow.branch.statements())?);
                Some(Plain::If(Box::new((condition, yes, no)), *at))
            }
            Stmt::Var(var, flags, _) if !flags.contains(ASTFlags::EXPORTED) => {
                let value = self.expr(&var.1)?;
                self.locals.push(var.0.name.to_string());
                Some(Plain::Let(Box::new(value)))
            }
            Stmt::Return(value, flags, _) if !flags.contains(ASTFlags::BREAK) => match value {
                Some(value) => Some(Plain::Return(Some(Box::new(self.expr(value)?)))),
                None => Some(Plain::Return(None)),
            },
            Stmt::Assignment(assignment) => self.assignment(&assignment.0, &assignment.1),
            _ => None,
        }
    }

    fn assignment(&mut self, op: &OpAssignment, sides: &BinaryExpr) -> Option<Plain> {
        let by = match op.get_op_assignment_info() {
            Some((_, _, _, _, token, _)) => {
                let sign = Op::of(token).filter(|op| matches!(op, Op::Plus | Op::Minus | Op::Times))?;
                Some((sign, op.position()))
            }
            None => None,
        };
        let value = Box::new(self.expr(&sides.rhs)?);
        let Expr::Dot(dot, flags, _) = &sides.lhs else { return None };
        let (of, property) = self.plain_dot(dot, *flags)?;
        let Expr::Property(property, at) = property else { return None };
        Some(Plain::Set { of: Box::new(of), named: Named::new(self.content, &property.2), by, value, at: *at })
    }

    /// An expression whose value nobody reads.
    fn quiet(&mut self, expr: &Expr) -> Option<Plain> {
        match expr {
            Expr::FnCall(call, at) => self.call(call, *at, true),
            Expr::Dot(dot, flags, _) => self.dot(dot, *flags, true),
            other => self.expr(other),
        }
    }

    fn expr(&mut self, expr: &Expr) -> Option<Plain> {
        match expr {
            Expr::BoolConstant(..) | Expr::IntegerConstant(..) | Expr::StringConstant(..) | Expr::Unit(_) => {
                expr.get_literal_value(None).map(Plain::Value)
            }
            Expr::Array(list, _) => self.list(list).map(Plain::List),
            Expr::Map(map, _) => {
                let one = |(key, value): &(rhai::Ident, Expr)| Some((key.name.as_str().into(), self.expr(value)?));
                map.0.iter().map(one).collect::<Option<Vec<_>>>().map(|rows| Plain::Map(rows.into()))
            }
            Expr::InterpolatedString(list, at) => Some(Plain::Text(self.list(list)?, *at)),
            Expr::DynamicConstant(value, _) => Some(Plain::Value((**value).clone())),
            Expr::Variable(variable, ..) if variable.2.is_empty() => self.variable(&variable.1),
            Expr::Dot(dot, flags, _) => self.dot(dot, *flags, false),
            Expr::FnCall(call, at) => self.call(call, *at, false),
            Expr::And(list, at) => self.all(list, true, *at),
            Expr::Or(list, at) => self.all(list, false, *at),
            Expr::Stmt(block) => self.block(block.statements()),
            _ => None,
        }
    }

    fn variable(&self, name: &str) -> Option<Plain> {
        if let Some(local) = self.locals.iter().rposition(|local| local == name) {
            return Some(Plain::Local(local));
        }
        NAMES.iter().position(|known| *known == name).map(Plain::Name)
    }

    fn all(&mut self, list: &[Expr], and: bool, at: Position) -> Option<Plain> {
        Some(Plain::All(and, self.list(list)?, at))
    }

    fn list(&mut self, list: &[Expr]) -> Option<Box<[Plain]>> {
        list.iter().map(|expr| self.expr(expr)).collect()
    }

    /// What stands before the last dot of a chain, and what stands behind it.
    fn plain_dot<'e>(&mut self, dot: &'e BinaryExpr, flags: ASTFlags) -> Option<(Plain, &'e Expr)> {
        if flags.contains(ASTFlags::NEGATED) {
            return None;
        }
        let mut of = self.expr(&dot.lhs)?;
        let mut rest = &dot.rhs;
        // Rhai chains lean to the right: `a.b.c` is `a . (b . c)`.
        while let Expr::Dot(inner, flags, _) = rest {
            if flags.contains(ASTFlags::NEGATED) {
                return None;
            }
            of = self.step(of, &inner.lhs, false)?;
            rest = &inner.rhs;
        }
        Some((of, rest))
    }

    fn dot(&mut self, dot: &BinaryExpr, flags: ASTFlags, quiet: bool) -> Option<Plain> {
        let (of, last) = self.plain_dot(dot, flags)?;
        self.step(of, last, quiet)
    }

    fn step(&mut self, of: Plain, behind: &Expr, quiet: bool) -> Option<Plain> {
        match behind {
            Expr::Property(property, at) => {
                Some(Plain::Field(Box::new(of), Named::new(self.content, &property.2), *at))
            }
            Expr::MethodCall(call, at) => self.word(call, Some(of), *at, quiet),
            _ => None,
        }
    }

    fn call(&mut self, call: &FnCallExpr, at: Position, quiet: bool) -> Option<Plain> {
        let Some(token) = &call.op_token else { return self.word(call, None, at, quiet) };
        match (token, &call.args[..]) {
            (Token::Bang, [value]) => Some(Plain::Not(Box::new(self.expr(value)?), at)),
            (Token::Minus | Token::UnaryMinus, [value]) => Some(Plain::Minus(Box::new(self.expr(value)?), at)),
            (token, [left, right]) => {
                let pair = (self.expr(left)?, self.expr(right)?);
                Some(Plain::Pair(Op::of(token)?, Box::new(pair), at))
            }
            _ => None,
        }
    }

    fn word(&mut self, call: &FnCallExpr, of: Option<Plain>, at: Position, quiet: bool) -> Option<Plain> {
        if !call.namespace.is_empty() || call.capture_parent_scope {
            return None;
        }
        // A `let` may hold a list, which a method would change in place.
        if matches!(of, Some(Plain::Local(_) | Plain::List(_) | Plain::Map(_))) {
            return None;
        }
        let is_free = of.is_none();
        let mut with: Vec<Plain> = of.into_iter().collect();
        for arg in &call.args {
            with.push(self.expr(arg)?);
        }
        if with.len() > ARGUMENTS.len() {
            return None;
        }
        if is_free && self.known.functions.contains_key(&(call.name.to_string(), with.len())) {
            return Some(Plain::Call { text: call_text(&call.name, with.len()).into(), with: with.into(), at });
        }
        let word = direct::find(&call.name, with.len(), quiet)?;
        Some(Plain::Word { word, name: call.name.as_str().into(), with: with.into(), at })
    }
}

/// The call of a function with arguments `a0`, `a1` and so on.
pub(super) fn call_text(name: &str, arguments: usize) -> String {
    format!("{name}({})", ARGUMENTS[..arguments].join(", "))
}
