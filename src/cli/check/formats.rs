//! Machine-readable output: JSON, SARIF and GitHub Actions annotations.

use serde_json::{Value, json};

use crate::check::pages;
use crate::diagnostic::{Confidence, Diagnostic, Edit, Files, Label, Report, Severity, sanitize};

const fn severity(of: Severity) -> &'static str {
    match of {
        Severity::Fatal => "fatal",
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Style => "style",
    }
}

const fn confidence(of: Confidence) -> &'static str {
    match of {
        Confidence::Sure => "sure",
        Confidence::Likely => "likely",
        Confidence::Guess => "guess",
    }
}

/// A source location; lines and columns count from 1.
fn location(files: &Files, label: &Label) -> Value {
    let (line, column) = files.line_col(label.span);
    json!({ "file": files.name(label.span.file), "line": line, "column": column, "text": label.text })
}

/// An edit that `--fix` would make; `None` if the file no longer has the text it replaces.
fn change(files: &Files, edit: &Edit) -> Option<Value> {
    let edit = edit.located(files)?;
    let (line, column) = files.line_col(edit.span);
    Some(
        json!({ "file": files.name(edit.span.file), "line": line, "column": column, "old": edit.old, "new": edit.new }),
    )
}

pub fn json(files: &Files, report: &Report) -> String {
    let item = |diagnostic: &Diagnostic| {
        json!({
            "code": diagnostic.code,
            "severity": severity(diagnostic.severity),
            "confidence": confidence(diagnostic.confidence),
            "message": diagnostic.message,
            "at": location(files, &diagnostic.label),
            "also": diagnostic.also.iter().map(|label| location(files, label)).collect::<Vec<_>>(),
            "help": diagnostic.help,
            "fix": diagnostic.fixes.iter().filter_map(|edit| change(files, edit)).collect::<Vec<_>>(),
        })
    };
    pretty(&Value::Array(report.iter().map(item).collect()))
}

/// A SARIF 2.1.0 log.
pub fn sarif(files: &Files, report: &Report) -> String {
    let rule = |(code, meaning): (&str, &str)| {
        let page = pages::page(code).unwrap_or_default();
        json!({ "id": code, "shortDescription": { "text": meaning }, "help": { "text": page } })
    };
    let location = |label: &Label| {
        let (line, column) = files.line_col(label.span);
        json!({
            "physicalLocation": {
                "artifactLocation": { "uri": files.name(label.span.file).trim_start_matches("./") },
                "region": { "startLine": line, "startColumn": column },
            },
            "message": { "text": label.text },
        })
    };
    let result = |diagnostic: &Diagnostic| {
        let help = diagnostic
            .help
            .as_ref()
            .map(|help| format!("; {help}"))
            .unwrap_or_default();
        json!({
            "ruleId": diagnostic.code,
            "level": diagnostic.severity.word(),
            "message": { "text": format!("{}{help}", diagnostic.message) },
            "locations": [location(&diagnostic.label)],
            "relatedLocations": diagnostic.also.iter().map(location).collect::<Vec<_>>(),
        })
    };
    let driver = json!({
        "name": "kaer",
        "version": env!("CARGO_PKG_VERSION"),
        "rules": pages::all().map(rule).collect::<Vec<_>>(),
    });
    pretty(&json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{ "tool": { "driver": driver }, "results": report.iter().map(result).collect::<Vec<_>>() }],
    }))
}

/// A workflow command of GitHub Actions, which annotates the line in a pull request.
pub fn github(files: &Files, diagnostic: &Diagnostic) -> String {
    let (line, column) = files.line_col(diagnostic.label.span);
    let help = diagnostic
        .help
        .as_ref()
        .map(|help| format!("\n{help}"))
        .unwrap_or_default();
    let text = escape(&format!("{}{help}", diagnostic.message), false);
    let file = escape(
        files
            .name(diagnostic.label.span.file)
            .trim_start_matches("./"),
        true,
    );
    format!(
        "::{} file={file},line={line},col={column},title={}::{text}",
        diagnostic.severity.word(),
        diagnostic.code
    )
}

/// Escapes text for a workflow command; properties need more escapes than messages.
fn escape(text: &str, property: bool) -> String {
    let text = sanitize(text)
        .replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A");
    if property {
        text.replace(':', "%3A").replace(',', "%2C")
    } else {
        text
    }
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}
