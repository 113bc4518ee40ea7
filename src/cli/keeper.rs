//! The journal of a game on disk.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::Failure;
use crate::game::{Game, Header};

/// The journal on disk: every answer is there before the next prompt.
pub struct Keeper {
    file: File,
    path: PathBuf,
    header: String,
    written: usize,
}

impl Keeper {
    /// Begins a file that is not there yet.
    pub fn begin(path: &Path, header: &Header) -> Result<Keeper, Failure> {
        let header = header.text();
        let opened = OpenOptions::new().write(true).create_new(true).open(path);
        let file = opened.map_err(|error| Failure::cannot(format!("{}: {error}", path.display())))?;
        let mut keeper = Keeper { file, path: path.to_owned(), header, written: 0 };
        let header = keeper.header.clone();
        keeper.append(&header)?;
        Ok(keeper)
    }

    fn append(&mut self, text: &str) -> Result<(), Failure> {
        let done = self.file.write_all(text.as_bytes()).and_then(|()| self.file.flush());
        done.map_err(|error| Failure::cannot(format!("{}: {error}", self.path.display())))
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Takes another header: the next time the whole file is written.
    pub fn change(&mut self, header: &Header) {
        self.header = header.text();
        self.written = usize::MAX;
    }

    /// Writes the answers that are new; after an undo, the whole file.
    pub fn keep(&mut self, game: &Game) -> Result<(), Failure> {
        let lines = game.journal();
        if lines.len() < self.written {
            let whole: String = lines.iter().map(|line| line.text() + "\n").collect();
            let text = format!("{}{whole}", self.header);
            let beside = self.path.with_extension("kaer-new");
            let done = std::fs::write(&beside, text).and_then(|()| std::fs::rename(&beside, &self.path));
            done.map_err(|error| Failure::cannot(format!("{}: {error}", self.path.display())))?;
            let opened = OpenOptions::new().append(true).open(&self.path);
            self.file = opened.map_err(|error| Failure::cannot(format!("{}: {error}", self.path.display())))?;
        } else {
            let new: String = lines[self.written..].iter().map(|line| line.text() + "\n").collect();
            self.append(&new)?;
        }
        self.written = lines.len();
        Ok(())
    }
}
