//! Coverage of the cases of a file.

use std::collections::BTreeMap;

use super::coverage::{CoverageItem, CoverageRecorder, Witness};
use crate::cases::failures::CaseFailures;
use crate::cases::parse;
use crate::cases::run::{OpenedGames, PreparedCase, choice};
use crate::library::{LintLevel, PackLibrary, Reuse};
use crate::pack::{GameChoice, TestFile};

/// Plays each case of a file once and returns what it covers. Failures are reported by `kaer test`.
#[must_use]
pub fn cases(
    library: &PackLibrary,
    pack: &str,
    file: &TestFile,
) -> BTreeMap<CoverageItem, Witness> {
    let mut witnesses = BTreeMap::new();
    let mut all: Vec<(OpenedGames, CoverageRecorder)> = Vec::new();
    for read in parse::cases(&library.set.files, file.file).unwrap_or_default() {
        let Ok(case) = read.case else { continue };
        // Files in the setup of a case are not part of the pack.
        if !case.setup.files.is_empty() || !case.is_played() {
            continue;
        }
        let Some(at) = choice(library, pack, &case)
            .ok()
            .and_then(|choice| opened(library, choice, &mut all))
        else {
            continue;
        };
        let (open, recorder) = &mut all[at];
        let mut failures = CaseFailures::new(&library.set.files);
        let Some(run) = PreparedCase::prepare(library, pack, &case, open, &mut failures) else {
            continue;
        };
        recorder.begin();
        if let Some(mut played) = run.once(&case, &mut failures) {
            recorder.record(
                &mut played.game,
                &Witness::Case(format!("{}: {}", file.path, read.name)),
            );
        }
    }
    all.into_iter()
        .for_each(|(_, recorder)| witnesses.extend(recorder.witnesses));
    witnesses
}

/// Opens a choice unless it is already open, and returns its index.
fn opened(
    library: &PackLibrary,
    choice: GameChoice,
    all: &mut Vec<(OpenedGames, CoverageRecorder)>,
) -> Option<usize> {
    if let Some(at) = all.iter().position(|(open, _)| open[0].0 == choice) {
        return Some(at);
    }
    let (opened, report) = library.open_reusing(&choice, None, Reuse::Nothing, LintLevel::Names);
    let opened = opened.filter(|_| report.has_no_errors())?;
    let recorder = CoverageRecorder::new(&opened, &library.set.files);
    all.push((vec![(choice, opened)], recorder));
    Some(all.len() - 1)
}
