//! Simulation: many games in parallel, their statistics, invariants and profiles. Nothing here
//! prints.

mod holds;
mod profile;
mod simulate;

pub(crate) use holds::Broken;
pub use holds::holds;
pub(crate) use profile::{Profile, Spent};
pub(crate) use simulate::{Plan, Sum, profile, simulate};
