//! `unknown-template-field`: a path in a text that has no value, such as a position past the end of
//! a list or an unknown field of a referenced entry. Players would see the braces.

use super::CheckSubject;
use crate::diagnostic::{Diagnostic, Report};
use crate::pack::Template;

pub(super) fn check(subject: &CheckSubject, report: &mut Report) {
    for pack in &subject.packs {
        let Some(opened) = subject.opened_with(pack) else {
            continue;
        };
        let content = &opened.rules.content;
        for entry in pack.entries() {
            let Some(def) = content.find(&entry.full_name()).map(|id| content.entry(id)) else {
                continue;
            };
            for field in &entry.fields {
                let Some(text) = field.value.as_text().filter(|text| text.contains('{')) else {
                    continue;
                };
                let names = Template::parse(text).0.names();
                let shown = content.render_text(text, &|field| def.field(field));
                for name in names {
                    let first = name.split('.').next().unwrap_or_default();
                    let is_path = first != name && def.field(first).is_some();
                    // A part with a condition may be left out.
                    if !is_path || !shown.contains(&format!("{{{name}}}")) {
                        continue;
                    }
                    let message = format!("`{{{name}}}` has no value");
                    Diagnostic::error(field.span, "unknown-template-field", message)
                        .label("players see the braces")
                        .help(format!(
                            "`{first}` has no such value; positions in a list are counted from 1, as in {{{first}.1.name}}"
                        ))
                        .push(report);
                }
            }
        }
    }
}
