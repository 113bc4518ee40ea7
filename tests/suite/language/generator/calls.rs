//! Calls of language functions, from their declarations, and of functions of the program.

use kaer::script::primitives;

use super::{Generator, Type, Variable};

/// A language function.
#[derive(Debug)]
pub struct Signature {
    name: String,
    parameters: Vec<Parameter>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Parameter {
    Value(Type),
    Closure,
}

/// The language functions as the script reference lists them.
pub(super) fn signatures() -> Vec<Signature> {
    let language = primitives()
        .into_iter()
        .filter(|own| own.topic == "language");
    let mut list: Vec<Signature> = language
        .filter_map(|own| {
            let parameters = own.signature.strip_prefix(own.name.as_str())?;
            let parameters = parameters.strip_prefix('(')?.strip_suffix(')')?;
            let parameters = parameters.split(", ").map(parameter);
            Some(Signature {
                name: own.name,
                parameters: parameters.collect(),
            })
        })
        .collect();
    // Rhai returns an iterator, or needs a character.
    let is_text = |own: &Signature| own.parameters[0] == Parameter::Value(Type::Text);
    list.retain(|own| match own.name.as_str() {
        "range" | "chars" => false,
        "set" => !is_text(own),
        _ => true,
    });
    list
}

fn parameter(text: &str) -> Parameter {
    let (_, of) = text.split_once(": ").unwrap_or_default();
    Parameter::Value(match of {
        "number" => Type::Int,
        "bool" => Type::Bool,
        "string" => Type::Text,
        "list" => Type::Ints,
        "Map" => Type::Map,
        "function" => return Parameter::Closure,
        _ => Type::Any,
    })
}

/// The type of a function's result.
fn result(signature: &Signature) -> Type {
    match signature.name.as_str() {
        "len" | "bytes" | "index_of" | "abs" | "sign" | "parse_int" => Type::Int,
        "is_empty" | "contains" | "starts_with" | "ends_with" | "is_zero" | "is_odd"
        | "is_even" | "some" | "all" => Type::Bool,
        "to_string" | "type_of" | "sub_string" | "to_upper" | "to_lower" | "to_hex"
        | "to_octal" | "to_binary" => Type::Text,
        "map" | "zip" | "keys" | "values" | "to_chars" | "split_rev" => Type::List,
        "filter" | "order" | "order_by" | "order_desc" | "extract" | "drain" | "retain" => {
            Type::Ints
        }
        "split" if signature.parameters[0] == Parameter::Value(Type::Text) => Type::List,
        "split" => Type::Ints,
        "mixin" | "fill_with" | "push" | "append" | "insert" | "clear" | "sort" | "sort_by" => {
            Type::Unit
        }
        _ => Type::Any,
    }
}

/// The bodies of closures that compare `u` and `v`, whatever they are.
const COMPARISONS: &[&str] = &[
    "type_of(u).len() - type_of(v).len()",
    "if `${u}` < `${v}` { -1 } else if `${u}` > `${v}` { 1 } else { 0 }",
    "`${v}`.len() - `${u}`.len()",
    "`${u}` < `${v}` || `${u}` == `${v}`",
];

impl Generator<'_> {
    /// A call whose result has a type.
    pub(super) fn call_of(&mut self, of: Type, depth: usize) -> String {
        if self.choices.once_in(4) && !self.functions.is_empty() {
            return self.own_call(depth);
        }
        let signatures = self.signatures;
        let fitting: Vec<&Signature> = signatures
            .iter()
            .filter(|own| result(own) == of)
            .filter(|own| !self.in_closure || !own.parameters.contains(&Parameter::Closure))
            .collect();
        if fitting.is_empty() {
            return self.own_call(depth);
        }
        let signature = fitting[self.choices.below(fitting.len())];
        self.call(signature, depth, false)
    }

    /// A call of a function of the program.
    fn own_call(&mut self, depth: usize) -> String {
        if self.functions.is_empty() || self.nesting > 1 {
            return "()".to_owned();
        }
        let count = self.functions[self.choices.below(self.functions.len())];
        let arguments: Vec<String> = (0..count).map(|_| self.expr(Type::Int, depth)).collect();
        format!("@f({})", arguments.join(", "))
    }

    /// A statement that calls a function on a variable.
    pub(super) fn call_statement(&mut self) -> String {
        let signature = &self.signatures[self.choices.below(self.signatures.len())];
        let call = self.call(signature, 2, true);
        let lists = self.variables(Type::List, true);
        let text = match self.pick(&lists) {
            Some(list) if self.choices.below(2) == 0 => format!("{list}.push({call});\n"),
            _ if self.choices.below(2) == 0 => {
                let name = self.choices.word(&["r", "s", "t"]).to_owned();
                let of = match result(signature) {
                    Type::Any => Type::Unit,
                    of => of,
                };
                self.variables.push(Variable {
                    name: name.clone(),
                    of,
                    changes: true,
                });
                return format!("let {name} = {call};\n");
            }
            _ => format!("{call};\n"),
        };
        self.guarded(text)
    }

