//! Simulation: many games in parallel, their statistics, invariants and profiles. Nothing here
//! prints.

mod holds;
mod profile;
mod simulate;

pub(crate) use holds::Violation;
pub use holds::check_invariants;
pub(crate) use profile::{HookTime, Profile};
pub(crate) use simulate::{SimulationPlan, SimulationReport, profile, simulate};
