//! The script host: the only module that depends on Rhai.
//!
//! It compiles and lints every script of the content once, and runs hooks for the game. The game
//! state never contains Rhai values.

mod api;
mod compile;
mod convert;
mod definitions;
mod direct;
mod engine;
mod evaluate;
mod fault;
mod functions;
mod host;
mod lint;
mod lower;
mod lowered;
mod plain;
mod property_names;
mod reference;
mod run;
mod trace;
mod tree;
mod types;
mod visible;

pub use compile::{LintLevel, Scripts};
pub use definitions::definitions;
pub use reference::{EXAMPLE_GAME, Example, Primitive, primitives};
pub use run::ScriptRunner;
pub use trace::{ScriptId, StatementLocation, Trace};
