//! `kaer watch`: checks packs on every save, and reloads them into a running game.

mod background_check;
mod watcher;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use self::background_check::BackgroundCheck;
use self::watcher::{FileWatcher, WatchEvent};
use super::current_pack::{self, is_selected};
use super::game_args::{self, SetupArgs, StartArgs};
use super::session::{DisplayStyle, PromptSession};
use super::{Failure, refuse, screen};
use crate::check::{self, Effort};
use crate::diagnostic::Confidence;
use crate::game::Setup;
use crate::library::{LintLevel, PackLibrary};
use crate::reload::{CheckedPacks, LivePacks, ReloadError, differences};
use crate::session::{GameSession, recorded_setup};

/// How long files must be unchanged before a reload, because editors save in several steps.
const DEBOUNCE: Duration = Duration::from_millis(10);
/// The maximum time to wait for that.
const MAX_WAIT: Duration = Duration::from_millis(60);
/// The maximum number of difference lines to show after a reload.
const MAX_LINES: usize = 40;

#[derive(clap::Args, Clone, Debug)]
pub struct WatchArgs {
    /// Packs or folders of packs; by default, the pack of the current folder.
    paths: Vec<PathBuf>,
    /// Play a mode (`pack:mode` or `mode`) with hot reload; without MODE, one of the pack's own.
    #[arg(long, value_name = "MODE", num_args = 0..=1, default_missing_value = "")]
    play: Option<String>,
    #[command(flatten)]
    setup: SetupArgs,
    #[command(flatten)]
    start: StartArgs,
    #[command(flatten)]
    style: DisplayStyle,
    /// Write the journal of the game to this file, one answer per line.
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Static checks only; do not run scripts.
    #[arg(long = "static")]
    static_only: bool,
}

pub fn run(args: &WatchArgs) -> Result<(), Failure> {
    let args = &WatchArgs {
        paths: current_pack::or_current(&args.paths),
        ..args.clone()
    };
    let (sender, events) = channel();
    let is_playing = args.play.is_some() || args.start.at.is_some();
    let library = find(&args.paths).map_err(Failure::error)?;
    let mut watcher = FileWatcher::open(sender.clone()).map_err(Failure::error)?;
    if is_playing {
        let mut playing = WatchedGame::begin(args, library, sender.clone())?;
        watcher.watch(&playing.packs.folders());
        watcher::listen(sender);
        playing.run(&events, &mut watcher);
        return Ok(());
    }
    current_pack::announce(&library, &args.paths, "watching");
    let folders = |library: &PackLibrary| -> Vec<PathBuf> {
        let is_selected = is_selected(library, &args.paths);
        let selected = library
            .set
            .packs
            .iter()
            .filter(|pack| is_selected(pack.origin));
        selected.map(|pack| PathBuf::from(&pack.root)).collect()
    };
    watcher.watch(&folders(&library));
    check_all(args, &library);
    screen::print("Watching for changes. Press Ctrl-C to stop.");
    loop {
        let WatchEvent::Changed(_) = wait(&events, &mut watcher) else {
            continue;
        };
        match find(&args.paths) {
            Ok(library) => {
                watcher.watch(&folders(&library));
                check_all(args, &library);
            }
            Err(reason) => screen::print(&format!("{reason}; waiting for it to come back.")),
        }
    }
}

/// Waits for the next event; changes in quick succession are merged into one.
#[allow(clippy::disallowed_methods, reason = "files change in real time")]
fn wait(events: &Receiver<WatchEvent>, watcher: &mut FileWatcher) -> WatchEvent {
    let mut changed = loop {
        match events.recv_timeout(Duration::from_millis(500)) {
            Ok(WatchEvent::Changed(paths)) => break paths,
            Ok(other) => return other,
            // A deleted folder may exist again.
            Err(_) => {
                if watcher.recheck() {
                    break Vec::new();
                }
            }
        }
    };
    let started = Instant::now();
    while started.elapsed() < MAX_WAIT {
        match events.recv_timeout(DEBOUNCE) {
            Ok(WatchEvent::Changed(more)) => changed.extend(more),
            Ok(other) => {
                watcher.put_back(other);
                break;
            }
            Err(_) => break,
        }
    }
    changed.sort();
    changed.dedup();
    WatchEvent::Changed(changed)
}

