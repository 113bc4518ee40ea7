//! Packs that change while a game is played with them: what changed is read, and the game is played again on it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::compare::log_lines;
use super::standing::Standing;
use crate::diagnostic::{Files, Report, unified};
use crate::game::journal::Line;
use crate::game::{Game, Header, Setup};
use crate::pack::{Origin, Reuse};
use crate::shelf::{Care, Opened, Shelf};

/// Packs in use.
pub struct InUse {
    /// All that were found.
    pub shelf: Arc<Shelf>,
    /// What is played.
    pub opened: Opened,
}

/// Why changed packs are not taken in.
pub enum Refused {
    /// They cannot be found any more.
    Gone(String),
    /// They have faults.
    Faulty(Seen),
}

/// What was there before a change was taken in.
pub struct Before {
    shelf: Arc<Shelf>,
    opened: Opened,
}

/// What was seen of packs: their files, and what is wrong with them.
pub struct Seen {
    /// The files.
    pub files: Files,
    /// What is wrong.
    pub report: Report,
}

/// What a game came to on changed packs.
pub struct Again {
    /// The game, as far as its answers fit.
    pub game: Game,
    /// The first answer that does not fit, from 0, and why.
    pub unfit: Option<(usize, String)>,
}

impl InUse {
    /// Where the packs in use come from.
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

    /// The folders of the packs in use, as far as they are folders.
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

    /// Takes in what has changed on disk, and gives the way back. One changed file with the same entries, or more, is read alone;
    /// anything else is read as a whole, by `find`. Scripts are only compiled: somebody else finds out what is wrong with them, at the same time.
    ///
    /// # Errors
    /// Why it is not taken in; nothing has changed then.
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

    /// Goes back to what was there before a change was taken in.
    pub fn go_back(&mut self, before: Before) {
        self.shelf = before.shelf;
        self.opened = before.opened;
    }

    /// A game once more, on the packs as they are now.
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

    /// What a journal of the game begins with now.
    pub fn stamp(&self, header: &mut Header) {
        header.packs.clone_from(&self.opened.rules.content.packs);
    }
}

/// What is otherwise in a game that was played again: lines of the log, then how things stand.
#[must_use]
pub fn differences(before: &Game, now: &Game) -> Vec<String> {
    let (old, new) = (
        log_lines(before.core()).join("\n"),
        log_lines(now.core()).join("\n"),
    );
    let diff = unified("", &format!("{old}\n"), &format!("{new}\n"), false);
    // What stands around a change, without the numbers of lines, which nobody sees.
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

/// A line of a diff with a space behind its mark.
fn spaced(line: &str) -> String {
    let (mark, rest) = line.split_at(line.len().min(1));
    format!("{mark} {rest}")
}
