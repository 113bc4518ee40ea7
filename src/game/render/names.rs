//! Names for players, and the stable keys of journals and cases.

use super::{catalogue, grammar};
use crate::content::{Content, CounterId, EntryId, PieceId, SeatId};
use crate::game::context::StepContext;
use crate::game::state::{Entity, State};
use crate::game::zones::ZoneAt;
use crate::value::{Text, Value};

/// The name of the player at a seat.
#[must_use]
pub fn seat(context: &StepContext, seat: SeatId) -> String {
    context
        .names
        .get(seat.ix())
        .cloned()
        .unwrap_or_else(|| catalogue::name::seat(seat.ix() + 1))
}

/// A field of the face that a piece shows, else of its entry.
#[must_use]
pub fn piece_field<'a>(context: &'a StepContext, piece: PieceId, name: &str) -> Option<&'a Value> {
    let shown = context.state.pieces.get(piece.ix())?;
    let entry = context.content().entry(shown.entry);
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

/// Like [`piece_field`], for a name that is [interned](crate::content::Content::interned).
#[must_use]
pub fn piece_named_field<'a>(
    context: &'a StepContext,
    piece: PieceId,
    name: &Text,
) -> Option<&'a Value> {
    let shown = context.state.pieces.get(piece.ix())?;
    if shown.face > 0 {
        return piece_field(context, piece, name);
    }
    context.content().entry(shown.entry).named_field(name)
}

/// The title of a seat, piece, place or the table.
#[must_use]
pub fn title(context: &StepContext, entity: Entity) -> Text {
    match entity {
        Entity::Piece(piece) => match piece_field(context, piece, "title") {
            Some(Value::Text(title)) => title.clone(),
            _ => context
                .content()
                .entry(context.entry_of(piece))
                .title
                .clone(),
        },
        Entity::Place(place) => {
            let entry = context.content().map.places[place.ix()].entry;
            context.content().entry(entry).title.clone()
        }
        _ => self::entity(context, entity).into(),
    }
}

/// The title of the face that a piece shows, else of its entry.
#[must_use]
pub fn piece(context: &StepContext, piece: PieceId) -> String {
    match piece_field(context, piece, "title") {
        Some(Value::Text(title)) => title.to_string(),
        _ => context
            .content()
            .entry(context.entry_of(piece))
            .title
            .to_string(),
    }
}

/// The title of a piece's kind: its name for players who see only its back.
#[must_use]
pub fn kind_of(context: &StepContext, piece: PieceId) -> String {
    let kind = context.content().entry(context.entry_of(piece)).kind;
    context.content().kinds[kind.ix()].title.to_string()
}

/// The noun for counting these pieces, such as `card`; `None` without pieces.
pub(super) fn piece_noun(context: &StepContext, pieces: &[PieceId]) -> Option<String> {
    let noun = |piece: &PieceId| grammar::head_noun(&kind_of(context, *piece));
    let first = noun(pieces.first()?);
    let is_same = pieces.iter().all(|piece| noun(piece) == first);
    Some(if is_same {
        first
    } else {
        catalogue::name::PIECE.to_owned()
    })
}

/// The title of a counter or a chain for an amount: the pack's singular if the amount is 1 and the
/// pack declares one.
#[must_use]
pub(crate) fn title_for(content: &Content, entry: EntryId, amount: i64) -> &str {
    let entry = content.entry(entry);
    let singular = entry.text("singular").filter(|_| amount == 1);
    singular.unwrap_or(&entry.title)
}

/// `1 Coin`, `2 Coins`.
pub(super) fn counter_amount(content: &Content, counter: CounterId, amount: i64) -> String {
    let entry = content.counters[counter.ix()].entry;
    let title = title_for(content, entry, amount);
    let is_guess = amount == 1 && content.entry(entry).text("singular").is_none();
    let title = if is_guess {
        grammar::singular(title)
    } else {
        title.to_owned()
    };
    catalogue::cost::amount_of(amount, &title)
}

/// The name of a seat, place or piece.
#[must_use]
pub fn entity(context: &StepContext, entity: Entity) -> String {
    match entity {
        Entity::Table => catalogue::name::TABLE.to_owned(),
        Entity::Seat(entity) => seat(context, entity),
        Entity::Place(place) => context
            .content()
            .entry(context.content().map.places[place.ix()].entry)
            .title
            .to_string(),
        Entity::Piece(entity) => piece(context, entity),
    }
}

/// A zone, with its owner unless it belongs to the table.
#[must_use]
pub fn zone(context: &StepContext, at: ZoneAt) -> String {
    zone_of(context, at, |entity| self::entity(context, entity))
}

