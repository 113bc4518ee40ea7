//! Renames check codes in `# allow:` comments and in lists.

use super::table::{Area, rows};
use super::{Rewrite, Rewrites};

/// Renames the codes in `# allow: code, code` and `// allow: code`.
pub(super) fn comments(text: &str, version: u32, out: &mut Rewrites) {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let mark = ["# allow:", "// allow:"]
            .iter()
            .find_map(|mark| line.find(mark).map(|at| at + mark.len()));
        if let Some(at) = mark {
            list(&line[at..], start + at, version, out);
        }
        start += line.len();
    }
}

/// Renames the codes in a text that may contain other words.
pub(super) fn list(text: &str, start: usize, version: u32, out: &mut Rewrites) {
    let is_letter = |c: char| c.is_alphanumeric() || c == '-' || c == '_' || c == '.';
    for row in rows(version).filter(|row| row.of == Area::Code) {
        for (at, _) in text.match_indices(row.old) {
            let end = at + row.old.len();
            if !text[..at].ends_with(is_letter) && !text[end..].starts_with(is_letter) {
                out.list.push(Rewrite {
                    start: start + at,
                    end: start + end,
                    new: row.new.to_owned(),
                });
            }
        }
    }
}
