//! The cases of a pack without any mutation: what each reaches, and how long it takes.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::mutant::Mutant;
use super::site::Reach;
use crate::cases::case::Case;
use crate::cases::diagnostics::with_overlay;
use crate::cases::failures::CaseFailures;
use crate::cases::parse;
use crate::cases::run::{OpenedGames, choice};
use crate::cases::runner::CaseFile;
use crate::cases::trial;
use crate::explore::coverage::{CoverageItem, CoverageKind, CoverageRecorder, Witness};
use crate::library::{LintLevel, PackLibrary, Reuse};
use crate::pack::GameChoice;

/// A case that passes without any mutation.
pub(super) struct PassingCase {
    /// The file and the name.
    pub name: String,
    pub case: Box<Case>,
    pub choice: GameChoice,
    pub snapshot: Option<String>,
    /// The number of steps it takes.
    pub steps: u64,
    /// The script lines it runs: `functions.rhai:12`.
    lines: BTreeSet<String>,
    /// The entries it reaches, by full name.
    entries: BTreeSet<String>,
}

/// The cases of a pack, the quickest ones first.
pub(super) struct Baseline {
    pub cases: Vec<PassingCase>,
    /// The lines that start a statement.
    statements: BTreeSet<String>,
}

/// The cases that may notice a mutant, as indices.
pub(super) struct NearCases {
    /// Those that reach the place.
    pub reaching: Vec<usize>,
    /// Those that may notice it without.
    pub others: Vec<usize>,
    /// Those that reach the entry or the script.
    pub near: Vec<usize>,
}

/// Opened games with what was covered in them.
type GameRecorders = Vec<(OpenedGames, CoverageRecorder)>;

impl Baseline {
    /// Plays all cases once. `library` can call the functions of tests.
    ///
    /// # Errors
    /// Returns the cases that fail.
    pub fn new(
        library: &PackLibrary,
        pack: &str,
        files: &[CaseFile],
        filter: &str,
        jobs: usize,
    ) -> Result<Baseline, Vec<String>> {
        let mut cases = Vec::new();
        for (_, file) in files {
            let read = parse::cases(&library.set.files, file.file);
            let read = read.map_err(|_| vec![format!("{}: cannot be read", file.path)])?;
            for read in read {
                let name = format!("{}: {}", file.path, read.name);
                let case = read
                    .case
                    .map_err(|_| vec![format!("{name}: cannot be read")])?;
                if case.is_played() && name.contains(filter) {
                    cases.push((name, case));
                }
            }
        }
        let next = AtomicUsize::new(0);
        let found = Mutex::new(Vec::new());
        let statements = Mutex::new(BTreeSet::new());
        thread::scope(|scope| {
            for _ in 0..jobs.clamp(1, cases.len().max(1)) {
                scope.spawn(|| {
                    let mut recorders = GameRecorders::new();
                    while let Some((name, case)) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let played = play(library, pack, name, case, &mut recorders);
                        if let Ok(mut found) = found.lock() {
                            found.push(played.map_err(|()| name.clone()));
                        }
                    }
                    let lines = statement_lines(library, pack, &recorders);
                    if let Ok(mut statements) = statements.lock() {
                        statements.extend(lines);
                    }
                });
            }
        });
        let found = found.into_inner().unwrap_or_default();
        let (passed, failed): (Vec<_>, Vec<_>) = found.into_iter().partition(Result::is_ok);
        let mut failed: Vec<String> = failed.into_iter().filter_map(Result::err).collect();
        if !failed.is_empty() {
            failed.sort_unstable();
            return Err(failed);
        }
        let mut cases: Vec<PassingCase> = passed.into_iter().filter_map(Result::ok).collect();
        cases.sort_by(|a, b| (a.steps, &a.name).cmp(&(b.steps, &b.name)));
        let statements = statements.into_inner().unwrap_or_default();
        Ok(Baseline { cases, statements })
    }

    /// The cases that may notice a mutant, the quickest ones first.
    pub fn near(&self, mutant: &Mutant) -> NearCases {
        let file = &mutant.file;
        let all = 0..self.cases.len();
        let runs_any = |(first, last): (u32, u32)| {
            let lines: Vec<String> = (first..=last)
                .map(|line| format!("{file}:{line}"))
                .collect();
            let runs = |ix: &usize| {
                lines
                    .iter()
                    .any(|line| self.cases[*ix].lines.contains(line))
            };
            all.clone().filter(runs).collect::<Vec<_>>()
        };
        let of_entry = || match mutant.entry() {
            Some(entry) => {
                let reaches = |ix: &usize| self.cases[*ix].entries.contains(entry);
                all.clone().filter(reaches).collect()
            }
            None => Vec::new(),
        };
        match mutant.site.reach {
            Reach::Line { line, script } => {
                let name = format!("{file}:{line}");
                let in_script = runs_any(script);
                let runs = |ix: &usize| self.cases[*ix].lines.contains(&name);
                let reaching: Vec<usize> = if self.statements.contains(&name) {
                    all.clone().filter(runs).collect()
                } else {
                    in_script.clone()
                };
                let near = if in_script.is_empty() {
                    of_entry()
                } else {
                    in_script
                };
                NearCases {
                    near: if reaching.is_empty() {
                        near
                    } else {
                        reaching.clone()
                    },
                    reaching,
                    others: Vec::new(),
                }
            }
            Reach::Anything(script) => {
                let mut reaching = script.map(runs_any).unwrap_or_default();
                for ix in of_entry() {
                    if !reaching.contains(&ix) {
                        reaching.push(ix);
                    }
                }
                let others = all.clone().filter(|ix| !reaching.contains(ix)).collect();
                NearCases {
                    near: reaching.clone(),
                    reaching,
                    others,
                }
            }
        }
    }
}

