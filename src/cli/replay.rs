//! `kaer replay`: a journal again.

use std::path::PathBuf;

use super::{Failure, Packs, journal, resume, screen};
use crate::game::{Game, text};

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
    #[arg(long)]
    hash: bool,
}

/// Plays a journal again.
pub fn run(args: &Args) -> Result<(), Failure> {
    let name = args.file.display();
    let file = resume::file(&args.file);
    let journal = journal::read(&file)?;
    let (rules, setup) = journal::open(&file, &journal, &resume::shelf(&args.packs, &journal.header)?)?;
    let count = args.to.unwrap_or(journal.lines.len()).min(journal.lines.len());
    let (game, failed) = match Game::replay(rules, &setup, &journal.lines[..count]) {
        Ok(game) => (game, None),
        Err(unfit) => {
            let (game, ix, why) = *unfit;
            let help = format!("play it with the packs it was made with, or up to there: `--to {ix}`");
            (game, Some(format!("answer {} of {name} no longer fits: {why}; {help}", ix + 1)))
        }
    };
    if args.hash {
        screen::say(&game.state().hash());
    } else {
        tell(&game);
    }
    match failed {
        Some(why) => Err(Failure { message: why, status: 1 }),
        None => Ok(()),
    }
}

fn tell(game: &Game) {
    let core = game.core();
    for line in &core.log.lines {
        if let Some(told) = text::line(core, line, None) {
            screen::say(&told);
        }
    }
    if let Some(decision) = game.decision() {
        super::prompt::show(game, &super::prompt::arranged(decision), true);
    }
    screen::say(&format!("\n{} answers, state {}", game.journal().len(), game.state().hash()));
}
