//! Search budgets.

use std::rc::Rc;

use super::search::PLAYOUTS;

/// The search budget of a bot for one answer.
#[derive(Clone)]
pub enum Budget {
    /// A number of playouts, which makes the answers reproducible.
    Playouts(usize),
    /// A time limit. The function starts a stopwatch for each answer.
    Watch(Rc<dyn Fn() -> Stopwatch>),
}

/// Returns the share of the time limit that has passed, in thousandths.
pub type Stopwatch = Box<dyn Fn() -> usize>;

impl Default for Budget {
    fn default() -> Budget {
        Budget::Playouts(PLAYOUTS)
    }
}

/// The budget of a search in progress.
pub(super) enum RemainingBudget {
    Playouts(usize),
    Watch(Stopwatch),
}

impl Budget {
    /// Starts the budget for one answer.
    pub(super) fn begin(&self) -> RemainingBudget {
        match self {
            Budget::Playouts(all) => RemainingBudget::Playouts(*all),
            Budget::Watch(start) => RemainingBudget::Watch(start()),
        }
    }
}

impl RemainingBudget {
    /// The share of the budget that is used after a number of playouts, in thousandths.
    pub(super) fn used(&self, playouts: usize) -> usize {
        match self {
            RemainingBudget::Playouts(all) => playouts
                .saturating_mul(1000)
                .checked_div(*all)
                .unwrap_or(1000),
            RemainingBudget::Watch(watch) => watch(),
        }
    }
}
