//! Helpers for Rhai's syntax tree: flat property chains, and statements grouped by function.

use rhai::{AST, ASTFlags, ASTNode, BinaryExpr, Expr, Position, Stmt};

/// A step of a property chain: a field, an index or a method.
pub(super) struct ChainStep<'t> {
    pub expr: &'t Expr,
    /// Whether it follows a dot; otherwise it is in brackets.
    pub is_dot: bool,
    /// Whether it follows `?.` or is in `?[…]`.
    pub maybe: bool,
}

/// The steps after the first part of a chain. Rhai's tree leans right: `a.b[c].d` is
/// `a . (b [ (c . d) ])`.
pub(super) fn steps(first: &BinaryExpr, flags: ASTFlags, is_dot: bool) -> Vec<ChainStep<'_>> {
    let mut list = Vec::new();
    let (mut rest, mut is_dot, mut flags) = (&first.rhs, is_dot, flags);
    loop {
        let ends = !is_dot && flags.contains(ASTFlags::BREAK);
        let (expr, next) = match rest {
            Expr::Dot(pair, flags, _) if !ends => (&pair.lhs, Some((&pair.rhs, true, *flags))),
            Expr::Index(pair, flags, _) if !ends => (&pair.lhs, Some((&pair.rhs, false, *flags))),
            last => (last, None),
        };
        list.push(ChainStep {
            expr,
            is_dot,
            maybe: flags.contains(ASTFlags::NEGATED),
        });
        match next {
            Some(next) => (rest, is_dot, flags) = next,
            None => return list,
        }
    }
}

/// A function of a tree, and the data that the caller collects about it.
pub(super) struct FunctionTree<T> {
    pub name: String,
    /// The start and end of its body.
    within: (LineAndColumn, LineAndColumn),
    pub made: T,
}

type LineAndColumn = (usize, usize);

fn place(position: Position) -> LineAndColumn {
    (
        position.line().unwrap_or(0),
        position.position().unwrap_or(0),
    )
}

/// Visits the top-level statements of each function. `begin` gets the parameters and the start of
/// the body.
pub(super) fn functions<T>(
    tree: &AST,
    begin: impl Fn(Vec<String>, Position) -> T,
    mut see: impl FnMut(&mut T, &Stmt),
) -> Vec<FunctionTree<T>> {
    let (mut all, mut short) = (Vec::new(), Vec::new());
    for (_, _, name, _, definition) in tree.shared_lib().iter_script_fn_info() {
        let (start, end) = (
            definition.body.start_position(),
            definition.body.end_position(),
        );
        // An inline function without braces has no end; its only statement is at its start.
        if end.is_none() {
            short.push(place(start));
            continue;
        }
        let parameters = definition.params.iter().map(ToString::to_string).collect();
        all.push(FunctionTree {
            name: name.to_owned(),
            within: (place(start), place(end)),
            made: begin(parameters, start),
        });
    }
    // Inline functions are nested in others: the one that starts later is the inner one.
    all.sort_by_key(|function| std::cmp::Reverse(function.within.0));
    // Rhai provides the statements of functions only through a walk of the whole tree.
    tree.walk(&mut |path: &[ASTNode]| {
        if let [ASTNode::Stmt(statement)] = path {
            let at = place(statement.position());
            let of = all
                .iter_mut()
                .find(|function| function.within.0 <= at && at <= function.within.1);
            if let Some(function) = of.filter(|_| !short.contains(&at)) {
                see(&mut function.made, statement);
            }
        }
        true
    });
    all
}
