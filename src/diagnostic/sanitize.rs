//! Removes control characters in the texts of untrusted packs before they reach the terminal.

use std::borrow::Cow;

/// Removes control characters, except line breaks and tabs.
#[must_use]
pub fn sanitize(text: &str) -> Cow<'_, str> {
    if text.contains(forbidden) {
        Cow::Owned(text.replace(forbidden, ""))
    } else {
        Cow::Borrowed(text)
    }
}

/// Like [`sanitize`], but replaces each character by one with the same number of bytes, so that
/// spans stay valid.
#[must_use]
pub fn sanitize_same_length(text: &str) -> Cow<'_, str> {
    if !text.contains(forbidden) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(masked).collect())
}

/// Control characters, and characters that change the text direction.
fn forbidden(c: char) -> bool {
    let turns = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}');
    turns || c.is_control() && c != '\n' && c != '\t'
}

/// Forbidden characters take one to three bytes in UTF-8, and so do their replacements.
fn masked(c: char) -> char {
    match c {
        '\r' => ' ',
        c if !forbidden(c) => c,
        c if c.len_utf8() == 1 => '?',
        c if c.len_utf8() == 2 => '¿',
        _ => '\u{fffd}',
    }
}
