//! Runs the cases of a pack against its mutants, on all cores. The results do not depend on the
//! number of cores.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::baseline::{Baseline, NearCases};
use super::declarations::Declaration;
use super::mutant::{Mutant, MutantDiff};
use super::plan::MutationPlan;
use crate::cases::diagnostics::with_overlay;
use crate::cases::failures::CaseFailures;
use crate::cases::run::OpenedGames;
use crate::cases::runner::CaseFile;
use crate::cases::trial;
use crate::diagnostic::Span;
use crate::explore::outcomes;
use crate::library::{LintLevel, OpenedGame, PackLibrary, Reuse};
use crate::pack::{self, GameChoice, ReloadKind};

/// A case may take this many times the steps that it takes without a mutation.
const MAX_SLOWDOWN: u64 = 4;
/// Steps that any case may take.
const MIN_STEPS: u64 = 500;
/// A stale declaration is only reported after this many other mutants of its line were caught.
const MAX_TRIED: usize = 40;

/// Which mutants to try.
pub struct MutationRequest<'a> {
    /// The number of mutants.
    pub count: usize,
    /// The order in which places are drawn.
    pub seed: u64,
    /// The number of threads.
    pub jobs: usize,
    /// Only cases whose file or name contains this.
    pub filter: &'a str,
    /// Whether the pack has a snapshot of its outcomes, which counts as a case.
    pub has_outcomes: bool,
    /// Whether to stop before any case runs.
    pub only_list: bool,
}

/// What became of a mutant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MutantFate {
    /// No case ran.
    Listed,
    /// A case failed.
    Caught {
        /// The file and the name of the case.
        by: String,
    },
    /// Every case passed.
    Survived,
    /// Every case passed, and the pack says why no case can fail.
    Equivalent {
        /// The reason in the pack.
        reason: String,
    },
}

/// A mutant and what became of it.
#[derive(Clone, Debug)]
pub struct MutantResult {
    /// The mutant.
    pub mutant: Mutant,
    /// The lines that it changes.
    pub diff: MutantDiff,
    /// What became of it.
    pub fate: MutantFate,
    /// Whether a case could notice it: one runs the line, or the change is not in a script.
    pub is_reached: bool,
    /// The cases that reach the place or, if there is none, its entry or script.
    pub near: Vec<String>,
}

/// A comment that declares mutants as equivalent, although cases catch them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StaleDeclaration {
    /// The file of the comment.
    pub file: String,
    /// Its line.
    pub line: u32,
    /// Its reason.
    pub reason: String,
    /// A case that catches a mutant.
    pub by: String,
}

/// The results for a pack.
#[derive(Clone, Debug, Default)]
pub struct MutationRun {
    /// The number of places where the pack can be broken.
    pub places: usize,
    /// The number of cases.
    pub cases: usize,
    /// The mutants in the order in which they were drawn.
    pub results: Vec<MutantResult>,
    /// Declarations that are wrong.
    pub stale: Vec<StaleDeclaration>,
}

impl MutationRun {
    /// The numbers of mutants that were caught, that survived, and that are declared as equivalent.
    #[must_use]
    pub fn counts(&self) -> (usize, usize, usize) {
        let count = |matches: fn(&MutantFate) -> bool| {
            let own = self.results.iter().filter(|result| matches(&result.fate));
            own.count()
        };
        (
            count(|fate| matches!(fate, MutantFate::Caught { .. })),
            count(|fate| matches!(fate, MutantFate::Survived)),
            count(|fate| matches!(fate, MutantFate::Equivalent { .. })),
        )
    }
}

