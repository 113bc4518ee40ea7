//! Starting a game anywhere, all outcomes of an entry, coverage, and differences between states.

pub mod case_coverage;
pub mod choices;
pub mod coverage;
pub mod outcomes;
pub mod start;
pub mod state_snapshot;
