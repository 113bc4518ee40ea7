//! Scenario tests of packs: parsing, running, comparing and recording cases.

pub mod case;
mod compare;
pub(crate) mod diagnostics;
pub(crate) mod failures;
mod inspect;
mod keys;
pub mod parse;
pub mod record;
mod rows;
pub(crate) mod run;
pub mod runner;
pub mod setup;
pub mod snapshot;
mod static_check;
pub(crate) mod trial;

pub use static_check::check;
