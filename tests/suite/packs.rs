//! Every pack in the repository checks clean, and its cases pass. A new case is a block in a pack,
//! not code.
//!
//! insta compares a case with `expect.snapshot` with the same file that `kaer test --accept`
//! writes.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use kaer::cases::parse;
use kaer::cases::runner;
use kaer::cases::snapshot;
use kaer::check;
use kaer::diagnostic::{Confidence, render_short, unified_diff};
use kaer::explore::outcomes;
use kaer::game::render::log_line;
use kaer::game::{Game, Rules, Setup};
use kaer::library::{LintLevel, OpenedGame, PackLibrary, Reuse};
use kaer::pack::{GameChoice, Origin, Pack, PackSource};
use libtest_mimic::Trial;

use crate::support::{packs_in, stem, toml_files, trial, trials};

/// The folders that contain packs, and the origin of the packs in each.
const GROUPS: &[(&str, Origin)] = &[
    ("content", Origin::Content),
    ("campaigns", Origin::Campaigns),
    ("examples", Origin::CommandLine),
    ("tests/packs", Origin::CommandLine),
    ("tests/packs/mechanics", Origin::CommandLine),
    ("tests/packs/open", Origin::CommandLine),
];

/// The groups that packs of every group may depend on.
const BASE_GROUPS: &[&str] = &["content", "campaigns"];

/// The number of mechanics in `docs/expressible.md`.
const MECHANICS: usize = 128;

/// For each pack: a trial for its check, one for each file of cases, and one for its outcomes if it
/// has a snapshot of them.
pub fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for (group, _) in GROUPS {
        for root in packs_in(group) {
            let named = |name: &str| format!("{}::{name}", stem(&root));
            let pack = root.clone();
            let check = move || checks_clean(group, &pack);
            trials.push(trial(module_path!(), &named("check"), check));
            let snapshot = snapshot::file_name(outcomes::NAME);
            if root.join("tests/snapshots").join(snapshot).exists() {
                let pack = root.clone();
                let compare = move || outcomes_match_snapshot(group, &pack);
                trials.push(trial(module_path!(), &named("outcomes"), compare));
            }
            for file in toml_files(&root.join("tests")) {
                let name = named(&stem(&file));
                let (pack, path) = (root.clone(), format!("tests/{}.toml", stem(&file)));
                let cases = move || cases_pass(group, &pack, &path);
                trials.push(trial(module_path!(), &name, cases));
            }
        }
    }
    trials.extend(trials![
        no_pack_shadows_another,
        every_snapshot_belongs_to_a_case,
        every_expressible_mechanic_has_a_case,
        reloading_one_file_equals_a_full_load,
        reused_scripts_call_changed_functions,
        reloading_one_file_applies_patches_and_renumbers_hooks,
    ]);
    trials
}

/// A pack checks clean, apart from guesses, which are hidden by default.
fn checks_clean(group: &'static str, root: &Path) {
    let folder = |path: &Path, origin| PackSource::Folder {
        path: path.to_owned(),
        origin,
    };
    let mut sources = vec![folder(root, Origin::CommandLine)];
    with_cases(group, |(library, _)| {
        let dependencies = dependencies(library, pack_in(library, root));
        sources.extend(
            dependencies
                .iter()
                .map(|path| folder(path, Origin::UserData)),
        );
    });
    let library = PackLibrary::load(sources);
    let checked = check::check(&library, Some(check::Effort::default()), |origin| {
        origin == Origin::CommandLine
    });
    assert_eq!(checked.packs, 1);
    let found: Vec<String> = checked
        .report
        .iter()
        .filter(|fault| fault.confidence <= Confidence::Likely)
        .map(|fault| render_short(&library.set.files, fault))
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// The folders of the direct and indirect dependencies of a pack.
fn dependencies(library: &PackLibrary, pack: &Pack) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    for name in pack.manifest.all_dependencies() {
        if let Some((_, dependency)) = library.set.pack(&name.id) {
            found.insert(PathBuf::from(&dependency.root));
            found.extend(dependencies(library, dependency));
        }
    }
    found
}

fn no_pack_shadows_another() {
    for (group, _) in GROUPS {
        let folders = packs_in(group).len();
        let library = library(group);
        assert_eq!(
            own(&library, group).len(),
            folders,
            "two packs of {group} have the same id: {:?}",
            library.set.shadowed
        );
    }
}

