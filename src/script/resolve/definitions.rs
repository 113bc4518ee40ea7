//! Locations in Rhai's tree: offsets of positions, and the statements of functions.

use std::collections::BTreeMap;
use std::ops::Range;

use rhai::{AST, ASTNode, Position, Stmt};

use super::offset;

/// The starts of the lines of a text, to find byte offsets.
pub(super) struct Lines<'t> {
    pub text: &'t str,
    pub starts: Vec<usize>,
}

impl Lines<'_> {
    pub fn of(text: &str) -> Lines<'_> {
        let starts = std::iter::once(0)
            .chain(text.match_indices('\n').map(|(at, _)| at + 1))
            .collect();
        Lines { text, starts }
    }

    pub fn offset(&self, position: Position) -> u32 {
        let Some(line) = position.line() else {
            return 0;
        };
        let start = self
            .starts
            .get(line - 1)
            .copied()
            .unwrap_or(self.text.len());
        let rest = &self.text[start..];
        let column = position.position().unwrap_or(1).saturating_sub(1);
        let within = rest
            .char_indices()
            .nth(column)
            .map_or(rest.len(), |(at, _)| at);
        offset(start + within)
    }
}

type Place = (usize, usize);

pub(super) fn place(position: Position) -> Place {
    (
        position.line().unwrap_or(0),
        position.position().unwrap_or(0),
    )
}

/// The functions and closures of a tree.
pub(super) struct Definitions {
    /// The functions, by name and number of parameters.
    pub named: Vec<Definition>,
    /// The closures and their statements, by the name that Rhai gives them.
    pub closures: BTreeMap<String, (Definition, Vec<Stmt>)>,
}

#[derive(Clone)]
pub(super) struct Definition {
    pub name: String,
    pub parameters: Vec<String>,
    pub comment: String,
    /// The body, in bytes.
    pub body: Range<u32>,
    /// The start and end of the body. A closure without braces has no end.
    pub within: (Place, Option<Place>),
}

impl Definition {
    pub fn contains(&self, at: Place) -> bool {
        match self.within {
            (start, None) => start == at,
            (start, Some(end)) => start <= at && at <= end,
        }
    }
}

impl Definitions {
    pub fn of(ast: &AST, lines: &Lines) -> Definitions {
        let (mut named, mut closures) = (Vec::new(), Vec::new());
        for (_, _, name, _, definition) in ast.shared_lib().iter_script_fn_info() {
            let (start, end) = (
                definition.body.start_position(),
                definition.body.end_position(),
            );
            let comments: Vec<&str> = definition.comments.iter().map(|line| &**line).collect();
            let definition = Definition {
                name: name.to_owned(),
                parameters: definition.params.iter().map(ToString::to_string).collect(),
                comment: comments.join("\n"),
                body: lines.offset(start)..lines.offset(end) + 1,
                within: (place(start), (!end.is_none()).then(|| place(end))),
            };
            if name.starts_with("anon$") {
                closures.push((definition, Vec::new()));
            } else {
                named.push(definition);
            }
        }
        named.sort_by(|one, other| {
            let key = |of: &Definition| (of.name.clone(), of.parameters.len());
            key(one).cmp(&key(other))
        });
        if !closures.is_empty() {
            let all: Vec<Definition> = closures.iter().map(|(own, _)| own.clone()).collect();
            each_statement(ast, &all, &mut |at, statement| {
                closures[at].1.push(statement.clone());
            });
        }
        let closures = closures
            .into_iter()
            .map(|closure| (closure.0.name.clone(), closure))
            .collect();
        Definitions { named, closures }
    }

    /// All definitions, the named ones first.
    pub fn all(&self) -> Vec<Definition> {
        let closures = self.closures.values().map(|(own, _)| own);
        self.named.iter().chain(closures).cloned().collect()
    }
}

/// Calls `visit` with each statement of each definition, and the position of the definition. Rhai
/// provides the statements of functions only through a walk of the whole tree.
pub(super) fn each_statement(ast: &AST, all: &[Definition], visit: &mut dyn FnMut(usize, &Stmt)) {
    if all.is_empty() {
        return;
    }
    ast.walk(&mut |path: &[ASTNode]| {
        if let [ASTNode::Stmt(statement)] = path {
            let at = place(statement.position());
            // Closures are nested in others: the one that starts last is the innermost.
            let enclosing = all
                .iter()
                .enumerate()
                .filter(|(_, closure)| closure.contains(at));
            if let Some((ix, _)) = enclosing.max_by_key(|(_, closure)| closure.within.0) {
                visit(ix, statement);
            }
        }
        true
    });
}
