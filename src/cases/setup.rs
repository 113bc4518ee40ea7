//! The setup of a case: as the initial state of its game, and as results of chance.

use super::case::{Case, CaseSetup, ForcedResult, Located};
use super::rows::CaseError;
use crate::content::Content;
use crate::diagnostic::Span;
use crate::game::initial::{split_path, startable};
use crate::game::{InitialState, chance, lookup};

/// The initial state that a case sets up; `None` if it sets up nothing.
pub(super) fn initial(given: &CaseSetup) -> Option<InitialState> {
    let texts = |list: &[Located<String>]| list.iter().map(|text| text.value.clone()).collect();
    let state = InitialState {
        start: given.start.as_ref().map(|entry| entry.value.clone()),
        zones: given
            .zones
            .iter()
            .map(|(path, ids)| (path.value.clone(), texts(ids)))
            .collect(),
        places: given
            .places
            .iter()
            .map(|(seat, place)| (seat.value.clone(), place.value.clone()))
            .collect(),
        counters: given
            .counters
            .iter()
            .map(|(path, value)| (path.value.clone(), *value))
            .collect(),
        script: script(given),
    };
    (!state.is_empty()).then_some(state)
}

/// The script of `[defaults]` and the case's own.
fn script(given: &CaseSetup) -> Option<String> {
    let mut scripts = given.first.iter().chain(&given.run);
    let first = scripts.next()?.value.clone();
    Some(scripts.fold(first, |text, script| format!("{text}\n{}", script.value)))
}

/// The names in a setup that mean nothing. What a script does with others shows only when it runs.
pub(super) fn unknown(content: &Content, seats: u8, given: &CaseSetup) -> Vec<CaseError> {
    let mut wrong = Vec::new();
    let mut note =
        |at: Span, found: Result<(), String>| wrong.extend(found.err().map(|why| (at, why)));
    if let Some(start) = &given.start {
        note(start.at, startable(content, start).map(drop));
    }
    for (path, _) in &given.counters {
        let (owner, name) = split_path(path);
        let owner = lookup::owner(content, seats, owner);
        let counter = owner.and_then(|owner| lookup::counter(content, owner.owner(), name));
        note(path.at, counter.map(drop));
    }
    for (path, ids) in &given.zones {
        let (owner, name) = split_path(path);
        let owner = lookup::owner(content, seats, owner);
        let zone = owner.and_then(|owner| lookup::zone(content, owner.owner(), name));
        note(path.at, zone.map(drop));
        for id in ids {
            note(id.at, lookup::entry(content, id).map(drop));
        }
    }
    for (seat, place) in &given.places {
        note(seat.at, lookup::only_seat(seats, seat).map(drop));
        note(place.at, lookup::place(content, place).map(drop));
    }
    wrong
}

/// The forced results of a case as the game takes them.
pub(super) fn forced(content: &Content, case: &Case) -> Result<Vec<chance::Forced>, CaseError> {
    case.chance
        .iter()
        .map(|result| force(content, result).map_err(|why| (result.at, why)))
        .collect()
}

/// The forced results in a journal's header as the game takes them.
///
/// # Errors
/// What is wrong with the first that cannot be read.
pub fn header_forced(content: &Content, list: &[String]) -> Result<Vec<chance::Forced>, String> {
    let parse = |text: &String| {
        text.parse()
            .map_or_else(|_| ForcedResult::Text(text.clone()), ForcedResult::Number)
    };
    list.iter()
        .map(|text| force(content, &parse(text)))
        .collect()
}

fn force(content: &Content, forced: &ForcedResult) -> Result<chance::Forced, String> {
    let entry = |id: &str| lookup::entry(content, id.trim());
    match forced {
        ForcedResult::Number(0) => Err("chance: results are numbered from 1".to_owned()),
        ForcedResult::Number(n) => Ok(chance::Forced::Number(n - 1)),
        ForcedResult::Text(text) => match text.split_once(':') {
            Some(("order", ids)) => Ok(chance::Forced::Order(
                ids.split(',').map(entry).collect::<Result<_, _>>()?,
            )),
            Some(("piece", id)) => Ok(chance::Forced::Piece(entry(id)?)),
            _ => Err(format!(
                "chance: expected a number, `order: …` or `piece: …`, found `{text}`"
            )),
        },
    }
}
