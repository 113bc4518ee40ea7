//! Packs with one error each, and the diagnostics for them. To add a case, add a folder to
//! `tests/faults/`.
//!
//! A case is a pack or a folder of packs; an optional `choice.toml` next to them says what to play.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use kaer::diagnostic::{RenderStyle, Report, render, render_short};
use kaer::pack::{
    GameChoice, Origin, PackSet, PackSource, Reuse, find, layer, load, named_packs, reload,
};
use libtest_mimic::Trial;
use proptest::prelude::*;

use crate::support::{dir_entries, scratch, stem, trial, trials};

/// A trial for each case, and others.
pub fn trials() -> Vec<Trial> {
    let mut trials = trials![
        the_valid_pack_can_be_played,
        a_reload_equals_a_fresh_load,
        files_have_limits,
        hidden_files_and_folders_are_ignored,
        named_packs_are_found,
        diagnostics_have_no_control_characters,
        deep_and_long_files_are_reported,
        mutated_packs_do_not_panic,
        arbitrary_bytes_do_not_panic,
    ];
    #[cfg(unix)]
    trials.extend(trials![
        links_must_stay_inside_the_pack,
        unreadable_files_are_reported
    ]);
    trials.extend(folders(Path::new("tests/faults")).into_iter().map(|case| {
        let name = stem(&case);
        trial(module_path!(), &format!("faults::{name}"), move || {
            error_is_reported(&case);
        })
    }));
    trials
}

/// The report matches its snapshot, and a reload reports the same.
fn error_is_reported(case: &Path) {
    let (name, text) = (stem(case), report_on(case));
    if name == "sound" {
        assert_eq!(text, "");
    } else {
        insta::assert_snapshot!(format!("loading__{name}"), text);
    }
    let before = load(sources_of(case), &mut Report::new());
    assert_reload_equals_load(sources_of(case), &before);
}

fn the_valid_pack_can_be_played() {
    let mut report = Report::new();
    let set = load(vec![PackSource::folder("tests/faults/sound")], &mut report);
    let choice = GameChoice {
        mode: "long-race".into(),
        with: Vec::new(),
        options: vec!["night".into()],
    };
    let layered = layer(&set, &choice, Reuse::Nothing, &mut report).unwrap();
    assert_eq!(rendered(&set, &mut report), "");
    assert_eq!(
        layered.entry(layered.mode).unwrap().full_name(),
        "beasts:mode/long-race"
    );
    assert_eq!(set.packs[0].libraries.len(), 1);
    assert_eq!(set.packs[0].tests[0].path, "tests/first.toml");
}

/// A file and the change to its text.
type Edit = (&'static str, fn(&str) -> String);

/// A reload reuses what has not changed, without a visible difference.
fn a_reload_equals_a_fresh_load() {
    let folder = Path::new("tests/packs/duel");
    let mut files: Vec<(String, String)> = [
        "pack.toml",
        "kinds.toml",
        "cards.toml",
        "beasts.toml",
        "rules.toml",
        "rules.rhai",
    ]
    .map(|name| {
        (
            name.to_owned(),
            fs::read_to_string(folder.join(name)).unwrap(),
        )
    })
    .into();
    let edits: [Edit; 13] = [
        ("cards.toml", |text| text.to_owned()),
        ("cards.toml", |text| {
            text.replacen("[[card]]", "\n[[card]]", 1)
        }),
        ("cards.toml", |text| {
            format!("{text}\n[[card]]\nid = \"half\"\n")
        }),
        ("cards.toml", |text| {
            text.replace("\n[[card]]\nid = \"half\"\n", "")
        }),
        ("rules.toml", |text| {
            format!("{text}\n[[patch]]\nentry = \"duel:zone/hand\"\nset.limit = 3\n")
        }),
        ("rules.toml", |text| {
            text.replace("set.limit = 3", "set.limit = ")
        }),
        ("rules.toml", |text| {
            text.split("\n[[patch]]").next().unwrap().to_owned()
        }),
        ("pack.toml", |text| {
            format!("{text}\n[[kind]]\nid = \"spoon\"\nfields.size = \"int\"\n")
        }),
        ("a.toml", |_| {
            "[[spoon]]\nid = \"small\"\nsize = 1\n".to_owned()
        }),
        ("pack.toml", |text| {
            text.replace("fields.size = \"int\"", "fields.size = \"text\"")
        }),
        ("a.toml", |text| text.repeat(2)),
        ("b.toml", |_| {
            "[[spoon]]\nid = \"large\"\nsize = \"2\"\n".to_owned()
        }),
        ("pack.toml", |text| {
            text.split("\n[[kind]]\nid = \"spoon\"")
                .next()
                .unwrap()
                .to_owned()
        }),
    ];
    let source = |files: &[(String, String)]| {
        let texts: Vec<(&str, &str)> = files
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str()))
            .collect();
        vec![PackSource::texts("duel", &texts)]
    };
    let mut before = load(source(&files), &mut Report::new());
    for (path, edit) in edits {
        let text = edit(
            files
                .iter()
                .find(|file| file.0 == path)
                .map_or("", |file| &file.1),
        );
        files.retain(|file| file.0 != path);
        files.push((path.to_owned(), text));
        before = assert_reload_equals_load(source(&files), &before);
    }
}

