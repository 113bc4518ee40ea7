//! Opens a save to play on: nobody else may hold it, and what was torn while it was written is cut off.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _};
use std::path::Path;

use crate::game::Journal;

/// No journal is larger; a game of a thousand answers has about 100 KiB.
const LARGEST: u64 = 64 << 20;

/// A save that this program holds.
pub struct Held {
    /// It, opened to be written at its end.
    pub file: File,
    /// What it holds.
    pub journal: Journal,
    /// How long it is.
    pub length: u64,
}

/// Why a save is not opened.
pub enum Refused {
    /// Another program plays it.
    InUse,
    /// What is wrong with it.
    Because(String),
}

/// Locks a file for this program, as long as it is open; gives whether nobody else holds it. Where the system has no locks, nobody does.
#[must_use]
pub fn lock(file: &File) -> bool {
    !matches!(file.try_lock(), Err(TryLockError::WouldBlock))
}

/// Opens a save to play on.
///
/// # Errors
/// Why not.
pub fn open(path: &Path) -> Result<Held, Refused> {
    let wrong = |error: io::Error| Refused::Because(error.to_string());
    let mut file = OpenOptions::new()
        .read(true)
        .append(true)
        .open(path)
        .map_err(wrong)?;
    if !lock(&file) {
        return Err(Refused::InUse);
    }
    let mut bytes = Vec::new();
    file.by_ref()
        .take(LARGEST)
        .read_to_end(&mut bytes)
        .map_err(wrong)?;
    let journal = read(&bytes).map_err(Refused::Because)?;
    let length = whole(&bytes).len() as u64;
    if length < bytes.len() as u64 {
        file.set_len(length).map_err(wrong)?;
    }
    Ok(Held {
        file,
        journal,
        length,
    })
}

/// A journal from what was read.
///
/// # Errors
/// What is wrong with it.
pub fn read(bytes: &[u8]) -> Result<Journal, String> {
    let text = std::str::from_utf8(whole(bytes)).map_err(|_| "this is no text".to_owned())?;
    if !text.contains("\n\n") {
        return Err("its beginning is torn".to_owned());
    }
    Journal::parse(text)
}

/// What was written whole: up to the last end of a line, and to where a loss of power left nothing but zeros.
fn whole(bytes: &[u8]) -> &[u8] {
    let sound = bytes
        .iter()
        .position(|byte| *byte == 0)
        .unwrap_or(bytes.len());
    let end = bytes[..sound]
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |at| at + 1);
    &bytes[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_torn_is_cut_off() {
        assert_eq!(whole(b"a\nb\nc"), b"a\nb\n");
        assert_eq!(whole(b"a\nb\0\0\n\0"), b"a\n");
        assert_eq!(whole(b"a"), b"");
    }
}
