//! Finds packs: embedded, in folders, and named on the command line.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use super::user::user_data;

/// The packs in the binary, written by `build.rs`.
mod embedded {
    include!(concat!(env!("OUT_DIR"), "/embedded.rs"));
}

/// The help for packs that are not found.
pub(super) const LOOKED_FOR: &str = "Kaer looks for packs in the program itself, ./content, ./campaigns, the folder kaer/packs of your user data \
     ($XDG_DATA_HOME or ~/.local/share), and the folders named on the command line";

/// Where a pack was found. Of packs with the same id, the last in this order is used.
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

/// A pack to read.
#[derive(Clone, Debug)]
pub enum PackSource {
    /// Files in memory: embedded ones, or those of a test.
    Files {
        /// The name of their folder.
        name: String,
        /// Where the pack was found.
        origin: Origin,
        /// Paths in the folder, and the bytes of the files.
        files: Vec<(Cow<'static, str>, Cow<'static, [u8]>)>,
    },
    /// A folder with a `pack.toml`.
    Folder {
        /// The path of the folder.
        path: PathBuf,
        /// Where the pack was found.
        origin: Origin,
    },
}

impl PackSource {
    /// A folder with a `pack.toml`, named on the command line.
    #[must_use]
    pub fn folder(path: impl Into<PathBuf>) -> Self {
        Self::Folder {
            path: path.into(),
            origin: Origin::CommandLine,
        }
    }

    /// Files in memory, for tests and editors.
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

    /// Where the pack was found.
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

/// The packs embedded in the program.
#[must_use]
pub fn embedded() -> Vec<PackSource> {
    let all = embedded::EMBEDDED.iter();
    all.map(|(name, files)| PackSource::Files {
        name: format!("(built in)/{name}"),
        origin: Origin::Embedded,
        files: files
            .iter()
            .map(|(path, bytes)| (Cow::Borrowed(*path), Cow::Borrowed(*bytes)))
            .collect(),
    })
    .collect()
}

/// All packs: embedded, in `content` and `campaigns` of a folder, in the user's data folder, and at
/// the paths given.
///
/// # Errors
/// If one of the paths does not exist or holds no pack.
pub fn find(here: &Path, named: &[PathBuf]) -> Result<Vec<PackSource>, String> {
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

/// The pack at a path, or all packs in the folder at a path.
///
/// # Errors
/// If the path does not exist or holds no pack.
pub fn named_packs(path: &Path) -> Result<Vec<PackSource>, String> {
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
        return Err(format!("folder not found: {}", path.display()));
    }
    if path.join("pack.toml").exists() {
        return Ok(vec![PackSource::folder(path)]);
    }
    let found = packs_in(path, Origin::CommandLine);
    if found.is_empty() {
        return Err(format!(
            "no pack in {}: a pack is a folder with a pack.toml",
            path.display()
        ));
    }
    Ok(found)
}

/// The folder `packs` in Kaer's user data.
#[must_use]
pub fn user_packs() -> Option<PathBuf> {
    user_data().map(|folder| folder.join("packs"))
}

fn packs_in(folder: &Path, origin: Origin) -> Vec<PackSource> {
    let Ok(list) = folder.read_dir() else {
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = list.flatten().map(|item| item.path()).collect();
    paths.retain(|path| path.join("pack.toml").exists());
    paths.sort();
    paths
        .into_iter()
        .map(|path| PackSource::Folder { path, origin })
        .collect()
}
