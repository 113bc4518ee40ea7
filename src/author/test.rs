//! Running scenario cases: each twice, the second time with every script run by Rhai, and once more from its journal; hashes
//! that differ fail.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::rc::Rc;

use super::case::{Case, CaseFile, Players};
use super::{given, look, outcomes};
use crate::agents::Random;
use crate::content::SeatId;
use crate::diagnostic::{Files, Report, render_short};
use crate::game::{Choice as Line, Core, Game, Journal, Rules, Setup, Status, describe, text};
use crate::pack::Choice;
use crate::shelf::{Care, Opened, Shelf};

/// After so many decisions a game played to its end by chance is given up.
const MOST_DECISIONS: usize = 20_000;

/// What became of a case.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The file and the case's name.
    pub name: String,
    /// The rules it proves.
    pub rules: Vec<String>,
    /// What is wrong; nothing when it passed.
    pub failures: Vec<String>,
    /// The log and the end, for a snapshot.
    pub snapshot: Option<String>,
}

/// Reads a file of cases.
///
/// # Errors
/// What cannot be read, with its line.
pub fn read(text: &str) -> Result<CaseFile, String> {
    toml::from_str(text).map_err(|error| error.to_string())
}

/// Runs the cases of a file of a pack whose names contain something.
#[must_use]
pub fn run_file(shelf: &Shelf, pack: &str, file: &str, text: &str, filter: &str) -> Vec<Outcome> {
    let cases = match read(text) {
        Ok(cases) => cases,
        Err(_) if !file.contains(filter) => return Vec::new(),
        Err(why) => {
            let failures = vec![why];
            return vec![Outcome { name: file.to_owned(), rules: Vec::new(), failures, snapshot: None }];
        }
    };
    let mut open = Vec::new();
    let wanted = cases.case.iter().filter(|case| title(file, case).contains(filter));
    wanted.map(|case| run_case(shelf, pack, file, &cases, case, &mut open)).collect()
}

/// What the entries of a pack can do, as a case with a snapshot: whoever changes one of them sees what comes of it. Nothing for
/// packs that say of no kind how a game begins at it.
#[must_use]
pub fn outcomes(shelf: &Shelf, pack: &str, filter: &str) -> Option<Outcome> {
    let name = "outcomes".to_owned();
    let choice = usual_choice(shelf, pack).filter(|_| name.contains(filter))?;
    let mut open = Vec::new();
    let mut outcome = Outcome { name, rules: Vec::new(), failures: Vec::new(), snapshot: None };
    match opened(shelf, choice, &mut open) {
        Ok(opened) => {
            let (text, failures) = outcomes::all(shelf, opened, pack);
            (outcome.snapshot, outcome.failures) = (Some(text).filter(|text| !text.is_empty()), failures);
        }
        Err(why) => outcome.failures.push(why),
    }
    (outcome.snapshot.is_some() || !outcome.failures.is_empty()).then_some(outcome)
}

/// What was opened for a case, for those after it that play the same.
type Open = Vec<(Choice, Opened)>;

fn title(file: &str, case: &Case) -> String {
    format!("{file}: {}", case.name)
}

fn run_case(shelf: &Shelf, pack: &str, file: &str, cases: &CaseFile, case: &Case, open: &mut Open) -> Outcome {
    let rules = case.rule.as_ref().map(|rule| rule.list().to_vec()).unwrap_or_default();
    let mut outcome = Outcome { name: title(file, case), rules, failures: Vec::new(), snapshot: None };
    match Run::prepare(shelf, pack, cases, case, open) {
        Ok(run) => run.check(case, &mut outcome),
        Err(why) => outcome.failures.push(why),
    }
    outcome
}

/// A case, ready to be played as often as needed.
struct Run {
    rules: Rc<Rules>,
    /// The same with no script run the short way.
    interpreted: Rc<Rules>,
    setup: Setup,
}

