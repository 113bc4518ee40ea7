//! Plays a case once, to see whether it still passes with changed packs.

use super::case::Case;
use super::compare::compare;
use super::failures::CaseFailures;
use super::run::{OpenedGames, PlayedCase, PreparedCase};
use super::runner::snapshot;
use crate::game::Game;
use crate::library::PackLibrary;

/// A case that met its expectations.
pub(crate) struct PassedCase {
    /// The game after the last move.
    pub game: Game,
    /// The text of its snapshot, if it has one.
    pub snapshot: Option<String>,
}

/// Plays a case once. `library` includes the files of the case.
///
/// # Errors
/// Returns why the case does not pass. The game ends early if it takes more steps than this.
pub(crate) fn run(
    library: &PackLibrary,
    open: &mut OpenedGames,
    pack: &str,
    case: &Case,
    max_steps: u64,
) -> Result<PassedCase, Vec<String>> {
    let mut failures = CaseFailures::new(&library.set.files);
    let played = play(library, open, pack, case, max_steps, &mut failures);
    match played.filter(|_| failures.list.is_empty()) {
        Some(PlayedCase { game, .. }) => {
            let snapshot = case.expect.snapshot.then(|| snapshot(&game));
            Ok(PassedCase { game, snapshot })
        }
        None => Err(failures.texts()),
    }
}

fn play(
    library: &PackLibrary,
    open: &mut OpenedGames,
    pack: &str,
    case: &Case,
    max_steps: u64,
    failures: &mut CaseFailures,
) -> Option<PlayedCase> {
    let run = PreparedCase::prepare(library, pack, case, open, failures)?;
    let played = run.once_within(case, max_steps, failures)?;
    compare(case, &played, failures);
    Some(played)
}
