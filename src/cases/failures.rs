//! Failures of a case, each with the line of the expectation.

use crate::diagnostic::{Diagnostic, Files, Span, sanitize};

/// The failures of a case so far.
pub(crate) struct CaseFailures<'f> {
    pub files: &'f Files,
    pub list: Vec<String>,
}

impl<'f> CaseFailures<'f> {
    pub fn new(files: &'f Files) -> Self {
        Self {
            files,
            list: Vec::new(),
        }
    }

    /// Adds a failure without a line.
    pub fn push(&mut self, text: impl Into<String>) {
        self.list.push(text.into());
    }

    /// Adds a failure at the line of an expectation.
    pub fn at(&mut self, span: Span, text: impl AsRef<str>) {
        self.list
            .push(format!("{}: {}", place(self.files, span), text.as_ref()));
    }
}

/// A source location that editors and terminals can open: `packs/a/tests/b.toml:12`.
pub(crate) fn place(files: &Files, span: Span) -> String {
    format!(
        "{}:{}",
        sanitize(files.name(span.file)).replace('\n', " "),
        files.line_col(span).0
    )
}

/// The message and the help of a diagnostic, without the location.
pub(crate) fn message(fault: &Diagnostic) -> String {
    match &fault.help {
        Some(help) => format!("{}; {help}", fault.message),
        None => fault.message.clone(),
    }
}
