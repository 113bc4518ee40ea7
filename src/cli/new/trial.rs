//! Whether a draft is what was promised: it checks clean, and its cases pass.

use crate::author::new::Draft;
use crate::author::test::Runner;
use crate::check::{self, Effort};
use crate::diagnostic::{Confidence, render_short};
use crate::pack::{Origin, Source};
use crate::shelf::Shelf;

/// The first draft that is, and the shelf with it on top.
///
/// # Errors
/// What is wrong with the last one.
pub fn first_sound(
    sources: &[Source],
    id: &str,
    drafts: impl Iterator<Item = Draft>,
) -> Result<(Draft, Shelf), String> {
    let mut wrong = Vec::new();
    for draft in drafts {
        let shelf = Shelf::load(sources.iter().cloned().chain([draft.source(id)]).collect());
        wrong = faults(&shelf);
        if wrong.is_empty() {
            return Ok((draft, shelf));
        }
    }
    Err(wrong.join("\n"))
}

/// What the checks find in the new pack and which of its cases fail, if the checks find nothing.
fn faults(shelf: &Shelf) -> Vec<String> {
    let checked = check::check(shelf, Some(Effort::default()), |origin| {
        origin == Origin::CommandLine
    });
    let told = checked
        .report
        .iter()
        .filter(|fault| fault.confidence <= Confidence::Likely);
    let told: Vec<String> = told
        .map(|fault| render_short(&shelf.set.files, fault))
        .collect();
    if !told.is_empty() {
        return told;
    }
    let mut failed = Vec::new();
    for pack in shelf
        .set
        .packs
        .iter()
        .filter(|pack| pack.origin == Origin::CommandLine)
    {
        for file in &pack.tests {
            let outcomes = Runner::new(shelf).file(&pack.manifest.id, file, "");
            failed.extend(outcomes.into_iter().flat_map(|outcome| outcome.failures));
        }
    }
    failed
}
