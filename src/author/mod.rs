//! For authors: new packs, scenario tests and what they compare, what entries can do, packs that change while they are played; schemas for
//! editors, and the reference to read.

pub mod at;
pub mod case;
mod checked;
mod compare;
pub mod coverage;
pub mod docs;
mod each;
mod failures;
pub mod given;
mod look;
pub mod new;
pub mod outcomes;
pub mod read;
pub mod record;
pub mod reload;
mod run;
pub mod schema;
pub mod snapshot;
pub mod standing;
pub mod test;
pub mod traced;
pub mod usual;