fn assert_reload_equals_load(sources: Vec<PackSource>, before: &PackSet) -> PackSet {
    let (mut first, mut second) = (Report::new(), Report::new());
    let fresh = load(sources.clone(), &mut first);
    let again = reload(sources, Some(before), &mut second);
    assert!(
        format!("{:?}", again.packs) == format!("{:?}", fresh.packs),
        "the packs differ"
    );
    assert_eq!(rendered(&again, &mut second), rendered(&fresh, &mut first));
    again
}

fn folders(of: &Path) -> Vec<PathBuf> {
    let mut found = dir_entries(of);
    found.retain(|path| path.is_dir());
    found
}

/// The report on a case: each diagnostic in one line, then each in full.
fn report_on(case: &Path) -> String {
    let mut report = Report::new();
    let set = load(sources_of(case), &mut report);
    if let Some(choice) = choice(&case.join("choice.toml")) {
        layer(&set, &choice, Reuse::Nothing, &mut report);
    }
    rendered(&set, &mut report)
}

fn sources_of(case: &Path) -> Vec<PackSource> {
    let paths = if case.join("pack.toml").exists() {
        vec![case.to_owned()]
    } else {
        folders(case)
    };
    paths
        .into_iter()
        .map(|path| PackSource::Folder {
            path,
            origin: Origin::CommandLine,
        })
        .collect()
}

fn rendered(set: &PackSet, report: &mut Report) -> String {
    report.sort(&set.files);
    let mut text = String::new();
    for fault in &*report {
        let _ = writeln!(text, "{}", render_short(&set.files, fault));
    }
    for fault in &*report {
        let _ = write!(
            text,
            "\n{}",
            render(&set.files, fault, RenderStyle::default())
        );
    }
    text
}

fn choice(path: &Path) -> Option<GameChoice> {
    let table: toml::Table = fs::read_to_string(path).ok()?.parse().unwrap();
    let texts = |key: &str| {
        let list = table
            .get(key)
            .and_then(toml::Value::as_array)
            .cloned()
            .unwrap_or_default();
        list.iter()
            .map(|value| value.as_str().unwrap().to_owned())
            .collect()
    };
    Some(GameChoice {
        mode: table["mode"].as_str().unwrap().to_owned(),
        with: texts("with"),
        options: texts("options"),
    })
}

/// The codes of all diagnostics of a pack, in order.
fn codes(source: PackSource) -> Vec<&'static str> {
    let mut report = Report::new();
    let set = load(vec![source], &mut report);
    report.sort(&set.files);
    report.iter().map(|fault| fault.code).collect()
}

const MANIFEST: &str = "[pack]\nid = \"cards\"\n";

