//! Scripts, looked at before they run: names, types, and code that does nothing or is never come to.

mod calls;
mod facts;
mod flow;
mod infer;
mod names;
pub mod natives;
mod property;
pub mod types;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use rhai::{AST, Position};

pub use facts::Facts;
pub use infer::{Summary, summaries};
pub use names::{new_names, properties};
pub use natives::{is_native, not_found};
pub use property::{built_in, of_event};

use super::compile::Function;
use super::fault::offset;
use crate::content::{Content, HookDef};
use crate::diagnostic::{FileId, Files, Report, Span};

/// Where a tree's text stands.
pub struct Source<'a> {
    pub files: &'a Files,
    pub file: FileId,
    /// The byte at which the text begins.
    pub offset: usize,
    pub exact: bool,
    /// A file of functions in sight could not be read.
    pub broken: bool,
    /// Every name that may stand after a dot.
    pub properties: &'a BTreeSet<String>,
    /// What the content's names are.
    pub facts: &'a Facts,
}

impl Source<'_> {
    fn span(&self, position: Position, len: usize) -> Span {
        if !self.exact {
            return Span::new(self.file, self.offset, self.offset + 1);
        }
        let text = &self.files.text(self.file)[self.offset..];
        let at = self.offset + offset(text, position);
        Span::new(self.file, at, at + len)
    }
}

/// Checks a compiled script: a hook, or a file of functions. What is not told if it is not looked at closely only fails when it runs.
pub fn check(
    content: &Content,
    functions: &BTreeMap<(String, usize), Function>,
    tree: &AST,
    hook: Option<&HookDef>,
    closely: bool,
    source: &Source<'_>,
    report: &mut Report,
) {
    let mut found = Report::new();
    names::check(content, functions, tree, hook, source, &mut found);
    if closely {
        words::check(tree, source, &mut found);
    }
    // What a function that cannot be read takes and gives, nobody knows.
    if closely && !source.broken {
        infer::check(content, functions, tree, hook, source, &mut found);
    }
    // Rhai's walk visits functions in an order that changes from run to run.
    found.sort(source.files);
    // What is known to be wrong need not be guessed at too.
    let sure: Vec<(Span, &str)> = found
        .errors()
        .map(|fault| (fault.label.span, fault.code))
        .collect();
    found.retain(|fault| {
        fault.severity.is_error() || !sure.contains(&(fault.label.span, fault.code))
    });
    report.extend(found);
}
