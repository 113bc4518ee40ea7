//! Renders diagnostics for people.

use std::fmt::{self, Write as _};

use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan};

use super::excerpt::Excerpt;
use super::sanitize::sanitize;
use super::{Diagnostic, Files, Label, Severity, Span};

/// Locations in one file that are further apart than this, in bytes, get separate excerpts.
const MAX_EXCERPT_BYTES: u32 = 4_000;

/// How to render a diagnostic.
#[derive(Clone, Copy, Debug)]
pub struct RenderStyle {
    /// Whether to use ANSI colours.
    pub colour: bool,
    /// The width of the terminal in columns.
    pub width: usize,
}

impl Default for RenderStyle {
    fn default() -> Self {
        Self {
            colour: false,
            width: 100,
        }
    }
}

/// Renders a diagnostic with an excerpt of its source, labels and help.
#[must_use]
pub fn render(files: &Files, diagnostic: &Diagnostic, style: RenderStyle) -> String {
    let theme = if style.colour {
        GraphicalTheme::unicode()
    } else {
        GraphicalTheme::unicode_nocolor()
    };
    let handler = GraphicalReportHandler::new_themed(theme)
        .with_width(style.width.max(40))
        .with_links(false);
    let mut out = String::new();
    match handler.render_report(&mut out, &MietteReport::new(files, diagnostic)) {
        Ok(()) => trim_lines(&out),
        Err(_) => render_short(files, diagnostic),
    }
}

/// Renders a diagnostic in one line: `path:line:col: error[code]: message`.
#[must_use]
pub fn render_short(files: &Files, diagnostic: &Diagnostic) -> String {
    let place = place(files, &diagnostic.label);
    let message = one_line(&diagnostic.message);
    format!(
        "{place}: {}[{}]: {message}",
        diagnostic.severity.word(),
        diagnostic.code
    )
}

fn place(files: &Files, label: &Label) -> String {
    let name = one_line(files.name(label.span.file));
    if label.span.file == Files::outside().file {
        return name;
    }
    let (line, column) = files.line_col(label.span);
    format!("{name}:{line}:{column}")
}

fn one_line(text: &str) -> String {
    sanitize(text).replace(['\n', '\t'], " ")
}

/// Miette pads some lines with spaces, which would make snapshots fragile.
fn trim_lines(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// A diagnostic in the form that miette expects.
#[derive(Debug)]
struct MietteReport {
    code: &'static str,
    severity: Severity,
    message: String,
    help: Option<String>,
    window: Option<Excerpt>,
    marks: Vec<LabeledSpan>,
    elsewhere: Vec<RelatedReport>,
}

impl MietteReport {
    fn new(files: &Files, diagnostic: &Diagnostic) -> Self {
        let span = diagnostic.label.span;
        let (here, there): (Vec<_>, Vec<_>) = diagnostic
            .also
            .iter()
            .partition(|label| is_near(span, label.span));
        let all = here.iter().fold(span, |all, label| Span {
            start: all.start.min(label.span.start),
            end: all.end.max(label.span.end),
            ..all
        });
        let window = Excerpt::around(files, all);
        let shown = std::iter::once(&diagnostic.label).chain(here).enumerate();
        let mut message = sanitize(&diagnostic.message).into_owned();
        if window.is_none() {
            let _ = write!(message, "\n{}", place(files, &diagnostic.label));
        }
        Self {
            code: diagnostic.code,
            severity: diagnostic.severity,
            message,
            help: diagnostic
                .help
                .as_deref()
                .map(|help| sanitize(help).into_owned()),
            marks: window
                .iter()
                .flat_map(|w| shown.clone().map(|(i, label)| w.mark(label, i == 0)))
                .collect(),
            window,
            elsewhere: there
                .into_iter()
                .map(|label| RelatedReport::new(files, label))
                .collect(),
        }
    }
}

/// Whether two locations fit into one excerpt.
fn is_near(a: Span, b: Span) -> bool {
    a.file == b.file && a.start.abs_diff(b.start) < MAX_EXCERPT_BYTES
}

impl fmt::Display for MietteReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for MietteReport {}

impl miette::Diagnostic for MietteReport {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(self.code))
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(if self.severity.is_error() {
            miette::Severity::Error
        } else {
            miette::Severity::Warning
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help
            .as_ref()
            .map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn miette::SourceCode> {
        self.window
            .as_ref()
            .map(|window| window as &dyn miette::SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        self.window.as_ref()?;
        Some(Box::new(self.marks.iter().cloned()))
    }

    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn miette::Diagnostic> + 'a>> {
        if self.elsewhere.is_empty() {
            return None;
        }
        Some(Box::new(
            self.elsewhere
                .iter()
                .map(|other| other as &dyn miette::Diagnostic),
        ))
    }
}

/// A label in another file, which miette renders as a separate diagnostic.
#[derive(Debug)]
struct RelatedReport {
    message: String,
    window: Option<Excerpt>,
    mark: Option<LabeledSpan>,
}

impl RelatedReport {
    fn new(files: &Files, label: &Label) -> Self {
        let words = if label.text.is_empty() {
            "see also"
        } else {
            &label.text
        };
        let bare = Label {
            span: label.span,
            text: String::new(),
        };
        let window = Excerpt::around(files, label.span);
        let mut message = sanitize(words).into_owned();
        if window.is_none() {
            let _ = write!(message, " ({})", place(files, label));
        }
        let mark = window.as_ref().map(|window| window.mark(&bare, true));
        Self {
            message,
            window,
            mark,
        }
    }
}

impl fmt::Display for RelatedReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for RelatedReport {}

impl miette::Diagnostic for RelatedReport {
    fn severity(&self) -> Option<miette::Severity> {
        Some(miette::Severity::Advice)
    }

    fn source_code(&self) -> Option<&dyn miette::SourceCode> {
        self.window
            .as_ref()
            .map(|window| window as &dyn miette::SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(std::iter::once(self.mark.clone()?)))
    }
}
