//! The journal of a game on disk.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::Notice;
use crate::game::journal::JournalLine;
use crate::game::{GameHeader, Journal, JournalNotes};
use crate::saves::{self, OpenSave, Saves, name_of};

/// A journal on disk, to which answers are appended.
pub struct JournalFile {
    file: File,
    path: PathBuf,
    /// The name of the save, or the path of another file.
    name: String,
    /// The contents of the file.
    written: Journal,
    /// The length of the file, without a partially written row.
    length: u64,
    /// Whether the header has changed, so that the next write replaces the whole file.
    rewrite: bool,
    /// Whether a power failure could still lose data.
    unsynced: bool,
    /// Whether the last write failed.
    failed: bool,
}

impl JournalFile {
    /// Creates a file. It is an error if the file exists.
    pub fn create(path: &Path, header: &GameHeader) -> io::Result<JournalFile> {
        let file = OpenOptions::new()
            .read(true)
            .append(true)
            .create_new(true)
            .open(path)?;
        JournalFile::with_header(path, path.display().to_string(), file, header)
    }

    /// Creates a save under a free name.
    pub fn create_save(saves: &Saves, header: &GameHeader) -> io::Result<JournalFile> {
        let (path, file) = saves.begin(&header.mode)?;
        JournalFile::with_header(&path, name_of(&path).to_owned(), file, header)
    }

    fn with_header(
        path: &Path,
        name: String,
        file: File,
        header: &GameHeader,
    ) -> io::Result<JournalFile> {
        let journal = Journal {
            header: header.clone(),
            ..Journal::default()
        };
        let empty = OpenSave {
            file,
            journal,
            length: 0,
        };
        let mut created = JournalFile::open(path, name, empty);
        created.append(&header.text()).inspect_err(|_| {
            // A partial header is useless. If removing the file fails too, report only the first
            // error.
            let _ = std::fs::remove_file(path);
        })?;
        Ok(created)
    }

    /// Continues a save that this process has opened and locked.
    pub fn open(path: &Path, name: String, held: OpenSave) -> JournalFile {
        JournalFile {
            file: held.file,
            path: path.to_owned(),
            name,
            written: held.journal,
            length: held.length,
            rewrite: false,
            unsynced: false,
            failed: false,
        }
    }

    /// The path, unless the last write failed.
    pub fn path(&self) -> Option<&Path> {
        (!self.failed).then_some(&*self.path)
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub const fn header(&self) -> &GameHeader {
        &self.written.header
    }

    /// Replaces the header. The next write replaces the whole file.
    pub fn set_header(&mut self, header: &GameHeader) {
        self.written.header = header.clone();
        self.rewrite = true;
    }

    pub fn delete(self) {
        // A file that cannot be deleted stays in the list of saves, which does no harm.
        let _ = std::fs::remove_file(&self.path);
    }

    /// Appends what is new. A full disk does not end the game: the first failure returns a notice,
    /// and every answer tries again.
    pub fn write(&mut self, lines: &[JournalLine], notes: JournalNotes) -> Option<Notice> {
        let result = self.try_write(lines, notes);
        self.notice(result)
    }

    /// Syncs the file, so that a power failure loses nothing.
    pub fn sync(&mut self) -> Option<Notice> {
        if !std::mem::take(&mut self.unsynced) || self.failed {
            return None;
        }
        let result = saves::sync(&self.file);
        self.notice(result)
    }

    fn notice(&mut self, result: io::Result<()>) -> Option<Notice> {
        let failed_before = std::mem::replace(&mut self.failed, result.is_err());
        match result {
            Ok(()) => failed_before.then(|| Notice::WriteRecovered(self.path.clone())),
            Err(_) if failed_before => None,
            Err(error) => Some(Notice::WriteFailed(self.path.clone(), error)),
        }
    }

    fn try_write(&mut self, lines: &[JournalLine], notes: JournalNotes) -> io::Result<()> {
        if self.rewrite {
            let journal = Journal {
                header: self.written.header.clone(),
                lines: lines.to_vec(),
                notes,
            };
            let text = journal.text();
            self.file = saves::write_atomically(&self.path, &text)?;
            (self.length, self.rewrite) = (text.len() as u64, false);
        } else {
            if self.failed {
                // A row may have been written partially.
                self.file.set_len(self.length)?;
            }
            let rows = self.written.rows(lines, notes);
            if rows.is_empty() && !self.failed {
                return Ok(());
            }
            self.append(&rows)?;
        }
        self.written.replace(lines, notes);
        Ok(())
    }

    fn append(&mut self, text: &str) -> io::Result<()> {
        self.file.write_all(text.as_bytes())?;
        self.length += text.len() as u64;
        self.unsynced = true;
        Ok(())
    }
}
