//! What is wrong, where, and what to write instead: diagnostics as values.
//!
//! Nothing is printed where it is found. Checks push [`Diagnostic`]s into a [`Report`], and front ends render them. Every
//! diagnostic is made in the same way, and most unknown names through [`Diagnostic::unknown`]:
//!
//! ```ignore
//! Diagnostic::wrong(span, "out-of-range", format!("`{name}` cannot be {number}"))
//!     .label("should be from 1 to 8")
//!     .help("write a number from 1 to 8")
//!     .push(report);
//! ```
//!
//! The message says what is wrong in at most ten words; label and help give the reason and the remedy. This module knows
//! nothing of packs, scripts or games, only texts and places in them.

mod clean;
mod diff;
mod edit;
mod fault;
mod files;
mod nearest;
mod render;
mod report;
mod window;

pub use clean::sanitize;
pub use diff::unified_diff;
pub use edit::{Edit, EditResult, apply_edits};
pub use fault::{Confidence, Diagnostic, DiagnosticBuilder, Label, Severity};
pub use files::{FileId, Files, Span};
pub use nearest::{Misspelling, find_misspelling, nearest};
pub(crate) use nearest::{suggestion, unknown_name};
pub use render::{RenderStyle, render, render_short};
pub use report::Report;
