//! Language functions that call a closure. They are scripts themselves, so that a closure
//! may ask a question.

use std::sync::LazyLock;

use rhai::Engine;

use crate::script::lint::types::Types;
use crate::script::primitive::SideEffects;
use crate::script::syntax::Script;
use crate::script::{parser, resolve};

/// The source text of the functions. They contain no closures themselves, because resolving one looks
/// these functions up.
pub const SOURCE: &str = include_str!("closures.rhai");

/// The start of the name of a function that changes the list it is called on.
const CHANGES: &str = "change_";

/// The functions, which `engine` parses.
pub fn script(engine: &Engine) -> Script {
    match engine.compile(SOURCE) {
        Ok(tree) => resolve::script(&tree, SOURCE),
        Err(_) => Script::default(),
    }
}

/// The declaration of a function that calls a closure.
#[derive(Debug)]
pub struct ClosureFunction {
    /// The name in scripts.
    pub name: String,
    /// The names of the parameters and the types they accept.
    pub parameters: Vec<(String, Types)>,
    /// The types of its result.
    pub result: Types,
    /// What it does besides calling the closure.
    pub does: SideEffects,
    /// Whether it changes the list that it is called on.
    pub changes_receiver: bool,
    /// The doc comment.
    pub page: String,
}

static FUNCTIONS: LazyLock<Vec<ClosureFunction>> = LazyLock::new(|| {
    let script = script(&parser::engine());
    let declaration = |function: &crate::script::syntax::Function| {
        let name = function.name.strip_prefix(CHANGES);
        let changes_receiver = name.is_some();
        let name = name.unwrap_or(&function.name).to_owned();
        let parameter = |name: &crate::value::Text| (name.to_string(), parameter_types(name));
        let line = |line: &str| {
            let line = line.trim_start_matches('/');
            line.strip_prefix(' ').unwrap_or(line).to_owned()
        };
        let page: Vec<String> = function.comment.lines().map(line).collect();
        ClosureFunction {
            result: result_types(&name),
            does: if name.starts_with("choose") {
                SideEffects::ASKS
            } else if name.starts_with("create") {
                SideEffects::CHANGES
            } else {
                SideEffects::LANGUAGE
            },
            name,
            parameters: function.parameters.iter().map(parameter).collect(),
            changes_receiver,
            page: page.join("\n"),
        }
    };
    script.functions.iter().map(declaration).collect()
});

fn parameter_types(name: &str) -> Types {
    match name {
        "list" | "other" => Types::LIST,
        "start" => Types::ANY,
        "seat" | "here" | "from" | "to" => Types::OBJECT,
        "text" | "kind" => Types::TEXT,
        "zone" => Types::ZONE,
        "min" | "max" => Types::NUMBER,
        _ => Types::FUNCTION,
    }
}

fn result_types(name: &str) -> Types {
    match name {
        "filter" | "map" | "zip" | "order" | "order_by" | "drain" | "retain" | "choose_some"
        | "highest" | "lowest" | "create_all" | "neighbours" | "steps_toward" => Types::LIST,
        "some" | "all" => Types::BOOL,
        "index_of" | "distance" | "sum_of" => Types::NUMBER,
        "for_each" | "sort" | "sort_by" => Types::NOTHING,
        _ => Types::ANY,
    }
}

/// The declarations of the functions.
pub fn all() -> &'static [ClosureFunction] {
    &FUNCTIONS
}

/// Whether a function with this name and number of arguments takes a closure.
pub fn takes_closure(name: &str, count: usize) -> bool {
    let mut all = all().iter();
    all.any(|function| function.name == name && function.parameters.len() == count)
}
