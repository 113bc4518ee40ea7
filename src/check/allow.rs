//! `# allow: code` in a file and `[check] allow = ["code"]` in a manifest: warnings an author has seen and wants to keep.
//!
//! A comment counts for its own line, for what stands below it up to the next empty line, and nothing else. What silences nothing is told.

use super::{Subject, allow_fix};
use crate::diagnostic::{Diagnostic, FileId, Files, Report, Span};
use crate::migrate;

/// What is only found by running scripts.
const BY_RUNNING: &[&str] = &[
    "broken-promise",
    "cannot-start",
    "deck-too-small",
    "never-open",
];

/// Something that silences a code.
struct Allow {
    file: FileId,
    code: String,
    /// Where the code stands.
    span: Span,
    /// The bytes it counts for; nothing for a whole pack.
    part: Option<(usize, usize)>,
    /// The folder of the pack.
    root: String,
    used: bool,
}

/// Takes out what is allowed, and tells what was allowed in vain.
pub(super) fn settle(subject: &Subject, ran: bool, report: &mut Report) {
    let files = &subject.shelf.set.files;
    // While there are errors most checks did not look, and nobody knows what is needed.
    let looked = report.is_sound() && report.left_off() == 0;
    let mut allows = Vec::new();
    for pack in &subject.packs {
        for file in subject.files(pack) {
            comments(files, file, &pack.root, &mut allows);
        }
        for (code, span) in &pack.manifest.allow {
            let (code, root) = (code.clone(), format!("{}/", pack.root));
            allows.push(Allow {
                file: span.file,
                code,
                span: *span,
                part: None,
                root,
                used: false,
            });
        }
    }
    report.retain(|fault| {
        let span = fault.label.span;
        let fits = |allow: &&mut Allow| {
            let here = match allow.part {
                Some((from, to)) => {
                    allow.file == span.file && (from..to).contains(&(span.start as usize))
                }
                None => files.name(span.file).starts_with(&allow.root),
            };
            here && allow.code == fault.code
        };
        // Without what errors speak of there is no game.
        let allow = allows
            .iter_mut()
            .find(fits)
            .filter(|_| !fault.severity.is_error());
        allow.is_none_or(|allow| {
            allow.used = true;
            false
        })
    });
    let in_vain = |allow: &&Allow| {
        !allow.used && looked && (ran || !BY_RUNNING.contains(&allow.code.as_str()))
    };
    let idle: Vec<Span> = allows
        .iter()
        .filter(in_vain)
        .map(|allow| allow.span)
        .collect();
    for allow in allows.iter().filter(in_vain) {
        let fix = if allow.part.is_some() {
            allow_fix::comment(files, allow.span, &idle)
        } else {
            allow_fix::item(files, allow.span, &idle)
        };
        Diagnostic::untidy(allow.span, "unused-allow", format!("nothing here needs `allow: {}`", allow.code))
            .label("silences nothing")
            .help(
                "take it out; it counts for its own line and those below it up to an empty line, and never for errors",
            )
            .fix(fix)
            .renamed(&allow.code, migrate::code(&allow.code))
            .push(report);
    }
}

/// Where the line before the first empty one ends.
fn empty_line(text: &str) -> Option<usize> {
    ["\n\n", "\n\r\n"]
        .iter()
        .filter_map(|ends| text.find(ends))
        .min()
}

/// The allowances in the comments of a file.
fn comments(files: &Files, file: FileId, root: &str, allows: &mut Vec<Allow>) {
    let text = files.text(file);
    if !text.contains(" allow:") {
        return;
    }
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        let mark = ["# allow:", "// allow:"]
            .iter()
            .find_map(|mark| line.find(mark).map(|at| at + mark.len()));
        if let Some(at) = mark {
            let alone = line.trim_start().starts_with(['#', '/']);
            let to = if alone {
                empty_line(&text[start..]).map_or(text.len(), |at| start + at)
            } else {
                end
            };
            let mut from = at;
            for code in line[at..].split(',') {
                let name = code.trim();
                let offset = start + from + (code.len() - code.trim_start().len());
                if !name.is_empty() {
                    let span = Span::new(file, offset, offset + name.len());
                    let (code, root) = (name.to_owned(), root.to_owned());
                    allows.push(Allow {
                        file,
                        code,
                        span,
                        part: Some((start, to)),
                        root,
                        used: false,
                    });
                }
                from += code.len() + 1;
            }
        }
        start = end;
    }
}
