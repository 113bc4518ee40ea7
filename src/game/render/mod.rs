//! Everything players read: log lines, prompts, options and names.
//!
//! The log has two forms. Players read [`entries`]: sentences without bookkeeping, each for one or
//! more lines. `--verbose`, cases of packs and records use [`log_line::render_verbose`]: every line
//! as it was logged. All engine sentences are in `catalogue`; names and titles come from
//! packs.

pub(crate) mod catalogue;
mod contributions;
mod counters;
pub mod decision;
mod detail;
mod draws;
pub mod grammar;
mod grouping;
pub mod log_line;
mod movement;
pub mod names;
mod sentence;
mod verbose;

pub(crate) use contributions::list_contributions;
pub(crate) use counters::{CounterChange, describe_changes};
pub use detail::{LogDetail, entries, last_entries};
pub use grouping::LogSentence;
