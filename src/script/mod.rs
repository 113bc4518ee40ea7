//! The script host: the only module that depends on Rhai.
//!
//! It compiles and lints every script of the content once, and runs hooks for the game. The game
//! state never contains Rhai values.

mod arithmetic;
mod bytecode;
mod codegen;
mod compile;
mod definitions;
mod fault;
mod foreign_syntax;
mod foreign_words;
mod functions;
mod inputs;
mod lint;
mod loose_tokens;
mod memo;
mod operators;
mod outline;
mod parse_error_help;
mod parser;
pub mod primitive;
mod primitives;
mod program;
mod property;
mod reference;
mod resolve;
#[cfg(feature = "reference")]
mod rhai_runner;
mod run;
mod syntax;
mod syntax_help;
mod trace;
mod visible;
mod vm;

pub use compile::{LintLevel, Scripts};
pub use definitions::definitions;
pub use outline::{OutlinedCall, ScriptOutline, outline_file, outline_hook};
pub use primitive::SideEffects;
pub(crate) use primitives::only_shows_text;
pub use reference::{EXAMPLE_GAME, Example, Primitive, names_in_arguments, primitives};
#[cfg(feature = "reference")]
pub use rhai_runner::RhaiRunner;
pub use trace::{ScriptId, StatementLocation, Trace};
