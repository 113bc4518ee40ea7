//! Writes a folder of files, all or nothing.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::cli::Failure;
use crate::scaffold::NewFile;

/// The number of file names that an error about a folder that is not empty lists.
const MAX_NAMES: usize = 5;

/// Fails unless the path does not exist or is an empty folder.
pub fn require_empty(path: &Path) -> Result<(), Failure> {
    let list = match fs::read_dir(path) {
        Ok(list) => list,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(_) if path.is_file() => {
            return Err(Failure::error(format!(
                "{} is a file; choose a new or empty folder",
                path.display()
            )));
        }
        Err(error) => return Err(cannot(path, &error)),
    };
    let mut names: Vec<String> = list
        .flatten()
        .map(|item| item.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    if names.is_empty() {
        return Ok(());
    }
    let more = names.len().saturating_sub(MAX_NAMES);
    names.truncate(MAX_NAMES);
    let rest = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    let listed = names.join(", ");
    Err(Failure::error(format!(
        "{} is not empty: it contains {listed}{rest}; choose a new or empty folder",
        path.display()
    )))
}

/// Paths created so far. Dropping it deletes them, unless it was emptied on success.
#[derive(Default)]
struct WriteRollback(Vec<PathBuf>);

impl Drop for WriteRollback {
    fn drop(&mut self) {
        for path in self.0.iter().rev() {
            // Report only the error that led here.
            let _ = if path.is_dir() {
                fs::remove_dir_all(path)
            } else {
                fs::remove_file(path)
            };
        }
    }
}

/// Writes files to a folder that is new or empty. They go to a temporary folder inside it first, so
/// that a failure leaves nothing behind.
pub fn folder(path: &Path, files: &[NewFile]) -> Result<(), Failure> {
    let mut undo = WriteRollback::default();
    undo.0.extend(first_missing(path));
    fs::create_dir_all(path).map_err(|error| cannot(path, &error))?;
    let temporary = path.join(format!(".kaer-new-{}", std::process::id()));
    fs::create_dir(&temporary).map_err(|error| cannot(path, &error))?;
    undo.0.push(temporary.clone());
    for file in files {
        let to = temporary.join(&*file.path);
        let folder = to.parent().unwrap_or(&temporary);
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(&to, &file.text))
            .map_err(|error| cannot(&to, &error))?;
    }
    for item in fs::read_dir(&temporary)
        .map_err(|error| cannot(&temporary, &error))?
        .flatten()
    {
        let to = path.join(item.file_name());
        fs::rename(item.path(), &to).map_err(|error| cannot(&to, &error))?;
        undo.0.push(to);
    }
    fs::remove_dir(&temporary).map_err(|error| cannot(&temporary, &error))?;
    undo.0.clear();
    Ok(())
}

/// The topmost folder of a path that does not exist.
fn first_missing(path: &Path) -> Option<PathBuf> {
    let missing = path
        .ancestors()
        .filter(|part| !part.as_os_str().is_empty())
        .take_while(|part| !part.exists());
    missing.last().map(Path::to_path_buf)
}

fn cannot(path: &Path, error: &io::Error) -> Failure {
    Failure::error(format!(
        "cannot write {}: {error}; nothing was created",
        path.display()
    ))
}

/// The path of a folder relative to another folder, which may not exist.
pub fn relative_path(from: &Path, to: &Path) -> String {
    let (Some(from), Ok(to)) = (absolute(from), to.canonicalize()) else {
        return with_slashes(to);
    };
    let same = from
        .components()
        .zip(to.components())
        .take_while(|(a, b)| a == b)
        .count();
    let up = from.components().skip(same).map(|_| Component::ParentDir);
    let path: PathBuf = up.chain(to.components().skip(same)).collect();
    // There is no relative path to another drive.
    if same == 0 {
        with_slashes(&to)
    } else {
        with_slashes(&path)
    }
}

fn with_slashes(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

/// The absolute path, with symbolic links resolved in the part that exists.
fn absolute(path: &Path) -> Option<PathBuf> {
    let path = std::path::absolute(path).ok()?;
    let existing = path.ancestors().find(|part| part.exists())?;
    Some(
        existing
            .canonicalize()
            .ok()?
            .join(path.strip_prefix(existing).ok()?),
    )
}
