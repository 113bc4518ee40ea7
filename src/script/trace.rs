//! Which lines of scripts were run: for whoever wants to know what tests and games never came to.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use rhai::{AST, ASTNode, Position, Stmt};

use super::compile::Scripts;
use super::tree;
use crate::content::HookId;

/// Where a statement stands.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Spot {
    /// In which script.
    pub script: In,
    /// In which line of it, from 1.
    pub line: usize,
}

/// A script with statements.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum In {
    /// A hook.
    Hook(HookId),
    /// A file of functions, by its name.
    File(Box<str>),
}

/// What was run since it was last forgotten.
#[derive(Default)]
pub struct Trace {
    spots: RefCell<Vec<Spot>>,
    hits: RefCell<Vec<u32>>,
    /// What was run for the first time since somebody looked.
    fresh: RefCell<Vec<usize>>,
    paused: Cell<bool>,
}

impl Trace {
    /// The number of a spot.
    pub(super) fn spot(&self, script: &In, at: Position) -> usize {
        let mut spots = self.spots.borrow_mut();
        spots.push(Spot {
            script: script.clone(),
            line: at.line().unwrap_or(1),
        });
        self.hits.borrow_mut().push(0);
        spots.len() - 1
    }

    pub(super) fn hit(&self, spot: usize) {
        if self.paused.get() {
            return;
        }
        let hits = &mut self.hits.borrow_mut()[spot];
        if *hits == 0 {
            self.fresh.borrow_mut().push(spot);
        }
        *hits = hits.saturating_add(1);
    }

    /// Every statement there is.
    #[must_use]
    pub fn spots(&self) -> Vec<Spot> {
        self.spots.borrow().clone()
    }

    /// The numbers of the statements that were run for the first time since this was last asked.
    #[must_use]
    pub fn take_fresh(&self) -> Vec<usize> {
        std::mem::take(&mut self.fresh.borrow_mut())
    }

    /// Looks away, or looks again.
    pub fn pause(&self, paused: bool) {
        self.paused.set(paused);
    }

    /// Forgets what was run.
    pub fn forget(&self) {
        self.hits.borrow_mut().fill(0);
        self.fresh.borrow_mut().clear();
    }
}

impl Scripts {
    /// Notes from here on which statements are run. Nothing must have been run before.
    #[must_use]
    pub fn trace(&self) -> Rc<Trace> {
        let trace = self.trace.get_or_init(Rc::default).clone();
        for (ix, code) in self.codes.iter().enumerate() {
            if let Some(code) = code {
                let _ = self.plain(code, &self.content.hooks[ix], HookId::at(ix));
            }
        }
        let _ = self.functions();
        trace
    }

    /// Notes every statement of something that only Rhai can run: whoever runs it is taken to come to all of them.
    pub(super) fn spots_of(&self, script: &In, statements: &[Stmt]) -> Vec<usize> {
        let Some(trace) = self.trace.get() else {
            return Vec::new();
        };
        let mut spots = Vec::new();
        let mut path = Vec::new();
        for statement in statements {
            statement.walk(&mut path, &mut |path: &[ASTNode]| {
                if let Some(ASTNode::Stmt(statement)) = path.last()
                    && !statement.position().is_none()
                {
                    spots.push(trace.spot(script, statement.position()));
                }
                true
            });
        }
        spots
    }

    /// The same for each function of a file, by name and number of parameters.
    pub(super) fn spots_by_function(
        &self,
        script: &In,
        ast: &AST,
    ) -> BTreeMap<(String, usize), Vec<usize>> {
        if self.trace.get().is_none() {
            return BTreeMap::new();
        }
        let begin = |parameters: Vec<String>, _: Position| (parameters.len(), Vec::new());
        let all = tree::functions(ast, begin, |(_, spots), statement| {
            spots.extend(self.spots_of(script, std::slice::from_ref(statement)));
        });
        all.into_iter()
            .map(|function| ((function.name, function.made.0), function.made.1))
            .collect()
    }

    /// Notes that such spots were come to.
    pub(super) fn came_to(&self, spots: &[usize]) {
        if let Some(trace) = self.trace.get() {
            spots.iter().for_each(|spot| trace.hit(*spot));
        }
    }
}
