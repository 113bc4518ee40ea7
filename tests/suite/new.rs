//! Every pack that `kaer new` creates checks clean, passes its cases and can be played. The base
//! packs are the Old World, which asks questions before it starts, an example, and small packs: one
//! without a mode, one without a suitable kind.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use kaer::agents::RandomPlayer;
use kaer::cases::runner::CaseRunner;
use kaer::check::{self, Effort};
use kaer::diagnostic::{Confidence, render_short};
use kaer::game::{Game, Setup};
use kaer::library::PackLibrary;
use kaer::pack::{GameChoice, Origin, PackSource, find};
use kaer::schema;
use libtest_mimic::Trial;

use crate::support::{KAER, copy, scratch, trial, trials};

/// The packs to create: the form, its base pack, and the other packs it needs.
const CREATED: &[(&str, &str, &[&str])] = &[
    ("game", "", &[]),
    ("expansion", "examples/orchard", &[]),
    ("campaign", "examples/orchard", &[]),
    ("mod", "examples/orchard", &[]),
    // A pack with scripted entries, and others whose only kinds never come into play.
    ("expansion", "tests/packs/duel", &[]),
    ("campaign", "tests/packs/duel", &[]),
    ("mod", "tests/packs/duel", &[]),
    ("expansion", "tests/packs/parley", &[]),
    ("mod", "tests/packs/errands", &[]),
    // A pack without a mode is played in a mode of its base game.
    (
        "expansion",
        "tests/packs/harsher-duel",
        &["tests/packs/duel"],
    ),
    (
        "campaign",
        "tests/packs/harsher-duel",
        &["tests/packs/duel"],
    ),
    ("mod", "tests/packs/harsher-duel", &["tests/packs/duel"]),
    ("expansion", "old-world", &[]),
    ("campaign", "old-world", &[]),
    // A pack with a template of its own.
    ("campaign", "velen", &[]),
    ("mod", "old-world", &[]),
];

/// A trial for each pack to create, and others.
pub fn trials() -> Vec<Trial> {
    let created = CREATED.iter().rev().map(|(form, of, others)| {
        trial(module_path!(), &name(form, of), || {
            create_and_try(form, of, others);
        })
    });
    let mut trials: Vec<Trial> = created.collect();
    trials.extend(trials![
        unusual_titles_are_accepted,
        commands_in_the_readme_run,
        failed_creation_leaves_nothing_behind,
        relative_paths_go_up_and_down,
        packs_bring_their_own_templates,
    ]);
    #[cfg(unix)]
    trials.extend(trials![a_failure_leaves_nothing_behind]);
    trials
}

/// The name of a pack: `mod-of-orchard`.
fn name(form: &str, of: &str) -> String {
    format!("{form}-of-{}", of.rsplit('/').next().unwrap())
        .trim_end_matches("-of-")
        .to_owned()
}

/// Runs the program in a folder, without input.
fn kaer(here: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(KAER);
    command.args(args).current_dir(here).stdin(Stdio::null());
    // Outside of the folder, because saved games are not part of a pack.
    let data = Path::new(env!("CARGO_TARGET_TMPDIR")).join("new-data");
    command
        .env("NO_COLOR", "1")
        .env("HOME", here)
        .env("KAER_DATA", data);
    command.output().unwrap()
}

fn text_of(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

/// All files below a folder, by path.
fn files(root: &Path) -> BTreeSet<String> {
    let (mut found, mut folders) = (BTreeSet::new(), vec![root.to_path_buf()]);
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder)
            .unwrap()
            .map(|item| item.unwrap().path())
        {
            if path.is_dir() {
                folders.push(path);
            } else {
                found.insert(
                    path.strip_prefix(root)
                        .unwrap()
                        .to_string_lossy()
                        .replace('\\', "/"),
                );
            }
        }
    }
    found
}

