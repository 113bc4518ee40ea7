//! Every pack of the repository: it checks clean, and its scenario cases pass. A new case is a block in a pack, not code.
//!
//! A case with `expect.snapshot` is compared by insta with the very file that `kaer test --accept` writes.

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

/// Where packs lie, and how each folder is found when someone plays.
const GROUPS: &[(&str, Origin)] = &[
    ("content", Origin::Content),
    ("campaigns", Origin::Campaigns),
    ("examples", Origin::CommandLine),
    ("tests/packs", Origin::CommandLine),
    ("tests/packs/mechanics", Origin::CommandLine),
];

/// The groups that packs of every group may build on.
const GAME: &[&str] = &["content", "campaigns"];

/// How many mechanics the page about what can be said has.
const MECHANICS: usize = 96;

/// Of each pack a trial for its check, one for each file of cases, and one for its outcomes if it has a snapshot of them.
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
                let compare = move || outcomes_are_as_before(group, &pack);
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
        no_pack_hides_another,
        every_snapshot_belongs_to_a_case,
        what_can_be_said_is_shown_by_cases,
        a_changed_file_alone_is_as_good_as_all,
        a_changed_function_is_heard_by_scripts_that_are_kept,
    ]);
    trials
}

/// A pack checks clean; guesses apart, which are not shown unless asked for.
fn checks_clean(group: &'static str, root: &Path) {
    let folder = |path: &Path, origin| PackSource::Folder {
        path: path.to_owned(),
        origin,
    };
    let mut sources = vec![folder(root, Origin::CommandLine)];
    with_cases(group, |(library, _)| {
        let below = below(library, pack_in(library, root));
        sources.extend(below.iter().map(|path| folder(path, Origin::UserData)));
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

/// The folders of the packs that a pack builds on, directly or not.
fn below(library: &PackLibrary, pack: &Pack) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    for name in pack.manifest.names() {
        if let Some((_, below)) = library.set.pack(&name.id) {
            found.insert(PathBuf::from(&below.root));
            found.extend(self::below(library, below));
        }
    }
    found
}

fn no_pack_hides_another() {
    for (group, _) in GROUPS {
        let folders = packs_in(group).len();
        let library = library(group);
        assert_eq!(
            own(&library, group).len(),
            folders,
            "two packs of {group} have one id: {:?}",
            library.set.shadowed
        );
    }
}

fn every_snapshot_belongs_to_a_case() {
    let mut lost = Vec::new();
    for (group, _) in GROUPS {
        let library = library(group);
        for pack in own(&library, group) {
            let wanted: BTreeSet<String> = snapshots_of(&library, pack);
            let there = fs::read_dir(snapshots(pack))
                .into_iter()
                .flatten()
                .flatten();
            let names = there.map(|item| item.file_name().to_string_lossy().into_owned());
            let left = names.filter(|name| name.ends_with(".snap") && !wanted.contains(name));
            lost.extend(left.map(|name| format!("{}/tests/snapshots/{name}", pack.root)));
        }
    }
    assert!(
        lost.is_empty(),
        "no case writes these any more:\n{}",
        lost.join("\n")
    );
}

fn what_can_be_said_is_shown_by_cases() {
    let Ok(page) = fs::read_to_string("docs/expressible.md") else {
        return;
    };
    let rows: Vec<(usize, &str)> = page.lines().filter_map(row).collect();
    let numbers: Vec<usize> = rows.iter().map(|(number, _)| *number).collect();
    assert_eq!(
        numbers,
        (1..=MECHANICS).collect::<Vec<_>>(),
        "docs/expressible.md has a row for each mechanic"
    );
    let cases = case_names("tests/packs/mechanics");
    let mut missing = Vec::new();
    for (number, line) in rows {
        for named in named_cases(line)
            .filter(|(pack, case)| !cases.get(*pack).is_some_and(|all| all.contains(*case)))
        {
            missing.push(format!("row {number}: mechanics/{}: {}", named.0, named.1));
        }
    }
    assert!(missing.is_empty(), "no such case:\n{}", missing.join("\n"));
}

/// The packs of a group, with those of the game below them.
fn library(group: &str) -> PackLibrary {
    let wanted = |name: &str| name == group || GAME.contains(&name);
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

/// The packs of a library that lie in a group.
fn own<'a>(library: &'a PackLibrary, group: &str) -> Vec<&'a Pack> {
    let lies_in = |pack: &&Pack| Path::new(&pack.root).parent() == Some(Path::new(group));
    library.set.packs.iter().filter(lies_in).collect()
}

/// A library and what runs the cases of its packs.
type Cases = (&'static PackLibrary, runner::CaseRunner<'static>);

/// Calls something with the packs of a group, which each thread loads once.
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

/// Every case of a file passes.
fn cases_pass(group: &'static str, root: &Path, path: &str) {
    with_cases(group, |(library, runner)| {
        let pack = pack_in(library, root);
        let file = pack.tests.iter().find(|file| file.path == path).unwrap();
        pass(pack, runner.file(&pack.manifest.id, file, ""));
    });
}

fn outcomes_are_as_before(group: &'static str, root: &Path) {
    with_cases(group, |(library, _)| {
        let pack = pack_in(library, root);
        let outcome = outcomes::case(library, &pack.manifest.id, "");
        assert!(outcome.is_some(), "it has no outcomes any more");
        pass(pack, outcome.into_iter().collect());
    });
}

/// Fails with everything that any of the cases said.
fn pass(pack: &Pack, cases: Vec<runner::CaseResult>) {
    let mut failed = Vec::new();
    for outcome in cases {
        let said = outcome
            .failures
            .iter()
            .map(|failure| format!("  {}", failure.trim_end()));
        let said: Vec<String> = said.chain(compare(pack, &outcome)).collect();
        if !said.is_empty() {
            failed.push(format!("{}\n{}", outcome.name, said.join("\n")));
        }
    }
    assert!(
        failed.is_empty(),
        "{} cases failed:\n{}",
        failed.len(),
        failed.join("\n")
    );
}

/// Lets insta compare a case with its snapshot; a snapshot that differs is told with the other failures.
fn compare(pack: &Pack, outcome: &runner::CaseResult) -> Option<String> {
    let text = outcome.snapshot.as_deref()?;
    let name = snapshot::stem(&outcome.name);
    let compared = std::panic::catch_unwind(|| {
        // The head insta writes is the one `kaer test --accept` writes: this file, and the expression `text`.
        insta::with_settings!({ snapshot_path => snapshots(pack), prepend_module_to_snapshot => false }, {
            insta::assert_snapshot!(name, text);
        });
    });
    let file = snapshots(pack).join(snapshot::file_name(&outcome.name));
    let kept = fs::read_to_string(file).unwrap_or_default();
    let head = "---\nsource: tests/suite/packs.rs\nexpression: text\n---\n";
    match compared {
        Err(_) => Some(differs(snapshot::body(&kept), text)),
        Ok(()) if !kept.starts_with(head) => {
            Some("  the snapshot's head is not the one both tools write".to_owned())
        }
        Ok(()) => None,
    }
}

/// How a log differs from its snapshot: the first lines, since insta shows them all.
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

/// Where the snapshots of a pack lie; insta wants the whole path.
fn snapshots(pack: &Pack) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(&pack.root)
        .join("tests/snapshots")
}

