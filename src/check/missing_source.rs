//! `missing-source`: an entry that does not say where it comes from, in a pack whose others do.

use super::Subject;
use crate::diagnostic::{Confidence, Diagnostic, Report};
use crate::pack::Entry;

/// In a pack in which so many of a hundred entries say it, the others have forgotten it.
const USUAL: usize = 80;

pub(super) fn check(subject: &Subject, report: &mut Report) {
    for pack in &subject.packs {
        let says = |entry: &&Entry| entry.text("source").is_some();
        // Kinds differ: clauses of a rulebook need not say what they all are.
        let usual = |kind: &str| {
            let of_kind = || pack.entries.iter().filter(|entry| entry.kind == kind);
            of_kind().filter(says).count() * 100 >= of_kind().count() * USUAL
        };
        let saying = pack.entries.iter().filter(says).count();
        for entry in pack.entries.iter().filter(|entry| !says(entry) && usual(&entry.kind)) {
            Diagnostic::untidy(entry.span, "missing-source", format!("{} does not say where it comes from", entry.id))
                .label("no `source`")
                .help(format!("{saying} other entries of this pack have one, as in `source = \"original\"`"))
                .confidence(Confidence::Likely)
                .push(report);
        }
    }
}
