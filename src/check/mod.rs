//! The checks behind `kaer check`, one file per check.
//!
//! Errors in loading and compiling are reported where packs are loaded and compiled; `loading`
//! collects them. The checks here inspect packs that could be read. Each check has a code with a
//! page in `docs/checks/`, whose examples are its tests.

mod allow;
mod allow_fix;
mod bad_event;
pub mod capabilities;
mod counter_bounds;
mod dead_hook;
mod dynamic;
mod event_loop;
pub mod fix;
mod inconsistent_term;
mod loading;
mod long_title;
mod loose_number;
pub mod matrix;
mod missing_source;
mod no_mode;
mod outlines;
pub mod pages;
mod panel_command;
mod promise;
mod repeated_word;
mod shared_name;
mod unbacked_number;
mod uneven_rows;
mod unfilled_text;
mod unknown_carry;
mod unknown_cost;
mod unknown_number;
mod unreachable_place;
mod unused_entry;
mod unused_field;
mod unused_flag;

use std::collections::BTreeSet;

pub use dynamic::Effort;
use outlines::Outlines;

use crate::diagnostic::{Diagnostic, FileId, Report, Severity, Span};
use crate::library::{OpenedGame, PackLibrary};
use crate::pack::{Entry, GameChoice, Origin, Pack};

/// The input of a check.
pub(crate) struct CheckSubject<'a> {
    /// All packs found, checked or not.
    library: &'a PackLibrary,
    /// The packs to check.
    packs: Vec<&'a Pack>,
    /// Their modes, as opened for play.
    opened: &'a [(GameChoice, OpenedGame)],
    /// The outlines of their scripts.
    outlines: Outlines,
}

impl<'a> CheckSubject<'a> {
    /// The entries of the packs to check.
    fn entries(&self) -> impl Iterator<Item = &'a Entry> {
        self.packs.iter().copied().flat_map(Pack::entries)
    }

    /// The checked pack that contains a source location.
    fn pack_of(&self, span: Span) -> Option<&'a Pack> {
        let file = self.library.set.files.name(span.file);
        let holds = |pack: &&&Pack| {
            file.strip_prefix(&*pack.root)
                .is_some_and(|rest| rest.starts_with('/'))
        };
        self.packs.iter().find(holds).copied()
    }

    /// Whether a source location is in one of the packs to check.
    fn owns(&self, span: Span) -> bool {
        self.pack_of(span).is_some()
    }

    /// Finds a whole word in a file, from `from` on; `from` itself if the word is not there.
    fn word_at(&self, from: Span, word: &str) -> Span {
        let start = from.start as usize;
        let text = self
            .library
            .set
            .files
            .text(from.file)
            .get(start..)
            .unwrap_or_default();
        let is_word_char = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        let is_whole_word = |at: &usize| {
            !text[at + word.len()..].starts_with(is_word_char)
                && !text[..*at].ends_with(is_word_char)
        };
        let found = text
            .match_indices(word)
            .map(|(at, _)| at)
            .find(is_whole_word);
        found.map_or(from, |at| {
            Span::new(from.file, start + at, start + at + word.len())
        })
    }

    /// A pack, the packs it depends on and the packs that depend on it: all packs that can name its
    /// entries.
    fn related(&self, pack: &'a Pack) -> impl Iterator<Item = &'a Pack> + use<'a> {
        let refers_to = |pack: &Pack, other: &Pack| {
            pack.manifest
                .all_dependencies()
                .any(|dependency| dependency.id == other.manifest.id)
        };
        let related = move |other: &&Pack| {
            refers_to(other, pack) || refers_to(pack, other) || other.root == pack.root
        };
        self.library.set.packs.iter().filter(related)
    }

    /// The first opened mode that includes a pack.
    fn opened_with(&self, pack: &Pack) -> Option<&'a OpenedGame> {
        let has = |opened: &&OpenedGame| {
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
        let files = &self.library.set.files;
        let (inside, tests) = (format!("{}/", pack.root), format!("{}/tests/", pack.root));
        let own = |id: &FileId| {
            files.name(*id).starts_with(&inside) && !files.name(*id).starts_with(&tests)
        };
        files.ids().filter(own).collect()
    }
}

type Check = fn(&CheckSubject, &mut Report);

/// Checks that inspect one entry at a time, even if other entries have errors. To add a check,
/// write a file and add a line here.
const PER_ENTRY: &[Check] = &[
    bad_event::check,
    repeated_word::check,
    shared_name::check,
    counter_bounds::check,
    event_loop::check,
    inconsistent_term::check,
    long_title::check,
    loose_number::check,
    missing_source::check,
    no_mode::check,
    panel_command::check,
    dead_hook::check,
    promise::check,
    unbacked_number::check,
    unfilled_text::check,
    uneven_rows::check,
    unknown_carry::check,
    unknown_cost::check,
    unknown_number::check,
    unused_field::check,
];

/// Checks that need all entries. After errors, entries may be missing, so the diagnostics of these
/// checks are downgraded to guesses.
const GLOBAL: &[Check] = &[
    unreachable_place::check,
    unused_entry::check,
    unused_flag::check,
];