fn files_have_limits() {
    let large = format!("{MANIFEST}# {}", "x".repeat(4 << 20));
    assert_eq!(
        codes(PackSource::texts("cards", &[("pack.toml", &large)])),
        ["file-too-large"]
    );
    let folder = scratch("loading/limits");
    fs::write(folder.join("pack.toml"), MANIFEST).unwrap();
    fs::write(folder.join("large.toml"), &large).unwrap();
    assert_eq!(codes(PackSource::folder(&folder)), ["file-too-large"]);
    fs::remove_file(folder.join("large.toml")).unwrap();
    for number in 0..2_001 {
        fs::write(folder.join(format!("{number}.toml")), "").unwrap();
    }
    assert_eq!(codes(PackSource::folder(&folder)), ["too-many-files"]);
}

fn hidden_files_and_folders_are_ignored() {
    let folder = scratch("loading/hidden");
    fs::write(folder.join("pack.toml"), MANIFEST).unwrap();
    fs::create_dir_all(folder.join(".git")).unwrap();
    fs::write(folder.join(".git/broken.toml"), "[[").unwrap();
    fs::write(folder.join(".broken.toml"), "[[").unwrap();
    fs::write(folder.join("notes.md"), "[[").unwrap();
    assert_eq!(codes(PackSource::folder(&folder)), Vec::<&str>::new());
}

#[cfg(unix)]
fn links_must_stay_inside_the_pack() {
    use std::os::unix::fs::symlink;
    let outside = scratch("loading/outside");
    fs::write(outside.join("secret.toml"), "").unwrap();
    let folder = scratch("loading/links");
    fs::write(folder.join("pack.toml"), MANIFEST).unwrap();
    fs::write(folder.join("real.toml"), "").unwrap();
    symlink(folder.join("real.toml"), folder.join("inside.toml")).unwrap();
    symlink(&folder, folder.join("loop")).unwrap();
    assert_eq!(codes(PackSource::folder(&folder)), Vec::<&str>::new());
    symlink(outside.join("secret.toml"), folder.join("secret.toml")).unwrap();
    symlink(&outside, folder.join("folder")).unwrap();
    symlink("/dev/zero", folder.join("zero.toml")).unwrap();
    symlink(folder.join("gone"), folder.join("gone.toml")).unwrap();
    assert_eq!(codes(PackSource::folder(&folder)), ["outside-pack"; 4]);
    let head = scratch("loading/linked-head");
    symlink(folder.join("pack.toml"), head.join("pack.toml")).unwrap();
    assert_eq!(codes(PackSource::folder(&head)), ["outside-pack"]);
}

#[cfg(unix)]
fn unreadable_files_are_reported() {
    let folder = scratch("loading/unreadable");
    fs::write(folder.join("pack.toml"), MANIFEST).unwrap();
    let socket = std::os::unix::net::UnixListener::bind(folder.join("socket.toml")).unwrap();
    assert_eq!(codes(PackSource::folder(&folder)), ["unreadable"]);
    drop(socket);
}

fn named_packs_are_found() {
    let folder = scratch("loading/named");
    assert!(
        named_packs(&folder.join("gone"))
            .unwrap_err()
            .contains("gone")
    );
    assert!(named_packs(&folder).unwrap_err().contains("pack.toml"));
    fs::create_dir_all(folder.join("content/cards")).unwrap();
    fs::write(folder.join("content/cards/pack.toml"), MANIFEST).unwrap();
    assert_eq!(named_packs(&folder.join("content")).unwrap().len(), 1);
    assert_eq!(
        named_packs(&folder.join("content/cards/pack.toml"))
            .unwrap()
            .len(),
        1
    );
    let found = find(&folder, &[folder.join("content/cards")]).unwrap();
    let origins: Vec<Origin> = found.iter().map(PackSource::origin).collect();
    assert!(origins.contains(&Origin::Content));
    assert_eq!(origins.last(), Some(&Origin::CommandLine));
    assert!(find(&folder, &[folder.join("gone")]).is_err());
}

fn diagnostics_have_no_control_characters() {
    let text = format!(
        "{MANIFEST}[[\u{1b}[31mcard]]\nid = \"\\u001b[31m\"\n[[card]]\nid = '\u{9b}x'\r\n[[zone]]\nid = \"a\"\ntext = \"{{\\u001b}}\"\n"
    );
    let mut report = Report::new();
    let set = load(
        vec![PackSource::texts("a\u{1b}b", &[("pack.toml", &text)])],
        &mut report,
    );
    let shown = rendered(&set, &mut report);
    assert!(!report.has_no_errors());
    assert!(
        !shown.contains(|c: char| c.is_control() && c != '\n'),
        "{shown:?}"
    );
}

