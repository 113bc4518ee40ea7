//! Resolves the names that cases and journals write: owners, counters, zones and entries.

use std::fmt::Display;

use super::context::StepContext;
use super::state::Entity;
use crate::content::{
    Content, CounterId, EntryId, Owner, PieceId, PlaceId, SeatId, Symbols, ZoneId,
};
use crate::diagnostic::nearest;

/// Lists of known names longer than this are left out of messages.
const MAX_LISTED: usize = 30;

/// An owner of counters and zones, independent of which pieces are in play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NamedOwner {
    Table,
    Seat(SeatId),
    Place(PlaceId),
    /// The nth copy of an entry, from 1.
    Copy(EntryId, usize),
}

impl NamedOwner {
    pub const fn owner(self) -> Owner {
        match self {
            NamedOwner::Table => Owner::Table,
            NamedOwner::Seat(_) => Owner::Seat,
            NamedOwner::Place(_) => Owner::Place,
            NamedOwner::Copy(..) => Owner::Piece,
        }
    }
}

/// Resolves `table`, a seat's number, or the id of a place or a piece, with `#2` for its second
/// copy.
pub(crate) fn owner(content: &Content, seats: u8, name: &str) -> Result<NamedOwner, String> {
    if name == "table" {
        return Ok(NamedOwner::Table);
    }
    if let Some(seat) = seat(seats, name)? {
        return Ok(NamedOwner::Seat(seat));
    }
    let (id, nth) = name.split_once('#').unwrap_or((name, "1"));
    let nth = nth.parse().ok().filter(|nth| *nth > 0);
    let nth =
        nth.ok_or_else(|| format!("`{name}`: write the number of the copy after `#`, from 1"))?;
    let entry = entry(content, id).map_err(|reason| {
        if reason.contains("did you mean") {
            return reason;
        }
        let reason = reason.split(" (known").next().unwrap_or(&reason);
        format!("{reason}; write the number of a seat, as in `1.coins`, `table`, or the id of a piece or a place")
    })?;
    let place = content.entry(entry).place;
    Ok(place.map_or(NamedOwner::Copy(entry, nth), NamedOwner::Place))
}

/// Resolves the number of a seat, from 1; `None` for any other text.
pub(crate) fn seat(seats: u8, name: &str) -> Result<Option<SeatId>, String> {
    if name.is_empty() || !name.chars().all(|c| c.is_ascii_digit()) {
        return Ok(None);
    }
    let seat = name
        .parse::<u8>()
        .ok()
        .and_then(|number| number.checked_sub(1))
        .filter(|seat| *seat < seats);
    let players = if seats == 1 { "player" } else { "players" };
    if name == "0" {
        return Err("there is no seat 0; seats are numbered from 1".to_owned());
    }
    seat.map(|seat| Some(SeatId(seat)))
        .ok_or_else(|| format!("there is no seat {name}; the game has {seats} {players}"))
}

/// Like [`seat`], but anything else is an error.
pub(crate) fn only_seat(seats: u8, name: &str) -> Result<SeatId, String> {
    seat(seats, name)?.ok_or_else(|| format!("`{name}` is not a seat: write its number"))
}

/// Resolves the id or the full name of an entry.
pub(crate) fn entry(content: &Content, name: &str) -> Result<EntryId, String> {
    content.find(name).ok_or_else(|| {
        if content.is_ambiguous(name) {
            let names = content.candidates(name).join("` or `");
            return format!("`{name}` is the id of several entries: write `{names}`");
        }
        let ids: Vec<&str> = content.entries.iter().map(|entry| &*entry.id).collect();
        did_you_mean(format!("there is no entry `{name}`"), name, &ids)
    })
}

/// Resolves the id of a place.
pub(crate) fn place(content: &Content, name: &str) -> Result<PlaceId, String> {
    let found = content
        .find(name)
        .and_then(|entry| content.entry(entry).place);
    found.ok_or_else(|| {
        let places = content.map.places.iter();
        let ids: Vec<&str> = places
            .map(|place| &*content.entry(place.entry).id)
            .collect();
        did_you_mean(format!("there is no place `{name}`"), name, &ids)
    })
}