fn every_snapshot_belongs_to_a_case() {
    let mut orphaned = Vec::new();
    for (group, _) in GROUPS {
        let library = library(group);
        for pack in own(&library, group) {
            let wanted: BTreeSet<String> = snapshots_of(&library, pack);
            let files = fs::read_dir(snapshots(pack))
                .into_iter()
                .flatten()
                .flatten();
            let names = files.map(|item| item.file_name().to_string_lossy().into_owned());
            let extra = names.filter(|name| name.ends_with(".snap") && !wanted.contains(name));
            orphaned.extend(extra.map(|name| format!("{}/tests/snapshots/{name}", pack.root)));
        }
    }
    assert!(
        orphaned.is_empty(),
        "no case writes these snapshots any more:\n{}",
        orphaned.join("\n")
    );
}

fn every_expressible_mechanic_has_a_case() {
    let Ok(page) = fs::read_to_string("docs/expressible.md") else {
        return;
    };
    let rows: Vec<(usize, &str)> = page.lines().filter_map(row).collect();
    let numbers: Vec<usize> = rows.iter().map(|(number, _)| *number).collect();
    assert_eq!(
        numbers,
        (1..=MECHANICS).collect::<Vec<_>>(),
        "docs/expressible.md must have a row for each mechanic"
    );
    let mut missing = Vec::new();
    for group in ["mechanics", "open"] {
        let cases = case_names(&format!("tests/packs/{group}"));
        for (number, line) in &rows {
            for (pack, case) in named_cases(group, line) {
                if !cases.get(pack).is_some_and(|all| all.contains(case)) {
                    missing.push(format!("row {number}: {group}/{pack}: {case}"));
                }
            }
        }
    }
    for (number, line) in &rows {
        if !line.contains(" mechanics/") && !line.contains(" open/") {
            missing.push(format!("row {number} names no case"));
        }
    }
    assert!(missing.is_empty(), "no such case:\n{}", missing.join("\n"));
}

/// The packs of a group and of the base groups.
fn library(group: &str) -> PackLibrary {
    let wanted = |name: &str| name == group || BASE_GROUPS.contains(&name);
    let groups = GROUPS.iter().filter(|(name, _)| wanted(name));
    let of = |(name, origin): &(&str, Origin)| {
        let origin = *origin;
        packs_in(name)
            .into_iter()
            .map(move |path| PackSource::Folder { path, origin })
            .collect::<Vec<_>>()
    };
    PackLibrary::load(groups.flat_map(of).collect())
}

/// The packs of a library that are in a group.
fn own<'a>(library: &'a PackLibrary, group: &str) -> Vec<&'a Pack> {
    let is_in_group = |pack: &&Pack| Path::new(&pack.root).parent() == Some(Path::new(group));
    library.set.packs.iter().filter(is_in_group).collect()
}

/// A library and the runner for its cases.
type Cases = (&'static PackLibrary, runner::CaseRunner<'static>);

/// Calls a function with the packs of a group, which each thread loads once.
fn with_cases<T>(group: &'static str, call: impl FnOnce(&mut Cases) -> T) -> T {
    thread_local! {
        static LOADED: RefCell<BTreeMap<&'static str, Cases>> = const { RefCell::new(BTreeMap::new()) };
    }
    LOADED.with_borrow_mut(|loaded| {
        call(loaded.entry(group).or_insert_with(|| {
            let library: &'static PackLibrary = Box::leak(Box::new(library(group)));
            (library, runner::CaseRunner::new(library))
        }))
    })
}

/// The pack in a folder.
fn pack_in<'a>(library: &'a PackLibrary, root: &Path) -> &'a Pack {
    let mut packs = library.set.packs.iter();
    packs
        .find(|pack| Path::new(&pack.root) == root)
        .unwrap_or_else(|| panic!("{} is not loaded", root.display()))
}

/// Every case in a file passes.
fn cases_pass(group: &'static str, root: &Path, path: &str) {
    with_cases(group, |(library, runner)| {
        let pack = pack_in(library, root);
        let file = pack.tests.iter().find(|file| file.path == path).unwrap();
        assert_all_pass(pack, runner.file(&pack.manifest.id, file, ""));
    });
}

fn outcomes_match_snapshot(group: &'static str, root: &Path) {
    with_cases(group, |(library, _)| {
        let pack = pack_in(library, root);
        let outcome = outcomes::case(library, &pack.manifest.id, "");
        assert!(outcome.is_some(), "the pack no longer has outcomes");
        assert_all_pass(pack, outcome.into_iter().collect());
    });
}

