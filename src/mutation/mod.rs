//! Mutation testing: breaks a pack in one place at a time, and finds out whether its cases notice.
//!
//! [`MutationPlan::new`] finds all places (`script_sites`, `toml_sites`) and draws from them in
//! a random order. [`run`] changes one file in memory for each mutant and runs the cases that reach
//! the place, the quickest ones first, until one fails. Texts that players read stay as they are.

mod baseline;
mod brackets;
mod declarations;
mod game_words;
mod mutant;
mod plan;
mod run;
mod script_sites;
mod site;
mod toml_sites;

pub use mutant::{Mutant, MutantDiff};
pub use plan::MutationPlan;
pub use run::{MutantFate, MutantResult, MutationRequest, MutationRun, StaleDeclaration, run};
pub use site::MutationKind;
