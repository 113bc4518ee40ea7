//! Checks the cases of packs without playing them: fields, names and keys.

use std::collections::BTreeSet;

use super::case::Case;
use super::failures::{CaseFailure, CaseFailures};
use super::keys::KeyWords;
use super::run::{OpenedGames, PreparedCase, choice};
use super::{inspect, parse, setup};
use crate::content::Content;
use crate::diagnostic::{Diagnostic, Report, Span, find_misspelling};
use crate::library::PackLibrary;
use crate::pack::{GameChoice, Origin, Pack, TestFile};

/// Reports what is wrong with the cases of the selected packs. Names are only checked if the packs
/// have no errors. Cases with files of their own are only parsed, because names may come from these
/// files.
#[must_use]
pub fn check(library: &PackLibrary, wanted: impl Fn(Origin) -> bool) -> Report {
    let mut report = Report::new();
    let packs = (0u16..).zip(&library.set.packs);
    for (number, pack) in packs.filter(|(_, pack)| wanted(pack.origin)) {
        let names = !library.has_errors(&[number]);
        let own = library.with_test_functions(&pack.manifest.id);
        let library = own.as_ref().unwrap_or(library);
        let mut checker = NameChecker::default();
        for file in &pack.tests {
            let mut seen = BTreeSet::new();
            let found = failures(library, pack, file, names.then_some(&mut checker));
            for diagnostic in found.into_iter().filter_map(diagnostic) {
                // The rows of a case mostly have the same problems.
                if seen.insert((diagnostic.label.span.start, diagnostic.message.clone())) {
                    report.push(diagnostic);
                }
            }
        }
    }
    report.sort(&library.set.files);
    report
}

fn failures(
    library: &PackLibrary,
    pack: &Pack,
    file: &TestFile,
    mut checker: Option<&mut NameChecker>,
) -> Vec<CaseFailure> {
    let cases = match parse::cases(&library.set.files, file.file) {
        Ok(cases) => cases,
        Err(failures) => return failures,
    };
    let mut all = Vec::new();
    for read in cases {
        match (read.case, &mut checker) {
            (Err(failures), _) => all.extend(failures),
            (Ok(case), Some(checker)) if case.setup.files.is_empty() && case.is_played() => {
                all.extend(checker.names(library, pack, *case));
            }
            _ => {}
        }
    }
    all
}

/// Whether a case needs a pack that was not found, and that is not the misspelt name of another one: only
/// `kaer test` needs it.
fn needs_absent_pack(library: &PackLibrary, case: &Case) -> bool {
    let packs = || library.set.packs.iter().map(|pack| &*pack.manifest.id);
    let is_absent =
        |id: &str| library.set.pack(id).is_none() && find_misspelling(id, packs()).is_none();
    case.with.iter().any(|pack| is_absent(&pack.value))
}

/// What was computed for earlier cases.
#[derive(Default)]
struct NameChecker {
    open: OpenedGames,
    /// The words of the last game.
    words: Option<(GameChoice, KeyWords)>,
    /// The scripts that were compiled, by game.
    compiled: Vec<(GameChoice, String)>,
}

impl NameChecker {
    /// The names in a case that do not exist.
    fn names(&mut self, library: &PackLibrary, pack: &Pack, mut case: Case) -> Vec<CaseFailure> {
        let files = &library.set.files;
        let mut failures = CaseFailures::new(files);
        let id = &pack.manifest.id;
        if needs_absent_pack(library, &case) {
            return failures.list;
        }
        let game = match choice(library, id, &case) {
            Ok(game) => game,
            Err(reason) => {
                failures.at(case.name.at, reason);
                return failures.list;
            }
        };
        self.forget_compiled(&game, &mut case);
        let prepared = PreparedCase::prepare(library, id, &case, &mut self.open, &mut failures);
        let Some(prepared) = prepared else {
            return failures.list;
        };
        let content = prepared.content();
        let words = match self.words.take() {
            Some((own, words)) if own == game => words,
            _ => KeyWords::new(content, files),
        };
        option_keys(content, &words, &case, &mut failures);
        let (pack, seats) = prepared.pack_and_seats();
        for (path, _) in &case.expect.state {
            let qualified = setup::qualified_path(content, pack, path);
            let is_mark = |name: &str| words.contains(name);
            if let Some(reason) = inspect::unknown(content, seats, &qualified, is_mark) {
                failures.at(path.at, reason);
            }
        }
        self.words = Some((game, words));
        failures.list
    }

    /// Leaves out the scripts of a setup that were compiled before: many cases have the same.
    fn forget_compiled(&mut self, game: &GameChoice, case: &mut Case) {
        let scripts = case.setup.before.iter().chain(&case.setup.run);
        let text: Vec<&str> = scripts.map(|script| script.value.as_str()).collect();
        let key = (game.clone(), text.join("\n"));
        if self.compiled.contains(&key) {
            case.setup.before.clear();
            case.setup.run.clear();
        } else {
            self.compiled.push(key);
        }
    }
}

/// Reports keys that no option can have.
fn option_keys(content: &Content, words: &KeyWords, case: &Case, failures: &mut CaseFailures) {
    // A move that is refused may be wrong on purpose.
    let refused = usize::from(case.expect.refused.is_some());
    let played = case.moves.len().saturating_sub(refused);
    let moves = case.moves.iter().take(played).flat_map(|line| {
        let keys = line
            .rsplit_once('>')
            .map_or(line.as_str(), |(_, keys)| keys);
        keys.split_whitespace().map(|key| (line.at, key))
    });
    let expect = &case.expect;
    let listed = expect.options.iter().flat_map(|list| {
        let keys = list.iter().map(String::as_str);
        keys.map(|key| (list.at, key))
    });
    let named = expect.open.iter().chain(&expect.hidden);
    let closed = expect.closed.iter().map(|(key, _)| key);
    let single = named.chain(closed).map(|key| (key.at, key.value.as_str()));
    let all: Vec<(Span, &str)> = moves.chain(listed).chain(single).collect();
    for (at, key) in all {
        // A script can put keys together in ways that nothing but playing finds out.
        let reason = words.unknown(content, key);
        if let Some(reason) = reason.filter(|reason| reason.contains("did you mean")) {
            failures.at(at, reason);
        }
    }
}

/// A failure as a diagnostic: what follows the first semicolon is the help.
fn diagnostic(failure: CaseFailure) -> Option<Diagnostic> {
    let (span, text) = match failure {
        CaseFailure::Diagnostic(diagnostic) => return Some(*diagnostic),
        CaseFailure::At(span, text) => (span, text),
        CaseFailure::Text(_) => return None,
    };
    let (message, help) = match text.split_once("; ") {
        Some((message, help)) => (message.to_owned(), Some(help.to_owned())),
        None => (text, None),
    };
    let diagnostic = Diagnostic::error(span, "bad-case", message)
        .label("in this case")
        .maybe_help(help);
    Some(diagnostic.build())
}
