//! How long a bot may think about an answer.

use std::rc::Rc;

use super::search::PLAYOUTS;

/// How long a bot may think about an answer.
#[derive(Clone)]
pub enum Budget {
    /// For so many playouts. The same game gets the same answers then.
    Playouts(usize),
    /// As long as a watch says, which is started for each answer.
    Watch(Rc<dyn Fn() -> Watch>),
}

/// How much of the time for an answer has gone by, in thousandths.
pub type Watch = Box<dyn Fn() -> usize>;

impl Default for Budget {
    fn default() -> Budget {
        Budget::Playouts(PLAYOUTS)
    }
}

/// What is left of a budget while an answer is thought about.
pub(super) enum Left {
    Playouts(usize),
    Watch(Watch),
}

impl Budget {
    /// Begins to think.
    pub(super) fn begin(&self) -> Left {
        match self {
            Budget::Playouts(all) => Left::Playouts(*all),
            Budget::Watch(start) => Left::Watch(start()),
        }
    }
}

impl Left {
    /// How much is used up after so many playouts, in thousandths.
    pub(super) fn used(&self, playouts: usize) -> usize {
        match self {
            Left::Playouts(all) => playouts
                .saturating_mul(1000)
                .checked_div(*all)
                .unwrap_or(1000),
            Left::Watch(watch) => watch(),
        }
    }
}