/// The names of the snapshot files a pack's cases write.
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

/// The names of all cases of a group, by the pack's folder.
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

/// A row of the page, with its number.
fn row(line: &str) -> Option<(usize, &str)> {
    let (number, rest) = line.strip_prefix('|')?.split_once('|')?;
    Some((number.trim().parse().ok()?, rest))
}

/// What a row names: `mechanics/<pack>: <case>`, several with a `;` between them.
fn named_cases(row: &str) -> impl Iterator<Item = (&str, &str)> {
    let named = row.split("mechanics/").skip(1);
    named.filter_map(|text| text.trim_end_matches(['|', ';', ' ']).split_once(": "))
}

fn entries(opened: &OpenedGame) -> String {
    format!("{:?}", opened.rules.content.entries)
}

/// What a file read alone gave, compared with a reading of all.
fn same_as_whole(root: &str, name: &str, text: &str, choice: &GameChoice, alone: &OpenedGame) {
    let inside = name.strip_prefix(&format!("{root}/")).unwrap();
    let (whole, report) =
        with_file(root, inside, text).open_reusing(choice, None, Reuse::Nothing, LintLevel::Names);
    assert!(report.has_no_errors());
    let whole = whole.unwrap();
    assert_eq!(entries(alone), entries(&whole), "{name}");
    let (one, other) = (&alone.rules.content, &whole.rules.content);
    assert_eq!(
        format!("{:?}", one.hooks),
        format!("{:?}", other.hooks),
        "{name}"
    );
    assert_eq!(one.packs, other.packs, "{name}");
}

