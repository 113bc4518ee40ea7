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
pub use player::{Player, seated};
pub use random::Random;
pub use table::{Kind, Table};
pub use world::world;
