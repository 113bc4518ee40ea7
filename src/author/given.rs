//! What is so before the first move, as a script: the same one that a journal's header holds.

use std::fmt::Write as _;

use super::case::{Defaults, Forced, Given};
use crate::content::Content;
use crate::game::chance;

/// The script of what is given; `None` when nothing is.
#[must_use]
pub fn script(defaults: &Defaults, given: &Given) -> Option<String> {
    let mut text = String::new();
    if !given.zones.is_empty() {
        let row = |(path, ids): (&String, &Vec<String>)| {
            let (owner, zone) = split(path);
            let ids: Vec<String> = ids.iter().map(|id| format!("\"{id}\"")).collect();
            format!("[{}.zone(\"{zone}\"), [{}]]", thing(owner), ids.join(", "))
        };
        let rows: Vec<String> = given.zones.iter().map(row).collect();
        let _ = writeln!(text, "lay_out([{}]);", rows.join(", "));
    }
    for (seat, place) in &given.places {
        let _ = writeln!(text, "{}.move_to(place(\"{place}\"));", thing(seat));
    }
    for (path, value) in &given.counters {
        let (owner, counter) = split(path);
        let _ = writeln!(text, "{{ let it_is = {}; it_is[\"{counter}\"] = {value}; }}", thing(owner));
    }
    for run in [&defaults.run, &given.run].into_iter().flatten() {
        let _ = writeln!(text, "{run}");
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

/// Results of chance as the game takes them.
///
/// # Errors
/// What is wrong with one of them.
pub fn forced(content: &Content, list: &[Forced]) -> Result<Vec<chance::Forced>, String> {
    let entry = |id: &str| content.find(id.trim()).ok_or_else(|| format!("chance: there is no entry `{}`", id.trim()));
    let one = |forced: &Forced| match forced {
        Forced::Number(0) => Err("chance: numbers are counted from 1".to_owned()),
        Forced::Number(n) => Ok(chance::Forced::Number(n - 1)),
        Forced::Text(text) => match text.split_once(':') {
            Some(("order", ids)) => Ok(chance::Forced::Order(ids.split(',').map(entry).collect::<Result<_, _>>()?)),
            Some(("piece", id)) => Ok(chance::Forced::Piece(entry(id)?)),
            _ => Err(format!("chance: `{text}` is neither a number, nor `order: …`, nor `piece: …`")),
        },
    };
    list.iter().map(one).collect()
}
