//! `kaer resume`: resumes a saved game.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::line_reader::{InputLine, LineReader};
use super::session::{DisplayStyle, PromptSession};
use super::{Failure, PackArgs, journal, play, refuse, saves, screen, summary};
use crate::agents::Player;
use crate::content::PackStamp;
use crate::game::{Game, GameHeader, Journal};
use crate::library::PackLibrary;
use crate::migrate::{FileFormat, PackNames, VERSION, migrate, version_of};
use crate::pack::PackSource;
use crate::saves::{OpenError, OpenSave, Saves, matches_stamps, name_of};
use crate::session::GameSession;

/// The number of log lines to show again.
const RECENT_LINES: usize = 12;

/// Arguments of `kaer resume`.
#[derive(clap::Args, Clone, Debug)]
pub struct ResumeArgs {
    /// A save or a journal file. Default: the last unfinished game.
    name: Option<String>,
    #[command(flatten)]
    packs: PackArgs,
    /// List all saves.
    #[arg(long)]
    list: bool,
    #[command(flatten)]
    style: DisplayStyle,
    #[command(flatten)]
    on_change: PackChangeArgs,
}

/// What to do if the packs have changed.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub struct PackChangeArgs {
    /// If the packs have changed: play with the packs stored with the save.
    #[arg(long, conflicts_with = "until_invalid")]
    saved_packs: bool,
    /// If the packs have changed: play with the current packs, from the last answer that is still
    /// valid.
    #[arg(long)]
    until_invalid: bool,
}

pub fn run(args: &ResumeArgs) -> Result<(), Failure> {
    if args.list {
        return saves::run(&saves::SavesArgs {});
    }
    let saves = saves::of_user()?;
    let path = match &args.name {
        Some(name) => find(&saves, name)?,
        None => last(&saves)?,
    };
    let mut reader = LineReader::new();
    let mut session = PendingResume {
        saves: &saves,
        path: &path,
        packs: &args.packs,
        on_change: args.on_change,
        style: args.style,
    }
    .session(&mut reader)?;
    session.show();
    play::listen(session, &mut reader, &args.packs).map(|_| ())
}

/// Switches to the save that was requested with `load`, if any.
pub fn load(session: &mut PromptSession, reader: &mut LineReader, packs: &PackArgs) {
    let Some((saves, path)) = session.inner.saves().cloned().zip(session.next.take()) else {
        return;
    };
    let pending = PendingResume {
        saves: &saves,
        path: &path,
        packs,
        on_change: PackChangeArgs::default(),
        style: session.style,
    };
    match pending.session(reader) {
        Ok(other) => {
            std::mem::replace(session, other).inner.close();
        }
        Err(failure) => screen::print(&failure.message),
    }
    session.show();
}

/// The save with this name, or else the file.
pub fn find(saves: &Saves, name: &str) -> Result<PathBuf, Failure> {
    let file = || Some(PathBuf::from(name)).filter(|path| path.is_file());
    saves.find(name).or_else(file).ok_or_else(|| {
        Failure::error(format!(
            "no save is called `{name}`; `kaer saves` lists them"
        ))
    })
}

/// The file, if it exists, or else the save with this name.
pub fn file(path: &Path) -> PathBuf {
    let save = || Saves::of_user()?.find(path.to_str()?);
    if path.exists() {
        path.to_owned()
    } else {
        save().unwrap_or_else(|| path.to_owned())
    }
}

/// The last unfinished game.
fn last(saves: &Saves) -> Result<PathBuf, Failure> {
    let all = saves.list();
    let open = all.iter().find(|save| save.is_open() && !save.named);
    open.map(|save| save.path.clone()).ok_or_else(|| {
        Failure::error(
            "there is no unfinished game; `kaer play` starts one, `kaer saves` lists all saves",
        )
    })
}

/// A save to resume, and how to resume it.
struct PendingResume<'a> {
    saves: &'a Saves,
    path: &'a Path,
    packs: &'a PackArgs,
    on_change: PackChangeArgs,
    style: DisplayStyle,
}

impl PendingResume<'_> {
    #[allow(
        clippy::disallowed_methods,
        reason = "old files are deleted by age; no game sees the time"
    )]
    fn session(&self, reader: &mut LineReader) -> Result<PromptSession, Failure> {
        let (saves, path) = (self.saves, self.path);
        let open_save = lock(saves, path)?;
        let journal = without_partial_setup(&open_save.journal);
        if journal.notes.over {
            return Err(Failure::error(format!(
                "{0} is over; `kaer replay {0}` shows it",
                shown(saves, path)
            )));
        }
        let (attempt, cut) = self.replay_save(&journal, reader)?;
        let header = GameHeader {
            packs: attempt.stamps(),
            ..journal.header.clone()
        };
        let players = players(&header)?;
        let mut session = GameSession::resumed(attempt.game, players, header, journal.notes);
        let now = SystemTime::now();
        if saves.is_named(path) || cut {
            // A named save must not change, and neither must a save that no longer replays to its
            // end.
            session.resume_as_copy(saves.clone(), &attempt.library, now);
        } else {
            let save = (path, shown(saves, path), open_save);
            session.resume_autosave(saves.clone(), save, &attempt.library, now);
        }
        let command = summary::again(session.header(), self.packs, &[]);
        let mut session = PromptSession::new(session, self.style, command);
        session.show_notices();
        session.at_terminal(reader.is_person());
        play_on(&mut session)?;
        Ok(session)
    }
}

