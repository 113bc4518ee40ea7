//! Kaer: a small native engine that knows cards, places, counters, dice, turns and fights, but no
//! particular game.
//!
//! Rules and cards live in packs. `docs/architecture.md` is a map of the modules.

pub mod agents;
pub mod cases;
pub mod check;
pub mod cli;
pub mod content;
pub mod diagnostic;
pub mod docs;
pub mod explore;
pub mod game;
pub mod library;
pub mod migrate;
mod number;
pub mod pack;
pub mod reload;
pub mod saves;
pub mod scaffold;
pub mod schema;
pub mod script;
pub mod session;
pub mod simulation;
