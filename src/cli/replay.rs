//! `kaer replay`: replays a journal.

use std::path::PathBuf;

use super::log_output::{self, LogDetail};
use super::{Failure, PackArgs, journal, resume, screen, summary};
use crate::game::chronicle::chronicle;
use crate::game::{Game, GameHeader};

/// Arguments of `kaer replay`.
#[derive(clap::Args, Clone, Debug)]
pub struct ReplayArgs {
    /// A journal file or a save.
    file: PathBuf,
    #[command(flatten)]
    packs: PackArgs,
    /// Stop after N answers.
    #[arg(long, value_name = "N")]
    to: Option<usize>,
    /// Print only the hash of the state.
    #[arg(long, conflicts_with = "format")]
    hash: bool,
    /// Output format: `text`, `json` (see docs/machine.md), or `markdown` for a chronicle.
    #[arg(long, value_enum, default_value_t = ReplayFormat::Text, hide_possible_values = true)]
    format: ReplayFormat,
}

/// The output format.
#[derive(clap::ValueEnum, Clone, Copy, Debug)]
enum ReplayFormat {
    /// The log.
    Text,
    /// A document for programs: see docs/machine.md.
    Json,
    /// A chronicle.
    Markdown,
}

pub fn run(args: &ReplayArgs) -> Result<(), Failure> {
    let name = args.file.display();
    let file = resume::file(&args.file);
    let journal = journal::read(&file)?;
    let (rules, setup) = journal::open(
        &file,
        &journal,
        &resume::library(&args.packs, &journal.header)?,
    )?;
    let count = args
        .to
        .unwrap_or(journal.lines.len())
        .min(journal.lines.len());
    let (game, failed) = match Game::replay(rules, &setup, &journal.lines[..count]) {
        Ok(game) => (game, None),
        Err(invalid) => {
            let (game, ix, reason) = *invalid;
            let help = format!(
                "replay it with the packs it was made with, or stop before it: `--to {ix}`"
            );
            (
                game,
                Some(format!(
                    "answer {} of {name} is not valid: {reason}; {help}",
                    ix + 1
                )),
            )
        }
    };
    if args.hash {
        screen::print(&game.state().hash());
    } else {
        show(&game, &journal.header, args)?;
    }
    match failed {
        Some(reason) => Err(Failure {
            message: reason,
            status: 1,
        }),
        None => Ok(()),
    }
}

fn show(game: &Game, header: &GameHeader, args: &ReplayArgs) -> Result<(), Failure> {
    let command = summary::again(header, &args.packs, &[]);
    match args.format {
        ReplayFormat::Text => show_text(game, command.as_deref()),
        ReplayFormat::Json => {
            let record = serde_json::to_string_pretty(&game.record(header, command));
            screen::print_raw(&record.map_err(|error| Failure::error(error.to_string()))?);
        }
        ReplayFormat::Markdown => {
            let text = chronicle(game, header, command.as_deref());
            screen::print(text.trim_end());
        }
    }
    Ok(())
}

fn show_text(game: &Game, command: Option<&str>) {
    log_output::lines(game, 0, None, LogDetail::Normal);
    match game.decision() {
        Some(decision) => super::prompt::show(game, &super::prompt::arranged(decision), true),
        None => summary::show(game, command),
    }
    let answers = screen::counted(game.journal().len(), "answer");
    screen::print(&format!("\n{answers}, state {}", game.state().hash()));
}
