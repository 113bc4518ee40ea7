//! Statements one after another: what is never come to, never ends, does nothing, or is never read.

use rhai::{ASTFlags, ASTNode, Expr, FlowControl, Position, Stmt};

use super::infer::{Infer, Local};
use super::types::Types;
use crate::content::Role;
use crate::diagnostic::{Confidence, Diagnostic};
use crate::script::api::GLOBALS;
use crate::script::visible::sees;

/// What a statement comes to, if nobody reads its value.
#[derive(Clone, Debug)]
pub enum Value {
    /// It does something.
    Done,
    /// It only works something out, from here on.
    Idle(Position),
    /// It calls something only for its value.
    Unread(Position, String),
    /// One of these, or nothing.
    Either(Vec<Value>),
}

impl Infer<'_> {
    /// Takes in the next statement at the top of a hook or a function. Whether it is the last is not known yet.
    pub fn next(&mut self, statement: &Stmt) {
        if let Some((value, _)) = self.last.take() {
            unread(self, value);
        }
        if self.left {
            never(self, statement.position());
            // Once is enough.
            self.left = false;
        }
        let (value, types, leaves) = one(self, statement);
        self.left |= leaves;
        self.last = Some((value, types));
    }
}

/// At the end of a hook or a function.
pub fn end(cx: &mut Infer) {
    let idle = cx.hook.is_some_and(|def| match def.role {
        Role::On(_) | Role::May(_) | Role::Ask(_) => true,
        Role::Do => matches!(&*def.name, "do" | "setup") || def.name.starts_with("then."),
        _ => false,
    });
    if let Some((value, _)) = cx.last.take().filter(|_| idle) {
        unread(cx, value);
    }
    leave(cx, 0);
}

/// Statements between braces: what the last one gives, and whether the end is never come to.
pub fn block(cx: &mut Infer, statements: &[Stmt], used: bool) -> (Types, bool) {
    let (value, types, left) = block_value(cx, statements);
    if !used {
        unread(cx, value);
    }
    (types, left)
}

/// The same, with what becomes of the value if nobody reads it.
fn block_value(cx: &mut Infer, statements: &[Stmt]) -> (Value, Types, bool) {
    let outside = cx.locals.len();
    let (mut types, mut left, mut result) = (Types::NOTHING, false, Value::Done);
    for (ix, statement) in statements.iter().enumerate() {
        if left {
            never(cx, statement.position());
            left = false;
        }
        let (value, own, leaves) = one(cx, statement);
        if ix + 1 == statements.len() {
            result = value;
        } else {
            unread(cx, value);
        }
        left |= leaves;
        types = own;
    }
    leave(cx, outside);
    (result, types, left)
}

