//! Runs many games between bots on all cores. The results do not depend on the number of cores.

use crate::number::cast;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use serde::Serialize;

use super::{HookTime, Profile, check_invariants};
use crate::agents::{AgentTable, AnswerLimit, Budget, InlineBots, Player, setup_for};
use crate::content::{Content, SeatId};
use crate::game::{Game, Rules, Setup, Status};
use crate::library::PackLibrary;
use crate::pack::{GameChoice, PackSource};

/// A game is aborted after this many decisions, regardless of its turn limit.
const MAX_DECISIONS: u64 = 200_000;
/// The number of faults to report as text.
const MAX_FAULT_TEXTS: usize = 5;

/// The games to play.
#[derive(Clone, Debug)]
pub struct SimulationPlan {
    pub sources: Vec<PackSource>,
    /// The mode, packs and options.
    pub choice: GameChoice,
    /// The players, by seat.
    pub players: Vec<Player>,
    /// Whether to cycle through all arrangements of roles, so that each is equally frequent.
    pub all_roles: bool,
    pub games: u64,
    /// The seed of the first game; every further game adds 1.
    pub seed: u64,
    /// A game is aborted when a seat has had more turns than this.
    pub turns: u32,
    /// Whether to check the invariants at every decision; see [`check_invariants`].
    pub check: bool,
    /// The playouts per decision of bots that search.
    pub playouts: usize,
}

/// The results of the games.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SimulationReport {
    pub games: u64,
    /// Games that reached their end.
    pub ended: u64,
    pub faults: u64,
    /// The texts of the first faults.
    pub fault_texts: Vec<String>,
    /// Wins by seat.
    pub wins: Vec<u64>,
    pub decisions: u64,
    /// The number of finished games by their number of turns, counted for the seat with the most.
    pub turns: BTreeMap<u32, u64>,
    /// The statistics of the packs, by title and group.
    pub statistics: BTreeMap<String, BTreeMap<String, i64>>,
}

impl SimulationReport {
    /// The number of turns within which this percentage of the finished games ended.
    #[must_use]
    pub fn turns_at(&self, hundredths: u64) -> u32 {
        let mut before = 0;
        for (turns, games) in &self.turns {
            before += games;
            if before * 100 >= self.ended * hundredths {
                return *turns;
            }
        }
        0
    }

    /// Adds the results of other games.
    pub fn merge(&mut self, other: SimulationReport) {
        self.games += other.games;
        self.ended += other.ended;
        self.faults += other.faults;
        self.decisions += other.decisions;
        let room = MAX_FAULT_TEXTS.saturating_sub(self.fault_texts.len());
        self.fault_texts
            .extend(other.fault_texts.into_iter().take(room));
        self.wins.resize(self.wins.len().max(other.wins.len()), 0);
        for (mine, theirs) in self.wins.iter_mut().zip(other.wins) {
            *mine += theirs;
        }
        for (turns, games) in other.turns {
            *self.turns.entry(turns).or_default() += games;
        }
        for (name, groups) in other.statistics {
            let own = self.statistics.entry(name).or_default();
            for (group, number) in groups {
                *own.entry(group).or_default() += number;
            }
        }
    }
}

/// Plays the games. `done` is called with the number of finished games, from any thread.
///
/// # Errors
/// Returns the reason if the packs have errors, a game cannot start, or an invariant is violated.
pub fn simulate(
    plan: &SimulationPlan,
    done: &(dyn Fn(u64) + Sync),
) -> Result<SimulationReport, String> {
    let threads = thread::available_parallelism()
        .map_or(1, usize::from)
        .min(64);
    let next = AtomicU64::new(0);
    let over = AtomicU64::new(0);
    // Threads take one game at a time. Results are merged by game number, regardless of the thread.
    let work = || -> Result<Vec<(u64, SimulationReport)>, String> {
        let rules = open(plan)?;
        let mut sums = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= plan.games {
                return Ok(sums);
            }
            sums.push((number, play_one(plan, &rules, number)?));
            done(over.fetch_add(1, Ordering::Relaxed) + 1);
        }
    };
    let mut all = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let mut all = Vec::new();
        for worker in workers {
            match worker.join() {
                Ok(sums) => all.extend(sums?),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        Ok::<_, String>(all)
    })?;
    all.sort_by_key(|(number, _)| *number);
    let mut sum = SimulationReport::default();
    all.into_iter().for_each(|(_, one)| sum.merge(one));
    Ok(sum)
}

