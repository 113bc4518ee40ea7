//! Cleanup: removes the oldest finished games, and the packs that only they used.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::{Save, Saves};
use crate::content::PackStamp;

/// The number of finished games to keep, not counting named saves.
pub const MAX_FINISHED: usize = 30;

/// A temporary file younger than this may belong to a running process.
const STALE_AFTER: Duration = Duration::from_hours(1);

impl Saves {
    /// Removes what is no longer needed. Errors are ignored: the next cleanup tries again.
    pub fn clean_up(&self, now: SystemTime) {
        let kept = self.archive().folders();
        let saves = self.list();
        let finished = |save: &&Save| {
            !save.named
                && save
                    .journal
                    .as_ref()
                    .is_ok_and(|journal| journal.notes.over)
        };
        let expired: Vec<&Save> = saves.iter().filter(finished).skip(MAX_FINISHED).collect();
        expired.iter().for_each(|save| {
            let _ = fs::remove_file(&save.path);
        });
        let is_stale = |path: &Path| {
            let changed = path.metadata().and_then(|data| data.modified());
            changed.is_ok_and(|changed| {
                now.duration_since(changed)
                    .is_ok_and(|age| age > STALE_AFTER)
            })
        };
        self.remove_temp_files(is_stale);
        let truncated = |save: &&Save| {
            !save.named && save.journal.is_err() && is_stale(&save.path) && is_truncated(&save.path)
        };
        saves.iter().filter(truncated).for_each(|save| {
            let _ = fs::remove_file(&save.path);
        });
        // A save that cannot be read might use any of the packs.
        if saves.iter().all(|save| save.journal.is_ok()) {
            let remaining = saves
                .iter()
                .filter(|save| !expired.iter().any(|expired| expired.path == save.path));
            let journals = remaining.filter_map(|save| save.journal.as_ref().ok());
            let stamps: Vec<PackStamp> = journals
                .flat_map(|journal| journal.header.packs.clone())
                .collect();
            self.archive().tidy(&kept, &stamps, is_stale);
        }
    }

    fn remove_temp_files(&self, is_stale: impl Fn(&Path) -> bool) {
        for folder in [self.games_folder(), self.named_folder()] {
            let Ok(list) = folder.read_dir() else {
                continue;
            };
            for path in list.flatten().map(|item| item.path()) {
                let name = path
                    .file_name()
                    .unwrap_or_default()
                    .to_string_lossy()
                    .into_owned();
                if name.starts_with('.') && name.ends_with(".new") && is_stale(&path) {
                    let _ = fs::remove_file(&path);
                }
            }
        }
    }
}

/// Whether not even the header of a save was written.
fn is_truncated(path: &Path) -> bool {
    fs::read(path).is_ok_and(|bytes| !bytes.windows(2).any(|two| two == b"\n\n"))
}
