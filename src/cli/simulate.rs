//! `kaer simulate`: statistics of many bot games.

use std::fmt::Write as _;
use std::io::IsTerminal as _;
use std::path::PathBuf;

use super::game_args::{self, BudgetArg, SetupArgs, StartArgs};
use super::{Failure, PackArgs, refuse, screen};
use crate::agents::search::PLAYOUTS;
use crate::agents::{Player, PlayerKind};
use crate::library::{LintLevel, PackLibrary};
use crate::pack::{GameChoice, find};
use crate::simulation::{HookTime, SimulationPlan, SimulationReport, profile, simulate};

mod tables;

#[derive(clap::Args, Clone, Debug)]
pub struct SimulateArgs {
    /// The mode: `pack:mode`, or `mode` if only one pack has it.
    mode: Option<String>,
    #[command(flatten)]
    packs: PackArgs,
    #[command(flatten)]
    setup: SimulationSetupArgs,
    /// Number of games.
    #[arg(long, default_value_t = 1000)]
    games: u64,
    /// Stop a game once any player has taken this many turns.
    #[arg(long, default_value_t = 60)]
    turns: u32,
    /// Rotate roles so that every assignment to seats occurs equally often.
    #[arg(long)]
    all_roles: bool,
    /// Check invariants at every decision: each piece is in one zone, counters are within bounds,
    /// questions can be answered, and the `[[invariant]]` entries of packs hold.
    #[arg(long)]
    check: bool,
    /// Report how often each script ran and how long it took (on one core).
    #[arg(long)]
    profile: bool,
    /// Output format.
    #[arg(long, value_enum, default_value_t = SimulateFormat::Text)]
    format: SimulateFormat,
}

/// The flags of [`SetupArgs`] that apply to games without human players.
#[derive(clap::Args, Clone, Debug)]
struct SimulationSetupArgs {
    /// An expansion to add, by its id (repeatable).
    #[arg(long = "with", value_name = "PACK")]
    with: Vec<String>,
    /// A game option to enable: `oaths`, or `difficulty=hard` (repeatable).
    #[arg(long = "option", value_name = "OPTION[=VALUE]")]
    options: Vec<String>,
    /// Random seed of the first game. The same seed gives the same games.
    #[arg(long, value_parser = game_args::parse_seed, allow_negative_numbers = true)]
    seed: Option<u64>,
    /// A bot: name, type, and optionally its role: `Ann=search`, `Bo=greedy`, `Cy=random`,
    /// `Ann=greedy:bear` (repeatable).
    #[arg(long = "player", value_name = "NAME=BOT[:ROLE]")]
    players: Vec<String>,
    /// Search budget per decision, in playouts.
    #[arg(long, value_name = "PLAYOUTS", value_parser = game_args::parse_budget)]
    thinking: Option<BudgetArg>,
}

impl SimulationSetupArgs {
    fn to_setup_args(&self) -> SetupArgs {
        SetupArgs {
            with: self.with.clone(),
            options: self.options.clone(),
            seed: self.seed,
            players: self.players.clone(),
            thinking: self.thinking,
        }
    }
}

#[derive(clap::ValueEnum, Clone, Copy, Debug)]
enum SimulateFormat {
    /// A readable report.
    Text,
    /// JSON.
    Json,
    /// Markdown tables.
    Markdown,
}

