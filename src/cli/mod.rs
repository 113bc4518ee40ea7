//! The commands, one file each. No other module prints.

mod answer_parser;
mod campaign;
mod check;
mod completions;
mod coverage;
mod current_pack;
mod definitions;
mod docs;
mod explain;
mod file;
mod game_args;
mod journal;
mod json;
mod line_reader;
mod list;
mod log_output;
mod man;
mod migrate;
mod new;
mod outcomes;
mod play;
mod prompt;
mod prompt_commands;
mod replay;
mod resume;
mod save;
mod saves;
mod schema;
mod screen;
mod session;
mod setup_questions;
mod show;
mod simulate;
mod summary;
mod test;
mod undo;
mod watch;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::diagnostic::Report;
use crate::library::PackLibrary;

pub use answer_parser::{TypedInput, parse_answer};

/// Play, check and test board games written as packs.
#[derive(Parser)]
#[command(name = "kaer", version, about, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Play a game in the terminal.
    Play(play::PlayArgs),
    /// Resume a saved game.
    Resume(resume::ResumeArgs),
    /// List saved games.
    Saves(saves::SavesArgs),
    /// Replay a journal and show what happened.
    Replay(replay::ReplayArgs),
    /// List modes, packs, entries, kinds, events, queries or script functions.
    List(list::ListArgs),
    /// Show an entry: its text, its fields and where it is defined.
    Show(show::ShowArgs),
    /// Create a new pack: a game, an expansion, a campaign or a mod.
    New(new::NewArgs),
    /// Check packs for errors.
    Check(check::CheckArgs),
    /// Explain a diagnostic code, with an example and a fix.
    Explain(explain::ExplainArgs),
    /// Update packs and journals that were written for an older version of Kaer.
    Migrate(migrate::MigrateArgs),
    /// Show everything a card can do: each option, each die result, and what changes.
    Outcomes(outcomes::OutcomesArgs),
    /// Check packs on every save; with `--play`, play a game with hot reload.
    Watch(watch::WatchArgs),
    /// Run the test cases of packs.
    Test(test::TestArgs),
    /// Show what tests or bot games never reached.
    Coverage(coverage::CoverageArgs),
    /// Generate JSON schemas, so that editors complete fields and ids.
    Schema(schema::SchemaArgs),
    /// Generate definitions of script functions, so that editors complete and explain them.
    Definitions(definitions::DefinitionsArgs),
    /// Generate the reference as HTML: functions, events, kinds, entries, maps and stories.
    ///
    /// With `--pack`, it covers these packs and the packs they build on; without it, every pack
    /// found.
    Docs(docs::DocsArgs),
    /// Run many bot games and report statistics.
    Simulate(simulate::SimulateArgs),
    /// Generate a shell completion script.
    Completions(completions::CompletionsArgs),
    /// Generate man pages.
    Man(man::ManArgs),
}

/// Where to look for packs, besides the embedded ones, `content/`, `campaigns/` and the user's data
/// folder.
#[derive(clap::Args, Clone, Debug, Default)]
struct PackArgs {
    /// A pack, or a folder of packs, to load (repeatable).
    #[arg(long = "pack", value_name = "PATH")]
    paths: Vec<PathBuf>,
}

impl PackArgs {
    /// These packs or, if none is named, the pack of the current folder.
    fn or_current(&self) -> PackArgs {
        PackArgs {
            paths: current_pack::or_current(&self.paths),
        }
    }

    fn library(&self) -> Result<PackLibrary, Failure> {
        library(&self.paths)
    }
}

/// All packs found, and those at the given paths.
fn library(paths: &[PathBuf]) -> Result<PackLibrary, Failure> {
    PackLibrary::find(Path::new("."), paths).map_err(Failure::error)
}

/// Why a command ended early: the message to print, and the exit status.
struct Failure {
    message: String,
    status: u8,
}

impl Failure {
    /// The command could not run: status 2.
    fn error(message: impl Into<String>) -> Failure {
        Failure {
            message: message.into(),
            status: 2,
        }
    }

    /// The command ran and has already printed the problems it found: status 1.
    const fn problems_found() -> Failure {
        Failure {
            message: String::new(),
            status: 1,
        }
    }
}

/// Runs the command line and returns the exit status.
#[must_use]
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    let result = match cli.command {
        None => play::run(&play::PlayArgs::default()),
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
                screen::print_error(&failure.message);
            }
            ExitCode::from(failure.status)
        }
    }
}

/// Refuses to continue with packs that have errors; the message shows the first five.
fn refuse(library: &PackLibrary, report: &Report) -> Failure {
    let shown: Vec<String> = report
        .errors()
        .take(5)
        .map(|diagnostic| screen::diagnostic(&library.set.files, diagnostic))
        .collect();
    let more = report.errors().count().saturating_sub(5);
    let rest = if more > 0 {
        format!("\n… and {more} more; `kaer check` shows them all")
    } else {
        String::new()
    };
    Failure::error(format!("{}{rest}", shown.join("\n")))
}
