//! For authors: scenario tests and what they compare.

pub mod case;
pub mod check;
mod given;
mod look;
pub mod snapshot;
pub mod test;
