//! Values of a running game by path: `1.coins`, `table.pool`, `ogre.life`, `2.place`.

use super::case::ExpectedValue;
use crate::content::{Owner, PieceId, SeatId};
use crate::game::{Entity, State, StepContext, lookup, names};
use crate::value::Value;

/// Reads the value at a path.
///
/// # Errors
/// Returns the part of the path that does not exist, with a suggestion.
pub fn at(context: &StepContext, path: &str) -> Result<InspectedValue, String> {
    let content = context.content();
    let (owner, name) = path.split_once('.').ok_or_else(|| {
        let symbols = content.symbol(path);
        if symbols.counter.is_some() || symbols.zone.is_some() {
            return format!("`{path}`: name its owner, as in `1.{path}` for the first seat");
        }
        format!("`{path}`: write `1.<counter>`, `table.<zone>`, `<piece>.<counter>`")
    })?;
    let of = lookup::entity(context, lookup::owner(content, context.state.seats, owner)?)?;
    let symbols = content.symbol(name);
    if let Some(counter) = symbols.counter
        && State::counter_at(content, of, counter).is_some()
    {
        return Ok(InspectedValue::Number(i64::from(
            context.state.base(content, of, counter),
        )));
    }
    if let Some(at) = symbols
        .zone
        .and_then(|zone| context.state.zones.at(content, of, zone))
    {
        let ids = context.state.zones.pieces(at).iter().map(|piece| {
            content
                .entry(context.entry_of(PieceId(*piece)))
                .id
                .to_string()
        });
        return Ok(InspectedValue::Pieces(ids.collect()));
    }
    match (name, of) {
        ("place", Entity::Seat(seat)) => {
            let place = context.state.at[seat.ix()].map(|place| {
                content
                    .entry(content.map.places[place.ix()].entry)
                    .id
                    .to_string()
            });
            Ok(InspectedValue::Word(place.unwrap_or_default()))
        }
        ("zone", Entity::Piece(piece)) => {
            let zone = context.state.zones.zone_of(piece);
            Ok(InspectedValue::Word(names::val_key(
                context,
                SeatId(0),
                &Value::Zone(zone),
            )))
        }
        ("face", Entity::Piece(piece)) => Ok(InspectedValue::Number(i64::from(
            context.state.pieces[piece.ix()].face,
        ))),
        (mark, of)
            if context
                .state
                .marks
                .iter()
                .any(|(own, word)| *own == of && **word == *mark) =>
        {
            Ok(InspectedValue::Number(1))
        }
        _ => Err(unknown_name(context, path, of, name)),
    }
}

/// The message for a path whose last part does not exist.
fn unknown_name(context: &StepContext, path: &str, of: Entity, name: &str) -> String {
    let (content, owner) = (context.content(), of.owner().0);
    let mut known: Vec<&str> = lookup::counters_of(content, owner)
        .chain(lookup::zones_of(content, owner))
        .collect();
    known.extend(match owner {
        Owner::Seat => &["place"][..],
        Owner::Piece => &["zone", "face"],
        Owner::Table | Owner::Place => &[],
    });
    known.extend(
        context
            .state
            .marks
            .iter()
            .filter(|(own, _)| *own == of)
            .map(|(_, mark)| &**mark),
    );
    let phrase = lookup::owner_phrase(owner);
    let text = format!("`{path}`: {phrase} has no counter, zone or mark `{name}`");
    lookup::did_you_mean(text, name, &known)
}

/// The value at a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InspectedValue {
    /// The value of a counter, the number of a face, or 1 for a mark.
    Number(i64),
    /// The ids of the pieces in a zone, top first.
    Pieces(Vec<String>),
    /// The id of a place or a zone.
    Word(String),
}

impl InspectedValue {
    /// Whether it matches an expected value; a number also matches the number of pieces.
    #[must_use]
    pub fn fits(&self, wanted: &ExpectedValue) -> bool {
        match (self, wanted) {
            (InspectedValue::Number(n), ExpectedValue::Number(m)) => n == m,
            (InspectedValue::Pieces(ids), ExpectedValue::Number(m)) => {
                i64::try_from(ids.len()) == Ok(*m)
            }
            (InspectedValue::Pieces(ids), ExpectedValue::Pieces(list)) => ids == list,
            (InspectedValue::Word(word), ExpectedValue::Word(wanted)) => word == wanted,
            _ => false,
        }
    }

    /// The value as shown in failure messages.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            InspectedValue::Number(n) => n.to_string(),
            InspectedValue::Pieces(ids) => format!("[{}]", ids.join(", ")),
            InspectedValue::Word(word) => format!("\"{word}\""),
        }
    }
}

impl From<&ExpectedValue> for InspectedValue {
    fn from(wanted: &ExpectedValue) -> InspectedValue {
        match wanted {
            ExpectedValue::Number(n) => InspectedValue::Number(*n),
            ExpectedValue::Pieces(ids) => InspectedValue::Pieces(ids.clone()),
            ExpectedValue::Word(word) => InspectedValue::Word(word.clone()),
        }
    }
}
