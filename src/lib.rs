//! Kaer: a small native engine that knows cards, places, counters, dice, turns and fights, but no
//! particular game.
//!
//! Rules and cards live in packs. `docs/architecture.md` is a map of the modules.

pub mod agents;
pub mod author;
pub mod check;
pub mod cli;
pub mod content;
pub mod diagnostic;
pub mod game;
pub mod lab;
pub mod migrate;
mod number;
pub mod pack;
pub mod saves;
pub mod script;
pub mod session;
pub mod shelf;
