//! Packs: read, checked, laid over one another, compiled.

use std::fmt::Write as _;
use std::time::Instant;

use kaer::pack::{Choice, Source};
use kaer::shelf::Shelf;

use super::median;

/// A pack of cards in files of thirty, each card with a text, links and a script.
fn files(cards: usize) -> Vec<(String, String)> {
    let head = std::fs::read_to_string("tests/packs/duel/pack.toml").expect("duel is there");
    let mut files = vec![("pack.toml".to_owned(), head)];
    for name in ["kinds.toml", "rules.toml", "beasts.toml", "cards.toml", "rules.rhai"] {
        files.push((
            name.to_owned(),
            std::fs::read_to_string(format!("tests/packs/duel/{name}")).expect("duel is there"),
        ));
    }
    for file in 0..cards.div_ceil(30) {
        files.push((format!("more/{file}.toml"), thirty(file, 0)));
    }
    files
}

fn thirty(file: usize, salt: usize) -> String {
    let mut text = String::new();
    for card in 0..30 {
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
on.self_after_absorb = 'if event.source != () {{ fight.damage_from(event.of, event.source, entry.spite) }}'
"#,
            salt % 3 + 1
        );
    }
    text
}

fn open(files: &[(String, String)]) -> f64 {
    let list: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let source = Source::texts("duel", &list);
    let started = Instant::now();
    let shelf = Shelf::load(vec![source]);
    let (rules, report) = shelf.open(&Choice { mode: "duel:duel".into(), ..Choice::default() }, None);
    let time = started.elapsed().as_secs_f64() * 1e3;
    assert!(rules.is_some() && report.is_sound() && shelf.report.is_sound(), "the pack is sound");
    time
}

/// Measures packs of 300 and 3,000 entries, and one changed file of 30.
pub fn run() {
    println!("\n| packs | ms |\n| --- | --- |");
    for cards in [300, 3000] {
        let files = files(cards);
        open(&files);
        let times = (0..9).map(|_| open(&files)).collect();
        println!("| {cards} cards read, checked, compiled | {:.1} |", median(times));
    }
    let mut files = files(300);
    let mut before = None;
    let mut times = Vec::new();
    for round in 0..15 {
        let changed = files.iter().position(|(name, _)| name == "more/4.toml").expect("it is there");
        files[changed].1 = thirty(4, round);
        let list: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let source = Source::texts("duel", &list);
        let started = Instant::now();
        let shelf = Shelf::load(vec![source]);
        let choice = Choice { mode: "duel:duel".into(), ..Choice::default() };
        let (opened, report) = shelf.open_again(&choice, None, before.as_ref());
        times.push(started.elapsed().as_secs_f64() * 1e3);
        assert!(report.is_sound(), "the pack is sound");
        before = opened;
    }
    times.remove(0);
    println!("| the same 300 again, one file of 30 changed | {:.2} |", median(times));
    let alone = thirty(4, 1);
    let head =
        "[pack]\nid = \"alone\"\ntitle = \"Alone\"\nversion = \"1.0.0\"\nengine = \"1\"\ndepends = [\"duel ^1\"]\n";
    let times = (0..15).map(|_| {
        let started = Instant::now();
        let shelf = Shelf::load(vec![Source::texts("alone", &[("pack.toml", head), ("cards.toml", &alone)])]);
        assert!(!shelf.set.packs.is_empty(), "it is read");
        started.elapsed().as_secs_f64() * 1e3
    });
    println!("| a file of 30 read alone | {:.2} |", median(times.collect()));
}
