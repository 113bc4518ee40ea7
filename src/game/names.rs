//! What things are called, by people and in keys.

use super::cx::Core;
use super::state::Entity;
use super::val::Val;
use super::zones::ZoneAt;
use crate::content::{PieceId, SeatId, Value};

/// A seat's name.
#[must_use]
pub fn seat(core: &Core, seat: SeatId) -> String {
    core.names
        .get(seat.ix())
        .cloned()
        .unwrap_or_else(|| format!("Seat {}", seat.0 + 1))
}

/// A field of a piece: of the face it shows, else of its entry.
#[must_use]
pub fn piece_field<'a>(core: &'a Core, piece: PieceId, name: &str) -> Option<&'a Value> {
    let shown = core.state.pieces.get(piece.ix())?;
    let entry = core.content().entry(shown.entry);
    let face = usize::from(shown.face)
        .checked_sub(1)
        .and_then(|ix| entry.faces.get(ix));
    let on_face = face.and_then(|face| {
        face.fields
            .iter()
            .find(|(key, _)| &**key == name)
            .map(|(_, value)| value)
    });
    on_face.or_else(|| entry.field(name))
}

/// A piece's title.
#[must_use]
pub fn piece(core: &Core, piece: PieceId) -> String {
    match piece_field(core, piece, "title") {
        Some(Value::Text(title)) => title.to_string(),
        _ => core.content().entry(core.entry_of(piece)).title.to_string(),
    }
}

/// What a piece is called by those who do not know it: what it is.
#[must_use]
pub fn kind_of(core: &Core, piece: PieceId) -> String {
    let kind = core.content().entry(core.entry_of(piece)).kind;
    core.content().kinds[kind.ix()].title.to_string()
}

/// What anything is called.
#[must_use]
pub fn entity(core: &Core, of: Entity) -> String {
    match of {
        Entity::Table => "the table".to_owned(),
        Entity::Seat(of) => seat(core, of),
        Entity::Place(place) => core
            .content()
            .entry(core.content().map.places[place.ix()].entry)
            .title
            .to_string(),
        Entity::Piece(of) => piece(core, of),
    }
}

/// A zone, with its owner where it is not the table's.
#[must_use]
pub fn zone(core: &Core, at: ZoneAt) -> String {
    zone_of(core, at, |of| entity(core, of))
}

/// A zone, with its owner as somebody calls it.
pub(super) fn zone_of(core: &Core, at: ZoneAt, owner: impl Fn(Entity) -> String) -> String {
    match core.state.zones.def(core.content(), at) {
        None => "the box".to_owned(),
        Some((Entity::Table, zone)) => core.content().zone_title(zone).to_string(),
        Some((of, zone)) => format!("{} ({})", core.content().zone_title(zone), owner(of)),
    }
}

/// What a value is called.
#[must_use]
pub fn val(core: &Core, val: &Val) -> String {
    match val {
        Val::Unit => String::new(),
        Val::Int(n) => n.to_string(),
        Val::Bool(yes) => if *yes { "yes" } else { "no" }.to_owned(),
        Val::Text(text) => text.to_string(),
        Val::Entity(of) => entity(core, *of),
        Val::Zone(at) => zone(core, ZoneAt(*at)),
        Val::Entry(id) => core.content().entry(*id).title.to_string(),
        Val::Phase(id) => core
            .content()
            .entry(core.content().phases[id.ix()].entry)
            .title
            .to_string(),
        Val::List(list) => list
            .iter()
            .map(|val| self::val(core, val))
            .collect::<Vec<_>>()
            .join(", "),
        Val::Map(rows) => match Val::Map(rows.clone()).get("title") {
            Some(Val::Text(title)) => title.to_string(),
            _ => rows
                .iter()
                .map(|(key, val)| format!("{key} {}", self::val(core, val)))
                .collect::<Vec<_>>()
                .join(", "),
        },
    }
}

/// A word that fits into a key: no blanks, nothing that means something in a journal.
#[must_use]
pub fn key_word(text: &str) -> String {
    let keep = |c: char| {
        if c.is_whitespace() || c.is_control() || "#:@|".contains(c) {
            '-'
        } else {
            c
        }
    };
    let word: String = text.trim().chars().take(60).map(keep).collect();
    if word.is_empty() {
        "-".to_owned()
    } else {
        word
    }
}

/// A piece's key for a chooser: its id where the chooser knows it, else its position.
#[must_use]
pub fn piece_key(core: &Core, chooser: SeatId, piece: PieceId) -> String {
    let shown = core.state.pieces[piece.ix()];
    if shown.known.contains(chooser) {
        return core.content().entry(shown.entry).id.to_string();
    }
    format!("@{}", core.state.zones.position(piece) + 1)
}

/// A value's key for a chooser.
#[must_use]
pub fn val_key(core: &Core, chooser: SeatId, val: &Val) -> String {
    match val {
        Val::Unit => "-".to_owned(),
        Val::Int(n) => n.to_string(),
        Val::Entity(Entity::Piece(piece)) => piece_key(core, chooser, *piece),
        Val::Entity(Entity::Seat(seat)) => format!("seat-{}", seat.0 + 1),
        Val::Entity(Entity::Place(place)) => core
            .content()
            .entry(core.content().map.places[place.ix()].entry)
            .id
            .to_string(),
        Val::Entity(Entity::Table) => "table".to_owned(),
        Val::Entry(id) => core.content().entry(*id).id.to_string(),
        Val::Zone(at) => core.state.zones.def(core.content(), ZoneAt(*at)).map_or(
            "box".to_owned(),
            |(_, zone)| {
                core.content()
                    .entry(core.content().zones[zone.ix()].entry)
                    .id
                    .to_string()
            },
        ),
        Val::Phase(id) => core
            .content()
            .entry(core.content().phases[id.ix()].entry)
            .id
            .to_string(),
        Val::Map(rows) => {
            let named = rows
                .iter()
                .find(|(key, _)| &**key == "key" || &**key == "id");
            named.map_or_else(
                || key_word(&self::val(core, val)),
                |(_, val)| val_key(core, chooser, val),
            )
        }
        other => key_word(&self::val(core, other)),
    }
}
