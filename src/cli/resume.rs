//! `kaer resume`: goes on with a game that was kept.

use std::path::{Path, PathBuf};

use super::keeper::Keeper;
use super::line::{Read, Reader};
use super::session::{Session, Style};
use super::{Failure, Packs, journal, play, refuse, save, saves, screen, summary};
use crate::agents::Player;
use crate::content::PackStamp;
use crate::game::{Game, Header, Journal};
use crate::migrate::{Format, Scope, VERSION, migrate, version_of};
use crate::pack::Source;
use crate::saves::{Held, Refused, Saves, are_those, name_of};
use crate::shelf::Shelf;

/// So many lines of the log are told again.
const LINES: usize = 12;

/// What `kaer resume` takes.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// The save, or the file of a journal; without one, the last game that is not over.
    name: Option<String>,
    #[command(flatten)]
    packs: Packs,
    /// List all saves.
    #[arg(long)]
    list: bool,
    #[command(flatten)]
    style: Style,
    #[command(flatten)]
    how: How,
}

/// What to do if packs have changed since.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub struct How {
    /// If packs have changed: play with those the game was made with.
    #[arg(long, conflicts_with = "as_far_as_it_fits")]
    kept_packs: bool,
    /// If packs have changed: play with them as they are now, from the last decision on that still fits.
    #[arg(long)]
    as_far_as_it_fits: bool,
}

/// Goes on.
pub fn run(args: &Args) -> Result<(), Failure> {
    if args.list {
        return saves::run(&saves::Args {});
    }
    let saves = saves::of_user()?;
    let path = match &args.name {
        Some(name) => find(&saves, name)?,
        None => last(&saves)?,
    };
    let mut reader = Reader::new();
    let mut session = Coming {
        saves: &saves,
        path: &path,
        packs: &args.packs,
        how: args.how,
        style: args.style,
    }
    .session(&mut reader)?;
    session.show();
    play::listen(session, &mut reader, &args.packs).map(|_| ())
}

/// Goes on with another save, if a game at the prompt is to be left for one.
pub fn load(session: &mut Session, reader: &mut Reader, packs: &Packs) {
    let Some((saves, path)) = session.saves.clone().zip(session.next.take()) else {
        return;
    };
    let coming = Coming {
        saves: &saves,
        path: &path,
        packs,
        how: How::default(),
        style: session.style,
    };
    match coming.session(reader) {
        Ok(other) => std::mem::replace(session, other).put_away(),
        Err(failure) => screen::say(&failure.message),
    }
    session.show();
}

/// The save of a name, or a file.
pub fn find(saves: &Saves, name: &str) -> Result<PathBuf, Failure> {
    let file = || Some(PathBuf::from(name)).filter(|path| path.is_file());
    saves.find(name).or_else(file).ok_or_else(|| {
        Failure::cannot(format!(
            "there is no save `{name}`; `kaer saves` lists them"
        ))
    })
}

/// The file that is meant: one that is there, or the save of that name.
pub fn file(path: &Path) -> PathBuf {
    let save = || Saves::of_user()?.find(path.to_str()?);
    if path.exists() {
        path.to_owned()
    } else {
        save().unwrap_or_else(|| path.to_owned())
    }
}

/// The last game that is not over.
fn last(saves: &Saves) -> Result<PathBuf, Failure> {
    let all = saves.list();
    let open = all.iter().find(|save| save.is_open() && !save.named);
    open.map(|save| save.path.clone()).ok_or_else(|| {
        Failure::cannot(
            "no game waits to be played on: `kaer play` begins one, `kaer saves` lists those that were kept",
        )
    })
}

/// A save that is to be played, and how.
struct Coming<'a> {
    saves: &'a Saves,
    path: &'a Path,
    packs: &'a Packs,
    how: How,
    style: Style,
}

impl Coming<'_> {
    /// The save as a game at the prompt.
    fn session(&self, reader: &mut Reader) -> Result<Session, Failure> {
        let (saves, path) = (self.saves, self.path);
        let held = hold(saves, path)?;
        let journal = sound(&held.journal);
        if journal.notes.over {
            return Err(Failure::cannot(format!(
                "{0} is over; `kaer replay {0}` shows it",
                shown(saves, path)
            )));
        }
        let (again, cut) = self.again(&journal, reader)?;
        let header = Header {
            packs: again.stamps(),
            ..journal.header.clone()
        };
        let mut session = Session::new(again.game, players(&header)?, header, self.style);
        session.at_terminal(reader.is_person());
        session.again = summary::again(&session.header, self.packs, &[]);
        session.saves = Some(saves.clone());
        session.history.begun = journal.notes.begun.min(session.game.journal().len());
        session.history.hindsight = journal.notes.hindsight;
        if saves.is_named(path) || cut {
            // What was named stays as it is, and so does what no longer fits.
            save::begin(&mut session, saves);
        } else {
            let mut keeper = Keeper::of(path, shown(saves, path), held);
            if session.header.packs != journal.header.packs {
                keeper.change(&session.header);
            }
            session.save = Some(keeper);
        }
        save::keep_packs(&session, saves, &again.shelf);
        go_on(&mut session, &journal)?;
        Ok(session)
    }
}

