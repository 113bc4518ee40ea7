//! `kaer play`: a game at a plain prompt.

use std::path::PathBuf;

use super::keeper::Keeper;
use super::line::{self, Read, Reader};
use super::session::{Session, Style};
use super::start::{self, Flags, Trying};
use super::{Failure, refuse, screen};
use crate::agents::seated;
use crate::game::{Game, Setup};
use crate::shelf::{Care, ModeLine, Shelf};

/// What `kaer play` takes.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct Args {
    #[command(flatten)]
    flags: Flags,
    #[command(flatten)]
    trying: Trying,
    #[command(flatten)]
    style: Style,
    /// Write the journal to this file, an answer a line; `kaer replay` reads it.
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
}

/// Plays.
pub fn run(args: &Args) -> Result<(), Failure> {
    let shelf = args.flags.packs.shelf()?;
    if !shelf.report.is_sound() {
        return Err(refuse(&shelf, &shelf.report));
    }
    let Some(mode) = choose_mode(&shelf, &args.flags, &args.trying)? else { return Ok(()) };
    let mut chosen = start::open(&shelf, &args.flags.wishes, &mode, &args.trying, Care::Names)?;
    let players = start::seated(&mut chosen, &args.flags.wishes, &args.trying)?;
    // Before anything is written.
    let setup = Setup { journal: true, log: true, ..seated(&players, chosen.header.seed) };
    let game = Game::new(chosen.opened.rules.clone(), setup).map_err(Failure::cannot)?;
    let journal = args.journal.as_ref().map(|path| Keeper::begin(path, &chosen.header)).transpose()?;
    screen::say(&format!("{} — seed {}", mode.title, chosen.header.seed));
    let mut reader = Reader::new();
    let mut session = Session::new(game, players, chosen.header.seed, journal, args.style);
    session.at_terminal(reader.is_person());
    session.begin(chosen.header.given.is_some())?;
    session.advance()?;
    session.show();
    listen(&mut session, &mut reader)
}

/// Plays until somebody leaves or the game is over.
fn listen(session: &mut Session, reader: &mut Reader) -> Result<(), Failure> {
    let mut stopping = false;
    while !session.is_over() {
        let words = || session.completions();
        match reader.read(words) {
            Read::Line(line) => {
                stopping = false;
                if session.hear(&line)? {
                    break;
                }
            }
            Read::Stop if !stopping => {
                stopping = true;
                screen::say("Type `quit`, or press Ctrl-C again, to leave; every answer is kept.");
            }
            Read::Stop => {
                session.leave("You leave");
                break;
            }
            Read::End => {
                session.leave("The input ended");
                break;
            }
        }
    }
    Ok(())
}

/// The mode that flags name, or the one someone picks from a menu; `None` when nobody picks.
fn choose_mode(shelf: &Shelf, flags: &Flags, trying: &Trying) -> Result<Option<ModeLine>, Failure> {
    let modes = shelf.modes();
    if let Some(wanted) = &flags.mode {
        return start::find_mode(&modes, wanted).map(Some);
    }
    if modes.is_empty() {
        return Err(Failure::cannot("no pack with a mode was found"));
    }
    if let Some(mode) = start::likely_mode(shelf, trying) {
        return Ok(Some(mode));
    }
    screen::say("What shall it be?");
    for (ix, mode) in modes.iter().enumerate() {
        screen::say(&format!("  {:>2}  {} ({}, {})", ix + 1, mode.title, mode.pack, mode.players()));
    }
    while let Some(line) = line::ask() {
        let number = line.parse::<usize>().ok().and_then(|n| n.checked_sub(1)).and_then(|ix| modes.get(ix));
        match number.cloned().map_or_else(|| start::find_mode(&modes, &line), Ok) {
            _ if matches!(line.as_str(), "q" | "quit") => return Ok(None),
            Ok(mode) => return Ok(Some(mode)),
            Err(failure) => screen::say(&failure.message),
        }
    }
    Ok(None)
}