/// Resolves a counter that this kind of owner has.
pub(crate) fn counter(content: &Content, owner: Owner, name: &str) -> Result<CounterId, String> {
    let found = content
        .symbol(name)
        .counter
        .filter(|id| content.counter_slot[id.ix()][owner].is_some());
    found.ok_or_else(|| {
        if let Some(several) = several(content, name, |own| own.counter.is_some()) {
            return several;
        }
        let known: Vec<&str> = counters_of(content, owner).collect();
        let text = format!("{} has no counter `{name}`", owner_phrase(owner));
        did_you_mean(text, name, &known)
    })
}

/// Resolves a flag that this kind of owner has, and a value of it as it is typed.
pub(crate) fn flag(
    content: &Content,
    owner: Owner,
    name: &str,
    typed: &str,
) -> Result<(CounterId, i64), String> {
    let id = counter(content, owner, name)?;
    let Some(flag) = content.flag(id) else {
        return Err(format!("`{name}` is a counter, not a flag"));
    };
    let value = content.flag_number_typed(flag, typed);
    let value = value.map_err(|values| format!("the flag `{name}` must be {values}"))?;
    Ok((id, value))
}

/// Resolves a zone that this kind of owner has.
pub(crate) fn zone(content: &Content, owner: Owner, name: &str) -> Result<ZoneId, String> {
    let found = content
        .symbol(name)
        .zone
        .filter(|id| content.zone_slot[id.ix()][owner].is_some());
    found.ok_or_else(|| {
        if let Some(several) = several(content, name, |own| own.zone.is_some()) {
            return several;
        }
        let known: Vec<&str> = zones_of(content, owner).collect();
        let text = format!("{} has no zone `{name}`", owner_phrase(owner));
        did_you_mean(text, name, &known)
    })
}

/// The message for a name that several packs define, if that is what is wrong with it.
fn several(content: &Content, name: &str, is: impl Fn(&Symbols) -> bool) -> Option<String> {
    let names = content.ambiguous_symbol(None, name, is)?;
    Some(format!(
        "several packs define `{name}`: write `{}`",
        names.join("` or `")
    ))
}

/// Finds an owner in a running game; fails for a copy that is not in play.
pub(crate) fn entity(context: &StepContext, owner: NamedOwner) -> Result<Entity, String> {
    match owner {
        NamedOwner::Table => Ok(Entity::Table),
        NamedOwner::Seat(seat) => Ok(Entity::Seat(seat)),
        NamedOwner::Place(place) => Ok(Entity::Place(place)),
        NamedOwner::Copy(entry, nth) => {
            let found = copies(context, entry).nth(nth - 1).map(Entity::Piece);
            found.ok_or_else(|| {
                let id = &context.content().entry(entry).id;
                match nth {
                    1 => format!("`{id}` is not in play"),
                    nth => format!("`{id}#{nth}` is not in play"),
                }
            })
        }
    }
}

/// The pieces of an entry, in the order in which they were made.
pub(crate) fn copies(context: &StepContext, entry: EntryId) -> impl Iterator<Item = PieceId> {
    (0..context.state.pieces.len())
        .map(PieceId::at)
        .filter(move |piece| context.entry_of(*piece) == entry)
}

pub(crate) fn counters_of(content: &Content, owner: Owner) -> impl Iterator<Item = &str> {
    content.counters_of[owner]
        .iter()
        .map(|id| &*content.entry(content.counters[id.ix()].entry).id)
}

pub(crate) fn zones_of(content: &Content, owner: Owner) -> impl Iterator<Item = &str> {
    content.zones_of[owner]
        .iter()
        .map(|id| &*content.entry(content.zones[id.ix()].entry).id)
}

pub(crate) const fn owner_phrase(owner: Owner) -> &'static str {
    match owner {
        Owner::Table => "the table",
        Owner::Seat => "a seat",
        Owner::Place => "a place",
        Owner::Piece => "a piece",
    }
}

/// A message about an unknown name, with the nearest known name, and all known names if there are
/// few.
pub(crate) fn did_you_mean(text: impl Display, name: &str, known: &[&str]) -> String {
    let near = nearest(name, known.iter().copied()).map(|near| format!("; did you mean `{near}`?"));
    let near = near.unwrap_or_default();
    if known.is_empty() || known.len() > MAX_LISTED {
        return format!("{text}{near}");
    }
    format!("{text}{near} (known: {})", known.join(", "))
}
