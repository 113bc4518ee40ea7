//! Running scenario cases: each twice, the second time with every script run by Rhai, and once more from its journal; hashes
//! that differ fail.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use super::case::Case;
use super::compare::{compare, log_lines};
use super::failures::Failures;
use super::run::{Open, Run};
use super::{checked, read};
use crate::diagnostic::render_short;
use crate::game::Game;
use crate::pack::{Pack, TestFile};
use crate::shelf::Shelf;

/// What became of a case.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The file and the case's name.
    pub name: String,
    /// The rules it proves.
    pub rules: Vec<String>,
    /// What is wrong; nothing when it passed.
    pub failures: Vec<String>,
    /// The log and the end, for a snapshot.
    pub snapshot: Option<String>,
}

/// Whoever runs cases. What was opened for one is there for those after it that play the same.
pub struct Runner<'s> {
    shelf: &'s Shelf,
    open: Open,
}

impl<'s> Runner<'s> {
    /// Runs cases of packs on a shelf.
    #[must_use]
    pub fn new(shelf: &'s Shelf) -> Self {
        Self {
            shelf,
            open: Open::new(),
        }
    }

    /// Runs the cases of a file of a pack whose names, or the file's, contain something.
    pub fn file(&mut self, pack: &str, file: &TestFile, filter: &str) -> Vec<Outcome> {
        let failed = |name, failures| Outcome {
            name,
            rules: Vec::new(),
            failures,
            snapshot: None,
        };
        let cases = match read::cases(&self.shelf.set.files, file.file) {
            Ok(cases) => cases,
            Err(_) if !file.path.contains(filter) => return Vec::new(),
            Err(failures) => return vec![failed(file.path.clone(), failures)],
        };
        let mut outcomes = Vec::new();
        for read in cases {
            let name = format!("{}: {}", file.path, read.name);
            if name.contains(filter) {
                outcomes.push(match read.case {
                    Ok(case) => self.case(pack, name, &case),
                    Err(failures) => failed(name, failures),
                });
            }
        }
        outcomes
    }

    fn case(&mut self, pack: &str, name: String, case: &Case) -> Outcome {
        let mut failures = Failures::new(&self.shelf.set.files);
        let snapshot = self.check(pack, case, &mut failures);
        Outcome {
            name,
            rules: case.rule.clone(),
            failures: failures.list,
            snapshot,
        }
    }

    /// Checks and plays a case; gives its snapshot, if it has one.
    fn check(&mut self, pack: &str, case: &Case, failures: &mut Failures) -> Option<String> {
        let laid;
        // What a case brings along is open for that case only.
        let mut own = Open::new();
        let (shelf, open) = if case.given.files.is_empty() && case.expect.diagnostics.is_none() {
            (self.shelf, &mut self.open)
        } else {
            laid = checked::laid_over(self.shelf, pack, case, failures)?;
            (&laid, &mut own)
        };
        if let Some(wanted) = &case.expect.diagnostics {
            checked::compare(shelf, wanted, failures);
        }
        if !case.is_played() {
            return None;
        }
        if !shelf.report.is_sound() {
            let told = shelf
                .report
                .errors()
                .map(|fault| render_short(&shelf.set.files, fault));
            told.for_each(|told| {
                failures.push(format!(
                    "with the files of the case nothing can be played: {told}"
                ));
            });
            return None;
        }
        let run = Run::prepare(shelf, pack, case, open, failures)?;
        let played = run.play(case, failures)?;
        compare(case, &played, failures);
        case.expect.snapshot.then(|| snapshot(&played.game))
    }
}

/// A file of cases of a pack.
pub type Work<'s> = (&'s Pack, &'s TestFile);

/// Runs files of cases on several threads; `done` hears what became of each file, in their order, whatever the number of threads.
pub fn run(
    shelf: &Shelf,
    work: &[Work],
    filter: &str,
    jobs: usize,
    mut done: impl FnMut(usize, Vec<Outcome>),
) {
    let next = AtomicUsize::new(0);
    let (tell, heard) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, work.len().max(1)) {
            let (tell, next) = (tell.clone(), &next);
            scope.spawn(move || {
                let mut runner = Runner::new(shelf);
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some((pack, file)) = work.get(at) else {
                        return;
                    };
                    // Nobody listens any more when another thread has panicked, which is told then.
                    let _ = tell.send((at, runner.file(&pack.manifest.id, file, filter)));
                }
            });
        }
        drop(tell);
        let mut waiting = std::collections::BTreeMap::new();
        let mut turn = 0;
        for (at, outcomes) in heard {
            waiting.insert(at, outcomes);
            while let Some(outcomes) = waiting.remove(&turn) {
                done(turn, outcomes);
                turn += 1;
            }
        }
    });
}

/// The log, what is asked and the end, as snapshots hold them.
fn snapshot(game: &Game) -> String {
    let mut text = log_lines(game.core()).join("\n");
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