/// Shows which game this is and its last events, and plays to the next question.
fn play_on(session: &mut PromptSession) -> Result<(), Failure> {
    let name = session
        .inner
        .save_name()
        .map(|name| format!(" ({name})"))
        .unwrap_or_default();
    let header = session.inner.header();
    let title = if header.title.is_empty() {
        &header.mode
    } else {
        &header.title
    };
    screen::print(&format!("{title} — seed {}{name}", header.seed));
    if session.game().journal().is_empty() {
        session.begin()?;
    }
    session.skip_log_except(RECENT_LINES);
    session.advance()
}

/// Opens and locks a save.
fn lock(saves: &Saves, path: &Path) -> Result<OpenSave, Failure> {
    crate::saves::open(path).map_err(|refused| match refused {
        OpenError::InUse => {
            let name = shown(saves, path);
            Failure::error(format!(
                "{name} is in use by another `kaer`; `kaer saves` lists the other saves"
            ))
        }
        OpenError::Other(reason) => Failure::error(format!("{}: {reason}", path.display())),
    })
}

/// The name of a save, or the path of another file.
fn shown(saves: &Saves, path: &Path) -> String {
    let name = name_of(path);
    if saves.find(name).is_some_and(|found| found == path) {
        name.to_owned()
    } else {
        path.display().to_string()
    }
}

/// Removes the answers of an incomplete setup, which is played again.
fn without_partial_setup(journal: &Journal) -> Journal {
    let mut journal = journal.clone();
    if journal.lines.len() < journal.notes.begun {
        journal.lines.clear();
        journal.notes.begun = 0;
    }
    journal
}

fn players(header: &GameHeader) -> Result<Vec<Player>, Failure> {
    let player = |(name, who): &(String, String)| Player::parse(name, who).map_err(Failure::error);
    header.players.iter().map(player).collect()
}

/// A replayed game.
struct ReplayAttempt {
    library: PackLibrary,
    game: Game,
    /// The index of the first answer that is no longer valid, and the reason.
    invalid: Option<(usize, String)>,
}

impl ReplayAttempt {
    fn on(library: PackLibrary, path: &Path, journal: &Journal) -> Result<ReplayAttempt, Failure> {
        let packs = journal
            .header
            .packs
            .iter()
            .filter_map(|stamp| library.set.pack(&stamp.id))
            .map(|(number, _)| number);
        if library.has_errors(&packs.collect::<Vec<u16>>()) {
            return Err(refuse(&library, &library.report));
        }
        let (rules, setup) = journal::open(path, journal, &library)?;
        // This fails if the game cannot even start.
        Game::new(rules.clone(), setup.clone()).map_err(Failure::error)?;
        let (game, invalid) = match Game::replay(rules, &setup, &journal.lines) {
            Ok(game) => (game, None),
            Err(invalid) => {
                let (game, at, reason) = *invalid;
                (game, Some((at, reason)))
            }
        };
        Ok(ReplayAttempt {
            library,
            game,
            invalid,
        })
    }

    fn stamps(&self) -> Vec<PackStamp> {
        self.game.content().packs.clone()
    }
}

impl PendingResume<'_> {
    /// Replays a journal with the current packs or the stored ones. Returns whether only a part of
    /// it is still valid.
    fn replay_save(
        &self,
        journal: &Journal,
        reader: &mut LineReader,
    ) -> Result<(ReplayAttempt, bool), Failure> {
        let PendingResume {
            saves,
            path,
            packs,
            on_change,
            ..
        } = *self;
        if on_change.saved_packs {
            return replay_on_stored_packs(saves, path, journal).map(|attempt| (attempt, false));
        }
        let current = library(packs, &journal.header)
            .and_then(|library| ReplayAttempt::on(library, path, journal));
        let current = match current {
            Ok(current) => current,
            // The current packs are missing or have errors.
            Err(failure) => {
                let attempt = replay_on_stored_packs(saves, path, journal)
                    .map_err(|_| failure_of(&failure))?;
                screen::print_error(&failure.message);
                screen::print(
                    "The current packs have errors. The game continues with the packs stored with the save.",
                );
                return Ok((attempt, false));
            }
        };
        let Some((at, reason)) = &current.invalid else {
            return Ok((current, false));
        };
        let problem = format!(
            "answer {1} of {0} is no longer valid ({reason})",
            shown(saves, path),
            at + 1
        );
        if on_change.until_invalid {
            screen::print(&format!(
                "The packs have changed: {problem}. The game continues from there."
            ));
            return Ok((current, true));
        }
        let stored = replay_on_stored_packs(saves, path, journal);
        match choose(&problem, stored.is_ok(), reader)? {
            ResumeChoice::Stored => stored.map(|attempt| (attempt, false)),
            ResumeChoice::Current => Ok((current, true)),
        }
    }
}

