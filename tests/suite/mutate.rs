//! Mutation tests of `kaer check`: breaks `content/old-world` in many random ways and tests whether
//! the check reports each at the right file and line.
//!
//! `cargo test --release -- --ignored mutate` makes 200 mutations and lists those that were missed;
//! with `INSTA_UPDATE=always` it updates the table in `docs/checking.md`.

mod book;
mod calls;
mod entries;
mod hooks;
mod kinds;
mod mutation;
mod names;
mod packs;
pub mod rng;
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
/// The percentage that must be found at the right file and line.
const MIN_PERCENT: usize = 95;
/// The seed of the small sample and of the table.
const SEED: u64 = 1;
/// Mutations in the table.
const TABLE_SIZE: usize = 200;
/// Mutations in the small sample.
const SAMPLE_SIZE: usize = 12;
/// The percentage of the small sample that must be found; lower, because scripts run in only a few
/// snapshots.
const MIN_SAMPLE_PERCENT: usize = 80;
/// The check effort for the small sample.
const SAMPLE_EFFORT: check::Effort = check::Effort {
    answers: 100,
    games: 1,
    snapshots: 24,
    only: None,
};
/// The lines around the table in the page.
const TABLE_MARKERS: (&str, &str) = ("<!-- mutations -->\n", "<!-- /mutations -->\n");

pub fn trials() -> Vec<Trial> {
    let mut trials = trials![most_of_a_small_sample_is_found, every_kind_can_be_applied];
    let all = trials![most_mutations_are_found].into_iter();
    trials.extend(all.map(|trial| trial.with_ignored_flag(true)));
    trials
}

fn every_kind_can_be_applied() {
    let book = Book::read(PACK);
    for kind in kinds::all() {
        let mut rng = rng::Rng::new(SEED);
        let made = (0..4).filter_map(|_| (kind.make)(&book, &mut rng)).count();
        assert!(made > 0, "`{}` finds no place to break", kind.name);
    }
}

fn most_of_a_small_sample_is_found() {
    let outcomes = run::run(&Book::read(PACK), SEED, SAMPLE_SIZE, &SAMPLE_EFFORT);
    let share = run::share(&outcomes);
    assert!(
        share >= MIN_SAMPLE_PERCENT,
        "{share}% found, expected {MIN_SAMPLE_PERCENT}%:\n{}",
        run::list(&outcomes)
    );
}

fn most_mutations_are_found() {
    let outcomes = run::run(
        &Book::read(PACK),
        SEED,
        TABLE_SIZE,
        &check::Effort::default(),
    );
    let share = run::share(&outcomes);
    if updating() {
        write_table(&run::table(&outcomes));
    }
    assert!(
        share >= MIN_PERCENT,
        "{share}% found, expected {MIN_PERCENT}%:\n{}",
        run::list(&outcomes)
    );
}

fn write_table(table: &str) {
    let path = Path::new("docs/checking.md");
    let page = fs::read_to_string(path).expect("docs/checking.md exists");
    let (before, rest) = page
        .split_once(TABLE_MARKERS.0)
        .expect("the page has both markers");
    let (_, after) = rest
        .split_once(TABLE_MARKERS.1)
        .expect("the page has both markers");
    let text = format!(
        "{before}{}Seed {SEED}.\n\n{table}{}{after}",
        TABLE_MARKERS.0, TABLE_MARKERS.1
    );
    replace(path, &text);
}
