//! Hot reload: a card of the Old World is saved during a game of 300 answers. Measures the time
//! from the changed file to the display.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use kaer::agents::RandomPlayer;
use kaer::game::{Agent as _, Game, Setup};
use kaer::library::{LintLevel, PackLibrary, Reuse};
use kaer::pack::{GameChoice, PackSource};
use kaer::reload::{LivePacks, differences};

use crate::{median, repeats};

const ANSWERS: usize = 300;
const SAVES: usize = 25;
const NEW: &str = r#"
[[exploration]]
id = "a-new-one"
title = "A New One"
deck = "city"
source = "original"
text = "Somebody has written this just now."
[[exploration.option]]
id = "take"
text = "Take {1} gold."
result = "It is yours."
do = 'actor.gold += 1;'
"#;

const PATCH: &str = r#"
[[patch]]
entry = "old-world:monster/archespore"
set = { life = 13 }
"#;

/// Copies the pack, so that its files can be changed.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder for the copy");
    for item in std::fs::read_dir(from).expect("the pack").flatten() {
        let target = to.join(item.file_name());
        if item.path().is_dir() {
            copy(&item.path(), &target);
        } else {
            std::fs::copy(item.path(), target).expect("a copy");
        }
    }
}

/// Measures what `kaer watch` does between a save and the display, without its wait for further
/// saves.
pub fn reload() {
    let folder = std::env::temp_dir().join(format!("kaer-bench-{}", std::process::id()));
    copy(Path::new("content/old-world"), &folder);
    let load = |before: Option<&PackLibrary>| {
        Arc::new(PackLibrary::reload(
            vec![PackSource::folder(&folder)],
            before,
        ))
    };
    let library = load(None);
    let choice = GameChoice {
        mode: "old-world:hunt".into(),
        ..GameChoice::default()
    };
    let (opened, _) = library.open_reusing(&choice, None, Reuse::Nothing, LintLevel::All);
    let opened = opened.expect("the Old World opens");
    let names = vec!["A".to_owned(), "B".to_owned()];
    let setup = Setup {
        names,
        seed: 3,
        journal: true,
        log: true,
        ..Setup::default()
    };
    let mut game = Game::new(opened.rules.clone(), setup.clone()).expect("two players");
    let mut agent = RandomPlayer::new(3);
    game.run();
    while let Some(ask) = game.pending().filter(|_| game.journal().len() < ANSWERS) {
        let answer = agent.decide(game.context(), ask);
        game.answer(answer).expect("an open option");
    }
    let lines = game.journal().to_vec();
    let mut packs = LivePacks { library, opened };
    let mut memory = load(None);
    for (what, name, mark) in [
        (
            "a card, its number changed",
            "stories/part-1.toml",
            "actor.gold += 3",
        ),
        ("a function, changed", "functions.rhai", "fn roll_die() {"),
        ("a new card", "stories/part-1.toml", "[[exploration]]"),
        ("a new patch", "monsters.toml", "[[patch]]"),
    ] {
        let path: PathBuf = folder.join(name);
        let whole = std::fs::read_to_string(&path).expect("the file");
        let other = match mark {
            "[[exploration]]" => format!("{whole}\n{NEW}"),
            "[[patch]]" => format!("{whole}\n{PATCH}"),
            "fn roll_die() {" => whole.replacen(mark, "fn roll_die() { ", 1),
            _ => whole.replacen(mark, "actor.gold += 4", 1),
        };
        assert_ne!(whole, other, "{mark} is there");
        let (mut read, mut played, mut shown) = (Vec::new(), Vec::new(), Vec::new());
        for save in 0..repeats(SAVES) {
            std::fs::write(&path, if save % 2 == 0 { &other } else { &whole }).expect("saved");
            let started = Instant::now();
            let whole = || {
                memory = load(Some(&memory));
                Ok(memory.clone())
            };
            assert!(
                packs.reload(std::slice::from_ref(&path), whole).is_ok(),
                "the pack has no errors"
            );
            read.push(started.elapsed().as_secs_f64() * 1e3);
            let again = packs.replay(&setup, &lines);
            played.push(started.elapsed().as_secs_f64() * 1e3);
            std::hint::black_box(differences(&game, &again.game));
            shown.push(started.elapsed().as_secs_f64() * 1e3);
        }
        std::fs::write(&path, &whole).expect("as before");
        let (read, played, shown) = (median(read), median(played), median(shown));
        println!(
            "{what}: read after {read:.1} ms, {} answers played after {played:.1} ms, compared after {shown:.1} ms",
            lines.len()
        );
    }
    let _ = std::fs::remove_dir_all(&folder);
}
