//! From Rhai's tree to a plain script. What has no place there (an inline function, `try`, a list changed in place deep
//! inside something else) leaves the whole script or function to Rhai.

use std::collections::BTreeMap;

use rhai::{
    AST, ASTFlags, BinaryExpr, Dynamic, Expr, FlowControl, FnCallExpr, OpAssignment, Position,
    Stmt, SwitchCasesCollection, Token,
};

use super::api::{GLOBALS, Named};
use super::compile::VisibleFunctions;
use super::direct;
use super::lint::natives::MUTATING;
use super::plain::{Op, Over, Plain, Saying, Set, Switch};
use super::run::{ARGUMENTS, CallSite};
use super::trace::{ScriptId, Trace};
use super::tree;
use super::visible::NAMES;
use crate::content::Content;

/// Words of the language itself, which only it understands.
const OF_THE_LANGUAGE: &[&str] = &[
    "Fn",
    "call",
    "curry",
    "is_def_var",
    "is_def_fn",
    "is_shared",
    "eval",
    "type_of",
];

/// A hook as a plain script, if it is plain all through.
pub(super) fn hook(
    content: &Content,
    known: &VisibleFunctions,
    trace: Counting,
    statements: &[Stmt],
) -> Option<Plain> {
    Lowering {
        content,
        known,
        trace,
        names: NAMES,
        locals: Vec::new(),
    }
    .block(statements)
}

/// Who counts the runs of statements, and of which script.
pub(super) type Counting<'a> = Option<(&'a Trace, &'a ScriptId)>;

/// The functions of a file that are plain all through, by name and number of parameters.
pub(super) fn functions(
    content: &Content,
    known: &VisibleFunctions,
    trace: Counting,
    ast: &AST,
) -> BTreeMap<(String, usize), Plain> {
    let begin = |locals: Vec<String>, _: Position| {
        let count = locals.len();
        (
            count,
            Lowering {
                content,
                known,
                trace,
                names: GLOBALS,
                locals,
            },
            Some(Vec::new()),
        )
    };
    let all = tree::functions(ast, begin, |(_, lowering, body), statement| {
        if let Some(lines) = body {
            match lowering.statement(statement) {
                Some(plain) => lines.push(plain),
                None => *body = None,
            }
        }
    });
    let plain = |function: tree::FunctionTree<(usize, Lowering, Option<Vec<Plain>>)>| {
        let (count, _, body) = function.made;
        Some(((function.name, count), Plain::Block(body?.into())))
    };
    all.into_iter().filter_map(plain).collect()
}

struct Lowering<'a> {
    content: &'a Content,
    /// The functions of packs in sight.
    known: &'a VisibleFunctions,
    trace: Counting<'a>,
    /// The names in sight without a `let`.
    names: &'a [&'a str],
    /// The names of parameters and of the `let`s in sight.
    locals: Vec<String>,
}

