//! `kaer watch`: packs while they are written. On each save they are checked, and a game that runs goes on with what was changed.

mod eyes;
mod looker;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use self::eyes::{Eyes, Heard};
use self::looker::Looker;
use super::keeper::Keeper;
use super::session::{Session, Style};
use super::start::{self, Trying, Wishes};
use super::{Failure, begin, is_meant, refuse, screen};
use crate::author::reload::{InUse, Refused, Seen, differences};
use crate::check::{self, Effort};
use crate::diagnostic::Confidence;
use crate::game::Setup;
use crate::shelf::{Care, Shelf};

/// So long nothing must be written any more before a change is taken in: editors write in several steps.
const QUIET: Duration = Duration::from_millis(10);
/// So long is waited at most.
const PATIENCE: Duration = Duration::from_millis(60);
/// So many lines of what is otherwise are shown.
const MOST_LINES: usize = 40;

/// What `kaer watch` takes.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Packs, or folders of packs; without any, every pack that is found.
    paths: Vec<PathBuf>,
    /// Play a mode meanwhile: `pack:mode`, or `mode`; without a name, one of the pack's.
    #[arg(long, value_name = "MODE", num_args = 0..=1, default_missing_value = "")]
    play: Option<String>,
    #[command(flatten)]
    wishes: Wishes,
    #[command(flatten)]
    trying: Trying,
    #[command(flatten)]
    style: Style,
    /// Write the journal of the game to this file, an answer a line.
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Run no script when checking: quicker, and finds less.
    #[arg(long = "static")]
    still: bool,
}

/// Watches.
pub fn run(args: &Args) -> Result<(), Failure> {
    let (tell, heard) = channel();
    let plays = args.play.is_some() || args.trying.at.is_some();
    let shelf = find(&args.paths).map_err(Failure::cannot)?;
    let mut eyes = Eyes::open(tell.clone()).map_err(Failure::cannot)?;
    if plays {
        let mut playing = Playing::begin(args, shelf, tell.clone())?;
        eyes.watch(&playing.packs.folders());
        eyes::listen(tell);
        playing.go_on(&heard, &mut eyes);
        return Ok(());
    }
    let folders = |shelf: &Shelf| -> Vec<PathBuf> {
        let meant = shelf
            .set
            .packs
            .iter()
            .filter(|pack| is_meant(pack.origin, &args.paths));
        meant.map(|pack| PathBuf::from(&pack.root)).collect()
    };
    eyes.watch(&folders(&shelf));
    check_all(args, &shelf);
    screen::say("Watching; Ctrl-C ends it.");
    loop {
        let Heard::Changed(_) = wait(&heard, &mut eyes) else {
            continue;
        };
        match find(&args.paths) {
            Ok(shelf) => {
                eyes.watch(&folders(&shelf));
                check_all(args, &shelf);
            }
            Err(why) => screen::say(&format!("{why}; waiting until it is there again.")),
        }
    }
}

/// Waits for something to happen; changes that come together are one.
#[allow(
    clippy::disallowed_methods,
    reason = "files are written in their own time"
)]
fn wait(heard: &Receiver<Heard>, eyes: &mut Eyes) -> Heard {
    let mut changed = loop {
        match heard.recv_timeout(Duration::from_millis(500)) {
            Ok(Heard::Changed(paths)) => break paths,
            Ok(other) => return other,
            // A folder that was deleted may be there again.
            Err(_) => {
                if eyes.look_again() {
                    break Vec::new();
                }
            }
        }
    };
    let started = Instant::now();
    while started.elapsed() < PATIENCE {
        match heard.recv_timeout(QUIET) {
            Ok(Heard::Changed(more)) => changed.extend(more),
            Ok(other) => {
                eyes.put_back(other);
                break;
            }
            Err(_) => break,
        }
    }
    changed.sort();
    changed.dedup();
    Heard::Changed(changed)
}

/// Checks the packs that are wanted, and shows what is found.
#[allow(clippy::disallowed_methods, reason = "it tells how long it took")]
fn check_all(args: &Args, shelf: &Shelf) {
    let started = Instant::now();
    let wanted = |origin| is_meant(origin, &args.paths);
    let mut checked = check::check(shelf, None, wanted);
    if checked.report.is_sound() && !args.still {
        checked = check::check(shelf, Some(Effort::default()), wanted);
    }
    checked
        .report
        .retain(|fault| fault.confidence != Confidence::Guess);
    checked
        .report
        .iter()
        .for_each(|fault| screen::raw(&screen::fault(&shelf.set.files, fault)));
    let (errors, warnings) = (
        checked.report.errors().count(),
        checked.report.warnings().count(),
    );
    let (packs, ms) = (checked.packs, started.elapsed().as_millis());
    let (packs, errors, warnings) = (
        screen::counted(packs, "pack"),
        screen::counted(errors, "error"),
        screen::counted(warnings, "warning"),
    );
    screen::say(&format!("{packs}: {errors}, {warnings} in {ms} ms"));
}

/// A game that is played while its packs are written.
struct Playing {
    packs: InUse,
    session: Session,
    setup: Setup,
    looker: Looker,
    /// How often something was saved.
    changes: usize,
}

