//! Saved games in the user's data folder, with the packs they were played with.
//!
//! A game in progress is a journal in `saves/`, to which answers are appended. A named save is a
//! copy in `saves/named/` that never changes. Packs are stored in `kept/`, each version once, for
//! as long as a save refers to it. Nothing here prints.

mod archive;
mod atomic;
mod campaigns;
mod cleanup;
mod name;
mod open;

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

pub(crate) use archive::{PackArchive, matches_stamps};
pub(crate) use atomic::{sync, write_atomically};
pub use campaigns::{CampaignLog, LoggedGame};
pub(crate) use cleanup::MAX_FINISHED;
pub use name::{is_name, named};
pub(crate) use open::{OpenError, OpenSave, lock, open};

use crate::game::Journal;
use crate::pack::user_data;

/// The file extension of saves.
const EXTENSION: &str = "kaer";

/// The saves of a user.
#[derive(Clone, Debug)]
pub struct Saves {
    folder: PathBuf,
}

/// A save, as shown in lists.
pub struct Save {
    /// The file name without its extension.
    pub name: String,
    /// The path of the file.
    pub path: PathBuf,
    /// Whether the user named it; a named save never changes.
    pub named: bool,
    /// The time of the last write.
    pub changed: SystemTime,
    /// The contents, or the reason why they cannot be read.
    pub journal: Result<Journal, String>,
}

impl Save {
    /// Whether it is a game in progress.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.journal
            .as_ref()
            .is_ok_and(|journal| !journal.notes.over)
    }
}

impl Saves {
    /// The saves of the current user; `None` if the system has no data folder.
    #[must_use]
    pub fn of_user() -> Option<Saves> {
        user_data().map(|folder| Saves { folder })
    }

    /// The saves in another data folder.
    #[must_use]
    pub fn in_folder(folder: &Path) -> Saves {
        Saves {
            folder: folder.to_owned(),
        }
    }

    fn games_folder(&self) -> PathBuf {
        self.folder.join("saves")
    }

    fn named_folder(&self) -> PathBuf {
        self.games_folder().join("named")
    }

    /// The archive of the packs that saves were played with.
    #[must_use]
    pub fn archive(&self) -> PackArchive {
        PackArchive::in_folder(self.folder.join("kept"))
    }

    /// Creates and locks a save with a free name, derived from the mode.
    ///
    /// # Errors
    /// Returns the error of the file system.
    pub fn begin(&self, mode: &str) -> io::Result<(PathBuf, File)> {
        let folder = self.games_folder();
        fs::create_dir_all(&folder)?;
        let stem =
            named(mode.split(':').next_back().unwrap_or("")).unwrap_or_else(|| "game".to_owned());
        let mut number = self.last_number(&stem) + 1;
        loop {
            let path = folder.join(format!("{stem}-{number}.{EXTENSION}"));
            match OpenOptions::new()
                .read(true)
                .append(true)
                .create_new(true)
                .open(&path)
            {
                Ok(file) => {
                    // The file is new, so no other process can hold the lock.
                    let _ = lock(&file);
                    return Ok((path, file));
                }
                // Another process took the name first.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(error),
            }
        }
    }

    /// The highest number of a save with this stem; 0 if there is none.
    fn last_number(&self, stem: &str) -> u32 {
        let number = |path: &PathBuf| {
            name_of(path)
                .strip_prefix(stem)?
                .strip_prefix('-')?
                .parse::<u32>()
                .ok()
        };
        files(&self.games_folder())
            .iter()
            .filter_map(number)
            .max()
            .unwrap_or(0)
    }

    /// The path of a named save, which need not exist.
    #[must_use]
    pub fn named_path(&self, name: &str) -> PathBuf {
        self.named_folder().join(format!("{name}.{EXTENSION}"))
    }

    /// The path of an automatic save, which need not exist.
    #[must_use]
    pub fn game_path(&self, name: &str) -> PathBuf {
        self.games_folder().join(format!("{name}.{EXTENSION}"))
    }

    /// Whether a path is that of a named save.
    #[must_use]
    pub fn is_named(&self, path: &Path) -> bool {
        path.parent() == Some(&*self.named_folder())
    }

    /// Finds a save by its name. A named save wins over an automatic one.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<PathBuf> {
        if !is_name(name) {
            return None;
        }
        [self.named_path(name), self.game_path(name)]
            .into_iter()
            .find(|path| path.is_file())
    }

    /// Lists the automatic saves, then the named ones, each newest first.
    #[must_use]
    pub fn list(&self) -> Vec<Save> {
        let games = files(&self.games_folder())
            .into_iter()
            .map(|path| (path, false));
        let named = files(&self.named_folder())
            .into_iter()
            .map(|path| (path, true));
        let mut all: Vec<Save> = games
            .chain(named)
            .filter_map(|(path, named)| read_save(path, named))
            .collect();
        // Newest first within each group.
        all.sort_by(|a, b| rank(b).cmp(&rank(a)));
        all
    }
}

/// Orders saves: autosaves above named saves, readable ones above damaged ones.
fn rank(save: &Save) -> (bool, bool, SystemTime, u32, &str) {
    let is_readable = save.journal.is_ok();
    let number = number_of(save);
    (!save.named, is_readable, save.changed, number, &save.name)
}

fn read_save(path: PathBuf, named: bool) -> Option<Save> {
    let changed = path.metadata().and_then(|data| data.modified()).ok()?;
    let journal = fs::read(&path)
        .map_err(|error| error.to_string())
        .and_then(|bytes| open::read(&bytes));
    Some(Save {
        name: name_of(&path).to_owned(),
        path,
        named,
        changed,
        journal,
    })
}

/// The name of a save.
#[must_use]
pub fn name_of(path: &Path) -> &str {
    path.file_stem()
        .and_then(|name| name.to_str())
        .unwrap_or("")
}

/// The number at the end of a save's name; 0 if there is none.
fn number_of(save: &Save) -> u32 {
    save.name
        .rsplit('-')
        .next()
        .and_then(|number| number.parse().ok())
        .unwrap_or(0)
}

/// The paths of the saves in a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(list) = folder.read_dir() else {
        return Vec::new();
    };
    let paths = list.flatten().map(|item| item.path());
    paths
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == EXTENSION)
                && is_name(name_of(path))
        })
        .collect()
}
