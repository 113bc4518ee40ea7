//! `long-title`: a title that does not fit on a line of a menu.

use super::CheckSubject;
use crate::diagnostic::{Diagnostic, Report};

/// A menu is 80 columns wide, and its lines contain more than a title.
const MAX_CHARS: usize = 60;

pub(super) fn check(subject: &CheckSubject, report: &mut Report) {
    for entry in subject.entries() {
        let Some(field) = entry.field("title") else {
            continue;
        };
        let length = field.value.as_text().unwrap_or_default().chars().count();
        if length > MAX_CHARS {
            Diagnostic::style(
                field.span,
                "long-title",
                format!("this title has {length} characters"),
            )
            .label(format!("at most {MAX_CHARS} fit on a menu line"))
            .help("shorten it, and move the details to `text`")
            .push(report);
        }
    }
}
