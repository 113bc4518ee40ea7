//! What is wrong with packs, as far as it can be seen without a player: one file a check.
//!
//! Faults of loading and of scripts arise where packs are read and compiled (`loading` gathers them); the checks here look at packs
//! that can be read. Each has a code with a page in `docs/checks/`, whose examples are its tests.

mod allow;
mod allow_fix;
pub mod capabilities;
mod dead_hook;
mod event_loop;
pub mod fix;
mod inconsistent_term;
mod loading;
mod long_title;
mod loose_number;
mod missing_source;
pub mod pages;
mod promise;
mod repeated_word;
mod running;
mod unbacked_number;
mod uneven_rows;
mod unknown_cost;
mod unknown_number;
mod unreachable_place;
mod unused_entry;

use std::collections::BTreeSet;

pub use running::Effort;

use crate::diagnostic::{Diagnostic, FileId, Report, Severity, Span};
use crate::pack::{Choice, Entry, Origin, Pack};
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

impl<'a> Subject<'a> {
    /// The entries of the packs that are checked.
    fn entries(&self) -> impl Iterator<Item = &'a Entry> {
        self.packs.iter().copied().flat_map(Pack::entries)
    }

    /// The pack that is checked and in which a place lies.
    fn pack_of(&self, span: Span) -> Option<&'a Pack> {
        let file = self.shelf.set.files.name(span.file);
        let holds = |pack: &&&Pack| {
            file.strip_prefix(&*pack.root)
                .is_some_and(|rest| rest.starts_with('/'))
        };
        self.packs.iter().find(holds).copied()
    }

    /// Whether a place lies in one of the packs that are checked.
    fn owns(&self, span: Span) -> bool {
        self.pack_of(span).is_some()
    }

    /// Where a word stands for itself in a file, from some place on; that place if it does not.
    fn word_at(&self, from: Span, word: &str) -> Span {
        let start = from.start as usize;
        let text = self
            .shelf
            .set
            .files
            .text(from.file)
            .get(start..)
            .unwrap_or_default();
        let letters = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        let alone = |at: &usize| {
            !text[at + word.len()..].starts_with(letters) && !text[..*at].ends_with(letters)
        };
        let found = text.match_indices(word).map(|(at, _)| at).find(alone);
        found.map_or(from, |at| {
            Span::new(from.file, start + at, start + at + word.len())
        })
    }

    /// A pack, those it builds on and those that build on it: whoever may name what it has.
    fn related(&self, pack: &'a Pack) -> impl Iterator<Item = &'a Pack> + use<'a> {
        let names = |one: &Pack, other: &Pack| {
            one.manifest
                .names()
                .any(|named| named.id == other.manifest.id)
        };
        let related = move |other: &&Pack| {
            names(other, pack) || names(pack, other) || other.root == pack.root
        };
        self.shelf.set.packs.iter().filter(related)
    }

    /// What a mode opens in which a pack is in force.
    fn opened_with(&self, pack: &Pack) -> Option<&'a Opened> {
        let has = |opened: &&Opened| {
            opened
                .rules
                .content
                .packs
                .iter()
                .any(|own| *own.id == *pack.manifest.id)
        };
        self.opened.iter().map(|(_, opened)| opened).find(has)
    }

    /// The files of a pack, without its tests.
    fn files(&self, pack: &Pack) -> Vec<FileId> {
        let files = &self.shelf.set.files;
        let (inside, tests) = (format!("{}/", pack.root), format!("{}/tests/", pack.root));
        let own = |id: &FileId| {
            files.name(*id).starts_with(&inside) && !files.name(*id).starts_with(&tests)
        };
        files.ids().filter(own).collect()
    }
}

/// A check of packs that can be read.
type Check = fn(&Subject, &mut Report);

/// The checks that look at each entry for itself, whatever else is wrong. A new one is a file and a line here.
const ALONE: &[Check] = &[
    repeated_word::check,
    event_loop::check,
    inconsistent_term::check,
    long_title::check,
    loose_number::check,
    missing_source::check,
    dead_hook::check,
    promise::check,
    unbacked_number::check,
    uneven_rows::check,
    unknown_cost::check,
    unknown_number::check,
];

/// Those that need the others: what could not be read is missing there, so that with errors they only guess.
const TOGETHER: &[Check] = &[unreachable_place::check, unused_entry::check];

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
    /// How often they were run.
    pub runs: usize,
    /// What the modes of the packs opened.
    opened: Vec<(Choice, Opened)>,
}

impl Checked {
    /// What each of the packs can do.
    #[must_use]
    pub fn capabilities(
        &self,
        shelf: &Shelf,
        wanted: impl Fn(Origin) -> bool,
    ) -> Vec<(String, Vec<capabilities::Capability>)> {
        let packs = shelf
            .set
            .packs
            .iter()
            .filter(|pack| wanted(pack.origin))
            .collect();
        capabilities::all(&Subject {
            shelf,
            packs,
            opened: &self.opened,
        })
    }
}

/// Checks the packs that are wanted; a fault in two modes is told once. Without an effort, nothing is run.
#[must_use]
pub fn check(shelf: &Shelf, effort: Option<Effort>, wanted: impl Fn(Origin) -> bool) -> Checked {
    let (mut report, opened) = loading::check(shelf, &wanted);
    let packs: Vec<&Pack> = shelf
        .set
        .packs
        .iter()
        .filter(|pack| wanted(pack.origin))
        .collect();
    let subject = Subject {
        shelf,
        packs,
        opened: &opened,
    };
    ALONE.iter().for_each(|check| check(&subject, &mut report));
    let sound = report.is_sound();
    let mut more = Report::new();
    TOGETHER.iter().for_each(|check| check(&subject, &mut more));
    // Scripts that cannot be read would only fail.
    let playable = !report
        .errors()
        .any(|fault| fault.severity == Severity::Crash);
    let ran = effort.is_some();
    let runs = match effort.filter(|_| playable) {
        Some(effort) => running::check(&subject, &effort, &mut more),
        None => 0,
    };
    if !sound {
        more.as_guesses();
    }
    let line = |fault: &Diagnostic| {
        (
            fault.label.span.file,
            shelf.set.files.line_col(fault.label.span).0,
        )
    };
    let known: BTreeSet<_> = report.iter().map(line).collect();
    // What was told already fails too, of course.
    more.retain(|fault| fault.code != "runtime-fault" || !known.contains(&line(fault)));
    report.extend(more);
    allow::settle(&subject, ran, &mut report);
    report.sort(&shelf.set.files);
    let scripts = opened
        .iter()
        .map(|(_, opened)| opened.rules.content.hooks.len())
        .max()
        .unwrap_or(0);
    let entries = subject.packs.iter().map(|pack| pack.entries().len()).sum();
    let packs = subject.packs.len();
    Checked {
        report,
        packs,
        entries,
        scripts,
        runs,
        opened,
    }
}
