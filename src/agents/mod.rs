//! Who decides: agents see a question and the game, and give an answer. Their randomness never touches the game's.

mod random;
mod table;

pub use random::Random;
pub use table::{Kind, Table};
