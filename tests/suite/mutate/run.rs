//! Mutates a pack many times, checks each result, and counts what was found.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use kaer::check;
use kaer::diagnostic::{Confidence, Report, render_short};
use kaer::library::PackLibrary;
use kaer::pack::PackSource;

use super::book::Book;
use super::kinds::{self, Kind};
use super::mutation::Mutation;
use super::rng::Rng;

/// The folder of the pack, as the check shows it.
const ROOT: &str = "old-world";
/// How often a kind may fail to find a place before it is dropped.
const MAX_TRIES: usize = 60;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// A diagnostic points to a correct line.
    There,
    /// There is a diagnostic, but it points elsewhere.
    Elsewhere,
    Missed,
}

impl Found {
    pub fn word(self) -> &'static str {
        match self {
            Self::There => "there",
            Self::Elsewhere => "elsewhere",
            Self::Missed => "missed",
        }
    }
}

pub struct Outcome {
    pub kind: &'static str,
    pub found: Found,
    /// A description of the mutation and the diagnostics.
    pub description: String,
}

/// Checks the mutated files of a pack in memory.
fn checked(book: &Book, broken: &Mutation, effort: &check::Effort) -> (PackLibrary, Report) {
    let text = |ix: usize| {
        if broken.file == ix {
            broken.text.as_str()
        } else {
            book.text(ix)
        }
    };
    let files: Vec<(&str, &str)> = book
        .files
        .iter()
        .enumerate()
        .map(|(ix, file)| (file.name.as_str(), text(ix)))
        .collect();
    let library = PackLibrary::load(vec![PackSource::texts(ROOT, &files)]);
    let mut report = check::check(&library, Some(effort.clone()), |_| true).report;
    // Guesses are hidden by default.
    report.retain(|fault| fault.confidence <= Confidence::Likely);
    (library, report)
}

/// Makes `count` different mutations, taking the kinds in turn in random order.
pub fn mutations(book: &Book, seed: u64, count: usize) -> Vec<(Kind, Mutation)> {
    let mut rng = Rng::new(seed);
    let mut all = kinds::all();
    let (mut list, mut made) = (Vec::new(), BTreeSet::new());
    while list.len() < count && !all.is_empty() {
        rng.shuffle(&mut all);
        let mut exhausted = BTreeSet::new();
        for kind in all.iter().take(count - list.len()) {
            let fresh = (0..MAX_TRIES).find_map(|_| {
                let mutation = (kind.make)(book, &mut rng)?;
                let changed = mutation.text != book.text(mutation.file);
                (changed && made.insert((mutation.file, mutation.text.clone()))).then_some(mutation)
            });
            match fresh {
                Some(mutation) => list.push((*kind, mutation)),
                None => drop(exhausted.insert(kind.name)),
            }
        }
        all.retain(|kind| !exhausted.contains(kind.name));
    }
    list
}

/// Makes `count` mutations and returns the outcome of each.
pub fn run(book: &Book, seed: u64, count: usize, effort: &check::Effort) -> Vec<Outcome> {
    let all = mutations(book, seed, count);
    let half = all.len().div_ceil(2);
    // On two threads; the order stays the same.
    std::thread::scope(|scope| {
        let check_all = |some: &'_ [(Kind, Mutation)]| -> Vec<Outcome> {
            some.iter()
                .map(|(kind, mutation)| outcome(book, kind, mutation, effort))
                .collect()
        };
        let (first, rest) = all.split_at(half);
        let first = scope.spawn(move || check_all(first));
        let rest = check_all(rest);
        let mut outcomes = first.join().expect("checking does not panic");
        outcomes.extend(rest);
        outcomes
    })
}

fn outcome(book: &Book, kind: &Kind, mutation: &Mutation, effort: &check::Effort) -> Outcome {
    let (library, report) = checked(book, mutation, effort);
    let files = &library.set.files;
    let labels = report
        .iter()
        .flat_map(|fault| fault.also.iter().chain([&fault.label]));
    let right = labels
        .map(|label| (files.name(label.span.file), files.line_col(label.span).0))
        .any(|(name, line)| {
            let fits = |(file, right): &(usize, usize)| {
                name.strip_prefix(ROOT)
                    .is_some_and(|name| name.trim_start_matches('/') == book.files[*file].name)
                    && usize::try_from(line).is_ok_and(|line| line == *right)
            };
            mutation.at.iter().any(fits)
        });
    let found = match (right, report.is_empty()) {
        (true, _) => Found::There,
        (false, false) => Found::Elsewhere,
        (false, true) => Found::Missed,
    };
    let (file, line) = mutation.at[0];
    let mut description = format!(
        "{}: {}:{line}: {}",
        kind.name, book.files[file].name, mutation.what
    );
    for fault in report.iter().take(3) {
        let _ = write!(
            description,
            "\n      reported {}",
            render_short(files, fault).lines().next().unwrap_or("")
        );
    }
    Outcome {
        kind: kind.name,
        found,
        description,
    }
}

/// The percentage that was found at a correct place.
pub fn share(outcomes: &[Outcome]) -> usize {
    let there = outcomes
        .iter()
        .filter(|outcome| outcome.found == Found::There)
        .count();
    there * 100 / outcomes.len().max(1)
}

/// The table by kind, in Markdown.
pub fn table(outcomes: &[Outcome]) -> String {
    let mut text = String::from(
        "| what was broken | | made | found there | elsewhere | missed |\n| --- | --- | ---: | ---: | ---: | ---: |\n",
    );
    let count = |kind: Option<&str>, found: Option<Found>| {
        let fits = |outcome: &&Outcome| {
            kind.is_none_or(|kind| kind == outcome.kind)
                && found.is_none_or(|found| found == outcome.found)
        };
        outcomes.iter().filter(fits).count()
    };
    let row = |name: &str, about: &str, kind: Option<&str>| {
        let columns = [
            None,
            Some(Found::There),
            Some(Found::Elsewhere),
            Some(Found::Missed),
        ];
        let counts = columns
            .map(|found| count(kind, found).to_string())
            .join(" | ");
        format!("| {name} | {about} | {counts} |\n")
    };
    for kind in kinds::all()
        .iter()
        .filter(|kind| count(Some(kind.name), None) > 0)
    {
        text += &row(kind.name, kind.text, Some(kind.name));
    }
    text += &row("**all**", "", None);
    text
}

/// What was missed or found elsewhere, one per line.
pub fn list(outcomes: &[Outcome]) -> String {
    let mut text = String::new();
    for found in [Found::Missed, Found::Elsewhere] {
        for outcome in outcomes.iter().filter(|outcome| outcome.found == found) {
            let _ = writeln!(text, "  {}: {}", found.word(), outcome.description);
        }
    }
    text
}
