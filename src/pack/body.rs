//! Finds the contents of a string in a file, without the quotes.

use crate::diagnostic::{Files, Span};

/// The span between the quotes, if the file contains the text byte for byte.
///
/// That is the case for literal strings (`'…'`, `'''…'''`) and for basic strings without a
/// backslash.
pub(crate) fn body(files: &Files, string: Span) -> Option<Span> {
    let raw = files.slice(string);
    let long = raw.starts_with("'''") || raw.starts_with("\"\"\"");
    let basic = raw.starts_with('"');
    let quote = if long { 3 } else { 1 };
    if !(basic || raw.starts_with('\'')) || raw.len() < 2 * quote {
        return None;
    }
    let inner = raw.get(quote..raw.len() - quote)?;
    if basic && inner.contains('\\') {
        return None;
    }
    let skipped = if long { first_break(inner) } else { 0 };
    Some(string.part(quote + skipped, inner.len() - skipped))
}

/// The length of a line break right after the opening quotes, which TOML drops.
fn first_break(inner: &str) -> usize {
    if inner.starts_with("\r\n") {
        2
    } else {
        usize::from(inner.starts_with('\n'))
    }
}
