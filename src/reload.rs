//! Hot reload: reads changed packs while a game is in progress, and replays the game with them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::diagnostic::{Files, Report, unified_diff};
use crate::explore::state_snapshot::StateSnapshot;
use crate::game::journal::JournalLine;
use crate::game::render::log_line;
use crate::game::{Game, GameHeader, Setup};
use crate::library::{LintLevel, OpenedGame, PackLibrary};
use crate::pack::{Origin, Reuse};

/// The packs of a game in progress.
pub struct LivePacks {
    /// Every pack that was found.
    pub library: Arc<PackLibrary>,
    /// The game that is being played.
    pub opened: OpenedGame,
}

/// Why changed packs were not loaded.
pub enum ReloadError {
    /// The packs can no longer be found.
    NotFound(String),
    /// The packs have errors.
    HasErrors(CheckedPacks),
}

/// The data to restore if a change must be rolled back.
pub struct ReloadUndo {
    library: Arc<PackLibrary>,
    opened: OpenedGame,
}

/// The files of packs, and the diagnostics about them.
pub struct CheckedPacks {
    /// The files that the diagnostics refer to.
    pub files: Files,
    /// The diagnostics.
    pub report: Report,
}

/// A game replayed with changed packs.
pub struct ReplayedGame {
    /// The game, up to the first answer that is no longer valid.
    pub game: Game,
    /// The index of the first answer that is no longer valid, and the reason.
    pub invalid: Option<(usize, String)>,
}

impl LivePacks {
    fn is_used(&self, id: &str) -> bool {
        let packs = &self.opened.rules.content.packs;
        packs.iter().any(|pack| pack.id == id)
    }

    /// The root folders of the packs in use.
    #[must_use]
    pub fn roots(&self) -> Vec<String> {
        self.library
            .set
            .packs
            .iter()
            .filter(|pack| self.is_used(&pack.manifest.id))
            .map(|pack| pack.root.clone())
            .collect()
    }

    /// The folders of the packs in use; embedded packs have none.
    #[must_use]
    pub fn folders(&self) -> Vec<PathBuf> {
        let packs = self
            .library
            .set
            .packs
            .iter()
            .filter(|pack| pack.origin != Origin::Embedded);
        packs
            .filter(|pack| self.is_used(&pack.manifest.id))
            .map(|pack| PathBuf::from(&pack.root))
            .collect()
    }

    /// Loads what has changed on disk. The result can roll the change back. A single file that
    /// keeps its entries, or adds some, is read alone; otherwise `find` loads everything. Scripts
    /// are compiled but not linted, because the background check does that at the same time.
    ///
    /// # Errors
    /// Returns why the change was not loaded. The packs in use are then unchanged.
    pub fn reload(
        &mut self,
        changed: &[PathBuf],
        find: impl FnOnce() -> Result<Arc<PackLibrary>, String>,
    ) -> Result<ReloadUndo, ReloadError> {
        if let [path] = changed
            && let Some(before) = self.reread(path)
        {
            return Ok(before);
        }
        let library = find().map_err(ReloadError::NotFound)?;
        let mut report = library.report.clone();
        let mut opened = None;
        if report.has_no_errors() {
            let old = &self.opened;
            let (found, faults) = library.open_reusing(
                old.choice(),
                old.setup_script(),
                Reuse::OlderFiles(old),
                LintLevel::Nothing,
            );
            opened = found;
            report.extend(faults);
        }
        match opened.filter(|_| report.has_no_errors()) {
            Some(opened) => Ok(self.replace(library, opened)),
            None => Err(ReloadError::HasErrors(CheckedPacks {
                files: library.set.files.clone(),
                report,
            })),
        }
    }

    fn reread(&mut self, path: &Path) -> Option<ReloadUndo> {
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
        let (library, opened) =
            self.library
                .reload_file(&name, &text, &self.opened, LintLevel::Nothing)?;
        Some(self.replace(Arc::new(library), opened))
    }

    fn replace(&mut self, library: Arc<PackLibrary>, opened: OpenedGame) -> ReloadUndo {
        ReloadUndo {
            library: std::mem::replace(&mut self.library, library),
            opened: std::mem::replace(&mut self.opened, opened),
        }
    }

    /// Rolls a change back.
    pub fn roll_back(&mut self, before: ReloadUndo) {
        self.library = before.library;
        self.opened = before.opened;
    }

    /// Replays a game with the current packs.
    #[must_use]
    pub fn replay(&self, setup: &Setup, lines: &[JournalLine]) -> ReplayedGame {
        match Game::replay(self.opened.rules.clone(), setup, lines) {
            Ok(game) => ReplayedGame {
                game,
                invalid: None,
            },
            Err(invalid) => {
                let (game, at, reason) = *invalid;
                ReplayedGame {
                    game,
                    invalid: Some((at, reason)),
                }
            }
        }
    }

    /// Updates the packs in the header of a journal.
    pub fn stamp(&self, header: &mut GameHeader) {
        header.packs.clone_from(&self.opened.rules.content.packs);
    }
}

/// The differences in a replayed game: log lines, then state.
#[must_use]
pub fn differences(before: &Game, now: &Game) -> Vec<String> {
    let (old, new) = (
        log_line::verbose_log(before.context()).join("\n"),
        log_line::verbose_log(now.context()).join("\n"),
    );
    let diff = unified_diff("", &format!("{old}\n"), &format!("{new}\n"), false);
    // Keep the context of each change, but not the line numbers, which mean nothing to a player.
    let log = diff.lines().skip(2).map(|line| {
        if line.starts_with("@@") {
            "…".to_owned()
        } else {
            spaced(line)
        }
    });
    let changes =
        StateSnapshot::capture(before.context()).changes(&StateSnapshot::capture(now.context()));
    log.chain(changes.iter().map(|change| format!("~ {}", change.line())))
        .collect()
}

/// Adds a space after the marker of a diff line.
fn spaced(line: &str) -> String {
    let (mark, rest) = line.split_at(line.len().min(1));
    format!("{mark} {rest}")
}
