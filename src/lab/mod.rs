//! The laboratory: many games at once, and what they come to. Nothing here prints.

mod holds;
mod profile;
mod simulate;

pub use holds::{Broken, holds};
pub use profile::{Profile, Spent};
pub use simulate::{Plan, Sum, profile, simulate};
