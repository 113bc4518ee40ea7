//! Syntax errors and run-time faults of scripts, with their locations in the files of packs.

use std::ops::Range;

use rhai::{ParseError, Position};

use super::syntax::Unsupported;
use super::syntax_help;
use crate::diagnostic::{Diagnostic, DiagnosticBuilder, Span};

/// The byte offset of a position in a text.
pub fn offset(text: &str, position: Position) -> usize {
    let (Some(line), column) = (position.line(), position.position().unwrap_or(1)) else {
        return 0;
    };
    let mut start = 0;
    for _ in 1..line {
        match text[start..].find('\n') {
            Some(end) => start += end + 1,
            None => return text.len(),
        }
    }
    let rest = &text[start..];
    let within = rest
        .char_indices()
        .nth(column.saturating_sub(1))
        .map_or(rest.len(), |(at, _)| at);
    start + within
}

/// The source location of a position in the text of a script.
pub fn span_at(text: &str, position: Position, whole: Span, exact: bool) -> Span {
    if !exact || position.is_none() {
        return whole;
    }
    span_at_offset(text, offset(text, position), whole, exact)
}

/// The source location of the word at an offset in the text of a script.
pub fn span_at_offset(text: &str, at: usize, whole: Span, exact: bool) -> Span {
    if !exact {
        return whole;
    }
    let word = text[at..]
        .chars()
        .take_while(|c| c.is_alphanumeric() || *c == '_')
        .map(char::len_utf8)
        .sum::<usize>();
    whole.part(at, word.max(1))
}

/// The diagnostic for a syntax error.
pub fn parse_diagnostic(
    error: &ParseError,
    text: &str,
    whole: Span,
    exact: bool,
) -> DiagnosticBuilder {
    let at = if error.position().is_none() {
        text.len()
    } else {
        offset(text, error.position())
    };
    let Some(hint) = syntax_help::hint(error, text, at) else {
        let span = span_at(text, error.position(), whole, exact);
        let message = format!("syntax error: {}", error.err_type());
        return Diagnostic::fatal(span, "script-syntax", message).label("here");
    };
    let part = |at: &Range<usize>| {
        if exact {
            whole.part(at.start, at.len())
        } else {
            whole
        }
    };
    Diagnostic::fatal(
        part(&hint.at),
        "script-syntax",
        format!("syntax error: {}", hint.message),
    )
    .label(hint.label)
    .help(hint.help)
}

/// The diagnostic for syntax that scripts cannot use.
pub fn unsupported_diagnostic(
    unsupported: &Unsupported,
    text: &str,
    whole: Span,
    exact: bool,
) -> DiagnosticBuilder {
    let span = span_at_offset(text, unsupported.at as usize, whole, exact);
    let message = format!("unsupported syntax: {}", unsupported.what);
    Diagnostic::fatal(span, "unsupported-syntax", message)
        .label("here")
        .help(unsupported.help)
}
