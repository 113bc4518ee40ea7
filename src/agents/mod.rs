//! Agents: bots that answer questions. Their randomness is independent of the game's.

mod budget;
mod determinize;
pub(crate) mod greedy;
pub mod odds;
mod player;
mod random;
pub mod search;
mod table;

pub use budget::Budget;
pub use determinize::determinized;
pub use player::{Player, setup_for};
pub use random::RandomPlayer;
pub use table::{AgentTable, AnswerLimit, InlineBots, PlayerKind};
