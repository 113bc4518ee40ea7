//! Where packs are looked for.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use super::user::user_data;

/// The packs in the binary, written by `build.rs`.
mod embedded {
    include!(concat!(env!("OUT_DIR"), "/embedded.rs"));
}

/// Said when a pack is not found.
pub(super) const LOOKED_FOR: &str = "packs are looked for in the program itself, ./content, ./campaigns, the folder kaer/packs of your user data \
     ($XDG_DATA_HOME or ~/.local/share), and the folders named on the command line";

/// Where a pack was found. Of packs with the same id, the one from the later place is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// In the program itself.
    Embedded,
    /// In `./content`.
    Content,
    /// In `./campaigns`.
    Campaigns,
    /// In the user's data folder.
    UserData,
    /// In a folder named on the command line.
    CommandLine,
}

/// A pack that is to be read.
#[derive(Clone, Debug)]
pub enum Source {
    /// Files in memory: embedded ones, or those of a test.
    Files {
        /// The name of the folder they stand for.
        name: String,
        /// Where they come from.
        origin: Origin,
        /// Paths in the folder and what the files hold.
        files: Vec<(Cow<'static, str>, Cow<'static, [u8]>)>,
    },
    /// A folder with a `pack.toml`.
    Folder {
        /// The folder.
        path: PathBuf,
        /// Where it comes from.
        origin: Origin,
    },
}

impl Source {
    /// A folder with a `pack.toml`, named on the command line.
    #[must_use]
    pub fn folder(path: impl Into<PathBuf>) -> Self {
        Self::Folder {
            path: path.into(),
            origin: Origin::CommandLine,
        }
    }

    /// Files in memory, for tests and for editors.
    #[must_use]
    pub fn texts(name: &str, files: &[(&str, &str)]) -> Self {
        let held = files.iter().map(|(path, text)| {
            (
                Cow::Owned((*path).to_owned()),
                Cow::Owned(text.as_bytes().to_vec()),
            )
        });
        Self::Files {
            name: name.to_owned(),
            origin: Origin::CommandLine,
            files: held.collect(),
        }
    }

    /// Where it comes from.
    #[must_use]
    pub fn origin(&self) -> Origin {
        match self {
            Self::Files { origin, .. } | Self::Folder { origin, .. } => *origin,
        }
    }

    /// The folder as a person would name it.
    #[must_use]
    pub fn root(&self) -> String {
        match self {
            Self::Files { name, .. } => name.clone(),
            Self::Folder { path, .. } => path.to_string_lossy().replace('\\', "/"),
        }
    }

    /// The last part of the folder's name.
    pub(super) fn folder_name(&self) -> String {
        let root = self.root();
        root.trim_end_matches('/')
            .rsplit('/')
            .next()
            .unwrap_or("")
            .to_owned()
    }
}

/// The packs in the program itself.
#[must_use]
pub fn embedded() -> Vec<Source> {
    let all = embedded::EMBEDDED.iter();
    all.map(|(name, files)| Source::Files {
        name: format!("(built in)/{name}"),
        origin: Origin::Embedded,
        files: files
            .iter()
            .map(|(path, bytes)| (Cow::Borrowed(*path), Cow::Borrowed(*bytes)))
            .collect(),
    })
    .collect()
}

/// All packs that can be found: embedded, in `./content` and `./campaigns` of a folder, of the user, and named ones.
///
/// # Errors
/// Says which of the named paths is not there, or holds no pack.
pub fn find(here: &Path, named: &[PathBuf]) -> Result<Vec<Source>, String> {
    let mut sources = embedded();
    sources.extend(packs_in(&here.join("content"), Origin::Content));
    sources.extend(packs_in(&here.join("campaigns"), Origin::Campaigns));
    if let Some(folder) = user_packs() {
        sources.extend(packs_in(&folder, Origin::UserData));
    }
    for path in named {
        sources.extend(named_packs(path)?);
    }
    Ok(sources)
}

/// The pack at a path, or the packs in the folder at a path.
///
/// # Errors
/// Says that nothing is there, or no pack.
pub fn named_packs(path: &Path) -> Result<Vec<Source>, String> {
    let path = if path.ends_with("pack.toml") {
        path.parent().unwrap_or(path)
    } else {
        path
    };
    let path = if path.as_os_str().is_empty() {
        Path::new(".")
    } else {
        path
    };
    if !path.exists() {
        return Err(format!("there is no folder {}", path.display()));
    }
    if path.join("pack.toml").exists() {
        return Ok(vec![Source::folder(path)]);
    }
    let found = packs_in(path, Origin::CommandLine);
    if found.is_empty() {
        return Err(format!(
            "{} is no pack, and holds none: a pack is a folder with a pack.toml",
            path.display()
        ));
    }
    Ok(found)
}

/// `packs` in the user's folder of Kaer.
#[must_use]
pub fn user_packs() -> Option<PathBuf> {
    user_data().map(|folder| folder.join("packs"))
}

fn packs_in(folder: &Path, origin: Origin) -> Vec<Source> {
    let Ok(list) = folder.read_dir() else {
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = list.flatten().map(|item| item.path()).collect();
    paths.retain(|path| path.join("pack.toml").exists());
    paths.sort();
    paths
        .into_iter()
        .map(|path| Source::Folder { path, origin })
        .collect()
}
