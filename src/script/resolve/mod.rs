//! Builds the syntax tree of a script: the only module that knows Rhai's tree.

mod constants;
mod definitions;

use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};

use rhai::{
    AST, ASTFlags, BinaryExpr, Expr, FlowControl, FnCallExpr, FnPtr, OpAssignment, Position,
    RangeCase, Stmt, SwitchCasesCollection, Token,
};

use constants::{binary, literal};
use definitions::{Definition, Definitions, Lines, each_statement};

use super::primitives::{self, closures};
use super::syntax::*;
use super::visible::HookVariable;
use crate::value::{Text, Value};

/// Builds the tree of a script that Rhai has parsed.
pub fn script(ast: &AST, text: &str) -> Script {
    let lines = Lines::of(text);
    let definitions = Definitions::of(ast, &lines);
    let resolver = |names, locals| Resolver {
        lines: &lines,
        closures: &definitions.closures,
        names,
        locals,
        max_locals: 0,
        captured: Vec::new(),
        unsupported: Vec::new(),
    };
    let mut hook = resolver(&HookVariable::ALL[..], Vec::new());
    let body = hook.statements(ast.statements());
    let body = Function {
        body,
        locals: hook.max_locals,
        ..Function::default()
    };
    let mut unsupported = hook.unsupported;
    let unresolved = |definition: &Definition| {
        let parameters = definition.parameters.iter().map(Text::from).collect();
        (resolver(&HookVariable::GLOBAL[..], parameters), Vec::new())
    };
    let mut resolved: Vec<_> = definitions.named.iter().map(unresolved).collect();
    each_statement(ast, &definitions.all(), &mut |at, statement| {
        if let Some((function, body)) = resolved.get_mut(at) {
            body.append(&mut function.statements([statement]));
        }
    });
    let mut functions = Vec::new();
    for (definition, (function, body)) in definitions.named.iter().zip(resolved) {
        functions.push(Function {
            name: definition.name.as_str().into(),
            parameters: definition.parameters.iter().map(Text::from).collect(),
            body,
            locals: function.max_locals.max(narrow(definition.parameters.len())),
            at: function_name(text, &definition.name, definition.body.start),
            end: definition.body.end,
            comment: definition.comment.clone(),
        });
        unsupported.extend(function.unsupported);
    }
    unsupported.sort_by_key(|one| one.at);
    Script {
        body,
        functions,
        unsupported,
    }
}

fn narrow(count: usize) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX)
}

/// The offset of the name of a function whose body starts at `body`.
fn function_name(text: &str, name: &str, body: u32) -> u32 {
    let before = text.get(..body as usize).unwrap_or_default();
    let is_keyword = |at: &usize| {
        before[at + 2..].starts_with(char::is_whitespace)
            && !before[..*at].ends_with(|c: char| c.is_alphanumeric() || c == '_')
    };
    let keyword = before
        .rmatch_indices("fn")
        .map(|(at, _)| at)
        .find(is_keyword);
    let found = keyword.and_then(|at| Some(at + 2 + before[at + 2..].find(name)?));
    offset(found.unwrap_or(0))
}

fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

struct Resolver<'a> {
    lines: &'a Lines<'a>,
    closures: &'a BTreeMap<String, (Definition, Vec<Stmt>)>,
    /// The variables that the engine provides.
    names: &'a [HookVariable],
    /// The parameters and the `let`s that are visible, by local.
    locals: Vec<Text>,
    /// The largest number of locals so far.
    max_locals: u16,
    /// Which of the first locals are captured copies. The others that are captured are variables
    /// of the engine that refer to something, such as a seat.
    captured: Vec<bool>,
    unsupported: Vec<Unsupported>,
}

