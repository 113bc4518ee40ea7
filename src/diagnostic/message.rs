//! A diagnostic: what is wrong, where, how severe, how certain, and what to write instead.

use super::suggest::unknown_name;
use super::{Edit, Misspelling, Report, Span};

/// The severity, from the point of view of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The pack cannot be read or built.
    Fatal,
    /// Something in it does not work; most errors keep the pack from being played.
    Error,
    /// It works, but is probably not what the author meant.
    Warning,
    /// Only readers of the file would notice.
    Style,
}

impl Severity {
    /// Whether packs with it are rejected; other diagnostics are warnings.
    #[must_use]
    pub fn is_error(self) -> bool {
        matches!(self, Self::Fatal | Self::Error)
    }

    /// `error` or `warning`.
    #[must_use]
    pub fn word(self) -> &'static str {
        if self.is_error() { "error" } else { "warning" }
    }
}

/// How certain a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Confidence {
    /// Certain.
    Sure,
    /// The author almost certainly did not mean it.
    Likely,
    /// It may be a consequence of another error.
    Guess,
}

/// A source location with a note, which may be empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The source location.
    pub span: Span,
    /// The note.
    pub text: String,
}

/// A problem in a file. Created by [`Diagnostic::fatal`], [`error`](Diagnostic::error),
/// [`warning`](Diagnostic::warning), [`style`](Diagnostic::style) or
/// [`unknown`](Diagnostic::unknown).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// The kebab-case code: `unknown-entry`. Each has a page in `docs/checks`.
    pub code: &'static str,
    /// The severity.
    pub severity: Severity,
    /// How certain the check is.
    pub confidence: Confidence,
    /// What is wrong, in at most ten words and without a full stop.
    pub message: String,
    /// The source location, and why it is wrong.
    pub label: Label,
    /// Related source locations.
    pub also: Vec<Label>,
    /// What to write instead, for authors who are not programmers.
    pub help: Option<String>,
    /// Edits that fix the problem; empty if only the author can decide what to write.
    pub fixes: Vec<Edit>,
}

impl Diagnostic {
    fn at(
        span: Span,
        code: &'static str,
        severity: Severity,
        message: impl Into<String>,
    ) -> DiagnosticBuilder {
        let diagnostic = Self {
            code,
            severity,
            confidence: Confidence::Sure,
            message: message.into(),
            label: Label {
                span,
                text: String::new(),
            },
            also: Vec::new(),
            help: None,
            fixes: Vec::new(),
        };
        DiagnosticBuilder {
            diagnostic,
            near: None,
        }
    }

    /// An error that makes the pack unplayable.
    pub fn fatal(span: Span, code: &'static str, message: impl Into<String>) -> DiagnosticBuilder {
        Self::at(span, code, Severity::Fatal, message)
    }

    /// An error that makes the game behave differently than its files say.
    pub fn error(span: Span, code: &'static str, message: impl Into<String>) -> DiagnosticBuilder {
        Self::at(span, code, Severity::Error, message)
    }

    /// A warning about something that works but is probably not intended.
    pub fn warning(
        span: Span,
        code: &'static str,
        message: impl Into<String>,
    ) -> DiagnosticBuilder {
        Self::at(span, code, Severity::Warning, message)
    }

    /// A warning about style, which only readers of the file notice.
    pub fn style(span: Span, code: &'static str, message: impl Into<String>) -> DiagnosticBuilder {
        Self::at(span, code, Severity::Style, message)
    }

    /// An error about an unknown name: "unknown zone `hnad`". Follow it with
    /// [`did_you_mean`](DiagnosticBuilder::did_you_mean).
    pub fn unknown(span: Span, code: &'static str, what: &str, name: &str) -> DiagnosticBuilder {
        Self::error(span, code, unknown_name(what, name))
    }
}

/// A diagnostic under construction.
#[derive(Clone, Debug)]
#[must_use = "a diagnostic that is not pushed is lost"]
pub struct DiagnosticBuilder {
    diagnostic: Diagnostic,
    near: Option<String>,
}

impl DiagnosticBuilder {
    /// Sets the note at the source location.
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.diagnostic.label.text = text.into();
        self
    }

    /// Adds a related source location.
    pub fn related(mut self, span: Span, text: impl Into<String>) -> Self {
        self.diagnostic.also.push(Label {
            span,
            text: text.into(),
        });
        self
    }

    /// Suggests a known name instead of an unknown one, before any other help. If only one name is
    /// similar, and the unknown name is at the location of the diagnostic, the rename becomes a
    /// fix.
    pub fn did_you_mean<'a>(self, near: Option<impl Into<Misspelling<'a>>>) -> Self {
        let span = self.diagnostic.label.span;
        self.did_you_mean_at(near, span)
    }

    /// Like [`did_you_mean`](DiagnosticBuilder::did_you_mean), for a name at a different location
    /// than the diagnostic.
    pub fn did_you_mean_at<'a>(
        mut self,
        near: Option<impl Into<Misspelling<'a>>>,
        span: Span,
    ) -> Self {
        let Some(near) = near.map(Into::into) else {
            return self;
        };
        self.near = Some(format!("did you mean `{near}`?"));
        self.fix(near.edit(span))
    }

    /// Suggests the new name of something that was renamed; the rename becomes a fix.
    pub fn renamed(mut self, old: &str, new: Option<&str>) -> Self {
        let Some(new) = new else { return self };
        self.near = Some(format!("`{old}` is now `{new}`."));
        self.diagnostic.fixes.clear();
        let edit = Edit {
            span: self.diagnostic.label.span,
            old: old.to_owned(),
            new: new.to_owned(),
        };
        self.fix([edit])
    }

    /// Adds edits that fix the problem.
    pub fn fix(mut self, edits: impl IntoIterator<Item = Edit>) -> Self {
        self.diagnostic.fixes.extend(edits);
        self
    }

    /// Sets the help: what to write instead.
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.diagnostic.help = Some(text.into());
        self
    }

    /// Sets the help, if there is any.
    pub fn maybe_help(mut self, text: Option<String>) -> Self {
        self.diagnostic.help = text.or(self.diagnostic.help);
        self
    }

    /// Overrides the severity that the constructor set.
    pub fn severity(mut self, severity: Severity) -> Self {
        self.diagnostic.severity = severity;
        self
    }

    /// Sets how certain the check is.
    pub fn confidence(mut self, confidence: Confidence) -> Self {
        self.diagnostic.confidence = confidence;
        self
    }

    /// Finishes the diagnostic.
    #[must_use]
    pub fn build(self) -> Diagnostic {
        let Self {
            mut diagnostic,
            near,
        } = self;
        diagnostic.help = match (near, diagnostic.help) {
            (Some(near), Some(help)) => Some(format!("{near} {help}")),
            (near, help) => near.or(help),
        };
        // Fixing the original error may fix this one, too.
        if diagnostic.confidence == Confidence::Guess {
            diagnostic.fixes.clear();
        }
        diagnostic
    }

    /// Finishes the diagnostic and adds it to a report.
    pub fn push(self, report: &mut Report) {
        report.push(self);
    }
}

impl From<DiagnosticBuilder> for Diagnostic {
    fn from(builder: DiagnosticBuilder) -> Self {
        builder.build()
    }
}
