//! Calls, chains of properties and methods, and assignments.

use std::rc::Rc;

use super::{Codegen, function_code, narrow};
use crate::script::bytecode::{Op, Path, PathAction, PathStep, PathStepKind, Register};
use crate::script::lint::types::Types;
use crate::script::primitives::{self, closures};
use crate::script::syntax::{
    Assign, Call, Chain, Closure, Meaning, Node, NodeKind, Step, StepKind,
};

impl Codegen<'_> {
    pub(super) fn closure(&mut self, closure: &Closure, to: Register) {
        let first = self.values(&closure.captured);
        let code = function_code(self.environment, &closure.function, closure.captured.len());
        let function = narrow(self.code.closures.len());
        self.code.closures.push(Rc::new(code));
        self.emit(Op::Closure {
            to,
            function,
            first,
        });
    }

    pub(super) fn call(&mut self, call: &Call, to: Register) {
        if let Some(local) = self.changed_argument(call) {
            return self.call_on(local, call, to);
        }
        let first = self.values(&call.arguments);
        let count = call.arguments.len();
        match self.changing_function(call, count) {
            // The list is a copy: only the result is used.
            Some(function) => self.call_for_pair(&call.name, count, function, first, to),
            None => self.call_with(&call.name, first, count, takes_closure(call), to),
        }
    }

    /// The function that changes a list with a closure.
    fn changing_function(&self, call: &Call, count: usize) -> Option<u16> {
        if !takes_closure(call) {
            return None;
        }
        (self.environment.closure_function)(&format!("change_{}", call.name), count)
    }

    /// The variable that a call changes. As in Rhai, `push(list, 1)` means `list.push(1)`, unless
    /// `list` is a constant.
    fn changed_argument(&self, call: &Call) -> Option<Register> {
        let local = call.arguments.first().and_then(local_of)?;
        let is_changed = primitives::changes_receiver(&call.name)
            && !self.constants.contains(&local)
            && (self.environment.function)(&call.name, call.arguments.len()).is_none();
        is_changed.then_some(local)
    }

    /// A call that may change the variable that is its first argument.
    fn call_on(&mut self, local: Register, call: &Call, to: Register) {
        let count = call.arguments.len();
        let first = self.temporary();
        self.values(&call.arguments[1..]);
        if takes_closure(call) {
            self.emit(Op::Copy {
                to: first,
                from: local,
            });
            if let Some(function) = self.changing_function(call, count) {
                self.call_for_pair(&call.name, count, function, first, to);
                self.emit(Op::Move {
                    to: local,
                    from: first,
                });
            } else {
                self.call_with(&call.name, first, count, true, to);
            }
        } else if let Some(overloads) = primitives::overloads(&call.name, count) {
            self.emit(Op::MutatingPrimitive {
                to,
                overloads,
                first,
                local,
            });
        } else {
            self.call_with(&call.name, first, count, false, to);
        }
    }

    /// Checks the lists that a function with a closure gets.
    fn check_lists(&mut self, name: &str, count: usize, first: Register) {
        let mut all = closures::all().iter();
        let declared =
            all.find(|function| function.name == name && function.parameters.len() == count);
        let parameters = declared.map_or(&[][..], |function| &function.parameters);
        for (ix, (_, types)) in parameters.iter().enumerate() {
            if *types == Types::LIST {
                let value = first + narrow(ix);
                self.emit(Op::CheckList { value });
            }
        }
    }

    /// A call whose arguments are in registers.
    pub(super) fn call_with(
        &mut self,
        name: &str,
        first: Register,
        count: usize,
        closure: bool,
        to: Register,
    ) {
        let function = if closure {
            (self.environment.closure_function)(name, count)
        } else {
            (self.environment.function)(name, count)
        };
        if let Some(function) = function {
            if closure {
                self.check_lists(name, count, first);
            }
            self.emit(Op::Call {
                to,
                function,
                first,
            });
        } else if let Some(overloads) = primitives::overloads(name, count) {
            self.emit(Op::Primitive {
                to,
                overloads,
                first,
            });
        } else if self.environment.language && name == "begin_labels" {
            self.emit(Op::BeginLabels { to });
        } else if self.environment.language && name == "end_labels" {
            self.emit(Op::EndLabels { labels: first });
        } else {
            let (name, count) = (self.name(name), narrow(count));
            self.emit(Op::Unknown { name, count });
        }
    }

    /// As in Rhai, the positions and arguments in a chain are evaluated before its receiver.
    pub(super) fn chain(&mut self, chain: &Chain, to: Register) {
        let prepared = self.prepare(&chain.steps);
        let local = local_of(&chain.root);
        if let NodeKind::Variable(variable) = &chain.root.kind
            && let Meaning::Hook(variable) = variable.meaning
            && let [first, rest @ ..] = &chain.steps[..]
            && let StepKind::Property(name) = &first.kind
            && !first.optional
            && rest.iter().all(|step| !step.optional)
        {
            let next = prepared.get(1).and_then(|step| step.receiver);
            let result = next.unwrap_or(to);
            self.at = first.at;
            let name = self.name(name);
            self.emit(Op::HookProperty {
                to: result,
                variable,
                name,
            });
            return self.steps(chain, 1, result, &prepared, to);
        }
        let receiver = match local {
            Some(local) => local,
            None => {
                // The root may be the first argument of a method.
                let register = prepared
                    .first()
                    .and_then(|step| step.receiver)
                    .unwrap_or(to);
                self.run(&chain.root, Some(register));
                register
            }
        };
        self.steps(chain, 0, receiver, &prepared, to);
    }

    /// Emits the steps from index `from`; `of` holds the receiver.
    fn steps(
        &mut self,
        chain: &Chain,
        from: usize,
        receiver: Register,
        prepared: &[Prepared],
        to: Register,
    ) {
        let mut receiver = receiver;
        let mut skips = Vec::new();
        for (ix, step) in chain.steps.iter().enumerate().skip(from) {
            self.at = step.at;
            if step.optional {
                skips.push(self.emit(Op::JumpIfUnit {
                    test: receiver,
                    target: 0,
                }));
            }
            // The result of a step is the receiver of the next one.
            let next = prepared.get(ix + 1).and_then(|step| step.receiver);
            let result = next.unwrap_or(to);
            match &step.kind {
                StepKind::Property(name) => {
                    let name = self.name(name);
                    self.emit(Op::Property {
                        to: result,
                        receiver,
                        name,
                    });
                }
                StepKind::Index(_) => {
                    let at = prepared[ix].first;
                    self.emit(Op::Index {
                        to: result,
                        receiver,
                        at,
                    });
                }
                StepKind::Method(call) => {
                    self.method(chain, ix, call, receiver, prepared, result);
                }
            }
            receiver = result;
        }
        if !skips.is_empty() {
            let end = self.emit(Op::Jump { target: 0 });
            self.patch_all_to_here(skips);
            self.emit(Op::Unit { to });
            self.patch_to_here(end);
        }
    }

    fn method(
        &mut self,
        chain: &Chain,
        ix: usize,
        call: &Call,
        receiver: Register,
        prepared: &[Prepared],
        to: Register,
    ) {
        let count = call.arguments.len() + 1;
        let first = prepared[ix].first;
        if &*call.name == "call" {
            let (closure, count) = (receiver, narrow(count - 1));
            let first = first + 1;
            self.emit(Op::CallClosure {
                to,
                closure,
                first,
                count,
            });
            return;
        }
        if let Some(function) = self.changing_function(call, count) {
            if receiver != first {
                self.emit(Op::Copy {
                    to: first,
                    from: receiver,
                });
            }
            return self.change_with_closure(chain, ix, call, prepared, function, to);
        }
        let overloads = primitives::overloads(&call.name, count);
        if let Some(overloads) = overloads
            && !takes_closure(call)
            && primitives::changes_receiver(&call.name)
            && let Some(root) = self.changed_root(chain, ix)
        {
            if self.constants.contains(&root) {
                if receiver != first {
                    self.emit(Op::Copy {
                        to: first,
                        from: receiver,
                    });
                }
                self.emit(Op::CheckConstant { overloads, first });
                self.emit(Op::Primitive {
                    to,
                    overloads,
                    first,
                });
            } else if ix == 0 {
                self.emit(Op::MutatingPrimitive {
                    to,
                    overloads,
                    first,
                    local: root,
                });
            } else {
                let path = self.path(&chain.steps[..ix], prepared, PathAction::Call(overloads));
                self.emit(Op::Path {
                    to,
                    root,
                    path,
                    value: first,
                });
            }
            return;
        }
        if receiver != first {
            self.emit(Op::Copy {
                to: first,
                from: receiver,
            });
        }
        self.call_with(&call.name, first, count, takes_closure(call), to);
    }

    /// The register of the variable in which a method changes a value, if the `steps` before the
    /// method lead to a place in it. A value of an event changes with the event: `event.list.push(1)`.
    fn changed_root(&mut self, chain: &Chain, steps: usize) -> Option<Register> {
        if !chain.steps[..steps].iter().all(is_place) {
            return None;
        }
        if let Some(local) = local_of(&chain.root) {
            return Some(local);
        }
        let is_event = matches!(&chain.root.kind, NodeKind::Variable(variable)
            if matches!(variable.meaning, Meaning::Hook(_)));
        if !is_event || steps == 0 {
            return None;
        }
        let root = self.temporary();
        self.run(&chain.root, Some(root));
        Some(root)
    }

    /// A method with a closure that changes the list: the function returns the list and the result.
    /// The list is already in the first argument.
    fn change_with_closure(
        &mut self,
        chain: &Chain,
        ix: usize,
        call: &Call,
        prepared: &[Prepared],
        function: u16,
        to: Register,
    ) {
        let first = prepared[ix].first;
        let root = self.changed_root(chain, ix);
        if let Some(constant) = root.filter(|root| self.constants.contains(root)) {
            self.emit(Op::ChangesConstant { constant });
        }
        let at = self.temporary();
        let count = call.arguments.len() + 1;
        self.call_for_pair(&call.name, count, function, first, to);
        if let Some(root) = root {
            if ix == 0 {
                self.emit(Op::Move {
                    to: root,
                    from: first,
                });
            } else {
                let path = self.path(&chain.steps[..ix], prepared, PathAction::Set);
                self.emit(Op::Path {
                    to: at,
                    root,
                    path,
                    value: first,
                });
            }
        }
    }

    /// Calls a function that returns a list and a result. The list replaces the first argument.
    fn call_for_pair(
        &mut self,
        name: &str,
        count: usize,
        function: u16,
        first: Register,
        to: Register,
    ) {
        self.check_lists(name, count, first);
        let (pair, at) = (self.temporary(), self.temporary());
        self.emit(Op::Call {
            to: pair,
            function,
            first,
        });
        self.emit(Op::Int { to: at, number: 0 });
        self.emit(Op::Index {
            to: first,
            receiver: pair,
            at,
        });
        self.emit(Op::Int { to: at, number: 1 });
        self.emit(Op::Index {
            to,
            receiver: pair,
            at,
        });
    }

    /// Evaluates the positions and arguments of a chain.
    fn prepare(&mut self, steps: &[Step]) -> Vec<Prepared> {
        let mut all = Vec::with_capacity(steps.len());
        for step in steps {
            let first = self.next;
            match &step.kind {
                StepKind::Property(_) => all.push(Prepared {
                    first,
                    receiver: None,
                }),
                StepKind::Index(index) => {
                    let register = self.temporary();
                    self.run(index, Some(register));
                    all.push(Prepared {
                        first,
                        receiver: None,
                    });
                }
                StepKind::Method(call) => {
                    self.temporary();
                    self.values(&call.arguments);
                    all.push(Prepared {
                        first,
                        receiver: Some(first),
                    });
                }
            }
        }
        all
    }

    fn path(&mut self, steps: &[Step], prepared: &[Prepared], action: PathAction) -> u16 {
        let steps = steps.iter().zip(prepared).map(|(step, prepared)| PathStep {
            kind: match &step.kind {
                StepKind::Property(name) => PathStepKind::Property(self.name(name)),
                _ => PathStepKind::Index(prepared.first),
            },
            optional: step.optional,
        });
        let steps = steps.collect();
        self.code.paths.push(Path { steps, action });
        narrow(self.code.paths.len() - 1)
    }

    pub(super) fn assign(&mut self, parts: &Assign) {
        let at = self.at;
        match &parts.target.kind {
            NodeKind::Variable(variable) => {
                let Meaning::Local(local) = variable.meaning else {
                    self.emit(Op::Unsupported);
                    return;
                };
                match parts.op {
                    // The value may use the variable while it is computed.
                    None if matches!(
                        parts.value.kind,
                        NodeKind::Value(_) | NodeKind::Variable(_)
                    ) =>
                    {
                        self.run(&parts.value, Some(local));
                    }
                    None => {
                        let from = self.value(&parts.value);
                        self.emit(Op::Move { to: local, from });
                    }
                    Some(op) => {
                        // The variable itself may be the value: `x += x`.
                        let value = self.temporary();
                        self.run(&parts.value, Some(value));
                        self.at = at;
                        self.emit(Op::Assign { op, local, value });
                    }
                }
            }
            NodeKind::Chain(chain) => {
                let value = self.temporary();
                self.run(&parts.value, Some(value));
                // A method in the middle gives a value of its own, where the path starts.
                let start = chain.steps.iter().rposition(|step| !is_place(step));
                let start = start.map_or(0, |at| at + 1);
                let prepared = self.prepare(&chain.steps);
                let root = match local_of(&chain.root) {
                    Some(local) if start == 0 => local,
                    _ => {
                        let root = self.temporary();
                        self.partial(chain, start, &prepared, root);
                        root
                    }
                };
                if start == 0 && self.constants.contains(&root) {
                    self.emit(Op::ChangesConstant { constant: root });
                }
                let action = parts.op.map_or(PathAction::Set, PathAction::Assign);
                let path = self.path(&chain.steps[start..], &prepared[start..], action);
                self.at = chain.steps.last().map_or(at, |step| step.at);
                self.emit(Op::Path {
                    to: value,
                    root,
                    path,
                    value,
                });
            }
            _ => {
                self.emit(Op::Unsupported);
            }
        }
    }

    /// Evaluates the first steps of a chain.
    fn partial(&mut self, chain: &Chain, steps: usize, prepared: &[Prepared], to: Register) {
        self.run(&chain.root, Some(to));
        for (ix, step) in chain.steps[..steps].iter().enumerate() {
            match &step.kind {
                StepKind::Property(name) => {
                    let name = self.name(name);
                    self.emit(Op::Property {
                        to,
                        receiver: to,
                        name,
                    });
                }
                StepKind::Index(_) => {
                    let at = prepared[ix].first;
                    self.emit(Op::Index {
                        to,
                        receiver: to,
                        at,
                    });
                }
                StepKind::Method(call) => {
                    let first = prepared[ix].first;
                    self.emit(Op::Copy {
                        to: first,
                        from: to,
                    });
                    self.call_with(
                        &call.name,
                        first,
                        call.arguments.len() + 1,
                        takes_closure(call),
                        to,
                    );
                }
            }
        }
    }
}

/// The registers of a step whose position or arguments are evaluated.
struct Prepared {
    /// The position; for a method, its receiver, which is the first argument.
    first: Register,
    /// The register for the receiver of a method.
    receiver: Option<Register>,
}

fn local_of(node: &Node) -> Option<Register> {
    match &node.kind {
        NodeKind::Variable(variable) => match variable.meaning {
            Meaning::Local(local) => Some(local),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a step leads to a place inside a value.
const fn is_place(step: &Step) -> bool {
    !matches!(step.kind, StepKind::Method(_))
}

fn takes_closure(call: &Call) -> bool {
    call.arguments
        .iter()
        .any(|argument| matches!(argument.kind, NodeKind::Closure(_)))
}
