//! The fix for `unused-allow`: removes the comment, or the code from the list.

use crate::diagnostic::{Edit, Files, Span};

/// Removes a code from a comment, or the whole comment if none of its codes is needed.
pub(super) fn comment(files: &Files, code: Span, idle: &[Span]) -> Option<Edit> {
    let text = files.text(code.file);
    let at = code.start as usize;
    if !idle.contains(&code) || !is_code(files.slice(code)) {
        return None;
    }
    let start = text[..at].rfind('\n').map_or(0, |found| found + 1);
    let end = text[at..]
        .find('\n')
        .map_or(text.len(), |found| at + found + 1);
    let line = &text[start..end];
    let mark = start
        + ["# allow:", "// allow:"]
            .iter()
            .find_map(|mark| line.find(mark))?;
    let is_toml = files.name(code.file).ends_with(".toml");
    if is_toml && line[mark - start..].starts_with('#') && !is_comment(text, mark) {
        // It is a string that only looks like a comment.
        return None;
    }
    let codes = text[at..end].split(',').count() + text[mark..at].matches(',').count();
    let own = idle
        .iter()
        .filter(|span| span.file == code.file && (start..end).contains(&(span.start as usize)));
    let span = if own.count() < codes {
        without_comma(text, code)
    } else if text[start..mark].trim().is_empty() {
        (start, end)
    } else {
        let before = text[..mark].trim_end_matches([' ', '\t']).len();
        (before, start + line.trim_end_matches(['\r', '\n']).len())
    };
    Some(Edit::replace(
        files,
        Span::new(code.file, span.0, span.1),
        "",
    ))
}

/// Removes a code from `[check] allow`.
pub(super) fn item(files: &Files, code: Span, idle: &[Span]) -> Option<Edit> {
    let text = files.text(code.file);
    if !idle.contains(&code) {
        return None;
    }
    let before = text.get(..code.start as usize)?.trim_end();
    if before.ends_with('=') {
        return Some(Edit::replace(files, code, "[]"));
    }
    let (from, to) = without_comma(text, code);
    let start = text[..from].rfind('\n').map_or(0, |found| found + 1);
    let end = text[to..]
        .find('\n')
        .map_or(text.len(), |found| to + found + 1);
    let alone = text[start..from].trim().is_empty() && text[to..end].trim().is_empty();
    let span = if alone {
        Span::new(code.file, start, end)
    } else {
        Span::new(code.file, from, to)
    };
    Some(Edit::replace(files, span, ""))
}

/// The byte range of a list item, with the comma after it or else the comma before it.
fn without_comma(text: &str, item: Span) -> (usize, usize) {
    let (start, end) = (item.start as usize, item.end as usize);
    let blank = |c: char| c == ' ' || c == '\t';
    let after = text[end..].trim_start_matches(blank);
    if let Some(rest) = after.strip_prefix(',') {
        return (start, text.len() - rest.trim_start_matches(blank).len());
    }
    let before = text[..start].trim_end_matches(blank);
    (before.strip_suffix(',').map_or(start, str::len), end)
}

fn is_code(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_lowercase() || c == '-')
}

/// Whether the `#` at a byte offset of a TOML text starts a comment, rather than being in a string.
fn is_comment(text: &str, wanted: usize) -> bool {
    let mut at = 0;
    while at < wanted {
        let rest = &text[at..];
        let quote = ["\"\"\"", "'''", "\"", "'"]
            .into_iter()
            .find(|quote| rest.starts_with(quote));
        at += match quote {
            Some(quote) => quote.len() + string_len(&rest[quote.len()..], quote),
            None if rest.starts_with('#') => {
                let end = rest.find('\n').unwrap_or(rest.len());
                if wanted < at + end {
                    return true;
                }
                end
            }
            None => rest.chars().next().map_or(1, char::len_utf8),
        };
    }
    at == wanted
}

/// The length of the rest of a string, including its closing quotes.
fn string_len(rest: &str, quote: &str) -> usize {
    let mut at = 0;
    while at < rest.len() {
        let left = &rest[at..];
        if left.starts_with('\\') && quote.starts_with('"') {
            at += 1 + left.chars().nth(1).map_or(0, char::len_utf8);
        } else if left.starts_with(quote) {
            // A multi-line string may end with up to two quotes before the closing ones.
            let mark = &quote[..1];
            let more = if quote.len() == 3 {
                left[3..].len() - left[3..].trim_start_matches(mark).len()
            } else {
                0
            };
            return at + quote.len() + more.min(2);
        } else {
            at += left.chars().next().map_or(1, char::len_utf8);
        }
    }
    rest.len()
}
