//! For authors: scenario tests and what they compare; schemas for editors; new packs.

pub mod case;
mod given;
mod look;
pub mod new;
pub mod schema;
pub mod snapshot;
pub mod test;
