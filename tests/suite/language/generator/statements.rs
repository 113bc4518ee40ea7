//! Statements.

use super::{Generator, Type, Variable};

/// Few names, so that a program declares some of them again.
const NAMES: &[&str] = &["a", "b", "c", "d", "e", "f", "g", "h"];

impl Generator<'_> {
    /// A few statements in a block of their own.
    pub(super) fn statements(&mut self) -> String {
        let outside = self.variables.len();
        let mut text = String::new();
        while self.choices.below(3) > 0 {
            text += &self.statement();
        }
        self.variables.truncate(outside);
        text
    }

    pub(super) fn statement(&mut self) -> String {
        if self.budget == 0 {
            return String::new();
        }
        self.budget -= 1;
        match self.choices.below(22) {
            0..=4 => self.declare(),
            5..=8 => self.assign(),
            9..=11 => self.call_statement(),
            12 => {
                let condition = self.condition(2);
                let then = self.statements();
                if self.choices.once_in(2) {
                    let otherwise = self.statements();
                    format!("if {condition} {{\n{then}}} else {{\n{otherwise}}}\n")
                } else {
                    format!("if {condition} {{\n{then}}}\n")
                }
            }
            13 => self.switch_statement(),
            14 | 15 if self.nesting < 2 => self.repeat(),
            16 | 17 => self.attempt(),
            18 => format!("{{\n{}}}\n", self.statements()),
            19 if self.loops > 0 => {
                let condition = self.condition(1);
                let leave = self.choices.word(&["break", "continue", "break 5"]);
                format!("if {condition} {{ {leave}; }}\n")
            }
            20 => {
                let condition = self.condition(1);
                let value = self.any(1);
                let leave = self.choices.word(&["throw", "throw", "return"]);
                format!("if {condition} {{ {leave} {value}; }}\n")
            }
            _ => self.declare(),
        }
    }

    fn declare(&mut self) -> String {
        let of = self.pick_type();
        let depth = 1 + self.choices.below(3);
        let value = self.expr(of, depth);
        let simple = self.typed(of, 0);
        let name = self.choices.word(NAMES).to_owned();
        let word = if self.choices.once_in(6) {
            "const"
        } else {
            "let"
        };
        self.variables.push(Variable {
            name: name.clone(),
            of,
            changes: word == "let",
        });
        if word == "const" || depth == 1 || self.choices.once_in(4) {
            return format!("{word} {name} = {value};\n");
        }
        // If the value fails, the program goes on without it.
        format!("let {name} = {simple};\ntry {{ {name} = {value}; }} catch {{ }}\n")
    }

    fn assign(&mut self) -> String {
        let of = self.pick_type();
        let Some(place) = self.place(of, 1) else {
            return self.declare();
        };
        let (op, value) = match (of, self.choices.below(3)) {
            (_, 0) => ("=", self.expr(of, 2)),
            (Type::Int, _) => {
                let op = self.choices.word(&[
                    "+=", "-=", "*=", "/=", "%=", "**=", "&=", "|=", "^=", "<<=", ">>=",
                ]);
                (op, self.expr(of, 2))
            }
            (Type::Bool, _) => {
                let op = self.choices.word(&["&=", "|=", "^="]);
                (op, self.expr(of, 2))
            }
            _ => ("+=", self.any(2)),
        };
        let text = format!("{place} {op} {value};\n");
        self.guarded(text)
    }

    /// Most statements that may fail are in a `try`, so that the program goes on.
    pub(super) fn guarded(&mut self, statement: String) -> String {
        if self.choices.below(3) == 0 {
            return statement;
        }
        format!("try {{ {} }} catch {{ }}\n", statement.trim_end())
    }

    fn switch_statement(&mut self) -> String {
        let on_type = [Type::Int, Type::Text][self.choices.below(2)];
        let on = self.expr(on_type, 1);
        let (mut cases, mut ranges) = (String::new(), String::new());
        for _ in 0..1 + self.choices.below(2) {
            let test = self.case(on_type);
            let body = self.statements();
            let part = if test.contains("..") {
                &mut ranges
            } else {
                &mut cases
            };
            *part += &format!("{test} => {{\n{body}}}\n");
        }
        cases += &ranges;
        if self.choices.once_in(2) {
            let body = self.statements();
            cases += &format!("_ => {{\n{body}}}\n");
        }
        format!("switch {on} {{\n{cases}}}\n")
    }

    fn repeat(&mut self) -> String {
        let outside = self.variables.len();
        let loops = self.loops;
        self.counters += 1;
        let counter = format!("n{}", self.counters);
        let end = 1 + self.choices.below(3);
        self.loops += 1;
        self.nesting += 1;
        let text = match self.choices.below(6) {
            0 => {
                let over = self.loop_range();
                self.loop_variable("x", Type::Int);
                let body = self.statements();
                format!("for x in {over} {{\n{body}}}\n")
            }
            1 => {
                let over = self.unchecked(Type::Ints, 1);
                self.loop_variable("x", Type::Int);
                self.loop_variable("y", Type::Int);
                let body = self.statements();
                format!("for (x, y) in {over} {{\n{body}}}\n")
            }
            2 => {
                let (over, item) = match self.choices.below(3) {
                    0 => (self.unchecked(Type::Text, 1), Type::Text),
                    1 => (
                        format!("{}.chars(1, 2)", self.typed(Type::Text, 0)),
                        Type::Text,
                    ),
                    _ => (format!("range({end}, 0, -1)"), Type::Int),
                };
                self.loop_variable("x", item);
                let body = self.statements();
                format!("for w in {over} {{\nlet x = @plain(w);\n{body}}}\n")
            }
            3 => {
                let body = self.statements();
                format!(
                    "let {counter} = 0;\nwhile {counter} < {end} {{\n{counter} += 1;\n{body}}}\n"
                )
            }
            4 => {
                let body = self.statements();
                format!(
                    "let {counter} = 0;\nloop {{\nif {counter} >= {end} {{ break; }}\n{counter} += 1;\n{body}}}\n"
                )
            }
            _ => {
                let body = self.statements();
                format!(
                    "let {counter} = 0;\ndo {{\n{counter} += 1;\n{body}}} while {counter} < {end};\n"
                )
            }
        };
        self.nesting -= 1;
        self.loops = loops;
        self.variables.truncate(outside);
        text
    }

    /// A range with few numbers.
    fn loop_range(&mut self) -> String {
        let op = self.choices.word(&["..", "..="]);
        let from = self.choices.word(&["0", "1", "-2", "3"]);
        let to = self.choices.word(&["3", "0", "2", "1"]);
        format!("{from}{op}{to}")
    }

    fn loop_variable(&mut self, name: &str, of: Type) {
        self.variables.push(Variable {
            name: name.to_owned(),
            of,
            changes: true,
        });
    }

    fn attempt(&mut self) -> String {
        let body = self.statements();
        let thrown = if self.choices.once_in(2) {
            let value = self.any(1);
            format!("throw {value};\n")
        } else {
            String::new()
        };
        let outside = self.variables.len();
        let (name, saved) = match self.choices.below(3) {
            0 => (" ", String::new()),
            _ => {
                // Messages of errors differ.
                self.variables.push(Variable {
                    name: "error".to_owned(),
                    of: Type::Any,
                    changes: false,
                });
                let targets = self.variables(Type::List, true);
                let saved = self.pick(&targets).map(|target| {
                    format!("{target}.push(if type_of(error) in [\"map\", \"string\"] {{ \"error\" }} else {{ error }});\n")
                });
                (" (error) ", saved.unwrap_or_default())
            }
        };
        self.variables.truncate(outside);
        let catch = self.statements();
        format!("try {{\n{body}{thrown}}} catch{name}{{\n{saved}{catch}}}\n")
    }
}
