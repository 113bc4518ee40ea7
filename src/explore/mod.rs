//! Starts games at any entry, explores all outcomes of an entry, measures coverage, compares
//! states.

pub mod case_coverage;
pub mod choices;
pub mod coverage;
mod flags;
pub mod outcomes;
pub mod start;
pub mod state_snapshot;