/// Fails with the messages of all failed cases.
fn assert_all_pass(pack: &Pack, cases: Vec<runner::CaseResult>) {
    let mut failed = Vec::new();
    for outcome in cases {
        let messages = outcome
            .failures
            .iter()
            .map(|failure| format!("  {}", failure.trim_end()));
        let messages: Vec<String> = messages.chain(compare(pack, &outcome)).collect();
        if !messages.is_empty() {
            failed.push(format!("{}\n{}", outcome.name, messages.join("\n")));
        }
    }
    assert!(
        failed.is_empty(),
        "{} cases failed:\n{}",
        failed.len(),
        failed.join("\n")
    );
}

/// Lets insta compare a case with its snapshot; returns the difference, to be reported with the
/// other failures.
fn compare(pack: &Pack, outcome: &runner::CaseResult) -> Option<String> {
    let text = outcome.snapshot.as_deref()?;
    let name = snapshot::stem(&outcome.name);
    let compared = std::panic::catch_unwind(|| {
        // insta writes the same header as `kaer test --accept`: this file, and the expression
        // `text`.
        insta::with_settings!({ snapshot_path => snapshots(pack), prepend_module_to_snapshot => false }, {
            insta::assert_snapshot!(name, text);
        });
    });
    let file = snapshots(pack).join(snapshot::file_name(&outcome.name));
    let saved = fs::read_to_string(file).unwrap_or_default();
    let header = "---\nsource: tests/suite/packs.rs\nexpression: text\n---\n";
    match compared {
        Err(_) => Some(differs(snapshot::body(&saved), text)),
        Ok(()) if !saved.starts_with(header) => {
            Some("  the snapshot's header is not the one that both tools write".to_owned())
        }
        Ok(()) => None,
    }
}

/// The first lines of the diff between a snapshot and a log; insta shows all of them.
fn differs(before: &str, now: &str) -> String {
    let diff = unified_diff(
        "the snapshot",
        &format!("{before}\n"),
        &format!("{}\n", now.trim_end()),
        false,
    );
    let lines: Vec<&str> = diff.lines().skip(2).take(12).collect();
    format!(
        "  the snapshot differs:\n    {}\n    …",
        lines.join("\n    ")
    )
}

/// The snapshot folder of a pack; insta needs the absolute path.
fn snapshots(pack: &Pack) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(&pack.root)
        .join("tests/snapshots")
}

/// The names of the snapshot files that the cases of a pack write.
fn snapshots_of(library: &PackLibrary, pack: &Pack) -> BTreeSet<String> {
    let mut names = BTreeSet::from([snapshot::file_name(outcomes::NAME)]);
    for file in &pack.tests {
        let cases = parse::cases(&library.set.files, file.file).unwrap_or_default();
        let kept = cases
            .iter()
            .filter(|read| read.case.as_ref().is_ok_and(|case| case.expect.snapshot));
        names
            .extend(kept.map(|read| snapshot::file_name(&format!("{}: {}", file.path, read.name))));
    }
    names
}

/// The names of all cases of a group, by pack folder.
fn case_names(group: &str) -> BTreeMap<String, BTreeSet<String>> {
    let library = library(group);
    let mut all: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for pack in own(&library, group) {
        let folder = Path::new(&pack.root)
            .file_name()
            .unwrap()
            .to_string_lossy()
            .into_owned();
        let names = all.entry(folder).or_default();
        for file in &pack.tests {
            names.extend(
                parse::cases(&library.set.files, file.file)
                    .unwrap()
                    .into_iter()
                    .map(|read| read.name),
            );
        }
    }
    all
}

/// The number and the other columns of a table row.
fn row(line: &str) -> Option<(usize, &str)> {
    let (number, rest) = line.strip_prefix('|')?.split_once('|')?;
    Some((number.trim().parse().ok()?, rest))
}

/// The cases of a group that a row names: `mechanics/<pack>: <case>`, separated by `;`.
fn named_cases<'r>(group: &str, row: &'r str) -> Vec<(&'r str, &'r str)> {
    let column = row.trim_end_matches(['|', ' ']).rsplit('|').next();
    let cases = column.unwrap_or_default().split("; ");
    let of_group = cases.filter_map(|case| case.trim().strip_prefix(group)?.strip_prefix('/'));
    of_group.filter_map(|case| case.split_once(": ")).collect()
}

