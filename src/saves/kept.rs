//! The packs of saved games: each version is kept once, so that a save outlasts a change of its packs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

use super::whole::beside;
use crate::content::PackStamp;
use crate::pack::{Origin, Pack, PackSet, Source, is_pack_id};

/// So many digits of a hash are part of a folder's name.
const DIGITS: usize = 16;

/// The folder in which packs are kept.
#[derive(Clone, Debug)]
pub struct Kept {
    folder: PathBuf,
}

impl Kept {
    pub(super) fn in_folder(folder: PathBuf) -> Kept {
        Kept { folder }
    }

    /// Keeps the packs of a game that are not kept yet.
    ///
    /// # Errors
    /// What the system says.
    pub fn keep(&self, set: &PackSet, stamps: &[PackStamp]) -> io::Result<()> {
        for stamp in stamps {
            let pack = set
                .pack(&stamp.id)
                .map(|(_, pack)| pack)
                .filter(|pack| pack.hash == stamp.hash);
            if let (Some(pack), Some(place)) = (pack, self.place(stamp))
                && !place.exists()
            {
                keep(set, pack, &place)?;
            }
        }
        Ok(())
    }

    /// Where a version of a pack is kept; `None` for what can be none.
    fn place(&self, stamp: &PackStamp) -> Option<PathBuf> {
        let digits = stamp.hash.get(..DIGITS)?;
        // The stamp may come from a file that somebody sent: it must not lead out of the folder.
        let sound = is_pack_id(&stamp.id) && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        sound.then(|| self.folder.join(format!("{}-{digits}", stamp.id)))
    }

    /// The packs of a game as they were kept, to be read like any other pack; `None` if one is missing.
    #[must_use]
    pub fn sources(&self, stamps: &[PackStamp]) -> Option<Vec<Source>> {
        let source = |stamp: &PackStamp| {
            let path = self
                .place(stamp)
                .filter(|path| path.join("pack.toml").is_file())?;
            Some(Source::Folder {
                path,
                origin: Origin::UserData,
            })
        };
        stamps.iter().map(source).collect()
    }

    /// Removes those of these folders that no stamp names, and what was left of attempts.
    pub(super) fn tidy(
        &self,
        all: &[PathBuf],
        stamps: &[PackStamp],
        is_old: impl Fn(&Path) -> bool,
    ) {
        let named: BTreeSet<PathBuf> = stamps
            .iter()
            .filter_map(|stamp| self.place(stamp))
            .collect();
        for path in all {
            let hidden = path
                .file_name()
                .is_some_and(|name| name.to_string_lossy().starts_with('.'));
            if (hidden && is_old(path)) || (!hidden && !named.contains(path)) {
                // What cannot be removed now may be the next time.
                let _ = fs::remove_dir_all(path);
            }
        }
    }

    /// Every folder in it. To be asked before saves are looked at: a pack is kept after the save that names it was begun.
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

/// Whether packs that were read are the versions of these stamps.
#[must_use]
pub fn are_those(set: &PackSet, stamps: &[PackStamp]) -> bool {
    let same = |stamp: &PackStamp| {
        set.pack(&stamp.id)
            .is_some_and(|(_, pack)| pack.hash == stamp.hash)
    };
    stamps.iter().all(same)
}

fn keep(set: &PackSet, pack: &Pack, place: &Path) -> io::Result<()> {
    let beside = beside(place);
    let written = write(set, pack, &beside).and_then(|()| fs::rename(&beside, place));
    if written.is_err() {
        // What is left of the attempt helps nobody; where even this fails, the first error says why.
        let _ = fs::remove_dir_all(&beside);
    }
    // Another program may have kept it meanwhile.
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
