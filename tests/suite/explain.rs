//! The pages that explain the codes of `kaer check`: every code has a page, and its examples behave
//! as described.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use kaer::check::{self, fix, pages};
use kaer::diagnostic::{Severity, render_short};
use kaer::library::PackLibrary;
use kaer::pack::{Origin, PackSource, is_toml};
use libtest_mimic::Trial;

use crate::support::{trial, trials};

/// Codes that a short example cannot show.
const WITHOUT_EXAMPLE: &[&str] = &[
    "file-too-large",
    "not-text",
    "outside-pack",
    "too-many-entries",
    "too-many-files",
];

/// Hyphenated words in the sources that are not codes.
const NOT_CODES: &[&str] = &[
    "read-only",
    "grey-owl",
    "owls-nest",
    "play-long",
    "snap-new",
];

/// Codes whose example can be fixed completely.
const FIXABLE: &[&str] = &[
    "patch-unknown-field",
    "unknown-cost",
    "unknown-counter",
    "unknown-entry",
    "unknown-field",
    "unknown-kind",
    "unknown-link",
    "unknown-property",
    "unknown-zone",
    "unused-allow",
];

/// A trial for each page, and others.
pub fn trials() -> Vec<Trial> {
    let mut trials = trials![
        built_in_packs_are_not_fixed,
        easily_missed_errors_are_found,
        self_hooks_need_an_event_with_a_piece,
        every_code_has_a_page,
    ];
    trials.extend(
        pages::all().map(|(code, _)| trial(module_path!(), code, move || page_is_correct(code))),
    );
    trials
}

fn preamble() -> Vec<(String, String)> {
    files_of(&fs::read_to_string("docs/checks/README.md").unwrap())
}

/// The example under Wrong is reported with the severity that the page states and, for some codes,
/// fixed; the example under Right is clean.
fn page_is_correct(code: &'static str) {
    let preamble = preamble();
    let page = pages::page(code).unwrap();
    assert!(
        page.starts_with(&format!("# {code}\n")),
        "the page does not begin with its code"
    );
    let parts = page
        .split_once("\n## Wrong\n")
        .and_then(|(_, rest)| rest.split_once("\n## Right\n"));
    let (before, after) = parts.expect("the page shows Wrong and Right");
    if !WITHOUT_EXAMPLE.contains(&code) {
        let (codes, all) = diagnostics_of(&preamble, before);
        let Some(severity) = codes.get(code) else {
            panic!("the wrong example is not reported, but {all:?}");
        };
        let phrase = match severity {
            Severity::Fatal => "This is a fatal error",
            Severity::Error => "This is an error",
            Severity::Warning => "This is a warning",
            Severity::Style => "This is a style diagnostic",
        };
        let words: Vec<&str> = page.split_whitespace().collect();
        assert!(
            words.join(" ").contains(phrase),
            "the page does not say: {phrase}"
        );
        let (_, all) = diagnostics_of(&preamble, after);
        assert!(all.is_empty(), "the right example is not clean: {all:?}");
    }
    let fixed = is_fixed(code, &preamble, before);
    assert!(
        fixed || !FIXABLE.contains(&code),
        "the example is not fixed"
    );
}

/// Whether the fixes resolve an example completely. They must keep every file readable, and a
/// second run must change nothing.
fn is_fixed(code: &str, preamble: &[(String, String)], example: &str) -> bool {
    let (plan, sources) = fix::plan(sources(preamble, example), |_| true, |_| true);
    for file in plan
        .files
        .iter()
        .filter(|file| file.name.ends_with(".toml"))
    {
        assert!(
            is_toml(&file.new),
            "{} is not valid TOML:\n{}",
            file.name,
            file.new
        );
    }
    let (second, after) = fix::plan(sources.clone(), |_| true, |_| true);
    assert_eq!(
        (second.files, second.edits),
        (Vec::new(), 0),
        "a second run changes something"
    );
    assert_eq!(format!("{after:?}"), format!("{sources:?}"));
    let left = check::check(&PackLibrary::load(after), None, |_| true).report;
    !plan.files.is_empty() && !left.iter().any(|fault| fault.code == code)
}

fn built_in_packs_are_not_fixed() {
    let preamble = preamble();
    let mut sources = sources(
        &preamble,
        "```toml more.toml\n[[counter]]\nid = \"beer\"\nstrat = 1\n```\n",
    );
    for source in &mut sources {
        if let PackSource::Files { origin, .. } = source {
            *origin = Origin::Embedded;
        }
    }
    let (plan, _) = fix::plan(sources, |_| true, |_| true);
    assert_eq!((plan.files.len(), plan.edits), (0, 0));
    assert!(
        plan.notes
            .iter()
            .any(|note| note.contains("inn/more.toml is built into the program")),
        "{:?}",
        plan.notes
    );
}

/// Scripts with an error that is easily missed, each with its code, and some without an error.
const EASILY_MISSED: &[(&str, &str)] = &[
    (
        "if actor.cions == 2 { say(\"Rich.\"); }",
        "unknown-property",
    ),
    ("actor.hnad = 2;", "unknown-property"),
    (
        "let row = #{ hnad: 1 }; row.total = 3; actor.coins += row.total;",
        "",
    ),
    ("end_game(#{ score: \"cions\" });", "unknown-counter"),
    (
        "end_game(#{ winners: [actor], score: \"cions\" });",
        "unknown-counter",
    ),
    (
        "if option(\"wintre\") { say(\"Cold.\"); }",
        "unknown-option",
    ),
    ("say(\"One.\", \"Two.\");", "wrong-arguments"),
    ("actor.coins += 1; say(`${actor} has ${actor.coins}.`);", ""),
];

