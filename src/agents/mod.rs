//! Who decides: agents see a question and the game, and give an answer. Their randomness never touches the game's.

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
