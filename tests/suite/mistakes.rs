//! Mistakes that beginners make. To add one, add a block to a file in `tests/mistakes/`.
//!
//! Each mistake changes one file of the pack in `tests/mistakes/base/`. The first diagnostic must be
//! in the right line, and its help must say what to write instead.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use kaer::cases::runner::CaseRunner;
use kaer::check;
use kaer::diagnostic::{Confidence, Diagnostic, RenderStyle, render};
use kaer::library::PackLibrary;
use kaer::pack::{Origin, PackSource};
use libtest_mimic::Trial;
use serde::Deserialize;

use crate::support::{dir_entries, stem, toml_files, trial, trials};

const FOLDER: &str = "tests/mistakes";

/// More diagnostics than this confuse the author of one mistake.
const MAX_DIAGNOSTICS: usize = 3;

/// A trial for each mistake, and others.
pub fn trials() -> Vec<Trial> {
    let mut trials = trials![
        the_base_pack_has_no_mistakes,
        there_are_enough_mistakes_and_remedies,
    ];
    for (group, mistakes) in groups() {
        trials.extend(mistakes.into_iter().map(|mistake| {
            let name = format!("{group}::{}", mistake.name.replace(' ', "_"));
            trial(module_path!(), &name, move || mistake.assert_found())
        }));
    }
    trials
}

/// A file of mistakes.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    /// The file that is changed, unless a mistake names another.
    file: String,
    /// Whether the test cases of the pack are run.
    #[serde(default)]
    test: bool,
    mistake: Vec<Mistake>,
}

/// A change to the base pack, and what is reported.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Mistake {
    name: String,
    /// The file that is changed, or added.
    file: Option<String>,
    /// A text that occurs once in the file.
    replace: Option<String>,
    /// The text to put in its place.
    with: Option<String>,
    /// A text to add at the end of the file.
    add: Option<String>,
    /// The new name of the file.
    rename: Option<String>,
    /// Whether the file is saved in another encoding than UTF-8.
    #[serde(default)]
    latin1: bool,
    /// Whether nothing is wrong after all.
    #[serde(default)]
    sound: bool,
    /// Whether the test cases of the pack are run.
    test: Option<bool>,
    /// The file of the first diagnostic, if it is not the one that is changed.
    r#in: Option<String>,
    /// A text in the line of the first diagnostic; by default, the first line that is put in. It is
    /// empty for a diagnostic about a whole file.
    at: Option<String>,
    /// Which of the lines with that text, counted from 1.
    nth: Option<usize>,
    code: Option<String>,
    /// A part of the help; missing if only the author can know what to write.
    help: Option<String>,
}

/// What is reported at one place.
struct Finding {
    file: String,
    line: usize,
    code: Option<&'static str>,
    help: String,
    shown: String,
}

fn groups() -> BTreeMap<String, Vec<Mistake>> {
    let read = |path: &Path| {
        let text = fs::read_to_string(path).unwrap();
        let group: Group =
            toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let with_defaults = |mistake: Mistake| Mistake {
            file: mistake.file.or_else(|| Some(group.file.clone())),
            test: mistake.test.or(Some(group.test)),
            ..mistake
        };
        (
            stem(path),
            group.mistake.into_iter().map(with_defaults).collect(),
        )
    };
    toml_files(Path::new(FOLDER))
        .iter()
        .map(|path| read(path))
        .collect()
}

fn base() -> BTreeMap<String, Vec<u8>> {
    let root = Path::new(FOLDER).join("base");
    let mut files = BTreeMap::new();
    for folder in [root.clone(), root.join("tests")] {
        for path in dir_entries(&folder)
            .into_iter()
            .filter(|path| path.is_file())
        {
            let name = path.strip_prefix(&root).unwrap().to_str().unwrap();
            files.insert(name.replace('\\', "/"), fs::read(&path).unwrap());
        }
    }
    files
}

fn the_base_pack_has_no_mistakes() {
    let (found, _) = findings(base(), true);
    assert!(found.is_empty(), "{}", shown(&found));
}

fn there_are_enough_mistakes_and_remedies() {
    let groups = groups();
    for (group, mistakes) in &groups {
        assert!(mistakes.len() >= 8, "{group} has fewer than 8 mistakes");
    }
    let wrong: Vec<&Mistake> = groups.values().flatten().filter(|own| !own.sound).collect();
    let with_remedy = wrong.iter().filter(|own| own.help.is_some()).count();
    assert!(wrong.len() >= 100, "{} mistakes", wrong.len());
    assert!(
        with_remedy * 10 >= wrong.len() * 9,
        "{with_remedy} of {} mistakes have a remedy",
        wrong.len()
    );
}

