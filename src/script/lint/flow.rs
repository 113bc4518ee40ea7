//! Control flow: unreachable code, endless loops, statements without effect, unused variables.

use super::infer::{LocalVariable, TypeInference};
use super::natives;
use super::types::Types;
use crate::content::HookRole;
use crate::diagnostic::{Confidence, Diagnostic};
use crate::script::syntax::{For, If, Let, Node, NodeKind, StepKind, Switch, While};
use crate::script::visible::{GLOBALS, sees};
use crate::value::Value;

/// Whether a statement is useful if its value is not used.
#[derive(Clone, Debug)]
pub enum StatementResult {
    /// The statement has an effect.
    Done,
    /// The statement only computes a value; contains the offset of its start.
    Idle(u32),
    /// The statement calls a function that only returns a value.
    Unread(u32, String),
    /// One of these branches.
    Either(Vec<StatementResult>),
}

impl TypeInference<'_> {
    /// Checks the next top-level statement of a hook or a function. It may be the last one.
    pub fn next(&mut self, statement: &Node) {
        if let Some((value, _)) = self.last.take() {
            unused_result(self, value);
        }
        if self.left {
            unreachable_code(self, statement.at);
            // Report unreachable code only once.
            self.left = false;
        }
        let (value, types, leaves) = check_statement(self, statement);
        self.left |= leaves;
        self.last = Some((value, types));
    }
}

/// Reports a script that must return a value, but whose last statement has none.
fn missing_value(cx: &mut TypeInference) {
    let role = cx.hook.map(|def| def.role);
    let needs_value = matches!(role, Some(HookRole::Each | HookRole::Value));
    let returns = !cx.gives.without(Types::NOTHING).is_none();
    if !needs_value || returns || !matches!(cx.last, Some((_, Types::NOTHING))) {
        return;
    }
    cx.found(0, 1, |span| {
        Diagnostic::error(span, "missing-value", "this script returns nothing")
            .label("its last statement has no value")
            .help("write the value in the last line, without `let`, or after `return`")
    });
}

/// Reports `return 2;` in an answer to a query: only calls such as `set(2)` answer.
fn returned_answer(cx: &mut TypeInference) {
    let is_answer = cx
        .hook
        .is_some_and(|def| matches!(def.role, HookRole::Answer(_)));
    let plain = Types::NUMBER | Types::BOOL | Types::TEXT;
    let gives = cx.gives.without(Types::NOTHING);
    if !is_answer || gives.is_none() || !gives.is_within(plain) {
        return;
    }
    cx.found(0, 1, |span| {
        Diagnostic::warning(
            span,
            "no-effect",
            "the return value of an answer is ignored",
        )
        .label("this script returns a value")
        .help("answer with a call: `set(2)`, `add(1)`, `cap(3)`, `allow()` or `deny(\"why\")`")
    });
}

/// Reports a condition whose value is neither true nor false.
fn not_a_condition(cx: &mut TypeInference) {
    let is_condition = cx.hook.is_some_and(|def| {
        def.role == HookRole::Value
            && (matches!(&*def.name, "when" | "holds") || def.name.ends_with(".when"))
    });
    let last = cx.last.as_ref().map_or(Types::NONE, |(_, types)| *types);
    let all = if cx.left { cx.gives } else { cx.gives | last };
    if !is_condition || all.without(Types::NOTHING).is_none() || all.meets(Types::BOOL) {
        return;
    }
    let phrase = all.phrase();
    cx.found(0, 1, move |span| {
        Diagnostic::error(span, "wrong-operand", "a condition must be true or false")
            .label(format!("this is {phrase}"))
            .help("compare it with something, as in `x > 0`, `x == \"red\"` or `!x.is_empty()`")
    });
}