/// A zone with its owner, named by the caller.
pub(super) fn zone_of(
    context: &StepContext,
    at: ZoneAt,
    owner: impl Fn(Entity) -> String,
) -> String {
    match context.state.zones.def(context.content(), at) {
        None => catalogue::name::BOX.to_owned(),
        Some((Entity::Table, zone)) => context.content().zone_title(zone).to_string(),
        Some((entity, zone)) => {
            catalogue::name::zone_of(context.content().zone_title(zone), &owner(entity))
        }
    }
}

/// A script value as shown to players.
#[must_use]
pub fn value(context: &StepContext, value: &Value) -> String {
    match value {
        Value::Int(n) => n.to_string(),
        Value::Bool(value) => catalogue::name::boolean(*value).to_owned(),
        Value::Text(text) => text.to_string(),
        Value::Entity(entity) => self::entity(context, *entity),
        Value::Zone(at) => zone(context, *at),
        Value::Entry(id) => context.content().entry(*id).title.to_string(),
        Value::Phase(id) => context
            .content()
            .entry(context.content().phases[id.ix()].entry)
            .title
            .to_string(),
        Value::List(list) | Value::Rows(list) => list
            .iter()
            .map(|value| self::value(context, value))
            .collect::<Vec<_>>()
            .join(", "),
        Value::Map(rows) | Value::Table(rows) => match value.get("title") {
            Some(Value::Text(title)) => title.to_string(),
            _ => rows
                .iter()
                .map(|(key, value)| format!("{key} {}", self::value(context, value)))
                .collect::<Vec<_>>()
                .join(", "),
        },
        Value::Roll(number) => number.to_string(),
        _ => String::new(),
    }
}

/// The text at a path in a value of a game, for templates: counters, fields and titles; `None` if
/// there is nothing.
#[must_use]
pub fn value_at(context: &StepContext, value: &Value, path: &str) -> Option<String> {
    let content = context.content();
    let Value::Entity(entity) = *value else {
        return match value {
            Value::Map(_) | Value::List(_) if !path.is_empty() => {
                let (step, rest) = path.split_once('.').unwrap_or((path, ""));
                value_at(context, value.path(step)?, rest)
            }
            Value::Table(_) | Value::Rows(_) | Value::Entry(_) => content.display_path(value, path),
            _ if path.is_empty() => Some(self::value(context, value)),
            _ => None,
        };
    };
    if matches!(path, "" | "title") {
        return Some(self::entity(context, entity));
    }
    if let Some(counter) = content.symbol(path).counter
        && State::counter_at(content, entity, counter).is_some()
    {
        return Some(context.state.base(content, entity, counter).to_string());
    }
    let (field, rest) = path.split_once('.').unwrap_or((path, ""));
    let value = match entity {
        Entity::Piece(piece) => piece_field(context, piece, field),
        Entity::Place(place) => content
            .entry(content.map.places[place.ix()].entry)
            .field(field),
        Entity::Seat(_) | Entity::Table => None,
    };
    content.display_path(value?, rest)
}

/// A text as part of a key: without spaces and other characters that have a meaning in journals.
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

/// The key of a piece: its id if the choosing seat knows the piece, else its position.
#[must_use]
pub fn piece_key(context: &StepContext, chooser: SeatId, piece: PieceId) -> String {
    let shown = context.state.pieces[piece.ix()];
    if shown.known.contains(chooser) {
        return context.content().entry(shown.entry).id.to_string();
    }
    format!("@{}", context.state.zones.position(piece) + 1)
}

/// The key of a value. Keys do not depend on the catalogue, because journals outlive its wording.
#[must_use]
pub fn value_key(context: &StepContext, chooser: SeatId, value: &Value) -> String {
    match value {
        Value::Unit => "-".to_owned(),
        Value::Int(n) => n.to_string(),
        Value::Bool(value) => if *value { "yes" } else { "no" }.to_owned(),
        Value::Entity(Entity::Piece(piece)) => piece_key(context, chooser, *piece),
        Value::Entity(Entity::Seat(seat)) => format!("seat-{}", seat.0 + 1),
        Value::Entity(Entity::Place(place)) => context
            .content()
            .entry(context.content().map.places[place.ix()].entry)
            .id
            .to_string(),
        Value::Entity(Entity::Table) => "table".to_owned(),
        Value::Entry(id) => context.content().entry(*id).id.to_string(),
        Value::Zone(at) => {
            context
                .state
                .zones
                .def(context.content(), *at)
                .map_or("box".to_owned(), |(_, zone)| {
                    context
                        .content()
                        .entry(context.content().zones[zone.ix()].entry)
                        .id
                        .to_string()
                })
        }
        Value::Phase(id) => context
            .content()
            .entry(context.content().phases[id.ix()].entry)
            .id
            .to_string(),
        Value::Map(rows) | Value::Table(rows) => {
            let named = rows
                .iter()
                .find(|(key, _)| &**key == "key" || &**key == "id");
            named.map_or_else(
                || key_word(&self::value(context, value)),
                |(_, value)| value_key(context, chooser, value),
            )
        }
        other => key_word(&self::value(context, other)),
    }
}
