//! Opens a save for play: locks it and cuts off an incomplete last write.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _};
use std::path::Path;

use crate::game::Journal;

/// The maximum size of a journal. A game with a thousand answers takes about 100 KiB.
const MAX_BYTES: u64 = 64 << 20;

/// A save that this process has locked.
pub struct OpenSave {
    /// The file, opened for appending.
    pub file: File,
    pub journal: Journal,
    /// The length of the file in bytes.
    pub length: u64,
}

pub enum OpenError {
    /// Another process is playing it.
    InUse,
    /// The error, as text.
    Other(String),
}

/// Locks a file for this process and returns whether that succeeded. Systems without file locks
/// always succeed.
#[must_use]
pub fn lock(file: &File) -> bool {
    !matches!(file.try_lock(), Err(TryLockError::WouldBlock))
}

/// Opens and locks a save.
pub fn open(path: &Path) -> Result<OpenSave, OpenError> {
    let failed = |error: io::Error| OpenError::Other(error.to_string());
    let mut file = OpenOptions::new()
        .read(true)
        .append(true)
        .open(path)
        .map_err(failed)?;
    if !lock(&file) {
        return Err(OpenError::InUse);
    }
    let mut bytes = Vec::new();
    file.by_ref()
        .take(MAX_BYTES)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    let journal = read(&bytes).map_err(OpenError::Other)?;
    let length = complete_rows(&bytes).len() as u64;
    if length < bytes.len() as u64 {
        file.set_len(length).map_err(failed)?;
    }
    Ok(OpenSave {
        file,
        journal,
        length,
    })
}

/// Parses the bytes of a save.
pub fn read(bytes: &[u8]) -> Result<Journal, String> {
    let text =
        std::str::from_utf8(complete_rows(bytes)).map_err(|_| "not a text file".to_owned())?;
    if !text.contains("\n\n") {
        return Err("the header is incomplete".to_owned());
    }
    Journal::parse(text)
}

/// The complete rows: up to the last line break, before any zeros left by a power failure.
fn complete_rows(bytes: &[u8]) -> &[u8] {
    let written = bytes
        .iter()
        .position(|byte| *byte == 0)
        .unwrap_or(bytes.len());
    let end = bytes[..written]
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |at| at + 1);
    &bytes[..end]
}