/// A statement: what it comes to, what it gives, and whether what stands behind it is never come to.
fn one(cx: &mut Infer, statement: &Stmt) -> (Value, Types, bool) {
    let done = |types: Types| (Value::Done, types, false);
    match statement {
        Stmt::Expr(expr) => {
            let types = cx.expr(expr);
            (value(cx, expr), types, false)
        }
        Stmt::FnCall(call, at) => {
            let expr = Expr::FnCall(call.clone(), *at);
            let types = cx.expr(&expr);
            (value(cx, &expr), types, false)
        }
        Stmt::Block(inner) => block_value(cx, inner.statements()),
        Stmt::If(flow, _) => branches(cx, flow),
        Stmt::Switch(parts, _) => {
            cx.expr(&parts.0);
            let mut types = if parts.1.def_case.is_some() {
                Types::NONE
            } else {
                Types::NOTHING
            };
            for case in &parts.1.expressions {
                if !matches!(case.lhs, Expr::BoolConstant(..)) {
                    cx.condition(&case.lhs);
                }
                types = types | cx.expr(&case.rhs);
            }
            done(types)
        }
        Stmt::While(flow, at) => (Value::Done, Types::ANY, repeat(cx, flow, *at)),
        Stmt::Do(flow, _, _) => {
            block(cx, flow.body.statements(), false);
            cx.condition(&flow.expr);
            done(Types::ANY)
        }
        Stmt::For(parts, at) => {
            let over = cx.expr(&parts.2.expr);
            let outside = cx.locals.len();
            let item = if over == Types::RANGE {
                Types::NUMBER
            } else {
                Types::ANY
            };
            let mut name = |name: &str, types: Types| {
                cx.locals.push(Local {
                    name: name.to_owned(),
                    types,
                    parameter: None,
                    read: true,
                    at: *at,
                });
            };
            if let Some(counter) = &parts.1 {
                name(&counter.name, Types::NUMBER);
            }
            name(&parts.0.name, item);
            hides(cx, &parts.0.name, parts.0.pos);
            forget(cx, parts.2.body.statements());
            block(cx, parts.2.body.statements(), false);
            cx.locals.truncate(outside);
            done(Types::ANY)
        }
        Stmt::Var(var, _, _) => {
            let types = cx.expr(&var.1);
            hides(cx, &var.0.name, var.0.pos);
            let local = Local {
                name: var.0.name.to_string(),
                types,
                parameter: None,
                read: false,
                at: var.0.pos,
            };
            cx.locals.push(local);
            done(Types::NOTHING)
        }
        Stmt::Assignment(assignment) => {
            let token = assignment
                .0
                .get_op_assignment_info()
                .map(|(_, _, _, _, token, _)| token.clone());
            cx.assign(&assignment.1, token.as_ref());
            done(Types::NOTHING)
        }
        Stmt::Return(value, flags, _) => {
            let types = value
                .as_ref()
                .map_or(Types::NOTHING, |value| cx.expr(value));
            if !flags.contains(ASTFlags::BREAK) {
                cx.gives = cx.gives | types;
            }
            (Value::Done, Types::NONE, true)
        }
        Stmt::BreakLoop(value, _, _) => {
            if let Some(value) = value {
                cx.expr(value);
            }
            (Value::Done, Types::NONE, true)
        }
        _ => done(Types::ANY),
    }
}

fn branches(cx: &mut Infer, flow: &FlowControl) -> (Value, Types, bool) {
    cx.condition(&flow.expr);
    let before: Vec<Types> = cx.locals.iter().map(|local| local.types).collect();
    let (yes_value, yes, left) = block_value(cx, flow.body.statements());
    let after: Vec<Types> = cx.locals.iter().map(|local| local.types).collect();
    for (local, before) in cx.locals.iter_mut().zip(&before) {
        local.types = *before;
    }
    let (no_value, no, other_left) = block_value(cx, flow.branch.statements());
    for (local, after) in cx.locals.iter_mut().zip(&after) {
        local.types = local.types | *after;
    }
    if let Expr::BoolConstant(is, _) = flow.expr {
        let dead = if is {
            flow.branch.statements().first()
        } else {
            flow.body.statements().first()
        };
        if let Some(dead) = dead {
            never(cx, dead.position());
        }
    }
    let alone = flow.branch.statements().is_empty();
    // A comparison that is only sometimes made is hardly meant as a value.
    if let (true, Value::Idle(at)) = (alone, &yes_value) {
        no_effect(cx, *at, "this statement does nothing");
        return (Value::Done, yes | no, left && other_left);
    }
    (
        Value::Either(vec![yes_value, no_value]),
        yes | no,
        left && other_left && !alone,
    )
}

/// A loop; gives whether it never ends.
fn repeat(cx: &mut Infer, flow: &FlowControl, at: Position) -> bool {
    forget(cx, flow.body.statements());
    let forever = matches!(flow.expr, Expr::Unit(_) | Expr::BoolConstant(true, _));
    if !forever {
        cx.condition(&flow.expr);
    }
    let ends = leaves_loop(flow.body.statements());
    let stuck = !forever && !ends && is_stuck(cx, flow);
    block(cx, flow.body.statements(), false);
    if (forever && !ends) || stuck {
        cx.found(at, 1, move |span| {
            Diagnostic::wrong(span, "endless-loop", "this loop never ends")
                .label(if stuck {
                    "nothing in it changes its condition"
                } else {
                    "no `break` or `return` leaves it"
                })
                .help("change in the loop what its condition asks for, or leave it with `break`")
        });
    }
    forever && !ends
}

