//! Combinations of packs: every mode alone, with each expansion, with every pair and with all of
//! them. Each combination is opened, and a few random games are played in it.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use crate::agents::search::PLAYOUTS;
use crate::agents::{Player, PlayerKind};
use crate::diagnostic::{Confidence, Diagnostic, Severity};
use crate::library::{LintLevel, PackLibrary, Reuse};
use crate::pack::{GameChoice, Origin};
use crate::simulation::{SimulationPlan, SimulationReport, play_one};

/// How many games to play, and how.
#[derive(Clone, Copy, Debug)]
pub struct MatrixEffort {
    /// Number of games in each combination.
    pub games: u64,
    /// The seed of the first game of each combination; every further game adds 1.
    pub seed: u64,
    /// Number of combinations to try at the same time.
    pub jobs: usize,
}

/// A game is stopped when a seat has had more turns than this.
const MAX_TURNS: u32 = 60;

/// A combination and what happened.
#[derive(Clone, Debug)]
pub struct MatrixRow {
    /// The mode, as `pack:mode`.
    pub mode: String,
    /// The ids of the packs that are added.
    pub with: Vec<String>,
    /// What happened.
    pub result: MatrixResult,
}

/// What happened in a combination.
#[derive(Clone, Debug)]
pub enum MatrixResult {
    /// The packs cannot be played together: one of them declares a conflict or excludes the mode.
    Excluded(String),
    /// The packs were opened.
    Opened {
        /// Errors and warnings of opening the packs.
        diagnostics: Vec<Diagnostic>,
        /// The games played.
        games: u64,
        /// The games that reached their end.
        ended: u64,
        /// The number of scripts that failed.
        faults: u64,
        /// The first faults, and violated invariants.
        problems: Vec<String>,
    },
}

impl MatrixRow {
    /// The number of errors and failures.
    #[must_use]
    pub fn errors(&self) -> usize {
        match &self.result {
            MatrixResult::Excluded(_) => 0,
            MatrixResult::Opened {
                diagnostics,
                problems,
                ..
            } => {
                let errors = diagnostics.iter().filter(|found| found.severity.is_error());
                errors.count() + problems.len()
            }
        }
    }

    /// The number of warnings.
    #[must_use]
    pub fn warnings(&self) -> usize {
        match &self.result {
            MatrixResult::Excluded(_) => 0,
            MatrixResult::Opened { diagnostics, .. } => {
                let all = diagnostics.iter();
                all.filter(|found| found.severity == Severity::Warning)
                    .count()
            }
        }
    }
}

/// The combinations that contain one of the selected packs. The packs `extra` are added to each.
#[must_use]
pub fn combinations(
    library: &PackLibrary,
    wanted: impl Fn(Origin) -> bool,
    extra: &[String],
) -> Vec<GameChoice> {
    let is_wanted = |id: &str| {
        library
            .set
            .pack(id)
            .is_some_and(|(_, pack)| wanted(pack.origin))
    };
    let mut list = Vec::new();
    for mode in library.modes() {
        let base = mode.name.split(':').next().unwrap_or_default();
        let found = library.expansions(&mode.name).into_iter();
        let ids: Vec<String> = found.map(|pack| pack.manifest.id.clone()).collect();
        let mut sets: Vec<Vec<String>> = vec![Vec::new()];
        sets.extend(ids.iter().map(|id| vec![id.clone()]));
        for (at, one) in ids.iter().enumerate() {
            let others = ids[at + 1..].iter();
            sets.extend(others.map(|other| vec![one.clone(), other.clone()]));
        }
        sets.push(library.compatible(&mode.name, &ids).with);
        let mut seen = BTreeSet::new();
        for mut with in sets {
            let more = extra.iter().filter(|id| !with.contains(id) && *id != base);
            with.extend(more.cloned().collect::<Vec<_>>());
            let has_wanted = is_wanted(base) || with.iter().any(|id| is_wanted(id));
            if has_wanted && seen.insert(with.clone()) {
                list.push(GameChoice {
                    mode: mode.name.clone(),
                    with,
                    options: Vec::new(),
                });
            }
        }
    }
    list
}

/// Tries some combinations. `done` receives each result as soon as all earlier ones have arrived.
pub fn run(
    library: &PackLibrary,
    choices: &[GameChoice],
    effort: MatrixEffort,
    mut done: impl FnMut(MatrixRow),
) {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..effort.jobs.clamp(1, choices.len().max(1)) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(choice) = choices.get(at) else {
                        return;
                    };
                    // The receiver is gone only if another thread has panicked.
                    let _ = sender.send((at, row(library, choice, effort)));
                }
            });
        }
        drop(sender);
        let mut waiting = std::collections::BTreeMap::new();
        let mut turn = 0;
        for (at, row) in receiver {
            waiting.insert(at, row);
            while let Some(row) = waiting.remove(&turn) {
                done(row);
                turn += 1;
            }
        }
    });
}

fn row(library: &PackLibrary, choice: &GameChoice, effort: MatrixEffort) -> MatrixRow {
    let result = match library.incompatibility(choice) {
        Some(why) => MatrixResult::Excluded(why),
        None => open_and_play(library, choice, effort),
    };
    MatrixRow {
        mode: choice.mode.clone(),
        with: choice.with.clone(),
        result,
    }
}

fn open_and_play(library: &PackLibrary, choice: &GameChoice, effort: MatrixEffort) -> MatrixResult {
    let (opened, report) = library.open_reusing(choice, None, Reuse::Nothing, LintLevel::All);
    let is_sure = |found: &&Diagnostic| {
        found.confidence != Confidence::Guess && found.severity <= Severity::Warning
    };
    let (mut sum, mut problems) = (SimulationReport::default(), Vec::new());
    if let Some(opened) = opened.filter(|_| report.has_no_errors()) {
        let content = &opened.rules.content;
        let seats = content
            .mode
            .as_ref()
            .map_or((1, 1), |mode| (mode.seats_min.max(1), mode.seats_max));
        for number in 0..effort.games {
            let plan = SimulationPlan {
                sources: Vec::new(),
                choice: choice.clone(),
                players: bots(seats, number),
                all_roles: false,
                games: effort.games,
                seed: effort.seed,
                turns: MAX_TURNS,
                check: true,
                playouts: PLAYOUTS,
            };
            match play_one(&plan, &opened.rules, number) {
                Ok(game) => sum.merge(game),
                Err(why) => problems.push(why),
            }
        }
    }
    problems.extend(std::mem::take(&mut sum.fault_texts));
    MatrixResult::Opened {
        diagnostics: report.iter().filter(is_sure).cloned().collect(),
        games: sum.games,
        ended: sum.ended,
        faults: sum.faults,
        problems,
    }
}

/// Random players. The games alternate between the smallest and the largest number of seats, then
/// try those in between.
fn bots((min, max): (u8, u8), game: u64) -> Vec<Player> {
    let (min, max) = (u64::from(min), u64::from(max.max(min)));
    let span = max - min + 1;
    let seats = match game % span {
        0 => min,
        1 => max,
        between => min + between - 1,
    };
    let bot = |seat| Player::new(format!("Bot {seat}"), PlayerKind::Random);
    (1..=seats).map(bot).collect()
}
