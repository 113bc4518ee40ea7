//! The laboratory: many games at once, and what they come to. Nothing here prints.

mod simulate;

pub use simulate::{Plan, Sum, simulate};
