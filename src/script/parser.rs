//! Parses scripts with Rhai, which only ever parses: it knows no functions and runs nothing.

use rhai::{Engine, OptimizationLevel};

/// A parser for untrusted scripts.
pub fn engine() -> Engine {
    let mut engine = Engine::new_raw();
    // Rhai's optimizer removes code without effect, which lints need to see. It has also removed
    // live code before.
    engine.set_optimization_level(OptimizationLevel::None);
    engine.set_max_expr_depths(64, 64);
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