/// Creates a pack, then checks, tests and plays it.
fn create_and_try(form: &str, of: &str, others: &[&str]) {
    let name = name(form, of);
    let here = scratch(&format!("new/{name}"));
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let flag = format!("--{form}");
    let mut args: Vec<String> = vec![
        "new".to_owned(),
        "pack".to_owned(),
        "--id".to_owned(),
        name.clone(),
    ];
    if !of.is_empty() {
        let folder = root.join(of);
        let of = if folder.is_dir() {
            folder.to_string_lossy().into_owned()
        } else {
            of.to_owned()
        };
        args.extend([flag, of]);
    }
    for path in others {
        args.extend([
            "--pack".to_owned(),
            root.join(path).to_string_lossy().into_owned(),
        ]);
    }
    let created = kaer(&here, &args.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(created.status.success(), "{name}: {}", text_of(&created));
    let pack = here.join("pack");
    has_settings(&name, &pack);

    let mut named: Vec<PathBuf> = vec![pack];
    named.extend(others.iter().map(|path| root.join(path)));
    named.extend(Some(root.join(of)).filter(|path| !of.is_empty() && path.is_dir()));
    let library = library(&here, &named);
    checks_clean(&name, &library);
    cases_pass(&name, &library);
    plays(&name, &library, &text_of(&created));
}

/// The packs found from a folder; only the first named pack counts as named on the command line.
fn library(here: &Path, named: &[PathBuf]) -> PackLibrary {
    let mut sources = find(here, named).unwrap();
    for source in sources
        .iter_mut()
        .filter(|source| source.root() != named[0].to_string_lossy().replace('\\', "/"))
    {
        if let PackSource::Folder { origin, .. } = source {
            *origin = Origin::UserData;
        }
    }
    PackLibrary::load(sources)
}

fn has_settings(name: &str, pack: &Path) {
    let files = files(pack);
    for wanted in [
        "README.md",
        "pack.toml",
        ".gitignore",
        ".taplo.toml",
        ".vscode/settings.json",
        ".vscode/extensions.json",
        ".kaer/kaer.d.rhai",
        ".kaer/content.schema.json",
        ".kaer/pack.schema.json",
        ".kaer/tests.schema.json",
    ] {
        assert!(files.contains(wanted), "{name}: no {wanted} in {files:?}");
    }
    for file in &files {
        let text = fs::read_to_string(pack.join(file)).unwrap();
        assert!(
            !text.contains("{{") || file.ends_with(".json"),
            "{name}: placeholder left in {file}"
        );
        if file.ends_with(".json") {
            serde_json::from_str::<serde_json::Value>(&text)
                .unwrap_or_else(|reason| panic!("{name}/{file}: {reason}"));
        }
    }
    let taplo = fs::read_to_string(pack.join(".taplo.toml")).unwrap();
    assert!(
        taplo.starts_with(schema::MARK) && taplo.contains("\".kaer/content.schema.json\""),
        "{name}: {taplo}"
    );
}

fn checks_clean(name: &str, library: &PackLibrary) {
    let checked = check::check(library, Some(Effort::default()), |origin| {
        origin == Origin::CommandLine
    });
    let found = checked
        .report
        .iter()
        .filter(|fault| fault.confidence <= Confidence::Likely);
    let found: Vec<String> = found
        .map(|fault| render_short(&library.set.files, fault))
        .collect();
    assert!(found.is_empty(), "{name}: {}", found.join("\n"));
    assert!(
        checked.packs == 1 && checked.entries > 0,
        "{name} was not checked"
    );
}

fn cases_pass(name: &str, library: &PackLibrary) {
    let (_, pack) = library.set.pack(name).unwrap();
    let mut cases = 0;
    for file in &pack.tests {
        for outcome in CaseRunner::new(library).file(name, file, "") {
            assert!(
                outcome.failures.is_empty(),
                "{name}: {}: {}",
                outcome.name,
                outcome.failures.join("\n")
            );
            cases += 1;
        }
    }
    assert!(cases > 0, "{name} has no case");
}

/// Plays the mode that `kaer new` suggested to its end, at random.
fn plays(name: &str, library: &PackLibrary, output: &str) {
    let line = output
        .lines()
        .find_map(|line| line.trim().strip_prefix("kaer play "))
        .unwrap();
    let mode = line.split_whitespace().next().unwrap().to_owned();
    let with = if mode.starts_with(&format!("{name}:")) {
        Vec::new()
    } else {
        vec![name.to_owned()]
    };
    let (rules, report) = library.open(
        &GameChoice {
            mode,
            with,
            options: Vec::new(),
        },
        None,
    );
    assert!(report.has_no_errors(), "{name}");
    let rules = rules.unwrap();
    assert!(
        rules.content.packs.iter().any(|pack| *pack.id == *name),
        "{name} is not active"
    );
    let seats = rules.content.mode.as_ref().unwrap().seats_min;
    let names = (1..=seats).map(|n| format!("P{n}")).collect();
    let mut game = Game::new(
        rules,
        Setup {
            names,
            seed: 5,
            ..Setup::default()
        },
    )
    .unwrap();
    game.seat_agent(Some(Box::new(RandomPlayer::new(5))));
    game.run();
    assert!(
        game.state().outcome.is_some() && game.faults().is_empty(),
        "{name}: {:?}",
        game.faults()
    );
}

/// A title that could confuse the text checks is accepted.
fn unusual_titles_are_accepted() {
    let here = scratch("new/title");
    let created = kaer(&here, &["new", "p", "--title", "The \"Bora Bora\" 'Club'"]);
    assert!(created.status.success(), "{}", text_of(&created));
    let library = library(&here, &[here.join("p")]);
    assert_eq!(
        library.set.pack("p").unwrap().1.manifest.title,
        "The \"Bora Bora\" 'Club'"
    );
    checks_clean("p", &library);
}

/// The commands in the README of a new pack work.
fn commands_in_the_readme_run() {
    let here = scratch("new/page");
    let orchard = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/orchard");
    assert!(
        kaer(
            &here,
            &["new", "my pack", "--mod", &orchard.to_string_lossy()]
        )
        .status
        .success()
    );
    let pack = here.join("my pack");
    let readme = fs::read_to_string(pack.join("README.md")).unwrap();
    let commands: Vec<&str> = readme
        .split('`')
        .skip(1)
        .step_by(2)
        .filter(|part| part.starts_with("kaer "))
        .collect();
    let indented = readme
        .lines()
        .filter_map(|line| line.strip_prefix("    "))
        .filter(|line| line.starts_with("kaer "));
    let mut ran = 0;
    for command in commands.into_iter().chain(indented) {
        let mut words: Vec<&str> = command.split_whitespace().skip(1).collect();
        match words[0] {
            // `watch` waits for files to change, and `play` for a person.
            "watch" => continue,
            "play" => words.extend(["--player", "Ann=random"]),
            "explain" => words[1] = "bad-id",
            _ => {}
        }
        let output = kaer(&pack, &words);
        assert!(output.status.success(), "{command}: {}", text_of(&output));
        ran += 1;
    }
    assert!(ran >= 9, "only {ran} commands in\n{readme}");
}

fn failed_creation_leaves_nothing_behind() {
    let here = scratch("new/nothing");
    fs::write(here.join("file"), "").unwrap();
    for args in [
        &["new", "a/b", "--mod", "old-wrold"][..],
        &["new", "a/b", "--id", "A b"],
        &["new", "a/b", "--id", "old-world"],
        &["new", "file/b"],
        &["new", "file"],
        &["new", "a/b", "old-world"],
        &["new", "a/b", "--title", "{x}"],
    ] {
        let output = kaer(&here, args);
        assert_eq!(
            output.status.code(),
            Some(2),
            "{args:?}: {}",
            text_of(&output)
        );
        assert_eq!(
            files(&here).into_iter().collect::<Vec<_>>(),
            ["file"],
            "{args:?}"
        );
        assert!(!here.join("a").exists(), "{args:?}");
    }
}

/// The path from a new pack to the pack it builds on.
fn relative_paths_go_up_and_down() {
    let here = scratch("new/relative");
    copy(Path::new("examples/orchard"), &here.join("packs/orchard"));
    for (path, base) in [
        ("src/not/there", "../../../packs/orchard"),
        ("packs/orchard/cli", ".."),
    ] {
        let output = kaer(&here, &["new", path, "--mod", "packs/orchard"]);
        assert!(output.status.success(), "{}", text_of(&output));
        let readme = fs::read_to_string(here.join(path).join("README.md")).unwrap();
        assert!(
            readme.contains(&format!("`kaer test . {base}`")),
            "{readme}"
        );
    }
}

fn packs_bring_their_own_templates() {
    let here = scratch("new/own-template");
    let output = kaer(&here, &["new", "--campaign", "tale", "velen"]);
    assert!(output.status.success(), "{}", text_of(&output));
    let story = fs::read_to_string(here.join("tale/story.toml")).unwrap();
    assert!(story.contains("[[story_card]]"), "{story}");
    assert!(here.join("tale/cards.toml").is_file());
}

/// A disk that is full halfway through, imitated by a limit on the size of files.
#[cfg(unix)]
fn a_failure_leaves_nothing_behind() {
    let here = scratch("new/full");
    fs::create_dir(here.join("empty")).unwrap();
    for path in ["deep/pack", "empty"] {
        let script = format!("trap '' XFSZ; ulimit -f 1; exec '{KAER}' new {path}");
        let output = Command::new("sh")
            .args(["-c", &script])
            .current_dir(&here)
            .stdin(Stdio::null())
            .env("KAER_DATA", here.join("data"))
            .output()
            .unwrap();
        let text = text_of(&output);
        assert!(text.contains("nothing was created"), "{text}");
    }
    assert!(!here.join("deep").exists(), "a new folder is removed again");
    let left = fs::read_dir(here.join("empty")).unwrap().count();
    assert_eq!(left, 0, "an empty folder is empty again");
}
