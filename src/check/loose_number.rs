//! `loose-number`: a plain number in the text of an entry with scripts, which no check can verify.

use super::{CheckSubject, promise};
use crate::diagnostic::{Confidence, Diagnostic, Report};
use crate::pack::loose_numbers;

pub(super) fn check(subject: &CheckSubject, report: &mut Report) {
    for entry in subject
        .entries()
        .filter(|entry| promise::has_scripts(entry))
    {
        for at in &entry.texts {
            let Some(text) = entry.get_path(&at.path).and_then(|value| value.as_text()) else {
                continue;
            };
            // A number in a title need not have a meaning.
            if at.path == "title" || at.path.ends_with(".title") {
                continue;
            }
            for part in loose_numbers(text) {
                let number = &text[part.clone()];
                Diagnostic::style(at.part(&subject.library.set.files, text, &part), "loose-number", format!("unmarked number {number} in a text"))
                    .label("nothing checks it against the scripts")
                    .help(format!(
                        "read it from a field, as in {{level}}; mark the promise, as in {{gain {number} coins}}; or write {{{number}}} \
                         if the script next to it has the same number"
                    ))
                    .confidence(Confidence::Likely)
                    .push(report);
            }
        }
    }
}