/// The diagnostics of a check, and what was checked.
pub struct CheckReport {
    /// Diagnostics, sorted by source location.
    pub report: Report,
    /// Number of packs checked.
    pub packs: usize,
    /// Number of entries in them.
    pub entries: usize,
    /// Number of scripts of the checked packs.
    pub scripts: usize,
    /// Number of script runs.
    pub runs: usize,
    opened: Vec<(GameChoice, OpenedGame)>,
}

impl CheckReport {
    /// Lists what each pack is able to do, by pack id.
    #[must_use]
    pub fn capabilities(
        &self,
        library: &PackLibrary,
        wanted: impl Fn(Origin) -> bool,
    ) -> Vec<(String, Vec<capabilities::Capability>)> {
        let packs = library
            .set
            .packs
            .iter()
            .filter(|pack| wanted(pack.origin))
            .collect();
        capabilities::all(&CheckSubject {
            library,
            packs,
            opened: &self.opened,
            outlines: Outlines::default(),
        })
    }
}

/// Checks the selected packs with no others added; see [`check_with`].
#[must_use]
pub fn check(
    library: &PackLibrary,
    effort: Option<Effort>,
    wanted: impl Fn(Origin) -> bool,
) -> CheckReport {
    check_with(library, effort, wanted, &[])
}

/// Checks the selected packs, each alone and all in one game. The packs `with` are added to every
/// game. A problem that occurs in several modes is reported once. Without `effort`, no scripts run.
#[must_use]
pub fn check_with(
    library: &PackLibrary,
    effort: Option<Effort>,
    wanted: impl Fn(Origin) -> bool,
    with: &[String],
) -> CheckReport {
    let (mut report, opened) = loading::check(library, &wanted, with);
    let packs: Vec<&Pack> = library
        .set
        .packs
        .iter()
        .filter(|pack| wanted(pack.origin))
        .collect();
    let subject = CheckSubject {
        library,
        packs,
        opened: &opened,
        outlines: Outlines::default(),
    };
    PER_ENTRY
        .iter()
        .for_each(|check| check(&subject, &mut report));
    downgrade_consequences(&subject, &mut report);
    let valid = report.has_no_errors();
    let mut more = Report::new();
    GLOBAL.iter().for_each(|check| check(&subject, &mut more));
    // Scripts of packs that cannot be played would only fail.
    let playable = !report
        .errors()
        .any(|fault| fault.severity == Severity::Fatal);
    let ran = effort.is_some();
    let runs = match effort.filter(|_| playable) {
        Some(effort) => dynamic::check(&subject, &effort, &mut more),
        None => 0,
    };
    if !valid {
        more.downgrade_to_guesses();
    }
    let line = |fault: &Diagnostic| {
        (
            fault.label.span.file,
            library.set.files.line_col(fault.label.span).0,
        )
    };
    let reported: BTreeSet<_> = report.iter().map(line).collect();
    // If a script has a static diagnostic on the same line, that is the cause of the fault.
    more.retain(|fault| fault.code != "runtime-fault" || !reported.contains(&line(fault)));
    report.extend(more);
    allow::apply(&subject, ran, &mut report);
    report.sort(&library.set.files);
    let scripts = count_scripts(&subject);
    let entries = subject.packs.iter().map(|pack| pack.entries().len()).sum();
    let packs = subject.packs.len();
    CheckReport {
        report,
        packs,
        entries,
        scripts,
        runs,
        opened,
    }
}

/// An entry with an error, such as a zone with an unknown owner, is missing elsewhere. What is
/// reported there becomes a guess.
fn downgrade_consequences(subject: &CheckSubject, report: &mut Report) {
    let block = |fault: &Diagnostic| {
        let at = fault.label.span;
        let before = |entry: &&Entry| entry.span.file == at.file && entry.span.start <= at.start;
        let entries = subject.entries().filter(before);
        let last = entries.max_by_key(|entry| entry.span.start)?;
        matches!(last.kind.as_str(), "counter" | "zone" | "flag").then(|| format!("`{}`", last.id))
    };
    let declares = |fault: &&Diagnostic| matches!(fault.code, "unknown-value" | "wrong-type");
    let missing: BTreeSet<String> = report.errors().filter(declares).filter_map(block).collect();
    // Blocks with an unknown header are not read, so what they declare seems to be unknown.
    let has_unread = report.errors().any(|fault| fault.code == "unknown-kind");
    report.downgrade_to_guesses_if(|fault| {
        has_unread && matches!(fault.code, "unknown-property" | "unknown-variable")
            || fault.code == "unknown-property"
                && missing.iter().any(|id| fault.message.contains(id))
    });
}

/// The number of scripts of the checked packs, in any mode.
fn count_scripts(subject: &CheckSubject) -> usize {
    let is_checked = |id: &str| subject.packs.iter().any(|pack| pack.manifest.id == id);
    let mut places = BTreeSet::new();
    for (_, opened) in subject.opened {
        let content = &opened.rules.content;
        let own = content
            .hooks
            .iter()
            .filter(|hook| is_checked(&content.packs[usize::from(hook.script.by)].id));
        places.extend(own.map(|hook| (hook.script.span.file, hook.script.span.start)));
    }
    places.len()
}
