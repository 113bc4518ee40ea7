//! Looking into a game by path: `1.coins`, `table.pool`, `ogre.life`, `2.place`.

use std::fmt::Display;

use super::case::Wanted;
use crate::content::{Content, CounterId, EntryId, Owner, PieceId, PlaceId, SeatId, ZoneId};
use crate::diagnostic::{suggestion, unknown_name};
use crate::game::{Core, Entity, State, Val, names};

/// More names than this are not listed: nobody reads them.
const LISTED: usize = 30;

/// What a path leads to.
///
/// # Errors
/// What in the path leads nowhere.
pub fn at(core: &Core, path: &str) -> Result<Found, String> {
    let (owner, name) = path.split_once('.').ok_or_else(|| {
        format!("`{path}`: write `1.<counter>`, `table.<zone>`, `<piece>.<counter>`")
    })?;
    let of = entity(core, owner)?;
    let content = core.content();
    let symbols = content.symbol(name);
    if let Some(counter) = symbols.counter
        && State::counter_at(content, of, counter).is_some()
    {
        return Ok(Found::Number(i64::from(
            core.state.base(content, of, counter),
        )));
    }
    if let Some(at) = symbols
        .zone
        .and_then(|zone| core.state.zones.at(content, of, zone))
    {
        let ids = core
            .state
            .zones
            .pieces(at)
            .iter()
            .map(|piece| content.entry(core.entry_of(PieceId(*piece))).id.to_string());
        return Ok(Found::Pieces(ids.collect()));
    }
    match (name, of) {
        ("place", Entity::Seat(seat)) => {
            let place = core.state.at[seat.ix()].map(|place| {
                content
                    .entry(content.map.places[place.ix()].entry)
                    .id
                    .to_string()
            });
            Ok(Found::Word(place.unwrap_or_default()))
        }
        ("zone", Entity::Piece(piece)) => {
            let zone = core.state.zones.zone_of(piece);
            Ok(Found::Word(names::val_key(
                core,
                SeatId(0),
                &Val::Zone(zone.0),
            )))
        }
        ("face", Entity::Piece(piece)) => {
            Ok(Found::Number(i64::from(core.state.pieces[piece.ix()].face)))
        }
        (mark, of)
            if core
                .state
                .marks
                .iter()
                .any(|(own, word)| *own == of && **word == *mark) =>
        {
            Ok(Found::Number(1))
        }
        _ => Err(nothing(core, path, of, name)),
    }
}

/// Why a path ends nowhere, and where it might have led.
fn nothing(core: &Core, path: &str, of: Entity, name: &str) -> String {
    let (content, owner) = (core.content(), of.owner().0);
    let mut known: Vec<&str> = counters_of(content, owner)
        .chain(zones_of(content, owner))
        .collect();
    known.extend(match owner {
        Owner::Seat => &["place"][..],
        Owner::Piece => &["zone", "face"],
        Owner::Table | Owner::Place => &[],
    });
    known.extend(
        core.state
            .marks
            .iter()
            .filter(|(own, _)| *own == of)
            .map(|(_, mark)| &**mark),
    );
    did_you_mean(
        format!(
            "`{path}`: {} has no counter, zone or mark `{name}`",
            word(owner)
        ),
        name,
        &known,
    )
}

/// What lies at a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found {
    /// A number.
    Number(i64),
    /// The ids of pieces, the top first.
    Pieces(Vec<String>),
    /// A word.
    Word(String),
}

impl Found {
    /// Whether it is what a case expects: a number also counts pieces.
    #[must_use]
    pub fn fits(&self, wanted: &Wanted) -> bool {
        match (self, wanted) {
            (Found::Number(n), Wanted::Number(m)) => n == m,
            (Found::Pieces(ids), Wanted::Number(m)) => i64::try_from(ids.len()) == Ok(*m),
            (Found::Pieces(ids), Wanted::Pieces(list)) => ids == list,
            (Found::Word(word), Wanted::Word(wanted)) => word == wanted,
            _ => false,
        }
    }

    /// It in words.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Found::Number(n) => n.to_string(),
            Found::Pieces(ids) => format!("[{}]", ids.join(", ")),
            Found::Word(word) => format!("\"{word}\""),
        }
    }
}

impl From<&Wanted> for Found {
    fn from(wanted: &Wanted) -> Found {
        match wanted {
            Wanted::Number(n) => Found::Number(*n),
            Wanted::Pieces(ids) => Found::Pieces(ids.clone()),
            Wanted::Word(word) => Found::Word(word.clone()),
        }
    }
}

/// Who may own something, by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Named {
    /// The table.
    Table,
    /// A seat.
    Seat(SeatId),
    /// A place.
    Place(PlaceId),
    /// A copy of an entry, from 1.
    Copy(EntryId, usize),
}

impl Named {
    /// Which kind of owner that is.
    pub const fn owner(self) -> Owner {
        match self {
            Named::Table => Owner::Table,
            Named::Seat(_) => Owner::Seat,
            Named::Place(_) => Owner::Place,
            Named::Copy(..) => Owner::Piece,
        }
    }
}