impl Resolver<'_> {
    fn node(&self, kind: NodeKind, at: Position) -> Node {
        let at = self.lines.offset(at);
        Node { kind, at }
    }

    fn refuse(&mut self, at: Position, what: &'static str, help: &'static str) -> Node {
        let at = self.lines.offset(at);
        self.unsupported.push(Unsupported { at, what, help });
        Node {
            kind: NodeKind::Unsupported,
            at,
        }
    }

    fn declare(&mut self, name: &str) -> u16 {
        let local = narrow(self.locals.len());
        self.locals.push(name.into());
        self.max_locals = self.max_locals.max(local.saturating_add(1));
        local
    }

    fn statements<'s>(&mut self, statements: impl IntoIterator<Item = &'s Stmt>) -> Vec<Node> {
        let count = narrow(self.locals.len());
        self.max_locals = self.max_locals.max(count);
        statements
            .into_iter()
            .map(|statement| self.statement(statement))
            .collect()
    }

    fn block<'s>(&mut self, statements: impl IntoIterator<Item = &'s Stmt>) -> Vec<Node> {
        let outside = self.locals.len();
        let nodes = self.statements(statements);
        self.locals.truncate(outside);
        nodes
    }

    fn statement(&mut self, statement: &Stmt) -> Node {
        let at = statement.position();
        let kind = match statement {
            Stmt::Noop(_) | Stmt::Share(_) => NodeKind::Value(Value::Unit),
            Stmt::Expr(expr) => return self.expr(expr),
            Stmt::FnCall(call, at) => return self.call(call, *at),
            Stmt::Block(block) => NodeKind::Block(self.block(block.statements())),
            Stmt::If(flow, _) => NodeKind::If(Box::new(If {
                condition: self.expr(&flow.expr),
                then: self.block(flow.body.statements()),
                otherwise: self.block(flow.branch.statements()),
            })),
            Stmt::Switch(parts, _) => self.switch(&parts.0, &parts.1),
            Stmt::While(flow, _) => {
                let condition = match &flow.expr {
                    Expr::Unit(_) => None,
                    condition => Some(self.expr(condition)),
                };
                self.repeat(condition, flow, false)
            }
            Stmt::Do(flow, flags, _) => {
                let condition = self.expr(&flow.expr);
                let condition = if flags.contains(ASTFlags::NEGATED) {
                    let at = condition.at;
                    Node {
                        kind: NodeKind::Unary(UnaryOp::Not, Box::new(condition)),
                        at,
                    }
                } else {
                    condition
                };
                self.repeat(Some(condition), flow, true)
            }
            Stmt::For(parts, _) => {
                let over = self.over(&parts.2.expr);
                let outside = self.locals.len();
                let counter = parts.1.as_ref().map(|counter| {
                    let local = self.declare(&counter.name);
                    (Text::from(counter.name.as_str()), local)
                });
                let local = self.declare(&parts.0.name);
                let body = self.block(parts.2.body.statements());
                self.locals.truncate(outside);
                NodeKind::For(Box::new(For {
                    name: parts.0.name.as_str().into(),
                    name_at: self.lines.offset(parts.0.pos),
                    local,
                    counter,
                    over,
                    body,
                }))
            }
            Stmt::BreakLoop(value, flags, _) => {
                if flags.contains(ASTFlags::BREAK) {
                    let value = value.as_ref().map(|value| Box::new(self.expr(value)));
                    NodeKind::Break(value)
                } else {
                    NodeKind::Continue
                }
            }
            Stmt::Var(var, flags, _) if !flags.contains(ASTFlags::EXPORTED) => {
                let value = self.expr(&var.1);
                let local = self.declare(&var.0.name);
                NodeKind::Let(Box::new(Let {
                    constant: flags.contains(ASTFlags::CONSTANT),
                    name: var.0.name.as_str().into(),
                    name_at: self.lines.offset(var.0.pos),
                    local,
                    value,
                }))
            }
            Stmt::Return(value, flags, _) => {
                let value = value.as_ref().map(|value| Box::new(self.expr(value)));
                if flags.contains(ASTFlags::BREAK) {
                    NodeKind::Throw(value)
                } else {
                    NodeKind::Return(value)
                }
            }
            Stmt::Assignment(assignment) => self.assignment(&assignment.0, &assignment.1),
            Stmt::TryCatch(flow, _) => self.attempt(flow),
            _ => {
                return self.refuse(
                    at,
                    "`import` and `export`",
                    "functions in the `.rhai` files of a pack are visible without them",
                );
            }
        };
        self.node(kind, at)
    }

    fn attempt(&mut self, flow: &FlowControl) -> NodeKind {
        let body = self.block(flow.body.statements());
        let outside = self.locals.len();
        let error = match &flow.expr {
            Expr::Variable(variable, ..) => {
                let local = self.declare(&variable.1);
                Some((Text::from(variable.1.as_str()), local))
            }
            _ => None,
        };
        let catch = self.block(flow.branch.statements());
        self.locals.truncate(outside);
        NodeKind::Try(Box::new(Try { body, error, catch }))
    }

    fn repeat(&mut self, condition: Option<Node>, flow: &FlowControl, is_do: bool) -> NodeKind {
        NodeKind::While(Box::new(While {
            condition,
            body: self.block(flow.body.statements()),
            is_do,
        }))
    }

    fn switch(&mut self, on: &Expr, parts: &SwitchCasesCollection) -> NodeKind {
        let on = self.expr(on);
        let mut cases: Vec<(CaseTest, usize)> = Vec::new();
        #[allow(
            clippy::disallowed_methods,
            clippy::iter_over_hash_type,
            reason = "they are sorted, and each value occurs once"
        )]
        let mut values: Vec<_> = parts.cases.values().collect();
        values.sort_by_key(|case| case.blocks.first().copied());
        for case in values {
            if case.value.is_char() {
                let what = "a character in single quotes";
                return self.refuse(Position::NONE, what, "use double quotes").kind;
            }
            // The ranges are here as well as in a list of their own.
            if case.value.is::<Range<i64>>() || case.value.is::<RangeInclusive<i64>>() {
                continue;
            }
            let value = literal(&case.value);
            let blocks = case.blocks.iter();
            cases.extend(blocks.map(|block| (CaseTest::Is(value.clone()), *block)));
        }
        cases.sort_by_key(|(_, block)| *block);
        for range in &parts.ranges {
            cases.push(match range {
                RangeCase::ExclusiveInt(range, block) => {
                    (CaseTest::Between(range.start, range.end - 1), *block)
                }
                RangeCase::InclusiveInt(range, block) => {
                    (CaseTest::Between(*range.start(), *range.end()), *block)
                }
            });
        }
        let cases = cases.into_iter().map(|(test, body)| {
            let condition = match &parts.expressions[body].lhs {
                Expr::BoolConstant(true, _) => None,
                condition => Some(self.expr(condition)),
            };
            SwitchCase {
                test,
                condition,
                body,
            }
        });
        let cases = cases.collect();
        let bodies = parts.expressions.iter();
        let bodies = bodies.map(|block| self.expr(&block.rhs)).collect();
        NodeKind::Switch(Box::new(Switch {
            on,
            cases,
            bodies,
            otherwise: parts.def_case,
        }))
    }

    fn assignment(&mut self, op: &OpAssignment, sides: &BinaryExpr) -> NodeKind {
        let by = op.get_op_assignment_info().map(|parts| parts.4.clone());
        let value = self.expr(&sides.rhs);
        let target = self.expr(&sides.lhs);
        let is_captured = match &target.kind {
            NodeKind::Chain(chain) => self.captured_local(&chain.root) == Some(true),
            _ => self.captured_local(&target).is_some(),
        };
        if is_captured {
            return self.refuse_captured(op.position());
        }
        if let NodeKind::Variable(variable) = &target.kind
            && let Meaning::Hook(_) = variable.meaning
        {
            let what = "changing a built-in variable";
            let help = "declare a variable of your own: `let who = actor;`";
            return self.refuse(op.position(), what, help).kind;
        }
        let op = match by {
            None => None,
            Some(token) => match binary(&token) {
                Some(op) => Some(op),
                None => {
                    let help = "write the operation out: `a = a … b`";
                    return self.refuse(op.position(), "this assignment", help).kind;
                }
            },
        };
        NodeKind::Assign(Box::new(Assign { target, op, value }))
    }

    /// For a captured variable, whether it is a copy.
    fn captured_local(&self, node: &Node) -> Option<bool> {
        match &node.kind {
            NodeKind::Variable(variable) => match variable.meaning {
                Meaning::Local(local) => self.captured.get(usize::from(local)).copied(),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether a closure that captures a variable gets a copy, so that it cannot change it.
    fn is_copied(&self, node: &Node) -> bool {
        match &node.kind {
            NodeKind::Variable(variable) => match variable.meaning {
                Meaning::Hook(HookVariable::Each | HookVariable::Value | HookVariable::Typed) => {
                    true
                }
                Meaning::Hook(_) => false,
                _ => self.captured_local(node) != Some(false),
            },
            _ => true,
        }
    }

    fn refuse_captured(&mut self, at: Position) -> NodeKind {
        self.refuse(
            at,
            "changing a variable from outside a closure",
            "a closure sees the value that the variable has now; use a `for` loop to change it",
        )
        .kind
    }

    fn list(&mut self, list: &[Expr]) -> Vec<Node> {
        list.iter().map(|expr| self.expr(expr)).collect()
    }

    fn expr(&mut self, expr: &Expr) -> Node {
        let at = expr.position();
        let kind = match expr {
            Expr::BoolConstant(yes, _) => NodeKind::Value(Value::Bool(*yes)),
            Expr::IntegerConstant(number, _) => NodeKind::Value(Value::Int(*number)),
            Expr::StringConstant(text, _) => NodeKind::Value(Value::from_text(text)),
            Expr::CharConstant(..) => {
                return self.refuse(at, "a character in single quotes", "use double quotes");
            }
            Expr::Unit(_) => NodeKind::Value(Value::Unit),
            Expr::Array(list, _) => NodeKind::List(self.list(list)),
            Expr::Map(map, _) => {
                let rows = map.0.iter().map(|(key, value)| MapRow {
                    key: key.name.as_str().into(),
                    value: self.expr(value),
                });
                NodeKind::Map(rows.collect())
            }
            Expr::InterpolatedString(list, _) => NodeKind::Interpolation(self.list(list)),
            Expr::DynamicConstant(value, _) => match value.read_lock::<FnPtr>() {
                Some(_) => return self.refuse_closure(at),
                None => NodeKind::Value(literal(value)),
            },
            Expr::Variable(variable, ..) if variable.2.is_empty() => {
                NodeKind::Variable(self.variable(&variable.1))
            }
            Expr::ThisPtr(_) => {
                return self.refuse(at, "`this`", "pass the value as an argument");
            }
            Expr::Dot(pair, flags, _) => return self.chain(pair, *flags, true),
            Expr::Index(pair, flags, _) => return self.chain(pair, *flags, false),
            Expr::FnCall(call, at) => return self.call(call, *at),
            Expr::And(list, _) => NodeKind::And(self.list(list)),
            Expr::Or(list, _) => NodeKind::Or(self.list(list)),
            Expr::Coalesce(list, _) => NodeKind::Coalesce(self.list(list)),
            Expr::Stmt(block) => match block.statements() {
                [Stmt::Share(_), Stmt::Expr(_)] => return self.refuse_closure(at),
                statements => NodeKind::Block(self.block(statements)),
            },
            _ => {
                return self.refuse(at, "a module path (`::`)", "call the function by its name");
            }
        };
        self.node(kind, at)
    }

    fn refuse_closure(&mut self, at: Position) -> Node {
        self.refuse(
            at,
            "a closure here",
            "pass the closure to a list function: `list.filter(|x| x > 1)`",
        )
    }

    fn closure(&mut self, name: &str, captured: Vec<Node>, at: Position) -> Node {
        let Some((definition, statements)) = self.closures.get(name) else {
            return self.refuse(at, "a function as a value", "write a closure: `|x| f(x)`");
        };
        let parameters: Vec<Text> = definition.parameters.iter().map(Text::from).collect();
        let mut inner = Resolver {
            lines: self.lines,
            closures: self.closures,
            names: &[],
            locals: parameters.clone(),
            max_locals: 0,
            captured: captured.iter().map(|node| self.is_copied(node)).collect(),
            unsupported: Vec::new(),
        };
        let body = inner.statements(statements);
        let function = Function {
            name: Text::new(),
            parameters,
            body,
            locals: inner.max_locals.max(narrow(definition.parameters.len())),
            at: self.lines.offset(at),
            end: definition.body.end,
            comment: String::new(),
        };
        self.unsupported.append(&mut inner.unsupported);
        let closure = Closure { captured, function };
        self.node(NodeKind::Closure(Box::new(closure)), at)
    }

    fn variable(&self, name: &str) -> Variable {
        let local = self.locals.iter().rposition(|local| local == name);
        let meaning = match local {
            Some(local) => Meaning::Local(narrow(local)),
            None => HookVariable::parse(name)
                .filter(|name| self.names.contains(name))
                .map_or(Meaning::Unknown, Meaning::Hook),
        };
        Variable {
            name: name.into(),
            meaning,
        }
    }

    /// Rhai's tree leans right: `a.b[c].d` is `a . (b [ (c . d) ])`.
    fn chain(&mut self, first: &BinaryExpr, flags: ASTFlags, is_dot: bool) -> Node {
        let root = self.expr(&first.lhs);
        let at = root.at;
        let mut steps = Vec::new();
        let (mut rest, mut is_dot, mut flags) = (&first.rhs, is_dot, flags);
        loop {
            let ends = !is_dot && flags.contains(ASTFlags::BREAK);
            let (expr, next) = match rest {
                Expr::Dot(pair, flags, _) if !ends => (&pair.lhs, Some((&pair.rhs, true, *flags))),
                Expr::Index(pair, flags, _) if !ends => {
                    (&pair.lhs, Some((&pair.rhs, false, *flags)))
                }
                last => (last, None),
            };
            let kind = match expr {
                index if !is_dot => StepKind::Index(self.expr(index)),
                Expr::Property(property, _) => StepKind::Property(property.2.as_str().into()),
                Expr::MethodCall(call, at) => {
                    if steps.is_empty()
                        && self.captured_local(&root) == Some(true)
                        && primitives::changes_receiver(&call.name)
                    {
                        self.refuse_captured(*at);
                    }
                    StepKind::Method(Call {
                        name: call.name.as_str().into(),
                        arguments: self.arguments(call, 1),
                    })
                }
                other => {
                    return self.refuse(
                        other.position(),
                        "this after a dot",
                        "write a property or a method",
                    );
                }
            };
            steps.push(Step {
                kind,
                optional: flags.contains(ASTFlags::NEGATED),
                at: self.lines.offset(expr.position()),
            });
            match next {
                Some(next) => (rest, is_dot, flags) = next,
                None => break,
            }
        }
        Node {
            kind: NodeKind::Chain(Box::new(Chain { root, steps })),
            at,
        }
    }

    /// The arguments of a call. `of` is 1 for a method, and 0 for a function.
    fn arguments(&mut self, call: &FnCallExpr, of: usize) -> Vec<Node> {
        let is_closure = |expr: &Expr| closure_parts(expr).is_some();
        let takes_closure = call.args.iter().any(is_closure)
            && closures::takes_closure(&call.name, call.args.len() + of);
        let argument = |expr| match closure_parts(expr) {
            Some((name, captured)) if takes_closure => {
                let captured = self.list(captured);
                self.closure(&name, captured, expr.position())
            }
            _ => self.expr(expr),
        };
        call.args.iter().map(argument).collect()
    }

    fn refuse_range(&mut self, at: Position) -> Node {
        self.refuse(
            at,
            "a range as a value",
            "write a range in a `for` loop or after `in`; `range(1, 4, 1)` is the list `[1, 2, 3]`",
        )
    }

    /// The operand of `for` or `in`: the only places where a range is allowed.
    fn over(&mut self, expr: &Expr) -> Node {
        match expr {
            Expr::FnCall(call, at) if is_range(expr) => {
                let pair = (self.expr(&call.args[0]), self.expr(&call.args[1]));
                let inclusive = call.op_token == Some(Token::InclusiveRange);
                self.node(NodeKind::Range(Box::new(pair), inclusive), *at)
            }
            _ => self.expr(expr),
        }
    }

    fn call(&mut self, call: &FnCallExpr, at: Position) -> Node {
        if !call.namespace.is_empty() {
            return self.refuse(at, "a module path (`::`)", "call the function by its name");
        }
        if call.capture_parent_scope {
            return self.refuse(at, "a call with `!`", "pass the values as arguments");
        }
        let token = match &call.op_token {
            // `a !in b`: Rhai writes `!contains(b, a)`.
            None | Some(Token::In | Token::NotIn) => return self.named_call(call, at),
            Some(token) => token,
        };
        let kind = match (token, &call.args[..]) {
            (Token::Bang, [value]) => NodeKind::Unary(UnaryOp::Not, Box::new(self.expr(value))),
            (Token::Minus | Token::UnaryMinus, [Expr::IntegerConstant(number, _)])
                if number.checked_neg().is_some() =>
            {
                NodeKind::Value(Value::Int(-number))
            }
            (Token::Minus | Token::UnaryMinus, [value]) => {
                NodeKind::Unary(UnaryOp::Negate, Box::new(self.expr(value)))
            }
            (Token::Plus | Token::UnaryPlus, [value @ Expr::IntegerConstant(..)]) => {
                return self.expr(value);
            }
            // Unary plus is allowed only for numbers: subtracting 0 rejects everything else.
            (Token::Plus | Token::UnaryPlus, [value]) => {
                let zero = self.node(NodeKind::Value(Value::Int(0)), at);
                let pair = (self.expr(value), zero);
                NodeKind::Binary(BinaryOp::Subtract, Box::new(pair))
            }
            (Token::ExclusiveRange | Token::InclusiveRange, [_, _]) => {
                return self.refuse_range(at);
            }
            (token, [left, right]) => match binary(token) {
                Some(op) => {
                    let pair = (self.expr(left), self.expr(right));
                    NodeKind::Binary(op, Box::new(pair))
                }
                None => return self.refuse(at, "this operator", "call a function instead"),
            },
            _ => return self.refuse(at, "this operator", "call a function instead"),
        };
        self.node(kind, at)
    }

    fn named_call(&mut self, call: &FnCallExpr, at: Position) -> Node {
        match call.name.as_str() {
            "Fn" | "curry" => self.refuse(
                at,
                "a function as a value",
                "write a closure where it is needed: `list.filter(|x| x > 1)`",
            ),
            "is_def_var" | "is_def_fn" | "is_shared" => self.refuse(
                at,
                "asking what is defined",
                "packs know what they define: leave the question out",
            ),
            "range" if call.args.len() == 2 => self.refuse_range(at),
            // `value in from..to`: Rhai writes `contains(from..to, value)`.
            "contains" if matches!(&call.args[..], [over, _] if is_range(over)) => {
                let pair = (self.over(&call.args[0]), self.expr(&call.args[1]));
                self.node(NodeKind::Binary(BinaryOp::In, Box::new(pair)), at)
            }
            name => {
                let call = Call {
                    name: name.into(),
                    arguments: self.arguments(call, 0),
                };
                // As a method does, a function changes the variable that is its first argument.
                if let Some(first) = call.arguments.first()
                    && self.captured_local(first) == Some(true)
                    && primitives::changes_receiver(name)
                {
                    self.refuse_captured(at);
                }
                self.node(NodeKind::Call(Box::new(call)), at)
            }
        }
    }
}

/// Whether an expression is `from..to`, `from..=to` or `range(from, to)`.
fn is_range(expr: &Expr) -> bool {
    matches!(expr, Expr::FnCall(call, _) if call.args.len() == 2
    && match &call.op_token {
        Some(token) => matches!(token, Token::ExclusiveRange | Token::InclusiveRange),
        None => call.name == "range",
    })
}

/// The name that Rhai gives a closure, and the variables that it captures.
fn closure_parts(expr: &Expr) -> Option<(String, &[Expr])> {
    match expr {
        Expr::DynamicConstant(value, _) => {
            let function = value.read_lock::<FnPtr>()?;
            Some((function.fn_name().to_owned(), &[]))
        }
        // A closure that captures variables: Rhai writes `curry(closure, a, b)`.
        Expr::Stmt(block) => match block.statements() {
            [Stmt::Share(_), Stmt::Expr(curried)] => match &**curried {
                Expr::FnCall(call, _) => {
                    let (function, captured) = call.args.split_first()?;
                    Some((closure_parts(function)?.0, captured))
                }
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}
