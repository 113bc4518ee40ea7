//! Whether a game that was played is what its case expects.

use std::collections::BTreeMap;

use super::case::{Case, Wanted};
use super::failures::Failures;
use super::look::{self, Found};
use super::run::Played;
use crate::diagnostic::{nearest, unknown_name};
use crate::game::{Choice, Core, Decision, Game, describe, text};

/// Tells what is not as expected.
pub(super) fn compare(case: &Case, played: &Played, failures: &mut Failures) {
    log(case, played, failures);
    state(case, &played.game, failures);
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
        let what = played.refused.as_deref().unwrap_or("it was accepted");
        failures.at(
            wanted.at,
            format!(
                "the last move should be refused with `{}`; {what}",
                wanted.value
            ),
        );
    }
    views(case, &played.game, failures);
}

fn log(case: &Case, played: &Played, failures: &mut Failures) {
    let all = log_lines(played.game.core());
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
                    .map(|near| format!("; there is `{near}`"))
                    .unwrap_or_default();
                failures.at(
                    wanted.at,
                    format!(
                        "the log has no `{}` (after line {from}){near}",
                        wanted.value
                    ),
                );
            }
        }
    }
    if missing {
        failures.push(format!("the log:\n{}", last_lines(lines)));
    }
    for unwanted in &case.expect.not_log {
        if let Some(line) = lines.iter().find(|line| line.contains(&unwanted.value)) {
            failures.at(
                unwanted.at,
                format!("the log should not have `{}`: {line}", unwanted.value),
            );
        }
    }
}

fn state(case: &Case, game: &Game, failures: &mut Failures) {
    for (path, wanted) in &case.expect.state {
        match look::at(game.core(), path) {
            Ok(found) if found.fits(wanted) => {}
            Ok(found) => {
                let (path_text, expected) = (&path.value, Found::from(wanted).text());
                failures.at(
                    path.at,
                    format!("{path_text} is {}, expected {expected}", found.text()),
                );
                if let Wanted::Pieces(ids) = wanted {
                    let unknown = ids
                        .iter()
                        .filter_map(|id| look::entry(game.content(), id).err());
                    unknown.for_each(|why| failures.at(path.at, why));
                }
            }
            Err(why) => failures.at(path.at, why),
        }
    }
}

fn counted(case: &Case, game: &Game, failures: &mut Failures) {
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
                look::did_you_mean(unknown_name("statistic", id), id, &known),
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
                format!("{} has counted {found:?}, expected {wanted:?}", id.value),
            );
        }
    }
}

/// The key of an option as a case writes it: in a question open to several seats it says whose it is, as in a move: `2> gift`.
pub(super) fn key(option: &Choice) -> String {
    match option.seat {
        Some(seat) => format!("{}> {}", seat.0 + 1, option.key),
        None => option.key.clone(),
    }
}

/// The keys of a question, those that are open or those that are closed.
pub(super) fn keys(decision: Option<&Decision>, open: bool) -> Vec<String> {
    let options = decision.into_iter().flat_map(|decision| &decision.options);
    options
        .filter(|option| option.closed.is_none() == open)
        .map(key)
        .collect()
}

