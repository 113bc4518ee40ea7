//! Tools for pack authors: scaffolding, test cases and coverage, outcomes of entries, live reload, schemas for editors and the
//! generated reference.

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
