//! Every pack of the repository: it checks clean, and its scenario cases pass. A new case is a block in a pack, not code.
//!
//! A case with `expect.snapshot` is compared by insta with the very file that `kaer test --accept` writes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use kaer::author::{outcomes, read, snapshot, test};
use kaer::check;
use kaer::diagnostic::{Confidence, render_short, unified};
use kaer::game::{Game, Rules, Setup, text};
use kaer::pack::{Choice, Origin, Pack, Source};
use kaer::shelf::{Care, Opened, Reuse, Shelf};

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

#[test]
fn cases_of_the_game_pass() {
    cases_pass("content");
    cases_pass("campaigns");
}

#[test]
fn cases_of_examples_pass() {
    cases_pass("examples");
}

#[test]
fn cases_of_miniatures_pass() {
    cases_pass("tests/packs");
}

#[test]
fn cases_of_mechanics_pass() {
    cases_pass("tests/packs/mechanics");
}

#[test]
fn packs_check_clean() {
    let mut found = Vec::new();
    for (group, _) in GROUPS {
        let shelf = shelf(group);
        let own = own(&shelf, group);
        let mut report = check::check(&shelf, Some(check::Effort::default()), |_| true).report;
        // Guesses are not shown unless asked for.
        report.retain(|fault| fault.confidence <= Confidence::Likely);
        let is_own = |file: &str| {
            own.iter()
                .any(|pack| file.starts_with(&format!("{}/", pack.root)))
        };
        let faults = report
            .iter()
            .filter(|fault| is_own(shelf.set.files.name(fault.label.span.file)));
        found.extend(faults.map(|fault| render_short(&shelf.set.files, fault)));
    }
    assert!(
        found.is_empty(),
        "{} faults:\n{}",
        found.len(),
        found.join("\n")
    );
}

#[test]
fn no_pack_hides_another() {
    for (group, _) in GROUPS {
        let folders = folders(group).len();
        let shelf = shelf(group);
        assert_eq!(
            own(&shelf, group).len(),
            folders,
            "two packs of {group} have one id: {:?}",
            shelf.set.shadowed
        );
    }
}

