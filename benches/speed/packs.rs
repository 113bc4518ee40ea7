//! Loading packs: reading, checking, layering and compiling them.

use std::fmt::Write as _;
use std::time::Instant;

use kaer::library::{LintLevel, PackLibrary, Reuse};
use kaer::pack::{GameChoice, PackSource};

use super::{median, repeats};

/// The number of entries in *duel* itself.
const DUEL: usize = 46;

/// The files of a pack with about this many entries: *duel*, plus files of thirty cards, each with
/// a text, links and a script.
fn files(entries: usize) -> Vec<(String, String)> {
    let head = std::fs::read_to_string("tests/packs/duel/pack.toml").expect("duel exists");
    let mut files = vec![("pack.toml".to_owned(), head)];
    for name in [
        "kinds.toml",
        "rules.toml",
        "beasts.toml",
        "cards.toml",
        "rules.rhai",
    ] {
        files.push((
            name.to_owned(),
            std::fs::read_to_string(format!("tests/packs/duel/{name}")).expect("duel exists"),
        ));
    }
    for file in 0..(entries - DUEL + 15) / 30 {
        files.push((format!("more/{file}.toml"), thirty(file, 0, 0)));
    }
    files
}

/// A file of thirty cards. The numbers and scripts of those before `until` depend on the salt.
fn thirty(file: usize, salt: usize, until: usize) -> String {
    let mut text = String::new();
    for card in 0..30 {
        let salt = if card < until { salt } else { 0 };
        let _ = write!(
            text,
            r#"
[[card]]
id = "card-{file}-{card}"
title = "Card {file} {card}"
colour = "red"
price = 2
damage = {}
spite = 1
text = "{{damage}} damage; when it is lost, {{spite}} in turn."
links = [{{ colour = "blue", damage = 1 }}, {{ colour = "green", draw = 1 }}]
on.self_after_absorb = 'if event.source != () {{ fight.damage_from(event.of, event.source, entry.spite + {}) }}'
"#,
            salt % 3 + 1,
            (file * 30 + card) * 100 + salt
        );
    }
    text
}

/// Opens the pack of 300, changes some cards of one file several times, and returns the time of
/// each change.
fn change(files: &[(String, String)], cards: usize, changes: usize) -> Vec<f64> {
    let list: Vec<(&str, &str)> = files
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    let mut library = PackLibrary::load(vec![PackSource::texts("duel", &list)]);
    let choice = GameChoice {
        mode: "duel:duel".into(),
        ..GameChoice::default()
    };
    let mut opened = library
        .open_reusing(&choice, None, Reuse::Nothing, LintLevel::All)
        .0
        .expect("duel opens");
    let one = |round| {
        let text = thirty(4, round, cards);
        let started = Instant::now();
        let (edited, again) = library
            .reload_file("duel/more/4.toml", &text, &opened, LintLevel::Nothing)
            .expect("the same entries as before");
        let time = started.elapsed().as_secs_f64() * 1e3;
        (library, opened) = (edited, again);
        time
    };
    (1..=changes).map(one).collect()
}

/// Changes a file repeatedly, for callgrind.
pub fn change_repeatedly(changes: usize) {
    change(&files(300), 30, changes);
}

fn open(files: &[(String, String)]) -> f64 {
    let list: Vec<(&str, &str)> = files
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    let source = PackSource::texts("duel", &list);
    let started = Instant::now();
    let library = PackLibrary::load(vec![source]);
    let (rules, report) = library.open(
        &GameChoice {
            mode: "duel:duel".into(),
            ..GameChoice::default()
        },
        None,
    );
    let time = started.elapsed().as_secs_f64() * 1e3;
    assert!(
        rules.is_some() && report.has_no_errors() && library.report.has_no_errors(),
        "the pack has no errors"
    );
    time
}

/// The median and the fastest time, because the machine may have slow phases of some seconds.
fn median_and_fastest(times: Vec<f64>) -> String {
    let fastest = times.iter().copied().fold(f64::INFINITY, f64::min);
    format!("{:.2} ({fastest:.2})", median(times))
}

/// Measures packs of 300 and 3,000 entries, and a changed file of 30.
pub fn run() {
    println!("\n| packs | ms: median (fastest) |\n| --- | --- |");
    // Warm up: the allocator has its memory, and the engine's functions are registered.
    open(&files(3000));
    for entries in [300, 3000] {
        let files = files(entries);
        open(&files);
        let times = (0..repeats(if entries > 1000 { 11 } else { 41 }))
            .map(|_| open(&files))
            .collect();
        println!(
            "| {entries} entries read, checked, compiled | {} |",
            median_and_fastest(times)
        );
    }
    let files = files(300);
    for cards in [1, 30] {
        let times = change(&files, cards, repeats(41));
        println!(
            "| the same 300, in one file of 30 cards {cards} changed | {} |",
            median_and_fastest(times)
        );
    }
    phases(&files);
    let alone = thirty(4, 1, 30);
    let head = "[pack]\nid = \"alone\"\ntitle = \"Alone\"\nversion = \"1.0.0\"\nengine = \"2\"\ndepends = [\"duel ^1\"]\n";
    let times = (0..repeats(15)).map(|_| {
        let started = Instant::now();
        let library = PackLibrary::load(vec![PackSource::texts(
            "alone",
            &[("pack.toml", head), ("cards.toml", &alone)],
        )]);
        assert!(!library.set.packs.is_empty(), "the pack was read");
        started.elapsed().as_secs_f64() * 1e3
    });
    println!(
        "| a file of 30 read alone | {} |",
        median_and_fastest(times.collect())
    );
}

/// The time of each loading stage, without a cache.
fn phases(files: &[(String, String)]) {
    let list: Vec<(&str, &str)> = files
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    let mut times: [Vec<f64>; 4] = Default::default();
    for _ in 0..repeats(15) {
        let source = PackSource::texts("duel", &list);
        let mut report = kaer::diagnostic::Report::new();
        let mut at = Instant::now();
        let mut note = |ix: usize| {
            times[ix].push(at.elapsed().as_secs_f64() * 1e3);
            at = Instant::now();
        };
        let set = kaer::pack::load(vec![source], &mut report);
        note(0);
        let choice = GameChoice {
            mode: "duel:duel".into(),
            ..GameChoice::default()
        };
        let layered =
            kaer::pack::layer(&set, &choice, Reuse::Nothing, &mut report).expect("duel exists");
        note(1);
        let content = std::sync::Arc::new(kaer::content::build(
            &set,
            &layered,
            Reuse::Nothing,
            &mut report,
        ));
        note(2);
        let scripts = kaer::script::Scripts::compile(
            &content,
            &set.files,
            Reuse::Nothing,
            LintLevel::Names,
            &mut report,
        );
        note(3);
        drop(scripts);
    }
    let names = ["read", "layered", "names resolved", "scripts"];
    for (name, times) in names.iter().zip(times) {
        println!("| of the 300: {name} | {} |", median_and_fastest(times));
    }
}
