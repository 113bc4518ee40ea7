//! Writes a folder: all of it, or nothing.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::author::new::Made;
use crate::cli::Failure;

/// How many names are told of what lies in a folder.
const MOST: usize = 5;

/// Refuses a folder that is not empty, and what is none.
pub fn may_hold_a_pack(path: &Path) -> Result<(), Failure> {
    let list = match fs::read_dir(path) {
        Ok(list) => list,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(_) if path.is_file() => {
            return Err(Failure::cannot(format!(
                "{} is a file; name a new or an empty folder",
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
    let more = names.len().saturating_sub(MOST);
    names.truncate(MOST);
    let rest = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    let held = names.join(", ");
    Err(Failure::cannot(format!(
        "{} is not empty: it holds {held}{rest}; name a new or an empty folder",
        path.display()
    )))
}

/// What was made so far; it is gone again unless all of it was.
#[derive(Default)]
struct Undo(Vec<PathBuf>);

impl Drop for Undo {
    fn drop(&mut self) {
        for path in self.0.iter().rev() {
            // The failure that led here says why; what cannot be taken away has to stay.
            let _ = if path.is_dir() {
                fs::remove_dir_all(path)
            } else {
                fs::remove_file(path)
            };
        }
    }
}

/// Writes files into a folder that is new or empty: first into one of its own inside, where nobody sees half of them.
pub fn folder(path: &Path, files: &[Made]) -> Result<(), Failure> {
    let mut undo = Undo::default();
    undo.0.extend(first_missing(path));
    fs::create_dir_all(path).map_err(|error| cannot(path, &error))?;
    let beside = path.join(format!(".kaer-new-{}", std::process::id()));
    fs::create_dir(&beside).map_err(|error| cannot(path, &error))?;
    undo.0.push(beside.clone());
    for file in files {
        let to = beside.join(file.path);
        let folder = to.parent().unwrap_or(&beside);
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(&to, &file.text))
            .map_err(|error| cannot(&to, &error))?;
    }
    for item in fs::read_dir(&beside)
        .map_err(|error| cannot(&beside, &error))?
        .flatten()
    {
        let to = path.join(item.file_name());
        fs::rename(item.path(), &to).map_err(|error| cannot(&to, &error))?;
        undo.0.push(to);
    }
    fs::remove_dir(&beside).map_err(|error| cannot(&beside, &error))?;
    undo.0.clear();
    Ok(())
}

/// The uppermost folder of a path that is not there yet.
fn first_missing(path: &Path) -> Option<PathBuf> {
    let missing = path
        .ancestors()
        .filter(|part| !part.as_os_str().is_empty())
        .take_while(|part| !part.exists());
    missing.last().map(Path::to_path_buf)
}

fn cannot(path: &Path, error: &io::Error) -> Failure {
    Failure::cannot(format!(
        "cannot write {}: {error}; nothing was made",
        path.display()
    ))
}

/// A folder as seen from another, which may not be there yet.
pub fn seen_from(from: &Path, to: &Path) -> String {
    let (Some(from), Ok(to)) = (whole(from), to.canonicalize()) else {
        return shown(to);
    };
    let same = from
        .components()
        .zip(to.components())
        .take_while(|(one, other)| one == other)
        .count();
    let up = from.components().skip(same).map(|_| Component::ParentDir);
    let way: PathBuf = up.chain(to.components().skip(same)).collect();
    // On another drive there is no way.
    if same == 0 { shown(&to) } else { shown(&way) }
}

fn shown(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

/// A path from the root on, with links followed as far as it is there.
fn whole(path: &Path) -> Option<PathBuf> {
    let path = std::path::absolute(path).ok()?;
    let there = path.ancestors().find(|part| part.exists())?;
    Some(
        there
            .canonicalize()
            .ok()?
            .join(path.strip_prefix(there).ok()?),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_goes_up_and_down() {
        assert_eq!(
            seen_from(Path::new("src/not/there"), Path::new("tests/packs")),
            "../../../tests/packs"
        );
        assert_eq!(seen_from(Path::new("src/cli"), Path::new("src")), "..");
    }

    #[test]
    fn what_fails_leaves_nothing() {
        let root = std::env::temp_dir().join(format!("kaer-write-{}", std::process::id()));
        let file = |path: &'static str| Made {
            path,
            text: "x".to_owned(),
            about: "",
        };
        // A file and a folder of one name cannot both be.
        let clash = [file("a.toml"), file("b"), file("b/c.toml")];
        assert!(folder(&root.join("deep/pack"), &clash).is_err());
        assert!(
            !root.exists(),
            "nothing is left of a folder that was not there"
        );
        fs::create_dir_all(root.join("pack")).unwrap();
        assert!(folder(&root.join("pack"), &clash).is_err());
        assert_eq!(
            fs::read_dir(root.join("pack")).unwrap().count(),
            0,
            "what was empty is empty again"
        );
        assert!(folder(&root.join("pack"), &clash[..2]).is_ok());
        assert!(may_hold_a_pack(&root.join("pack")).is_err());
        fs::remove_dir_all(root).unwrap();
    }
}
