//! Files that are written whole, or not at all.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Writes a file first beside its place, and gives it opened and locked.
///
/// # Errors
/// What the system says; nothing is changed then.
pub fn put(path: &Path, text: &str) -> io::Result<File> {
    let beside = beside(path);
    let written = write(&beside, text).and_then(|file| fs::rename(&beside, path).map(|()| file));
    if written.is_err() {
        // What is left of the attempt helps nobody; where even this fails, the first error says why.
        let _ = fs::remove_file(&beside);
    }
    written
}

fn write(path: &Path, text: &str) -> io::Result<File> {
    // An earlier attempt may have been cut short.
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

/// Sees to it that what was written outlasts a loss of power, where the system can do that.
///
/// # Errors
/// What the system says.
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

/// A name beside a file or a folder that no other running program uses.
pub(super) fn beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.new", std::process::id()))
}