fn failure_of(failure: &Failure) -> Failure {
    Failure {
        message: failure.message.clone(),
        status: failure.status,
    }
}

/// The current packs, including those that were found only through a flag or from the folder in
/// which the game was started.
pub fn library(packs: &PackArgs, header: &GameHeader) -> Result<PackLibrary, Failure> {
    if !packs.paths.is_empty() {
        return packs.library();
    }
    let paths = header
        .folders
        .iter()
        .map(PathBuf::from)
        .filter(|path| path.join("pack.toml").is_file());
    PackArgs {
        paths: paths.collect(),
    }
    .or_current()
    .library()
}

/// Replays the game with the packs stored with the save.
fn replay_on_stored_packs(
    saves: &Saves,
    path: &Path,
    journal: &Journal,
) -> Result<ReplayAttempt, Failure> {
    let stamps = &journal.header.packs;
    let missing = || Failure::error("the packs stored with this save are missing or were changed");
    let sources = saves.archive().sources(stamps).ok_or_else(missing)?;
    let library = PackLibrary::load(sources);
    if !matches_stamps(&library.set, stamps) {
        return Err(missing());
    }
    let attempt = ReplayAttempt::on(migrate_to_current(library)?, path, journal)?;
    match &attempt.invalid {
        None => Ok(attempt),
        Some((at, reason)) => {
            let message = format!(
                "answer {} is not valid with the stored packs either: {reason}",
                at + 1
            );
            Err(Failure::error(message))
        }
    }
}

/// Migrates packs of an older engine version in memory.
fn migrate_to_current(library: PackLibrary) -> Result<PackLibrary, Failure> {
    let files = &library.set.files;
    let texts: Vec<(&str, &str)> = files
        .ids()
        .map(|file| (files.name(file), files.text(file)))
        .collect();
    let scope = PackNames::from_files(texts.iter().copied());
    let (mut sources, mut is_old) = (Vec::new(), false);
    for pack in &library.set.packs {
        let root = format!("{}/", pack.root);
        let own = texts
            .iter()
            .filter_map(|(name, text)| Some((name.strip_prefix(&root)?, *text)));
        let own: Vec<(&str, &str)> = own.collect();
        let manifest = own.iter().find(|(name, _)| *name == "pack.toml");
        let refuse = |reason: String| Failure::error(format!("{}: {reason}", pack.root));
        let from = version_of(manifest.map_or("", |(_, text)| text)).map_err(refuse)?;
        is_old |= from < VERSION;
        let mut new: Vec<(&str, String)> = Vec::new();
        for (name, text) in own {
            let done =
                FileFormat::detect(name, "").map(|format| migrate(text, format, from, &scope));
            let done = done.transpose().map_err(refuse)?;
            new.push((name, done.map_or_else(|| text.to_owned(), |done| done.text)));
        }
        let new: Vec<(&str, &str)> = new.iter().map(|(name, text)| (*name, &**text)).collect();
        sources.push(PackSource::texts(&pack.root, &new));
    }
    Ok(if is_old {
        PackLibrary::load(sources)
    } else {
        library
    })
}

/// Which packs to play with.
enum ResumeChoice {
    Stored,
    Current,
}

/// Asks which packs to play with, if the save is not valid with the current ones.
fn choose(
    problem: &str,
    has_stored: bool,
    reader: &mut LineReader,
) -> Result<ResumeChoice, Failure> {
    let flag = if has_stored {
        "`--saved-packs` plays with the packs stored with the save, "
    } else {
        ""
    };
    let on_change =
        format!("{problem}; {flag}`--until-invalid` continues from there with the current packs");
    if !reader.is_person() {
        return Err(Failure {
            message: on_change,
            status: 1,
        });
    }
    screen::print(&format!("The packs have changed: {problem}."));
    if has_stored {
        screen::print("   1  Play with the packs stored with the save");
    }
    screen::print("   2  Continue from there with the current packs, as a new save");
    while let InputLine::Line(line) = reader.read(Vec::new) {
        match line.as_str() {
            "1" if has_stored => return Ok(ResumeChoice::Stored),
            "2" => return Ok(ResumeChoice::Current),
            "q" | "quit" => break,
            _ => screen::print("Type one of the numbers, or `quit`."),
        }
    }
    Err(Failure::error("the save is unchanged"))
}
