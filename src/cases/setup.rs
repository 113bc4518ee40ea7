//! Converts the setup of a case into an initial state and forced random results.

use super::case::{CaseSetup, ForcedResult, Located};
use super::rows::CaseError;
use crate::content::Content;
use crate::diagnostic::Span;
use crate::game::initial::{split_path, startable};
use crate::game::{InitialState, chance, lookup};

/// The setup with its names qualified, so that they mean the same in every pack.
pub(super) fn qualified(content: &Content, pack: u16, setup: &CaseSetup) -> CaseSetup {
    let mut setup = setup.clone();
    for (path, _) in &mut setup.counters {
        path.value = qualified_path(content, pack, path);
    }
    for (path, _) in &mut setup.flags {
        path.value = qualified_path(content, pack, path);
    }
    for (path, ids) in &mut setup.zones {
        path.value = qualified_path(content, pack, path);
        for id in ids {
            id.value = content.qualified_entry(pack, id);
        }
    }
    for (_, place) in &mut setup.places {
        place.value = content.qualified_entry(pack, place);
    }
    if let Some(start) = &mut setup.start {
        start.value = content.qualified_entry(pack, start);
    }
    setup
}

/// A path such as `1.coins` or `ogre#2.life`, with its names qualified.
pub(super) fn qualified_path(content: &Content, pack: u16, path: &str) -> String {
    let Some((owner, name)) = path.split_once('.') else {
        return path.to_owned();
    };
    let (id, copy) = owner
        .split_once('#')
        .map_or((owner, None), |(id, copy)| (id, Some(copy)));
    let copy = copy.map(|copy| format!("#{copy}")).unwrap_or_default();
    let (owner, name) = (
        content.qualified_entry(pack, id),
        content.qualified_symbol(pack, name),
    );
    format!("{owner}{copy}.{name}")
}

/// The initial state of a case; `None` if it has no setup.
pub(super) fn initial(setup: &CaseSetup) -> Option<InitialState> {
    let texts = |list: &[Located<String>]| list.iter().map(|text| text.value.clone()).collect();
    let state = InitialState {
        start: setup.start.as_ref().map(|entry| entry.value.clone()),
        zones: setup
            .zones
            .iter()
            .map(|(path, ids)| (path.value.clone(), texts(ids)))
            .collect(),
        places: setup
            .places
            .iter()
            .map(|(seat, place)| (seat.value.clone(), place.value.clone()))
            .collect(),
        counters: setup
            .counters
            .iter()
            .map(|(path, value)| (path.value.clone(), *value))
            .collect(),
        flags: setup
            .flags
            .iter()
            .map(|(path, value)| (path.value.clone(), value.value.clone()))
            .collect(),
        script: joined(&setup.run),
    };
    (!state.is_empty()).then_some(state)
}

/// The scripts of `[defaults]` and of the case, joined.
pub(super) fn joined(scripts: &[Located<String>]) -> Option<String> {
    let texts: Vec<&str> = scripts.iter().map(|script| script.value.as_str()).collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

/// Reports unknown names in a setup. Names in its scripts are checked only when they run.
pub(super) fn unknown(content: &Content, seats: u8, setup: &CaseSetup) -> Vec<CaseError> {
    let mut wrong = Vec::new();
    let mut note =
        |at: Span, found: Result<(), String>| wrong.extend(found.err().map(|reason| (at, reason)));
    if let Some(start) = &setup.start {
        note(start.at, startable(content, start).map(drop));
    }
    for (path, _) in &setup.counters {
        let (owner, name) = split_path(path);
        let owner = lookup::owner(content, seats, owner);
        let counter = owner.and_then(|owner| lookup::counter(content, owner.owner(), name));
        note(path.at, counter.map(drop));
    }
    for (path, value) in &setup.flags {
        let (owner, name) = split_path(path);
        let owner = lookup::owner(content, seats, owner);
        let flag = owner.and_then(|owner| lookup::flag(content, owner.owner(), name, value));
        note(value.at, flag.map(drop));
    }
    for (path, ids) in &setup.zones {
        let (owner, name) = split_path(path);
        let owner = lookup::owner(content, seats, owner);
        let zone = owner.and_then(|owner| lookup::zone(content, owner.owner(), name));
        note(path.at, zone.map(drop));
        for id in ids {
            note(id.at, lookup::entry(content, id).map(drop));
        }
    }
    for (seat, place) in &setup.places {
        note(seat.at, lookup::only_seat(seats, seat).map(drop));
        note(place.at, lookup::place(content, place).map(drop));
    }
    wrong
}

/// The forced random results of a case, or of its setup.
pub(super) fn forced(
    content: &Content,
    pack: u16,
    list: &[Located<ForcedResult>],
) -> Result<Vec<chance::Forced>, CaseError> {
    list.iter()
        .map(|result| force(content, Some(pack), result).map_err(|reason| (result.at, reason)))
        .collect()
}

/// The forced random results in a journal's header.
///
/// # Errors
/// Returns what is wrong with the first result that cannot be read.
pub fn header_forced(content: &Content, list: &[String]) -> Result<Vec<chance::Forced>, String> {
    let parse = |text: &String| {
        text.parse()
            .map_or_else(|_| ForcedResult::Text(text.clone()), ForcedResult::Number)
    };
    list.iter()
        .map(|text| force(content, None, &parse(text)))
        .collect()
}

/// A forced result, with its names resolved in a pack.
fn force(
    content: &Content,
    pack: Option<u16>,
    forced: &ForcedResult,
) -> Result<chance::Forced, String> {
    let entry = |id: &str| match pack {
        Some(pack) => lookup::entry(content, &content.qualified_entry(pack, id.trim())),
        None => lookup::entry(content, id.trim()),
    };
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