/// Tells what is played and how it came there, and plays to the next question.
fn go_on(session: &mut Session, journal: &Journal) -> Result<(), Failure> {
    let name = session
        .save
        .as_ref()
        .map(|keeper| format!(" ({})", keeper.name()))
        .unwrap_or_default();
    let title = if journal.header.title.is_empty() {
        &journal.header.mode
    } else {
        &journal.header.title
    };
    screen::say(&format!("{title} — seed {}{name}", journal.header.seed));
    if session.game.journal().is_empty() {
        session.begin()?;
    }
    session.tell_last(LINES);
    session.advance()
}

/// Holds a save.
fn hold(saves: &Saves, path: &Path) -> Result<Held, Failure> {
    crate::saves::open(path).map_err(|refused| match refused {
        Refused::InUse => {
            let others = "`kaer saves` lists the others";
            Failure::cannot(format!(
                "{} is being played by another kaer; {others}",
                shown(saves, path)
            ))
        }
        Refused::Because(why) => Failure::cannot(format!("{}: {why}", path.display())),
    })
}

/// What a save is called: its name, or where it lies.
fn shown(saves: &Saves, path: &Path) -> String {
    let name = name_of(path);
    if saves.find(name).is_some_and(|found| found == path) {
        name.to_owned()
    } else {
        path.display().to_string()
    }
}

/// A journal as far as its beginning was written: answers of a set-up that was cut short are given again.
fn sound(journal: &Journal) -> Journal {
    let mut journal = journal.clone();
    if journal.lines.len() < journal.notes.begun {
        journal.lines.clear();
        journal.notes.begun = 0;
    }
    journal
}

fn players(header: &Header) -> Result<Vec<Player>, Failure> {
    let one = |(name, who): &(String, String)| Player::parse(name, who).map_err(Failure::cannot);
    header.players.iter().map(one).collect()
}

/// A journal's game, played again on some packs.
struct Again {
    shelf: Shelf,
    game: Game,
    /// The first answer that no longer fits, and why.
    unfit: Option<(usize, String)>,
}

impl Again {
    fn on(shelf: Shelf, path: &Path, journal: &Journal) -> Result<Again, Failure> {
        let packs = journal
            .header
            .packs
            .iter()
            .filter_map(|stamp| shelf.set.pack(&stamp.id))
            .map(|(number, _)| number);
        if shelf.is_faulty(&packs.collect::<Vec<u16>>()) {
            return Err(refuse(&shelf, &shelf.report));
        }
        let (rules, setup) = journal::open(path, journal, &shelf)?;
        // Whether it can be begun at all.
        Game::new(rules.clone(), setup.clone()).map_err(Failure::cannot)?;
        let (game, unfit) = match Game::replay(rules, &setup, &journal.lines) {
            Ok(game) => (game, None),
            Err(unfit) => {
                let (game, at, why) = *unfit;
                (game, Some((at, why)))
            }
        };
        Ok(Again { shelf, game, unfit })
    }

    fn stamps(&self) -> Vec<PackStamp> {
        self.game.content().packs.clone()
    }
}

impl Coming<'_> {
    /// Plays a journal again: on the packs as they are now, or as they were kept; gives whether only a part of it fits.
    fn again(&self, journal: &Journal, reader: &mut Reader) -> Result<(Again, bool), Failure> {
        let Coming {
            saves,
            path,
            packs,
            how,
            ..
        } = *self;
        if how.kept_packs {
            return kept(saves, path, journal).map(|again| (again, false));
        }
        let now = shelf(packs, &journal.header).and_then(|shelf| Again::on(shelf, path, journal));
        let now = match now {
            Ok(now) => now,
            // They are gone or broken: those that were kept are all there is.
            Err(failure) => {
                let again = kept(saves, path, journal).map_err(|_| failure_of(&failure))?;
                screen::complain(&failure.message);
                screen::say(
                    "The packs as they are now cannot be played; the game goes on with those it was made with.",
                );
                return Ok((again, false));
            }
        };
        let Some((at, why)) = &now.unfit else {
            return Ok((now, false));
        };
        let what = format!(
            "{} no longer fits from answer {} on ({why})",
            shown(saves, path),
            at + 1
        );
        if how.as_far_as_it_fits {
            screen::say(&format!(
                "The packs have changed: {what}. The game goes on from there."
            ));
            return Ok((now, true));
        }
        let before = kept(saves, path, journal);
        match choose(&what, before.is_ok(), reader)? {
            Wish::Kept => before.map(|again| (again, false)),
            Wish::Now => Ok((now, true)),
        }
    }
}