/// Plays a case once and records what it reaches.
fn play(
    library: &PackLibrary,
    pack: &str,
    name: &str,
    case: &Case,
    recorders: &mut GameRecorders,
) -> Result<PassingCase, ()> {
    let mut failures = CaseFailures::new(&library.set.files);
    let laid = if case.setup.files.is_empty() {
        None
    } else {
        Some(with_overlay(library, pack, case, &mut failures).ok_or(())?)
    };
    let mut own = GameRecorders::new();
    let (library, recorders) = match &laid {
        Some(laid) => (laid, &mut own),
        None => (library, recorders),
    };
    let game = choice(library, pack, case).map_err(|_| ())?;
    let at = opened(library, &game, recorders).ok_or(())?;
    let (open, recorder) = &mut recorders[at];
    recorder.begin();
    let passed = trial::run(library, open, pack, case, u64::MAX);
    let mut passed = passed.map_err(|_| ())?;
    let steps = passed.game.steps();
    recorder.record(&mut passed.game, &Witness::Case(String::new()));
    let mut items: Vec<CoverageItem> = std::mem::take(&mut recorder.witnesses)
        .into_keys()
        .collect();
    if laid.is_some() {
        // Lines of files that the case replaces are not those of the pack.
        let root = library.set.pack(pack).map_or("", |(_, pack)| &pack.root);
        let files = case.setup.files.iter();
        let files: Vec<String> = files
            .map(|(path, _)| format!("{root}/{}:", path.value))
            .collect();
        items.retain(|(_, name)| !files.iter().any(|file| name.starts_with(file)));
    }
    let of = |wanted: CoverageKind| {
        let own = items.iter().filter(move |(kind, _)| *kind == wanted);
        own.map(|(_, name)| name.clone()).collect()
    };
    Ok(PassingCase {
        name: name.to_owned(),
        case: Box::new(case.clone()),
        choice: game,
        snapshot: passed.snapshot,
        steps,
        lines: of(CoverageKind::Line),
        entries: of(CoverageKind::Entry),
    })
}

fn opened(library: &PackLibrary, choice: &GameChoice, all: &mut GameRecorders) -> Option<usize> {
    if let Some(at) = all.iter().position(|(open, _)| open[0].0 == *choice) {
        return Some(at);
    }
    let (opened, report) = library.open_reusing(choice, None, Reuse::Nothing, LintLevel::Names);
    let opened = opened.filter(|_| report.has_no_errors())?;
    let recorder = CoverageRecorder::new(&opened, &library.set.files);
    all.push((vec![(choice.clone(), opened)], recorder));
    Some(all.len() - 1)
}

fn statement_lines(library: &PackLibrary, pack: &str, recorders: &GameRecorders) -> Vec<String> {
    let goals = recorders
        .iter()
        .flat_map(|(_, recorder)| recorder.goals(pack, &library.set.files));
    let lines = goals.filter(|((kind, _), _)| *kind == CoverageKind::Line);
    lines.map(|((_, name), _)| name).collect()
}
