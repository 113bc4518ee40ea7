//! The script host: the only room that knows Rhai.
//!
//! It compiles every script of the content once, checks the names it uses, and runs hooks for the game. Nothing of Rhai's
//! ever lies in the state.

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
mod reference;
mod run;
mod trace;
mod tree;
mod types;
mod visible;
mod words;

pub use compile::{Care, Scripts};
pub use definitions::definitions;
pub use reference::{EXAMPLE_GAME, Example, Primitive, primitives};
pub use run::Interpreted;
pub use trace::{In, Spot, Trace};
