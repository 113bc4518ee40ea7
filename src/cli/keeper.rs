//! The journal of a game on disk.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::{Failure, screen};
use crate::game::journal::Line;
use crate::game::{Header, Journal, Notes};
use crate::saves::{self, Held, Saves, name_of};

/// The journal on disk: every answer is there before the next prompt.
pub struct Keeper {
    file: File,
    path: PathBuf,
    /// What it is called, as a save.
    name: String,
    /// What it tells of.
    held: Journal,
    /// How long it is, without what may have been written in part.
    length: u64,
    /// Whether it must be written anew, because it begins otherwise now.
    anew: bool,
    /// Whether something was written that a loss of power would take.
    loose: bool,
    /// Whether the last attempt to write it failed.
    failed: bool,
}

impl Keeper {
    /// Begins a file that is not there yet.
    pub fn begin(path: &Path, header: &Header) -> Result<Keeper, Failure> {
        let file = OpenOptions::new()
            .read(true)
            .append(true)
            .create_new(true)
            .open(path);
        let begun = file.and_then(|file| Keeper::new(path, file, header));
        begun.map_err(|error| Failure::cannot(format!("{}: {error}", path.display())))
    }

    /// Begins a save.
    pub fn begin_save(saves: &Saves, header: &Header) -> io::Result<Keeper> {
        let (path, file) = saves.begin(&header.mode)?;
        Keeper::new(&path, file, header).map(|keeper| Keeper {
            name: name_of(&path).to_owned(),
            ..keeper
        })
    }

    fn new(path: &Path, file: File, header: &Header) -> io::Result<Keeper> {
        let held = Journal {
            header: header.clone(),
            ..Journal::default()
        };
        let mut keeper = Keeper::of(
            path,
            path.display().to_string(),
            Held {
                file,
                journal: held,
                length: 0,
            },
        );
        keeper.append(&header.text()).inspect_err(|_| {
            // A file with half a header is of no use; where even this fails, the first error says why.
            let _ = std::fs::remove_file(path);
        })?;
        Ok(keeper)
    }

    /// Goes on with a file that this program holds.
    pub fn of(path: &Path, name: String, held: Held) -> Keeper {
        let Held {
            file,
            journal,
            length,
        } = held;
        Keeper {
            file,
            path: path.to_owned(),
            name,
            held: journal,
            length,
            anew: false,
            loose: false,
            failed: false,
        }
    }

    fn append(&mut self, text: &str) -> io::Result<()> {
        self.file.write_all(text.as_bytes())?;
        self.length += text.len() as u64;
        self.loose = true;
        Ok(())
    }

    /// Where it lies, if all of it does.
    pub fn path(&self) -> Option<&Path> {
        (!self.failed).then_some(&*self.path)
    }

    /// What it is called, as a save.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Takes another header: the next time the whole file is written.
    pub fn change(&mut self, header: &Header) {
        self.held.header = header.clone();
        self.anew = true;
    }

    /// Removes it: there is nothing in it that anybody needs.
    pub fn remove(self) {
        // What cannot be removed stays in the list, and does no harm.
        let _ = std::fs::remove_file(&self.path);
    }

    /// Writes what is new. A disk that is full does not end a game: it is told once, and tried again with the next answer.
    pub fn keep(&mut self, lines: &[Line], notes: Notes) {
        let done = self.write(lines, notes);
        self.told(&done);
    }

    /// Sees to it that a loss of power takes nothing.
    pub fn settle(&mut self) {
        if std::mem::take(&mut self.loose) && !self.failed {
            let done = saves::sync(&self.file);
            self.told(&done);
        }
    }

    fn told(&mut self, done: &io::Result<()>) {
        let path = self.path.display();
        match done {
            Ok(()) if self.failed => screen::complain(&format!("{path} holds the game again")),
            Err(error) if !self.failed => {
                screen::complain(&format!(
                    "{path}: {error}; the game goes on, and is written as soon as it can be"
                ));
            }
            _ => {}
        }
        self.failed = done.is_err();
    }

    /// Puts rows behind those that are there.
    fn write(&mut self, lines: &[Line], notes: Notes) -> io::Result<()> {
        if self.anew {
            let whole = Journal {
                header: self.held.header.clone(),
                lines: lines.to_vec(),
                notes,
            }
            .text();
            self.file = saves::put(&self.path, &whole)?;
            (self.length, self.anew) = (whole.len() as u64, false);
        } else {
            if self.failed {
                // A row may have been written in part.
                self.file.set_len(self.length)?;
            }
            let rows = self.held.rows(lines, notes);
            if rows.is_empty() && !self.failed {
                return Ok(());
            }
            self.append(&rows)?;
        }
        self.held.take(lines, notes);
        Ok(())
    }
}
