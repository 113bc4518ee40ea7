//! Breaks `content/old-world` in many ways by chance, and looks whether `kaer check` finds each in the right file and line.
//!
//! `cargo test --release --test mutate -- --ignored --nocapture` breaks it in 200 ways and prints what was found, and all that was
//! not. `KAER_SEED=7` takes another seed, `KAER_KIND="text off by one"` shows twenty of one kind, and `KAER_WRITE=1` writes
//! the table into `docs/checking.md`.

#[path = "mutate/book.rs"]
mod book;
#[path = "mutate/calls.rs"]
mod calls;
#[path = "mutate/chance.rs"]
mod chance;
#[path = "mutate/entries.rs"]
mod entries;
#[path = "mutate/hooks.rs"]
mod hooks;
#[path = "mutate/kinds.rs"]
mod kinds;
#[path = "mutate/mutation.rs"]
mod mutation;
#[path = "mutate/names.rs"]
mod names;
#[path = "mutate/packs.rs"]
mod packs;
#[path = "mutate/run.rs"]
mod run;
#[path = "mutate/schema.rs"]
mod schema;
#[path = "mutate/script.rs"]
mod script;
#[path = "mutate/statements.rs"]
mod statements;
#[path = "mutate/stories.rs"]
mod stories;
#[path = "mutate/syntax.rs"]
mod syntax;
#[path = "mutate/texts.rs"]
mod texts;
#[path = "mutate/values.rs"]
mod values;
#[path = "mutate/words.rs"]
mod words;

use std::io::Write as _;
use std::path::Path;
use std::{env, fs};

use kaer::diagnostic::render_short;

use book::Book;

const PACK: &str = "content/old-world";
/// How many of a hundred must be found in the right file and line.
const WANTED: usize = 95;
/// The seed of the small sample, and of the table if nobody names another.
const SEED: u64 = 1;
/// How many are made for the table.
const MANY: usize = 200;
/// How many are made for the small sample: every kind about once, and without optimisation as many as twenty seconds allow.
const FEW: usize = if cfg!(debug_assertions) { 12 } else { 84 };
/// How many of a hundred of the small sample: without optimisation scripts run in a few scenes only.
const WANTED_OF_FEW: usize = if cfg!(debug_assertions) { 80 } else { WANTED };
/// Between these lines of the page stands the table.
const MARKS: (&str, &str) = ("<!-- mutations -->\n", "<!-- /mutations -->\n");

#[test]
fn the_unbroken_pack_has_no_finding() {
    let (shelf, report) = run::checked(&Book::read(PACK), None);
    let said: String = report
        .iter()
        .map(|fault| render_short(&shelf.set.files, fault))
        .collect();
    assert!(report.is_empty(), "{said}");
}

#[test]
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

#[test]
fn most_of_a_small_sample_is_found() {
    let outcomes = run::run(&Book::read(PACK), SEED, FEW);
    let share = run::share(&outcomes);
    assert!(
        share >= WANTED_OF_FEW,
        "{share} of a hundred, not {WANTED_OF_FEW}:\n{}",
        run::list(&outcomes)
    );
}

#[test]
#[ignore = "takes minutes; see the top of this file"]
fn most_of_all_is_found() {
    let book = Book::read(PACK);
    let seed = env::var("KAER_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok())
        .unwrap_or(SEED);
    if let Ok(kind) = env::var("KAER_KIND") {
        return show(&book, seed, &kind);
    }
    let outcomes = run::run(&book, seed, MANY);
    let (table, list, share) = (
        run::table(&outcomes),
        run::list(&outcomes),
        run::share(&outcomes),
    );
    say(&format!(
        "Seed {seed}.\n\n{table}\n{list}\n{share} of a hundred\n"
    ));
    if env::var("KAER_WRITE").is_ok() {
        write_table(seed, &table);
    }
    assert!(share >= WANTED, "{share} of a hundred, not {WANTED}");
}

/// Shows some mutations of one kind, and what was said of each.
fn show(book: &Book, seed: u64, name: &str) {
    let outcomes = run::of_kind(book, seed, name, 20);
    for outcome in outcomes {
        say(&format!("{}: {}\n", outcome.found.word(), outcome.told));
    }
}

fn say(text: &str) {
    let mut out = std::io::stdout();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .expect("there is somewhere to write to");
}

fn write_table(seed: u64, table: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/checking.md");
    let page = fs::read_to_string(&path).expect("the page is there");
    let (before, rest) = page.split_once(MARKS.0).expect("the page has its marks");
    let (_, after) = rest.split_once(MARKS.1).expect("the page has its marks");
    let text = format!(
        "{before}{}Seed {seed}.\n\n{table}{}{after}",
        MARKS.0, MARKS.1
    );
    fs::write(path, text).expect("the page can be written");
}
