//! The laboratory: many games at once, and what they come to. Nothing here prints.

mod holds;
mod profile;
mod simulate;

pub(crate) use holds::Broken;
pub use holds::holds;
pub(crate) use profile::{Profile, Spent};
pub(crate) use simulate::{Plan, Sum, profile, simulate};
