//! `kaer play`: a game at a plain prompt.

use std::path::PathBuf;

use super::keeper::Keeper;
use super::line::{Read, Reader};
use super::machine::Machine;
use super::session::{Session, Style};
use super::setup::Questions;
use super::start::{self, Chosen, Flags, Trying};
use super::{Failure, Packs, begin, refuse, resume, save, screen, summary};
use crate::agents::Player;
use crate::game::Game;
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
    /// Ask nothing: a game with what is usual, set up by chance.
    #[arg(long)]
    quick: bool,
    /// Write the journal to this file, an answer a line; `kaer replay` reads it.
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Write a chronicle of the game to this file when it is over.
    #[arg(long, value_name = "FILE")]
    chronicle: Option<PathBuf>,
    /// How the game is shown: `text`, or `jsonl` for programs, as docs/machine.md explains.
    #[arg(long, value_enum, default_value_t = Format::Text, hide_possible_values = true)]
    format: Format,
}

/// How a game is shown.
#[derive(clap::ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Format {
    /// To people, at a prompt.
    #[default]
    Text,
    /// To programs, as lines of JSON; answers are lines of JSON too. docs/machine.md explains them.
    Jsonl,
}

/// Plays.
pub fn run(args: &Args) -> Result<(), Failure> {
    let shelf = args.flags.packs.shelf()?;
    if !shelf.report.is_sound() {
        return Err(refuse(&shelf, &shelf.report));
    }
    if args.format == Format::Jsonl && args.flags.mode.is_none() {
        return Err(Failure::cannot(
            "say which mode: `kaer play MODE --format jsonl`; `kaer list` shows them",
        ));
    }
    let mut reader = Reader::new();
    let Some((mode, chosen, players)) = choose(&shelf, args, &mut reader)? else {
        return Ok(());
    };
    let chronicle = args
        .chronicle
        .as_deref()
        .map(summary::chronicle_file)
        .transpose()?;
    let header = &chosen.header;
    let begun = summary::begun(&args.flags.wishes, &args.trying, args.quick);
    let again = summary::again(header, &args.flags.packs, &begun);
    let journal = || {
        args.journal
            .as_ref()
            .map(|path| Keeper::begin(path, header))
            .transpose()
    };
    if args.format == Format::Jsonl {
        let setup = begin::setup(&chosen, &players)?;
        let game = Game::new(chosen.opened.rules.clone(), setup).map_err(Failure::cannot)?;
        let mut machine = Machine::new(game, players, header, journal()?, again.clone());
        machine.think(args.flags.wishes.thinking);
        let game = machine.play(header, args.quick)?;
        return summary::write_chronicle(chronicle, &game, header, again.as_deref());
    }
    let mut session = begin::begin(&chosen, players, args.style, |session| {
        session.journal = journal()?;
        session.again = again;
        session.think(args.flags.wishes.thinking);
        save::keep(session, &shelf);
        screen::say(&format!("{} — seed {}", mode.title, header.seed));
        Ok(())
    })?;
    session.at_terminal(reader.is_person());
    if args.quick {
        session.set_up()?;
    }
    session.advance()?;
    session.show();
    let session = listen(session, &mut reader, &args.flags.packs)?;
    summary::write_chronicle(
        chronicle,
        &session.game,
        &session.header,
        session.again.as_deref(),
    )
}

/// What is played and who plays: as flags say, and where they leave it open, as somebody answers; nothing if that one leaves.
fn choose(
    shelf: &Shelf,
    args: &Args,
    reader: &mut Reader,
) -> Result<Option<(ModeLine, Chosen, Vec<Player>)>, Failure> {
    let Some(mode) = choose_mode(shelf, args, reader)? else {
        return Ok(None);
    };
    let (mut wishes, trying) = (args.flags.wishes.clone(), &args.trying);
    let asks = args.format == Format::Text
        && reader.is_person()
        && !args.quick
        && wishes.players.is_empty()
        && trying.at.is_none();
    let mut questions = Questions(reader);
    if asks && questions.layers(shelf, &mode, &mut wishes).is_err() {
        return Ok(None);
    }
    let mut chosen = start::open(shelf, &wishes, &mode, trying, Care::Names)?;
    let named = if asks {
        let Ok(players) = questions.players(&chosen.opened.rules.content) else {
            return Ok(None);
        };
        players
    } else {
        start::players(&wishes.players)?
    };
    let players = start::seated(&mut chosen, named, trying);
    Ok(Some((mode, chosen, players)))
}

/// Plays until somebody leaves or the game is over; gives how it was left.
pub fn listen(
    mut session: Session,
    reader: &mut Reader,
    packs: &Packs,
) -> Result<Session, Failure> {
    let mut stopping = false;
    while !session.is_over() {
        let words = || session.completions();
        match reader.read(words) {
            Read::Line(line) => {
                stopping = false;
                if session.hear(&line)? {
                    return Ok(session);
                }
                resume::load(&mut session, reader, packs);
            }
            Read::Stop if !stopping => {
                stopping = true;
                screen::say("Type `quit`, or press Ctrl-C again, to leave; every answer is kept.");
            }
            Read::Stop => {
                session.leave("You leave");
                return Ok(session);
            }
            Read::End => {
                session.leave("The input ended");
                return Ok(session);
            }
        }
    }
    session.end();
    Ok(session)
}

/// The mode that flags name, or the one someone picks from a menu; `None` when nobody picks.
fn choose_mode(
    shelf: &Shelf,
    args: &Args,
    reader: &mut Reader,
) -> Result<Option<ModeLine>, Failure> {
    let modes = shelf.modes();
    if let Some(wanted) = &args.flags.mode {
        return start::find_mode(&modes, wanted).map(Some);
    }
    let Some(first) = modes.first() else {
        return Err(Failure::cannot("no pack with a mode was found"));
    };
    if let Some(mode) = start::likely_mode(shelf, &args.trying) {
        return Ok(Some(mode));
    }
    if args.quick {
        return Ok(Some(first.clone()));
    }
    Ok(Questions(reader).mode(&modes).ok())
}