impl Run {
    fn prepare(shelf: &Shelf, pack: &str, cases: &CaseFile, case: &Case, open: &mut Open) -> Result<Run, String> {
        let mode = match case.mode.as_ref().or(cases.defaults.mode.as_ref()) {
            Some(mode) if mode.contains(':') => mode.clone(),
            Some(mode) => own_mode(shelf, pack, mode),
            None => first_mode(shelf, pack)?,
        };
        let mut with = case.with.clone();
        if !mode.starts_with(&format!("{pack}:")) {
            with.push(pack.to_owned());
        }
        let choice = Choice { mode, with, options: case.options.clone() };
        let script = given::script(&cases.defaults, &case.given);
        let opened = opened(shelf, choice, open)?;
        let given = match script {
            Some(script) => {
                let (given, report) = shelf.with_given(opened, &script);
                if !report.is_sound() {
                    return Err(format!("{}\nwith what is given:\n{script}", faults(&shelf.set.files, &report)));
                }
                Some(given)
            }
            None => None,
        };
        let opened = given.as_ref().unwrap_or(opened);
        let (rules, interpreted) = (opened.rules.clone(), opened.interpreted());
        let least = rules.content.mode.as_ref().map_or(1, |mode| mode.seats_min);
        let names = match case.players.as_ref().or(cases.defaults.players.as_ref()) {
            Some(Players::Names(names)) => names.clone(),
            Some(Players::Count(count)) => (1..=*count).map(|n| format!("P{n}")).collect(),
            None => (1..=least).map(|n| format!("P{n}")).collect(),
        };
        let forced = given::forced(&rules.content, &case.chance)?;
        let roles = case.roles.iter().cloned().map(Some).collect();
        let setup = Setup { names, roles, seed: case.seed, forced, journal: true, log: true };
        Ok(Run { rules, interpreted, setup })
    }

    fn check(&self, case: &Case, outcome: &mut Outcome) {
        let (game, refused) = match self.play(case, &self.rules) {
            Ok(played) => played,
            Err(why) => return outcome.failures.push(why),
        };
        compare(case, &game, refused.as_deref(), &mut outcome.failures);
        match self.play(case, &self.interpreted) {
            Ok((again, _)) if again.state().hash() == game.state().hash() => {}
            _ => outcome.failures.push("played twice, it ended in two different states".to_owned()),
        }
        self.check_replay(&game, &mut outcome.failures);
        if case.expect.snapshot {
            outcome.snapshot = Some(snapshot(&game));
        }
    }

    fn check_replay(&self, game: &Game, failures: &mut Vec<String>) {
        let journal = Journal { lines: game.journal().to_vec(), ..Journal::default() };
        let read = Journal::parse(&journal.text()).map(|journal| journal.lines);
        match read.map(|lines| Game::replay(self.rules.clone(), &self.setup, &lines)) {
            Ok(Ok(again)) if again.state().hash() == game.state().hash() => {}
            Ok(Ok(_)) => failures.push("replayed from its journal, it ended in another state".to_owned()),
            Ok(Err(unfit)) => failures.push(format!("its journal does not fit at answer {}: {}", unfit.1 + 1, unfit.2)),
            Err(why) => failures.push(format!("its journal cannot be read: {why}")),
        }
    }

    /// Plays the moves; gives why the last one was refused, if it was.
    fn play(&self, case: &Case, rules: &Rc<Rules>) -> Result<(Game, Option<String>), String> {
        let mut game = Game::new(rules.clone(), self.setup.clone())?;
        game.run();
        let last = case.moves.len();
        for (ix, line) in case.moves.iter().enumerate() {
            if let Err(why) = answer(&mut game, line) {
                if ix + 1 == last && case.expect.refused.is_some() {
                    return Ok((game, Some(why)));
                }
                let asked = game.decision().map(|decision| decision.prompt).unwrap_or_default();
                // A script that failed before may be why.
                let told = |fault| format!("\n  before that a script failed: {}", describe(game.core(), fault));
                let failed: String = game.faults().iter().map(told).collect();
                return Err(format!(
                    "move {} (`{line}`) does not fit: {why}{failed}\n  asked: {asked}\n{}",
                    ix + 1,
                    log_text(&game)
                ));
            }
        }
        match case.then.as_deref() {
            Some("random") => play_out(&mut game, case.seed)?,
            Some(other) => return Err(format!("then: nobody called `{other}` plays; write `random`")),
            None => {}
        }
        Ok((game, None))
    }
}

/// What a choice opens, opened once.
fn opened<'o>(shelf: &Shelf, choice: Choice, open: &'o mut Open) -> Result<&'o Opened, String> {
    if let Some(at) = open.iter().position(|(other, _)| *other == choice) {
        return Ok(&open[at].1);
    }
    let (opened, report) = shelf.open_again(&choice, None, None, Care::Names);
    let opened = opened.filter(|_| report.is_sound()).ok_or_else(|| faults(&shelf.set.files, &report))?;
    open.push((choice, opened));
    Ok(&open[open.len() - 1].1)
}

fn own_mode(shelf: &Shelf, pack: &str, mode: &str) -> String {
    let own = format!("{pack}:{mode}");
    if shelf.modes().iter().any(|line| line.name == own) { own } else { mode.to_owned() }
}

