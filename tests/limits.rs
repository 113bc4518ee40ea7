//! What strangers' packs may try, and what becomes of it: a fault that names the entry, and a game that goes on.
//!
//! A case is a file in `tests/limits/`, laid into the small game of `tests/limits/pack.toml`; functions may stand in a
//! `.rhai` file of the same name. It is played by someone who always takes the first open line, and its mode is the one
//! it declares, if it declares one. Its snapshot is what was said: by the check, or by the game.

use std::fmt::Write as _;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use kaer::author::check;
use kaer::diagnostic::{Look, Report, render, render_short};
use kaer::game::{Answer, Ask, Form, Game, Journal, Picks, Rules, Setup, decision, text};
use kaer::pack::{Choice, Origin, Source, named_packs};
use kaer::shelf::Shelf;

/// After so many decisions a case that does not end is left.
const MOST_DECISIONS: usize = 1_000;
/// So many lines of a snapshot are kept at its beginning, and so many at its end.
const SHOWN: (usize, usize) = (30, 6);

#[test]
fn limits_hold() {
    let cases = cases();
    let parts: Vec<&[PathBuf]> = cases.chunks(cases.len().div_ceil(2)).collect();
    let run = |part: &[PathBuf]| part.iter().map(|case| (name(case), told(case))).collect::<Vec<_>>();
    let results: Vec<(String, String)> = std::thread::scope(|scope| {
        let threads: Vec<_> = parts.iter().map(|part| scope.spawn(move || run(part))).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    for (name, text) in results {
        insta::assert_snapshot!(name, text);
    }
}

fn cases() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir("tests/limits").unwrap().map(|item| item.unwrap().path()).collect();
    found.retain(|path| path.extension().is_some_and(|ending| ending == "toml") && !path.ends_with("pack.toml"));
    found.sort();
    found
}

fn name(case: &Path) -> String {
    case.file_stem().unwrap().to_string_lossy().into_owned()
}

/// What is said of a case; a panic is said too, so that the other cases are still looked at.
fn told(case: &Path) -> String {
    let result = catch_unwind(AssertUnwindSafe(|| {
        let shelf = Shelf::load(vec![source(case)]);
        let report = check::check(&shelf, |_| true);
        if report.is_empty() { played(&shelf) } else { rendered(&shelf, &report) }
    }));
    result.unwrap_or_else(|payload| {
        let words = payload.downcast_ref::<String>().map(String::as_str);
        let words = words.or_else(|| payload.downcast_ref::<&str>().copied());
        format!("PANIC: {}", words.unwrap_or("?"))
    })
}

/// The small game with a case laid into it.
fn source(case: &Path) -> Source {
    let read = |path: &Path| fs::read_to_string(path).unwrap_or_default();
    let (head, text) = (read(Path::new("tests/limits/pack.toml")), read(case));
    let functions = read(&case.with_extension("rhai"));
    Source::texts("bomb", &[("pack.toml", &head), ("case.toml", &text), ("case.rhai", &functions)])
}

fn rendered(shelf: &Shelf, report: &Report) -> String {
    report.iter().map(|fault| render_short(&shelf.set.files, fault) + "\n").collect()
}

/// What happens in a case, which a replay of its journal must repeat.
fn played(shelf: &Shelf) -> String {
    let mode = shelf.modes().pop().unwrap().name;
    let (rules, _) = shelf.open(&Choice { mode, ..Choice::default() }, None);
    let rules = rules.unwrap();
    let mut game = Game::new(rules.clone(), setup()).unwrap();
    game.run();
    let mut text = String::new();
    let mut lines = 0;
    for _ in 0..MOST_DECISIONS {
        tell(&game, &mut lines, &mut text);
        let Some(ask) = game.pending() else { break };
        let answer = first(ask);
        let keys = decision::answer_keys(game.core(), ask, &answer).join(" ");
        let _ = writeln!(text, "? {}\n> {keys}", options(&game));
        if let Err(why) = game.answer(answer) {
            let _ = writeln!(text, "nobody can answer: {why}");
            break;
        }
    }
    same_again(rules, &game);
    assert!(game.state().over.is_some() || game.pending().is_some(), "the game neither ends nor asks");
    let _ = write!(text, "{} faults", game.faults().len());
    shortened(&text)
}

fn setup() -> Setup {
    Setup { names: vec!["Ann".to_owned()], seed: 1, journal: true, log: true, ..Setup::default() }
}

/// The answer of someone who takes the first open line and the least amount.
fn first(ask: &Ask) -> Answer {
    let open = || ask.open().map(|ix| i64::try_from(ix).unwrap());
    let picks = match ask.form {
        Form::One => Picks::One(open().next().unwrap_or(0)),
        Form::Some { min, .. } => Picks::Many(open().take(min.into()).collect()),
        Form::Order => Picks::Many(open().collect()),
        Form::Amount { min, .. } => Picks::One(min),
        Form::Split { total } => Picks::Many((0..ask.options.len()).map(|ix| if ix == 0 { total } else { 0 }).collect()),
    };
    Answer::new(ask.seat(), picks)
}

/// Writes down what the log has gained.
fn tell(game: &Game, lines: &mut usize, out: &mut String) {
    let all = &game.log().lines;
    for line in &all[(*lines).min(all.len())..] {
        if let Some(words) = text::line(game.core(), line, None) {
            let _ = writeln!(out, "{words}");
        }
    }
    *lines = all.len();
}

/// The question and its options in one line.
fn options(game: &Game) -> String {
    let decision = game.decision().unwrap();
    let line = |option: &kaer::game::Choice| match &option.closed {
        Some(why) => format!("{} (closed: {why})", option.key),
        None => option.key.clone(),
    };
    let options: Vec<String> = decision.options.iter().map(line).collect();
    format!("{} {} {}", decision.prompt, decision.form, options.join(", "))
}

/// The answers lead to the same state, with the same faults and the same log.
fn same_again(rules: Rc<Rules>, game: &Game) {
    let journal = Journal { lines: game.journal().to_vec(), ..Journal::default() };
    let lines = Journal::parse(&journal.text()).unwrap().lines;
    let again = Game::replay(rules, &setup(), &lines);
    let again = again.unwrap_or_else(|failed| panic!("answer {} of the journal does not fit: {}", failed.1 + 1, failed.2));
    assert_eq!(again.state().hash(), game.state().hash(), "the journal leads to another state");
    assert_eq!(again.faults(), game.faults(), "the journal leads to other faults");
    assert_eq!(again.log().lines, game.log().lines, "the journal leads to another log");
}

/// A long text without its middle.
fn shortened(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(|line| line.get(..400).unwrap_or(line)).collect();
    let (head, tail) = SHOWN;
    if lines.len() <= head + tail + 1 {
        return lines.join("\n");
    }
    let left = lines.len() - head - tail;
    format!("{}\n… {left} lines …\n{}", lines[..head].join("\n"), lines[lines.len() - tail..].join("\n"))
}
