//! Writes files for commands, atomically.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Failure, screen};

/// Creates a folder and its parents, unless they exist.
pub fn folder(path: &Path) -> Result<(), Failure> {
    fs::create_dir_all(path).map_err(|error| cannot(path, &error))
}

/// Writes a file through a temporary file, so that it is never half written, and reports it.
pub fn put(path: &Path, text: &str) -> Result<(), Failure> {
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(".new");
    let temporary = PathBuf::from(temporary);
    let written = fs::write(&temporary, text).and_then(|()| fs::rename(&temporary, path));
    if let Err(error) = written {
        // Clean up; if that fails too, report only the first error.
        let _ = fs::remove_file(&temporary);
        return Err(cannot(path, &error));
    }
    screen::print(&format!("wrote {}", path.display()));
    Ok(())
}

fn cannot(path: &Path, error: &std::io::Error) -> Failure {
    Failure::error(format!("cannot write {}: {error}", path.display()))
}
