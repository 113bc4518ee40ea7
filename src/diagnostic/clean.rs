//! Keeps terminal control characters of strangers' packs away from terminals.

use std::borrow::Cow;

/// The text without its control characters; only line breaks and tabs stay.
#[must_use]
pub fn clean(text: &str) -> Cow<'_, str> {
    if text.contains(forbidden) { Cow::Owned(text.replace(forbidden, "")) } else { Cow::Borrowed(text) }
}

/// Like [`clean`], but puts a sign of the same number of bytes in place of each, so that spans still fit.
pub(super) fn mask(text: &str) -> Cow<'_, str> {
    if !text.contains(forbidden) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(masked).collect())
}

fn forbidden(c: char) -> bool {
    c.is_control() && c != '\n' && c != '\t'
}

/// Control characters are one or two bytes long in UTF-8; so are these signs.
fn masked(c: char) -> char {
    match c {
        '\r' => ' ',
        c if !forbidden(c) => c,
        c if c.len_utf8() == 1 => '?',
        _ => '¿',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strips_escapes_and_keeps_line_breaks() {
        assert_eq!(clean("a\u{1b}[31mb\n\tc\u{9b}"), "a[31mb\n\tc");
    }

    #[test]
    fn a_mask_keeps_the_length() {
        let text = "a\u{1b}\u{9b}\r\nb";
        assert_eq!(mask(text), "a?¿ \nb");
        assert_eq!(mask(text).len(), text.len());
    }
}
