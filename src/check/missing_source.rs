//! `missing-source`: an entry that does not say where it comes from, in a pack whose others do.

use std::collections::BTreeMap;

use super::Subject;
use crate::diagnostic::{Confidence, Diagnostic, Report};
use crate::pack::Entry;

/// In a pack in which so many of a hundred entries say it, the others have forgotten it.
const USUAL: usize = 80;

pub(super) fn check(subject: &Subject, report: &mut Report) {
    for pack in &subject.packs {
        let says = |entry: &Entry| entry.text("source").is_some();
        // Kinds differ: clauses of a rulebook need not say what they all are.
        let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for entry in pack.entries() {
            let (all, saying) = counts.entry(&entry.kind).or_default();
            *all += 1;
            *saying += usize::from(says(entry));
        }
        let usual = |kind: &str| {
            counts
                .get(kind)
                .is_some_and(|(all, saying)| saying * 100 >= all * USUAL)
        };
        let saying = pack.entries().filter(|entry| says(entry)).count();
        for entry in pack
            .entries()
            .filter(|entry| !says(entry) && usual(&entry.kind))
        {
            Diagnostic::untidy(
                entry.span,
                "missing-source",
                format!("{} does not say where it comes from", entry.id),
            )
            .label("no `source`")
            .help(format!(
                "{saying} other entries of this pack have one, as in `source = \"original\"`"
            ))
            .confidence(Confidence::Likely)
            .push(report);
        }
    }
}
