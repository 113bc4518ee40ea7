//! What is wrong, where, and what to write instead: faults as collected values.
//!
//! No fault is printed where it arises. Checks push [`Diagnostic`]s into a [`Report`], front ends render them.
//! This room knows nothing of packs, scripts or games; it only knows texts and places in them.

mod clean;
mod diff;
mod edit;
mod fault;
mod files;
mod nearest;
mod render;
mod report;
mod window;

pub use clean::clean;
pub use diff::unified;
pub use edit::{Edit, Edited, edited};
pub use fault::{Builder, Confidence, Diagnostic, Label, Severity};
pub use files::{FileId, Files, Span};
pub use nearest::{Slip, nearest, slip};
pub use render::{Look, render, render_short};
pub use report::Report;
