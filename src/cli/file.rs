//! Files that commands write: whole, or not at all.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Failure, screen};

/// Makes a folder, if it is not there.
pub fn folder(path: &Path) -> Result<(), Failure> {
    fs::create_dir_all(path).map_err(|error| cannot(path, &error))
}

/// Writes a file, first beside its place, so that none is ever half written.
pub fn put(path: &Path, text: &str) -> Result<(), Failure> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    let beside = PathBuf::from(beside);
    let written = fs::write(&beside, text).and_then(|()| fs::rename(&beside, path));
    if let Err(error) = written {
        // What is left of the attempt helps nobody; where even this fails, the first error says why.
        let _ = fs::remove_file(&beside);
        return Err(cannot(path, &error));
    }
    screen::say(&format!("wrote {}", path.display()));
    Ok(())
}

fn cannot(path: &Path, error: &std::io::Error) -> Failure {
    Failure::cannot(format!("cannot write {}: {error}", path.display()))
}
