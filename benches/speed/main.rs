//! Benchmarks. `cargo bench` measures everything in one interleaved run and prints tables of
//! medians and ratios; `cargo bench -- --quick` does the same with few repetitions.
//!
//! For callgrind, `cargo bench -- fights KIND N` only runs fights, and `-- packs N` opens one pack
//! and changes a file of it N times. `-- reload` saves a card of the Old World while a game runs.

#![allow(clippy::disallowed_methods, reason = "benchmarks read the clock")]
#![allow(clippy::print_stdout, reason = "this is a program of its own")]
#![allow(
    clippy::cast_precision_loss,
    reason = "times in nanoseconds, shown to three digits"
)]

mod bare;
mod closures;
mod packs;
mod reload;
mod state;

use std::hint::black_box;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use kaer::agents::RandomPlayer;
use kaer::game::{Game, Rules, Setup, State};
use kaer::library::PackLibrary;
use kaer::pack::{GameChoice, PackSource};

/// The allocator of the `kaer` command.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const FIGHTS: u64 = 400;
const ROUNDS: usize = 15;

static QUICK: AtomicBool = AtomicBool::new(false);

/// How often to measure something: `count` times, or at most three times with `--quick`.
pub fn repeats(count: usize) -> usize {
    if QUICK.load(Ordering::Relaxed) {
        count.min(3)
    } else {
        count
    }
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Opens the pack *duel*.
fn duel() -> Rc<Rules> {
    let library = PackLibrary::load(vec![PackSource::folder("tests/packs/duel")]);
    let choice = GameChoice {
        mode: "duel:duel".into(),
        ..GameChoice::default()
    };
    let (rules, report) = library.open(&choice, None);
    assert!(report.has_no_errors(), "duel has no errors");
    rules.expect("duel opens")
}

fn setup(log: bool) -> Setup {
    Setup {
        names: vec!["A".into(), "B".into()],
        seed: 1,
        log,
        ..Setup::default()
    }
}

/// A game at the first decision of its fight, after each seat has bought what it could.
fn game_at_fight(rules: &Rc<Rules>) -> Game {
    let mut game = Game::new(rules.clone(), setup(true)).expect("two players");
    game.run();
    while game.context().fight().is_none() {
        let decision = game.decision().expect("the market asks");
        let open = |prefix: &str| {
            decision
                .options
                .iter()
                .find(|o| o.closed.is_none() && o.key.starts_with(prefix))
        };
        let key = open("buy")
            .or_else(|| open("odd-jobs"))
            .expect("odd jobs are always open")
            .key
            .clone();
        game.answer_keys(decision.seats[0], &[key])
            .expect("an open option");
    }
    game
}

struct Fights {
    bare: bare::Fight,
    scripted: Game,
    closures: Game,
    start: State,
}

impl Fights {
    fn new() -> Fights {
        let rules = duel();
        let game = game_at_fight(&rules);
        let start = game.step_start_state().clone();
        let runner = closures::Closures::new(&rules.content);
        let closures = rules.with_runner(Box::new(runner));
        Fights {
            bare: bare::Fight::capture(game.context()),
            scripted: Game::new(rules, setup(true)).expect("two players"),
            closures: Game::new(Rc::new(closures), setup(true)).expect("two players"),
            start,
        }
    }

    fn bare(&self, seed: u64) -> u64 {
        self.bare.clone().run(seed)
    }

    fn engine(game: &mut Game, start: &State, seed: u64) -> u64 {
        game.reset(start);
        game.seat_agent(Some(Box::new(RandomPlayer::new(seed))));
        game.run();
        assert!(game.faults().is_empty(), "{:?}", game.faults());
        let over = game.state().outcome.as_ref().expect("a fight ends");
        over.winners.first().map_or(9, |seat| seat.0.into())
    }

    fn run(&mut self, kind: usize, seed: u64) -> u64 {
        match kind {
            0 => self.bare(seed),
            1 => Fights::engine(&mut self.closures, &self.start, seed),
            _ => Fights::engine(&mut self.scripted, &self.start, seed),
        }
    }
}

fn checksum(sum: u64, winner: u64) -> u64 {
    sum.wrapping_mul(31).wrapping_add(winner)
}

fn fights() {
    let mut fights = Fights::new();
    let mut times = [Vec::new(), Vec::new(), Vec::new()];
    let mut sums = [0u64; 3];
    let mut hooks = 0;
    let rounds = repeats(ROUNDS);
    for round in 0..rounds {
        for kind in 0..3 {
            let started = Instant::now();
            for seed in 0..FIGHTS {
                let winner = black_box(fights.run(kind, seed + round as u64 * FIGHTS));
                sums[kind] = checksum(sums[kind], winner);
                hooks += if kind == 2 {
                    u64::from(fights.scripted.hook_runs())
                } else {
                    0
                };
            }
            times[kind].push(started.elapsed().as_nanos() as f64 / FIGHTS as f64);
        }
    }
    assert!(
        sums[0] == sums[1] && sums[1] == sums[2],
        "the three play different fights: {sums:x?}"
    );
    let [bare, closures, scripted] = times.map(median);
    let hooks = hooks as f64 / (rounds as u64 * FIGHTS) as f64;
    println!(
        "| the fight of *duel* (checksum {:x}) | ns per fight | times bare | times closures |",
        sums[0]
    );
    println!("| --- | --- | --- | --- |");
    println!("| bare Rust | {bare:.0} | 1.0 | |");
    println!(
        "| engine, hooks as closures, log on | {closures:.0} | {:.1} | 1.0 |",
        closures / bare
    );
    println!(
        "| engine, hooks as scripts, log on | {scripted:.0} | {:.1} | {:.2} |",
        scripted / bare,
        scripted / closures
    );
    println!(
        "\n{hooks:.1} hooks per fight; a script hook costs {:.0} ns more than its closure",
        (scripted - closures) / hooks
    );
}

/// Suspending and resuming: decisions per second, early and late in a fight.
fn decisions() {
    let rules = duel();
    let game = game_at_fight(&rules);
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); 4];
    let (mut all, mut count) = (0.0, 0u64);
    for seed in 0..10 * repeats(60) as u64 {
        let mut game = game.clone();
        let mut agent = RandomPlayer::new(seed);
        let mut number = 0;
        let started = Instant::now();
        let mut at = started;
        while let Some(ask) = game.pending() {
            let answer = kaer::game::Agent::decide(&mut agent, game.context(), ask);
            game.answer(answer).expect("a valid answer");
            number += 1;
            if number % 8 == 0 {
                let now = Instant::now();
                let part: usize = (number / 8 - 1).min(3);
                times[part].push((now - at).as_nanos() as f64 / 8.0);
                at = now;
            }
        }
        all += started.elapsed().as_nanos() as f64;
        count += number as u64;
    }
    let each = all / count as f64;
    println!(
        "\nsuspend and resume: {:.0} decisions per second ({each:.0} ns each, including what runs between them)",
        1e9 / each
    );
    let parts: Vec<String> = times
        .into_iter()
        .map(|part| {
            if part.is_empty() {
                "none".to_owned()
            } else {
                format!("{:.0}", median(part))
            }
        })
        .collect();
    println!(
        "ns per decision in a fight's decisions 1-8, 9-16, 17-24, later: {}",
        parts.join(", ")
    );
}

