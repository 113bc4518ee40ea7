//! Looking into a game by path: `1.coins`, `table.pool`, `ogre.life`, `2.place`.

use crate::content::{PieceId, SeatId};
use crate::game::{Core, Entity, State};

/// What a path leads to, as text: a number, ids separated by blanks, or a place.
///
/// # Errors
/// What in the path leads nowhere.
pub fn at(core: &Core, path: &str) -> Result<Found, String> {
    let (owner, name) = path
        .split_once('.')
        .ok_or_else(|| format!("`{path}`: write `1.<counter>`, `table.<zone>`, `<piece>.<counter>`"))?;
    let of = entity(core, owner)?;
    let content = core.content();
    let symbols = content.symbol(name);
    if let Some(counter) = symbols.counter
        && State::counter_at(content, of, counter).is_some()
    {
        return Ok(Found::Number(i64::from(core.state.base(content, of, counter))));
    }
    if let Some(at) = symbols.zone.and_then(|zone| core.state.zones.at(content, of, zone)) {
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
            let place = core.state.at[seat.ix()]
                .map(|place| content.entry(content.map.places[place.ix()].entry).id.to_string());
            Ok(Found::Word(place.unwrap_or_default()))
        }
        ("zone", Entity::Piece(piece)) => {
            let zone = core.state.zones.zone_of(piece);
            Ok(Found::Word(crate::game::names::val_key(core, SeatId(0), &crate::game::Val::Zone(zone.0))))
        }
        ("face", Entity::Piece(piece)) => Ok(Found::Number(i64::from(core.state.pieces[piece.ix()].face))),
        (mark, of) if core.state.marks.iter().any(|(own, word)| *own == of && **word == *mark) => Ok(Found::Number(1)),
        _ => Err(format!("`{path}`: {owner} has no counter, zone or mark `{name}`")),
    }
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
    /// Whether it is what a test expects: a number also counts pieces.
    #[must_use]
    pub fn fits(&self, wanted: &toml::Value) -> bool {
        match (self, wanted) {
            (Found::Number(n), toml::Value::Integer(m)) => n == m,
            (Found::Pieces(ids), toml::Value::Integer(m)) => i64::try_from(ids.len()) == Ok(*m),
            (Found::Pieces(ids), toml::Value::Array(list)) => {
                list.len() == ids.len() && ids.iter().zip(list).all(|(id, wanted)| wanted.as_str() == Some(id))
            }
            (Found::Word(word), toml::Value::String(wanted)) => word == wanted,
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

fn entity(core: &Core, owner: &str) -> Result<Entity, String> {
    if owner == "table" {
        return Ok(Entity::Table);
    }
    if let Ok(number) = owner.parse::<u8>() {
        let seat = number.checked_sub(1).filter(|seat| *seat < core.state.seats);
        return seat.map(|seat| Entity::Seat(SeatId(seat))).ok_or_else(|| format!("there is no seat {number}"));
    }
    let (id, nth) = match owner.split_once('#') {
        Some((id, nth)) => (id, nth.parse::<usize>().unwrap_or(1)),
        None => (owner, 1),
    };
    let entry = core.content().find(id).ok_or_else(|| format!("there is no entry `{id}`"))?;
    if let Some(place) = core.content().entry(entry).place {
        return Ok(Entity::Place(place));
    }
    let mut copies = (0..core.state.pieces.len()).map(PieceId::at).filter(|piece| core.entry_of(*piece) == entry);
    copies.nth(nth.saturating_sub(1)).map(Entity::Piece).ok_or_else(|| format!("no piece of `{id}` is in play"))
}
