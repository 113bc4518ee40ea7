//! Tries out drafts of a new pack: a draft must check clean and pass its tests.

use crate::cases::runner::CaseRunner;
use crate::check::{self, Effort};
use crate::diagnostic::{Confidence, render_short};
use crate::library::PackLibrary;
use crate::pack::{Origin, PackSource};
use crate::scaffold::PackDraft;

/// Returns the first draft without problems, and all packs including it.
///
/// # Errors
/// Returns the problems of the last draft.
pub fn first_valid_draft(
    sources: &[PackSource],
    id: &str,
    drafts: impl Iterator<Item = PackDraft>,
) -> Result<(PackDraft, PackLibrary), String> {
    let mut found = Vec::new();
    for draft in drafts {
        let library =
            PackLibrary::load(sources.iter().cloned().chain([draft.source(id)]).collect());
        found = problems(&library);
        if found.is_empty() {
            return Ok((draft, library));
        }
    }
    Err(found.join("\n"))
}

/// The diagnostics of the new pack or, if there are none, its failing tests.
fn problems(library: &PackLibrary) -> Vec<String> {
    let checked = check::check(library, Some(Effort::default()), |origin| {
        origin == Origin::CommandLine
    });
    let likely = checked
        .report
        .iter()
        .filter(|fault| fault.confidence <= Confidence::Likely);
    let diagnostics: Vec<String> = likely
        .map(|fault| render_short(&library.set.files, fault))
        .collect();
    if !diagnostics.is_empty() {
        return diagnostics;
    }
    let mut failed = Vec::new();
    for pack in library
        .set
        .packs
        .iter()
        .filter(|pack| pack.origin == Origin::CommandLine)
    {
        for file in &pack.tests {
            let outcomes = CaseRunner::new(library).file(&pack.manifest.id, file, "");
            failed.extend(outcomes.into_iter().flat_map(|outcome| outcome.failures));
        }
    }
    failed
}
