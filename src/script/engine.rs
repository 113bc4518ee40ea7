//! The engine behind scripts: what it can do, and how much of it.

use rhai::packages::{
    ArithmeticPackage, BasicArrayPackage, BasicFnPackage, BasicIteratorPackage, BasicMapPackage,
    BasicStringPackage, LogicPackage, MoreStringPackage, Package,
};
use rhai::{Engine, Module, OptimizationLevel, Shared};

use super::api;
use crate::game::cx::MAX_WORK;

/// How many functions of packs may call each other.
pub const MAX_LEVELS: usize = 32;
/// How long a list may become.
pub const MAX_LIST: usize = 2_000;
/// How many keys a map may have.
pub const MAX_MAP: usize = 500;
/// How long a text may become, in bytes.
pub const MAX_TEXT: usize = 8_192;

thread_local! {
    /// The words of the engine and of the packages, built once a thread and shared by all engines.
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

/// Every module of natives, for checks that want to know what exists.
pub fn natives() -> Vec<Shared<Module>> {
    MODULES.with(Clone::clone)
}

/// An engine for scripts of strangers: no file, clock, process or `eval`, and a limit for everything.
pub fn engine() -> Engine {
    let mut engine = Engine::new_raw();
    for module in natives() {
        engine.register_global_module(module);
    }
    // Rhai's optimiser takes out what does nothing, which the checks want to see, and has taken out more than that before.
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
    free_words(&mut engine);
    for symbol in DISABLED {
        engine.disable_symbol(*symbol);
    }
    engine
}

/// Words of the language that scripts do not have.
pub const DISABLED: &[&str] = &["eval", "import", "export", "print", "debug"];

/// Words the language keeps for itself without needing them, and cards do.
const FREE: &[&str] = &[
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

/// Lets `until` and other kept words be plain names, as in `#{ until: "fight_end" }`; `do … until` is not worth a word.
#[allow(
    deprecated,
    reason = "volatile, not going away; the version of rhai is pinned"
)]
fn free_words(engine: &mut Engine) {
    engine.on_parse_token(|token, _, _| match token {
        rhai::Token::Until => rhai::Token::Identifier(Box::new("until".into())),
        rhai::Token::Reserved(word) if FREE.contains(&word.as_str()) => {
            rhai::Token::Identifier(word)
        }
        token => token,
    });
}
