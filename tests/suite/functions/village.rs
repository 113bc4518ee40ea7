//! The pack in which examples and scenes run, optionally with additional files.

use std::fs;

use kaer::cases::runner;
use kaer::check;
use kaer::diagnostic::{Confidence, render_short};
use kaer::library::{LintLevel, OpenedGame, PackLibrary, Reuse};
use kaer::pack::{GameChoice, PackSource};

const FOLDER: &str = "tests/packs/words";

/// The files of the pack.
pub struct Village {
    files: Vec<(String, String)>,
}

impl Village {
    pub fn read() -> Village {
        let paths = fs::read_dir(FOLDER)
            .unwrap()
            .map(|item| item.unwrap().path())
            .filter(|path| path.is_file());
        let name =
            |path: &std::path::Path| path.file_name().unwrap().to_string_lossy().into_owned();
        let mut files: Vec<_> = paths
            .map(|path| (name(&path), fs::read_to_string(&path).unwrap()))
            .collect();
        files.sort();
        Village { files }
    }

    /// The pack with additional files.
    pub fn with(&self, more: &[(&str, &str)]) -> ExtendedVillage {
        let own = self
            .files
            .iter()
            .map(|(name, text)| (name.as_str(), text.as_str()));
        let all: Vec<(&str, &str)> = own.chain(more.iter().copied()).collect();
        ExtendedVillage {
            files: all
                .iter()
                .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()))
                .collect(),
            library: load(&all),
        }
    }
}

/// The pack with additional files.
pub struct ExtendedVillage {
    files: Vec<(String, String)>,
    library: PackLibrary,
}

fn load(files: &[(&str, &str)]) -> PackLibrary {
    PackLibrary::load(vec![PackSource::texts("words", files)])
}

impl ExtendedVillage {
    /// The diagnostics of the files and the failures of the cases.
    pub fn run(&self, cases: &str) -> Vec<String> {
        let own = self
            .files
            .iter()
            .map(|(name, text)| (name.as_str(), text.as_str()));
        let library = load(
            &own.chain([("tests/example.toml", cases)])
                .collect::<Vec<_>>(),
        );
        let faults = library
            .report
            .iter()
            .map(|fault| render_short(&library.set.files, fault));
        let mut runner = runner::CaseRunner::new(&library);
        let outcomes = runner.file("words", &library.set.packs[0].tests[0], "");
        let failures = outcomes.into_iter().flat_map(|outcome| outcome.failures);
        faults.chain(failures).collect()
    }

    /// The diagnostics of a static check of the files.
    pub fn check(&self) -> Vec<String> {
        let mut report = check::check(&self.library, None, |_| true).report;
        report.retain(|fault| fault.confidence <= Confidence::Likely);
        report
            .iter()
            .map(|fault| render_short(&self.library.set.files, fault))
            .collect()
    }

    /// Opens the mode with a setup script.
    pub fn open(&self, setup: &str) -> OpenedGame {
        let choice = GameChoice {
            mode: "words:gardens".to_owned(),
            ..GameChoice::default()
        };
        let (opened, report) =
            self.library
                .open_reusing(&choice, Some(setup), Reuse::Nothing, LintLevel::Names);
        let faults: Vec<String> = report
            .iter()
            .map(|fault| render_short(&self.library.set.files, fault))
            .collect();
        assert!(report.has_no_errors(), "{}", faults.join("\n"));
        opened.unwrap()
    }
}
