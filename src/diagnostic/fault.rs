//! One fault: what is wrong, where, how bad, how sure, and what to write instead.

use super::{Edit, Report, Slip, Span};

/// What a player would notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The pack cannot be played.
    Crash,
    /// The game goes on, but something in it is not what the author wrote.
    Wrong,
    /// Probably not what was meant, but it works.
    Odd,
    /// Nobody but a reader of the file would notice.
    Untidy,
}

impl Severity {
    /// Whether it makes a pack unsound. The others are warnings.
    #[must_use]
    pub fn is_error(self) -> bool {
        matches!(self, Self::Crash | Self::Wrong)
    }

    /// `error` or `warning`.
    #[must_use]
    pub fn word(self) -> &'static str {
        if self.is_error() { "error" } else { "warning" }
    }
}

/// How sure the check is that this is a fault at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Confidence {
    /// There is no doubt.
    Sure,
    /// It would be strange if it were meant.
    Likely,
    /// It may well be the consequence of another fault.
    Guess,
}

/// A place with a few words about it; the words may be empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What is to be seen there.
    pub text: String,
}

/// A fault. Made by [`Diagnostic::at`] only, which asks for the place first.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// The kebab-case name of the fault, as in "allow unknown-entry".
    pub code: &'static str,
    /// What a player would notice.
    pub severity: Severity,
    /// How sure the check is.
    pub confidence: Confidence,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// Where it is wrong.
    pub label: Label,
    /// Other places that have to do with it.
    pub also: Vec<Label>,
    /// What to write instead, for an author who is not a programmer.
    pub help: Option<String>,
    /// What a machine may change to mend it; nothing where only its author can know.
    pub fixes: Vec<Edit>,
}

impl Diagnostic {
    /// Begins a diagnostic at a place; without one there is none.
    pub fn at(
        span: Span,
        code: &'static str,
        severity: Severity,
        message: impl Into<String>,
    ) -> Builder {
        let fault = Self {
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
        Builder { fault, near: None }
    }

    /// A fault that makes the pack unplayable.
    pub fn crash(span: Span, code: &'static str, message: impl Into<String>) -> Builder {
        Self::at(span, code, Severity::Crash, message)
    }

    /// A fault that makes the game wrong.
    pub fn wrong(span: Span, code: &'static str, message: impl Into<String>) -> Builder {
        Self::at(span, code, Severity::Wrong, message)
    }

    /// Something that works but is probably not meant.
    pub fn odd(span: Span, code: &'static str, message: impl Into<String>) -> Builder {
        Self::at(span, code, Severity::Odd, message)
    }

    /// Something that only readers of the file notice.
    pub fn untidy(span: Span, code: &'static str, message: impl Into<String>) -> Builder {
        Self::at(span, code, Severity::Untidy, message)
    }
}

/// A diagnostic to which more may be added.
#[derive(Clone, Debug)]
#[must_use = "a diagnostic that is not pushed is lost"]
pub struct Builder {
    fault: Diagnostic,
    near: Option<String>,
}

impl Builder {
    /// Words beside the place.
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.fault.label.text = text.into();
        self
    }

    /// Another place that has to do with it.
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.fault.also.push(Label {
            span,
            text: text.into(),
        });
        self
    }

    /// A known word that is near to an unknown one; it comes before the other help. A slip without doubt, written where
    /// the fault lies, is mended by a rename.
    pub fn did_you_mean<'a>(self, near: Option<impl Into<Slip<'a>>>) -> Self {
        let span = self.fault.label.span;
        self.did_you_mean_at(near, span)
    }

    /// The same for a word that was written in another place than the one that is shown.
    pub fn did_you_mean_at<'a>(mut self, near: Option<impl Into<Slip<'a>>>, span: Span) -> Self {
        let Some(near) = near.map(Into::into) else {
            return self;
        };
        self.near = Some(format!("did you mean `{near}`?"));
        self.fix(near.edit(span))
    }

    /// What an old name is called now, where it was renamed; the rename is a fix.
    pub fn renamed(mut self, old: &str, new: Option<&str>) -> Self {
        let Some(new) = new else { return self };
        self.near = Some(format!("`{old}` is now `{new}`."));
        self.fault.fixes.clear();
        let edit = Edit {
            span: self.fault.label.span,
            old: old.to_owned(),
            new: new.to_owned(),
        };
        self.fix([edit])
    }

    /// Changes that mend it.
    pub fn fix(mut self, edits: impl IntoIterator<Item = Edit>) -> Self {
        self.fault.fixes.extend(edits);
        self
    }

    /// What to write instead.
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.fault.help = Some(text.into());
        self
    }

    /// What to write instead, if anything is known.
    pub fn maybe_help(mut self, text: Option<String>) -> Self {
        self.fault.help = text.or(self.fault.help);
        self
    }

    /// How sure the check is, when it is not sure.
    pub fn confidence(mut self, confidence: Confidence) -> Self {
        self.fault.confidence = confidence;
        self
    }

    /// The finished diagnostic.
    #[must_use]
    pub fn build(self) -> Diagnostic {
        let Self { mut fault, near } = self;
        fault.help = match (near, fault.help) {
            (Some(near), Some(help)) => Some(format!("{near} {help}")),
            (near, help) => near.or(help),
        };
        // What may be the consequence of another fault is mended with that one.
        if fault.confidence == Confidence::Guess {
            fault.fixes.clear();
        }
        fault
    }

    /// Puts the finished diagnostic into a report.
    pub fn push(self, report: &mut Report) {
        report.push(self);
    }
}

impl From<Builder> for Diagnostic {
    fn from(builder: Builder) -> Self {
        builder.build()
    }
}
