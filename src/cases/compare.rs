//! Compares a game with what its case expects.

use std::collections::BTreeMap;

use super::case::{Case, ExpectedValue};
use super::failures::CaseFailures;
use super::inspect::{self, InspectedValue};
use super::keys::KeyWords;
use super::run::PlayedCase;
use super::setup;
use crate::content::SeatId;
use crate::diagnostic::{nearest, unknown_name};
use crate::game::render::{LogDetail, entries, log_line};
use crate::game::{Decision, DecisionOption, Game, describe, initial, lookup};

/// A failing case shows this many lines of its log.
const MAX_LOG_LINES: usize = 30;

/// Reports each expectation that is not met.
pub(super) fn compare(case: &Case, played: &PlayedCase, failures: &mut CaseFailures) {
    log(case, played, failures);
    state(case, played, failures);
    counted(case, &played.game, failures);
    decision(case, &played.game, failures);
    end(case, &played.game, failures);
    faults(case, &played.game, failures);
    if let Some(wanted) = &case.expect.refused
        && !played
            .refused
            .as_ref()
            .is_some_and(|error| error.contains(&wanted.value))
    {
        let found = match &played.refused {
            Some(error) => format!("`{error}`"),
            None => "it was accepted".to_owned(),
        };
        failures.at(
            wanted.at,
            format!(
                "last move: expected a refusal with `{}`, found: {found}",
                wanted.value
            ),
        );
    }
    views(case, &played.game, failures);
    chance(case, &played.game, failures);
}

/// Reports forced random results that nothing has used.
fn chance(case: &Case, game: &Game, failures: &mut CaseFailures) {
    let (in_setup, later) = game.unused_forced();
    let setup = &case.setup;
    let lists = [
        (
            &setup.chance,
            setup.inherits_chance,
            in_setup,
            "setup.chance",
        ),
        (&case.chance, case.inherits_chance, later, "chance"),
    ];
    for (list, inherits, unused, field) in lists {
        let Some(first) = list.get(list.len().saturating_sub(unused)) else {
            continue;
        };
        if inherits {
            continue;
        }
        let all = list.len();
        let message = match (unused, all) {
            (1, 1) => format!("{field}: the result was not used"),
            (1, _) => format!("{field}: the last of {all} results was not used"),
            _ => format!("{field}: the last {unused} of {all} results were not used"),
        };
        failures.at(first.at, format!("{message}; remove what is left over"));
    }
}

fn log(case: &Case, played: &PlayedCase, failures: &mut CaseFailures) {
    if case.expect.log.is_empty() && case.expect.not_log.is_empty() {
        return;
    }
    let all = readings(&played.game);
    let lines = &all[played.after.min(all.len())..];
    let contains = |line: &LineReadings, text: &str| line.iter().any(|line| line.contains(text));
    let mut from = 0;
    for wanted in &case.expect.log {
        match lines[from..].iter().position(|line| contains(line, wanted)) {
            Some(at) => from += at + 1,
            None => {
                let texts = lines[from..].iter().flatten().map(String::as_str);
                let near = nearest(wanted, texts);
                let near = near
                    .map(|near| format!("; the nearest line is `{near}`"))
                    .unwrap_or_default();
                failures.at(
                    wanted.at,
                    format!(
                        "log: expected `{}` after line {from}, not found{near}",
                        wanted.value
                    ),
                );
            }
        }
    }
    for unwanted in &case.expect.not_log {
        let mut texts = lines.iter().flatten();
        if let Some(line) = texts.find(|line| line.contains(&unwanted.value)) {
            failures.at(
                unwanted.at,
                format!("log: expected no `{}`, found `{line}`", unwanted.value),
            );
        }
    }
}

/// The texts of a log line: as `--verbose` shows it, and as each reader sees it at the prompt.
type LineReadings = Vec<String>;

/// The texts of all log lines.
fn readings(game: &Game) -> Vec<LineReadings> {
    let context = game.context();
    let lines = context.log.lines.iter();
    let mut all: Vec<LineReadings> = lines
        .map(|line| {
            let text = log_line::render_verbose(context, line, None);
            text.into_iter().collect()
        })
        .collect();
    let seats = (0..context.state.seats).map(|seat| Some(SeatId(seat)));
    for reader in seats.chain([None]) {
        for entry in entries(context, 0, reader, LogDetail::Normal) {
            if !all[entry.first].contains(&entry.text) {
                all[entry.first].push(entry.text);
            }
        }
    }
    all
}