impl Playing {
    fn begin(args: &Args, shelf: Shelf, tell: Sender<Heard>) -> Result<Playing, Failure> {
        if !shelf.report.is_sound() {
            return Err(refuse(&shelf, &shelf.report));
        }
        let mode = match args.play.as_deref().filter(|mode| !mode.is_empty()) {
            Some(mode) => start::find_mode(&shelf.modes(), mode)?,
            None => start::likely_mode(&shelf, &args.trying)
                .or_else(|| start::mode_of_named(&shelf))
                .ok_or_else(|| {
                    Failure::cannot("say which mode to play: `--play MODE`; `kaer list` shows them")
                })?,
        };
        let mut chosen = start::open(&shelf, &args.wishes, &mode, &args.trying, Care::All)?;
        let players = start::seated(
            &mut chosen,
            start::players(&args.wishes.players)?,
            &args.trying,
        );
        let header = &chosen.header;
        let setup = begin::setup(&chosen, &players)?;
        let mut session = begin::begin(&chosen, players, args.style, |session| {
            session.history.lenient = true;
            session.think(args.wishes.thinking);
            session.journal = args
                .journal
                .as_ref()
                .map(|path| Keeper::begin(path, header))
                .transpose()?;
            screen::say(&format!(
                "{} — seed {}; what you save is played at once",
                mode.title, header.seed
            ));
            Ok(())
        })?;
        session.advance()?;
        let packs = InUse {
            shelf: Arc::new(shelf),
            opened: chosen.opened,
        };
        let looker = Looker::begin(args.paths.clone(), &packs, tell);
        Ok(Playing {
            packs,
            session,
            setup,
            looker,
            changes: 0,
        })
    }

    /// Plays until the person leaves. Whatever goes wrong on the way is told, and the game waits for the next save.
    fn go_on(&mut self, heard: &Receiver<Heard>, eyes: &mut Eyes) {
        self.show();
        loop {
            match eyes.take_back().unwrap_or_else(|| wait(heard, eyes)) {
                Heard::Line(line) => {
                    match self.session.hear(&line) {
                        Ok(true) => return,
                        Ok(false) => {}
                        Err(failure) => screen::say(&failure.message),
                    }
                    self.rest();
                }
                Heard::End => {
                    self.session.leave("The input ended");
                    return;
                }
                Heard::Changed(paths) => {
                    self.reload(&paths);
                    eyes.watch(&self.packs.folders());
                }
                Heard::Looked(change, faults) if change == self.changes && !faults.is_empty() => {
                    screen::say("");
                    faults.iter().for_each(|fault| screen::raw(fault));
                    super::line::mark();
                }
                // Something else was saved since.
                Heard::Looked(..) => {}
            }
        }
    }

    fn show(&mut self) {
        self.session.show();
        self.rest();
    }

    /// Waits for a line or a save.
    fn rest(&self) {
        if self.session.is_over() {
            screen::say(
                "The game is over; what you save is played again, `undo` goes back, `quit` leaves.",
            );
        }
        super::line::mark();
    }

    /// Takes in what was saved, and plays the game again on it, while a thread of its own looks at the packs closely: what is wrong
    /// with them is never played.
    #[allow(clippy::disallowed_methods, reason = "it tells how long it took")]
    fn reload(&mut self, changed: &[PathBuf]) {
        let started = Instant::now();
        self.changes += 1;
        let looking = self.looker.look(self.changes, self.packs.roots());
        screen::say("");
        let before = match self.packs.reload(changed, || looking.packs()) {
            Ok(before) => before,
            Err(Refused::Gone(why)) => {
                screen::say(&format!("{why}; the game goes on with what was there."));
                return super::line::mark();
            }
            // Whoever looked closely may have found more.
            Err(Refused::Faulty(own)) => return refused(&looking.found().unwrap_or(own)),
        };
        let read = started.elapsed();
        looking.closely();
        let lines = self.session.game.journal().to_vec();
        let again = self.packs.again(&self.setup, &lines);
        let played = started.elapsed();
        let otherwise = differences(&self.session.game, &again.game);
        if let Some(seen) = looking.found() {
            self.packs.go_back(before);
            return refused(&seen);
        }
        for line in otherwise.iter().take(MOST_LINES) {
            screen::say(line);
        }
        if otherwise.len() > MOST_LINES {
            screen::say(&format!(
                "… and {} lines more",
                otherwise.len() - MOST_LINES
            ));
        }
        if let Some((at, why)) = &again.unfit {
            let line = lines
                .get(*at)
                .map(crate::game::journal::Line::text)
                .unwrap_or_default();
            screen::say(&format!(
                "Answer {} (`{line}`) no longer fits: {why}. The game goes on from there.",
                at + 1
            ));
        }
        let same = if otherwise.is_empty() {
            "; so far nothing would have gone otherwise"
        } else {
            ""
        };
        let names: Vec<String> = changed
            .iter()
            .filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned()))
            .collect();
        let what = if names.is_empty() {
            "the packs".to_owned()
        } else {
            names.join(", ")
        };
        let ms = |time: Duration| format!("{:.1} ms", time.as_secs_f64() * 1000.0);
        let count = screen::counted(again.game.journal().len(), "answer");
        screen::say(&format!(
            "Took in {what}: read in {}, {count} played again in {}{same}.",
            ms(read),
            ms(played.saturating_sub(read))
        ));
        self.session.go_to(again.game);
        self.session.history.gone.clear();
        self.session.skip_telling();
        self.packs.stamp(&mut self.session.header);
        if let Some(journal) = &mut self.session.journal {
            journal.change(&self.session.header);
        }
        if let Err(failure) = self.session.advance() {
            screen::say(&failure.message);
        }
        self.show();
    }
}

/// Every pack that is found.
fn find(paths: &[PathBuf]) -> Result<Shelf, String> {
    Shelf::find(&PathBuf::from("."), paths)
}

fn refused(seen: &Seen) {
    let errors: Vec<String> = seen
        .report
        .errors()
        .map(|fault| screen::fault(&seen.files, fault))
        .collect();
    errors.iter().take(5).for_each(|fault| screen::raw(fault));
    if errors.len() > 5 {
        screen::say(&format!(
            "… and {} more; `kaer check` shows them all",
            errors.len() - 5
        ));
    }
    screen::say("The game goes on with the last sound version.");
    super::line::mark();
}
