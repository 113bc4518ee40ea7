//! Coverage of the cases of a file.

use std::collections::BTreeMap;

use super::coverage::{CoverageItem, CoverageRecorder, Witness, keep_shorter};
use crate::cases::case::Case;
use crate::cases::diagnostics::with_overlay;
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
    let own = library.with_test_functions(pack);
    let library = own.as_ref().unwrap_or(library);
    let mut witnesses = BTreeMap::new();
    let mut all = Recorders::new();
    for read in parse::cases(&library.set.files, file.file).unwrap_or_default() {
        let Ok(case) = read.case else { continue };
        if !case.is_played() {
            continue;
        }
        let witness = Witness::Case(format!("{}: {}", file.path, read.name));
        if case.setup.files.is_empty() {
            play(library, pack, &case, &witness, &mut all);
        } else {
            add(&mut witnesses, with_files(library, pack, &case, &witness));
        }
    }
    for (_, recorder) in all {
        add(&mut witnesses, recorder.witnesses);
    }
    witnesses
}

/// Opened games with what was covered in them.
type Recorders = Vec<(OpenedGames, CoverageRecorder)>;

fn add(
    witnesses: &mut BTreeMap<CoverageItem, Witness>,
    more: impl IntoIterator<Item = (CoverageItem, Witness)>,
) {
    for (item, witness) in more {
        keep_shorter(witnesses, item, witness);
    }
}

/// What a case covers that has files of its own. These files are not part of the pack, so that
/// nothing in a file that they replace counts.
fn with_files(
    library: &PackLibrary,
    pack: &str,
    case: &Case,
    witness: &Witness,
) -> BTreeMap<CoverageItem, Witness> {
    let mut failures = CaseFailures::new(&library.set.files);
    let Some(laid) = with_overlay(library, pack, case, &mut failures) else {
        return BTreeMap::new();
    };
    let root = library
        .set
        .pack(pack)
        .map_or("", |(_, pack)| pack.root.as_str());
    let files = case.setup.files.iter();
    let changed: Vec<String> = files
        .map(|(path, _)| format!("{root}/{}", path.value))
        .collect();
    let mut all = Recorders::new();
    play(&laid, pack, case, witness, &mut all);
    let covered = all.into_iter();
    covered
        .flat_map(|(_, recorder)| recorder.witnesses_outside(&changed))
        .collect()
}

/// Plays a case and records what it covers.
fn play(
    library: &PackLibrary,
    pack: &str,
    case: &Case,
    witness: &Witness,
    all: &mut Recorders,
) -> Option<()> {
    let choice = choice(library, pack, case).ok()?;
    let at = opened(library, choice, all)?;
    let (open, recorder) = &mut all[at];
    let mut failures = CaseFailures::new(&library.set.files);
    let run = PreparedCase::prepare(library, pack, case, open, &mut failures)?;
    recorder.begin();
    let mut played = run.once(case, &mut failures)?;
    recorder.record(&mut played.game, witness);
    Some(())
}

/// Opens a choice unless it is already open, and returns its index.
fn opened(library: &PackLibrary, choice: GameChoice, all: &mut Recorders) -> Option<usize> {
    if let Some(at) = all.iter().position(|(open, _)| open[0].0 == choice) {
        return Some(at);
    }
    let (opened, report) = library.open_reusing(&choice, None, Reuse::Nothing, LintLevel::Names);
    let opened = opened.filter(|_| report.has_no_errors())?;
    let recorder = CoverageRecorder::new(&opened, &library.set.files);
    all.push((vec![(choice, opened)], recorder));
    Some(all.len() - 1)
}
