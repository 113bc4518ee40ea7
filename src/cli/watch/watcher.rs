//! Watches folders and reads typed lines. Both send events to one queue.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;

use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};

use crate::cli::line_reader;

/// An event of the watch loop.
pub enum WatchEvent {
    /// A typed line.
    Line(String),
    /// The end of the input.
    InputEnded,
    /// Files of packs have changed.
    Changed(Vec<PathBuf>),
    /// The background check has finished: the number of the change, and its diagnostics, one per
    /// line.
    Checked(usize, Vec<String>),
}

/// Watches folders, and notices when they are deleted and created again.
pub struct FileWatcher {
    watcher: RecommendedWatcher,
    /// Folders that are watched.
    watched: Vec<PathBuf>,
    /// Folders that cannot be watched, because they were deleted.
    lost: Vec<PathBuf>,
    /// An event that was received too early.
    pending: Option<WatchEvent>,
}

impl FileWatcher {
    /// Starts a watcher that sends changes of pack files to the queue.
    ///
    /// # Errors
    /// Returns the error of the operating system.
    pub fn open(sender: Sender<WatchEvent>) -> Result<FileWatcher, String> {
        let forward = move |event: Result<Event, notify::Error>| {
            let Ok(event) = event else { return };
            let paths: Vec<PathBuf> = event
                .paths
                .into_iter()
                .filter(|path| is_pack_file(path))
                .collect();
            if !matches!(event.kind, EventKind::Access(_)) && !paths.is_empty() {
                // Without a receiver, the program is about to exit.
                let _ = sender.send(WatchEvent::Changed(paths));
            }
        };
        let watcher = notify::recommended_watcher(forward)
            .map_err(|error| format!("cannot watch files: {error}"))?;
        Ok(FileWatcher {
            watcher,
            watched: Vec::new(),
            lost: Vec::new(),
            pending: None,
        })
    }

    /// Adds folders, unless they are already watched.
    pub fn watch(&mut self, folders: &[PathBuf]) {
        for folder in folders
            .iter()
            .filter(|folder| !self.watched.contains(folder))
            .cloned()
            .collect::<Vec<_>>()
        {
            match self.watcher.watch(&folder, RecursiveMode::Recursive) {
                Ok(()) => self.watched.push(folder),
                Err(_) => self.lost.push(folder),
            }
        }
    }

    /// Checks for folders that were deleted or created again; returns whether there were any.
    pub fn recheck(&mut self) -> bool {
        let (there, gone): (Vec<PathBuf>, Vec<PathBuf>) =
            self.watched.drain(..).partition(|folder| folder.is_dir());
        let mut changed = !gone.is_empty();
        for folder in &gone {
            // An error only means that the folder is no longer watched.
            let _ = self.watcher.unwatch(folder);
        }
        self.watched = there;
        let lost: Vec<PathBuf> = self.lost.drain(..).chain(gone).collect();
        let (back, lost): (Vec<PathBuf>, Vec<PathBuf>) =
            lost.into_iter().partition(|folder| folder.is_dir());
        changed |= !back.is_empty();
        self.lost = lost;
        self.watch(&back);
        changed
    }

    /// Keeps an event for later.
    pub fn put_back(&mut self, event: WatchEvent) {
        self.pending = Some(event);
    }

    /// The event that was put back.
    pub fn take_back(&mut self) -> Option<WatchEvent> {
        self.pending.take()
    }
}

/// Whether a path can be a file of a pack. Editors write many other files.
fn is_pack_file(path: &Path) -> bool {
    let hidden = path
        .file_name()
        .is_some_and(|name| name.to_string_lossy().starts_with('.'));
    let has_extension = path
        .extension()
        .is_some_and(|ext| ext == "toml" || ext == "rhai");
    has_extension && !hidden
}

/// Reads typed lines in a separate thread.
pub fn listen(sender: Sender<WatchEvent>) {
    std::thread::spawn(move || {
        while let Some(line) = line_reader::plain() {
            if !std::io::stdin().is_terminal() {
                crate::cli::screen::print(&format!("> {line}"));
            }
            if sender.send(WatchEvent::Line(line)).is_err() {
                return;
            }
        }
        let _ = sender.send(WatchEvent::InputEnded);
    });
}