/// Plays the games on one core and measures every hook. Returns the hooks by name, slowest first.
///
/// # Errors
/// Returns the reason if the packs have errors or a game cannot start.
pub fn profile(
    plan: &SimulationPlan,
    done: &dyn Fn(u64),
) -> Result<(SimulationReport, Vec<(String, HookTime)>), String> {
    let (rules, profile) = Profile::attach(&open(plan)?);
    let mut sum = SimulationReport::default();
    for number in 0..plan.games {
        sum.merge(play_one(plan, &rules, number)?);
        done(number + 1);
    }
    let named = profile
        .hooks()
        .into_iter()
        .map(|(hook, spent)| (rules.content.hook_name(hook), spent));
    Ok((sum, named.collect()))
}

fn open(plan: &SimulationPlan) -> Result<Rc<Rules>, String> {
    let library = PackLibrary::load(plan.sources.clone());
    let (rules, report) = library.open(&plan.choice, None);
    rules
        .filter(|_| report.has_no_errors() && library.report.has_no_errors())
        .ok_or_else(|| "the packs have errors: run `kaer check`".to_owned())
}

/// Plays one of the games.
///
/// # Errors
/// Returns the reason if the game cannot start, or an invariant is violated.
pub fn play_one(
    plan: &SimulationPlan,
    rules: &Rc<Rules>,
    number: u64,
) -> Result<SimulationReport, String> {
    let mut players = plan.players.clone();
    if plan.all_roles {
        deal_roles(&rules.content, &mut players, number)?;
    }
    let seed = plan.seed.wrapping_add(number);
    let setup = Setup {
        without_labels: true,
        ..setup_for(&players, seed)
    };
    let mut game = Game::new(rules.clone(), setup)?;
    let table = AgentTable::new(&players, seed).with_budget(Budget::Playouts(plan.playouts));
    let limit = AnswerLimit {
        answers: MAX_DECISIONS,
        turns: plan.turns,
    };
    let inline = table.inline(limit).filter(|_| !plan.check);
    if let Some(bots) = &inline {
        game.seat_agent(Some(Box::new(bots.clone())));
    }
    let mut status = game.run();
    let mut decisions = inline.as_ref().map_or(0, InlineBots::answer_count);
    let (mut failed_evaluations, mut fault_texts) = (0, Vec::new());
    while status == Status::Asking && turns(&game) <= plan.turns && decisions < MAX_DECISIONS {
        if plan.check {
            check_invariants(&game)
                .map_err(|reason| format!("seed {seed}, decision {decisions}: {reason}"))?;
        }
        let answer = match table.answer_nth(&game, decisions) {
            Ok(answer) => answer,
            Err(reason) => {
                failed_evaluations += 1;
                fault_texts.push(reason);
                fault_texts.truncate(MAX_FAULT_TEXTS);
                table.random_answer(&game, decisions)
            }
        };
        let answer = answer.ok_or("a human player cannot be simulated: use a bot")?;
        status = game.answer(answer)?;
        decisions += 1;
    }
    let mut sum = SimulationReport {
        games: 1,
        wins: vec![0; players.len()],
        decisions,
        ..SimulationReport::default()
    };
    add_results(&game, &mut sum);
    sum.faults += failed_evaluations;
    sum.fault_texts.extend(fault_texts);
    sum.fault_texts.truncate(MAX_FAULT_TEXTS);
    Ok(sum)
}

/// Assigns the arrangement of roles with this number. No two players have the same role.
fn deal_roles(content: &Content, players: &mut [Player], number: u64) -> Result<(), String> {
    let kind = content
        .mode
        .as_ref()
        .and_then(|mode| mode.roles)
        .ok_or("this mode has no roles")?;
    let mut left: Vec<String> = content
        .of_kind(kind)
        .map(|entry| content.entry(entry).id.to_string())
        .collect();
    if left.len() < players.len() {
        return Err(format!(
            "too few roles ({}) for {} players",
            left.len(),
            players.len()
        ));
    }
    let mut number = number;
    for player in players {
        let count = left.len() as u64;
        player.role = Some(left.remove(cast::<_, usize>(number % count)));
        number /= count;
    }
    Ok(())
}

fn turns(game: &Game) -> u32 {
    game.state().turns.iter().copied().max().unwrap_or(0)
}

fn add_results(game: &Game, sum: &mut SimulationReport) {
    let context = game.context();
    sum.faults = game.faults().len() as u64;
    sum.fault_texts = game
        .faults()
        .iter()
        .take(MAX_FAULT_TEXTS)
        .map(|fault| crate::game::describe(context, fault))
        .collect();
    if let Some(outcome) = &game.state().outcome {
        sum.ended = 1;
        sum.turns.insert(turns(game), 1);
        for SeatId(seat) in &outcome.winners {
            sum.wins[usize::from(*seat)] += 1;
        }
    }
    for (entry, group, number) in game.state().tallies.iter() {
        let title = game.content().entry(*entry).title.to_string();
        *sum.statistics
            .entry(title)
            .or_default()
            .entry(group.to_string())
            .or_default() += number;
    }
}
