//! Kaer: a small native engine for board games. It knows cards, places, counters, dice, turns and
//! fights, but no particular game.
//!
//! Rules and cards are in packs. `docs/architecture.md` gives an overview of the modules.

pub mod agents;
pub mod cases;
pub mod check;
pub mod cli;
pub mod content;
pub mod diagnostic;
pub mod docs;
pub mod explore;
pub mod game;
mod lexer;
pub mod library;
pub mod migrate;
pub mod mutation;
pub mod number;
pub mod pack;
pub mod reload;
pub mod saves;
pub mod scaffold;
pub mod schema;
pub mod script;
pub mod session;
pub mod simulation;
pub mod value;
