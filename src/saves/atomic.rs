//! Atomic file writes.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Writes a temporary file and renames it over `path`, so that readers see either the old or the
/// new contents. Returns the file, opened for appending and locked.
pub fn write_atomically(path: &Path, text: &str) -> io::Result<File> {
    let temp = temp_path_beside(path);
    let written = write(&temp, text).and_then(|file| fs::rename(&temp, path).map(|()| file));
    if written.is_err() {
        // Clean up; if even this fails, the first error is the one to report.
        let _ = fs::remove_file(&temp);
    }
    written
}

fn write(path: &Path, text: &str) -> io::Result<File> {
    // An earlier attempt may have been interrupted.
    let _ = fs::remove_file(path);
    let mut file = fs::OpenOptions::new()
        .read(true)
        .append(true)
        .create_new(true)
        .open(path)?;
    let _ = super::lock(&file);
    file.write_all(text.as_bytes())?;
    sync(&file)?;
    Ok(file)
}

/// Flushes a file to the disk, where the system supports it.
pub fn sync(file: &File) -> io::Result<()> {
    match file.sync_data() {
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::Unsupported | io::ErrorKind::InvalidInput
            ) =>
        {
            Ok(())
        }
        done => done,
    }
}

/// A temporary path in the same folder that no other running process uses.
pub(super) fn temp_path_beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.new", std::process::id()))
}
