//! Saves of a game in progress: the autosave, and copies under a name.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::journal_file::JournalFile;
use super::{GameSession, Notice};
use crate::game::GameHeader;
use crate::library::PackLibrary;
use crate::pack::Origin;
use crate::saves::{OpenSave, Saves, named, write_atomically};

/// The result of [`GameSession::save_copy`].
#[derive(Debug)]
pub enum CopyOutcome {
    /// The copy was written under this name.
    Saved(String),
    /// A copy with this name exists. Nothing was written.
    Exists(String),
    /// The name belongs to the autosave of a game.
    IsAutosave(String),
    /// The name is not valid for a save.
    InvalidName,
    /// This game is not saved.
    NoSaves,
    /// The error of the file system.
    Failed(PathBuf, std::io::Error),
}

impl GameSession {
    /// Starts saving this game, and stores its packs. Problems become notices.
    pub fn start_autosave(&mut self, saves: Saves, library: &PackLibrary, now: SystemTime) {
        self.header.folders = folders(library, &self.header);
        self.create_autosave(&saves);
        self.saves = Some(saves);
        self.store_packs(library, now);
    }

    /// Saves a resumed game as a new save; the old save is unchanged.
    pub fn resume_as_copy(&mut self, saves: Saves, library: &PackLibrary, now: SystemTime) {
        self.create_autosave(&saves);
        self.saves = Some(saves);
        self.store_packs(library, now);
    }

    /// Continues the save that this game was resumed from.
    pub fn resume_autosave(
        &mut self,
        saves: Saves,
        (path, name, held): (&Path, String, OpenSave),
        library: &PackLibrary,
        now: SystemTime,
    ) {
        let mut file = JournalFile::open(path, name, held);
        if self.header.packs != file.header().packs {
            file.set_header(&self.header);
        }
        self.autosave = Some(file);
        self.saves = Some(saves);
        self.store_packs(library, now);
    }

    fn create_autosave(&mut self, saves: &Saves) {
        match JournalFile::create_save(saves, &self.header) {
            Ok(file) => {
                self.autosave = Some(file);
                self.history.save_started(self.game.journal().len());
            }
            Err(error) => self.notices.push(Notice::NotSaved(error)),
        }
    }

    /// Stores the packs of this game, and deletes packs that no save needs any more.
    fn store_packs(&mut self, library: &PackLibrary, now: SystemTime) {
        let Some(saves) = self.saves.as_ref().filter(|_| self.autosave.is_some()) else {
            return;
        };
        saves.clean_up(now);
        if let Err(error) = saves.archive().store(&library.set, &self.header.packs) {
            self.notices.push(Notice::PacksNotStored(error));
        }
    }

    /// The folder of saves, if this game is saved.
    #[must_use]
    pub const fn saves(&self) -> Option<&Saves> {
        self.saves.as_ref()
    }

    /// The name of the autosave.
    #[must_use]
    pub fn save_name(&self) -> Option<&str> {
        self.autosave.as_ref().map(JournalFile::name)
    }

    /// Whether every answer is in the autosave.
    #[must_use]
    pub fn is_saved(&self) -> bool {
        self.autosave
            .as_ref()
            .is_some_and(|file| file.path().is_some())
    }

    /// Saves a copy of the game under a name.
    #[must_use]
    pub fn save_copy(&self, name: &str, overwrite: bool) -> CopyOutcome {
        let Some(saves) = &self.saves else {
            return CopyOutcome::NoSaves;
        };
        let Some(name) = named(name) else {
            return CopyOutcome::InvalidName;
        };
        if saves.game_path(&name).exists() {
            return CopyOutcome::IsAutosave(name);
        }
        let path = saves.named_path(&name);
        if path.exists() && !overwrite {
            return CopyOutcome::Exists(name);
        }
        let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        match folder.and_then(|()| write_atomically(&path, &self.journal().text())) {
            Ok(_) => CopyOutcome::Saved(name),
            Err(error) => CopyOutcome::Failed(path, error),
        }
    }

    /// Closes the save. Deletes the autosave if no person has answered anything, and returns
    /// whether it did.
    pub fn close(&mut self) -> bool {
        let Some(first) = self.history.save_started_at() else {
            return false;
        };
        let mut lines = self.game.journal().iter().skip(first);
        let answered = lines.any(|line| self.is_person(line.seat));
        match self.autosave.take_if(|_| !answered) {
            Some(file) => {
                file.delete();
                true
            }
            None => false,
        }
    }
}

/// The folders of packs that are found only from the current folder or through a flag.
fn folders(library: &PackLibrary, header: &GameHeader) -> Vec<String> {
    let packs = header
        .packs
        .iter()
        .filter_map(|stamp| library.set.pack(&stamp.id))
        .map(|(_, pack)| pack);
    let local = packs.filter(|pack| !matches!(pack.origin, Origin::Embedded | Origin::UserData));
    local
        .filter_map(|pack| std::path::absolute(&pack.root).ok())
        .map(|path| path.to_string_lossy().into_owned())
        .collect()
}