/// The first mode of a pack; for one without, that of a pack it extends, with it on top.
fn usual_choice(shelf: &Shelf, pack: &str) -> Option<Choice> {
    if let Ok(mode) = first_mode(shelf, pack) {
        return Some(Choice { mode, ..Choice::default() });
    }
    let (_, held) = shelf.set.pack(pack)?;
    let mode = held.manifest.extends.iter().find_map(|base| first_mode(shelf, &base.id).ok())?;
    Some(Choice { mode, with: vec![pack.to_owned()], options: Vec::new() })
}

fn first_mode(shelf: &Shelf, pack: &str) -> Result<String, String> {
    let own = shelf.modes().into_iter().find(|line| line.name.starts_with(&format!("{pack}:")));
    own.map(|line| line.name)
        .ok_or_else(|| format!("{pack} has no mode of its own: the case must say which `mode` it plays"))
}

fn faults(files: &Files, report: &Report) -> String {
    report.iter().map(|fault| render_short(files, fault)).collect::<Vec<_>>().join("\n")
}

/// Answers with a move of a case.
fn answer(game: &mut Game, line: &str) -> Result<Status, String> {
    let (seat, keys) = match line.split_once('>') {
        Some((seat, keys)) => (seat.trim().parse::<u8>().ok().and_then(|n| n.checked_sub(1)).map(SeatId), keys),
        None => (None, line),
    };
    let ask = game.pending().ok_or("the game is over, or nobody is asked anything")?;
    let seat = seat.unwrap_or_else(|| ask.seat());
    let keys: Vec<String> = keys.split_whitespace().map(str::to_owned).collect();
    game.answer_keys(seat, &keys)
}

/// Plays to the end by chance.
///
/// # Errors
/// When the game does not end.
pub fn play_out(game: &mut Game, seed: u64) -> Result<(), String> {
    use crate::game::Agent as _;
    let mut agent = Random::new(seed);
    for _ in 0..MOST_DECISIONS {
        let Some(ask) = game.pending() else { return Ok(()) };
        let answer = agent.decide(game.core(), ask);
        game.answer(answer)?;
    }
    Err(format!("the game did not end within {MOST_DECISIONS} decisions"))
}

fn compare(case: &Case, game: &Game, refused: Option<&str>, failures: &mut Vec<String>) {
    let expect = &case.expect;
    let core = game.core();
    compare_log(case, game, failures);
    for (path, wanted) in &expect.state {
        match look::at(core, path) {
            Ok(found) if found.fits(wanted) => {}
            Ok(found) => failures.push(format!("{path} is {}, expected {wanted}", found.text())),
            Err(why) => failures.push(why),
        }
    }
    for (id, wanted) in &expect.counted {
        let own = core.state.tallies.iter().filter(|(entry, ..)| *core.content().entry(*entry).id == **id);
        let found: BTreeMap<String, i64> = own.map(|(_, group, number)| (group.to_string(), *number)).collect();
        if found != *wanted {
            failures.push(format!("{id} has counted {found:?}, expected {wanted:?}"));
        }
    }
    compare_decision(case, game, failures);
    let over = core.state.over.is_some();
    if expect.over.is_some_and(|wanted| wanted != over) {
        failures.push(format!("the game is {}over", if over { "" } else { "not " }));
    }
    let winners = core.state.over.as_ref().map(|over| over.winners.iter().map(|seat| seat.0 + 1).collect::<Vec<u8>>());
    if expect.winners.is_some() && winners != expect.winners {
        failures.push(format!("the winners are {winners:?}, expected {:?}", expect.winners));
    }
    compare_faults(case, game, failures);
    if let Some(wanted) = &expect.refused
        && !refused.is_some_and(|why| why.contains(wanted))
    {
        failures
            .push(format!("the last move should be refused with `{wanted}`; {}", refused.unwrap_or("it was accepted")));
    }
    compare_views(case, game, failures);
}

fn compare_log(case: &Case, game: &Game, failures: &mut Vec<String>) {
    let lines = log_lines(game.core());
    let mut from = 0;
    let mut missing = false;
    for wanted in &case.expect.log {
        match lines[from..].iter().position(|line| line.contains(wanted)) {
            Some(at) => from += at + 1,
            None => {
                missing = true;
                failures.push(format!("the log has no `{wanted}` (after line {from})"));
            }
        }
    }
    if missing {
        failures.push(format!("the log:\n{}", log_text(game)));
    }
    for unwanted in &case.expect.not_log {
        if let Some(line) = lines.iter().find(|line| line.contains(unwanted)) {
            failures.push(format!("the log should not have `{unwanted}`: {line}"));
        }
    }
}

