//! `duplicate-value`: two panels with the same command. `bad-id`: a command that cannot be typed.

use std::collections::BTreeMap;

use super::CheckSubject;
use crate::diagnostic::{Diagnostic, Report, Span};

pub(super) fn check(subject: &CheckSubject, report: &mut Report) {
    for pack in &subject.packs {
        let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
        for panel in pack.entries().filter(|entry| entry.kind == "panel") {
            let Some((command, field)) = panel.text("command").zip(panel.field("command")) else {
                continue;
            };
            if command.is_empty() || command.contains(char::is_whitespace) {
                Diagnostic::error(field.span, "bad-id", "a command is one word")
                    .label("players cannot type it")
                    .help(format!(
                        "write command = \"{}\"",
                        command.replace(char::is_whitespace, "-")
                    ))
                    .push(report);
            }
            // A panel may exist only in some modes.
            if panel.field("in").is_some() || panel.field("replaces").is_some() {
                continue;
            }
            if let Some(first) = seen.insert(command, field.span) {
                let message = format!("two panels have the command `{command}`");
                Diagnostic::error(field.span, "duplicate-value", message)
                    .label("the second one")
                    .related(first, "the first one")
                    .help("choose another command for one of them")
                    .push(report);
            }
        }
    }
}
