//! `loose-number`: a number in the text of an entry that does something, which comes from no field and promises nothing.

use super::{Subject, promise};
use crate::diagnostic::{Confidence, Diagnostic, Report};
use crate::pack::loose_numbers;

pub(super) fn check(subject: &Subject, report: &mut Report) {
    for entry in subject.entries().filter(|entry| promise::acts(entry)) {
        for at in &entry.texts {
            let Some(text) = entry.along(&at.path).and_then(|value| value.as_text()) else {
                continue;
            };
            // A name may have a number in it that means nothing.
            if at.path == "title" || at.path.ends_with(".title") {
                continue;
            }
            for part in loose_numbers(text) {
                let number = &text[part.clone()];
                Diagnostic::untidy(at.part(&subject.shelf.set.files, text, &part), "loose-number", format!("this {number} stands only in the text"))
                    .label("nothing watches over it")
                    .help(format!(
                        "read it from a field, as in {{level}}; mark what it promises, as in {{gain {number} coins}}; or write {{{number}}} \
                         if the script beside it has the same number"
                    ))
                    .confidence(Confidence::Likely)
                    .push(report);
            }
        }
    }
}
