//! `long-title`: what would not fit into a line of a menu.

use super::Subject;
use crate::diagnostic::{Diagnostic, Report};

/// A menu has 80 columns, and more than a title stands in its lines.
const LONGEST: usize = 60;

pub(super) fn check(subject: &Subject, report: &mut Report) {
    for entry in subject.entries() {
        let Some(field) = entry.field("title") else {
            continue;
        };
        let letters = field.value.as_text().unwrap_or_default().chars().count();
        if letters > LONGEST {
            Diagnostic::untidy(
                field.span,
                "long-title",
                format!("this title has {letters} letters"),
            )
            .label(format!("{LONGEST} fit into a line"))
            .help("make it shorter; what there is to tell stands in `text`")
            .push(report);
        }
    }
}
