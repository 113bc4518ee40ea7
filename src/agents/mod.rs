//! Agents: bots that answer questions. Their randomness is independent of the game's.

mod budget;
pub(crate) mod greedy;
pub mod odds;
mod player;
mod random;
pub mod search;
mod table;
mod world;

pub use budget::Budget;
pub use player::{Player, setup_for};
pub use random::RandomPlayer;
pub use table::{AgentTable, PlayerKind};
pub use world::determinized;
