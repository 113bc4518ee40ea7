//! For authors: scenario tests and what they compare, what entries can do, packs that change while they are played; schemas for editors.

pub mod at;
pub mod case;
mod given;
mod look;
pub mod outcomes;
pub mod reload;
pub mod schema;
pub mod snapshot;
pub mod standing;
pub mod test;
