//! Eyes on folders, and ears for what is typed: both end up in one queue.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;

use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};

use crate::cli::line;

/// Something that happened.
pub enum Heard {
    /// Somebody typed a line.
    Line(String),
    /// There is nothing more to read.
    End,
    /// Files were changed.
    Changed(Vec<PathBuf>),
    /// Packs were looked at: after which change, and what else is wrong with them, a line each.
    Looked(usize, Vec<String>),
}

/// Eyes on folders.
pub struct Eyes {
    watcher: RecommendedWatcher,
    /// Folders that are looked at.
    seen: Vec<PathBuf>,
    /// Folders that are gone.
    lost: Vec<PathBuf>,
    /// Something that was heard too early.
    waiting: Option<Heard>,
}

impl Eyes {
    /// Eyes that tell what they see.
    ///
    /// # Errors
    /// What the system says.
    pub fn open(tell: Sender<Heard>) -> Result<Eyes, String> {
        let see = move |event: Result<Event, notify::Error>| {
            let Ok(event) = event else { return };
            let paths: Vec<PathBuf> = event
                .paths
                .into_iter()
                .filter(|path| matters(path))
                .collect();
            if !matches!(event.kind, EventKind::Access(_)) && !paths.is_empty() {
                // Where nobody listens any more, the program is about to end.
                let _ = tell.send(Heard::Changed(paths));
            }
        };
        let watcher = notify::recommended_watcher(see)
            .map_err(|error| format!("files cannot be watched: {error}"))?;
        Ok(Eyes {
            watcher,
            seen: Vec::new(),
            lost: Vec::new(),
            waiting: None,
        })
    }

    /// Looks at folders, too.
    pub fn watch(&mut self, folders: &[PathBuf]) {
        for folder in folders
            .iter()
            .filter(|folder| !self.seen.contains(folder))
            .cloned()
            .collect::<Vec<_>>()
        {
            match self.watcher.watch(&folder, RecursiveMode::Recursive) {
                Ok(()) => self.seen.push(folder),
                Err(_) => self.lost.push(folder),
            }
        }
    }

    /// Looks whether folders went away or came back; gives whether one did.
    pub fn look_again(&mut self) -> bool {
        let (there, gone): (Vec<PathBuf>, Vec<PathBuf>) =
            self.seen.drain(..).partition(|folder| folder.is_dir());
        let mut changed = !gone.is_empty();
        for folder in &gone {
            // It may not know the folder any more, which is what is wanted.
            let _ = self.watcher.unwatch(folder);
        }
        self.seen = there;
        let lost: Vec<PathBuf> = self.lost.drain(..).chain(gone).collect();
        let (back, lost): (Vec<PathBuf>, Vec<PathBuf>) =
            lost.into_iter().partition(|folder| folder.is_dir());
        changed |= !back.is_empty();
        self.lost = lost;
        self.watch(&back);
        changed
    }

    /// Keeps something for the next time.
    pub fn put_back(&mut self, heard: Heard) {
        self.waiting = Some(heard);
    }

    /// What was kept.
    pub fn take_back(&mut self) -> Option<Heard> {
        self.waiting.take()
    }
}

/// Whether a file can be of a pack. Editors write many others beside it.
fn matters(path: &Path) -> bool {
    let hidden = path
        .file_name()
        .is_some_and(|name| name.to_string_lossy().starts_with('.'));
    let kind = path
        .extension()
        .is_some_and(|ext| ext == "toml" || ext == "rhai");
    kind && !hidden
}

/// Reads what is typed, in a thread of its own.
pub fn listen(tell: Sender<Heard>) {
    std::thread::spawn(move || {
        while let Some(line) = line::plain() {
            if !std::io::stdin().is_terminal() {
                crate::cli::screen::say(&format!("> {line}"));
            }
            if tell.send(Heard::Line(line)).is_err() {
                return;
            }
        }
        let _ = tell.send(Heard::End);
    });
}
