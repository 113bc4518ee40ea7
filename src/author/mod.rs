//! For authors: scenario tests and what they compare; schemas for editors.

pub mod case;
mod given;
mod look;
pub mod schema;
pub mod snapshot;
pub mod test;
