//! `kaer replay`: a journal again.

use std::path::PathBuf;

use super::tell::{self, Detail};
use super::{Failure, Packs, journal, resume, screen, summary};
use crate::game::chronicle::chronicle;
use crate::game::{Game, Header};

/// What `kaer replay` takes.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// The journal: a file, or a save.
    file: PathBuf,
    #[command(flatten)]
    packs: Packs,
    /// Stop after so many answers.
    #[arg(long, value_name = "N")]
    to: Option<usize>,
    /// Print only the state's hash.
    #[arg(long, conflicts_with = "format")]
    hash: bool,
    /// How the game is shown: `text`, `json` as docs/machine.md explains it, or `markdown` for a chronicle.
    #[arg(long, value_enum, default_value_t = Format::Text, hide_possible_values = true)]
    format: Format,
}

/// How a game is shown.
#[derive(clap::ValueEnum, Clone, Copy, Debug)]
enum Format {
    /// Line by line.
    Text,
    /// As a document for programs; docs/machine.md explains it.
    Json,
    /// As a chronicle.
    Markdown,
}

/// Plays a journal again.
pub fn run(args: &Args) -> Result<(), Failure> {
    let name = args.file.display();
    let file = resume::file(&args.file);
    let journal = journal::read(&file)?;
    let (rules, setup) = journal::open(
        &file,
        &journal,
        &resume::shelf(&args.packs, &journal.header)?,
    )?;
    let count = args
        .to
        .unwrap_or(journal.lines.len())
        .min(journal.lines.len());
    let (game, failed) = match Game::replay(rules, &setup, &journal.lines[..count]) {
        Ok(game) => (game, None),
        Err(unfit) => {
            let (game, ix, why) = *unfit;
            let help =
                format!("play it with the packs it was made with, or up to there: `--to {ix}`");
            (
                game,
                Some(format!(
                    "answer {} of {name} no longer fits: {why}; {help}",
                    ix + 1
                )),
            )
        }
    };
    if args.hash {
        screen::say(&game.state().hash());
    } else {
        show(&game, &journal.header, args)?;
    }
    match failed {
        Some(why) => Err(Failure {
            message: why,
            status: 1,
        }),
        None => Ok(()),
    }
}

fn show(game: &Game, header: &Header, args: &Args) -> Result<(), Failure> {
    let command = summary::again(header, &args.packs, &[]);
    match args.format {
        Format::Text => tell(game, command.as_deref()),
        Format::Json => {
            let record = serde_json::to_string_pretty(&game.record(header, command));
            screen::raw(&record.map_err(|error| Failure::cannot(error.to_string()))?);
        }
        Format::Markdown => {
            let text = chronicle(game, header, command.as_deref());
            screen::say(text.trim_end());
        }
    }
    Ok(())
}

fn tell(game: &Game, command: Option<&str>) {
    tell::lines(game, 0, None, Detail::Usual);
    match game.decision() {
        Some(decision) => super::prompt::show(game, &super::prompt::arranged(decision), true),
        None => summary::show(game, command),
    }
    screen::say(&format!(
        "\n{} answers, state {}",
        game.journal().len(),
        game.state().hash()
    ));
}