pub fn run(args: &SimulateArgs) -> Result<(), Failure> {
    let setup_args = args.setup.to_setup_args();
    let sources =
        find(&PathBuf::from("."), &args.packs.or_current().paths).map_err(Failure::error)?;
    let library = PackLibrary::load(sources.clone());
    if !library.report.has_no_errors() {
        return Err(refuse(&library, &library.report));
    }
    let modes = library.modes();
    let wanted = args.mode.as_deref();
    let wanted = wanted.ok_or_else(|| {
        Failure::error("name a mode: `kaer simulate MODE` (`kaer list` shows them)")
    })?;
    let mode = game_args::find_mode(&modes, wanted)?;
    if let Some(with) = setup_args.starting_values().first() {
        return Err(Failure::error(format!(
            "`--with {with}` sets a starting value; simulated games start from the beginning, so leave it out"
        )));
    }
    let chosen = game_args::open(
        &library,
        &setup_args,
        &mode,
        &StartArgs::default(),
        LintLevel::Names,
    )?;
    let rules = &chosen.opened.rules;
    let min_seats = rules
        .content
        .mode
        .as_ref()
        .map_or(1, |mode| usize::from(mode.seats_min));
    let mut players = game_args::players(&setup_args.players)?;
    if players.is_empty() {
        players = (1..=min_seats)
            .map(|n| Player::new(format!("Bot {n}"), PlayerKind::bot(&rules.content)))
            .collect();
    }
    if let Some(Player { name, .. }) = players
        .iter()
        .find(|player| player.kind == PlayerKind::Human)
    {
        return Err(Failure::error(format!(
            "{name} is a human player; simulations need bots: write `{name}=greedy` or `{name}=random`"
        )));
    }
    let thinking = match setup_args.thinking {
        None => PLAYOUTS,
        Some(BudgetArg::Playouts(playouts)) => playouts,
        Some(BudgetArg::Time(_)) => {
            let reason = "a time limit would make simulations impossible to reproduce; give a number of playouts: `--thinking 200`";
            return Err(Failure::error(reason));
        }
    };
    let seed = setup_args.seed.unwrap_or(1);
    let header = chosen.header;
    let choice = GameChoice {
        mode: header.mode,
        with: header.with,
        options: header.options,
    };
    let (games, turns, all_roles, check) = (args.games, args.turns, args.all_roles, args.check);
    let plan = SimulationPlan {
        sources,
        choice,
        players,
        all_roles,
        games,
        seed,
        turns,
        check,
        playouts: thinking,
    };
    let is_terminal = std::io::stderr().is_terminal();
    let tell = |done| screen::progress(is_terminal, "", done, args.games);
    if args.profile {
        let (sum, hooks) = profile(&plan, &tell).map_err(Failure::error)?;
        screen::print(&profile_table(&sum, &hooks));
        return Ok(());
    }
    let sum = simulate(&plan, &tell).map_err(Failure::error)?;
    match args.format {
        SimulateFormat::Text => screen::print(&text(&plan, &sum)),
        SimulateFormat::Markdown => screen::print(&tables::markdown(&plan, &sum)),
        SimulateFormat::Json => {
            let json = serde_json::to_string_pretty(&sum)
                .map_err(|error| Failure::error(error.to_string()))?;
            screen::print(&json);
        }
    }
    if sum.faults > 0 {
        Err(Failure::problems_found())
    } else {
        Ok(())
    }
}

/// A table of the 30 slowest scripts.
fn profile_table(sum: &SimulationReport, hooks: &[(String, HookTime)]) -> String {
    let games = sum.games.max(1);
    let runs: u64 = hooks.iter().map(|(_, spent)| spent.runs).sum();
    let whole: u128 = hooks.iter().map(|(_, spent)| spent.time.as_nanos()).sum();
    let mut out = format!(
        "{} games; per game: {} decisions, {} script runs, {} µs in scripts\n\n",
        sum.games,
        sum.decisions / games,
        runs / games,
        whole / 1000 / u128::from(games)
    );
    let _ = writeln!(
        out,
        "{:>8} {:>8} {:>10}  script",
        "share %", "per game", "ns/run"
    );
    for (name, spent) in hooks.iter().take(30) {
        let time = spent.time.as_nanos();
        let (share, each) = (time * 1000 / whole.max(1), time / u128::from(spent.runs));
        let _ = writeln!(
            out,
            "{:>6}.{} {:>8} {each:>10}  {name}",
            share / 10,
            share % 10,
            spent.runs / games
        );
    }
    out.trim_end().to_owned()
}

fn text(plan: &SimulationPlan, sum: &SimulationReport) -> String {
    let mut out = String::new();
    let share = |part: u64, all: u64| format!("{:>7} %", tables::share(part, all));
    let _ = writeln!(
        out,
        "{} games of {}, seeds from {}",
        sum.games, plan.choice.mode, plan.seed
    );
    let _ = writeln!(
        out,
        "ended within {} turns  {:>8}  {}",
        plan.turns,
        sum.ended,
        share(sum.ended, sum.games)
    );
    let _ = writeln!(out, "script faults           {:>8}", sum.faults);
    let _ = writeln!(
        out,
        "decisions per game      {:>8}",
        sum.decisions / sum.games.max(1)
    );
    let (few, median, many) = (sum.turns_at(10), sum.turns_at(50), sum.turns_at(90));
    let _ = writeln!(
        out,
        "turns (10th, 50th, 90th percentile): {few}, {median}, {many}"
    );
    let _ = writeln!(out, "\nwins by seat");
    for (player, wins) in plan.players.iter().zip(&sum.wins) {
        let name = format!("{} ({})", player.name, player.spec());
        let _ = writeln!(out, "  {name:<22}{wins:>8}  {}", share(*wins, sum.ended));
    }
    for (title, groups) in &sum.statistics {
        let _ = writeln!(out, "\n{title}");
        for (group, number) in groups {
            let _ = writeln!(out, "  {group:<40}{number:>8}");
        }
    }
    for fault in &sum.fault_texts {
        let _ = writeln!(out, "\nfault: {fault}");
    }
    out.trim_end().to_owned()
}
