//! Conditions and amounts that depend on nothing but printed fields, such as
//! `it.colour == each.wants`: every combination of entry and item runs once per game.

use std::cell::RefCell;

use smallvec::SmallVec;

use super::primitives::object::Named;
use super::syntax::{Function, Meaning, Node, NodeKind, StepKind};
use super::visible::HookVariable;
use crate::content::Content;
use crate::game::{Cx, OptionInputs};
use crate::value::{Text, Value};

/// The maximum number of cached results for one entry.
const MAX_RESULTS: usize = 16;

/// A script whose value depends only on these fields, with its cached results.
pub struct PureScript {
    /// The fields of `each`.
    fields: Vec<Text>,
    /// Whether it reads fields of `it`.
    reads_piece: bool,
    /// The results so far: those without a piece, then those for the entry of `it`.
    results: RefCell<Vec<SmallVec<[CachedResult; 2]>>>,
}

struct CachedResult {
    inputs: OptionInputs,
    value: Value,
    /// The work it took, which is charged again, so that the limit does not depend on earlier runs.
    work: u64,
}

/// The inputs of one run.
pub struct PureInputs {
    subject: usize,
    inputs: OptionInputs,
}

impl PureScript {
    /// Analyses a script of a pack; `None` if it reads, calls or changes anything else.
    pub fn new(
        script: &Function,
        content: &Content,
        pack: u16,
        intern: &dyn Fn(&str) -> Text,
    ) -> Option<PureScript> {
        let mut pure = PureScript {
            fields: Vec::new(),
            reads_piece: false,
            results: RefCell::default(),
        };
        let [node] = &script.body[..] else {
            return None;
        };
        let is_field = |name: &Text| Named::of_text(content, pack, name.clone()).is_only_field();
        pure.visit(node, &is_field, intern).then_some(pure)
    }

    fn visit(
        &mut self,
        node: &Node,
        is_field: &dyn Fn(&Text) -> bool,
        intern: &dyn Fn(&str) -> Text,
    ) -> bool {
        match &node.kind {
            NodeKind::Value(_) => true,
            NodeKind::Unary(..) | NodeKind::Binary(..) | NodeKind::And(_) | NodeKind::Or(_) => {
                let mut pure = true;
                node.each_child(&mut |child| pure = pure && self.visit(child, is_field, intern));
                pure
            }
            NodeKind::Chain(chain) => {
                let (NodeKind::Variable(root), [step]) = (&chain.root.kind, &chain.steps[..])
                else {
                    return false;
                };
                let (StepKind::Property(name), false) = (&step.kind, step.optional) else {
                    return false;
                };
                match root.meaning {
                    Meaning::Hook(HookVariable::Each) => {
                        let name = intern(name);
                        if !self.fields.contains(&name) {
                            self.fields.push(name);
                        }
                        true
                    }
                    Meaning::Hook(HookVariable::It) => {
                        self.reads_piece = true;
                        is_field(name)
                    }
                    _ => false,
                }
            }
            _ => false,
        }
    }

    /// The inputs of the run that is about to start; `None` if they are not simple values, or if
    /// `it` shows another face.
    pub fn inputs(&self, cx: &Cx) -> Option<PureInputs> {
        let call = cx.calls.last()?;
        let mut subject = 0;
        if self.reads_piece {
            let piece = cx.state.pieces.get(call.it?.ix())?;
            if piece.face > 0 {
                return None;
            }
            subject = piece.entry.ix() + 1;
        }
        let mut inputs = OptionInputs::new();
        if !self.fields.is_empty() {
            let Value::Map(map) = &call.argument else {
                return None;
            };
            for name in &self.fields {
                let value = map.get_interned(name)?;
                if !matches!(value, Value::Int(_) | Value::Bool(_) | Value::Text(_)) {
                    return None;
                }
                inputs.push(value.clone());
            }
        }
        Some(PureInputs { subject, inputs })
    }

    /// The result of an earlier run with the same inputs, and the work it took.
    pub fn cached(&self, now: &PureInputs) -> Option<(Value, u64)> {
        let results = self.results.borrow();
        let mut cached = results.get(now.subject)?.iter();
        let same = cached.find(|cached| are_equal(&cached.inputs, &now.inputs))?;
        Some((same.value.clone(), same.work))
    }

    /// Caches a result.
    pub fn store(&self, now: PureInputs, value: Value, work: u64) {
        let mut results = self.results.borrow_mut();
        if results.len() <= now.subject {
            results.resize_with(now.subject + 1, SmallVec::new);
        }
        let cached = &mut results[now.subject];
        if cached.len() < MAX_RESULTS {
            cached.push(CachedResult {
                inputs: now.inputs,
                value,
                work,
            });
        }
    }
}

/// Whether inputs are equal. Texts are mostly the same in memory.
fn are_equal(left: &[Value], right: &[Value]) -> bool {
    let mut pairs = left.iter().zip(right);
    pairs.all(|(left, right)| match (left, right) {
        (Value::Text(left), Value::Text(right)) => Text::ptr_eq(left, right) || left == right,
        (left, right) => left == right,
    })
}