    /// A call, as a method or a function. A method may change what it is called on.
    fn call(&mut self, signature: &Signature, depth: usize, on_variable: bool) -> String {
        let first = match signature.parameters.first() {
            Some(Parameter::Value(of)) => *of,
            _ => Type::Any,
        };
        let mut receiver = None;
        if on_variable {
            let of = if first == Type::Ints && self.choices.once_in(3) {
                Type::List
            } else {
                first
            };
            receiver = self.place(of, 1);
        }
        // Rhai has some functions for maps that we have only for lists.
        let takes_closure = signature.parameters.contains(&Parameter::Closure);
        let mut is_list = String::new();
        // A closure gets the values that variables have now: nothing may change them before the call.
        let in_block = self.in_block;
        self.in_block |= takes_closure;
        let receiver = match receiver {
            Some(receiver) => {
                if takes_closure {
                    is_list = format!("if type_of({receiver}) == \"array\" ");
                }
                receiver
            }
            None if takes_closure => format!("@list({})", self.argument(first, depth)),
            None => self.argument(first, depth),
        };
        // Rhai refuses to call some functions on a constant or a literal, even if they only read.
        let mut variables = self.variables.iter();
        let is_constant =
            receiver.starts_with('"') || variables.any(|own| own.name == receiver && !own.changes);
        let receiver = if is_constant {
            format!("@plain({receiver})")
        } else {
            receiver
        };
        let mut arguments = Vec::new();
        for parameter in &signature.parameters[1..] {
            arguments.push(match parameter {
                Parameter::Value(of) => self.argument(*of, depth),
                Parameter::Closure => self.closure(&signature.name, &receiver, depth),
            });
        }
        self.in_block = in_block;
        // In Rhai, a function does not change a variable that a closure has captured.
        let is_function = self.choices.once_in(5) && !self.captured.contains(&receiver);
        let call = if is_function {
            arguments.insert(0, receiver);
            format!("{}({})", signature.name, arguments.join(", "))
        } else {
            let receiver = parenthesized(&receiver);
            format!("{receiver}.{}({})", signature.name, arguments.join(", "))
        };
        if !is_list.is_empty() {
            return format!("({is_list}{{ {call} }})");
        }
        match signature.name.as_str() {
            "get" | "pop" => format!("@plain({call})"),
            "to_chars" => format!("{call}.map(|c| \"\" + c)"),
            _ => call,
        }
    }

    fn argument(&mut self, of: Type, depth: usize) -> String {
        match of {
            Type::Int if self.choices.below(2) == 0 => self.index(depth),
            Type::Any => self.any(depth),
            of => self.expr(of, depth),
        }
    }

    /// A closure for a function that is called on `receiver`.
    fn closure(&mut self, function: &str, receiver: &str, depth: usize) -> String {
        let outside = self.variables.len();
        let around = (self.in_closure, self.loops);
        (self.in_closure, self.loops) = (true, 0);
        // A closure cannot change the variables that it captures.
        let kept = self.variables.clone();
        for variable in &mut self.variables {
            variable.changes = false;
        }
        // In Rhai, a closure cannot use the list that it is called on.
        let root = receiver.split(['.', '[', '?']).next().unwrap_or_default();
        self.variables.retain(|own| own.name != root);
        let count = match function {
            // Rhai passes no position.
            "for_each" => 1,
            "reduce" | "zip" | "sort" | "sort_by" | "order" | "order_by" => 2,
            _ => 1 + self.choices.below(2),
        };
        let names = ["u", "v"];
        for name in &names[..count] {
            self.variables.push(Variable {
                name: (*name).to_owned(),
                of: Type::Int,
                changes: true,
            });
        }
        let body = match function {
            // Rhai ignores errors of a closure that compares.
            "sort" | "sort_by" | "order" | "order_by" => self.choices.word(COMPARISONS).to_owned(),
            "map" | "find_map" | "zip" | "for_each" => self.any(depth),
            "reduce" => {
                let value = self.expr(Type::Int, depth);
                format!("(u ?? 0) + {value}")
            }
            // Rhai takes everything but `true` for `false`.
            _ => format!("({}) == true", self.condition(depth)),
        };
        let outer = kept.iter().map(|own| own.name.clone());
        self.captured
            .extend(outer.filter(|name| body.contains(name)));
        self.variables = kept;
        self.variables.truncate(outside);
        (self.in_closure, self.loops) = around;
        let parameters = names[..count].join(", ");
        if self.choices.once_in(3) {
            return format!("|{parameters}| {{ let w = {body}; w }}");
        }
        format!("|{parameters}| {body}")
    }
}

/// A receiver in parentheses, unless it is a variable or a place in one.
fn parenthesized(receiver: &str) -> String {
    let simple = receiver
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || "_.[]\"-?".contains(c));
    if simple && !receiver.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
        receiver.to_owned()
    } else {
        format!("({receiver})")
    }
}