fn state(case: &Case, played: &PlayedCase, failures: &mut CaseFailures) {
    let game = &played.game;
    for (path, wanted) in &case.expect.state {
        let qualified = setup::qualified_path(game.content(), played.pack, path);
        match inspect::at(game.context(), played.pack, &qualified) {
            Ok(found) if found.fits(game.content(), played.pack, wanted) => {}
            Ok(found) => {
                let (path_text, expected) = (&path.value, InspectedValue::from(wanted).text());
                failures.at(
                    path.at,
                    format!("{path_text}: expected {expected}, found {}", found.text()),
                );
                if let ExpectedValue::Pieces(ids) = wanted {
                    let unknown = ids
                        .iter()
                        .filter_map(|id| lookup::entry(game.content(), id).err());
                    unknown.for_each(|error| failures.at(path.at, error));
                }
            }
            Err(error) => failures.at(path.at, error),
        }
    }
}

fn counted(case: &Case, game: &Game, failures: &mut CaseFailures) {
    let (content, tallies) = (game.content(), &game.state().tallies);
    let statistics = content
        .kind("statistic")
        .into_iter()
        .flat_map(|kind| content.of_kind(kind));
    let known: Vec<&str> = statistics.map(|entry| &*content.entry(entry).id).collect();
    for (id, wanted) in &case.expect.counted {
        if !known.contains(&id.as_str()) {
            failures.at(
                id.at,
                lookup::did_you_mean(unknown_name("statistic", id), id, &known),
            );
            continue;
        }
        let own = tallies
            .iter()
            .filter(|(entry, ..)| *content.entry(*entry).id == *id.value);
        let found: BTreeMap<String, i64> = own
            .map(|(_, group, number)| (group.to_string(), *number))
            .collect();
        if found != *wanted {
            failures.at(
                id.at,
                format!("{}: expected {wanted:?}, found {found:?}", id.value),
            );
        }
    }
}

/// The key of an option, as in a case. If several seats may answer, the seat comes first, as in a
/// move: `2> gift`.
pub(super) fn key(option: &DecisionOption) -> String {
    match option.seat {
        Some(seat) => format!("{}> {}", seat.0 + 1, option.key),
        None => option.key.clone(),
    }
}

/// The keys of a question's open or closed options.
pub(super) fn option_keys(decision: Option<&Decision>, open: bool) -> Vec<String> {
    let options = decision.into_iter().flat_map(|decision| &decision.options);
    options
        .filter(|option| option.closed.is_none() == open)
        .map(key)
        .collect()
}

fn decision(case: &Case, game: &Game, failures: &mut CaseFailures) {
    let expect = &case.expect;
    let decision = game.decision();
    if let Some(wanted) = &expect.decision {
        let matches = decision
            .as_ref()
            .is_some_and(|d| d.prompt.contains(&wanted.value) || d.id.contains(&wanted.value));
        if !matches {
            let found = decision.as_ref().map_or("no question".to_owned(), |d| {
                format!("{} ({})", d.prompt, d.id)
            });
            failures.at(
                wanted.at,
                format!("question: expected `{}`, found {found}", wanted.value),
            );
        }
    }
    let (mut open, closed) = (
        option_keys(decision.as_ref(), true),
        option_keys(decision.as_ref(), false),
    );
    if let Some(wanted) = &expect.options {
        let mut sorted = wanted.value.clone();
        open.sort_unstable();
        sorted.sort_unstable();
        if open != sorted {
            failures.at(
                wanted.at,
                format!("open options: expected {sorted:?}, found {open:?}"),
            );
        }
    }
    for name in expect.open.iter().filter(|name| !open.contains(name)) {
        let found = if closed.contains(name) {
            "closed".to_owned()
        } else {
            let near = nearest(name, open.iter().map(String::as_str));
            let near = near.map(|near| format!("; did you mean `{near}`?"));
            format!("no such option{}", near.unwrap_or_default())
        };
        let message = format!("`{}`: expected open, found {found}", name.value);
        failures.at(name.at, message);
    }
    for (name, wanted) in &expect.closed {
        let option = decision
            .iter()
            .flat_map(|decision| &decision.options)
            .find(|option| key(option) == name.value);
        let name_text = &name.value;
        let message = match option.map(|option| option.closed.as_deref()) {
            Some(Some(reason)) if reason.contains(wanted) => continue,
            Some(Some(reason)) => {
                format!("`{name_text}`: expected closed with `{wanted}`, found `{reason}`")
            }
            Some(None) => format!("`{name_text}`: expected closed with `{wanted}`, found open"),
            None => {
                let near = nearest(name_text, closed.iter().chain(&open).map(String::as_str));
                let near = near
                    .map(|near| format!("; did you mean `{near}`?"))
                    .unwrap_or_default();
                format!(
                    "`{name_text}`: expected closed, found no such option (closed: {closed:?}){near}"
                )
            }
        };
        failures.at(name.at, message);
    }
    let mut words: Option<KeyWords> = None;
    for name in &expect.hidden {
        if open.contains(name) || closed.contains(name) {
            let message = format!("`{}`: expected hidden, found in the menu", name.value);
            failures.at(name.at, message);
        } else if game.content().find(name).is_none() {
            let words = words.get_or_insert_with(|| KeyWords::new(game.content(), failures.files));
            if let Some(error) = words.unknown(game.content(), name) {
                failures.at(name.at, error);
            }
        }
    }
}