/// Checks the selected packs and prints the diagnostics.
#[allow(clippy::disallowed_methods, reason = "reports how long it took")]
fn check_all(args: &WatchArgs, library: &PackLibrary) {
    let started = Instant::now();
    let wanted = is_selected(library, &args.paths);
    let mut checked = check::check(library, None, wanted);
    if checked.report.has_no_errors() && !args.static_only {
        checked = check::check(library, Some(Effort::default()), wanted);
    }
    checked
        .report
        .retain(|diagnostic| diagnostic.confidence != Confidence::Guess);
    checked.report.iter().for_each(|diagnostic| {
        screen::print_raw(&screen::diagnostic(&library.set.files, diagnostic));
    });
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
    screen::print(&format!("{packs}: {errors}, {warnings} in {ms} ms"));
}

/// A running game whose packs are reloaded when they change.
struct WatchedGame {
    packs: LivePacks,
    session: PromptSession,
    setup: Setup,
    background_check: BackgroundCheck,
    /// The number of reloads so far.
    changes: usize,
}

impl WatchedGame {
    fn begin(
        args: &WatchArgs,
        library: PackLibrary,
        sender: Sender<WatchEvent>,
    ) -> Result<WatchedGame, Failure> {
        if !library.report.has_no_errors() {
            return Err(refuse(&library, &library.report));
        }
        let mode = match args.play.as_deref().filter(|mode| !mode.is_empty()) {
            Some(mode) => game_args::find_mode(&library.modes(), mode)?,
            None => game_args::likely_mode(&library, &args.start)?
                .or_else(|| game_args::mode_of_named(&library))
                .ok_or_else(|| {
                    Failure::error("name a mode to play: `--play MODE` (`kaer list` shows them)")
                })?,
        };
        let mut chosen =
            game_args::open(&library, &args.setup, &mode, &args.start, LintLevel::All)?;
        let players = game_args::seated(
            &mut chosen,
            game_args::players(&args.setup.players)?,
            &args.start,
        );
        let header = chosen.header;
        let setup =
            recorded_setup(&chosen.opened.rules, &players, &header).map_err(Failure::error)?;
        let mut session = GameSession::new(chosen.opened.rules.clone(), players, header)
            .map_err(Failure::error)?;
        session.allow_free_undo();
        session.set_budget(game_args::budget(args.setup.thinking));
        if let Some(path) = &args.journal {
            session.write_journal_to(path).map_err(Failure::error)?;
        }
        screen::print(&format!(
            "{} — seed {}; saved changes apply at once",
            mode.title,
            session.header().seed
        ));
        let mut session = PromptSession::new(session, args.style, None);
        session.begin()?;
        session.advance()?;
        let packs = LivePacks {
            library: Arc::new(library),
            opened: chosen.opened,
        };
        let background_check = BackgroundCheck::begin(args.paths.clone(), &packs, sender);
        Ok(WatchedGame {
            packs,
            session,
            setup,
            background_check,
            changes: 0,
        })
    }

    /// Plays until the user quits. Errors are printed, and the game waits for the next save.
    fn run(&mut self, events: &Receiver<WatchEvent>, watcher: &mut FileWatcher) {
        self.show();
        loop {
            match watcher.take_back().unwrap_or_else(|| wait(events, watcher)) {
                WatchEvent::Line(line) => {
                    match self.session.handle_line(&line) {
                        Ok(true) => return,
                        Ok(false) => {}
                        Err(failure) => screen::print(&failure.message),
                    }
                    self.show_prompt();
                }
                WatchEvent::InputEnded => {
                    self.session.leave();
                    return;
                }
                WatchEvent::Changed(paths) => {
                    self.reload(&paths);
                    watcher.watch(&self.packs.folders());
                }
                WatchEvent::Checked(change, faults)
                    if change == self.changes && !faults.is_empty() =>
                {
                    screen::print("");
                    faults
                        .iter()
                        .for_each(|diagnostic| screen::print_raw(diagnostic));
                    super::line_reader::print_prompt();
                }
                // The result is outdated, because the packs have changed since.
                WatchEvent::Checked(..) => {}
            }
        }
    }

