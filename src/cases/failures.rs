//! Failures of a case, each with the line of the expectation.

use crate::diagnostic::{Diagnostic, Files, RenderStyle, Span, render, sanitize};

/// A failure of a case.
#[derive(Clone, Debug)]
pub enum CaseFailure {
    /// A problem of the file.
    Diagnostic(Box<Diagnostic>),
    /// A failure with the line that it contradicts.
    At(Span, String),
    /// A failure without a line.
    Text(String),
}

impl CaseFailure {
    /// The failure as text.
    #[must_use]
    pub fn text(&self, files: &Files) -> String {
        match self {
            CaseFailure::Diagnostic(diagnostic) => {
                render(files, diagnostic, RenderStyle::default())
            }
            CaseFailure::At(span, text) => format!("{}: {text}", location(files, *span)),
            CaseFailure::Text(text) => text.clone(),
        }
    }
}

/// The failures of a case so far.
pub(crate) struct CaseFailures<'f> {
    pub files: &'f Files,
    pub list: Vec<CaseFailure>,
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
        self.list.push(CaseFailure::Text(text.into()));
    }

    /// Adds a failure at the line of an expectation.
    pub fn at(&mut self, span: Span, text: impl Into<String>) {
        self.list.push(CaseFailure::At(span, text.into()));
    }

    /// The failures as texts.
    pub fn texts(&self) -> Vec<String> {
        self.list
            .iter()
            .map(|failure| failure.text(self.files))
            .collect()
    }
}

/// A source location that editors and terminals can open: `packs/a/tests/b.toml:12`.
fn location(files: &Files, span: Span) -> String {
    format!(
        "{}:{}",
        sanitize(files.name(span.file)).replace('\n', " "),
        files.line_col(span).0
    )
}

/// The message and the help of a diagnostic, without the location.
pub(crate) fn message(diagnostic: &Diagnostic) -> String {
    match &diagnostic.help {
        Some(help) => format!("{}; {help}", diagnostic.message),
        None => diagnostic.message.clone(),
    }
}
