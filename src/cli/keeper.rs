//! The journal of a game on disk.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::{Failure, screen};
use crate::game::{Game, Header};

/// The journal on disk: every answer is there before the next prompt.
pub struct Keeper {
    file: File,
    path: PathBuf,
    header: String,
    written: usize,
    /// Whether the last attempt to write it failed.
    failed: bool,
}

impl Keeper {
    /// Begins a file that is not there yet.
    pub fn begin(path: &Path, header: &Header) -> Result<Keeper, Failure> {
        let wrong = |error: std::io::Error| Failure::cannot(format!("{}: {error}", path.display()));
        let file = OpenOptions::new().write(true).create_new(true).open(path).map_err(wrong)?;
        let mut keeper = Keeper { file, path: path.to_owned(), header: header.text(), written: 0, failed: false };
        let header = keeper.header.clone();
        let begun = keeper.append(&header).inspect_err(|_| {
            // A file with half a header is of no use; where even this fails, the first error says why.
            let _ = std::fs::remove_file(path);
        });
        begun.map(|()| keeper).map_err(wrong)
    }

    fn append(&mut self, text: &str) -> std::io::Result<()> {
        self.file.write_all(text.as_bytes()).and_then(|()| self.file.flush())
    }

    /// Where it lies, if all of it does.
    pub fn path(&self) -> Option<&Path> {
        (!self.failed).then_some(&*self.path)
    }

    /// Takes another header: the next time the whole file is written.
    pub fn change(&mut self, header: &Header) {
        self.header = header.text();
        self.written = usize::MAX;
    }

    /// Writes what is new. A disk that is full does not end a game: it is told once, and tried again with the next answer.
    pub fn keep(&mut self, game: &Game) {
        match self.write(game) {
            Ok(()) => {
                if self.failed {
                    screen::complain(&format!("{} holds the game again", self.path.display()));
                }
                self.failed = false;
            }
            Err(error) => {
                if !self.failed {
                    let path = self.path.display();
                    screen::complain(&format!(
                        "{path}: {error}; the game goes on, and is written as soon as it can be"
                    ));
                }
                // A line may have been written in part.
                (self.failed, self.written) = (true, usize::MAX);
            }
        }
    }

    /// Writes the answers that are new; after an undo or a failure, the whole file.
    fn write(&mut self, game: &Game) -> std::io::Result<()> {
        let lines = game.journal();
        if lines.len() < self.written {
            let whole: String = lines.iter().map(|line| line.text() + "\n").collect();
            let beside = self.path.with_extension("kaer-new");
            let done = std::fs::write(&beside, format!("{}{whole}", self.header))
                .and_then(|()| std::fs::rename(&beside, &self.path));
            if done.is_err() {
                // What is left of the attempt helps nobody; where even this fails, the first error says why.
                let _ = std::fs::remove_file(&beside);
            }
            done?;
            self.file = OpenOptions::new().append(true).open(&self.path)?;
        } else {
            let new: String = lines[self.written..].iter().map(|line| line.text() + "\n").collect();
            self.append(&new)?;
        }
        self.written = lines.len();
        Ok(())
    }
}
