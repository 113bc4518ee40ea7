//! Scenario tests of packs: parsing, running, comparing and recording cases.

pub mod case;
mod compare;
mod diagnostics;
pub(crate) mod failures;
mod inspect;
pub mod parse;
pub mod record;
mod rows;
pub(crate) mod run;
pub mod runner;
pub mod setup;
pub mod snapshot;
