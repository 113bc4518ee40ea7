//! What is so before the first move, as a script and as results of chance: the same that a journal's header holds.

use std::fmt::Write as _;

use super::case::{At, Case, Forced, Given};
use super::each::Wrong;
use super::look;
use crate::content::Content;
use crate::diagnostic::{Span, unknown_name};
use crate::game::chance;

/// The script of what is given; `None` when nothing is.
pub(super) fn script(given: &Given) -> Option<String> {
    let mut text = String::new();
    if !given.zones.is_empty() {
        let row = |(path, ids): &(At<String>, Vec<At<String>>)| {
            let (owner, zone) = split(path);
            let ids: Vec<String> = ids.iter().map(|id| format!("\"{}\"", id.value)).collect();
            format!("[{}.zone(\"{zone}\"), [{}]]", thing(owner), ids.join(", "))
        };
        let rows: Vec<String> = given.zones.iter().map(row).collect();
        let _ = writeln!(text, "lay_out([{}]);", rows.join(", "));
    }
    for (seat, place) in &given.places {
        let _ = writeln!(text, "{}.move_to(place(\"{}\"));", thing(seat), place.value);
    }
    for (path, value) in &given.counters {
        let (owner, counter) = split(path);
        let _ = writeln!(
            text,
            "{{ let it_is = {}; it_is[\"{counter}\"] = {value}; }}",
            thing(owner)
        );
    }
    for run in given.first.iter().chain(&given.run) {
        let _ = writeln!(text, "{}", run.value);
    }
    (!text.is_empty()).then_some(text)
}

fn split(path: &str) -> (&str, &str) {
    path.split_once('.').unwrap_or(("table", path))
}

/// An owner as a script names it.
fn thing(owner: &str) -> String {
    match owner {
        "table" => "table".to_owned(),
        number if number.chars().all(|c| c.is_ascii_digit()) => format!("seat({number})"),
        id => format!("the(\"{id}\")"),
    }
}

/// The names in what is given that mean nothing. What the script does with the others, only running it can tell.
pub(super) fn unknown(content: &Content, seats: u8, given: &Given) -> Vec<Wrong> {
    let mut wrong = Vec::new();
    let mut note =
        |at: Span, found: Result<(), String>| wrong.extend(found.err().map(|why| (at, why)));
    for (path, _) in &given.counters {
        let (owner, name) = split(path);
        let owner = look::named(content, seats, owner);
        note(
            path.at,
            owner
                .and_then(|owner| look::counter(content, owner.owner(), name))
                .map(drop),
        );
    }
    for (path, ids) in &given.zones {
        let (owner, name) = split(path);
        let owner = look::named(content, seats, owner);
        note(
            path.at,
            owner
                .and_then(|owner| look::zone(content, owner.owner(), name))
                .map(drop),
        );
        for id in ids {
            note(id.at, look::entry(content, id).map(drop));
        }
    }
    for (seat, place) in &given.places {
        let found = look::seat(seats, seat).and_then(|found| {
            found
                .map(drop)
                .ok_or_else(|| format!("`{}` is no seat: write its number", seat.value))
        });
        note(seat.at, found);
        note(place.at, is_place(content, place));
    }
    wrong
}

fn is_place(content: &Content, name: &str) -> Result<(), String> {
    if content
        .find(name)
        .is_some_and(|entry| content.entry(entry).place.is_some())
    {
        return Ok(());
    }
    let places: Vec<&str> = content
        .map
        .places
        .iter()
        .map(|place| &*content.entry(place.entry).id)
        .collect();
    Err(look::did_you_mean(
        unknown_name("place", name),
        name,
        &places,
    ))
}

/// Results of chance as the game takes them.
pub(super) fn forced(content: &Content, case: &Case) -> Result<Vec<chance::Forced>, Wrong> {
    case.chance
        .iter()
        .map(|one| force(content, one).map_err(|why| (one.at, why)))
        .collect()
}

/// Results of chance in a journal's header as the game takes them.
///
/// # Errors
/// What is wrong with one of them.
pub fn header_forced(content: &Content, list: &[String]) -> Result<Vec<chance::Forced>, String> {
    let said = |text: &String| {
        text.parse()
            .map_or_else(|_| Forced::Text(text.clone()), Forced::Number)
    };
    list.iter()
        .map(|text| force(content, &said(text)))
        .collect()
}

fn force(content: &Content, forced: &Forced) -> Result<chance::Forced, String> {
    let entry = |id: &str| look::entry(content, id.trim());
    match forced {
        Forced::Number(0) => Err("chance: numbers are counted from 1".to_owned()),
        Forced::Number(n) => Ok(chance::Forced::Number(n - 1)),
        Forced::Text(text) => match text.split_once(':') {
            Some(("order", ids)) => Ok(chance::Forced::Order(
                ids.split(',').map(entry).collect::<Result<_, _>>()?,
            )),
            Some(("piece", id)) => Ok(chance::Forced::Piece(entry(id)?)),
            _ => Err(format!(
                "chance: `{text}` is neither a number, nor `order: …`, nor `piece: …`"
            )),
        },
    }
}
