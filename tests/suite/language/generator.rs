//! Generates programs: functions for a `.rhai` file, and the body of a hook.
//!
//! Rhai has a type for characters, and functions that return iterators. Our strings and lists take
//! their place, so that a program turns characters into strings with `plain`, and uses iterators
//! only in loops.

#![allow(
    clippy::match_same_arms,
    clippy::range_plus_one,
    reason = "each arm is a choice with its own weight"
)]

mod calls;
mod expressions;
mod statements;

use std::collections::BTreeSet;

use super::choices::Choices;
use calls::Signature;

/// A program. `@` stands for the start of the names of its functions.
#[derive(Clone, Debug)]
pub struct Program {
    pub functions: String,
    pub body: String,
}

/// What the generator knows about the type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Type {
    Int,
    Bool,
    Text,
    /// A list of numbers.
    Ints,
    /// A list of anything.
    List,
    /// A map whose keys have the types of [`KEYS`].
    Map,
    Unit,
    Any,
}

const TYPES: &[Type] = &[
    Type::Int,
    Type::Text,
    Type::Ints,
    Type::Map,
    Type::Bool,
    Type::List,
    Type::Unit,
];

/// The keys of maps, which may be missing.
const KEYS: &[(&str, Type)] = &[
    ("a", Type::Int),
    ("b", Type::Ints),
    ("c", Type::Text),
    ("d", Type::Map),
    ("e", Type::List),
];

#[derive(Clone)]
struct Variable {
    name: String,
    of: Type,
    /// Whether a program may assign to it.
    changes: bool,
}

pub struct Generator<'a> {
    choices: &'a mut Choices,
    signatures: &'a [Signature],
    variables: Vec<Variable>,
    /// The number of parameters of the functions that may be called.
    functions: Vec<usize>,
    /// How many statements are still allowed.
    budget: usize,
    /// The number of enclosing loops that `break` may leave.
    loops: usize,
    /// The number of enclosing loops in the function.
    nesting: usize,
    /// The number of variables that count the rounds of loops.
    counters: usize,
    in_closure: bool,
    /// Whether the code is inside a block that is a value: nested ones would get too complex for
    /// the parser.
    in_block: bool,
    /// The names that closures use.
    captured: BTreeSet<String>,
}

/// Functions of every program.
const HELPERS: &str = r#"fn @plain(v) { if type_of(v) == "char" { "" + v } else { v } }
fn @list(v) { if type_of(v) == "array" { v } else { [v] } }
"#;

/// The signatures of the language functions.
pub fn signatures() -> Vec<Signature> {
    calls::signatures()
}

/// Generates a program from choices.
pub fn program(choices: &mut Choices, signatures: &[Signature]) -> Program {
    let mut generator = Generator {
        choices,
        signatures,
        variables: Vec::new(),
        functions: Vec::new(),
        budget: 0,
        loops: 0,
        nesting: 0,
        counters: 0,
        in_closure: false,
        in_block: false,
        captured: BTreeSet::new(),
    };
    let mut functions = HELPERS.to_owned();
    let in_function = generator.choices.once_in(3);
    for count in 0..4 {
        if generator.choices.once_in(3) {
            generator.functions.push(count);
        }
    }
    generator.budget = 20;
    let body = generator.body();
    // A function calls those with fewer parameters.
    while let Some(count) = generator.functions.pop() {
        functions += &generator.function(count);
    }
    if in_function {
        functions += &format!("fn @main() {{\n{body}}}\n");
        return Program {
            functions,
            body: "@main()".to_owned(),
        };
    }
    Program { functions, body }
}

impl Generator<'_> {
    /// A function that calls itself a few times; its first parameter counts down.
    fn function(&mut self, count: usize) -> String {
        let names = ["n", "x", "y"];
        self.variables = names[..count]
            .iter()
            .map(|name| Variable {
                name: (*name).to_owned(),
                of: Type::Int,
                changes: *name != "n",
            })
            .collect();
        self.budget = 1 + self.choices.below(4);
        let mut body = String::new();
        let recursive = count > 0 && self.choices.below(2) == 1;
        if recursive {
            let result = self.expr(Type::Int, 1);
            body += &format!("if !(n in 1..4) {{ return {result}; }}\n");
        }
        body += &self.statements();
        let result = if recursive {
            let mut arguments = vec!["n - 1".to_owned()];
            for _ in 1..count {
                arguments.push(self.expr(Type::Int, 1));
            }
            let rest = self.expr(Type::Int, 1);
            format!("@f({}) + {rest}", arguments.join(", "))
        } else {
            self.any(2)
        };
        let parameters = names[..count].join(", ");
        format!("fn @f({parameters}) {{\n{body}{result}\n}}\n")
    }

    /// Statements, then a list of all variables.
    fn body(&mut self) -> String {
        let mut text = String::new();
        while self.budget > 0 && self.choices.below(14) > 0 {
            text += &self.statement();
        }
        let mut seen: Vec<&str> = Vec::new();
        for variable in &self.variables {
            if !seen.contains(&variable.name.as_str()) {
                seen.push(&variable.name);
            }
        }
        let mut values: Vec<String> = seen.into_iter().map(str::to_owned).collect();
        values.push(self.any(2));
        format!("{text}[{}]\n", values.join(", "))
    }

    /// A type of value.
    fn pick_type(&mut self) -> Type {
        TYPES[self.choices.below(TYPES.len())]
    }

    /// A value of any type.
    fn any(&mut self, depth: usize) -> String {
        let of = self.pick_type();
        self.expr(of, depth)
    }

    /// The visible variables of a type; the last one with the same name hides the others.
    fn variables(&self, of: Type, changes: bool) -> Vec<String> {
        let visible = |ix: usize, own: &Variable| {
            let mut later = self.variables[ix + 1..].iter();
            !later.any(|other| other.name == own.name)
        };
        self.variables
            .iter()
            .enumerate()
            .filter(|(ix, own)| visible(*ix, own))
            .filter(|(_, own)| own.of == of || of == Type::Any)
            .filter(|(_, own)| own.changes || !changes)
            .map(|(_, own)| own.name.clone())
            .collect()
    }

    fn pick(&mut self, list: &[String]) -> Option<String> {
        (!list.is_empty()).then(|| list[self.choices.below(list.len())].clone())
    }
}
