//! Edits that fix the problem of a diagnostic.

use super::{Files, Span};

/// The number of bytes that the span of a name may contain besides the name: quotes, brackets, a
/// kind before a slash.
const MAX_EXTRA_BYTES: usize = 24;

/// A replacement of text at one position of a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edit {
    /// The range to replace; for a rename, it may be slightly larger than the name.
    pub span: Span,
    /// The old text; empty for an insertion.
    pub old: String,
    /// The new text; empty for a deletion.
    pub new: String,
}

impl Edit {
    /// Inserts a text at the start of a span.
    #[must_use]
    pub fn insert(at: Span, new: impl Into<String>) -> Self {
        Self {
            span: at.part(0, 0),
            old: String::new(),
            new: new.into(),
        }
    }

    /// Replaces the text of a span.
    #[must_use]
    pub fn replace(files: &Files, span: Span, new: impl Into<String>) -> Self {
        Self {
            span,
            old: files.slice(span).to_owned(),
            new: new.into(),
        }
    }

    /// Narrows the span to the old text; `None` if the text is not there.
    ///
    /// A name may be in quotes, in brackets or after a kind, but must occur only once.
    #[must_use]
    pub fn located(&self, files: &Files) -> Option<Self> {
        let text = files.text(self.span.file);
        let (start, end) = (self.span.start as usize, self.span.end as usize);
        let current = text.get(start..end)?;
        if current == self.old {
            return (self.old.is_empty() || self.fits_between(&text[..start], &text[end..]))
                .then(|| self.clone());
        }
        if self.old.is_empty()
            || self.new.is_empty()
            || current.len() > self.old.len() + MAX_EXTRA_BYTES
        {
            return None;
        }
        let mut matches = current
            .match_indices(&self.old)
            .map(|(at, _)| at)
            .filter(|at| {
                let (before, after) = (&current[..*at], &current[*at + self.old.len()..]);
                !before.ends_with(is_letter) && !after.starts_with(is_letter)
            });
        let (Some(at), None) = (matches.next(), matches.next()) else {
            return None;
        };
        let exact = Self {
            span: self.span.part(at, self.old.len()),
            ..self.clone()
        };
        let (start, end) = (start + at, start + at + self.old.len());
        self.fits_between(&text[..start], &text[end..])
            .then_some(exact)
    }

    /// Whether the new text is valid between these two texts: a name with special characters is
    /// valid only in quotes.
    fn fits_between(&self, before: &str, after: &str) -> bool {
        let is_name = |text: &str| !text.is_empty() && text.chars().all(is_letter);
        if !is_name(&self.old) {
            // This is not a rename but a replacement, which the check has already made valid.
            return true;
        }
        if before.ends_with('.') && self.new.contains('-') && !self.old.contains('-') {
            return false;
        }
        let quoted = ["\"", "'", "`"]
            .iter()
            .any(|quote| before.ends_with(quote) && after.starts_with(quote));
        let plain =
            |c: char| !c.is_control() && !matches!(c, '"' | '\'' | '`' | '\\' | '$' | '{' | '}');
        self.new
            .chars()
            .all(|c| (is_letter(c) && c.is_ascii()) || (quoted && plain(c)))
    }
}

/// Whether a character may be part of a name.
fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-'
}

/// A text after some edits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditResult {
    /// The text with the edits that were applied.
    pub text: String,
    /// The number of edits applied.
    pub applied: usize,
    /// The number of edits skipped because they would have broken the text.
    pub failed: usize,
}

/// Applies the edits of one file, each already narrowed by [`Edit::located`].
///
/// If two edits overlap, only the first is applied. An edit that would break the text is skipped.
#[must_use]
pub fn apply_edits(
    text: &str,
    mut edits: Vec<Edit>,
    is_valid: impl Fn(&str) -> bool,
) -> EditResult {
    // The sort is stable, so edits at the same position keep their order.
    edits.sort_by_key(|edit| edit.span.start);
    let mut kept: Vec<Edit> = Vec::new();
    for edit in edits {
        let end_so_far = kept.iter().map(|other| other.span.end).max().unwrap_or(0);
        if edit.span.start >= end_so_far && !kept.contains(&edit) {
            kept.push(edit);
        }
    }
    let all = splice(text, &kept);
    if is_valid(&all) {
        return EditResult {
            text: all,
            applied: kept.len(),
            failed: 0,
        };
    }
    let tried = kept.len();
    let mut good: Vec<Edit> = Vec::new();
    // A text that was already broken is left unchanged.
    for edit in if is_valid(text) { kept } else { Vec::new() } {
        good.push(edit);
        if !is_valid(&splice(text, &good)) {
            good.pop();
        }
    }
    EditResult {
        text: splice(text, &good),
        applied: good.len(),
        failed: tried - good.len(),
    }
}

/// Applies edits that are in order and do not overlap.
fn splice(text: &str, edits: &[Edit]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        let (start, end) = (edit.span.start as usize, edit.span.end as usize);
        out += text.get(at..start).unwrap_or_default();
        out += &edit.new;
        at = end;
    }
    out + text.get(at..).unwrap_or_default()
}