/// Whether the condition of a loop speaks of local names and numbers only, and the body changes none of them.
fn is_stuck(cx: &Infer, flow: &FlowControl) -> bool {
    let (mut names, mut simple) = (Vec::new(), true);
    flow.expr.walk(&mut Vec::new(), &mut |path: &[ASTNode]| {
        match path.last() {
            Some(ASTNode::Expr(Expr::Variable(variable, ..))) => {
                simple &= cx.locals.iter().any(|local| *local.name == *variable.1);
                names.push(variable.1.to_string());
            }
            Some(ASTNode::Expr(Expr::FnCall(call, _))) => simple &= call.op_token.is_some(),
            Some(ASTNode::Expr(
                Expr::IntegerConstant(..)
                | Expr::BoolConstant(..)
                | Expr::StringConstant(..)
                | Expr::And(..)
                | Expr::Or(..),
            )) => {}
            _ => simple = false,
        }
        simple
    });
    simple
        && !names.is_empty()
        && !changed(flow.body.statements())
            .iter()
            .any(|name| names.contains(name))
}

/// The names that some statements assign to, or call a method on.
fn changed(statements: &[Stmt]) -> Vec<String> {
    let mut names = Vec::new();
    let first = |expr: &Expr| {
        let mut expr = expr;
        while let Expr::Dot(pair, ..) | Expr::Index(pair, ..) = expr {
            expr = &pair.lhs;
        }
        match expr {
            Expr::Variable(variable, ..) => Some(variable.1.to_string()),
            _ => None,
        }
    };
    for statement in statements {
        statement.walk(&mut Vec::new(), &mut |path: &[ASTNode]| {
            match path.last() {
                Some(ASTNode::Stmt(Stmt::Assignment(assignment))) => {
                    names.extend(first(&assignment.1.lhs));
                }
                Some(ASTNode::Expr(dot @ Expr::Dot(..))) => names.extend(first(dot)),
                _ => {}
            }
            true
        });
    }
    names
}

/// What a loop assigns to may be anything in its next round.
fn forget(cx: &mut Infer, statements: &[Stmt]) {
    let names = assigned(statements);
    for local in cx
        .locals
        .iter_mut()
        .filter(|local| names.contains(&local.name))
    {
        local.types = Types::ANY;
        local.parameter = None;
    }
}

fn assigned(statements: &[Stmt]) -> Vec<String> {
    let mut names = Vec::new();
    for statement in statements {
        statement.walk(&mut Vec::new(), &mut |path: &[ASTNode]| {
            if let Some(ASTNode::Stmt(Stmt::Assignment(assignment))) = path.last()
                && let (Expr::Variable(variable, ..), None) =
                    (&assignment.1.lhs, assignment.0.get_op_assignment_info())
            {
                names.push(variable.1.to_string());
            }
            true
        });
    }
    names
}

/// Whether something in a loop leaves it. A `break` of a loop inside it leaves only that one.
fn leaves_loop(statements: &[Stmt]) -> bool {
    let mut leaves = false;
    for statement in statements {
        statement.walk(&mut Vec::new(), &mut |path: &[ASTNode]| {
            let inner = path[..path.len() - 1].iter().any(|node| {
                matches!(
                    node,
                    ASTNode::Stmt(Stmt::While(..) | Stmt::For(..) | Stmt::Do(..))
                )
            });
            leaves |= match path.last() {
                Some(ASTNode::Stmt(Stmt::Return(..))) => true,
                Some(ASTNode::Stmt(Stmt::BreakLoop(_, flags, _))) => {
                    flags.contains(ASTFlags::BREAK) && !inner
                }
                // It ends the script.
                Some(
                    ASTNode::Stmt(Stmt::FnCall(call, _)) | ASTNode::Expr(Expr::FnCall(call, _)),
                ) => {
                    matches!(call.name.as_str(), "deny" | "hide")
                }
                _ => false,
            };
            true
        });
    }
    leaves
}

