//! Coverage of the cases of a file.

use std::collections::BTreeMap;

use super::coverage::{Goal, Recorder, Way};
use super::failures::Failures;
use super::read;
use super::run::{Open, Run, choice};
use crate::pack::{Choice, TestFile};
use crate::shelf::{Care, Reuse, Shelf};

/// Plays each case of a file once and returns what it covers. Failures are left to `kaer test`.
#[must_use]
pub fn cases(shelf: &Shelf, pack: &str, file: &TestFile) -> BTreeMap<Goal, Way> {
    let mut ways = BTreeMap::new();
    let mut all: Vec<(Open, Recorder)> = Vec::new();
    for read in read::cases(&shelf.set.files, file.file).unwrap_or_default() {
        let Ok(case) = read.case else { continue };
        // Files that a case brings along are not part of the pack.
        if !case.given.files.is_empty() || !case.is_played() {
            continue;
        }
        let Some(at) = choice(shelf, pack, &case)
            .ok()
            .and_then(|choice| opened(shelf, choice, &mut all))
        else {
            continue;
        };
        let (open, recorder) = &mut all[at];
        let mut failures = Failures::new(&shelf.set.files);
        let Some(run) = Run::prepare(shelf, pack, &case, open, &mut failures) else {
            continue;
        };
        recorder.begin();
        if let Some(mut played) = run.once(&case, &mut failures) {
            recorder.look(
                &mut played.game,
                &Way::Case(format!("{}: {}", file.path, read.name)),
            );
        }
    }
    all.into_iter()
        .for_each(|(_, recorder)| ways.extend(recorder.ways));
    ways
}

/// Opens a choice if it is not open yet, and returns its index.
fn opened(shelf: &Shelf, choice: Choice, all: &mut Vec<(Open, Recorder)>) -> Option<usize> {
    if let Some(at) = all.iter().position(|(open, _)| open[0].0 == choice) {
        return Some(at);
    }
    let (opened, report) = shelf.open_again(&choice, None, Reuse::Nothing, Care::Names);
    let opened = opened.filter(|_| report.is_sound())?;
    let recorder = Recorder::of(&opened, &shelf.set.files);
    all.push((vec![(choice, opened)], recorder));
    Some(all.len() - 1)
}
