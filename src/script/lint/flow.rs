//! Control flow: unreachable code, endless loops, statements without effect, unused variables.

use rhai::{ASTFlags, ASTNode, Expr, FlowControl, Position, Stmt};

use super::infer::{LocalVariable, TypeInference};
use super::types::Types;
use crate::content::HookRole;
use crate::diagnostic::{Confidence, Diagnostic};
use crate::script::api::GLOBALS;
use crate::script::visible::sees;

/// Whether a statement is useful if its value is not used.
#[derive(Clone, Debug)]
pub enum StatementResult {
    /// The statement has an effect.
    Done,
    /// The statement only computes a value; contains the position of its start.
    Idle(Position),
    /// The statement calls a function that only returns a value.
    Unread(Position, String),
    /// One of these branches.
    Either(Vec<StatementResult>),
}

impl TypeInference<'_> {
    /// Checks the next top-level statement of a hook or a function. It may be the last one.
    pub fn next(&mut self, statement: &Stmt) {
        if let Some((value, _)) = self.last.take() {
            unused_result(self, value);
        }
        if self.left {
            unreachable_code(self, statement.position());
            // Report unreachable code only once.
            self.left = false;
        }
        let (value, types, leaves) = check_statement(self, statement);
        self.left |= leaves;
        self.last = Some((value, types));
    }
}

/// Finishes a hook or a function.
pub fn end(cx: &mut TypeInference) {
    let idle = cx.hook.is_some_and(|def| match def.role {
        HookRole::On(_) | HookRole::Offer(_) | HookRole::Answer(_) => true,
        HookRole::Do => matches!(&*def.name, "do" | "setup") || def.name.starts_with("then."),
        _ => false,
    });
    if let Some((value, _)) = cx.last.take().filter(|_| idle) {
        unused_result(cx, value);
    }
    end_scope(cx, 0);
}

/// Checks a block: the type of its last statement, and whether its end is unreachable.
pub fn block(cx: &mut TypeInference, statements: &[Stmt], used: bool) -> (Types, bool) {
    let (value, types, left) = block_value(cx, statements);
    if !used {
        unused_result(cx, value);
    }
    (types, left)
}

/// Like [`block`], and whether the last statement is useful if its value is not used.
fn block_value(cx: &mut TypeInference, statements: &[Stmt]) -> (StatementResult, Types, bool) {
    let outside = cx.locals.len();
    let (mut types, mut left, mut result) = (Types::NOTHING, false, StatementResult::Done);
    for (ix, statement) in statements.iter().enumerate() {
        if left {
            unreachable_code(cx, statement.position());
            left = false;
        }
        let (value, own, leaves) = check_statement(cx, statement);
        if ix + 1 == statements.len() {
            result = value;
        } else {
            unused_result(cx, value);
        }
        left |= leaves;
        types = own;
    }
    end_scope(cx, outside);
    (result, types, left)
}

/// Checks a statement. Returns whether it is useful if its value is not used, its type, and whether
/// the next statement is unreachable.
fn check_statement(cx: &mut TypeInference, statement: &Stmt) -> (StatementResult, Types, bool) {
    let done = |types: Types| (StatementResult::Done, types, false);
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
        Stmt::While(flow, at) => (StatementResult::Done, Types::ANY, check_loop(cx, flow, *at)),
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
                cx.locals.push(LocalVariable {
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
            shadowed_name(cx, &parts.0.name, parts.0.pos);
            forget_types(cx, parts.2.body.statements());
            block(cx, parts.2.body.statements(), false);
            cx.locals.truncate(outside);
            done(Types::ANY)
        }
        Stmt::Var(var, _, _) => {
            let types = cx.expr(&var.1);
            shadowed_name(cx, &var.0.name, var.0.pos);
            let local = LocalVariable {
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
            (StatementResult::Done, Types::NONE, true)
        }
        Stmt::BreakLoop(value, _, _) => {
            if let Some(value) = value {
                cx.expr(value);
            }
            (StatementResult::Done, Types::NONE, true)
        }
        _ => done(Types::ANY),
    }
}

fn branches(cx: &mut TypeInference, flow: &FlowControl) -> (StatementResult, Types, bool) {
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
            unreachable_code(cx, dead.position());
        }
    }
    let alone = flow.branch.statements().is_empty();
    // A comparison in an `if` without `else` is probably not meant as a value.
    if let (true, StatementResult::Idle(at)) = (alone, &yes_value) {
        no_effect(cx, *at, "statement has no effect");
        return (StatementResult::Done, yes | no, left && other_left);
    }
    (
        StatementResult::Either(vec![yes_value, no_value]),
        yes | no,
        left && other_left && !alone,
    )
}

