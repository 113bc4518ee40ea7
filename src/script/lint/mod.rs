//! Lints for scripts: names, types, code without effect and unreachable code.

mod calls;
mod compared;
mod facts;
mod flags;
mod flow;
mod infer;
mod keys;
mod name_help;
mod name_kind;
mod names;
pub mod natives;
mod property;
mod provided;
pub mod types;
mod vocabulary;
mod written;

use std::collections::{BTreeMap, BTreeSet};

pub use facts::Facts;
pub use infer::{FunctionSummary, summaries};
pub use keys::{new_names, properties};
pub use natives::is_native;
pub use property::{built_in, of_event};

use super::compile::PackFunction;
use super::syntax::Script;
use crate::content::{Content, HookDef};
use crate::diagnostic::{FileId, Files, Report, Span};

/// The source of a script and the data that lints need.
pub struct ScriptText<'a> {
    pub files: &'a Files,
    pub file: FileId,
    /// The byte offset of the text in its file.
    pub offset: usize,
    pub exact: bool,
    /// The pack of the script, in which its names are resolved.
    pub pack: u16,
    /// Whether a visible function file has a syntax error.
    pub broken: bool,
    /// Every name that may follow a dot.
    pub properties: &'a BTreeSet<String>,
    pub facts: &'a Facts,
}

impl ScriptText<'_> {
    /// The source location of a part of the script.
    fn span(&self, at: u32, len: usize) -> Span {
        if !self.exact {
            return Span::new(self.file, self.offset, self.offset + 1);
        }
        let at = self.offset + at as usize;
        Span::new(self.file, at, at + len)
    }
}

/// Checks a compiled script: a hook or a function file. Without `closely`, only names are checked.
pub fn check(
    content: &Content,
    functions: &BTreeMap<(String, usize), PackFunction>,
    tree: &Script,
    hook: Option<&HookDef>,
    closely: bool,
    source: &ScriptText<'_>,
    report: &mut Report,
) {
    let mut found = Report::new();
    names::check(content, functions, tree, hook, source, &mut found);
    compared::check(content, tree, source, &mut found);
    if closely {
        vocabulary::check(tree, source, &mut found);
        written::check(tree, source, &mut found);
    }
    // The types of functions in a broken file are unknown.
    if closely && !source.broken {
        infer::check(content, functions, tree, hook, source, &mut found);
    }
    found.sort(source.files);
    // A variable that is unknown in one block is not used in another.
    let unknown: BTreeSet<String> = found
        .iter()
        .filter(|fault| fault.code == "unknown-variable")
        .map(|fault| fault.message.replacen("unknown", "unused", 1))
        .collect();
    found.retain(|fault| fault.code != "unused-variable" || !unknown.contains(&fault.message));
    // An error replaces a warning with the same code at the same location.
    let errors: Vec<(Span, &str)> = found
        .errors()
        .map(|fault| (fault.label.span, fault.code))
        .collect();
    found.retain(|fault| {
        fault.severity.is_error() || !errors.contains(&(fault.label.span, fault.code))
    });
    report.extend(found);
}