fn compare_decision(case: &Case, game: &Game, failures: &mut Vec<String>) {
    let expect = &case.expect;
    let decision = game.decision();
    // In a question open to several seats, a key says whose it is, as in a move: `2> gift`.
    let named = |option: &Line| match option.seat {
        Some(seat) => format!("{}> {}", seat.0 + 1, option.key),
        None => option.key.clone(),
    };
    let keys = |open: bool| -> Vec<String> {
        let options = decision.iter().flat_map(|decision| &decision.options);
        options.filter(|option| option.closed.is_none() == open).map(named).collect()
    };
    if let Some(wanted) = &expect.decision {
        let fits = decision.as_ref().is_some_and(|d| d.prompt.contains(wanted) || d.id.contains(wanted));
        if !fits {
            let asked = decision.as_ref().map_or("nothing".to_owned(), |d| format!("{} ({})", d.prompt, d.id));
            failures.push(format!("asked is {asked}, expected `{wanted}`"));
        }
    }
    if let Some(wanted) = &expect.options {
        let (mut open, mut wanted) = (keys(true), wanted.clone());
        open.sort_unstable();
        wanted.sort_unstable();
        if open != wanted {
            failures.push(format!("open are {open:?}, expected {wanted:?}"));
        }
    }
    for (key, wanted) in &expect.closed {
        let option = decision.iter().flat_map(|decision| &decision.options).find(|option| named(option) == *key);
        match option.map(|option| option.closed.as_deref()) {
            Some(Some(reason)) if reason.contains(wanted) => {}
            Some(Some(reason)) => failures.push(format!("`{key}` is closed with `{reason}`, expected `{wanted}`")),
            Some(None) => failures.push(format!("`{key}` is open, expected closed with `{wanted}`")),
            None => failures.push(format!("`{key}` is not shown; closed are {:?}", keys(false))),
        }
    }
    for key in &expect.hidden {
        if keys(true).contains(key) || keys(false).contains(key) {
            failures.push(format!("`{key}` is shown, expected hidden"));
        }
    }
}

fn compare_faults(case: &Case, game: &Game, failures: &mut Vec<String>) {
    let faults: Vec<String> = game.faults().iter().map(|fault| describe(game.core(), fault)).collect();
    for wanted in &case.expect.faults {
        if !faults.iter().any(|fault| fault.contains(wanted)) {
            failures.push(format!("no script failed with `{wanted}`; faults are {faults:?}"));
        }
    }
    if case.expect.faults.is_empty() {
        failures.extend(faults.iter().map(|fault| format!("a script failed: {fault}")));
    }
}

fn compare_views(case: &Case, game: &Game, failures: &mut Vec<String>) {
    for (seat, unseen) in &case.expect.unseen {
        let Some(seat) = seat.parse::<u8>().ok().and_then(|n| n.checked_sub(1)).map(SeatId) else {
            failures.push(format!("unseen: `{seat}` is no seat"));
            continue;
        };
        let view = serde_json::to_string(&game.view(seat)).unwrap_or_default();
        let core = game.core();
        let told: String = game.log().lines.iter().filter_map(|line| text::line(core, line, Some(seat))).collect();
        for word in unseen.iter().filter(|word| view.contains(*word) || told.contains(*word)) {
            failures.push(format!("seat {} should see nothing of `{word}`", seat.0 + 1));
        }
    }
}

/// The log of a game as someone who sees everything reads it.
#[must_use]
pub fn log_lines(core: &Core) -> Vec<String> {
    core.log.lines.iter().filter_map(|line| text::line(core, line, None)).collect()
}

fn log_text(game: &Game) -> String {
    let lines = log_lines(game.core());
    let from = lines.len().saturating_sub(60);
    lines[from..].iter().map(|line| format!("    {line}\n")).collect()
}

/// The log, what is asked and the end, as snapshots hold them.
fn snapshot(game: &Game) -> String {
    let mut text = log_lines(game.core()).join("\n");
    if let Some(decision) = game.decision() {
        let _ = write!(text, "\n\n? {}", decision.prompt);
        for option in &decision.options {
            let closed = option.closed.as_deref().map(|why| format!(" (closed: {why})")).unwrap_or_default();
            let whose = option.seat.map(|seat| format!("{}> ", seat.0 + 1)).unwrap_or_default();
            let _ = write!(text, "\n  {whose}{}: {}{closed}", option.key, option.label);
        }
    }
    let _ = write!(text, "\n\nstate {}", game.state().hash());
    text
}
