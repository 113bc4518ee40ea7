//! Runs test cases. Each case is played twice, the second time with every script run by Rhai, and
//! then replayed from its journal. All three games must end with the same state hash.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use super::case::Case;
use super::compare::compare;
use super::diagnostics;
use super::failures::{CaseFailure, CaseFailures};
use super::parse;
use super::run::{OpenedGames, PreparedCase, describe_position};
use crate::diagnostic::render_short;
use crate::game::Game;
use crate::game::render::log_line;
use crate::library::PackLibrary;
use crate::pack::{Pack, TestFile};

/// The result of a case.
#[derive(Clone, Debug)]
pub struct CaseResult {
    /// The file and the name of the case: `tests/a.toml: A step`.
    pub name: String,
    /// The rules it covers.
    pub rules: Vec<String>,
    /// The failures; empty if it passed.
    pub failures: Vec<String>,
    /// The log and the final question, if the case has a snapshot.
    pub snapshot: Option<String>,
}

/// Runs cases. Opened games are cached for later cases that play the same.
pub struct CaseRunner<'s> {
    library: &'s PackLibrary,
    open: OpenedGames,
}

impl<'s> CaseRunner<'s> {
    /// A runner for the packs of a library.
    #[must_use]
    pub fn new(library: &'s PackLibrary) -> Self {
        Self {
            library,
            open: OpenedGames::new(),
        }
    }

    /// Runs the cases of a file whose file path or name contains `filter`.
    pub fn file(&mut self, pack: &str, file: &TestFile, filter: &str) -> Vec<CaseResult> {
        let failed = |name, failures| CaseResult {
            name,
            rules: Vec::new(),
            failures,
            snapshot: None,
        };
        let cases = match parse::cases(&self.library.set.files, file.file) {
            Ok(cases) => cases,
            Err(_) if !file.path.contains(filter) => return Vec::new(),
            Err(failures) => return vec![failed(file.path.clone(), self.texts(&failures))],
        };
        // Functions in the folder of the tests belong to the cases of this pack only.
        let (own, mut own_open) = (self.library.with_test_functions(pack), OpenedGames::new());
        let mut outcomes = Vec::new();
        for read in cases {
            let name = format!("{}: {}", file.path, read.name);
            if name.contains(filter) {
                let (library, open) = match &own {
                    Some(own) => (own, &mut own_open),
                    None => (self.library, &mut self.open),
                };
                outcomes.push(match read.case {
                    Ok(case) => result(library, open, pack, name, &case),
                    Err(failures) => failed(name, self.texts(&failures)),
                });
            }
        }
        outcomes
    }

    fn texts(&self, failures: &[CaseFailure]) -> Vec<String> {
        let files = &self.library.set.files;
        failures.iter().map(|failure| failure.text(files)).collect()
    }
}

fn result(
    library: &PackLibrary,
    open: &mut OpenedGames,
    pack: &str,
    name: String,
    case: &Case,
) -> CaseResult {
    let mut failures = CaseFailures::new(&library.set.files);
    let snapshot = check(library, open, pack, case, &mut failures);
    CaseResult {
        name,
        rules: case.rule.clone(),
        failures: failures.texts(),
        snapshot,
    }
}

/// Checks and plays a case; returns its snapshot, if it has one.
fn check(
    library: &PackLibrary,
    open: &mut OpenedGames,
    pack: &str,
    case: &Case,
    failures: &mut CaseFailures,
) -> Option<String> {
    let laid;
    // Files in the setup of a case apply to that case only.
    let mut own = OpenedGames::new();
    let (library, open) = if case.setup.files.is_empty() && case.expect.diagnostics.is_none() {
        (library, open)
    } else {
        laid = diagnostics::with_overlay(library, pack, case, failures)?;
        (&laid, &mut own)
    };
    if let Some(wanted) = &case.expect.diagnostics {
        diagnostics::compare(library, wanted, failures);
    }
    if !case.is_played() {
        return None;
    }
    if !library.report.has_no_errors() {
        let errors = library.report.errors();
        errors.for_each(|error| {
            let error = render_short(&library.set.files, error);
            failures.push(format!("the files of the case have errors: {error}"));
        });
        return None;
    }
    let run = PreparedCase::prepare(library, pack, case, open, failures)?;
    let played = run.play(case, failures)?;
    compare(case, &played, failures);
    if !failures.list.is_empty() {
        describe_position(case, &played.game, failures);
    }
    case.expect.snapshot.then(|| snapshot(&played.game))
}
/// A test file and its pack.
pub type CaseFile<'s> = (&'s Pack, &'s TestFile);

/// Runs test files on several threads. `done` receives the results of each file, in the order of
/// `work`.
pub fn run(
    library: &PackLibrary,
    work: &[CaseFile],
    filter: &str,
    jobs: usize,
    mut done: impl FnMut(usize, Vec<CaseResult>),
) {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, work.len().max(1)) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                let mut runner = CaseRunner::new(library);
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some((pack, file)) = work.get(at) else {
                        return;
                    };
                    // The receiver is gone only if another thread has panicked, which is reported
                    // elsewhere.
                    let _ = sender.send((at, runner.file(&pack.manifest.id, file, filter)));
                }
            });
        }
        drop(sender);
        let mut waiting = std::collections::BTreeMap::new();
        let mut turn = 0;
        for (at, outcomes) in receiver {
            waiting.insert(at, outcomes);
            while let Some(outcomes) = waiting.remove(&turn) {
                done(turn, outcomes);
                turn += 1;
            }
        }
    });
}

/// The text of a snapshot: the log, the pending question and the state hash.
pub(super) fn snapshot(game: &Game) -> String {
    let mut text = log_line::verbose_log(game.context()).join("\n");
    if let Some(decision) = game.decision() {
        let _ = write!(text, "\n\n? {}", decision.prompt);
        for option in &decision.options {
            let closed = option
                .closed
                .as_deref()
                .map(|why| format!(" (closed: {why})"))
                .unwrap_or_default();
            let whose = option
                .seat
                .map(|seat| format!("{}> ", seat.0 + 1))
                .unwrap_or_default();
            let _ = write!(text, "\n  {whose}{}: {}{closed}", option.key, option.label);
        }
    }
    let _ = write!(text, "\n\nstate {}", game.state().hash());
    text
}
