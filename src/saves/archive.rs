//! The pack archive: stores each pack version once, so that a save survives changes to its packs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

use super::atomic::temp_path_beside;
use crate::content::PackStamp;
use crate::pack::{Origin, Pack, PackSet, PackSource, is_pack_id};

/// How many digits of the hash are part of a folder name.
const HASH_DIGITS: usize = 16;

/// The folder of stored packs.
#[derive(Clone, Debug)]
pub struct PackArchive {
    folder: PathBuf,
}

impl PackArchive {
    pub(super) fn in_folder(folder: PathBuf) -> PackArchive {
        PackArchive { folder }
    }

    /// Stores the packs of a game that are not stored yet.
    pub fn store(&self, set: &PackSet, stamps: &[PackStamp]) -> io::Result<()> {
        for stamp in stamps {
            let pack = set
                .pack(&stamp.id)
                .map(|(_, pack)| pack)
                .filter(|pack| pack.hash == stamp.hash);
            if let (Some(pack), Some(place)) = (pack, self.pack_folder(stamp))
                && !place.exists()
            {
                store_pack(set, pack, &place)?;
            }
        }
        Ok(())
    }

    /// The folder of a pack version; `None` if the stamp is not valid.
    fn pack_folder(&self, stamp: &PackStamp) -> Option<PathBuf> {
        let digits = stamp.hash.get(..HASH_DIGITS)?;
        // The stamp may come from someone else's file, so it must not lead out of the archive.
        let is_safe = is_pack_id(&stamp.id) && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_safe.then(|| self.folder.join(format!("{}-{digits}", stamp.id)))
    }

    /// The stored packs of a game as sources; `None` if one is missing.
    #[must_use]
    pub fn sources(&self, stamps: &[PackStamp]) -> Option<Vec<PackSource>> {
        let source = |stamp: &PackStamp| {
            let path = self
                .pack_folder(stamp)
                .filter(|path| path.join("pack.toml").is_file())?;
            Some(PackSource::Folder {
                path,
                origin: Origin::UserData,
            })
        };
        stamps.iter().map(source).collect()
    }

    /// Removes the folders that no stamp names, and stale temporary folders.
    pub(super) fn tidy(
        &self,
        all: &[PathBuf],
        stamps: &[PackStamp],
        is_stale: impl Fn(&Path) -> bool,
    ) {
        let named: BTreeSet<PathBuf> = stamps
            .iter()
            .filter_map(|stamp| self.pack_folder(stamp))
            .collect();
        for path in all {
            let hidden = path
                .file_name()
                .is_some_and(|name| name.to_string_lossy().starts_with('.'));
            if (hidden && is_stale(path)) || (!hidden && !named.contains(path)) {
                // If this fails, the next cleanup tries again.
                let _ = fs::remove_dir_all(path);
            }
        }
    }

    /// Every folder of the archive. Call this before listing the saves: a pack is stored after its
    /// save is created, so a new folder could otherwise look unused.
    pub(super) fn folders(&self) -> Vec<PathBuf> {
        let Ok(list) = self.folder.read_dir() else {
            return Vec::new();
        };
        list.flatten()
            .map(|item| item.path())
            .filter(|path| path.is_dir())
            .collect()
    }
}

/// Whether the loaded packs are the versions of these stamps.
#[must_use]
pub fn matches_stamps(set: &PackSet, stamps: &[PackStamp]) -> bool {
    let same = |stamp: &PackStamp| {
        set.pack(&stamp.id)
            .is_some_and(|(_, pack)| pack.hash == stamp.hash)
    };
    stamps.iter().all(same)
}

fn store_pack(set: &PackSet, pack: &Pack, place: &Path) -> io::Result<()> {
    let temp = temp_path_beside(place);
    let written = write(set, pack, &temp).and_then(|()| fs::rename(&temp, place));
    if written.is_err() {
        // Clean up; if even this fails, the first error is the one to report.
        let _ = fs::remove_dir_all(&temp);
    }
    // Another process may have stored it in the meantime.
    if place.exists() { Ok(()) } else { written }
}

fn write(set: &PackSet, pack: &Pack, folder: &Path) -> io::Result<()> {
    for (path, text) in set.texts(pack) {
        let place = folder.join(path);
        fs::create_dir_all(place.parent().unwrap_or(folder))?;
        fs::write(place, text)?;
    }
    Ok(())
}