impl Lowering<'_> {
    fn block(&mut self, statements: &[Stmt]) -> Option<Plain> {
        let outside = self.locals.len();
        let lowered: Option<Box<[Plain]>> = statements
            .iter()
            .map(|statement| self.statement(statement))
            .collect();
        self.locals.truncate(outside);
        lowered.map(Plain::Block)
    }

    fn statement(&mut self, statement: &Stmt) -> Option<Plain> {
        let plain = self.uncounted(statement)?;
        Some(
            match self.trace.filter(|_| !matches!(statement, Stmt::Noop(_))) {
                Some((trace, script)) => Plain::Counted(
                    trace.register_statement(script, statement.position()),
                    Box::new(plain),
                ),
                None => plain,
            },
        )
    }

    fn uncounted(&mut self, statement: &Stmt) -> Option<Plain> {
        match statement {
            Stmt::Noop(_) => Some(Plain::Value(Dynamic::UNIT)),
            Stmt::Expr(expr) => self.quiet(expr),
            Stmt::FnCall(call, at) => self.call(call, *at, true),
            Stmt::Block(block) => self.block(block.statements()),
            Stmt::If(flow, at) => {
                let condition = self.expr(&flow.expr)?;
                let (yes, no) = (
                    self.block(flow.body.statements())?,
                    self.block(flow.branch.statements())?,
                );
                Some(Plain::If(Box::new((condition, yes, no)), *at))
            }
            Stmt::Switch(parts, _) => self.switch(&parts.0, &parts.1),
            Stmt::While(flow, at) => {
                let condition = match &flow.expr {
                    Expr::Unit(_) => None,
                    condition => Some(Box::new(self.expr(condition)?)),
                };
                Some(Plain::While {
                    condition,
                    body: Box::new(self.block(flow.body.statements())?),
                    at: *at,
                })
            }
            Stmt::For(parts, at) => self.repeat(
                &parts.0.name,
                parts.1.as_ref().map(|own| &*own.name),
                &parts.2,
                *at,
            ),
            Stmt::BreakLoop(value, flags, _) => {
                let value = value.as_ref().map(|value| self.expr(value).map(Box::new));
                Some(Plain::Leave(
                    flags.contains(ASTFlags::BREAK),
                    value.map_or(Some(None), |value| value.map(Some))?,
                ))
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

    fn repeat(
        &mut self,
        name: &str,
        counter: Option<&str>,
        flow: &FlowControl,
        at: Position,
    ) -> Option<Plain> {
        let over = match &flow.expr {
            Expr::FnCall(call, _) => match (&call.op_token, &call.args[..]) {
                (Some(sign @ (Token::ExclusiveRange | Token::InclusiveRange)), [from, to]) => {
                    Over::Numbers(
                        self.expr(from)?,
                        self.expr(to)?,
                        *sign == Token::InclusiveRange,
                    )
                }
                _ => Over::Values(self.expr(&flow.expr)?),
            },
            other => Over::Values(self.expr(other)?),
        };
        let outside = self.locals.len();
        self.locals.extend(counter.map(str::to_owned));
        self.locals.push(name.to_owned());
        let body = self.block(flow.body.statements());
        self.locals.truncate(outside);
        Some(Plain::For {
            over: Box::new(over),
            counted: counter.is_some(),
            body: Box::new(body?),
            at,
        })
    }

    fn switch(&mut self, on: &Expr, cases: &SwitchCasesCollection) -> Option<Plain> {
        let always = |block: &BinaryExpr| matches!(block.lhs, Expr::BoolConstant(true, _));
        if !cases.ranges.is_empty() || !cases.expressions.iter().all(always) {
            return None;
        }
        let on = self.expr(on)?;
        let bodies: Option<Vec<Plain>> = cases
            .expressions
            .iter()
            .map(|block| self.expr(&block.rhs))
            .collect();
        let mut bodies = bodies?;
        #[allow(
            clippy::disallowed_methods,
            reason = "they are sorted, and no value stands there twice"
        )]
        let rows = cases
            .cases
            .values()
            .map(|case| Some((case.value.clone(), *case.blocks.first()?)));
        let mut rows = rows.collect::<Option<Vec<(Dynamic, usize)>>>()?;
        rows.sort_by_key(|(_, body)| *body);
        // The last body is for any other value.
        match cases.def_case {
            Some(other) if other + 1 == bodies.len() => {}
            Some(_) => return None,
            None => bodies.push(Plain::Value(Dynamic::UNIT)),
        }
        Some(Plain::Switch(Box::new(Switch {
            on,
            cases: rows,
            bodies,
        })))
    }

    fn assignment(&mut self, op: &OpAssignment, sides: &BinaryExpr) -> Option<Plain> {
        let by = match op.get_op_assignment_info() {
            Some((_, _, _, _, token, _)) => Some((Op::of(token)?, op.position())),
            None => None,
        };
        let value = self.expr(&sides.rhs)?;
        match &sides.lhs {
            Expr::Variable(variable, ..) if variable.2.is_empty() => {
                let Plain::Local(local) = self.variable(&variable.1)? else {
                    return None;
                };
                Some(Plain::Assign {
                    local,
                    by,
                    value: Box::new(value),
                })
            }
            Expr::Dot(dot, flags, _) => {
                let Plain::Field(of, named, at) = self.chain(dot, *flags, true, false)? else {
                    return None;
                };
                let deep = match within_local(&of) {
                    None => None,
                    // It may be a piece of a list, or a map that lies in it.
                    Some((_, None)) => return None,
                    Some((local, Some(path))) => {
                        let sign = by.map_or("", |(op, _)| op.sign());
                        Some((
                            local,
                            format!("a0{path}.{} {sign}= a1", named.name()).into(),
                        ))
                    }
                };
                Some(Plain::Set(Box::new(Set {
                    of: *of,
                    named,
                    by,
                    value,
                    at,
                    deep,
                })))
            }
            _ => None,
        }
    }

    /// An expression whose value nobody reads.
    fn quiet(&mut self, expr: &Expr) -> Option<Plain> {
        match expr {
            Expr::FnCall(call, at) => self.call(call, *at, true),
            Expr::Dot(dot, flags, _) => self.chain(dot, *flags, true, true),
            other => self.expr(other),
        }
    }

    fn expr(&mut self, expr: &Expr) -> Option<Plain> {
        match expr {
            Expr::BoolConstant(..)
            | Expr::IntegerConstant(..)
            | Expr::StringConstant(..)
            | Expr::Unit(_) => expr.get_literal_value(None).map(Plain::Value),
            Expr::Array(..) | Expr::Map(..) if expr.is_constant() => {
                expr.get_literal_value(None).map(Plain::Value)
            }
            Expr::Array(list, at) => Some(Plain::List(self.list(list)?, *at)),
            Expr::Map(map, at) => {
                let one = |(key, value): &(rhai::Ident, Expr)| {
                    Some((key.name.as_str().into(), self.expr(value)?))
                };
                map.0
                    .iter()
                    .map(one)
                    .collect::<Option<Vec<_>>>()
                    .map(|rows| Plain::Map(rows.into(), *at))
            }
            Expr::InterpolatedString(list, at) => Some(Plain::Text(self.list(list)?, *at)),
            Expr::DynamicConstant(value, _) if !value.is_fnptr() => {
                Some(Plain::Value((**value).clone()))
            }
            Expr::Variable(variable, ..) if variable.2.is_empty() => self.variable(&variable.1),
            Expr::Dot(dot, flags, _) => self.chain(dot, *flags, true, false),
            Expr::Index(pair, flags, _) => self.chain(pair, *flags, false, false),
            Expr::FnCall(call, at) => self.call(call, *at, false),
            Expr::And(list, at) => self.all(list, true, *at),
            Expr::Or(list, at) => self.all(list, false, *at),
            Expr::Coalesce(list, _) => {
                let mut parts = self.list(list)?.into_vec().into_iter().rev();
                let last = parts.next()?;
                Some(parts.fold(last, |or, value| Plain::Else(Box::new((value, or)))))
            }
            Expr::Stmt(block) => self.block(block.statements()),
            _ => None,
        }
    }

    fn variable(&self, name: &str) -> Option<Plain> {
        if let Some(local) = self.locals.iter().rposition(|local| local == name) {
            return Some(Plain::Local(local));
        }
        let known = self.names.contains(&name);
        NAMES
            .iter()
            .position(|own| known && *own == name)
            .map(Plain::Name)
    }

    fn all(&mut self, list: &[Expr], and: bool, at: Position) -> Option<Plain> {
        Some(Plain::All(and, self.list(list)?, at))
    }

    fn list(&mut self, list: &[Expr]) -> Option<Box<[Plain]>> {
        list.iter().map(|expr| self.expr(expr)).collect()
    }

    /// Fields, indexes and methods behind each other.
    fn chain(
        &mut self,
        first: &BinaryExpr,
        flags: ASTFlags,
        is_dot: bool,
        quiet: bool,
    ) -> Option<Plain> {
        let mut of = self.expr(&first.lhs)?;
        let steps = tree::steps(first, flags, is_dot);
        let last = steps.len() - 1;
        for (ix, step) in steps.iter().enumerate() {
            of = match step.expr {
                _ if step.maybe => return None,
                index if !step.is_dot => {
                    Plain::Index(Box::new((of, self.expr(index)?)), index.position())
                }
                Expr::Property(property, at) => {
                    Plain::Field(Box::new(of), Named::new(self.content, &property.2), *at)
                }
                Expr::MethodCall(call, at) => {
                    self.word(call, Some(of), *at, quiet && ix == last)?
                }
                _ => return None,
            };
        }
        Some(of)
    }

    fn call(&mut self, call: &FnCallExpr, at: Position, quiet: bool) -> Option<Plain> {
        let Some(token) = &call.op_token else {
            return self.word(call, None, at, quiet);
        };
        match (token, &call.args[..]) {
            (Token::Bang, [value]) => Some(Plain::Not(Box::new(self.expr(value)?), at)),
            (Token::Minus | Token::UnaryMinus, [Expr::IntegerConstant(number, _)]) => {
                Some(Plain::Value(Dynamic::from_int(number.checked_neg()?)))
            }
            (Token::Minus | Token::UnaryMinus, [value]) => {
                Some(Plain::Minus(Box::new(self.expr(value)?), at))
            }
            // `a in b` is `contains(b, a)`, and stands so in the tree.
            (Token::In | Token::NotIn, [_, _]) => self.word(call, None, at, quiet),
            (token, [left, right]) => {
                let pair = (self.expr(left)?, self.expr(right)?);
                Some(Plain::Pair(Op::of(token)?, Box::new(pair), at))
            }
            _ => None,
        }
    }

    fn word(
        &mut self,
        call: &FnCallExpr,
        of: Option<Plain>,
        at: Position,
        quiet: bool,
    ) -> Option<Plain> {
        let name = call.name.as_str();
        if !call.namespace.is_empty()
            || call.capture_parent_scope
            || OF_THE_LANGUAGE.contains(&name)
        {
            return None;
        }
        let is_method = of.is_some();
        // What it changes would be a copy.
        if MUTATING.contains(&name)
            && !matches!(of, None | Some(Plain::Local(_)))
            && within_local(of.as_ref()?).is_some()
        {
            return None;
        }
        let local = of.as_ref().and_then(|of| {
            if let Plain::Local(local) = of {
                Some(*local)
            } else {
                None
            }
        });
        let mut with: Vec<Plain> = of.into_iter().filter(|_| local.is_none()).collect();
        for arg in &call.args {
            with.push(self.expr(arg)?);
        }
        let count = call.args.len() + usize::from(is_method);
        if count > ARGUMENTS.len() {
            return None;
        }
        let with = with.into_boxed_slice();
        let key = (call.name.to_string(), call.args.len());
        if let Some(slot) = self.known.slot(&key) {
            // A function called like a method has a `this`.
            return (!is_method).then_some(Plain::Call { slot, with, at });
        }
        let direct = direct::find(name, count, quiet);
        let text = if is_method {
            format!("a0.{name}({})", ARGUMENTS[1..count].join(", "))
        } else {
            call_text(name, count)
        };
        Some(Plain::Word(Box::new(Saying {
            direct,
            site: CallSite::of(text),
            with,
            local,
            at,
        })))
    }
}

/// The call of a function with arguments `a0`, `a1` and so on.
pub(super) fn call_text(name: &str, arguments: usize) -> String {
    format!("{name}({})", ARGUMENTS[..arguments].join(", "))
}

/// The local that something may lie in, and the way to it if it leads through fields only.
fn within_local(plain: &Plain) -> Option<(usize, Option<String>)> {
    match plain {
        Plain::Local(local) => Some((*local, Some(String::new()))),
        Plain::Field(of, named, _) => {
            let (local, path) = within_local(of)?;
            Some((local, path.map(|path| format!("{path}.{}", named.name()))))
        }
        Plain::Index(pair, _) => within_local(&pair.0).map(|(local, _)| (local, None)),
        _ => None,
    }
}
