//! Compares a game with what its case expects.

use std::collections::BTreeMap;

use super::case::{Case, ExpectedValue};
use super::failures::CaseFailures;
use super::inspect::{self, InspectedValue};
use super::run::PlayedCase;
use super::setup;
use crate::diagnostic::{nearest, unknown_name};
use crate::game::render::log_line;
use crate::game::{Decision, DecisionOption, Game, describe, initial, lookup};

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
            .is_some_and(|why| why.contains(&wanted.value))
    {
        let found = match &played.refused {
            Some(why) => format!("`{why}`"),
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
}

fn log(case: &Case, played: &PlayedCase, failures: &mut CaseFailures) {
    let all = log_line::verbose_log(played.game.context());
    let lines = &all[played.after.min(all.len())..];
    let mut from = 0;
    let mut missing = false;
    for wanted in &case.expect.log {
        match lines[from..]
            .iter()
            .position(|line| line.contains(&wanted.value))
        {
            Some(at) => from += at + 1,
            None => {
                missing = true;
                let near = nearest(wanted, lines[from..].iter().map(String::as_str));
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
    if missing {
        failures.push(format!("log:\n{}", last_lines(lines)));
    }
    for unwanted in &case.expect.not_log {
        if let Some(line) = lines.iter().find(|line| line.contains(&unwanted.value)) {
            failures.at(
                unwanted.at,
                format!("log: expected no `{}`, found `{line}`", unwanted.value),
            );
        }
    }
}

fn state(case: &Case, played: &PlayedCase, failures: &mut CaseFailures) {
    let game = &played.game;
    for (path, wanted) in &case.expect.state {
        let qualified = setup::qualified_path(game.content(), played.pack, path);
        match inspect::at(game.context(), &qualified) {
            Ok(found) if found.fits(wanted) => {}
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
                    unknown.for_each(|why| failures.at(path.at, why));
                }
            }
            Err(why) => failures.at(path.at, why),
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
pub(super) fn keys(decision: Option<&Decision>, open: bool) -> Vec<String> {
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
        keys(decision.as_ref(), true),
        keys(decision.as_ref(), false),
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
    for name in expect
        .hidden
        .iter()
        .filter(|name| open.contains(name) || closed.contains(name))
    {
        failures.at(
            name.at,
            format!("`{}`: expected hidden, found in the menu", name.value),
        );
    }
}

fn end(case: &Case, game: &Game, failures: &mut CaseFailures) {
    let over = &game.state().outcome;
    if let Some(wanted) = &case.expect.over
        && wanted.value != over.is_some()
    {
        let message = if over.is_some() {
            "expected the game to go on, found that it is over"
        } else {
            "expected the game to be over, found that it goes on"
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
            Err(why) => {
                failures.at(name.at, format!("unseen: {why}"));
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

/// The last 60 lines of a log, indented.
pub(super) fn last_lines(lines: &[String]) -> String {
    let from = lines.len().saturating_sub(60);
    lines[from..]
        .iter()
        .map(|line| format!("    {line}\n"))
        .collect()
}
