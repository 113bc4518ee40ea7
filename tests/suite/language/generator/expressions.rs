//! Expressions of a type, and places inside variables.

use super::{Generator, KEYS, Type};

const NUMBERS: &[&str] = &[
    "1",
    "0",
    "2",
    "3",
    "-1",
    "-2",
    "7",
    "10",
    "0xff",
    "1_000",
    "63",
    "64",
    "-64",
    "32767",
    "32768",
    "-32769",
    "2147483648",
    "9223372036854775807",
    "-9223372036854775807",
    "(-9223372036854775807 - 1)",
];
/// How many of the numbers are small.
const SMALL: usize = 8;
const TEXTS: &[&str] = &[
    "\"a\"",
    "\"\"",
    "\"b\"",
    "\"ab\"",
    "\"a,b,,c\"",
    "\"Größe\"",
    "\"日本 語\"",
    "\"ßİ\"",
    "\" x\\ty\\n\"",
    "\"q\\\"\\\\\"",
    "\"12\"",
    "\"-7\"",
    "\"aaa\"",
    "\"e\\u0301🎲\"",
];

impl Generator<'_> {
    /// An expression of a type, or now and then of another one.
    pub(super) fn expr(&mut self, of: Type, depth: usize) -> String {
        if self.choices.once_in(80) {
            let other = self.pick_type();
            return self.typed(other, depth);
        }
        self.typed(of, depth)
    }

    pub(super) fn typed(&mut self, of: Type, depth: usize) -> String {
        let variables = self.variables(of, false);
        if depth == 0 || self.choices.below(4) == 0 {
            return match self.choices.below(2) {
                1 if !variables.is_empty() => self.pick(&variables).unwrap_or_default(),
                _ => self.literal(of, depth),
            };
        }
        let depth = depth - 1;
        match self.choices.below(10) {
            0 if !variables.is_empty() => self.pick(&variables).unwrap_or_default(),
            1 => self.conditional(of, depth),
            2 => self.switch_value(of, depth),
            3 => {
                let first = self.maybe_unit(of, depth);
                let second = self.expr(of, depth);
                format!("({first} ?? {second})")
            }
            4 => self.reading(of, depth),
            5 if !self.in_closure && !self.in_block => self.block_value(of, depth),
            6 => self.call_of(of, depth),
            _ => self.operation(of, depth),
        }
    }

    /// A condition.
    pub(super) fn condition(&mut self, depth: usize) -> String {
        self.unchecked(Type::Bool, depth)
    }

    /// An expression of a type, or of another one that the parser does not notice.
    pub(super) fn unchecked(&mut self, of: Type, depth: usize) -> String {
        if self.choices.once_in(80) {
            return format!("@plain({})", self.any(depth));
        }
        self.typed(of, depth)
    }

    fn maybe_unit(&mut self, of: Type, depth: usize) -> String {
        match self.choices.below(3) {
            0 => "()".to_owned(),
            1 => self.expr(of, depth),
            _ => {
                let list = self.expr(Type::List, depth);
                let at = self.expr(Type::Int, 0);
                format!("@list({list}).get({at})")
            }
        }
    }

    fn literal(&mut self, of: Type, depth: usize) -> String {
        match of {
            Type::Int => {
                let list = if self.choices.once_in(8) {
                    NUMBERS
                } else {
                    &NUMBERS[..SMALL]
                };
                self.choices.word(list).to_owned()
            }
            Type::Bool => self.choices.word(&["true", "false"]).to_owned(),
            Type::Text => self.choices.word(TEXTS).to_owned(),
            Type::Unit => "()".to_owned(),
            Type::Ints => {
                let count = self.choices.below(5);
                let items: Vec<String> = (0..count).map(|_| self.expr(Type::Int, 0)).collect();
                format!("[{}]", items.join(", "))
            }
            Type::List | Type::Any => {
                let count = self.choices.below(4);
                let items: Vec<String> = (0..count)
                    .map(|_| {
                        let of = if depth == 0 {
                            [Type::Int, Type::Text, Type::Bool, Type::Unit][self.choices.below(4)]
                        } else {
                            self.pick_type()
                        };
                        self.expr(of, depth.saturating_sub(1))
                    })
                    .collect();
                format!("[{}]", items.join(", "))
            }
            Type::Map => {
                let mut rows = Vec::new();
                for (key, of) in KEYS {
                    if self.choices.below(3) == 0 || *of == Type::Map && depth == 0 {
                        continue;
                    }
                    let value = self.expr(*of, depth.saturating_sub(1));
                    let key = if self.choices.once_in(4) {
                        format!("{key:?}")
                    } else {
                        (*key).to_owned()
                    };
                    rows.push(format!("{key}: {value}"));
                }
                if rows.len() > 1 && self.choices.once_in(2) {
                    rows.reverse();
                }
                format!("#{{{}}}", rows.join(", "))
            }
        }
    }

    fn operation(&mut self, of: Type, depth: usize) -> String {
        match of {
            Type::Int => match self.choices.below(4) {
                0..=2 => {
                    let op = self.choices.word(&[
                        "+", "-", "*", "/", "%", "**", "&", "|", "^", "<<", ">>", "+", "-",
                    ]);
                    let (left, right) = (self.expr(of, depth), self.expr(of, depth));
                    format!("({left} {op} {right})")
                }
                _ => {
                    let op = self.choices.word(&["-", "+"]);
                    let value = self.expr(of, depth);
                    format!("({op}({value}))")
                }
            },
            Type::Bool => self.comparison(depth),
            Type::Text => self.text_operation(depth),
            Type::Ints | Type::List => {
                let (left, right) = (self.expr(of, depth), self.expr(of, depth));
                format!("({left} + {right})")
            }
            Type::Map => {
                let (left, right) = (self.expr(of, depth), self.expr(of, depth));
                format!("({left} + {right})")
            }
            Type::Unit | Type::Any => self.any(depth),
        }
    }

    fn text_operation(&mut self, depth: usize) -> String {
        match self.choices.below(4) {
            0 => {
                let left = self.expr(Type::Text, depth);
                let right = self.any(depth);
                format!("({left} + {right})")
            }
            1 => {
                let left = self.any(depth);
                let right = self.expr(Type::Text, depth);
                format!("({left} + {right})")
            }
            2 => {
                // If the left side is empty, Rhai returns the right side.
                let left = self.expr(Type::Text, depth);
                let right = self.expr(Type::Text, depth);
                format!("((\"z\" + {left}) - {right})")
            }
            _ => {
                let (one, other) = (self.any(depth), self.any(depth));
                format!("`ä ${{{one}}}-${{{other}}}`")
            }
        }
    }

    fn comparison(&mut self, depth: usize) -> String {
        match self.choices.below(8) {
            0..=2 => {
                let op = self.choices.word(&["==", "!=", "<", "<=", ">", ">="]);
                let of = self.pick_type();
                let other = if self.choices.once_in(6) {
                    self.pick_type()
                } else {
                    of
                };
                let (left, right) = (self.expr(of, depth), self.expr(other, depth));
                format!("({left} {op} {right})")
            }
            3 => {
                let op = self.choices.word(&["&&", "||", "&", "|", "^"]);
                let (left, right) = (self.condition(depth), self.condition(depth));
                format!("({left} {op} {right})")
            }
            4 => {
                let value = self.condition(depth);
                format!("!({value})")
            }
            5 => {
                let op = self.choices.word(&["in", "!in"]);
                let value = self.expr(Type::Int, depth);
                let over = match self.choices.below(3) {
                    0 => self.range(depth),
                    1 => self.expr(Type::Ints, depth),
                    _ => self.expr(Type::List, depth),
                };
                format!("({value} {op} {over})")
            }
            6 => {
                let op = self.choices.word(&["in", "!in"]);
                let value = self.expr(Type::Text, depth);
                let over = if self.choices.once_in(2) {
                    self.expr(Type::Map, depth)
                } else {
                    self.expr(Type::Text, depth)
                };
                format!("({value} {op} {over})")
            }
            _ => {
                let value = self.any(depth);
                let over = self.range(depth);
                format!("({value} in {over})")
            }
        }
    }

    /// `a..b`, for `for` and `in`.
    pub(super) fn range(&mut self, depth: usize) -> String {
        let op = self.choices.word(&["..", "..="]);
        let from = self.expr(Type::Int, depth);
        let to = self.expr(Type::Int, depth);
        // Rhai takes `()` for an open end.
        format!("({from} ?? 0){op}({to} ?? 0)")
    }

    fn conditional(&mut self, of: Type, depth: usize) -> String {
        let condition = self.condition(depth);
        let (then, otherwise) = (self.expr(of, depth), self.expr(of, depth));
        match self.choices.below(4) {
            3 => {
                let other = self.condition(depth);
                let more = self.expr(of, depth);
                format!(
                    "(if {condition} {{ {then} }} else if {other} {{ {more} }} else {{ {otherwise} }})"
                )
            }
            1 => format!("(if {condition} {{ {then} }})"),
            _ => format!("(if {condition} {{ {then} }} else {{ {otherwise} }})"),
        }
    }

    fn switch_value(&mut self, of: Type, depth: usize) -> String {
        let on_type = [Type::Int, Type::Text, Type::Bool, Type::Unit][self.choices.below(4)];
        let on = self.expr(on_type, depth);
        let (mut cases, mut ranges) = (String::new(), String::new());
        for _ in 0..self.choices.below(4) {
            let test = self.case(on_type);
            let condition = if self.choices.once_in(3) {
                format!(" if {}", self.condition(depth))
            } else {
                String::new()
            };
            let value = self.expr(of, depth);
            // Numbers cannot follow ranges.
            let part = if test.contains("..") {
                &mut ranges
            } else {
                &mut cases
            };
            *part += &format!("{test}{condition} => {value}, ");
        }
        cases += &ranges;
        if self.choices.below(3) > 0 {
            let value = self.expr(of, depth);
            cases += &format!("_ => {value}");
        }
        format!("(switch {on} {{ {cases} }})")
    }

    /// The values of a case of a `switch`.
    pub(super) fn case(&mut self, of: Type) -> String {
        let one = |own: &mut Self| match of {
            Type::Int => match own.choices.below(4) {
                0 | 1 => own
                    .choices
                    .word(&["1", "0", "2", "-1", "7", "9223372036854775807"]),
                2 => own.choices.word(&["0..3", "1..2", "5..1", "-3..0"]),
                _ => own.choices.word(&["0..=3", "2..=2", "-1..=64", "5..=1"]),
            },
            Type::Text => own
                .choices
                .word(&["\"a\"", "\"\"", "\"ab\"", "\"Größe\"", "1"]),
            Type::Bool => own.choices.word(&["true", "false", "1"]),
            _ => own
                .choices
                .word(&["()", "0", "\"a\"", "[1, 2]", "#{}", "[]"]),
        };
        let first = one(self).to_owned();
        if self.choices.once_in(3) && !first.contains("..") {
            let second = one(self);
            if second != first && !second.contains("..") {
                return format!("{first} | {second}");
            }
        }
        first
    }

    fn block_value(&mut self, of: Type, depth: usize) -> String {
        let outside = self.variables.len();
        self.in_block = true;
        let statement = self.statement();
        let value = self.expr(of, depth);
        self.in_block = false;
        self.variables.truncate(outside);
        format!("({{ {statement} {value} }})")
    }

    /// Reads a property, an item or a loop.
    fn reading(&mut self, of: Type, depth: usize) -> String {
        match self.choices.below(4) {
            0 if !self.in_closure => self.loop_value(of, depth),
            1 => {
                let map = self.expr(Type::Map, depth);
                let key = self.key(of);
                let dot = self.choices.word(&[".", "?."]);
                format!("{map}{dot}{key}")
            }
            2 => {
                let list = if of == Type::Int {
                    self.expr(Type::Ints, depth)
                } else {
                    self.expr(Type::List, depth)
                };
                let at = self.index(depth);
                let open = self.choices.word(&["[", "?["]);
                // A block in front of `[` would end the statement.
                format!("@plain(({list}){open}{at}])")
            }
            _ => match self.place(of, depth) {
                Some(place) => format!("@plain({place})"),
                None => self.literal(of, depth),
            },
        }
    }

    fn loop_value(&mut self, of: Type, depth: usize) -> String {
        let value = self.expr(of, depth);
        if self.choices.once_in(2) {
            return format!("loop {{ break {value}; }}");
        }
        let condition = self.condition(depth);
        let over = self.choices.word(&["[1, 2]", "0..3", "\"xy\"", "[]"]);
        format!("for z in {over} {{ if {condition} {{ break {value}; }} }}")
    }

    pub(super) fn index(&mut self, depth: usize) -> String {
        if self.choices.below(3) > 0 {
            self.choices.word(&["0", "1", "-1", "2", "-2"]).to_owned()
        } else {
            self.expr(Type::Int, depth.min(1))
        }
    }

    /// The key of a map for a type, or a missing one.
    fn key(&mut self, of: Type) -> &'static str {
        let keys: Vec<&str> = KEYS
            .iter()
            .filter(|(_, own)| *own == of)
            .map(|(key, _)| *key)
            .collect();
        match keys.first() {
            Some(key) if !self.choices.once_in(12) => key,
            _ => ["a", "b", "c", "d", "e", "zz"][self.choices.below(6)],
        }
    }

    /// A variable, or a place inside one.
    pub(super) fn place(&mut self, of: Type, depth: usize) -> Option<String> {
        let own = self.variables(of, true);
        let maps = self.variables(Type::Map, true);
        let lists = self.variables(Type::Ints, true);
        let mixed = self.variables(Type::List, true);
        match self.choices.below(4) {
            0 => self.pick(&own),
            1 | 2 if !maps.is_empty() => {
                let mut text = self.pick(&maps)?;
                while self.choices.once_in(4) {
                    text += self.choices.word(&[".d", "[\"d\"]", "?.d"]);
                }
                if of == Type::Int && self.choices.once_in(3) {
                    let at = self.index(depth);
                    return Some(format!("{text}.b[{at}]"));
                }
                let key = self.key(of);
                Some(match self.choices.below(3) {
                    0 | 1 => format!("{text}.{key}"),
                    _ => format!("{text}[{key:?}]"),
                })
            }
            3 if of == Type::Int && !lists.is_empty() => {
                let list = self.pick(&lists)?;
                let at = self.index(depth);
                Some(format!("{list}[{at}]"))
            }
            3 if !mixed.is_empty() => {
                let list = self.pick(&mixed)?;
                let at = self.index(depth);
                let more = self.choices.word(&["", "", "[0]", ".a", ".b[-1]"]);
                Some(format!("{list}[{at}]{more}"))
            }
            _ => self.pick(&own),
        }
    }
}