/// A file that is read again alone says the same as all of them read again.
fn a_changed_file_alone_is_as_good_as_all() {
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
        let mut alone = 0;
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
            alone += 1;
            same_as_whole(&root, &name, &changed, &choice, &again);
            // With an entry more, and back to what was there.
            let block = changed
                .rsplit("\n[[")
                .find(|block| !block.split(']').next().unwrap().contains('.'));
            let block = block
                .map(|block| block.replacen("id = \"", "id = \"new-", 1))
                .unwrap();
            let longer = format!("{changed}\n[[{block}");
            let (_, grown) = edited
                .reload_file(&name, &longer, &again, LintLevel::Names)
                .expect("one more");
            same_as_whole(&root, &name, &longer, &choice, &grown);
            let (as_before, _) =
                library.open_reusing(&choice, None, Reuse::Nothing, LintLevel::Names);
            let as_before = as_before.unwrap();
            assert_eq!(
                entries(&as_before),
                entries(&opened),
                "{name} is what it was"
            );
            assert_eq!(
                as_before.rules.content.packs, opened.rules.content.packs,
                "{name} is what it was"
            );
            assert!(
                edited
                    .reload_file(&name, &text, &again, LintLevel::Names)
                    .is_some(),
                "{name} goes back to what it was"
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
                "{name}: a new id"
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
                "{name}: a fault"
            );
        }
        assert!(alone > 0, "{pack}: no file could be read alone");
    }
}

/// A changed file that is read alone may still need new layers, because a patch lies over one of its entries, or new numbers,
/// because an entry has another hook. The result is the same as that of a full load.
#[test]
fn a_changed_file_alone_may_need_new_layers_and_numbers() {
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
        let (_, alone) = library
            .reload_file("p/cards.toml", &changed, &opened, LintLevel::Names)
            .expect("the same entries as before");
        let whole = open(&load(&changed)).0.unwrap();
        assert_eq!(entries(&alone), entries(&whole), "{changed}");
        let hooks = |opened: &OpenedGame| format!("{:?}", opened.rules.content.hooks);
        assert_eq!(hooks(&alone), hooks(&whole), "{changed}");
    }
}

/// A script that did not change calls what a function says now, and not what it said when the script was compiled.
fn a_changed_function_is_heard_by_scripts_that_are_kept() {
    let pack = "[pack]\nid = \"p\"\nversion = \"1.0.0\"\n\n[[mode]]\nid = \"m\"\ntitle = \"M\"\nseats = \"1\"\nturn = [\"go\"]\n\n\
        [[phase]]\nid = \"go\"\ndo = 'told(); try { told() } catch { }; end_game(#{ winners: [] })'\n";
    let library = |text: &str| {
        let functions = format!("fn told() {{ say(\"{text}\"); }}\n");
        PackLibrary::load(vec![PackSource::texts(
            "p",
            &[("pack.toml", pack), ("words.rhai", &functions)],
        )])
    };
    let told = |rules: &Rc<Rules>| {
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
    let before = [told(&old.rules), told(&old.interpreted())];
    let new = library("After")
        .open_reusing(&choice, None, Reuse::OlderFiles(&old), LintLevel::Names)
        .0
        .unwrap();
    for (rules, was) in [new.rules.clone(), new.interpreted()].iter().zip(before) {
        assert!(was.contains("Before"), "{was}");
        let now = told(rules);
        assert!(now.contains("After") && !now.contains("Before"), "{now}");
        assert_eq!(told(&old.rules), was, "the old one goes on as it was");
    }
}

/// A pack with another text in the place of one of its files.
fn with_file(root: &str, inside: &str, text: &str) -> PackLibrary {
    let mut texts = Vec::new();
    for name in files_below(Path::new(root)) {
        let own = name
            .strip_prefix(root)
            .unwrap()
            .to_string_lossy()
            .trim_start_matches('/')
            .replace('\\', "/");
        let held = if own == inside {
            text.to_owned()
        } else {
            fs::read_to_string(&name).unwrap_or_default()
        };
        texts.push((own, held));
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
