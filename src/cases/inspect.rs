//! Values of a running game by path: `1.coins`, `table.pool`, `ogre.life`, `2.place`.

use super::case::ExpectedValue;
use crate::content::{Content, FlagType, Owner, PieceId, SeatId};
use crate::game::{Entity, StepContext, lookup, names};
use crate::value::Value;

/// Reads the value at a path, with names as a pack writes them.
///
/// # Errors
/// Returns the part of the path that does not exist, with a suggestion.
pub fn at(context: &StepContext, pack: u16, path: &str) -> Result<InspectedValue, String> {
    let content = context.content();
    let (owner, name) = split(content, path)?;
    let entity = lookup::entity(context, lookup::owner(content, context.state.seats, owner)?)?;
    let symbols = content.symbol(name);
    if let Some(counter) = symbols.counter
        && context.state.has_counter(content, entity, counter)
    {
        let number = i64::from(context.state.base(content, entity, counter));
        return Ok(match content.flag(counter) {
            None | Some(FlagType::Number) => InspectedValue::Number(number),
            Some(_) => InspectedValue::Word(content.flag_typed(counter, number)),
        });
    }
    if let Some(at) = symbols
        .zone
        .and_then(|zone| context.state.zones.at(content, entity, zone))
    {
        let ids = context.state.zones.pieces(at).iter().map(|piece| {
            let entry = context.entry_of(PieceId(*piece));
            content.name_in(pack, entry).to_string()
        });
        return Ok(InspectedValue::Pieces(ids.collect()));
    }
    match (name, entity) {
        ("place", Entity::Seat(seat)) => {
            let place = context.state.at[seat.ix()].map(|place| {
                let entry = content.map.places[place.ix()].entry;
                content.name_in(pack, entry).to_string()
            });
            Ok(InspectedValue::Word(place.unwrap_or_default()))
        }
        ("zone", Entity::Piece(piece)) => {
            let zone = context.state.zones.zone_of(piece);
            Ok(InspectedValue::Word(names::value_key(
                context,
                SeatId(0),
                &Value::Zone(zone),
            )))
        }
        ("face", Entity::Piece(piece)) => Ok(InspectedValue::Number(i64::from(
            context.state.pieces[piece.ix()].face,
        ))),
        (mark, entity)
            if context
                .state
                .marks
                .iter()
                .any(|(own, word)| *own == entity && **word == *mark) =>
        {
            Ok(InspectedValue::Number(1))
        }
        _ => Err(unknown_name(context, path, entity, name)),
    }
}

/// Splits a path into its owner and the name after the dot.
fn split<'p>(content: &Content, path: &'p str) -> Result<(&'p str, &'p str), String> {
    path.split_once('.').ok_or_else(|| {
        if content.symbol(path).is_property() {
            return format!("`{path}` has no owner; write `1.{path}` for the first seat");
        }
        format!("`{path}`: write `1.<counter>`, `table.<zone>`, `<piece>.<counter>`")
    })
}

/// Describes the part of a path that cannot exist in any game with this content. A word that
/// `is_mark` accepts may be a mark.
pub(super) fn unknown(
    content: &Content,
    seats: u8,
    path: &str,
    is_mark: impl Fn(&str) -> bool,
) -> Option<String> {
    let (owner, name) = match split(content, path) {
        Ok(parts) => parts,
        Err(reason) => return Some(reason),
    };
    let owner = match lookup::owner(content, seats, owner) {
        Ok(entity) => entity.owner(),
        Err(reason) => return Some(reason),
    };
    let symbols = content.symbol(name);
    let counter = symbols
        .counter
        .is_some_and(|id| content.counter_slot[id.ix()][owner].is_some());
    let zone = symbols
        .zone
        .is_some_and(|id| content.zone_slot[id.ix()][owner].is_some());
    if counter || zone || own_properties(owner).contains(&name) || is_mark(name) {
        return None;
    }
    let known = known_names(content, owner);
    let phrase = lookup::owner_phrase(owner);
    let text = format!("`{path}`: {phrase} has no counter, zone or mark `{name}`");
    Some(lookup::did_you_mean(text, name, &known))
}

const fn own_properties(owner: Owner) -> &'static [&'static str] {
    match owner {
        Owner::Seat => &["place"],
        Owner::Piece => &["zone", "face"],
        Owner::Table | Owner::Place => &[],
    }
}

fn known_names(content: &Content, owner: Owner) -> Vec<&str> {
    lookup::counters_of(content, owner)
        .chain(lookup::zones_of(content, owner))
        .chain(own_properties(owner).iter().copied())
        .collect()
}

/// The message for a path whose last part does not exist.
fn unknown_name(context: &StepContext, path: &str, entity: Entity, name: &str) -> String {
    let (content, owner) = (context.content(), entity.owner().0);
    let mut known = known_names(content, owner);
    known.extend(
        context
            .state
            .marks
            .iter()
            .filter(|(own, _)| *own == entity)
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
    /// The id of a place or a zone, or the value of a flag.
    Word(String),
}

impl InspectedValue {
    /// Whether it matches a value that a pack expects; a number also matches the number of pieces.
    #[must_use]
    pub fn fits(&self, content: &Content, pack: u16, wanted: &ExpectedValue) -> bool {
        let is_name = |found: &String, wanted: &String| {
            let plain = content.plain_name(pack, wanted);
            found == wanted || plain.is_some_and(|plain| *plain == **found)
        };
        match (self, wanted) {
            (InspectedValue::Number(n), ExpectedValue::Number(m)) => n == m,
            (InspectedValue::Pieces(ids), ExpectedValue::Number(m)) => {
                i64::try_from(ids.len()) == Ok(*m)
            }
            (InspectedValue::Pieces(ids), ExpectedValue::Pieces(list)) => {
                let mut pairs = ids.iter().zip(list);
                ids.len() == list.len() && pairs.all(|(found, wanted)| is_name(found, wanted))
            }
            (InspectedValue::Word(word), ExpectedValue::Word(wanted)) => is_name(word, wanted),
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
