//! Saves: games that are kept in the user's folder, and the packs they were played with.
//!
//! A game that is played is a journal in `saves/`, which grows with it. What a person gave a name is a copy in `saves/named/`, which
//! nobody writes to any more. Packs lie in `kept/`, each version once, as long as a save names it. Nothing here prints.

mod kept;
mod name;
mod open;
mod tidy;
mod whole;

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

pub(crate) use kept::{Kept, are_those};
pub(crate) use name::{is_name, named};
pub(crate) use open::{Held, Refused, lock, open};
pub(crate) use tidy::MOST_FINISHED;
pub(crate) use whole::{put, sync};

use crate::game::Journal;
use crate::pack::user_data;

/// How the names of saves end.
const ENDING: &str = "kaer";

/// The user's saves.
#[derive(Clone, Debug)]
pub struct Saves {
    folder: PathBuf,
}

/// A save, as a list shows it.
pub struct Save {
    /// What it is called.
    pub name: String,
    /// Where it lies.
    pub path: PathBuf,
    /// Whether a person gave it its name; it is never changed then.
    pub named: bool,
    /// When it was last written.
    pub changed: SystemTime,
    /// What it holds, or why it cannot be read.
    pub journal: Result<Journal, String>,
}

impl Save {
    /// Whether it is a game that goes on.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.journal
            .as_ref()
            .is_ok_and(|journal| !journal.notes.over)
    }
}

impl Saves {
    /// The saves of the user, if the system tells where.
    #[must_use]
    pub fn of_user() -> Option<Saves> {
        user_data().map(|folder| Saves { folder })
    }

    /// The saves in a folder of Kaer.
    #[must_use]
    pub fn in_folder(folder: &Path) -> Saves {
        Saves {
            folder: folder.to_owned(),
        }
    }

    fn games(&self) -> PathBuf {
        self.folder.join("saves")
    }

    fn names(&self) -> PathBuf {
        self.games().join("named")
    }

    /// Where packs are kept.
    #[must_use]
    pub fn kept(&self) -> Kept {
        Kept::in_folder(self.folder.join("kept"))
    }

    /// Begins a save for a game of a mode, under a name that is free, and locks it.
    ///
    /// # Errors
    /// What the system says.
    pub fn begin(&self, mode: &str) -> io::Result<(PathBuf, File)> {
        let folder = self.games();
        fs::create_dir_all(&folder)?;
        let stem =
            named(mode.split(':').next_back().unwrap_or("")).unwrap_or_else(|| "game".to_owned());
        let mut number = self.last_number(&stem) + 1;
        loop {
            let path = folder.join(format!("{stem}-{number}.{ENDING}"));
            match OpenOptions::new()
                .read(true)
                .append(true)
                .create_new(true)
                .open(&path)
            {
                Ok(file) => {
                    // It is new: nobody else can hold it.
                    let _ = lock(&file);
                    return Ok((path, file));
                }
                // Another program was quicker.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(error),
            }
        }
    }

    /// The highest number that a save of this kind has.
    fn last_number(&self, stem: &str) -> u32 {
        let number = |path: &PathBuf| {
            name_of(path)
                .strip_prefix(stem)?
                .strip_prefix('-')?
                .parse::<u32>()
                .ok()
        };
        files(&self.games())
            .iter()
            .filter_map(number)
            .max()
            .unwrap_or(0)
    }

    /// Where a save of that name lies, or would lie.
    #[must_use]
    pub fn place_of_named(&self, name: &str) -> PathBuf {
        self.names().join(format!("{name}.{ENDING}"))
    }

    /// Where a save of a game that is played lies, or would lie.
    #[must_use]
    pub fn place_of_game(&self, name: &str) -> PathBuf {
        self.games().join(format!("{name}.{ENDING}"))
    }

    /// Whether a save is one that a person named.
    #[must_use]
    pub fn is_named(&self, path: &Path) -> bool {
        path.parent() == Some(&*self.names())
    }

    /// The save of a name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<PathBuf> {
        if !is_name(name) {
            return None;
        }
        [self.place_of_named(name), self.place_of_game(name)]
            .into_iter()
            .find(|path| path.is_file())
    }

    /// All saves: games that are played, then those that a person named; of each the one that was written last first.
    #[must_use]
    pub fn list(&self) -> Vec<Save> {
        let games = files(&self.games()).into_iter().map(|path| (path, false));
        let named = files(&self.names()).into_iter().map(|path| (path, true));
        let mut all: Vec<Save> = games
            .chain(named)
            .filter_map(|(path, named)| save(path, named))
            .collect();
        all.sort_by(|a, b| {
            (!b.named, b.changed, number_of(b), &b.name).cmp(&(
                !a.named,
                a.changed,
                number_of(a),
                &a.name,
            ))
        });
        all
    }
}

fn save(path: PathBuf, named: bool) -> Option<Save> {
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

/// What a save is called.
#[must_use]
pub fn name_of(path: &Path) -> &str {
    path.file_stem()
        .and_then(|name| name.to_str())
        .unwrap_or("")
}

/// The number at the end of a name.
fn number_of(save: &Save) -> u32 {
    save.name
        .rsplit('-')
        .next()
        .and_then(|number| number.parse().ok())
        .unwrap_or(0)
}

/// The saves in a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(list) = folder.read_dir() else {
        return Vec::new();
    };
    let paths = list.flatten().map(|item| item.path());
    paths
        .filter(|path| {
            path.extension().is_some_and(|ending| ending == ENDING) && is_name(name_of(path))
        })
        .collect()
}
