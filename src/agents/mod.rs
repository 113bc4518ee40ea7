//! Who decides: agents see a question and the game, and give an answer. Their randomness never touches the game's.

pub mod greedy;
mod random;
mod table;

pub use random::Random;
pub use table::{Kind, Table};