#[test]
fn every_snapshot_belongs_to_a_case() {
    let mut lost = Vec::new();
    for (group, _) in GROUPS {
        let shelf = shelf(group);
        for pack in own(&shelf, group) {
            let wanted: BTreeSet<String> = snapshots_of(&shelf, pack);
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

#[test]
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

/// The folders of packs in a group; none where the group is not there.
fn folders(group: &str) -> Vec<PathBuf> {
    let list = fs::read_dir(group).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = list.map(|item| item.path()).collect();
    paths.retain(|path| path.join("pack.toml").is_file());
    paths.sort();
    paths
}

/// The packs of a group, with those of the game below them.
fn shelf(group: &str) -> Shelf {
    let wanted = |name: &str| name == group || GAME.contains(&name);
    let groups = GROUPS.iter().filter(|(name, _)| wanted(name));
    let of = |(name, origin): &(&str, Origin)| {
        let origin = *origin;
        folders(name)
            .into_iter()
            .map(move |path| Source::Folder { path, origin })
            .collect::<Vec<_>>()
    };
    Shelf::load(groups.flat_map(of).collect())
}

/// The packs of a shelf that lie in a group.
fn own<'a>(shelf: &'a Shelf, group: &str) -> Vec<&'a Pack> {
    let lies_in = |pack: &&Pack| Path::new(&pack.root).parent() == Some(Path::new(group));
    shelf.set.packs.iter().filter(lies_in).collect()
}

/// Runs every case of a group; fails with everything that any of them said.
fn cases_pass(group: &str) {
    let shelf = shelf(group);
    let mut failed = Vec::new();
    let mut runner = test::Runner::new(&shelf);
    for pack in own(&shelf, group) {
        let id = &pack.manifest.id;
        let mut all: Vec<test::Outcome> = pack
            .tests
            .iter()
            .flat_map(|file| runner.file(id, file, ""))
            .collect();
        if snapshots(pack)
            .join(snapshot::file_name(outcomes::NAME))
            .exists()
        {
            all.extend(outcomes::case(&shelf, id, ""));
        }
        for outcome in all {
            let said = outcome
                .failures
                .iter()
                .map(|failure| format!("  {}", failure.trim_end()));
            let said: Vec<String> = said.chain(compare(pack, &outcome)).collect();
            if !said.is_empty() {
                failed.push(format!("{id} {}\n{}", outcome.name, said.join("\n")));
            }
        }
    }
    assert!(
        failed.is_empty(),
        "{} cases of {group} failed:\n{}",
        failed.len(),
        failed.join("\n")
    );
}

/// Lets insta compare a case with its snapshot; a snapshot that differs is told with the other failures.
fn compare(pack: &Pack, outcome: &test::Outcome) -> Option<String> {
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
    let head = "---\nsource: tests/packs.rs\nexpression: text\n---\n";
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
    let diff = unified(
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
fn snapshots_of(shelf: &Shelf, pack: &Pack) -> BTreeSet<String> {
    let mut names = BTreeSet::from([snapshot::file_name(outcomes::NAME)]);
    for file in &pack.tests {
        let cases = read::cases(&shelf.set.files, file.file).unwrap_or_default();
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
    let shelf = shelf(group);
    let mut all: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for pack in own(&shelf, group) {
        let folder = Path::new(&pack.root)
            .file_name()
            .unwrap()
            .to_string_lossy()
            .into_owned();
        let names = all.entry(folder).or_default();
        for file in &pack.tests {
            names.extend(
                read::cases(&shelf.set.files, file.file)
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

fn entries(opened: &Opened) -> String {
    format!("{:?}", opened.rules.content.entries)
}

/// What a file read alone gave, compared with a reading of all.
fn same_as_whole(root: &str, name: &str, text: &str, choice: &Choice, alone: &Opened) {
    let inside = name.strip_prefix(&format!("{root}/")).unwrap();
    let (whole, report) =
        with_file(root, inside, text).open_again(choice, None, Reuse::Nothing, Care::Names);
    assert!(report.is_sound());
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
#[test]
fn a_changed_file_alone_is_as_good_as_all() {
    for (pack, mode) in [("duel", "duel:duel"), ("errands", "errands:errands")] {
        let root = format!("tests/packs/{pack}");
        let choice = Choice {
            mode: mode.to_owned(),
            ..Choice::default()
        };
        let shelf = Shelf::load(vec![Source::folder(&root)]);
        let opened = shelf
            .open_again(&choice, None, Reuse::Nothing, Care::Names)
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
            let Some((edited, again)) = shelf.reread(&name, &changed, &opened, Care::Names) else {
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
                .reread(&name, &longer, &again, Care::Names)
                .expect("one more");
            same_as_whole(&root, &name, &longer, &choice, &grown);
            let (as_before, _) = shelf.open_again(&choice, None, Reuse::Nothing, Care::Names);
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
                edited.reread(&name, &text, &again, Care::Names).is_some(),
                "{name} goes back to what it was"
            );
            assert!(
                shelf
                    .reread(
                        &name,
                        &text.replacen("id = \"", "id = \"x", 1),
                        &opened,
                        Care::Names
                    )
                    .is_none(),
                "{name}: a new id"
            );
            assert!(
                shelf
                    .reread(&name, &format!("{text}\n[[oops]]\n"), &opened, Care::Names)
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
        Shelf::load(vec![Source::texts("p", &files)])
    };
    let choice = Choice {
        mode: "p:m".to_owned(),
        ..Choice::default()
    };
    let open = |shelf: &Shelf| shelf.open_again(&choice, None, Reuse::Nothing, Care::Names);
    let shelf = load(&cards(1, 1, ""));
    let opened = open(&shelf).0.unwrap();
    let hook = "on.game_start = 'say(\"Hm.\")'\n";
    for changed in [cards(2, 1, ""), cards(1, 2, hook), cards(2, 2, hook)] {
        let (_, alone) = shelf
            .reread("p/cards.toml", &changed, &opened, Care::Names)
            .expect("the same entries as before");
        let whole = open(&load(&changed)).0.unwrap();
        assert_eq!(entries(&alone), entries(&whole), "{changed}");
        let hooks = |opened: &Opened| format!("{:?}", opened.rules.content.hooks);
        assert_eq!(hooks(&alone), hooks(&whole), "{changed}");
    }
}

/// A script that did not change calls what a function says now, and not what it said when the script was compiled.
#[test]
fn a_changed_function_is_heard_by_scripts_that_are_kept() {
    let pack = "[pack]\nid = \"p\"\nversion = \"1.0.0\"\n\n[[mode]]\nid = \"m\"\ntitle = \"M\"\nseats = \"1\"\nturn = [\"go\"]\n\n\
        [[phase]]\nid = \"go\"\ndo = 'told(); try { told() } catch { }; end_game(#{ winners: [] })'\n";
    let shelf = |text: &str| {
        let functions = format!("fn told() {{ say(\"{text}\"); }}\n");
        Shelf::load(vec![Source::texts(
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
            .core()
            .log
            .lines
            .iter()
            .filter_map(|line| text::line(game.core(), line, None));
        lines.collect::<Vec<_>>().join(" ")
    };
    let choice = Choice {
        mode: "p:m".to_owned(),
        ..Choice::default()
    };
    let old = shelf("Before")
        .open_again(&choice, None, Reuse::Nothing, Care::Names)
        .0
        .unwrap();
    let before = [told(&old.rules), told(&old.interpreted())];
    let new = shelf("After")
        .open_again(&choice, None, Reuse::OlderFiles(&old), Care::Names)
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
fn with_file(root: &str, inside: &str, text: &str) -> Shelf {
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
    Shelf::load(vec![Source::texts(root, &list)])
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