fn end(case: &Case, game: &Game, failures: &mut CaseFailures) {
    let over = &game.state().outcome;
    if let Some(wanted) = &case.expect.over
        && wanted.value != over.is_some()
    {
        let message = if over.is_some() {
            "expected the game to continue, but it is over"
        } else {
            "expected the game to be over, but it continues"
        };
        failures.at(wanted.at, message);
    }
    if let Some(wanted) = &case.expect.winners {
        let winners = over.as_ref().map(|over| {
            over.winners
                .iter()
                .map(|seat| seat.0 + 1)
                .collect::<Vec<u8>>()
        });
        match winners {
            Some(winners) if winners == wanted.value => {}
            Some(winners) => {
                failures.at(
                    wanted.at,
                    format!("winners: expected {:?}, found {winners:?}", wanted.value),
                );
            }
            None => failures.at(
                wanted.at,
                format!(
                    "winners: expected {:?}, but the game is not over",
                    wanted.value
                ),
            ),
        }
    }
}

fn faults(case: &Case, game: &Game, failures: &mut CaseFailures) {
    let faults: Vec<String> = game
        .faults()
        .iter()
        .map(|fault| describe(game.context(), fault))
        .collect();
    for wanted in &case.expect.faults {
        if !faults.iter().any(|fault| fault.contains(&wanted.value)) {
            failures.at(
                wanted.at,
                format!("faults: expected `{}`, found {faults:?}", wanted.value),
            );
        }
    }
    let script = game.content().setup_script.map(|(_, hook)| hook);
    for fault in game
        .faults()
        .iter()
        .filter(|_| case.expect.faults.is_empty())
    {
        let words = describe(game.context(), fault);
        let by_data = fault.hook.is_none() && words.starts_with(initial::FAULT_PREFIX);
        if by_data || (fault.hook.is_some() && fault.hook == script) {
            let words = words.strip_prefix(initial::FAULT_PREFIX).unwrap_or(&words);
            failures.at(
                case.setup.at().unwrap_or(case.name.at),
                format!("the setup failed: {words}"),
            );
        } else {
            failures.push(format!("a script failed: {words}"));
        }
    }
}

fn views(case: &Case, game: &Game, failures: &mut CaseFailures) {
    for (name, unseen) in &case.expect.unseen {
        let seat = match lookup::only_seat(game.state().seats, name) {
            Ok(seat) => seat,
            Err(error) => {
                failures.at(name.at, format!("unseen: {error}"));
                continue;
            }
        };
        let view = serde_json::to_string(&game.view(seat)).unwrap_or_default();
        let context = game.context();
        let log: String = game
            .log()
            .lines
            .iter()
            .filter_map(|line| log_line::render_verbose(context, line, Some(seat)))
            .collect();
        for word in unseen
            .iter()
            .filter(|word| view.contains(*word) || log.contains(*word))
        {
            failures.at(
                name.at,
                format!("expected seat {} to see no `{word}`, found it", seat.0 + 1),
            );
        }
    }
}

/// The last lines of a log, indented.
pub(super) fn last_lines(lines: &[String]) -> String {
    let from = lines.len().saturating_sub(MAX_LOG_LINES);
    lines[from..]
        .iter()
        .map(|line| format!("    {line}\n"))
        .collect()
}
