//! `out-of-range`: a counter that starts outside of its own bounds.

use super::CheckSubject;
use crate::diagnostic::{Diagnostic, Report};

pub(super) fn check(subject: &CheckSubject, report: &mut Report) {
    for entry in subject.entries().filter(|entry| entry.kind == "counter") {
        let number = |name: &str| entry.field(name).and_then(|field| field.value.as_int());
        let Some((field, start)) = entry.field("start").zip(number("start")) else {
            continue;
        };
        let (min, max) = (number("min").unwrap_or(0), number("max"));
        let bound = match max {
            Some(max) if start > max => format!("`max` is {max}"),
            _ if start < min => format!("`min` is {min}"),
            _ => continue,
        };
        let message = format!("`{}` cannot start at {start}", entry.id);
        Diagnostic::error(field.span, "out-of-range", message)
            .label(bound)
            .help("change the start or the bound")
            .push(report);
    }
}
