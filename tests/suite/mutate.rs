//! Breaks `content/old-world` in many ways by chance, and looks whether `kaer check` finds each in the right file and line.
//!
//! `cargo test --release mutate -- --ignored` breaks it in 200 ways and lists what was not found;
//! with `INSTA_UPDATE=always` it writes the table in `docs/checking.md`.

mod book;
mod calls;
mod chance;
mod entries;
mod hooks;
mod kinds;
mod mutation;
mod names;
mod packs;
mod run;
mod schema;
mod script;
mod statements;
mod stories;
mod syntax;
mod texts;
mod values;
mod words;

use std::fs;
use std::path::Path;

use book::Book;
use kaer::check;
use libtest_mimic::Trial;

use crate::support::{replace, trials, updating};

const PACK: &str = "content/old-world";
/// How many of a hundred must be found in the right file and line.
const WANTED: usize = 95;
/// The seed of the small sample and of the table.
const SEED: u64 = 1;
/// How many are made for the table.
const MANY: usize = 200;
/// How many are made for the small sample.
const FEW: usize = 12;
/// How many of a hundred of the small sample must be found: scripts run in a few scenes only.
const WANTED_OF_FEW: usize = 80;
/// The effort for the small sample.
const LITTLE: check::Effort = check::Effort {
    answers: 100,
    games: 1,
    scenes: 24,
    only: None,
};
/// Between these lines of the page stands the table.
const MARKS: (&str, &str) = ("<!-- mutations -->\n", "<!-- /mutations -->\n");

pub fn trials() -> Vec<Trial> {
    let mut trials = trials![most_of_a_small_sample_is_found, every_kind_finds_a_place];
    let all = trials![most_of_all_is_found].into_iter();
    trials.extend(all.map(|trial| trial.with_ignored_flag(true)));
    trials
}

fn every_kind_finds_a_place() {
    let book = Book::read(PACK);
    for kind in kinds::all() {
        let mut chance = chance::Chance::new(SEED);
        let made = (0..4)
            .filter_map(|_| (kind.make)(&book, &mut chance))
            .count();
        assert!(made > 0, "`{}` finds no place to break", kind.name);
    }
}

fn most_of_a_small_sample_is_found() {
    let outcomes = run::run(&Book::read(PACK), SEED, FEW, &LITTLE);
    let share = run::share(&outcomes);
    assert!(
        share >= WANTED_OF_FEW,
        "{share} of a hundred, not {WANTED_OF_FEW}:\n{}",
        run::list(&outcomes)
    );
}

fn most_of_all_is_found() {
    let outcomes = run::run(&Book::read(PACK), SEED, MANY, &check::Effort::default());
    let share = run::share(&outcomes);
    if updating() {
        write_table(&run::table(&outcomes));
    }
    assert!(
        share >= WANTED,
        "{share} of a hundred, not {WANTED}:\n{}",
        run::list(&outcomes)
    );
}

fn write_table(table: &str) {
    let path = Path::new("docs/checking.md");
    let page = fs::read_to_string(path).expect("the page is there");
    let (before, rest) = page.split_once(MARKS.0).expect("the page has its marks");
    let (_, after) = rest.split_once(MARKS.1).expect("the page has its marks");
    let text = format!(
        "{before}{}Seed {SEED}.\n\n{table}{}{after}",
        MARKS.0, MARKS.1
    );
    replace(path, &text);
}