/// Tries the first mutants of a plan that load without errors.
///
/// # Errors
/// Returns the cases that fail without any mutation.
pub fn run(
    library: &PackLibrary,
    pack: &str,
    files: &[CaseFile],
    request: &MutationRequest,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<MutationRun, Vec<String>> {
    let own = library.with_test_functions(pack);
    let library = own.as_ref().unwrap_or(library);
    let plan = MutationPlan::new(library, pack, request.seed);
    let baseline = Baseline::new(library, pack, files, request.filter, request.jobs)?;
    let outcomes = request
        .has_outcomes
        .then(|| outcomes::case(library, pack, request.filter)?.snapshot)
        .flatten();
    let new_runner = || {
        let outcomes = outcomes.as_deref();
        MutantRunner::new(library, pack, &baseline, request.only_list, outcomes)
    };
    let (next, valid) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let found = Mutex::new(BTreeMap::new());
    let work = || {
        let mut runner = new_runner();
        while valid.load(Ordering::Relaxed) < request.count {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(mutant) = plan.mutant(library, number) else {
                return;
            };
            let Some(result) = runner.result(mutant) else {
                continue;
            };
            if let Ok(mut found) = found.lock() {
                found.insert(number, result);
            }
            progress((valid.fetch_add(1, Ordering::Relaxed) + 1).min(request.count));
        }
    };
    thread::scope(|scope| {
        for _ in 0..request.jobs.clamp(1, request.count.max(1)) {
            scope.spawn(work);
        }
    });
    // Another thread may have finished a few more. Every number below theirs was tried too, so that
    // the first ones are always the same.
    let found = found.into_inner().unwrap_or_default();
    let results: Vec<MutantResult> = found.into_values().take(request.count).collect();
    let mut runner = new_runner();
    Ok(MutationRun {
        places: plan.len(),
        cases: baseline.cases.len() + usize::from(outcomes.is_some()),
        stale: runner.stale(&plan, &results),
        results,
    })
}

/// Runs cases against mutants. Games without a mutation stay open, so that a mutant only reads what
/// it changes.
struct MutantRunner<'a> {
    library: &'a PackLibrary,
    pack: &'a str,
    baseline: &'a Baseline,
    only_list: bool,
    /// The snapshot of the outcomes without a mutation.
    outcomes: Option<&'a str>,
    open: OpenedGames,
}

/// The packs with a mutation.
struct MutatedPacks {
    library: PackLibrary,
    /// What changed, if only one file had to be read again.
    changed: Option<ReloadKind>,
    open: OpenedGames,
}

impl<'a> MutantRunner<'a> {
    fn new(
        library: &'a PackLibrary,
        pack: &'a str,
        baseline: &'a Baseline,
        only_list: bool,
        outcomes: Option<&'a str>,
    ) -> Self {
        Self {
            library,
            pack,
            baseline,
            only_list,
            outcomes,
            open: OpenedGames::new(),
        }
    }

    /// Runs the cases that may notice a mutant. `None` if it has errors.
    fn result(&mut self, mutant: Mutant) -> Option<MutantResult> {
        let cases = self.baseline.near(&mutant);
        let fate = self.fate(&mutant, &cases)?;
        let name = |ix: &usize| self.baseline.cases[*ix].name.clone();
        Some(MutantResult {
            diff: mutant.diff(&self.library.set.files),
            fate,
            is_reached: !cases.reaching.is_empty() || !cases.others.is_empty(),
            near: cases.near.iter().map(name).collect(),
            mutant,
        })
    }

    /// Runs cases until one fails. `None` if the mutant has errors.
    fn fate(&mut self, mutant: &Mutant, cases: &NearCases) -> Option<MutantFate> {
        let caught = |by: &str| MutantFate::Caught { by: by.to_owned() };
        let mut packs = self.mutated(mutant)?;
        if let Some(first) = self.baseline.cases.first() {
            self.open_mutated(&mut packs, &first.choice)?;
        }
        if self.only_list {
            return Some(MutantFate::Listed);
        }
        for ix in cases.reaching.iter().chain(&cases.others) {
            let case = &self.baseline.cases[*ix];
            let max_steps = case.steps * MAX_SLOWDOWN + MIN_STEPS;
            let passed = if case.case.setup.files.is_empty() {
                self.open_mutated(&mut packs, &case.choice)?;
                let MutatedPacks { library, open, .. } = &mut packs;
                trial::run(library, open, self.pack, &case.case, max_steps)
            } else {
                let mut failures = CaseFailures::new(&packs.library.set.files);
                let overlaid = with_overlay(&packs.library, self.pack, &case.case, &mut failures)?;
                if !overlaid.report.has_no_errors() {
                    return Some(caught(&case.name));
                }
                let mut open = OpenedGames::new();
                trial::run(&overlaid, &mut open, self.pack, &case.case, max_steps)
            };
            if passed.is_ok_and(|passed| passed.snapshot == case.snapshot) {
                continue;
            }
            return Some(caught(&case.name));
        }
        if self.changes_outcomes(&packs) {
            return Some(caught(outcomes::NAME));
        }
        Some(match &mutant.declaration {
            Some(Declaration { reason, .. }) => MutantFate::Equivalent {
                reason: reason.clone(),
            },
            None => MutantFate::Survived,
        })
    }

