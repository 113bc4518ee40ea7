//! For authors: scenario tests and what they compare; schemas for editors.

pub mod case;
mod checked;
mod compare;
mod each;
mod failures;
pub mod given;
mod look;
pub mod read;
pub mod record;
mod run;
pub mod schema;
pub mod snapshot;
pub mod test;