/// What an expression comes to when nobody reads its value.
fn value(cx: &Infer, expr: &Expr) -> Value {
    match expr {
        Expr::Stmt(_) => return Value::Done,
        // What is worked out with a sign is lost, whatever was called on the way.
        Expr::FnCall(call, _) if call.op_token.is_some() => {
            return Value::Idle(expr.start_position());
        }
        _ if cx.does_something(expr) => return Value::Done,
        _ => {}
    }
    let mut last = expr;
    while let Expr::Dot(pair, ..) | Expr::Index(pair, ..) = last {
        last = &pair.rhs;
    }
    match last {
        Expr::FnCall(call, at) | Expr::MethodCall(call, at) if call.op_token.is_none() => {
            Value::Unread(*at, call.name.to_string())
        }
        _ => Value::Idle(expr.start_position()),
    }
}

fn unread(cx: &mut Infer, value: Value) {
    match value {
        Value::Done => {}
        Value::Either(values) => values.into_iter().for_each(|value| unread(cx, value)),
        Value::Idle(at) => no_effect(cx, at, "this statement does nothing"),
        Value::Unread(at, name) => {
            let len = name.len();
            cx.found(at, len, move |span| {
                Diagnostic::odd(
                    span,
                    "unused-result",
                    format!("`{name}` only gives a value, and nobody takes it"),
                )
                .label("does nothing")
                .help("keep it, as in `let x = …;`, use it, or take the call out")
            });
        }
    }
}

pub fn no_effect(cx: &mut Infer, at: Position, message: &str) {
    let message = message.to_owned();
    cx.found(at, 1, move |span| {
        Diagnostic::odd(span, "no-effect", message.clone())
            .label("changes nothing")
            .help("to change something, write `=`, `+=` or `-=`; `==` and `+` only work something out")
    });
}

fn never(cx: &mut Infer, at: Position) {
    cx.found(at, 1, |span| {
        Diagnostic::odd(span, "unreachable-code", "this is never run").label("from here on").help(
            "what stands before it always leaves; take this out, or put the `return` or `break` behind a condition",
        )
    });
}

fn hides(cx: &mut Infer, name: &str, at: Position) {
    let known = match cx.hook {
        Some(hook) => sees(hook, name),
        None => GLOBALS.contains(&name),
    };
    let given = cx
        .locals
        .iter()
        .any(|local| local.name == name && local.parameter.is_some());
    if !known && !given {
        return;
    }
    let name = name.to_owned();
    let len = name.len();
    let whose = if given {
        "is what this function was given"
    } else {
        "means something in every script"
    };
    cx.found(at, len, move |span| {
        Diagnostic::odd(
            span,
            "shadowed-name",
            format!("`{name}` {whose}, and this hides it"),
        )
        .label("another thing of that name")
        .help("give it another name")
    });
}

/// Names go out of sight; what was never read is told.
fn leave(cx: &mut Infer, outside: usize) {
    let gone: Vec<(String, Position)> = cx.locals[outside..]
        .iter()
        .filter(|local| !local.read && local.parameter.is_none() && !local.name.starts_with('_'))
        .map(|local| (local.name.clone(), local.at))
        .collect();
    cx.locals.truncate(outside);
    for (name, at) in gone {
        let len = name.len();
        cx.found(at, len, move |span| {
            Diagnostic::untidy(span, "unused-variable", format!("nothing reads `{name}`"))
                .label("kept in vain")
                .help("use it or take it out; a name that begins with `_` is left alone")
                .confidence(Confidence::Likely)
        });
    }
}