/// Finishes a hook or a function.
pub fn end(cx: &mut TypeInference) {
    missing_value(cx);
    not_a_condition(cx);
    returned_answer(cx);
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
pub fn block(cx: &mut TypeInference, statements: &[Node], used: bool) -> (Types, bool) {
    let (value, types, left) = block_value(cx, statements);
    if !used {
        unused_result(cx, value);
    }
    (types, left)
}

/// Like [`block`], and whether the last statement is useful if its value is not used.
fn block_value(cx: &mut TypeInference, statements: &[Node]) -> (StatementResult, Types, bool) {
    let outside = cx.locals.len();
    let (mut types, mut left, mut result) = (Types::NOTHING, false, StatementResult::Done);
    for (ix, statement) in statements.iter().enumerate() {
        if left {
            unreachable_code(cx, statement.at);
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

/// Checks a statement whose value is used, and returns its type.
pub fn statement(cx: &mut TypeInference, node: &Node) -> Types {
    check_statement(cx, node).1
}

/// Checks a statement. Returns whether it is useful if its value is not used, its type, and whether
/// the next statement is unreachable.
fn check_statement(cx: &mut TypeInference, node: &Node) -> (StatementResult, Types, bool) {
    let done = |types: Types| (StatementResult::Done, types, false);
    match &node.kind {
        NodeKind::Block(inner) => block_value(cx, inner),
        NodeKind::If(parts) => branches(cx, parts),
        NodeKind::Switch(parts) => done(switch(cx, parts)),
        NodeKind::While(parts) if parts.is_do => {
            block(cx, &parts.body, false);
            parts.condition.iter().for_each(|node| cx.condition(node));
            done(Types::ANY)
        }
        NodeKind::While(parts) => {
            let ends = check_loop(cx, parts, node.at);
            (StatementResult::Done, Types::ANY, ends)
        }
        NodeKind::For(parts) => {
            for_loop(cx, parts, node.at);
            done(Types::ANY)
        }
        NodeKind::Let(parts) => {
            declare(cx, parts);
            done(Types::NOTHING)
        }
        NodeKind::Assign(parts) => {
            cx.assign(parts);
            done(Types::NOTHING)
        }
        NodeKind::Return(value) => {
            let value = value.as_ref();
            let types = value.map_or(Types::NOTHING, |value| cx.expr(value));
            cx.gives = cx.gives | types;
            (StatementResult::Done, Types::NONE, true)
        }
        NodeKind::Throw(value) | NodeKind::Break(value) => {
            if let Some(value) = value {
                cx.expr(value);
            }
            (StatementResult::Done, Types::NONE, true)
        }
        NodeKind::Continue => (StatementResult::Done, Types::NONE, true),
        NodeKind::Try(parts) => {
            block(cx, &parts.body, true);
            let outside = cx.locals.len();
            if let Some((name, _)) = &parts.error {
                cx.locals.push(local(name, Types::ANY, node.at));
            }
            block(cx, &parts.catch, true);
            cx.locals.truncate(outside);
            done(Types::ANY)
        }
        _ => {
            let types = cx.expr(node);
            (value(cx, node), types, false)
        }
    }
}

/// A local variable that need not be read.
fn local(name: &str, types: Types, at: u32) -> LocalVariable {
    LocalVariable {
        name: name.to_owned(),
        types,
        parameter: None,
        read: true,
        at,
    }
}

fn declare(cx: &mut TypeInference, parts: &Let) {
    let types = cx.expr(&parts.value);
    shadowed_name(cx, &parts.name, parts.name_at);
    if types == Types::NOTHING {
        value_of_nothing(cx, &parts.value);
    }
    cx.locals.push(LocalVariable {
        read: false,
        ..local(&parts.name, types, parts.name_at)
    });
}

/// Reports `let list = [].push(3)`: the function returns nothing.
fn value_of_nothing(cx: &mut TypeInference, value: &Node) {
    let (name, at) = match &value.kind {
        NodeKind::Call(call) => (&call.name, value.at),
        NodeKind::Chain(chain) => match chain.steps.last().map(|step| (&step.kind, step.at)) {
            Some((StepKind::Method(call), at)) => (&call.name, at),
            _ => return,
        },
        _ => return,
    };
    if !natives::is_native(name) {
        return;
    }
    let name = name.to_string();
    cx.found(at, name.len(), move |span| {
        Diagnostic::error(span, "missing-value", format!("`{name}` returns nothing"))
            .label("this is no value")
            .help("call it in a statement of its own, and use the variable afterwards")
    });
}

fn for_loop(cx: &mut TypeInference, parts: &For, at: u32) {
    let over = cx.expr(&parts.over);
    let single = Types::NUMBER | Types::BOOL | Types::OBJECT | Types::ENTRY;
    if !over.is_none() && over.is_within(single) {
        not_a_list(cx, parts, over);
    }
    let outside = cx.locals.len();
    let item = if over == Types::RANGE {
        Types::NUMBER
    } else {
        Types::ANY
    };
    if let Some((counter, _)) = &parts.counter {
        cx.locals.push(local(counter, Types::NUMBER, at));
    }
    cx.locals.push(local(&parts.name, item, at));
    shadowed_name(cx, &parts.name, parts.name_at);
    reset_types(cx, &parts.body);
    block(cx, &parts.body, false);
    cx.locals.truncate(outside);
}

/// Reports a loop over a single value.
fn not_a_list(cx: &mut TypeInference, parts: &For, over: Types) {
    let phrase = over.phrase();
    let help = match &parts.over.kind {
        NodeKind::Value(Value::Int(last)) => {
            format!("write `for {} in 1..={last} {{`", parts.name)
        }
        _ if over == Types::NUMBER => {
            format!("write a range, as in `for {} in 0..count {{`", parts.name)
        }
        _ => {
            "write a list, a zone or a range after `in`, as in `seats()` or `actor.hand`".to_owned()
        }
    };
    cx.found(parts.over.start(), 1, move |span| {
        Diagnostic::error(span, "wrong-operand", format!("a loop over {phrase}"))
            .label("expected a list, a zone or a range")
            .help(help.clone())
    });
}

fn switch(cx: &mut TypeInference, parts: &Switch) -> Types {
    cx.expr(&parts.on);
    cx.switch_flag(parts);
    let mut types = if parts.otherwise.is_some() {
        Types::NONE
    } else {
        Types::NOTHING
    };
    for (ix, body) in parts.bodies.iter().enumerate() {
        // Several cases may share a body, with its condition.
        let case = parts.cases.iter().find(|case| case.body == ix);
        if let Some(condition) = case.and_then(|case| case.condition.as_ref()) {
            cx.condition(condition);
        }
        types = types | cx.expr(body);
    }
    types
}

fn branches(cx: &mut TypeInference, parts: &If) -> (StatementResult, Types, bool) {
    cx.condition(&parts.condition);
    let before: Vec<Types> = cx.locals.iter().map(|local| local.types).collect();
    let (yes_value, yes, left) = block_value(cx, &parts.then);
    let after: Vec<Types> = cx.locals.iter().map(|local| local.types).collect();
    for (local, before) in cx.locals.iter_mut().zip(&before) {
        local.types = *before;
    }
    let (no_value, no, other_left) = block_value(cx, &parts.otherwise);
    for (local, after) in cx.locals.iter_mut().zip(&after) {
        local.types = local.types | *after;
    }
    if let NodeKind::Value(Value::Bool(is)) = parts.condition.kind {
        let dead = if is {
            parts.otherwise.first()
        } else {
            parts.then.first()
        };
        if let Some(dead) = dead {
            unreachable_code(cx, dead.at);
        }
    }
    let alone = parts.otherwise.is_empty();
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
fn check_loop(cx: &mut TypeInference, parts: &While, at: u32) -> bool {
    reset_types(cx, &parts.body);
    let always = |node: &&Node| matches!(node.kind, NodeKind::Value(Value::Bool(true)));
    let condition = parts.condition.as_ref().filter(|node| !always(node));
    if let Some(condition) = condition {
        cx.condition(condition);
    }
    let ends = parts.body.iter().any(|node| leaves_loop(node, false));
    let stuck = !ends && condition.is_some_and(|condition| is_stuck(cx, condition, &parts.body));
    block(cx, &parts.body, false);
    let forever = condition.is_none();
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
fn is_stuck(cx: &TypeInference, condition: &Node, body: &[Node]) -> bool {
    let (mut names, mut simple) = (Vec::new(), true);
    condition.walk(&mut |node| match &node.kind {
        NodeKind::Variable(variable) => {
            simple &= cx.locals.iter().any(|local| *local.name == *variable.name);
            names.push(variable.name.to_string());
        }
        NodeKind::Value(Value::Int(_) | Value::Bool(_) | Value::Text(_))
        | NodeKind::Unary(..)
        | NodeKind::Binary(..)
        | NodeKind::Range(..)
        | NodeKind::And(_)
        | NodeKind::Or(_) => {}
        _ => simple = false,
    });
    simple && !names.is_empty() && !changed(body).iter().any(|name| names.contains(name))
}

/// The variables that statements assign to, or that stand before a dot.
fn changed(statements: &[Node]) -> Vec<String> {
    let mut names = Vec::new();
    let mut add = |node: &Node| {
        let root = match &node.kind {
            NodeKind::Chain(chain) => &chain.root,
            _ => node,
        };
        if let NodeKind::Variable(variable) = &root.kind {
            names.push(variable.name.to_string());
        }
    };
    for statement in statements {
        statement.walk(&mut |node| match &node.kind {
            NodeKind::Assign(assign) => add(&assign.target),
            NodeKind::Chain(chain) => {
                let is_dot = |kind: &StepKind| !matches!(kind, StepKind::Index(_));
                if chain.steps.iter().any(|step| is_dot(&step.kind)) {
                    add(node);
                }
            }
            _ => {}
        });
    }
    names
}

/// Resets the types of variables that a loop assigns to: they may differ in the next iteration.
fn reset_types(cx: &mut TypeInference, statements: &[Node]) {
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

fn assigned(statements: &[Node]) -> Vec<String> {
    let mut names = Vec::new();
    for statement in statements {
        statement.walk(&mut |node| {
            if let NodeKind::Assign(assign) = &node.kind
                && let (NodeKind::Variable(variable), None) = (&assign.target.kind, assign.op)
            {
                names.push(variable.name.to_string());
            }
        });
    }
    names
}

/// Whether a node in a loop exits it. The `break` of an inner loop exits only that one.
fn leaves_loop(node: &Node, inner: bool) -> bool {
    let inner = match &node.kind {
        NodeKind::Return(_) | NodeKind::Throw(_) => return true,
        NodeKind::Break(_) if !inner => return true,
        // The call ends the script.
        NodeKind::Call(call) if matches!(&*call.name, "deny" | "hide") => return true,
        NodeKind::Closure(_) => return false,
        NodeKind::While(_) | NodeKind::For(_) => true,
        _ => inner,
    };
    let mut leaves = false;
    node.each_child(&mut |child| leaves = leaves || leaves_loop(child, inner));
    leaves
}

/// Whether an expression is useful if its value is not used.
fn value(cx: &TypeInference, node: &Node) -> StatementResult {
    match &node.kind {
        // The result of an operator is unused, even if an operand is a call.
        NodeKind::Binary(..) | NodeKind::Unary(..) | NodeKind::Range(..) => {
            return StatementResult::Idle(node.start());
        }
        _ if cx.does_something(node) => return StatementResult::Done,
        _ => {}
    }
    let unread = |name: &str, at: u32| StatementResult::Unread(at, name.to_owned());
    match &node.kind {
        NodeKind::Call(call) => unread(&call.name, node.at),
        NodeKind::Chain(chain) => match chain.steps.last() {
            Some(step) => match &step.kind {
                StepKind::Method(call) => unread(&call.name, step.at),
                _ => StatementResult::Idle(node.start()),
            },
            None => StatementResult::Idle(node.start()),
        },
        _ => StatementResult::Idle(node.start()),
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

pub fn no_effect(cx: &mut TypeInference, at: u32, message: &str) {
    let message = message.to_owned();
    cx.found(at, 1, move |span| {
        Diagnostic::warning(span, "no-effect", message.clone())
            .label("changes nothing")
            .help("to change something, write `=`, `+=` or `-=`; `==` and `+` only compute a value")
    });
}

fn unreachable_code(cx: &mut TypeInference, at: u32) {
    cx.found(at, 1, |span| {
        Diagnostic::warning(span, "unreachable-code", "unreachable code").label("never runs").help(
            "the code before it always exits: remove this, or put the `return` or `break` behind a condition",
        )
    });
}

fn shadowed_name(cx: &mut TypeInference, name: &str, at: u32) {
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
    let gone: Vec<(String, u32)> = cx.locals[outside..]
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