fn decision(case: &Case, game: &Game, failures: &mut Failures) {
    let expect = &case.expect;
    let decision = game.decision();
    if let Some(wanted) = &expect.decision {
        let fits = decision
            .as_ref()
            .is_some_and(|d| d.prompt.contains(&wanted.value) || d.id.contains(&wanted.value));
        if !fits {
            let asked = decision
                .as_ref()
                .map_or("nothing".to_owned(), |d| format!("{} ({})", d.prompt, d.id));
            failures.at(
                wanted.at,
                format!("asked is {asked}, expected `{}`", wanted.value),
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
            failures.at(wanted.at, format!("open are {open:?}, expected {sorted:?}"));
        }
    }
    for (name, wanted) in &expect.closed {
        let option = decision
            .iter()
            .flat_map(|decision| &decision.options)
            .find(|option| key(option) == name.value);
        let name_text = &name.value;
        let told = match option.map(|option| option.closed.as_deref()) {
            Some(Some(reason)) if reason.contains(wanted) => continue,
            Some(Some(reason)) => {
                format!("`{name_text}` is closed with `{reason}`, expected `{wanted}`")
            }
            Some(None) => format!("`{name_text}` is open, expected closed with `{wanted}`"),
            None => {
                let near = nearest(name_text, closed.iter().chain(&open).map(String::as_str));
                let near = near
                    .map(|near| format!("; did you mean `{near}`?"))
                    .unwrap_or_default();
                format!("`{name_text}` is not shown (closed are {closed:?}){near}")
            }
        };
        failures.at(name.at, told);
    }
    for name in expect
        .hidden
        .iter()
        .filter(|name| open.contains(name) || closed.contains(name))
    {
        failures.at(
            name.at,
            format!("`{}` is shown, expected hidden", name.value),
        );
    }
}

fn end(case: &Case, game: &Game, failures: &mut Failures) {
    let over = &game.state().over;
    if let Some(wanted) = &case.expect.over
        && wanted.value != over.is_some()
    {
        failures.at(
            wanted.at,
            format!(
                "the game is {}over",
                if over.is_some() { "" } else { "not " }
            ),
        );
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
                    format!("the winners are {winners:?}, expected {:?}", wanted.value),
                );
            }
            None => failures.at(
                wanted.at,
                format!("nobody has won yet, expected {:?}", wanted.value),
            ),
        }
    }
}

fn faults(case: &Case, game: &Game, failures: &mut Failures) {
    let faults: Vec<String> = game
        .faults()
        .iter()
        .map(|fault| describe(game.core(), fault))
        .collect();
    for wanted in &case.expect.faults {
        if !faults.iter().any(|fault| fault.contains(&wanted.value)) {
            failures.at(
                wanted.at,
                format!(
                    "no script failed with `{}`; faults are {faults:?}",
                    wanted.value
                ),
            );
        }
    }
    let given = game.content().given.map(|(_, hook)| hook);
    for fault in game
        .faults()
        .iter()
        .filter(|_| case.expect.faults.is_empty())
    {
        let told = describe(game.core(), fault);
        if fault.hook.is_some() && fault.hook == given {
            failures.at(
                case.given.at().unwrap_or(case.name.at),
                format!("what is given failed: {told}"),
            );
        } else {
            failures.push(format!("a script failed: {told}"));
        }
    }
}

fn views(case: &Case, game: &Game, failures: &mut Failures) {
    for (name, unseen) in &case.expect.unseen {
        let seat = match look::seat(game.state().seats, name) {
            Ok(Some(seat)) => seat,
            Ok(None) => {
                failures.at(
                    name.at,
                    format!("unseen: `{}` is no seat: write its number", name.value),
                );
                continue;
            }
            Err(why) => {
                failures.at(name.at, format!("unseen: {why}"));
                continue;
            }
        };
        let view = serde_json::to_string(&game.view(seat)).unwrap_or_default();
        let core = game.core();
        let told: String = game
            .log()
            .lines
            .iter()
            .filter_map(|line| text::whole(core, line, Some(seat)))
            .collect();
        for word in unseen
            .iter()
            .filter(|word| view.contains(*word) || told.contains(*word))
        {
            failures.at(
                name.at,
                format!("seat {} should see nothing of `{word}`", seat.0 + 1),
            );
        }
    }
}

/// The log of a game as someone who sees everything reads it.
#[must_use]
pub fn log_lines(core: &Core) -> Vec<String> {
    core.log
        .lines
        .iter()
        .filter_map(|line| text::whole(core, line, None))
        .collect()
}

/// The end of a log, indented.
pub(super) fn last_lines(lines: &[String]) -> String {
    let from = lines.len().saturating_sub(60);
    lines[from..]
        .iter()
        .map(|line| format!("    {line}\n"))
        .collect()
}
