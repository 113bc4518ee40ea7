//! Live reload: reads changed packs while a game is in progress, and replays the game with them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::compare::log_lines;
use super::standing::Standing;
use crate::diagnostic::{Files, Report, unified};
use crate::game::journal::Line;
use crate::game::{Game, Header, Setup};
use crate::pack::{Origin, Reuse};
use crate::shelf::{Care, Opened, Shelf};

/// The packs a game in progress is played with.
pub struct InUse {
    /// Every pack that was found.
    pub shelf: Arc<Shelf>,
    /// The game that is played.
    pub opened: Opened,
}

/// Why changed packs are not loaded.
pub enum Refused {
    /// They can no longer be found.
    Gone(String),
    /// They have errors.
    Faulty(Seen),
}

/// What to restore if a change has to be rolled back.
pub struct Before {
    shelf: Arc<Shelf>,
    opened: Opened,
}

/// The files of packs, and the diagnostics about them.
pub struct Seen {
    /// The files that the diagnostics refer to.
    pub files: Files,
    /// The diagnostics.
    pub report: Report,
}

/// A game replayed with changed packs.
pub struct Again {
    /// The game, up to the first answer that is no longer possible.
    pub game: Game,
    /// The first answer that is no longer possible, from 0, and why.
    pub unfit: Option<(usize, String)>,
}

impl InUse {
    /// The roots of the packs in use.
    #[must_use]
    pub fn roots(&self) -> Vec<String> {
        let used = |id: &str| {
            self.opened
                .rules
                .content
                .packs
                .iter()
                .any(|pack| pack.id == id)
        };
        self.shelf
            .set
            .packs
            .iter()
            .filter(|pack| used(&pack.manifest.id))
            .map(|pack| pack.root.clone())
            .collect()
    }

    /// The folders of the packs in use; embedded packs have none.
    #[must_use]
    pub fn folders(&self) -> Vec<PathBuf> {
        let used = |id: &str| {
            self.opened
                .rules
                .content
                .packs
                .iter()
                .any(|pack| pack.id == id)
        };
        let packs = self
            .shelf
            .set
            .packs
            .iter()
            .filter(|pack| pack.origin != Origin::Embedded);
        packs
            .filter(|pack| used(&pack.manifest.id))
            .map(|pack| PathBuf::from(&pack.root))
            .collect()
    }

    /// Loads what changed on disk; the result can roll it back. A single file that keeps its entries, or adds some, is read
    /// alone; otherwise `find` loads everything. Scripts are compiled but not linted: the background check does that at the
    /// same time.
    ///
    /// # Errors
    /// Why the change is not loaded; nothing has changed then.
    pub fn reload(
        &mut self,
        changed: &[PathBuf],
        find: impl FnOnce() -> Result<Arc<Shelf>, String>,
    ) -> Result<Before, Refused> {
        if let [path] = changed
            && let Some(before) = self.reread(path)
        {
            return Ok(before);
        }
        let shelf = find().map_err(Refused::Gone)?;
        let mut report = shelf.report.clone();
        let mut opened = None;
        if report.is_sound() {
            let old = &self.opened;
            let (found, faults) = shelf.open_again(
                old.choice(),
                old.given(),
                Reuse::OlderFiles(old),
                Care::Nothing,
            );
            opened = found;
            report.extend(faults);
        }
        match opened.filter(|_| report.is_sound()) {
            Some(opened) => Ok(self.replace(shelf, opened)),
            None => Err(Refused::Faulty(Seen {
                files: shelf.set.files.clone(),
                report,
            })),
        }
    }

    fn reread(&mut self, path: &Path) -> Option<Before> {
        let path = path.canonicalize().ok()?;
        let inside = |folder: &PathBuf| {
            let rest = path
                .strip_prefix(folder.canonicalize().ok()?)
                .ok()?
                .to_string_lossy()
                .into_owned();
            Some(format!("{}/{rest}", folder.display()))
        };
        let name = self.folders().iter().find_map(inside)?;
        let text = std::fs::read_to_string(&path).ok()?;
        let (shelf, opened) = self
            .shelf
            .reread(&name, &text, &self.opened, Care::Nothing)?;
        Some(self.replace(Arc::new(shelf), opened))
    }

    fn replace(&mut self, shelf: Arc<Shelf>, opened: Opened) -> Before {
        Before {
            shelf: std::mem::replace(&mut self.shelf, shelf),
            opened: std::mem::replace(&mut self.opened, opened),
        }
    }

    /// Rolls a change back.
    pub fn go_back(&mut self, before: Before) {
        self.shelf = before.shelf;
        self.opened = before.opened;
    }

    /// Replays a game with the packs as they are now.
    #[must_use]
    pub fn again(&self, setup: &Setup, lines: &[Line]) -> Again {
        match Game::replay(self.opened.rules.clone(), setup, lines) {
            Ok(game) => Again { game, unfit: None },
            Err(unfit) => {
                let (game, at, why) = *unfit;
                Again {
                    game,
                    unfit: Some((at, why)),
                }
            }
        }
    }

    /// Updates the packs in the header of the game's journal.
    pub fn stamp(&self, header: &mut Header) {
        header.packs.clone_from(&self.opened.rules.content.packs);
    }
}

/// What differs in a replayed game: log lines, then state.
#[must_use]
pub fn differences(before: &Game, now: &Game) -> Vec<String> {
    let (old, new) = (
        log_lines(before.core()).join("\n"),
        log_lines(now.core()).join("\n"),
    );
    let diff = unified("", &format!("{old}\n"), &format!("{new}\n"), false);
    // Keep the context of each change, but not the line numbers, which mean nothing to a player.
    let log = diff.lines().skip(2).map(|line| {
        if line.starts_with("@@") {
            "…".to_owned()
        } else {
            spaced(line)
        }
    });
    let standing = Standing::of(before.core()).changes(&Standing::of(now.core()));
    log.chain(standing.iter().map(|change| format!("~ {}", change.line())))
        .collect()
}

/// A line of a diff with a space after its marker.
fn spaced(line: &str) -> String {
    let (mark, rest) = line.split_at(line.len().min(1));
    format!("{mark} {rest}")
}
