//! The pack in which everything happens, perhaps with further files.

use std::fs;

use kaer::author::test;
use kaer::check;
use kaer::diagnostic::{Confidence, render_short};
use kaer::pack::{Choice, Source};
use kaer::shelf::{Care, Opened, Shelf};

const FOLDER: &str = "tests/packs/words";

/// The files of the pack.
pub struct Village {
    files: Vec<(String, String)>,
}

impl Village {
    pub fn read() -> Village {
        let paths = fs::read_dir(FOLDER).unwrap().map(|item| item.unwrap().path()).filter(|path| path.is_file());
        let name = |path: &std::path::Path| path.file_name().unwrap().to_string_lossy().into_owned();
        let mut files: Vec<_> = paths.map(|path| (name(&path), fs::read_to_string(&path).unwrap())).collect();
        files.sort();
        Village { files }
    }

    /// The pack with some files more.
    pub fn with(&self, more: &[(&str, &str)]) -> Grown {
        let own = self.files.iter().map(|(name, text)| (name.as_str(), text.as_str()));
        let all: Vec<(&str, &str)> = own.chain(more.iter().copied()).collect();
        Grown { shelf: Shelf::load(vec![Source::texts("words", &all)]) }
    }
}

/// The pack with some files more.
pub struct Grown {
    shelf: Shelf,
}

impl Grown {
    /// What is wrong with the files, and what cases say.
    pub fn run(&self, cases: &str) -> Vec<String> {
        let faults = self.shelf.report.iter().map(|fault| render_short(&self.shelf.set.files, fault));
        let outcomes = test::run_file(&self.shelf, "words", "example", cases, "");
        let failures = outcomes.into_iter().flat_map(|outcome| outcome.failures);
        faults.chain(failures).collect()
    }

    /// What a check says of the files, without running scripts.
    pub fn check(&self) -> Vec<String> {
        let mut report = check::check(&self.shelf, None, |_| true).report;
        report.retain(|fault| fault.confidence <= Confidence::Likely);
        report.iter().map(|fault| render_short(&self.shelf.set.files, fault)).collect()
    }

    /// The mode, ready to be played.
    pub fn open(&self, given: &str) -> Opened {
        let choice = Choice { mode: "words:gardens".to_owned(), ..Choice::default() };
        let (opened, report) = self.shelf.open_again(&choice, Some(given), None, Care::Names);
        let faults: Vec<String> = report.iter().map(|fault| render_short(&self.shelf.set.files, fault)).collect();
        assert!(report.is_sound(), "{}", faults.join("\n"));
        opened.unwrap()
    }
}
