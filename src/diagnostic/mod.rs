//! Diagnostics: what is wrong, where, and what to write instead.
//!
//! Nothing is printed where a problem is found. Checks push [`Diagnostic`]s into a [`Report`], and
//! front ends render them. Every diagnostic is created in the same way, and those for unknown names
//! mostly through [`Diagnostic::unknown`]:
//!
//! ```ignore
//! Diagnostic::error(span, "out-of-range", format!("`{name}` cannot be {number}"))
//!     .label("should be from 1 to 8")
//!     .help("write a number from 1 to 8")
//!     .push(report);
//! ```
//!
//! The message says what is wrong in at most ten words; label and help give the reason and the
//! remedy. This module knows nothing about packs, scripts or games, only about texts and locations.

mod diff;
mod edit;
mod excerpt;
mod files;
mod message;
mod render;
mod report;
mod sanitize;
mod suggest;

pub use diff::unified_diff;
pub use edit::{Edit, EditResult, apply_edits};
pub use files::{FileId, Files, Span};
pub use message::{Confidence, Diagnostic, DiagnosticBuilder, Label, Severity};
pub use render::{RenderStyle, render, render_short};
pub use report::Report;
pub use sanitize::{sanitize, sanitize_same_length};
pub use suggest::{Misspelling, find_misspelling, nearest};
pub(crate) use suggest::{suggestion, unknown_name};
