//! Excerpts for miette, which would otherwise scan the whole file for each label.

use miette::{LabeledSpan, MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

use super::sanitize::{sanitize, sanitize_same_length};
use super::{Files, Label, Span};

/// Longer lines are not shown, because a hostile pack may consist of a single huge line.
const MAX_LINE_BYTES: usize = 1_000;

/// The number of context lines above and below; miette shows fewer.
const CONTEXT_LINES: usize = 2;

/// The lines around a source location.
#[derive(Debug)]
pub(super) struct Excerpt {
    name: String,
    text: String,
    /// The offset of the first line in the file.
    start: usize,
    /// The number of lines before the first one.
    lines_before: usize,
}

impl Excerpt {
    /// The lines around a span; `None` if they are empty or too long to show.
    pub fn around(files: &Files, span: Span) -> Option<Self> {
        let (range, lines_before) = files.lines_around(span, CONTEXT_LINES, CONTEXT_LINES);
        let text = files.text(span.file).get(range.clone())?;
        if text.is_empty() || text.lines().any(|line| line.len() > MAX_LINE_BYTES) {
            return None;
        }
        let name = sanitize(files.name(span.file)).replace('\n', " ");
        Some(Self {
            name,
            text: sanitize_same_length(text).into_owned(),
            start: range.start,
            lines_before,
        })
    }

    /// A label with its span relative to the excerpt.
    pub fn mark(&self, label: &Label, primary: bool) -> LabeledSpan {
        let inside = |offset: u32| {
            (offset as usize)
                .saturating_sub(self.start)
                .min(self.text.len())
        };
        let (start, end) = (inside(label.span.start), inside(label.span.end));
        let words = (!label.text.is_empty()).then(|| sanitize(&label.text).into_owned());
        let span = SourceSpan::new(start.into(), end.saturating_sub(start));
        if primary {
            LabeledSpan::new_primary_with_span(words, span)
        } else {
            LabeledSpan::new_with_span(words, span)
        }
    }
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let found = self.text.as_str().read_span(span, before, after)?;
        Ok(Box::new(MietteSpanContents::new_named(
            self.name.clone(),
            found.data(),
            *found.span(),
            found.line() + self.lines_before,
            found.column(),
            found.line_count(),
        )))
    }
}