/// Checks a loop; returns whether it never ends.
fn check_loop(cx: &mut TypeInference, flow: &FlowControl, at: Position) -> bool {
    forget_types(cx, flow.body.statements());
    let forever = matches!(flow.expr, Expr::Unit(_) | Expr::BoolConstant(true, _));
    if !forever {
        cx.condition(&flow.expr);
    }
    let ends = leaves_loop(flow.body.statements());
    let stuck = !forever && !ends && is_stuck(cx, flow);
    block(cx, flow.body.statements(), false);
    if (forever && !ends) || stuck {
        cx.found(at, 1, move |span| {
            Diagnostic::error(span, "endless-loop", "this loop never ends")
                .label(if stuck {
                    "nothing in it changes its condition"
                } else {
                    "no `break` or `return` leaves it"
                })
                .help("change a variable of the condition in the loop, or exit with `break`")
        });
    }
    forever && !ends
}

/// Whether the condition of a loop uses only local variables and constants, and the body changes
/// none of them.
fn is_stuck(cx: &TypeInference, flow: &FlowControl) -> bool {
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

/// The variables that statements assign to, or call a method on.
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

/// Forgets the types of variables that a loop assigns to: they may differ in the next iteration.
fn forget_types(cx: &mut TypeInference, statements: &[Stmt]) {
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

/// Whether a statement in a loop exits it. The `break` of a nested loop exits only that one.
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
                // The call ends the script.
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

/// Whether an expression is useful if its value is not used.
fn value(cx: &TypeInference, expr: &Expr) -> StatementResult {
    match expr {
        Expr::Stmt(_) => return StatementResult::Done,
        // The result of an operator is unused, even if an operand is a call.
        Expr::FnCall(call, _) if call.op_token.is_some() => {
            return StatementResult::Idle(expr.start_position());
        }
        _ if cx.does_something(expr) => return StatementResult::Done,
        _ => {}
    }
    let mut last = expr;
    while let Expr::Dot(pair, ..) | Expr::Index(pair, ..) = last {
        last = &pair.rhs;
    }
    match last {
        Expr::FnCall(call, at) | Expr::MethodCall(call, at) if call.op_token.is_none() => {
            StatementResult::Unread(*at, call.name.to_string())
        }
        _ => StatementResult::Idle(expr.start_position()),
    }
}

fn unused_result(cx: &mut TypeInference, value: StatementResult) {
    match value {
        StatementResult::Done => {}
        StatementResult::Either(values) => values
            .into_iter()
            .for_each(|value| unused_result(cx, value)),
        StatementResult::Idle(at) => no_effect(cx, at, "statement has no effect"),
        StatementResult::Unread(at, name) => {
            let len = name.len();
            cx.found(at, len, move |span| {
                Diagnostic::warning(span, "unused-result", format!("unused result of `{name}`"))
                    .label("only returns a value")
                    .help("use the result, as in `let x = …;`, or remove the call")
            });
        }
    }
}

pub fn no_effect(cx: &mut TypeInference, at: Position, message: &str) {
    let message = message.to_owned();
    cx.found(at, 1, move |span| {
        Diagnostic::warning(span, "no-effect", message.clone())
            .label("changes nothing")
            .help("to change something, write `=`, `+=` or `-=`; `==` and `+` only compute a value")
    });
}

fn unreachable_code(cx: &mut TypeInference, at: Position) {
    cx.found(at, 1, |span| {
        Diagnostic::warning(span, "unreachable-code", "unreachable code").label("never runs").help(
            "the code before it always exits: remove this, or put the `return` or `break` behind a condition",
        )
    });
}

fn shadowed_name(cx: &mut TypeInference, name: &str, at: Position) {
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
    let hidden = if given {
        "hides the parameter of that name"
    } else {
        "hides the variable that every script sees"
    };
    cx.found(at, len, move |span| {
        Diagnostic::warning(
            span,
            "shadowed-name",
            format!("variable `{name}` hides another"),
        )
        .label(hidden)
        .help("rename it")
    });
}

/// Ends the scope of local variables and reports the unused ones.
fn end_scope(cx: &mut TypeInference, outside: usize) {
    let gone: Vec<(String, Position)> = cx.locals[outside..]
        .iter()
        .filter(|local| !local.read && local.parameter.is_none() && !local.name.starts_with('_'))
        .map(|local| (local.name.clone(), local.at))
        .collect();
    cx.locals.truncate(outside);
    for (name, at) in gone {
        let len = name.len();
        cx.found(at, len, move |span| {
            Diagnostic::style(span, "unused-variable", format!("unused variable `{name}`"))
                .label("never read")
                .help("use it, remove it, or prefix its name with `_`")
                .confidence(Confidence::Likely)
        });
    }
}
