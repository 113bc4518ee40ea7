//! Who decides: agents see a question and the game, and give an answer. Their randomness never touches the game's.

pub mod greedy;
mod player;
mod random;
mod table;

pub use player::{Player, seated};
pub use random::Random;
pub use table::{Kind, Table};
