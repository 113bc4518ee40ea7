//! Statement coverage of scripts: which lines tests and games ran.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::compile::Scripts;
use crate::content::HookId;

/// The location of a statement.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct StatementLocation {
    /// The script that contains it.
    pub script: ScriptId,
    /// The line in that script, counted from 1.
    pub line: usize,
}

/// Identifies a script whose statements are counted.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ScriptId {
    /// A hook of an entry.
    Hook(HookId),
    /// A function file, by name.
    File(Box<str>),
}

/// Counts how often each statement ran.
#[derive(Default)]
pub struct Trace {
    statements: RefCell<Vec<StatementLocation>>,
    hits: RefCell<Vec<u32>>,
    /// Statements that ran for the first time since the last `take_first_runs`.
    fresh: RefCell<Vec<usize>>,
    paused: Cell<bool>,
}

impl Trace {
    /// Registers a statement and returns its index.
    pub(super) fn register_statement(&self, script: &ScriptId, line: usize) -> usize {
        let mut statements = self.statements.borrow_mut();
        statements.push(StatementLocation {
            script: script.clone(),
            line,
        });
        self.hits.borrow_mut().push(0);
        statements.len() - 1
    }

    pub(super) fn hit(&self, statement: usize) {
        if self.paused.get() {
            return;
        }
        let hits = &mut self.hits.borrow_mut()[statement];
        if *hits == 0 {
            self.fresh.borrow_mut().push(statement);
        }
        *hits = hits.saturating_add(1);
    }

    /// All statements, in the order of their indices.
    #[must_use]
    pub fn statements(&self) -> Vec<StatementLocation> {
        self.statements.borrow().clone()
    }

    /// The indices of statements that ran for the first time since the last call.
    #[must_use]
    pub fn take_first_runs(&self) -> Vec<usize> {
        std::mem::take(&mut self.fresh.borrow_mut())
    }

    /// Pauses or resumes counting.
    pub fn pause(&self, paused: bool) {
        self.paused.set(paused);
    }

    /// Sets all counts to zero.
    pub fn reset(&self) {
        self.hits.borrow_mut().fill(0);
        self.fresh.borrow_mut().clear();
    }
}

impl Scripts {
    /// Starts counting statements. No script may have run before.
    #[must_use]
    pub fn trace(&self) -> Rc<Trace> {
        let trace = self.trace.get_or_init(Rc::default).clone();
        for (ix, code) in self.compiled_hooks.iter().enumerate() {
            if let Some(code) = code {
                let _ = self.hook_code(code, &self.content.hooks[ix], HookId::at(ix));
            }
        }
        self.emit_functions();
        trace
    }
}