fn entries(opened: &OpenedGame) -> String {
    format!("{:?}", opened.rules.content.entries)
}

/// Compares the result of reloading one file with a full load.
fn assert_equals_full_load(
    root: &str,
    name: &str,
    text: &str,
    choice: &GameChoice,
    reloaded: &OpenedGame,
) {
    let inside = name.strip_prefix(&format!("{root}/")).unwrap();
    let (full, report) =
        with_file(root, inside, text).open_reusing(choice, None, Reuse::Nothing, LintLevel::Names);
    assert!(report.has_no_errors());
    let full = full.unwrap();
    assert_eq!(entries(reloaded), entries(&full), "{name}");
    let (one, other) = (&reloaded.rules.content, &full.rules.content);
    assert_eq!(
        format!("{:?}", one.hooks),
        format!("{:?}", other.hooks),
        "{name}"
    );
    assert_eq!(one.packs, other.packs, "{name}");
}

/// Reloading one changed file gives the same result as loading all files.
fn reloading_one_file_equals_a_full_load() {
    for (pack, mode) in [("duel", "duel:duel"), ("errands", "errands:errands")] {
        let root = format!("tests/packs/{pack}");
        let choice = GameChoice {
            mode: mode.to_owned(),
            ..GameChoice::default()
        };
        let library = PackLibrary::load(vec![PackSource::folder(&root)]);
        let opened = library
            .open_reusing(&choice, None, Reuse::Nothing, LintLevel::Names)
            .0
            .unwrap();
        let mut reloaded = 0;
        for file in fs::read_dir(&root)
            .unwrap()
            .map(|file| file.unwrap().path())
        {
            let (name, text) = (
                file.to_string_lossy().replace('\\', "/"),
                fs::read_to_string(&file).unwrap_or_default(),
            );
            let changed = format!(
                "# A line more.\n{}",
                text.replace("text = \"", "text = \"Hm. ")
            );
            let Some((edited, again)) =
                library.reload_file(&name, &changed, &opened, LintLevel::Names)
            else {
                continue;
            };
            reloaded += 1;
            assert_equals_full_load(&root, &name, &changed, &choice, &again);
            // With one more entry, and then back to the original text.
            let block = changed
                .rsplit("\n[[")
                .find(|block| !block.split(']').next().unwrap().contains('.'));
            let block = block
                .map(|block| block.replacen("id = \"", "id = \"new-", 1))
                .unwrap();
            let longer = format!("{changed}\n[[{block}");
            let (_, grown) = edited
                .reload_file(&name, &longer, &again, LintLevel::Names)
                .expect("one more entry");
            assert_equals_full_load(&root, &name, &longer, &choice, &grown);
            let (as_before, _) =
                library.open_reusing(&choice, None, Reuse::Nothing, LintLevel::Names);
            let as_before = as_before.unwrap();
            assert_eq!(
                entries(&as_before),
                entries(&opened),
                "{name}: the original library changed"
            );
            assert_eq!(
                as_before.rules.content.packs, opened.rules.content.packs,
                "{name}: the original library changed"
            );
            assert!(
                edited
                    .reload_file(&name, &text, &again, LintLevel::Names)
                    .is_some(),
                "{name}: the change can be reverted"
            );
            assert!(
                library
                    .reload_file(
                        &name,
                        &text.replacen("id = \"", "id = \"x", 1),
                        &opened,
                        LintLevel::Names
                    )
                    .is_none(),
                "{name}: a new id needs a full load"
            );
            assert!(
                library
                    .reload_file(
                        &name,
                        &format!("{text}\n[[oops]]\n"),
                        &opened,
                        LintLevel::Names
                    )
                    .is_none(),
                "{name}: an error needs a full load"
            );
        }
        assert!(reloaded > 0, "{pack}: no file could be reloaded by itself");
    }
}

