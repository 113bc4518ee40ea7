//! `kaer replay`: a journal again.

use std::path::PathBuf;

use super::start::find_mode;
use super::{Failure, Packs, refuse, screen};
use crate::agents::{Player, seated};
use crate::game::{Game, Journal, Setup, text};
use crate::pack::Choice;

/// What `kaer replay` takes.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// The journal.
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
    let bytes = std::fs::read(&args.file).map_err(|error| Failure::cannot(format!("{name}: {error}")))?;
    let written = String::from_utf8(bytes).map_err(|_| Failure::cannot(format!("{name} is no text")))?;
    let journal = Journal::parse(&written).map_err(|why| Failure::cannot(format!("{name}: {why}")))?;
    let header = &journal.header;
    let shelf = args.packs.shelf()?;
    find_mode(&shelf.modes(), &header.mode)?;
    let choice = Choice { mode: header.mode.clone(), with: header.with.clone(), options: header.options.clone() };
    let (rules, report) = shelf.open(&choice, header.given.as_deref());
    let Some(rules) = rules.filter(|_| report.is_sound()) else { return Err(refuse(&shelf, &report)) };
    for pack in header.packs.iter().filter(|pack| !rules.content.packs.contains(pack)) {
        let now = rules.content.packs.iter().find(|now| now.id == pack.id);
        let now = now.map_or("is not there now".to_owned(), |now| format!("is now {}, and differs", now.version));
        screen::complain(&format!("the journal was made with {} {}, which {now}", pack.id, pack.version));
    }
    let players: Result<Vec<Player>, String> =
        header.players.iter().map(|(name, who)| Player::parse(name, who)).collect();
    let players = players.map_err(|why| Failure::cannot(format!("{name}: {why}")))?;
    let setup = Setup { journal: true, log: true, ..seated(&players, header.seed) };
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
        super::prompt::show(game, &decision);
    }
    screen::say(&format!("\n{} answers, state {}", game.journal().len(), game.state().hash()));
}
