//! What is wrong with packs, as far as it can be seen without a player: one file a check.
//!
//! Faults of loading and of scripts arise where packs are read and compiled (`loading` gathers them); the checks here look at packs
//! that can be read. Each has a code with a page in `docs/checks/`, whose examples are its tests.

mod allow;
mod allow_fix;
mod doubled_word;
pub mod fix;
mod loading;
mod long_title;
mod missing_source;
pub mod pages;
mod unreachable_place;
mod unused_entry;

use crate::diagnostic::{FileId, Report};
use crate::pack::{Choice, Origin, Pack};
use crate::shelf::{Opened, Shelf};

/// What a check looks at.
pub(crate) struct Subject<'a> {
    /// All packs that were found.
    shelf: &'a Shelf,
    /// Those that are checked.
    packs: Vec<&'a Pack>,
    /// What each of their modes opens.
    opened: &'a [(Choice, Opened)],
}

impl Subject<'_> {
    /// The files of a pack, without its tests.
    fn files(&self, pack: &Pack) -> Vec<FileId> {
        let files = &self.shelf.set.files;
        let (inside, tests) = (format!("{}/", pack.root), format!("{}/tests/", pack.root));
        let own = |id: &FileId| files.name(*id).starts_with(&inside) && !files.name(*id).starts_with(&tests);
        files.ids().filter(own).collect()
    }
}

/// The checks of packs that can be read. A new one is a file and a line here.
const CHECKS: &[fn(&Subject, &mut Report)] =
    &[doubled_word::check, long_title::check, missing_source::check, unreachable_place::check, unused_entry::check];

/// What was found, and in how much.
pub struct Checked {
    /// The faults, sorted by place.
    pub report: Report,
    /// How many packs were checked.
    pub packs: usize,
    /// How many entries they have.
    pub entries: usize,
    /// How many scripts were compiled for their modes.
    pub scripts: usize,
}

/// Checks the packs that are wanted; a fault in two modes is told once.
#[must_use]
pub fn check(shelf: &Shelf, wanted: impl Fn(Origin) -> bool) -> Checked {
    let (mut report, opened) = loading::check(shelf, &wanted);
    let packs: Vec<&Pack> = shelf.set.packs.iter().filter(|pack| wanted(pack.origin)).collect();
    let subject = Subject { shelf, packs, opened: &opened };
    // What cannot be read or compiled would only cause guesses.
    if report.is_sound() {
        CHECKS.iter().for_each(|check| check(&subject, &mut report));
    }
    allow::settle(&subject, &mut report);
    report.sort(&shelf.set.files);
    let scripts = opened.iter().map(|(_, opened)| opened.rules.content.hooks.len()).max().unwrap_or(0);
    let entries = subject.packs.iter().map(|pack| pack.entries.len()).sum();
    Checked { report, packs: subject.packs.len(), entries, scripts }
}
