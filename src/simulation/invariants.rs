//! Invariants that must hold at every decision of every game: those of the engine and those that
//! packs declare.

use std::fmt;

use crate::content::{Bound, CounterId, EntryId, Owner, PieceId, PlaceId, SeatId};
use crate::game::{AnswerForm, Entity, Game, Question};
use crate::value::Value;

/// A violated invariant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The invariant of a pack; `None` for those of the engine.
    pub entry: Option<EntryId>,
    pub text: String,
}

impl From<String> for Violation {
    fn from(text: String) -> Violation {
        Violation { entry: None, text }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

/// Checks a game that is over or has a pending question.
///
/// # Errors
/// Returns the first violated invariant.
pub fn check_invariants(game: &Game) -> Result<(), Violation> {
    check_pieces(game)?;
    check_counters(game)?;
    game.pending().map_or(Ok(()), check_question)?;
    if game.content().invariants.is_empty() {
        return Ok(());
    }
    // Running a script resets the pending step, so use a copy.
    let mut copy = game.without_log();
    let asked = game.pending().map(Question::seat);
    for &(entry, hook) in &game.content().invariants {
        if copy.run_read_only(hook, entry, asked, Value::Unit)? != Value::Bool(true) {
            let def = game.content().entry(entry);
            let text = format!(
                "invariant {} is violated: {}",
                def.id,
                def.text("text").unwrap_or_default()
            );
            return Err(Violation {
                entry: Some(entry),
                text,
            });
        }
    }
    Ok(())
}

/// Every piece is in exactly one zone, and the zone index is consistent.
fn check_pieces(game: &Game) -> Result<(), String> {
    let (zones, count) = (&game.state().zones, game.state().pieces.len());
    let mut seen = vec![false; count];
    for zone in zones.all() {
        for piece in zones.pieces(zone) {
            let piece = PieceId(*piece);
            if std::mem::replace(&mut seen[piece.ix()], true) {
                return Err(format!("{piece:?} is in two zones"));
            }
            if zones.zone_of(piece) != zone {
                return Err(format!(
                    "{piece:?} is in {zone:?}, but its index says {:?}",
                    zones.zone_of(piece)
                ));
            }
        }
    }
    if seen.iter().all(|seen| *seen) {
        Ok(())
    } else {
        Err("a piece is in no zone".to_owned())
    }
}

fn of_whom(of: Entity) -> String {
    match of {
        Entity::Table => "the table".to_owned(),
        Entity::Seat(seat) => format!("seat {}", seat.0 + 1),
        Entity::Place(_) => "a place".to_owned(),
        Entity::Piece(_) => "a piece".to_owned(),
    }
}

fn entities(game: &Game, owner: Owner) -> Vec<Entity> {
    match owner {
        Owner::Table => vec![Entity::Table],
        Owner::Seat => (0..game.state().seats)
            .map(|seat| Entity::Seat(SeatId(seat)))
            .collect(),
        Owner::Place => (0..game.content().map.places.len())
            .map(|ix| Entity::Place(PlaceId::at(ix)))
            .collect(),
        Owner::Piece => (0..game.state().pieces.len())
            .map(|ix| Entity::Piece(PieceId::at(ix)))
            .collect(),
    }
}

/// No counter exceeds a fixed bound.
fn check_counters(game: &Game) -> Result<(), String> {
    let content = game.content();
    for (ix, def) in content.counters.iter().enumerate() {
        let low = if let Bound::Fixed(min) = def.min {
            min
        } else {
            i32::MIN
        };
        let high = if let Some(Bound::Fixed(max)) = def.max {
            max
        } else {
            i32::MAX
        };
        for of in def.owners.iter().flat_map(|owner| entities(game, *owner)) {
            let value = game.state().base(content, of, CounterId::at(ix));
            if !(low..=high).contains(&value) {
                let title = &content.entry(def.entry).id;
                return Err(format!(
                    "{title} of {} is {value}, which is not within {low} to {high}",
                    of_whom(of)
                ));
            }
        }
    }
    Ok(())
}

/// Every question has a valid answer.
fn check_question(question: &Question) -> Result<(), String> {
    let open: usize = question.open().map(|ix| question.options[ix].count()).sum();
    let fits = match question.form {
        AnswerForm::One => open > 0,
        AnswerForm::Some { min, max } => min <= max && usize::from(min) <= open,
        AnswerForm::Order => question.open().count() == question.options.len(),
        AnswerForm::Amount { min, max } => min <= max,
        AnswerForm::Split { total } => total >= 0 && !question.options.is_empty(),
    };
    if fits && !question.seats.is_empty() {
        Ok(())
    } else {
        Err(format!("no answer is possible: {question:?}"))
    }
}
