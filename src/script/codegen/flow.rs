//! Choices, loops and `try`.

use super::{Codegen, Loop, narrow};
use crate::script::bytecode::{Address, Op, Register, SwitchTable, SwitchTest};
use crate::script::syntax::{CaseTest, For, Node, NodeKind, Switch, SwitchCase, Try, While};

impl Codegen<'_> {
    pub(super) fn switch(&mut self, switch: &Switch, to: Option<Register>) {
        let on = self.temporary();
        self.run(&switch.on, Some(on));
        let mut ends = Vec::new();
        let mut starts: Vec<Option<Address>> = vec![None; switch.bodies.len()];
        // Cases without a condition go through a table; a condition needs instructions of its own.
        let plain = switch.cases.iter().all(|case| case.condition.is_none());
        let table = self.code.switches.len();
        self.code.switches.push(SwitchTable::default());
        let mut tests: Vec<(usize, usize)> = Vec::new();
        let mut tables = Vec::new();
        if plain {
            self.emit(Op::Switch {
                on,
                table: narrow(table),
            });
        } else {
            for (ix, case) in switch.cases.iter().enumerate() {
                let case_table = self.code.switches.len();
                self.code.switches.push(SwitchTable::default());
                self.emit(Op::Switch {
                    on,
                    table: narrow(case_table),
                });
                let fits = self.here();
                let fails = match &case.condition {
                    Some(condition) => self.jump_unless(condition),
                    None => Vec::new(),
                };
                tests.push((ix, self.emit(Op::Jump { target: 0 })));
                self.patch_all_to_here(fails);
                let after = self.here();
                tables.push((case_table, ix, fits, after));
            }
            self.emit(Op::Switch {
                on,
                table: narrow(table),
            });
        }
        for (ix, body) in switch.bodies.iter().enumerate() {
            starts[ix] = Some(self.here());
            self.run(body, to);
            ends.push(self.emit(Op::Jump { target: 0 }));
        }
        let nothing = self.here();
        self.unit(to);
        self.patch_all_to_here(ends);
        let test = |case: &SwitchCase| match &case.test {
            CaseTest::Is(value) => SwitchTest::Is(self.literal(value)),
            CaseTest::Between(from, last) => SwitchTest::Between(*from, *last),
        };
        let values: Vec<SwitchTest> = switch.cases.iter().map(test).collect();
        let start = |body: usize| starts.get(body).copied().flatten().unwrap_or(nothing);
        let default = switch.otherwise.map_or(nothing, start);
        let targets = switch.cases.iter().map(|case| start(case.body));
        self.code.switches[table] = SwitchTable {
            cases: if plain {
                values.iter().cloned().zip(targets).collect()
            } else {
                Vec::new()
            },
            default,
        };
        for (own, ix, fits, after) in tables {
            self.code.switches[own] = SwitchTable {
                cases: vec![(values[ix].clone(), fits)],
                default: after,
            };
        }
        for (ix, jump) in tests {
            let target = start(switch.cases[ix].body);
            self.patch_jump(jump, target);
        }
    }

    pub(super) fn begin_loop(&mut self, to: Option<Register>) {
        self.loops.push(Loop {
            breaks: Vec::new(),
            continues: Vec::new(),
            to,
            tries: self.tries,
        });
    }

    /// Ends a loop: `done` are the jumps of its condition.
    pub(super) fn end_loop(&mut self, done: Vec<usize>, to: Option<Register>) {
        self.patch_all_to_here(done);
        self.unit(to);
        if let Some(finished) = self.loops.pop() {
            self.patch_all_to_here(finished.breaks);
        }
    }

    pub(super) fn repeat(&mut self, parts: &While, to: Option<Register>) {
        self.begin_loop(to);
        let start = self.here();
        let mut done = Vec::new();
        if let Some(condition) = parts.condition.as_ref().filter(|_| !parts.is_do) {
            done = self.jump_unless(condition);
        }
        self.block(&parts.body, None);
        let continues = self
            .loops
            .last_mut()
            .map(|inner| std::mem::take(&mut inner.continues));
        self.patch_all_to_here(continues.unwrap_or_default());
        if let Some(condition) = parts.condition.as_ref().filter(|_| parts.is_do) {
            done = self.jump_unless(condition);
        }
        self.emit(Op::Jump { target: start });
        self.end_loop(done, to);
    }

    pub(super) fn each(&mut self, parts: &For, to: Option<Register>) {
        let state = self.temporary();
        let _ = (self.temporary(), self.temporary());
        let numbers = if let NodeKind::Range(ends, inclusive) = &parts.over.kind {
            self.run(&ends.0, Some(state));
            self.run(&ends.1, Some(state + 1));
            self.at = parts.over.at;
            let inclusive = *inclusive;
            self.emit(Op::Range { state, inclusive });
            true
        } else {
            let over = self.value(&parts.over);
            self.at = parts.over.at;
            self.emit(Op::Iterate { state, over });
            false
        };
        if parts.counter.is_some() {
            let (to, number) = (state + 2, -1);
            self.emit(Op::Int { to, number });
        }
        self.constants.remove(&parts.local);
        self.begin_loop(to);
        let next = self.emit(Op::Jump { target: 0 });
        let body = self.here();
        if let Some((_, counter)) = &parts.counter {
            // The body may assign to its counter, so that it counts in a register of its own.
            let (counter, count) = (*counter, state + 2);
            self.constants.remove(&counter);
            self.emit(Op::AddNumber {
                to: count,
                left: count,
                number: 1,
            });
            self.emit(Op::Copy {
                to: counter,
                from: count,
            });
        }
        self.block(&parts.body, None);
        let continues = self
            .loops
            .last_mut()
            .map(|inner| std::mem::take(&mut inner.continues));
        self.patch_all_to_here(continues.unwrap_or_default());
        self.patch_to_here(next);
        let to_element = parts.local;
        self.emit(if numbers {
            Op::NextNumber {
                to: to_element,
                state,
                body,
            }
        } else {
            Op::Next {
                to: to_element,
                state,
                body,
            }
        });
        self.end_loop(Vec::new(), to);
    }

    pub(super) fn leave(&mut self, value: Option<&Node>, ends: bool) {
        let Some((to, tries)) = self.loops.last().map(|inner| (inner.to, inner.tries)) else {
            self.emit(Op::Unsupported);
            return;
        };
        match (value, to.filter(|_| ends)) {
            (Some(value), to) => self.run(value, to),
            (None, to) => self.unit(to),
        }
        for _ in tries..self.tries {
            self.emit(Op::EndTry);
        }
        let jump = self.emit(Op::Jump { target: 0 });
        if let Some(inner) = self.loops.last_mut() {
            if ends {
                inner.breaks.push(jump);
            } else {
                inner.continues.push(jump);
            }
        }
    }

    pub(super) fn attempt(&mut self, parts: &Try, to: Option<Register>) {
        let error = match &parts.error {
            Some((_, local)) => {
                self.constants.remove(local);
                *local
            }
            None => self.temporary(),
        };
        let start = self.emit(Op::Try { error, catch: 0 });
        self.tries += 1;
        self.catches.push(None);
        self.block(&parts.body, to);
        self.catches.pop();
        self.tries -= 1;
        self.emit(Op::EndTry);
        let end = self.emit(Op::Jump { target: 0 });
        self.patch_to_here(start);
        self.catches.push(Some(error));
        self.block(&parts.catch, None);
        self.catches.pop();
        self.unit(to);
        self.patch_to_here(end);
    }
}
