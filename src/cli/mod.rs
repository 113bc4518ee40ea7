//! The commands, one file each. Printing happens here and nowhere else.

mod check;
mod completions;
mod coverage;
mod definitions;
mod docs;
mod explain;
mod file;
mod journal;
mod line;
mod list;
mod machine;
mod man;
mod migrate;
mod new;
mod outcomes;
mod play;
mod prompt;
mod replay;
mod resume;
mod save;
mod saves;
mod schema;
mod screen;
mod session;
mod setup;
mod show;
mod simulate;
mod start;
mod summary;
mod tell;
mod test;
mod typed;
mod undo;
mod watch;
mod words;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::diagnostic::Report;
use crate::pack::Origin;
use crate::shelf::Shelf;

/// Plays, checks and tests games that are written as packs.
#[derive(Parser)]
#[command(name = "kaer", version, about, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Play a game.
    Play(play::Args),
    /// Resume a saved game.
    Resume(resume::Args),
    /// List saved games.
    Saves(saves::Args),
    /// Replay a journal and show what happened.
    Replay(replay::Args),
    /// List modes, packs, entries, or the words of scripts.
    List(list::Args),
    /// Show an entry: what it says and where it stands.
    Show(show::Args),
    /// Write a new pack: a game, an expansion, a campaign or a mod.
    New(new::Args),
    /// Look for faults in packs.
    Check(check::Args),
    /// Explain a code of `check`, with an example and its mending.
    Explain(explain::Args),
    /// Update packs and journals that were written for an older version of Kaer.
    Migrate(migrate::Args),
    /// Show everything a card can do: each option, each result of a die, and what changes.
    Outcomes(outcomes::Args),
    /// Watch packs while they are written: check them on each save, and play on with what was changed.
    Watch(watch::Args),
    /// Run the scenario tests of packs.
    Test(test::Args),
    /// Show what tests, or games of bots, never came to.
    Coverage(coverage::Args),
    /// Write schemas of packs for editors, which then complete fields and ids.
    Schema(schema::Args),
    /// Write the words of scripts for editors, which then complete and explain them.
    Definitions(definitions::Args),
    /// Write the reference for authors as pages: words, events, kinds, every entry, maps and stories.
    ///
    /// With `--pack`, these packs and those they build on are shown; without it, every pack that is found.
    Docs(docs::Args),
    /// Let bots play many games and count what comes of it.
    Simulate(simulate::Args),
    /// Print a script that lets a shell complete commands and flags.
    Completions(completions::Args),
    /// Write pages for the manual of the system.
    Man(man::Args),
}

/// Where packs are looked for, besides the embedded ones, `content/`, `campaigns/` and the user's folder.
#[derive(clap::Args, Clone, Debug, Default)]
struct Packs {
    /// A pack's folder, or a folder of packs; may be given several times.
    #[arg(long = "pack", value_name = "PATH")]
    paths: Vec<PathBuf>,
}

impl Packs {
    fn shelf(&self) -> Result<Shelf, Failure> {
        Shelf::find(&PathBuf::from("."), &self.paths).map_err(Failure::cannot)
    }
}

/// Whether packs from there are meant: those that were named; where none were, all that are not embedded.
fn is_meant(origin: Origin, named: &[PathBuf]) -> bool {
    if named.is_empty() {
        origin != Origin::Embedded
    } else {
        origin == Origin::CommandLine
    }
}

/// Why a command ended early: what to say, and the exit status.
struct Failure {
    message: String,
    status: u8,
}

impl Failure {
    /// The command could not do what it was asked: status 2.
    fn cannot(message: impl Into<String>) -> Failure {
        Failure {
            message: message.into(),
            status: 2,
        }
    }

    /// It did it and found faults: status 1.
    const fn found() -> Failure {
        Failure {
            message: String::new(),
            status: 1,
        }
    }
}

/// Runs the command line.
#[must_use]
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    let result = match cli.command {
        None => play::run(&play::Args::default()),
        Some(Command::Play(args)) => play::run(&args),
        Some(Command::Resume(args)) => resume::run(&args),
        Some(Command::Saves(args)) => saves::run(&args),
        Some(Command::Replay(args)) => replay::run(&args),
        Some(Command::List(args)) => list::run(&args),
        Some(Command::Show(args)) => show::run(&args),
        Some(Command::New(args)) => new::run(&args),
        Some(Command::Check(args)) => check::run(&args),
        Some(Command::Explain(args)) => explain::run(&args),
        Some(Command::Migrate(args)) => migrate::run(&args),
        Some(Command::Outcomes(args)) => outcomes::run(&args),
        Some(Command::Watch(args)) => watch::run(&args),
        Some(Command::Test(args)) => test::run(&args),
        Some(Command::Coverage(args)) => coverage::run(&args),
        Some(Command::Schema(args)) => schema::run(&args),
        Some(Command::Definitions(args)) => definitions::run(&args),
        Some(Command::Docs(args)) => docs::run(&args),
        Some(Command::Simulate(args)) => simulate::run(&args),
        Some(Command::Completions(args)) => completions::run(&args),
        Some(Command::Man(args)) => man::run(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if !failure.message.is_empty() {
                screen::complain(&failure.message);
            }
            ExitCode::from(failure.status)
        }
    }
}

/// Faults that keep a game from being played, in words.
fn refuse(shelf: &Shelf, report: &Report) -> Failure {
    let shown: Vec<String> = report
        .errors()
        .take(5)
        .map(|fault| screen::fault(&shelf.set.files, fault))
        .collect();
    let more = report.errors().count().saturating_sub(5);
    let rest = if more > 0 {
        format!("\n… and {more} more; `kaer check` shows them all")
    } else {
        String::new()
    };
    Failure::cannot(format!("{}{rest}", shown.join("\n")))
}
