//! For authors: scenario tests and what they compare.

pub mod case;
mod given;
mod look;
pub mod snapshot;
pub mod test;
