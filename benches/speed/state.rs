//! Copies of a full-size state: 5 seats, 300 pieces, 22 places.

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Instant;

use kaer::game::{Game, Setup};
use kaer::library::PackLibrary;
use kaer::pack::{GameChoice, PackSource};

use super::median;

/// A pack of the size of a real game.
fn pack() -> String {
    let mut text = String::from(
        r#"
[pack]
id = "full"
title = "Full size"
version = "1.0.0"
engine = "2"
[[mode]]
id = "full"
title = "Full size"
seats = "5"
setup = 'for s in seats() { create_all("card", s.deck); s.deck.shuffle(); s.draw(5); }'
turn = ["wait"]
[[phase]]
id = "wait"
menu = true
[[action]]
id = "pass"
window = "wait"
[[kind]]
id = "card"
"#,
    );
    for (name, of) in [
        ("deck", "seat"),
        ("hand", "seat"),
        ("discard", "seat"),
        ("tokens", "seat"),
        ("pool", "table"),
        ("stock", "table"),
        ("lair", "place"),
        ("load", "piece"),
    ] {
        let draws = if name == "hand" {
            "draws_from = \"deck\"\n"
        } else {
            ""
        };
        let _ = write!(text, "[[zone]]\nid = \"{name}\"\nof = \"{of}\"\n{draws}");
    }
    for counter in ["coins", "skill", "brace", "guard", "level", "luck"] {
        let _ = write!(text, "[[counter]]\nid = \"{counter}\"\n");
    }
    let _ = write!(text, "[[counter]]\nid = \"worth\"\nof = \"piece\"\n");
    for place in 0..22 {
        let _ = write!(text, "[[place]]\nid = \"p{place}\"\n");
    }
    for card in 0..60 {
        let _ = write!(text, "[[card]]\nid = \"c{card}\"\n");
    }
    text
}

/// Measures a snapshot into an existing buffer, and a fresh copy.
pub fn run() {
    let library = PackLibrary::load(vec![PackSource::texts("full", &[("pack.toml", &pack())])]);
    let (rules, report) = library.open(
        &GameChoice {
            mode: "full:full".into(),
            ..GameChoice::default()
        },
        None,
    );
    assert!(
        report.has_no_errors() && library.report.has_no_errors(),
        "the pack has no errors"
    );
    let names = (1..=5).map(|n| format!("P{n}")).collect();
    let mut game = Game::new(
        rules.expect("it opens"),
        Setup {
            names,
            seed: 1,
            ..Setup::default()
        },
    )
    .expect("five players");
    game.run();
    let state = game.state();
    let mut buffer = state.clone();
    let (mut into, mut fresh) = (Vec::new(), Vec::new());
    for _ in 0..crate::repeats(25) {
        let started = Instant::now();
        for _ in 0..1000 {
            buffer.clone_from(black_box(state));
            black_box(&mut buffer);
        }
        into.push(started.elapsed().as_nanos() as f64 / 1000.0);
        let started = Instant::now();
        for _ in 0..1000 {
            black_box(black_box(state).clone());
        }
        fresh.push(started.elapsed().as_nanos() as f64 / 1000.0);
    }
    println!(
        "\n| a state of 5 seats, {} pieces, 22 places | ns |",
        state.pieces.len()
    );
    println!("| --- | --- |");
    println!("| snapshot into a kept buffer | {:.0} |", median(into));
    println!("| fresh copy | {:.0} |", median(fresh));
}
