//! What is wrong with a case, each thing with the line of the file that says what was wanted.

use crate::diagnostic::{Diagnostic, Files, Span, clean};

/// What is wrong so far.
pub(super) struct Failures<'f> {
    pub files: &'f Files,
    pub list: Vec<String>,
}

impl<'f> Failures<'f> {
    pub fn new(files: &'f Files) -> Self {
        Self {
            files,
            list: Vec::new(),
        }
    }

    /// Something is wrong, whatever the line.
    pub fn push(&mut self, text: impl Into<String>) {
        self.list.push(text.into());
    }

    /// Something is not as this line says.
    pub fn at(&mut self, span: Span, text: impl AsRef<str>) {
        self.list
            .push(format!("{}: {}", place(self.files, span), text.as_ref()));
    }
}

/// A place as editors and terminals find it: `packs/a/tests/b.toml:12`.
pub(super) fn place(files: &Files, span: Span) -> String {
    format!(
        "{}:{}",
        clean(files.name(span.file)).replace('\n', " "),
        files.line_col(span).0
    )
}

/// What a fault says without its place, and what helps.
pub(super) fn words(fault: &Diagnostic) -> String {
    match &fault.help {
        Some(help) => format!("{}; {help}", fault.message),
        None => fault.message.clone(),
    }
}