/// Who is meant: `table`, a seat's number, or the id of a place or a piece, with `#2` for its second copy.
pub(super) fn named(content: &Content, seats: u8, name: &str) -> Result<Named, String> {
    if name == "table" {
        return Ok(Named::Table);
    }
    if let Some(seat) = seat(seats, name)? {
        return Ok(Named::Seat(seat));
    }
    let (id, nth) = name.split_once('#').unwrap_or((name, "1"));
    let nth = nth.parse().ok().filter(|nth| *nth > 0);
    let nth =
        nth.ok_or_else(|| format!("`{name}`: after `#` stands which copy is meant, from 1"))?;
    let entry = entry(content, id)?;
    Ok(content
        .entry(entry)
        .place
        .map_or(Named::Copy(entry, nth), Named::Place))
}

/// The seat of a number; nothing if it is no number.
pub(super) fn seat(seats: u8, name: &str) -> Result<Option<SeatId>, String> {
    if name.is_empty() || !name.chars().all(|c| c.is_ascii_digit()) {
        return Ok(None);
    }
    let seat = name
        .parse::<u8>()
        .ok()
        .and_then(|number| number.checked_sub(1))
        .filter(|seat| *seat < seats);
    let many = if seats == 1 {
        "one player".to_owned()
    } else {
        format!("{seats} players")
    };
    seat.map(|seat| Some(SeatId(seat)))
        .ok_or_else(|| format!("there is no seat {name}; the case has {many}"))
}

/// The entry of a name.
pub(super) fn entry(content: &Content, name: &str) -> Result<EntryId, String> {
    content.find(name).ok_or_else(|| {
        if content.is_ambiguous(name) {
            return format!(
                "`{name}` is the id of several entries: write their kind before it, `kind/{name}`"
            );
        }
        let ids: Vec<&str> = content.entries.iter().map(|entry| &*entry.id).collect();
        did_you_mean(unknown_name("entry", name), name, &ids)
    })
}

/// The counter of a name, if such an owner has it.
pub(super) fn counter(content: &Content, owner: Owner, name: &str) -> Result<CounterId, String> {
    let found = content
        .symbol(name)
        .counter
        .filter(|id| content.counter_slot[id.ix()][owner].is_some());
    found.ok_or_else(|| {
        let known: Vec<&str> = counters_of(content, owner).collect();
        did_you_mean(
            format!("{} has no counter `{name}`", word(owner)),
            name,
            &known,
        )
    })
}

/// The zone of a name, if such an owner has it.
pub(super) fn zone(content: &Content, owner: Owner, name: &str) -> Result<ZoneId, String> {
    let found = content
        .symbol(name)
        .zone
        .filter(|id| content.zone_slot[id.ix()][owner].is_some());
    found.ok_or_else(|| {
        let known: Vec<&str> = zones_of(content, owner).collect();
        did_you_mean(
            format!("{} has no zone `{name}`", word(owner)),
            name,
            &known,
        )
    })
}

/// A message about an unknown name, with the nearest known one, and with all known ones if they are few.
pub(super) fn did_you_mean(text: impl Display, name: &str, known: &[&str]) -> String {
    let near = suggestion(name, known.iter().copied());
    if known.is_empty() || known.len() > LISTED {
        return format!("{text}{near}");
    }
    format!("{text}{near} (known: {})", known.join(", "))
}

fn counters_of(content: &Content, owner: Owner) -> impl Iterator<Item = &str> {
    content.counters_of[owner]
        .iter()
        .map(|id| &*content.entry(content.counters[id.ix()].entry).id)
}

fn zones_of(content: &Content, owner: Owner) -> impl Iterator<Item = &str> {
    content.zones_of[owner]
        .iter()
        .map(|id| &*content.entry(content.zones[id.ix()].entry).id)
}

const fn word(owner: Owner) -> &'static str {
    match owner {
        Owner::Table => "the table",
        Owner::Seat => "a seat",
        Owner::Place => "a place",
        Owner::Piece => "a piece",
    }
}

fn entity(core: &Core, owner: &str) -> Result<Entity, String> {
    match named(core.content(), core.state.seats, owner)? {
        Named::Table => Ok(Entity::Table),
        Named::Seat(seat) => Ok(Entity::Seat(seat)),
        Named::Place(place) => Ok(Entity::Place(place)),
        Named::Copy(entry, nth) => copies(core, entry)
            .nth(nth - 1)
            .map(Entity::Piece)
            .ok_or_else(|| format!("no piece of `{owner}` is in play")),
    }
}

/// The pieces of an entry, in the order of their making.
pub(super) fn copies(core: &Core, entry: EntryId) -> impl Iterator<Item = PieceId> {
    (0..core.state.pieces.len())
        .map(PieceId::at)
        .filter(move |piece| core.entry_of(*piece) == entry)
}