/// Reloading one file may still require layering, because a patch changes one of its entries, or
/// renumbering, because an entry has a new hook. The result equals that of a full load.
fn reloading_one_file_applies_patches_and_renumbers_hooks() {
    let pack = "[pack]\nid = \"p\"\nversion = \"1.0.0\"\n\n[[mode]]\nid = \"m\"\ntitle = \"M\"\nseats = \"1\"\nturn = [\"go\"]\n\n\
        [[phase]]\nid = \"go\"\ndo = 'end_game(#{ winners: [] })'\n\n[[kind]]\nid = \"card\"\nfields.strength = \"int\"\n\n\
        [[patch]]\nentry = \"card/a\"\nset.strength = 9\n";
    let cards = |a: i32, b: i32, more: &str| {
        format!(
            "[[card]]\nid = \"a\"\nstrength = {a}\n\n[[card]]\nid = \"b\"\nstrength = {b}\n{more}"
        )
    };
    let load = |cards: &str| {
        let files = [("pack.toml", pack), ("cards.toml", cards)];
        PackLibrary::load(vec![PackSource::texts("p", &files)])
    };
    let choice = GameChoice {
        mode: "p:m".to_owned(),
        ..GameChoice::default()
    };
    let open = |library: &PackLibrary| {
        library.open_reusing(&choice, None, Reuse::Nothing, LintLevel::Names)
    };
    let library = load(&cards(1, 1, ""));
    let opened = open(&library).0.unwrap();
    let hook = "on.game_start = 'say(\"Hm.\")'\n";
    for changed in [cards(2, 1, ""), cards(1, 2, hook), cards(2, 2, hook)] {
        let (_, reloaded) = library
            .reload_file("p/cards.toml", &changed, &opened, LintLevel::Names)
            .expect("the same entries as before");
        let full = open(&load(&changed)).0.unwrap();
        assert_eq!(entries(&reloaded), entries(&full), "{changed}");
        let hooks = |opened: &OpenedGame| format!("{:?}", opened.rules.content.hooks);
        assert_eq!(hooks(&reloaded), hooks(&full), "{changed}");
    }
}

/// An unchanged script calls the current version of a function, not the one it was compiled with.
fn reused_scripts_call_changed_functions() {
    let pack = "[pack]\nid = \"p\"\nversion = \"1.0.0\"\n\n[[mode]]\nid = \"m\"\ntitle = \"M\"\nseats = \"1\"\nturn = [\"go\"]\n\n\
        [[phase]]\nid = \"go\"\ndo = 'greet(); try { greet() } catch { }; end_game(#{ winners: [] })'\n";
    let library = |text: &str| {
        let functions = format!("fn greet() {{ say(\"{text}\"); }}\n");
        PackLibrary::load(vec![PackSource::texts(
            "p",
            &[("pack.toml", pack), ("functions.rhai", &functions)],
        )])
    };
    let log_of = |rules: &Rc<Rules>| {
        let setup = Setup {
            names: vec!["Ann".to_owned()],
            log: true,
            ..Setup::default()
        };
        let mut game = Game::new(rules.clone(), setup).unwrap();
        game.run();
        let lines = game
            .context()
            .log
            .lines
            .iter()
            .filter_map(|line| log_line::render(game.context(), line, None));
        lines.collect::<Vec<_>>().join(" ")
    };
    let choice = GameChoice {
        mode: "p:m".to_owned(),
        ..GameChoice::default()
    };
    let old = library("Before")
        .open_reusing(&choice, None, Reuse::Nothing, LintLevel::Names)
        .0
        .unwrap();
    let before = log_of(&old.rules);
    let new = library("After")
        .open_reusing(&choice, None, Reuse::OlderFiles(&old), LintLevel::Names)
        .0
        .unwrap();
    assert!(before.contains("Before"), "{before}");
    let now = log_of(&new.rules);
    assert!(now.contains("After") && !now.contains("Before"), "{now}");
    assert_eq!(log_of(&old.rules), before, "the old rules do not change");
}

/// A pack with the text of one of its files replaced.
fn with_file(root: &str, inside: &str, text: &str) -> PackLibrary {
    let mut texts = Vec::new();
    for name in files_below(Path::new(root)) {
        let own = name
            .strip_prefix(root)
            .unwrap()
            .to_string_lossy()
            .trim_start_matches('/')
            .replace('\\', "/");
        let content = if own == inside {
            text.to_owned()
        } else {
            fs::read_to_string(&name).unwrap_or_default()
        };
        texts.push((own, content));
    }
    let list: Vec<(&str, &str)> = texts
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    PackLibrary::load(vec![PackSource::texts(root, &list)])
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path())
    {
        if path.is_dir() {
            found.extend(files_below(&path));
        } else {
            found.push(path);
        }
    }
    found.sort();
    found
}
