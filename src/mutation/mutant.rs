//! Broken versions of a pack.

use std::ops::Range;

use serde::Serialize;

use super::declarations::{self, Declaration};
use super::site::{MutationKind, MutationSite};
use crate::diagnostic::{Files, Span};

/// A longer diff is cut.
const MAX_DIFF_LINES: usize = 8;

/// A pack with one change.
#[derive(Clone, Debug)]
pub struct Mutant {
    pub(super) site: MutationSite,
    pub(super) new: String,
    /// The path of the file.
    pub file: String,
    /// The first line that changes.
    pub line: u32,
    pub(super) declaration: Option<Declaration>,
}

/// The lines that a mutant removes and adds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MutantDiff {
    /// The lines that are removed.
    pub removed: Vec<String>,
    /// The lines that are added.
    pub added: Vec<String>,
}

impl Mutant {
    pub(super) fn new(files: &Files, site: &MutationSite, new: &str) -> Mutant {
        let text = files.text(site.file);
        let replaced = text.get(site.at.clone()).unwrap_or("");
        let indent = replaced.len() - replaced.trim_start().len();
        let start = site.at.start + indent;
        Mutant {
            new: new.to_owned(),
            file: files.name(site.file).to_owned(),
            line: files.line_col(Span::new(site.file, start, start)).0,
            declaration: declarations::find(text, site),
            site: site.clone(),
        }
    }

    /// What was changed.
    #[must_use]
    pub fn kind(&self) -> MutationKind {
        self.site.kind
    }

    /// The full name of the entry, if it belongs to one.
    #[must_use]
    pub fn entry(&self) -> Option<&str> {
        self.site.entry.as_deref().filter(|name| !name.is_empty())
    }

    /// The text of the file with the change.
    pub(super) fn text(&self, files: &Files) -> String {
        let old = files.text(self.site.file);
        let Range { start, end } = self.site.at;
        format!("{}{}{}", &old[..start], self.new, &old[end..])
    }

    /// The lines that change.
    #[must_use]
    pub fn diff(&self, files: &Files) -> MutantDiff {
        let old = files.text(self.site.file);
        let Range { start, end } = self.site.at;
        let first = old[..start].rfind('\n').map_or(0, |found| found + 1);
        let last = old[end..].find('\n').map_or(old.len(), |found| end + found);
        let new = format!("{}{}{}", &old[first..start], self.new, &old[end..last]);
        let lines = |text: &str| -> Vec<String> {
            let lines = text.lines().filter(|line| !line.trim().is_empty());
            lines.map(|line| line.trim_end().to_owned()).collect()
        };
        let (mut removed, mut added) = (lines(&old[first..last]), lines(&new));
        let same = removed
            .iter()
            .zip(&added)
            .take_while(|(old, new)| old == new);
        let same = same.count();
        removed.drain(..same);
        added.drain(..same);
        while !removed.is_empty() && removed.last() == added.last() {
            removed.pop();
            added.pop();
        }
        MutantDiff { removed, added }
    }
}

impl MutantDiff {
    /// The diff as lines with `-` and `+`.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let sides = [('-', &self.removed), ('+', &self.added)];
        sides
            .iter()
            .flat_map(|(sign, lines)| {
                let shown = if lines.len() > MAX_DIFF_LINES {
                    MAX_DIFF_LINES - 2
                } else {
                    lines.len()
                };
                let rest = lines.len() - shown;
                let rest = (rest > 0).then(|| format!("{sign} … {rest} more lines"));
                let lines = lines[..shown]
                    .iter()
                    .map(move |line| format!("{sign} {line}"));
                lines.chain(rest).collect::<Vec<_>>()
            })
            .collect()
    }
}