/// An event without listeners costs a load and a branch, compared with the same loop without it.
fn event_without_listeners() {
    let rules = duel();
    let game = Game::new(rules.clone(), setup(false)).expect("two players");
    let id = rules
        .content
        .listeners
        .without_listeners()
        .next()
        .expect("duel has an event without listeners");
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..repeats(ROUNDS) {
        for (kind, times) in times.iter_mut().enumerate() {
            let started = Instant::now();
            let mut heard = 0u64;
            for _ in 0..1_000_000 {
                let id = black_box(id);
                heard += u64::from(kind == 1 && game.context().has_listeners(id));
            }
            assert!(black_box(heard) == 0, "the event has no listeners");
            times.push(started.elapsed().as_nanos() as f64 / 1e6);
        }
    }
    let [empty, asked] = times.map(median);
    println!(
        "\nan event nobody hears: {:.2} ns ({asked:.2} in a loop that takes {empty:.2} by itself)",
        asked - empty
    );
}

fn main() {
    let mut args: Vec<String> = std::env::args()
        .skip(1)
        .filter(|arg| arg != "--bench")
        .collect();
    if args.first().is_some_and(|arg| arg == "--quick") {
        QUICK.store(true, Ordering::Relaxed);
        args.remove(0);
    }
    if let [what, kind, count] = &args[..]
        && what == "fights"
    {
        let kind = ["bare", "closures", "scripts"]
            .iter()
            .position(|name| name == kind)
            .expect("bare, closures or scripts");
        let mut all = Fights::new();
        let sum = (0..count.parse().expect("a number"))
            .fold(0, |sum, seed| checksum(sum, all.run(kind, seed)));
        println!("{sum:x}");
        return;
    }
    if args.first().is_some_and(|what| what == "packs") {
        return match args.get(1).map(|count| count.parse().expect("a number")) {
            Some(changes) => packs::change_repeatedly(changes),
            None => packs::run(),
        };
    }
    if args.first().is_some_and(|what| what == "reload") {
        return reload::reload();
    }
    fights();
    decisions();
    event_without_listeners();
    state::run();
    packs::run();
    reload::reload();
}