/// What `kaer check` reports about a pack and, if `test` is set, `kaer test`.
fn findings(files: BTreeMap<String, Vec<u8>>, test: bool) -> (Vec<Finding>, PackLibrary) {
    let source = PackSource::Files {
        name: "fair".into(),
        origin: Origin::CommandLine,
        files: files
            .into_iter()
            .map(|(path, bytes)| (path.into(), bytes.into()))
            .collect(),
    };
    let library = PackLibrary::load(vec![source]);
    let mut report = check::check(&library, Some(check::Effort::default()), |_| true).report;
    report.extend(kaer::cases::check(&library, |_| true));
    let certain = |fault: &&Diagnostic| fault.confidence <= Confidence::Likely;
    let mut found: Vec<Finding> = report
        .iter()
        .filter(certain)
        .map(|fault| finding(&library, fault))
        .collect();
    if test && found.is_empty() {
        let mut runner = CaseRunner::new(&library);
        for file in &library.set.packs[0].tests {
            let results = runner.file("fair", file, "");
            found.extend(
                results
                    .iter()
                    .flat_map(|result| &result.failures)
                    .map(|failure| failed_case(failure)),
            );
        }
    }
    (found, library)
}

fn finding(library: &PackLibrary, fault: &Diagnostic) -> Finding {
    let files = &library.set.files;
    let span = fault.label.span;
    let name = files.name(span.file);
    Finding {
        file: name.strip_prefix("fair/").unwrap_or(name).to_owned(),
        line: files.line_col(span).0 as usize,
        code: Some(fault.code),
        help: fault.help.clone().unwrap_or_default(),
        shown: render(files, fault, RenderStyle::default()),
    }
}

/// A failure begins with `path:line:`, or is a rendered diagnostic.
fn failed_case(text: &str) -> Finding {
    let place = text.split("fair/").nth(1).unwrap_or_default();
    let mut parts = place.split([':', ']']);
    Finding {
        file: parts.next().unwrap_or_default().to_owned(),
        line: parts
            .next()
            .and_then(|line| line.trim().parse().ok())
            .unwrap_or_default(),
        code: None,
        help: text.to_owned(),
        shown: text.to_owned(),
    }
}

fn shown(found: &[Finding]) -> String {
    let mut text = String::new();
    for one in found {
        let _ = writeln!(text, "{}:{}\n{}", one.file, one.line, one.shown);
    }
    text
}

impl Mistake {
    fn changed_file(&self) -> &str {
        self.file.as_deref().unwrap_or_default()
    }

    /// The files of the pack with this mistake.
    fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let mut files = base();
        let name = self.changed_file().to_owned();
        let bytes = files.remove(&name).unwrap_or_default();
        let mut text = String::from_utf8(bytes).unwrap();
        if let Some(old) = &self.replace {
            let count = text.matches(old.as_str()).count();
            assert_eq!(count, 1, "`{old}` occurs {count} times in {name}");
            text = text.replacen(old, self.with.as_deref().unwrap_or_default(), 1);
        }
        text += self.add.as_deref().unwrap_or_default();
        let bytes = if self.latin1 {
            text.chars().map(|c| u8::try_from(c).unwrap()).collect()
        } else {
            text.into_bytes()
        };
        files.insert(self.rename.clone().unwrap_or(name), bytes);
        files
    }

    /// The number of the line in which the first diagnostic must be.
    fn line(&self, files: &BTreeMap<String, Vec<u8>>) -> usize {
        let put_in = self.with.as_ref().or(self.add.as_ref());
        let first = put_in.and_then(|text| text.lines().next());
        let wanted = match &self.at {
            Some(at) if at.is_empty() => return 1,
            Some(at) => at.as_str(),
            None => first.unwrap_or_default(),
        };
        let text =
            String::from_utf8_lossy(&files[self.r#in.as_deref().unwrap_or(self.changed_file())])
                .into_owned();
        let lines = text
            .lines()
            .zip(1..)
            .filter(|(line, _)| line.contains(wanted));
        let mut numbers = lines.map(|(_, number)| number);
        numbers
            .nth(self.nth.unwrap_or(1) - 1)
            .unwrap_or_else(|| panic!("no line contains `{wanted}`"))
    }

    fn assert_found(&self) {
        let files = self.files();
        let line = if self.sound { 0 } else { self.line(&files) };
        let (found, _) = findings(files, self.test.unwrap_or_default());
        let all = shown(&found);
        if self.sound {
            assert!(
                found.is_empty(),
                "reported, although nothing is wrong:\n{all}"
            );
            return;
        }
        let Some(first) = found.first() else {
            panic!("not found");
        };
        let file = self.r#in.as_deref().or(self.rename.as_deref());
        let place = (file.unwrap_or(self.changed_file()), line);
        assert!(
            (first.file.as_str(), first.line) == place,
            "reported elsewhere, not at {}:{}:\n{all}",
            place.0,
            place.1
        );
        assert!(
            found.len() <= MAX_DIAGNOSTICS,
            "{} diagnostics for one mistake:\n{all}",
            found.len()
        );
        if let (Some(code), Some(wanted)) = (first.code, &self.code) {
            assert_eq!(code, wanted, "another code:\n{all}");
        }
        if let Some(help) = &self.help {
            assert!(
                first.help.contains(help.as_str()),
                "the remedy does not contain `{help}`:\n{all}"
            );
        }
    }
}
