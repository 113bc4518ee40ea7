//! Rhai's tree as those who read it want it: chains in a row, and the statements of functions by function.

use rhai::{AST, ASTFlags, ASTNode, BinaryExpr, Expr, Position, Stmt};

/// One thing behind another: a field, an index or a method.
pub(super) struct Step<'t> {
    pub expr: &'t Expr,
    /// Behind a dot, not in brackets.
    pub is_dot: bool,
    /// Behind `?.` or in `?[…]`.
    pub maybe: bool,
}

/// What stands behind the first part of a chain. Rhai's lean to the right: `a.b[c].d` is `a . (b [ (c . d) ])`.
pub(super) fn steps(first: &BinaryExpr, flags: ASTFlags, is_dot: bool) -> Vec<Step<'_>> {
    let mut list = Vec::new();
    let (mut rest, mut is_dot, mut flags) = (&first.rhs, is_dot, flags);
    loop {
        let ends = !is_dot && flags.contains(ASTFlags::BREAK);
        let (expr, next) = match rest {
            Expr::Dot(pair, flags, _) if !ends => (&pair.lhs, Some((&pair.rhs, true, *flags))),
            Expr::Index(pair, flags, _) if !ends => (&pair.lhs, Some((&pair.rhs, false, *flags))),
            last => (last, None),
        };
        list.push(Step {
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

/// A function of a tree, and what somebody makes of it.
pub(super) struct Of<T> {
    pub name: String,
    /// Where its body begins and ends.
    within: (Place, Place),
    pub made: T,
}

type Place = (usize, usize);

fn place(position: Position) -> Place {
    (
        position.line().unwrap_or(0),
        position.position().unwrap_or(0),
    )
}

/// Goes through the statements at the top of each function. `begin` is given its parameters and where its body begins.
pub(super) fn functions<T>(
    tree: &AST,
    begin: impl Fn(Vec<String>, Position) -> T,
    mut see: impl FnMut(&mut T, &Stmt),
) -> Vec<Of<T>> {
    let (mut all, mut short) = (Vec::new(), Vec::new());
    for (_, _, name, _, definition) in tree.shared_lib().iter_script_fn_info() {
        let (start, end) = (
            definition.body.start_position(),
            definition.body.end_position(),
        );
        // An inline function without braces has no end; its only statement stands where it begins.
        if end.is_none() {
            short.push(place(start));
            continue;
        }
        let parameters = definition.params.iter().map(ToString::to_string).collect();
        all.push(Of {
            name: name.to_owned(),
            within: (place(start), place(end)),
            made: begin(parameters, start),
        });
    }
    // Inline functions lie inside of others: what begins later lies deeper.
    all.sort_by_key(|function| std::cmp::Reverse(function.within.0));
    // Rhai shows the statements of functions only to those who walk through the whole tree.
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
