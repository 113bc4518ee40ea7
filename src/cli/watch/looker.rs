//! A second pair of eyes: a thread that reads the packs of a game on each save and looks at them closely, while the game is
//! played again. It remembers what it has read and compiled, so that only what was changed takes time.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use super::eyes::Heard;
use crate::author::reload::{InUse, Seen};
use crate::check;
use crate::cli::is_meant;
use crate::diagnostic::{Confidence, render_short};
use crate::pack::{self, Choice, Origin};
use crate::shelf::{Care, Opened, Reuse, Shelf};

/// The thread, as those see it who ask it to look.
pub struct Looker {
    ask: Sender<Ask>,
}

/// What is to be looked at, and where the answers go.
struct Ask {
    /// Which change it is; none if it is only to know the packs when the first one comes.
    change: Option<usize>,
    roots: Vec<String>,
    packs: Sender<Result<Arc<Shelf>, String>>,
    go_on: Receiver<()>,
    found: Sender<Option<Seen>>,
}

/// A look that somebody takes meanwhile. First the packs are only read: two who are busy at once slow each other down.
pub struct Look {
    packs: Receiver<Result<Arc<Shelf>, String>>,
    go_on: Sender<()>,
    found: Receiver<Option<Seen>>,
}

impl Look {
    /// The packs as they are now.
    pub fn packs(&self) -> Result<Arc<Shelf>, String> {
        self.packs
            .recv()
            .unwrap_or_else(|_| Err("nobody could read the packs".into()))
    }

    /// From here on they are looked at closely.
    pub fn closely(&self) {
        // Whoever is gone cannot look.
        let _ = self.go_on.send(());
    }

    /// What keeps them from being played, if anything does. That they are gone is told by [`Look::packs`].
    pub fn found(self) -> Option<Seen> {
        drop(self.go_on);
        self.found.recv().ok().flatten()
    }
}

impl Looker {
    /// Begins to know the packs of a game. What is wrong with them beside errors is told after each change.
    pub fn begin(paths: Vec<PathBuf>, packs: &InUse, tell: Sender<Heard>) -> Looker {
        let (ask, asked) = channel();
        let (choice, given) = (
            packs.opened.choice().clone(),
            packs.opened.given().map(str::to_owned),
        );
        thread::spawn(move || {
            let mut memory = Memory {
                paths,
                choice,
                given,
                tell,
                shelf: None,
                opened: None,
            };
            // It ends with the one who asks.
            while let Ok(ask) = asked.recv() {
                memory.look(&ask);
            }
        });
        let looker = Looker { ask };
        looker.send(None, packs.roots());
        looker
    }

    /// Looks at what was changed.
    pub fn look(&self, change: usize, roots: Vec<String>) -> Look {
        self.send(Some(change), roots)
    }

    fn send(&self, change: Option<usize>, roots: Vec<String>) -> Look {
        let ((packs, read), (go_on, closely), (found, seen)) = (channel(), channel(), channel());
        // If the thread is gone, its answers will be missing, too.
        let _ = self.ask.send(Ask {
            change,
            roots,
            packs,
            go_on: closely,
            found,
        });
        Look {
            packs: read,
            go_on,
            found: seen,
        }
    }
}

/// What the thread knows.
struct Memory {
    paths: Vec<PathBuf>,
    choice: Choice,
    given: Option<String>,
    tell: Sender<Heard>,
    shelf: Option<Arc<Shelf>>,
    opened: Option<Opened>,
}

impl Memory {
    /// Reads the packs and hands them out, then looks closely at them as they are opened for the game, then at all else. Where
    /// nobody listens any more, something newer was asked, or the program ends.
    fn look(&mut self, ask: &Ask) {
        let shelf = match self.read(&ask.roots) {
            Ok(shelf) => shelf,
            Err(why) => {
                let _ = ask.packs.send(Err(why));
                return;
            }
        };
        let _ = ask.packs.send(Ok(shelf.clone()));
        // Where nobody says so any more, it is time, too.
        let _ = ask.go_on.recv();
        let mut report = shelf.report.clone();
        if report.is_sound() {
            let (opened, faults) = shelf.open_again(
                &self.choice,
                self.given.as_deref(),
                Reuse::older(self.opened.as_ref()),
                Care::All,
            );
            self.opened = opened.or_else(|| self.opened.take());
            report.extend(faults);
        }
        if !report.is_sound() {
            let _ = ask.found.send(Some(Seen {
                files: shelf.set.files.clone(),
                report,
            }));
            return;
        }
        let _ = ask.found.send(None);
        if let Some(change) = ask.change {
            self.check(shelf, change);
        }
    }

    fn read(&mut self, roots: &[String]) -> Result<Arc<Shelf>, String> {
        let shelf = Arc::new(find_used(&self.paths, roots, self.shelf.as_deref())?);
        self.shelf = Some(shelf.clone());
        Ok(shelf)
    }

    /// In a thread of its own: the next save need not wait for it.
    fn check(&self, shelf: Arc<Shelf>, change: usize) {
        let (paths, tell) = (self.paths.clone(), self.tell.clone());
        thread::spawn(move || {
            let checked = check::check(&shelf, None, |origin| is_meant(origin, &paths));
            let sure = checked
                .report
                .iter()
                .filter(|fault| fault.confidence != Confidence::Guess);
            let faults = sure
                .map(|fault| render_short(&shelf.set.files, fault))
                .collect();
            let _ = tell.send(Heard::Looked(change, faults));
        });
    }
}

/// The packs of a game that is played, and those that were named: the others would only be read in vain.
fn find_used(paths: &[PathBuf], roots: &[String], before: Option<&Shelf>) -> Result<Shelf, String> {
    let mut sources = pack::find(Path::new("."), paths)?;
    sources
        .retain(|source| source.origin() == Origin::CommandLine || roots.contains(&source.root()));
    match roots
        .iter()
        .find(|root| sources.iter().all(|source| source.root() != **root))
    {
        Some(gone) => Err(format!("{gone} is gone")),
        None => Ok(Shelf::load_again(sources, before)),
    }
}
