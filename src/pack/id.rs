//! Checks ids.

use crate::diagnostic::{Diagnostic, Span};

use super::read_context::ReadContext;

/// The maximum length of an id; longer ones do not fit into menus and journals.
const MAX_LENGTH: usize = 80;

/// Whether a text is an id: lowercase letters and digits, in parts joined by `-` or `_`.
pub(super) fn fits(text: &str) -> bool {
    let part = |part: &str| {
        !part.is_empty()
            && part
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
    };
    text.len() <= MAX_LENGTH && text.split(['-', '_']).all(part)
}

/// Whether a text is the id of a pack: an id without `_`.
#[must_use]
pub fn is_pack_id(text: &str) -> bool {
    fits(text) && !text.contains('_')
}

/// The valid pack id nearest to a text; empty if the text has no usable characters.
#[must_use]
pub fn near_pack_id(text: &str) -> String {
    near(text, '-')
}

/// Reports an invalid id. Returns whether it is valid.
pub(super) fn check(cx: &mut ReadContext, text: &str, span: Span, of: &str) -> bool {
    let good = if of == "pack" {
        is_pack_id(text)
    } else {
        fits(text)
    };
    if !good {
        let better = near(text, if of == "pack" { '-' } else { '_' });
        let help = if better.is_empty() {
            "write lowercase letters and digits, with one - between words, as in \"grey-owl\""
                .to_owned()
        } else {
            format!(
                "write `{better}`: lowercase letters and digits only, with one - or _ between words"
            )
        };
        Diagnostic::error(span, "bad-id", format!("invalid {of} id `{text}`"))
            .label("not a valid id")
            .help(help)
            .push(cx.report);
    }
    good
}

/// The valid id nearest to a text.
fn near(text: &str, kept: char) -> String {
    let mut out = String::new();
    for c in text.chars().flat_map(char::to_lowercase).take(MAX_LENGTH) {
        if c.is_ascii_lowercase() || c.is_ascii_digit() {
            out.push(c);
        } else if c == '_' && kept == '_' && !out.ends_with(['-', '_']) {
            out.push('_');
        } else if c != '\'' && !out.ends_with(['-', '_']) {
            out.push('-');
        }
    }
    out.trim_matches(['-', '_']).to_owned()
}