fn failure_of(failure: &Failure) -> Failure {
    Failure {
        message: failure.message.clone(),
        status: failure.status,
    }
}

/// The packs as they are now; those that were found only because of what was typed then are looked for there again.
pub fn shelf(packs: &Packs, header: &Header) -> Result<Shelf, Failure> {
    if !packs.paths.is_empty() {
        return packs.shelf();
    }
    let paths = header
        .folders
        .iter()
        .map(PathBuf::from)
        .filter(|path| path.join("pack.toml").is_file());
    Packs {
        paths: paths.collect(),
    }
    .shelf()
}

/// The game on the packs it was made with.
fn kept(saves: &Saves, path: &Path, journal: &Journal) -> Result<Again, Failure> {
    let stamps = &journal.header.packs;
    let gone = || Failure::cannot("the packs it was made with are not kept, or were changed");
    let sources = saves.kept().sources(stamps).ok_or_else(gone)?;
    let shelf = Shelf::load(sources);
    if !are_those(&shelf.set, stamps) {
        return Err(gone());
    }
    let again = Again::on(of_today(shelf)?, path, journal)?;
    match &again.unfit {
        None => Ok(again),
        Some((at, why)) => {
            let message = format!(
                "answer {} does not fit the packs it was made with, either: {why}",
                at + 1
            );
            Err(Failure::cannot(message))
        }
    }
}

/// Packs of an older version of the engine, rewritten in memory for this one.
fn of_today(shelf: Shelf) -> Result<Shelf, Failure> {
    let files = &shelf.set.files;
    let texts: Vec<(&str, &str)> = files
        .ids()
        .map(|file| (files.name(file), files.text(file)))
        .collect();
    let scope = Scope::of(texts.iter().copied());
    let (mut sources, mut is_old) = (Vec::new(), false);
    for pack in &shelf.set.packs {
        let root = format!("{}/", pack.root);
        let own = texts
            .iter()
            .filter_map(|(name, text)| Some((name.strip_prefix(&root)?, *text)));
        let own: Vec<(&str, &str)> = own.collect();
        let manifest = own.iter().find(|(name, _)| *name == "pack.toml");
        let refuse = |why: String| Failure::cannot(format!("{}: {why}", pack.root));
        let from = version_of(manifest.map_or("", |(_, text)| text)).map_err(refuse)?;
        is_old |= from < VERSION;
        let mut new: Vec<(&str, String)> = Vec::new();
        for (name, text) in own {
            let done = Format::of(name, "").map(|format| migrate(text, format, from, &scope));
            let done = done.transpose().map_err(refuse)?;
            new.push((name, done.map_or_else(|| text.to_owned(), |done| done.text)));
        }
        let new: Vec<(&str, &str)> = new.iter().map(|(name, text)| (*name, &**text)).collect();
        sources.push(Source::texts(&pack.root, &new));
    }
    Ok(if is_old { Shelf::load(sources) } else { shelf })
}

/// What somebody wants.
enum Wish {
    Kept,
    Now,
}

/// Lets a person choose what to do with a save that no longer fits.
fn choose(what: &str, kept: bool, reader: &mut Reader) -> Result<Wish, Failure> {
    let flag = if kept {
        "`--kept-packs` plays it with the packs it was made with, and "
    } else {
        ""
    };
    let how = format!(
        "{what}; {flag}`--as-far-as-it-fits` goes on from there with the packs as they are now"
    );
    if !reader.is_person() {
        return Err(Failure {
            message: how,
            status: 1,
        });
    }
    screen::say(&format!("The packs have changed: {what}."));
    if kept {
        screen::say("   1  Play with the packs it was made with");
    }
    screen::say(
        "   2  Go on from there with the packs as they are now; the save stays as it is, this becomes another",
    );
    while let Read::Line(line) = reader.read(Vec::new) {
        match line.as_str() {
            "1" if kept => return Ok(Wish::Kept),
            "2" => return Ok(Wish::Now),
            "q" | "quit" => break,
            _ => screen::say("Type one of the numbers, or `quit`."),
        }
    }
    Err(Failure::cannot("the game stays as it was kept"))
}
