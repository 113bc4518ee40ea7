//! `flag-never-set`: a flag that scripts read, but nothing sets. `flag-never-read`: a flag that
//! scripts set, but nothing reads.

use std::rc::Rc;

use super::CheckSubject;
use crate::diagnostic::{Confidence, Diagnostic, Report};
use crate::pack::Entry;
use crate::script::ScriptOutline;

pub(super) fn check(subject: &CheckSubject, report: &mut Report) {
    for pack in &subject.packs {
        let flags: Vec<&Entry> = (pack.entries())
            .filter(|entry| entry.kind == "flag")
            .collect();
        if flags.is_empty() {
            continue;
        }
        let outlines: Vec<Rc<ScriptOutline>> = subject
            .related(pack)
            .flat_map(|other| subject.outlines.pack(subject.library, other))
            .collect();
        for flag in flags {
            let name = flag.id.replace('-', "_");
            let named = |outline: &Rc<ScriptOutline>| {
                let texts = outline.texts.iter();
                texts
                    .filter(|text| **text == *flag.id || **text == *name)
                    .count()
            };
            // A name in quotes may be read or set.
            let quoted: usize = outlines.iter().map(named).sum();
            let sets: usize = outlines.iter().map(|own| own.count_set(&name)).sum();
            let names: usize = outlines.iter().map(|own| own.count(&name)).sum();
            let reads = names - sets + quoted;
            match (reads > 0, sets + quoted > 0) {
                (true, false) => never(flag, "set", report),
                (false, true) => never(flag, "read", report),
                _ => {}
            }
        }
    }
}

fn never(flag: &Entry, what: &str, report: &mut Report) {
    let (code, label, help) = match what {
        "set" => (
            "flag-never-set",
            "keeps its value at the start",
            format!(
                "set it where it happens, as in `table.{} = …`",
                flag.id.replace('-', "_")
            ),
        ),
        _ => (
            "flag-never-read",
            "nothing depends on it",
            "read it in a condition, show it in a panel, or remove it".to_owned(),
        ),
    };
    let message = format!("no script {}s the flag `{}`", what, flag.id);
    Diagnostic::warning(flag.span, code, message)
        .label(label)
        .help(help)
        .confidence(Confidence::Likely)
        .push(report);
}
