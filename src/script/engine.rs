//! Configuration of Rhai: available functions, limits and reserved words.

use rhai::packages::{
    ArithmeticPackage, BasicArrayPackage, BasicFnPackage, BasicIteratorPackage, BasicMapPackage,
    BasicStringPackage, LogicPackage, MoreStringPackage, Package,
};
use rhai::{Engine, Module, OptimizationLevel, Shared};

use super::api;
use crate::game::context::MAX_WORK;

/// The maximum depth of nested calls of pack functions.
pub const MAX_LEVELS: usize = 32;
/// The maximum length of a list.
pub const MAX_LIST: usize = 2_000;
/// The maximum number of keys in a map.
pub const MAX_MAP: usize = 500;
/// The maximum length of a text, in bytes.
pub const MAX_TEXT: usize = 8_192;

thread_local! {
    /// Functions of the engine and of Rhai's packages, built once per thread and shared by all
    /// engines.
    static MODULES: Vec<Shared<Module>> = modules();
}

fn modules() -> Vec<Shared<Module>> {
    vec![
        ArithmeticPackage::new().as_shared_module(),
        LogicPackage::new().as_shared_module(),
        BasicIteratorPackage::new().as_shared_module(),
        BasicStringPackage::new().as_shared_module(),
        MoreStringPackage::new().as_shared_module(),
        BasicArrayPackage::new().as_shared_module(),
        BasicMapPackage::new().as_shared_module(),
        BasicFnPackage::new().as_shared_module(),
        api::library(),
    ]
}

/// Every module of native functions, for lints.
pub fn natives() -> Vec<Shared<Module>> {
    MODULES.with(Clone::clone)
}

/// A sandboxed engine for untrusted scripts: no files, clock, processes or `eval`, and limits on
/// everything.
pub fn engine() -> Engine {
    let mut engine = Engine::new_raw();
    for module in natives() {
        engine.register_global_module(module);
    }
    // Rhai's optimizer removes code without effect, which lints need to see. It has also removed
    // live code before.
    engine.set_optimization_level(OptimizationLevel::None);
    engine.set_max_operations(MAX_WORK);
    engine.set_max_call_levels(MAX_LEVELS);
    engine.set_max_expr_depths(64, 64);
    engine.set_max_string_size(MAX_TEXT);
    engine.set_max_array_size(MAX_LIST);
    engine.set_max_map_size(MAX_MAP);
    engine.set_max_variables(256);
    engine.set_max_functions(500);
    engine.set_max_modules(0);
    engine.set_fail_on_invalid_map_property(true);
    unreserve(&mut engine);
    for symbol in DISABLED {
        engine.disable_symbol(*symbol);
    }
    engine
}

/// Functions and keywords of Rhai that scripts may not use.
pub const DISABLED: &[&str] = &["eval", "import", "export", "print", "debug"];

/// Words that Rhai reserves but does not use: packs may use them as names.
const UNRESERVED: &[&str] = &[
    "with",
    "is",
    "go",
    "use",
    "new",
    "case",
    "match",
    "default",
    "exit",
    "shared",
    "spawn",
    "thread",
    "yield",
    "sync",
    "static",
    "public",
    "protected",
    "package",
    "module",
    "super",
    "var",
    "goto",
    "void",
    "null",
    "nil",
    "await",
    "async",
];

/// Allows `until` and other reserved words as names, as in `#{ until: "fight_end" }`. This makes
/// `do … until` unavailable.
#[allow(
    deprecated,
    reason = "volatile, not going away; the version of rhai is pinned"
)]
fn unreserve(engine: &mut Engine) {
    engine.on_parse_token(|token, _, _| match token {
        rhai::Token::Until => rhai::Token::Identifier(Box::new("until".into())),
        rhai::Token::Reserved(word) if UNRESERVED.contains(&word.as_str()) => {
            rhai::Token::Identifier(word)
        }
        token => token,
    });
}
