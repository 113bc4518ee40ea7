//! `missing-source`: an entry without a `source`, of a kind whose other entries have one.

use std::collections::BTreeMap;

use super::CheckSubject;
use crate::diagnostic::{Confidence, Diagnostic, Report};
use crate::pack::Entry;

/// If this percentage of the entries of a kind has a `source`, the others need one, too.
const EXPECTED_SHARE: usize = 80;

pub(super) fn check(subject: &CheckSubject, report: &mut Report) {
    for pack in &subject.packs {
        let has_source = |entry: &Entry| entry.text("source").is_some();
        // Count by kind, because some kinds, such as clauses of a rulebook, need no source.
        let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for entry in pack.entries() {
            let (all, with_source) = counts.entry(&entry.kind).or_default();
            *all += 1;
            *with_source += usize::from(has_source(entry));
        }
        let is_expected = |kind: &str| {
            counts
                .get(kind)
                .is_some_and(|(all, with_source)| with_source * 100 >= all * EXPECTED_SHARE)
        };
        let with_source = pack.entries().filter(|entry| has_source(entry)).count();
        for entry in pack
            .entries()
            .filter(|entry| !has_source(entry) && is_expected(&entry.kind))
        {
            Diagnostic::style(
                entry.span,
                "missing-source",
                format!("`{}` has no `source`", entry.id),
            )
            .label("does not say where it comes from")
            .help(format!(
                "add one, as in `source = \"original\"`; {with_source} other entries of this pack have one"
            ))
            .confidence(Confidence::Likely)
            .push(report);
        }
    }
}
