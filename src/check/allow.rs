//! `# allow: code` in a file and `[check] allow = ["code"]` in a manifest: warnings that an author
//! has decided to keep.
//!
//! A comment at the end of a line applies to that line. A comment on a line of its own applies to
//! the lines below it, up to the next empty line. `unused-allow` reports an `allow` that silences
//! nothing.

use super::pages;
use super::{CheckSubject, allow_fix};
use crate::diagnostic::{Diagnostic, FileId, Files, Report, Span, nearest};
use crate::migrate;

/// Codes that are only reported when scripts run.
const BY_RUNNING: &[&str] = &[
    "broken-promise",
    "cannot-start",
    "deck-too-small",
    "never-available",
];

/// A code that is allowed in a part of a file or in a whole pack.
struct Allowance {
    file: FileId,
    code: String,
    span: Span,
    /// The byte range it applies to; `None` for the whole pack.
    part: Option<(usize, usize)>,
    /// The folder of the pack.
    root: String,
    used: bool,
}

/// Removes allowed warnings from the report, and reports each `allow` that was not needed.
pub(super) fn apply(subject: &CheckSubject, ran: bool, report: &mut Report) {
    let files = &subject.library.set.files;
    // If there are errors, some checks did not run, so it is unknown which allowances are needed.
    let complete = report.has_no_errors() && report.omitted() == 0;
    let mut allows = Vec::new();
    for pack in &subject.packs {
        for file in subject.files(pack) {
            comments(files, file, &pack.root, &mut allows);
        }
        for (code, span) in &pack.manifest.allow {
            let (code, root) = (code.clone(), format!("{}/", pack.root));
            allows.push(Allowance {
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
        let fits = |allow: &&mut Allowance| {
            let here = match allow.part {
                Some((from, to)) => {
                    allow.file == span.file && (from..to).contains(&(span.start as usize))
                }
                None => files.name(span.file).starts_with(&allow.root),
            };
            here && allow.code == fault.code
        };
        // Errors cannot be allowed.
        let allow = allows
            .iter_mut()
            .find(fits)
            .filter(|_| !fault.severity.is_error());
        allow.is_none_or(|allow| {
            allow.used = true;
            false
        })
    });
    let is_unused = |allow: &&Allowance| {
        !allow.used && complete && (ran || !BY_RUNNING.contains(&allow.code.as_str()))
    };
    let idle: Vec<Span> = allows
        .iter()
        .filter(is_unused)
        .map(|allow| allow.span)
        .collect();
    for allow in allows.iter().filter(is_unused) {
        let fix = if allow.part.is_some() {
            allow_fix::comment(files, allow.span, &idle)
        } else {
            allow_fix::item(files, allow.span, &idle)
        };
        Diagnostic::style(allow.span, "unused-allow", format!("unused `allow: {}`", allow.code))
            .label("silences no warning")
            .help(
                "remove it; it applies to its own line, or to the lines below it up to the next empty line, and never to errors",
            )
            .fix(fix)
            .did_you_mean(misspelt_code(&allow.code))
            .renamed(&allow.code, migrate::code(&allow.code))
            .push(report);
    }
}

/// The code that was probably meant by an unknown one.
fn misspelt_code(code: &str) -> Option<&'static str> {
    let known = || pages::all().map(|(code, _)| code);
    if known().any(|known| known == code) {
        return None;
    }
    nearest(code, known())
}

/// The end of the last line before the first empty one.
fn before_empty_line(text: &str) -> Option<usize> {
    ["\n\n", "\n\r\n"]
        .iter()
        .filter_map(|ends| text.find(ends))
        .min()
}

/// Collects the `allow` comments of a file.
fn comments(files: &Files, file: FileId, root: &str, allows: &mut Vec<Allowance>) {
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
                before_empty_line(&text[start..]).map_or(text.len(), |at| start + at)
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
                    allows.push(Allowance {
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