fn deep_and_long_files_are_reported() {
    let deep = [
        format!("a = {}", "[".repeat(100_000)),
        format!("a = {}1{}", "[".repeat(70), "]".repeat(70)),
        format!("a = {}", "{a=".repeat(100_000)),
        format!("{} = 1", vec!["a"; 100_000].join(".")),
        format!(
            "a = {}1{}",
            format!("{{{} = ", vec!["a"; 78].join(".")).repeat(78),
            "}".repeat(78)
        ),
        format!(
            "[{}]\n{} = 1",
            vec!["a"; 79].join("."),
            vec!["b"; 79].join(".")
        ),
        "[[card]]\n".repeat(50_000),
        "[[grid]]\nid = \"g\"\ncolumns = 64\nrows = 64\n".repeat(2_000),
        "[[kind]]\nid = \"k\"\n".repeat(2_000),
        "x\n".repeat(10_000),
    ];
    for text in deep {
        let mut report = Report::new();
        let files = [
            ("pack.toml", MANIFEST),
            ("a.toml", text.as_str()),
            ("b.toml", ""),
        ];
        let set = load(vec![PackSource::texts("cards", &files)], &mut report);
        assert!(!report.has_no_errors());
        report
            .iter()
            .take(20)
            .for_each(|fault| drop(render(&set.files, fault, RenderStyle::default())));
    }
}

/// Replaces, removes, duplicates and inserts bytes of a text.
fn mutated(text: &str, changes: &[(u16, u8, u8)]) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for (at, how, with) in changes {
        let at = usize::from(*at) % (bytes.len() + 1);
        let end = (at + usize::from(*with)).min(bytes.len());
        match how % 4 {
            0 => drop(bytes.splice(at..(at + 1).min(end.max(at)), [*with])),
            1 => drop(bytes.drain(at..end)),
            2 => {
                let part = bytes[at..end].to_vec();
                drop(bytes.splice(at..at, part));
            }
            _ => drop(
                bytes.splice(
                    at..at,
                    b"\"'[]{}=.,\n#\\:/"[usize::from(*with) % 15..]
                        .iter()
                        .take(2)
                        .copied(),
                ),
            ),
        }
    }
    bytes
}

/// Loads and layers a pack and renders the diagnostics; nothing may panic.
fn survives(head: Vec<u8>, more: Vec<u8>) {
    let files = vec![
        ("pack.toml".into(), head.into()),
        ("beasts.toml".into(), more.into()),
    ];
    let source = PackSource::Files {
        name: "beasts".into(),
        origin: Origin::CommandLine,
        files,
    };
    let mut report = Report::new();
    let set = load(vec![source], &mut report);
    let choice = GameChoice {
        mode: "long-race".into(),
        with: vec!["beasts".into()],
        options: vec!["night".into()],
    };
    layer(&set, &choice, Reuse::Nothing, &mut report);
    report.sort(&set.files);
    for fault in report.iter().take(5) {
        let _ = render(&set.files, fault, RenderStyle::default());
    }
}

fn changes() -> impl Strategy<Value = Vec<(u16, u8, u8)>> {
    prop::collection::vec(any::<(u16, u8, u8)>(), 0..6)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    fn mutated_packs_do_not_panic(head in changes(), more in changes()) {
        let read = |file: &str| fs::read_to_string(format!("tests/faults/sound/{file}")).unwrap();
        survives(mutated(&read("pack.toml"), &head), mutated(&read("beasts.toml"), &more));
    }

    fn arbitrary_bytes_do_not_panic(head in any::<Vec<u8>>(), more in "[\\[\\]a-c\"'={}.,\\n\\\\ #0-9:|?/-]{0,200}") {
        survives(head, more.clone().into_bytes());
        survives([MANIFEST.as_bytes(), more.as_bytes()].concat(), more.into_bytes());
    }
}