    /// Whether the snapshot of the outcomes changes.
    fn changes_outcomes(&self, packs: &MutatedPacks) -> bool {
        self.outcomes.as_ref().is_some_and(|before| {
            let case = outcomes::case(&packs.library, self.pack, "");
            case.and_then(|case| case.snapshot).as_deref() != Some(*before)
        })
    }

    /// The packs with a mutation, if they have no errors.
    fn mutated(&self, mutant: &Mutant) -> Option<MutatedPacks> {
        let set = &self.library.set;
        let text = mutant.text(&set.files);
        if let Some((set, changed)) = pack::reload_file(set, &mutant.file, &text) {
            let report = self.library.report.clone();
            return Some(MutatedPacks {
                library: PackLibrary { set, report },
                changed: Some(changed),
                open: OpenedGames::new(),
            });
        }
        let (_, held) = set.pack(self.pack)?;
        let path = mutant.file.strip_prefix(&held.root)?.strip_prefix('/')?;
        let sources = set.with_overlay(self.pack, &[(path, &text)]);
        let library = PackLibrary::reload(sources, Some(self.library));
        let library = library.with_test_functions(self.pack).unwrap_or(library);
        library.report.has_no_errors().then(|| MutatedPacks {
            library,
            changed: None,
            open: OpenedGames::new(),
        })
    }

    /// Opens a game of mutated packs, unless it is open. `None` if it has errors.
    fn open_mutated(&mut self, packs: &mut MutatedPacks, choice: &GameChoice) -> Option<()> {
        if packs.open.iter().any(|(own, _)| own == choice) {
            return Some(());
        }
        let base = self.opened(choice)?;
        let reuse = match &packs.changed {
            Some(changed) => Reuse::AllButOneFile(base, changed),
            None => Reuse::OlderFiles(base),
        };
        let (opened, report) = packs
            .library
            .open_reusing(choice, None, reuse, LintLevel::Names);
        let opened = opened.filter(|_| report.has_no_errors())?;
        packs.open.push((choice.clone(), opened));
        Some(())
    }

    /// A game without a mutation.
    fn opened(&mut self, choice: &GameChoice) -> Option<&OpenedGame> {
        let at = self.open.iter().position(|(own, _)| own == choice);
        let at = match at {
            Some(at) => at,
            None => {
                let (opened, _) =
                    self.library
                        .open_reusing(choice, None, Reuse::Nothing, LintLevel::Names);
                self.open.push((choice.clone(), opened?));
                self.open.len() - 1
            }
        };
        self.open.get(at).map(|(_, opened)| opened)
    }

    /// The declarations whose mutants are all caught.
    fn stale(&mut self, plan: &MutationPlan, results: &[MutantResult]) -> Vec<StaleDeclaration> {
        let mut places: BTreeMap<(String, usize), Vec<&MutantResult>> = BTreeMap::new();
        for result in results {
            if let Some(declaration) = &result.mutant.declaration {
                let place = (result.mutant.file.clone(), declaration.at);
                places.entry(place).or_default().push(result);
            }
        }
        let mut stale = Vec::new();
        for ((file, at), own) in places {
            let caught = own.iter().find_map(|result| match &result.fate {
                MutantFate::Caught { by } => Some((by, &result.mutant)),
                _ => None,
            });
            let survives =
                |result: &&MutantResult| !matches!(result.fate, MutantFate::Caught { .. });
            let Some((by, mutant)) = caught.filter(|_| !own.iter().any(survives)) else {
                continue;
            };
            if self.any_survives(plan, &file, at) {
                continue;
            }
            let span = Span::new(mutant.site.file, at, at);
            let declaration = mutant.declaration.as_ref();
            stale.push(StaleDeclaration {
                line: self.library.set.files.line_col(span).0,
                reason: declaration
                    .map(|own| own.reason.clone())
                    .unwrap_or_default(),
                by: by.clone(),
                file,
            });
        }
        stale
    }

    /// Whether a mutant that a declaration covers survives.
    fn any_survives(&mut self, plan: &MutationPlan, file: &str, at: usize) -> bool {
        let all = (0..plan.len()).filter_map(|number| plan.mutant(self.library, number));
        let own = all.filter(|mutant| {
            let declaration = mutant.declaration.as_ref();
            mutant.file == file && declaration.is_some_and(|own| own.at == at)
        });
        let own: Vec<Mutant> = own.take(MAX_TRIED).collect();
        own.into_iter().any(|mutant| {
            let result = self.result(mutant);
            result.is_some_and(|own| matches!(own.fate, MutantFate::Equivalent { .. }))
        })
    }
}