fn easily_missed_errors_are_found() {
    let preamble = preamble();
    for (script, code) in EASILY_MISSED {
        let action = "[[action]]\nid = \"toast\"\ntitle = \"Toast\"\nwindow = \"day\"";
        let (codes, all) = diagnostics_of(
            &preamble,
            &format!("```toml deeds.toml\n{action}\ndo = '{script}'\n```\n"),
        );
        let wanted: BTreeSet<&str> = [*code]
            .into_iter()
            .filter(|code| !code.is_empty())
            .collect();
        let found: BTreeSet<&str> = codes.into_keys().collect();
        assert_eq!(found, wanted, "{script}: {all:?}");
    }
}

/// Events without a piece, such as the end of a round, never run the `self_` hooks of a piece.
fn self_hooks_need_an_event_with_a_piece() {
    let preamble = preamble();
    for (event, code) in [
        ("round_end", "dead-hook"),
        ("after_fall", "dead-hook"),
        ("after_move", ""),
    ] {
        let card = "[[card]]\nid = \"last-mug\"\ntitle = \"Last Mug\"";
        let (codes, all) = diagnostics_of(
            &preamble,
            &format!("```toml more.toml\n{card}\non.self_{event} = 'say(\"Empty.\");'\n```\n"),
        );
        assert_eq!(
            codes.contains_key("dead-hook"),
            !code.is_empty(),
            "{event}: {all:?}"
        );
    }
}

fn every_code_has_a_page() {
    let known: BTreeSet<&str> = pages::all().map(|(code, _)| code).collect();
    let mut used = BTreeSet::new();
    for module in ["pack", "content", "script", "check", "cases"] {
        for file in rust_files(&Path::new("src").join(module)) {
            let text = fs::read_to_string(file).unwrap();
            // The ids in examples of the script reference are not codes.
            let code = text
                .lines()
                .filter(|line| !line.trim_start().starts_with("///"));
            let text: String = code.map(|line| format!("{line}\n")).collect();
            // Treat every quotation mark as the start of a string: what is between two strings is
            // never a code.
            let after = text
                .match_indices('"')
                .filter_map(|(at, _)| text[at + 1..].split('"').next());
            used.extend(after.filter(|word| is_code(word)).map(str::to_owned));
        }
    }
    used.retain(|code| !NOT_CODES.contains(&code.as_str()));
    let without: Vec<&String> = used
        .iter()
        .filter(|code| !known.contains(code.as_str()))
        .collect();
    assert!(without.is_empty(), "no page in docs/checks: {without:?}");
    let unused: Vec<&&str> = known.iter().filter(|code| !used.contains(**code)).collect();
    assert!(
        unused.is_empty(),
        "pages for codes that nothing reports: {unused:?}"
    );
}

fn is_code(word: &str) -> bool {
    word.contains('-')
        && word
            .split('-')
            .all(|part| !part.is_empty() && part.chars().all(|c| c.is_ascii_lowercase()))
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in fs::read_dir(folder)
        .unwrap()
        .map(|item| item.unwrap().path())
    {
        if path.is_dir() {
            found.extend(rust_files(&path));
        } else if path.extension().is_some_and(|ext| ext == "rs") {
            found.push(path);
        }
    }
    found
}

/// The files in the blocks of a text: names and contents.
fn files_of(text: &str) -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut open: Option<(String, String)> = None;
    for line in text.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(head)) => {
                open = head
                    .split_once(' ')
                    .map(|(_, name)| (name.to_owned(), String::new()));
            }
            (Some(_), Some(_)) => files.extend(open.take()),
            (Some((_, content)), None) => *content += &format!("{line}\n"),
            (None, None) => {}
        }
    }
    files
}

/// The packs of an example.
fn sources(preamble: &[(String, String)], example: &str) -> Vec<PackSource> {
    let mut files = files_of(example);
    let is_manifest = |name: &str| name.rsplit('/').next() == Some("pack.toml");
    if !files.iter().any(|(name, _)| is_manifest(name)) {
        files.extend(preamble.to_vec());
    }
    let roots: BTreeSet<String> = files.iter().map(|(name, _)| root(name)).collect();
    let source = |root: &String| {
        let own = files.iter().filter(|(name, _)| self::root(name) == *root);
        let inside = |name: &'_ str| {
            name.strip_prefix(&format!("{root}/"))
                .unwrap_or(name)
                .to_owned()
        };
        let texts: Vec<(String, &str)> = own
            .map(|(name, text)| (inside(name), text.as_str()))
            .collect();
        let texts: Vec<(&str, &str)> = texts
            .iter()
            .map(|(name, text)| (name.as_str(), *text))
            .collect();
        PackSource::texts(if root.is_empty() { "inn" } else { root }, &texts)
    };
    roots.iter().map(source).collect()
}

/// The codes of an example with their severities, and the rendered diagnostics.
fn diagnostics_of(
    preamble: &[(String, String)],
    example: &str,
) -> (BTreeMap<&'static str, Severity>, Vec<String>) {
    let library = PackLibrary::load(sources(preamble, example));
    let mut report = check::check(&library, Some(check::Effort::default()), |_| true).report;
    report.extend(kaer::cases::check(&library, |_| true));
    let codes = report
        .iter()
        .map(|fault| (fault.code, fault.severity))
        .collect();
    (
        codes,
        report
            .iter()
            .map(|fault| render_short(&library.set.files, fault))
            .collect(),
    )
}

/// The folder of a pack in an example with several packs.
fn root(name: &str) -> String {
    name.split_once('/')
        .filter(|(root, _)| *root != "tests")
        .map_or(String::new(), |(root, _)| root.to_owned())
}