    fn show(&mut self) {
        self.session.show();
        self.show_prompt();
    }

    /// Shows the prompt for the next line.
    fn show_prompt(&self) {
        if self.session.is_over() {
            screen::print("The game is over. Save a file to replay it, or type `undo` or `quit`.");
        }
        super::line_reader::print_prompt();
    }

    /// Reloads the packs and replays the game with them, while a background thread checks them.
    /// Packs with errors are never played.
    #[allow(clippy::disallowed_methods, reason = "reports how long it took")]
    fn reload(&mut self, changed: &[PathBuf]) {
        let started = Instant::now();
        self.changes += 1;
        let check = self
            .background_check
            .request_check(self.changes, self.packs.roots());
        screen::print("");
        let before = match self.packs.reload(changed, || check.packs()) {
            Ok(before) => before,
            Err(ReloadError::NotFound(reason)) => {
                screen::print(&format!(
                    "{reason}; the game continues with the previous version."
                ));
                return super::line_reader::print_prompt();
            }
            // The background check may have found more.
            Err(ReloadError::HasErrors(own)) => return print_errors(&check.found().unwrap_or(own)),
        };
        let read = started.elapsed();
        check.begin_check();
        let lines = self.session.game().journal().to_vec();
        let again = self.packs.replay(&self.setup, &lines);
        let played = started.elapsed();
        let changed_lines = differences(self.session.game(), &again.game);
        if let Some(seen) = check.found() {
            self.packs.roll_back(before);
            return print_errors(&seen);
        }
        for line in changed_lines.iter().take(MAX_LINES) {
            screen::print(line);
        }
        if changed_lines.len() > MAX_LINES {
            screen::print(&format!(
                "… and {} more lines",
                changed_lines.len() - MAX_LINES
            ));
        }
        if let Some((at, reason)) = &again.invalid {
            let line = lines
                .get(*at)
                .map(crate::game::journal::JournalLine::text)
                .unwrap_or_default();
            screen::print(&format!(
                "Answer {} (`{line}`) is no longer valid: {reason}. The game continues from there.",
                at + 1
            ));
        }
        let same = if changed_lines.is_empty() {
            "; nothing changed in the game so far"
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
        screen::print(&format!(
            "Reloaded {what} in {}, replayed {count} in {}{same}.",
            ms(read),
            ms(played.saturating_sub(read))
        ));
        let mut header = self.session.inner.header().clone();
        self.packs.stamp(&mut header);
        self.session.inner.replace_game(again.game, header);
        self.session.skip_log();
        if let Err(failure) = self.session.advance() {
            screen::print(&failure.message);
        }
        self.show();
    }
}

fn find(paths: &[PathBuf]) -> Result<PackLibrary, String> {
    PackLibrary::find(&PathBuf::from("."), paths)
}

fn print_errors(seen: &CheckedPacks) {
    let errors: Vec<String> = seen
        .report
        .errors()
        .map(|diagnostic| screen::diagnostic(&seen.files, diagnostic))
        .collect();
    errors
        .iter()
        .take(5)
        .for_each(|diagnostic| screen::print_raw(diagnostic));
    if errors.len() > 5 {
        screen::print(&format!(
            "… and {} more; `kaer check` shows them all",
            errors.len() - 5
        ));
    }
    screen::print("The game continues with the last version without errors.");
    super::line_reader::print_prompt();
}
