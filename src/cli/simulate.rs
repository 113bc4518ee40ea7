//! `kaer simulate`: many games between bots, and what they came to.

use std::fmt::Write as _;
use std::io::IsTerminal as _;
use std::path::PathBuf;

use super::start::{self, Flags, Thinking, Trying};
use super::{Failure, refuse, screen};
use crate::agents::search::PLAYOUTS;
use crate::agents::{Kind, Player};
use crate::lab::{Plan, Spent, Sum, profile, simulate};
use crate::pack::{Choice, find};
use crate::shelf::{Care, Shelf};

mod tables;

/// What `kaer simulate` takes.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    #[command(flatten)]
    flags: Flags,
    /// How many games.
    #[arg(long, default_value_t = 1000)]
    games: u64,
    /// After so many turns of a player a game is left.
    #[arg(long, default_value_t = 60)]
    turns: u32,
    /// Deal roles so that every arrangement of them over the seats comes equally often.
    #[arg(long)]
    all_roles: bool,
    /// Look at every decision: pieces lie in one zone, counters are within bounds, questions can be answered, and what packs
    /// say must hold does hold.
    #[arg(long)]
    check: bool,
    /// Show how often each script ran and how long it took, on one core.
    #[arg(long)]
    profile: bool,
    /// How the result is shown.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// How a result is shown.
#[derive(clap::ValueEnum, Clone, Copy, Debug)]
enum Format {
    /// For people.
    Text,
    /// For programs.
    Json,
    /// For documents.
    Markdown,
}

/// Simulates.
pub fn run(args: &Args) -> Result<(), Failure> {
    let sources = find(&PathBuf::from("."), &args.flags.packs.paths).map_err(Failure::cannot)?;
    let shelf = Shelf::load(sources.clone());
    if !shelf.report.is_sound() {
        return Err(refuse(&shelf, &shelf.report));
    }
    let modes = shelf.modes();
    let wanted = args.flags.mode.as_deref();
    let wanted = wanted.ok_or_else(|| {
        Failure::cannot("say which mode: `kaer simulate MODE`; `kaer list` shows them")
    })?;
    let mode = start::find_mode(&modes, wanted)?;
    if let Some(with) = args.flags.wishes.given().first() {
        return Err(Failure::cannot(format!(
            "games of bots begin at the beginning: leave out `--with {with}`"
        )));
    }
    let chosen = start::open(
        &shelf,
        &args.flags.wishes,
        &mode,
        &Trying::default(),
        Care::Names,
    )?;
    let rules = &chosen.opened.rules;
    let least = rules
        .content
        .mode
        .as_ref()
        .map_or(1, |mode| usize::from(mode.seats_min));
    let mut players = start::players(&args.flags.wishes.players)?;
    if players.is_empty() {
        players = (1..=least)
            .map(|n| Player::new(format!("Bot {n}"), Kind::bot(&rules.content)))
            .collect();
    }
    if let Some(Player { name, .. }) = players.iter().find(|player| player.kind == Kind::Human) {
        return Err(Failure::cannot(format!(
            "nobody can ask {name}: write `{name}=greedy` or `{name}=random`"
        )));
    }
    let thinking = match args.flags.wishes.thinking {
        None => PLAYOUTS,
        Some(Thinking::Playouts(playouts)) => playouts,
        Some(Thinking::Time(_)) => {
            let why = "games that are to come out the same again cannot go by the clock: write `--thinking 200`";
            return Err(Failure::cannot(why));
        }
    };
    let seed = args.flags.wishes.seed.unwrap_or(1);
    let header = chosen.header;
    let choice = Choice {
        mode: header.mode,
        with: header.with,
        options: header.options,
    };
    let (games, turns, all_roles, check) = (args.games, args.turns, args.all_roles, args.check);
    let plan = Plan {
        sources,
        choice,
        players,
        all_roles,
        games,
        seed,
        turns,
        check,
        thinking,
    };
    let shows = std::io::stderr().is_terminal();
    let tell = |done| screen::progress(shows, "", done, args.games);
    if args.profile {
        let (sum, hooks) = profile(&plan, &tell).map_err(Failure::cannot)?;
        screen::say(&times(&sum, &hooks));
        return Ok(());
    }
    let sum = simulate(&plan, &tell).map_err(Failure::cannot)?;
    match args.format {
        Format::Text => screen::say(&text(&plan, &sum)),
        Format::Markdown => screen::say(&tables::markdown(&plan, &sum)),
        Format::Json => {
            let json = serde_json::to_string_pretty(&sum)
                .map_err(|error| Failure::cannot(error.to_string()))?;
            screen::say(&json);
        }
    }
    if sum.faults > 0 {
        Err(Failure::found())
    } else {
        Ok(())
    }
}

/// The scripts that took longest.
fn times(sum: &Sum, hooks: &[(String, Spent)]) -> String {
    let games = sum.games.max(1);
    let runs: u64 = hooks.iter().map(|(_, spent)| spent.runs).sum();
    let whole: u128 = hooks.iter().map(|(_, spent)| spent.time.as_nanos()).sum();
    let mut out = format!(
        "{} games, {} decisions and {} runs of scripts a game, {} µs a game in scripts\n\n",
        sum.games,
        sum.decisions / games,
        runs / games,
        whole / 1000 / u128::from(games)
    );
    let _ = writeln!(
        out,
        "{:>8} {:>8} {:>10}  script",
        "share", "a game", "ns each"
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

fn text(plan: &Plan, sum: &Sum) -> String {
    let mut out = String::new();
    let share = |part: u64, all: u64| format!("{:>7} %", tables::share(part, all));
    let _ = writeln!(
        out,
        "{} games of {}, seeds {} on",
        sum.games, plan.choice.mode, plan.seed
    );
    let _ = writeln!(
        out,
        "ended within {} turns  {:>8}  {}",
        plan.turns,
        sum.ended,
        share(sum.ended, sum.games)
    );
    let _ = writeln!(out, "faults of scripts       {:>8}", sum.faults);
    let _ = writeln!(
        out,
        "decisions a game        {:>8}",
        sum.decisions / sum.games.max(1)
    );
    let (few, median, many) = (sum.turns_at(10), sum.turns_at(50), sum.turns_at(90));
    let _ = writeln!(
        out,
        "turns: a tenth ended within {few}, half within {median}, nine tenths within {many}"
    );
    let _ = writeln!(out, "\nwins by seat");
    for (player, wins) in plan.players.iter().zip(&sum.wins) {
        let name = format!("{} ({})", player.name, player.who());
        let _ = writeln!(out, "  {name:<22}{wins:>8}  {}", share(*wins, sum.ended));
    }
    for (title, groups) in &sum.statistics {
        let _ = writeln!(out, "\n{title}");
        for (group, number) in groups {
            let _ = writeln!(out, "  {group:<40}{number:>8}");
        }
    }
    for fault in &sum.told {
        let _ = writeln!(out, "\nfault: {fault}");
    }
    out.trim_end().to_owned()
}
