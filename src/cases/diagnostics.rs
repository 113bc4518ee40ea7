//! Expected diagnostics: a case may contain files, even broken ones, and list what `kaer check`
//! reports.

use super::case::{Case, Located};
use super::failures::CaseFailures;
use crate::check::{self, Effort, pages};
use crate::diagnostic::{Confidence, Diagnostic, Files, render_short};
use crate::game::lookup::did_you_mean;
use crate::library::PackLibrary;
use crate::pack::Origin;

/// Loads the packs with the files of a case added to its pack; `None` if one of them is not a valid
/// file of a pack.
pub(crate) fn with_overlay(
    library: &PackLibrary,
    pack: &str,
    case: &Case,
    failures: &mut CaseFailures,
) -> Option<PackLibrary> {
    let foreign = |path: &str| {
        let kind = path.ends_with(".toml") || path.ends_with(".rhai");
        let inside = path
            .split('/')
            .all(|part| !part.is_empty() && !part.starts_with('.'))
            && !path.contains('\\');
        !kind || !inside || path.starts_with("tests/")
    };
    let mut valid = true;
    for (path, _) in case.setup.files.iter().filter(|(path, _)| foreign(path)) {
        let reason = "write the path of a .toml or .rhai file in the pack, outside tests/";
        failures.at(
            path.at,
            format!("`{}` cannot be a file of a pack: {reason}", path.value),
        );
        valid = false;
    }
    let texts: Vec<(&str, &str)> = case
        .setup
        .files
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    valid.then(|| {
        let laid = PackLibrary::load(library.set.with_overlay(pack, &texts));
        laid.with_test_functions(pack).unwrap_or(laid)
    })
}

/// Reports expected diagnostics that are missing, and unexpected ones.
pub(super) fn compare(
    laid: &PackLibrary,
    wanted: &Located<Vec<Located<String>>>,
    failures: &mut CaseFailures,
) {
    let mut checked = check::check(laid, Some(Effort::default()), |origin| {
        origin == Origin::CommandLine
    });
    // Leave out guesses, as `kaer check` does by default.
    checked
        .report
        .retain(|diagnostic| diagnostic.confidence <= Confidence::Likely);
    let mut found: Vec<&Diagnostic> = checked.report.iter().collect();
    // Match expectations with a location first.
    let mut list: Vec<&Located<String>> = wanted.iter().collect();
    list.sort_by_key(|word| !word.contains(' '));
    for word in list {
        match found
            .iter()
            .position(|diagnostic| matches(&laid.set.files, diagnostic, word))
        {
            Some(at) => drop(found.remove(at)),
            None => failures.at(word.at, missing(word)),
        }
    }
    for diagnostic in found {
        let help = diagnostic
            .help
            .as_ref()
            .map(|help| format!("\n  help: {help}"))
            .unwrap_or_default();
        failures.at(
            wanted.at,
            format!(
                "unexpected diagnostic: {}{help}",
                render_short(&laid.set.files, diagnostic)
            ),
        );
    }
}

/// Whether a diagnostic matches `unknown-zone`, `cards.toml unknown-zone` or
/// `cards.toml:12 unknown-zone`.
fn matches(files: &Files, diagnostic: &Diagnostic, word: &str) -> bool {
    let Some((place, code)) = word.trim().rsplit_once(' ') else {
        return diagnostic.code == word.trim();
    };
    let (file, line) = match place.trim().rsplit_once(':') {
        Some((file, line)) => (file, Some(line)),
        None => (place.trim(), None),
    };
    let span = diagnostic.label.span;
    let name = files.name(span.file);
    let here = name
        .strip_suffix(file)
        .is_some_and(|before| before.is_empty() || before.ends_with('/'));
    diagnostic.code == code
        && here
        && line.is_none_or(|line| line == files.line_col(span).0.to_string())
}

fn missing(word: &Located<String>) -> String {
    let code = word.trim().rsplit(' ').next().unwrap_or_default();
    let text = format!("expected diagnostic `{}`, not found", word.value);
    if pages::page(code).is_some() {
        return text;
    }
    let codes: Vec<&str> = pages::all().map(|(code, _)| code).collect();
    did_you_mean(format!("{text}; there is no code `{code}`"), code, &codes)
}
