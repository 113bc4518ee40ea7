//! Simulation: many games in parallel, their statistics, invariants and profiles. Nothing here
//! prints.

mod invariants;
mod profile;
mod simulate;

pub(crate) use invariants::Violation;
pub use invariants::check_invariants;
pub(crate) use profile::{HookTime, Profile};
pub(crate) use simulate::{SimulationPlan, SimulationReport, play_one, profile, simulate};
