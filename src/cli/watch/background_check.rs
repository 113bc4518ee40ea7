//! A background thread that reads and checks the packs of a game on each save, while the game is
//! replayed. It caches what it has read and compiled, so that only changes take time.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use super::watcher::WatchEvent;
use crate::check;
use crate::cli::current_pack::is_selected;
use crate::diagnostic::{Confidence, render_short};
use crate::library::{LintLevel, OpenedGame, PackLibrary, Reuse};
use crate::pack::{self, GameChoice, Origin};
use crate::reload::{CheckedPacks, LivePacks};

/// A handle to the background thread.
pub struct BackgroundCheck {
    ask: Sender<CheckRequest>,
}

/// A request to read and check the packs, with the channels for the results.
struct CheckRequest {
    /// The number of the change; `None` for the first request, which only fills the cache.
    change: Option<usize>,
    roots: Vec<String>,
    packs: Sender<Result<Arc<PackLibrary>, String>>,
    start_check: Receiver<()>,
    found: Sender<Option<CheckedPacks>>,
}

/// A check in progress. Until [`CheckHandle::begin_check`], the thread only reads the packs,
/// because a check would slow down the replay.
pub struct CheckHandle {
    packs: Receiver<Result<Arc<PackLibrary>, String>>,
    start_check: Sender<()>,
    found: Receiver<Option<CheckedPacks>>,
}

impl CheckHandle {
    /// Waits for the current packs.
    pub fn packs(&self) -> Result<Arc<PackLibrary>, String> {
        self.packs
            .recv()
            .unwrap_or_else(|_| Err("the thread that reads packs has stopped".into()))
    }

    /// Allows the thread to check the packs.
    pub fn begin_check(&self) {
        // If the thread has stopped, its results will be missing.
        let _ = self.start_check.send(());
    }

    /// Waits for the errors of the packs, if there are any; [`CheckHandle::packs`] reports missing
    /// packs.
    pub fn found(self) -> Option<CheckedPacks> {
        drop(self.start_check);
        self.found.recv().ok().flatten()
    }
}

impl BackgroundCheck {
    /// Starts the thread and fills its cache. After each change, it sends diagnostics that are not
    /// errors to the queue.
    pub fn begin(
        paths: Vec<PathBuf>,
        packs: &LivePacks,
        sender: Sender<WatchEvent>,
    ) -> BackgroundCheck {
        let (ask, requests) = channel();
        let (choice, given) = (
            packs.opened.choice().clone(),
            packs.opened.setup_script().map(str::to_owned),
        );
        thread::spawn(move || {
            let mut cache = CheckCache {
                paths,
                choice,
                given,
                tell: sender,
                library: None,
                opened: None,
            };
            // Ends when the handle is dropped.
            while let Ok(request) = requests.recv() {
                cache.look(&request);
            }
        });
        let looker = BackgroundCheck { ask };
        looker.send(None, packs.roots());
        looker
    }

    /// Requests a check after a change.
    pub fn request_check(&self, change: usize, roots: Vec<String>) -> CheckHandle {
        self.send(Some(change), roots)
    }

    fn send(&self, change: Option<usize>, roots: Vec<String>) -> CheckHandle {
        let ((packs, read), (start_check, may_start), (found, seen)) =
            (channel(), channel(), channel());
        // If the thread has stopped, its results will be missing.
        let _ = self.ask.send(CheckRequest {
            change,
            roots,
            packs,
            start_check: may_start,
            found,
        });
        CheckHandle {
            packs: read,
            start_check,
            found: seen,
        }
    }
}

/// The state of the thread.
struct CheckCache {
    paths: Vec<PathBuf>,
    choice: GameChoice,
    given: Option<String>,
    tell: Sender<WatchEvent>,
    library: Option<Arc<PackLibrary>>,
    opened: Option<OpenedGame>,
}

impl CheckCache {
    /// Reads the packs and sends them, then checks them as opened for the game, then runs all other
    /// checks. Sending fails if there is a newer request or the program is about to exit.
    fn look(&mut self, request: &CheckRequest) {
        let library = match self.read(&request.roots) {
            Ok(library) => library,
            Err(reason) => {
                let _ = request.packs.send(Err(reason));
                return;
            }
        };
        let _ = request.packs.send(Ok(library.clone()));
        // Continue even if the channel is closed.
        let _ = request.start_check.recv();
        let mut report = library.report.clone();
        if report.has_no_errors() {
            let (opened, faults) = library.open_reusing(
                &self.choice,
                self.given.as_deref(),
                Reuse::older(self.opened.as_ref()),
                LintLevel::All,
            );
            self.opened = opened.or_else(|| self.opened.take());
            report.extend(faults);
        }
        if !report.has_no_errors() {
            let _ = request.found.send(Some(CheckedPacks {
                files: library.set.files.clone(),
                report,
            }));
            return;
        }
        let _ = request.found.send(None);
        if let Some(change) = request.change {
            self.check(library, change);
        }
    }

    fn read(&mut self, roots: &[String]) -> Result<Arc<PackLibrary>, String> {
        let library = Arc::new(find_used(&self.paths, roots, self.library.as_deref())?);
        self.library = Some(library.clone());
        Ok(library)
    }

    /// Runs the other checks in a separate thread, so that the next save need not wait for them.
    fn check(&self, library: Arc<PackLibrary>, change: usize) {
        let (paths, sender) = (self.paths.clone(), self.tell.clone());
        thread::spawn(move || {
            let checked = check::check(&library, None, is_selected(&library, &paths));
            let likely = checked
                .report
                .iter()
                .filter(|diagnostic| diagnostic.confidence != Confidence::Guess);
            let diagnostics = likely
                .map(|diagnostic| render_short(&library.set.files, diagnostic))
                .collect();
            let _ = sender.send(WatchEvent::Checked(change, diagnostics));
        });
    }
}

/// Loads only the packs of the running game and those named on the command line.
fn find_used(
    paths: &[PathBuf],
    roots: &[String],
    before: Option<&PackLibrary>,
) -> Result<PackLibrary, String> {
    let mut sources = pack::find(Path::new("."), paths)?;
    sources
        .retain(|source| source.origin() == Origin::CommandLine || roots.contains(&source.root()));
    match roots
        .iter()
        .find(|root| sources.iter().all(|source| source.root() != **root))
    {
        Some(gone) => Err(format!("{gone} is gone")),
        None => Ok(PackLibrary::reload(sources, before)),
    }
}
