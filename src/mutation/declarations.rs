//! Comments in packs that declare mutants as equivalent: `# equivalent: REASON` in TOML and
//! `// equivalent: REASON` in scripts. A comment applies to the line or statement that it is on,
//! or directly above.

use super::site::MutationSite;

const MARKS: [&str; 2] = ["# equivalent:", "// equivalent:"];

/// A comment that declares the mutants of a line as equivalent.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Declaration {
    /// The start of its line.
    pub at: usize,
    pub reason: String,
}

/// The declaration for a place, if there is one.
pub(super) fn find(text: &str, site: &MutationSite) -> Option<Declaration> {
    let skipped = text.get(site.at.clone()).unwrap_or("");
    let skipped = skipped.len() - skipped.trim_start().len();
    let starts = [Some(site.at.start + skipped), site.statement];
    starts
        .into_iter()
        .flatten()
        .find_map(|at| at_or_above(text, at))
}

fn at_or_above(text: &str, at: usize) -> Option<Declaration> {
    let mut start = line_start(text, at);
    if let Some(found) = declaration(text, start) {
        return Some(found);
    }
    // Comment lines above it.
    while start > 0 {
        start = line_start(text, start - 1);
        let line = line(text, start).trim_start();
        if !line.starts_with('#') && !line.starts_with("//") {
            return None;
        }
        if let Some(found) = declaration(text, start) {
            return Some(found);
        }
    }
    None
}

fn declaration(text: &str, start: usize) -> Option<Declaration> {
    let line = line(text, start);
    let reason = MARKS
        .iter()
        .find_map(|mark| line.split_once(mark).map(|(_, reason)| reason.trim()))?;
    (!reason.is_empty()).then(|| Declaration {
        at: start,
        reason: reason.to_owned(),
    })
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |found| found + 1)
}

fn line(text: &str, start: usize) -> &str {
    text[start..].lines().next().unwrap_or("")
}
