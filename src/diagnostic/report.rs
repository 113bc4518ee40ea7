//! A list of diagnostics.

use super::{Confidence, Diagnostic, Files, Label, Span};

/// The maximum number of diagnostics to keep. A hostile pack may have an error in every line;
/// further ones are only counted.
const MAX_DIAGNOSTICS: usize = 5_000;

/// All diagnostics found so far.
#[derive(Clone, Debug, Default)]
pub struct Report {
    list: Vec<Diagnostic>,
    left_off: usize,
    left_off_errors: usize,
}

impl Report {
    /// An empty report.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a diagnostic.
    pub fn push(&mut self, diagnostic: impl Into<Diagnostic>) {
        let diagnostic = diagnostic.into();
        if self.list.len() < MAX_DIAGNOSTICS {
            self.list.push(diagnostic);
        } else {
            self.left_off += 1;
            self.left_off_errors += usize::from(diagnostic.severity.is_error());
        }
    }

    /// The diagnostics that make a pack unusable.
    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter().filter(|d| d.severity.is_error())
    }

    /// The other diagnostics.
    pub fn warnings(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter().filter(|d| !d.severity.is_error())
    }

    /// All diagnostics, in the order they were found or [sorted](Report::sort).
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.list.iter()
    }

    /// Whether there are no errors; there may be warnings.
    #[must_use]
    pub fn has_no_errors(&self) -> bool {
        self.left_off_errors == 0 && self.errors().next().is_none()
    }

    /// Whether there are neither errors nor warnings.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The number of diagnostics, without the [omitted](Report::omitted) ones.
    #[must_use]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// The number of diagnostics that were only counted, because there were too many.
    #[must_use]
    pub fn omitted(&self) -> usize {
        self.left_off
    }

    /// Keeps the diagnostics that meet a condition.
    pub fn retain(&mut self, keep: impl FnMut(&Diagnostic) -> bool) {
        self.list.retain(keep);
    }

    /// Adds a related location to all diagnostics from a position on.
    pub fn add_related_since(&mut self, from: usize, span: Span, text: &str) {
        let label = || Label {
            span,
            text: text.to_owned(),
        };
        for diagnostic in self.list.iter_mut().skip(from) {
            diagnostic.also.push(label());
        }
    }

    /// Marks all diagnostics as possible consequences of another error.
    pub fn downgrade_to_guesses(&mut self) {
        self.downgrade_to_guesses_if(|_| true);
    }

    /// Marks some diagnostics as possible consequences of another error.
    pub fn downgrade_to_guesses_if(&mut self, is_doubtful: impl Fn(&Diagnostic) -> bool) {
        for diagnostic in self
            .list
            .iter_mut()
            .filter(|diagnostic| is_doubtful(diagnostic))
        {
            diagnostic.confidence = Confidence::Guess;
            diagnostic.fixes.clear();
        }
    }

    /// Sorts by file name, location and code, and removes duplicates, so that equal packs have
    /// equal reports.
    pub fn sort(&mut self, files: &Files) {
        let name = |diagnostic: &Diagnostic| files.name(diagnostic.label.span.file);
        self.list.sort_by(|a, b| {
            let place = a.label.span.cmp(&b.label.span);
            name(a)
                .cmp(name(b))
                .then(place)
                .then_with(|| a.code.cmp(b.code))
        });
        self.list.dedup();
    }

    /// Moves everything from another report into this one.
    pub fn extend(&mut self, other: Self) {
        self.left_off += other.left_off;
        self.left_off_errors += other.left_off_errors;
        other
            .list
            .into_iter()
            .for_each(|diagnostic| self.push(diagnostic));
    }
}

impl<'a> IntoIterator for &'a Report {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl IntoIterator for Report {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}
