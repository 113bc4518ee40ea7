//! Pieces: creating, moving, flipping and revealing them.

use kaer_macros::primitives;

use super::entry::entry_id;
use super::object::BuiltIn;
use crate::content::{EntryId, PieceId};
use crate::game::moves::{self, InsertAt};
use crate::game::zones::ZoneAt;
use crate::game::{Cx, Entity, StepResult};
use crate::script::primitive::*;

pub(super) fn piece_id(cx: &Cx, object: Entity) -> StepResult<PieceId> {
    match object {
        Entity::Piece(piece) => Ok(piece),
        _ => Err(cx.fault("expected a piece")),
    }
}

/// Pieces as a list for scripts.
pub(super) fn list(pieces: impl IntoIterator<Item = PieceId>) -> List {
    pieces
        .into_iter()
        .map(|piece| Value::Entity(Entity::Piece(piece)))
        .collect()
}

/// The pieces in a list of a script; any other item is a fault.
pub(super) fn ids(cx: &mut Cx, list: &List) -> StepResult<Vec<PieceId>> {
    cx.charge_work(list.len() as u64)?;
    let piece = |value: &Value| match value.entity() {
        Some(object) => piece_id(cx, object),
        None => Err(cx.fault("expected a list of pieces")),
    };
    list.iter().map(piece).collect()
}

/// The built-in properties of a piece.
pub(super) fn property(cx: &Cx, piece: PieceId, property: BuiltIn) -> Option<Value> {
    let shown = cx.state.pieces[piece.ix()];
    let entry = cx.content().entry(shown.entry);
    Some(match property {
        BuiltIn::Id => Value::Text(cx.name_of(shown.entry)),
        BuiltIn::Entry => Value::Entry(shown.entry),
        BuiltIn::Kind => Value::Text(cx.content().kinds[entry.kind.ix()].id.clone()),
        BuiltIn::Zone => Value::Zone(cx.state.zones.zone_of(piece)),
        BuiltIn::Face => {
            let face = usize::from(shown.face)
                .checked_sub(1)
                .and_then(|ix| entry.faces.get(ix));
            Value::Text(face.map_or(Text::new(), |face| face.name.clone()))
        }
        _ => return None,
    })
}

/// The position of a face of an entry; 0 for its front, whose name is empty.
fn face_position(cx: &Cx, entry: EntryId, face: &str) -> StepResult<u8> {
    let entry = cx.content().entry(entry);
    let position = match face {
        "" => Some(0),
        face => {
            let found = entry.faces.iter().position(|own| &*own.name == face);
            found.map(|ix| ix + 1)
        }
    };
    position
        .and_then(|ix| u8::try_from(ix).ok())
        .ok_or_else(|| {
            let known: Vec<String> = entry
                .faces
                .iter()
                .map(|own| format!("`{}`", own.name))
                .collect();
            let known = if known.is_empty() {
                "its kind has no `faces`".to_owned()
            } else {
                format!("it has {}, and `` for its front", known.join(", "))
            };
            cx.fault(format!("{} has no face `{face}`: {known}", entry.id))
        })
}

fn create_several(
    cx: &mut Cx,
    entry: EntryId,
    zone: ZoneAt,
    count: i64,
    face: &str,
) -> StepResult<List> {
    let face = face_position(cx, entry, face)?;
    if count < 0 {
        return Err(cx.fault(format!(
            "cannot create {count} pieces: the number is below zero"
        )));
    }
    let mut made = List::default();
    for _ in 0..count.clamp(0, 1000) {
        let piece = create_one(cx, entry, zone, face)?;
        if piece != Value::Unit {
            made.push(piece);
        }
    }
    Ok(made)
}

fn create_one(cx: &mut Cx, entry: EntryId, zone: ZoneAt, face: u8) -> StepResult<Value> {
    if !cx.content().kinds[cx.content().entry(entry).kind.ix()].is_piece {
        let name = cx.content().entry(entry).name.clone();
        return Err(cx.fault(format!(
            "`{name}` is not a piece: only entries of piece kinds can be created"
        )));
    }
    let made = moves::create(cx, entry, zone, face)?;
    Ok(made.map_or(Value::Unit, |piece| Value::Entity(Entity::Piece(piece))))
}

fn copies(cx: &mut Cx, entry: EntryId) -> StepResult<List> {
    let count = cx.state.pieces.len() as u64;
    cx.charge_work(count)?;
    let all = (0..cx.state.pieces.len())
        .map(PieceId::at)
        .filter(|piece| cx.entry_of(*piece) == entry);
    Ok(list(all))
}

#[primitives("pieces")]
pub mod functions {
    use super::*;

    /// Creates a copy of an entry at the bottom of a zone and returns the piece; returns `()` if a hook
    /// denied it.
    /// ```rhai
    /// let lily = create("lily", actor.bed);
    /// lily.owner // is Ann
    /// actor.bed.pieces() // is [Lily]
    /// ```
    #[does(CHANGES)]
    pub fn create(cx: &mut Cx, #[names(Entry)] id: Text, zone: ZoneAt) -> StepResult<Value> {
        let entry = entry_id(cx, &id)?;
        create_one(cx, entry, zone, 0)
    }

    /// Creates a copy of an entry at the bottom of a zone and returns the piece, or `()`.
    /// ```rhai
    /// create(piece("pedlar").likes, actor.bed);
    /// actor.bed.pieces() // is [Rose]
    /// ```
    #[name("create")]
    #[does(CHANGES)]
    pub fn create_entry(cx: &mut Cx, entry: EntryId, zone: ZoneAt) -> StepResult<Value> {
        create_one(cx, entry, zone, 0)
    }

    /// Creates several copies of an entry at the bottom of a zone and returns them.
    /// ```rhai
    /// create("daisy", actor.bed, 3);
    /// actor.bed.pieces() // is [Daisy, Daisy, Daisy]
    /// ```
    #[name("create")]
    #[does(CHANGES)]
    pub fn create_many(
        cx: &mut Cx,
        #[names(Entry)] id: Text,
        zone: ZoneAt,
        count: i64,
    ) -> StepResult<List> {
        let entry = entry_id(cx, &id)?;
        create_several(cx, entry, zone, count, "")
    }

    /// Creates several copies of an entry at the bottom of a zone and returns them.
    /// ```rhai
    /// create(piece("pedlar").likes, actor.bed, 2) // is [Rose, Rose]
    /// ```
    #[name("create")]
    #[does(CHANGES)]
    pub fn create_entries(
        cx: &mut Cx,
        entry: EntryId,
        zone: ZoneAt,
        count: i64,
    ) -> StepResult<List> {
        create_several(cx, entry, zone, count, "")
    }

    /// Creates copies of an entry that show a face, at the bottom of a zone, and returns them.
    /// ```rhai
    /// create("rose", actor.bed, 2, "wilted") // is [Wilted Rose, Wilted Rose]
    /// ```
    #[name("create")]
    #[does(CHANGES)]
    pub fn create_face(
        cx: &mut Cx,
        #[names(Entry)] id: Text,
        zone: ZoneAt,
        count: i64,
        face: Text,
    ) -> StepResult<List> {
        let entry = entry_id(cx, &id)?;
        create_several(cx, entry, zone, count, &face)
    }

    /// Creates copies of an entry that show a face, at the bottom of a zone, and returns them.
    /// ```rhai
    /// create(piece("pedlar").likes, actor.bed, 1, "wilted") // is [Wilted Rose]
    /// ```
    #[name("create")]
    #[does(CHANGES)]
    pub fn create_entry_face(
        cx: &mut Cx,
        entry: EntryId,
        zone: ZoneAt,
        count: i64,
        face: Text,
    ) -> StepResult<List> {
        create_several(cx, entry, zone, count, &face)
    }

    /// Creates the pieces of every entry of a kind at the bottom of a zone, `copies` of each.
    /// ```rhai
    /// create_all("pest", table.yard);
    /// table.yard.pieces() // is [Goose, Goose, Snail]
    /// ```
    #[does(CHANGES)]
    pub fn create_all(cx: &mut Cx, #[names(Kind)] kind: Text, zone: ZoneAt) -> StepResult<()> {
        let Some(id) = cx.content().kind(&kind) else {
            return Err(cx.fault(format!("unknown kind `{kind}`")));
        };
        let content = cx.content().clone();
        for entry in content.of_kind(id) {
            for _ in 0..content.entry(entry).copies {
                let _ = create_one(cx, entry, zone, 0)?;
            }
        }
        Ok(())
    }

    /// Creates all `copies` of an entry at the bottom of a zone, and returns them.
    /// ```rhai
    /// create_copies(entry("rose"), actor.bed) // is [Rose]
    /// ```
    #[does(CHANGES)]
    pub fn create_copies(cx: &mut Cx, entry: EntryId, zone: ZoneAt) -> StepResult<List> {
        let count = cx.content().entry(entry).copies;
        create_several(cx, entry, zone, count.into(), "")
    }

    /// Returns every piece in play that is a copy of an entry, in any zone.
    /// ```rhai
    /// copies_of("rose").len() // is 4
    /// copies_of("snail") // is []
    /// ```
    pub fn copies_of(cx: &mut Cx, #[names(Entry)] id: Text) -> StepResult<List> {
        let entry = entry_id(cx, &id)?;
        copies(cx, entry)
    }

    /// Returns every piece in play that is a copy of an entry, in any zone.
    /// ```rhai
    /// copies_of(entry("rose")).len() // is 4
    /// ```
    #[name("copies_of")]
    pub fn copies_of_entry(cx: &mut Cx, entry: EntryId) -> StepResult<List> {
        copies(cx, entry)
    }

    /// Moves a piece to the top of a zone; returns whether it moved.
    /// ```rhai
    /// piece("rose").move_to(actor.bed); // is true
    /// actor.bed.top() // is Rose
    /// ```
    #[does(CHANGES)]
    pub fn move_to(cx: &mut Cx, piece: Entity, zone: ZoneAt) -> StepResult<bool> {
        let piece = piece_id(cx, piece)?;
        moves::move_piece(cx, piece, zone, InsertAt::Top)
    }

    /// Moves a piece to the bottom of a zone; returns whether it moved.
    /// ```rhai
    /// piece("lily").move_under(actor.deck); // is true
    /// actor.deck.bottom() // is Lily
    /// ```
    #[does(CHANGES)]
    pub fn move_under(cx: &mut Cx, piece: Entity, zone: ZoneAt) -> StepResult<bool> {
        let piece = piece_id(cx, piece)?;
        moves::move_piece(cx, piece, zone, InsertAt::Bottom)
    }

    /// Moves a piece to a position in a zone, counted from 0; returns whether it moved.
    /// ```rhai
    /// piece("lily").move_to(actor.hand, 1); // is true
    /// actor.hand.pieces() // is [Rose, Lily, Tulip, Daisy]
    /// ```
    #[name("move_to")]
    #[does(CHANGES)]
    pub fn move_to_position(
        cx: &mut Cx,
        piece: Entity,
        zone: ZoneAt,
        position: i64,
    ) -> StepResult<bool> {
        let piece = piece_id(cx, piece)?;
        moves::move_piece(
            cx,
            piece,
            zone,
            InsertAt::At(usize::try_from(position).unwrap_or(0)),
        )
    }

    /// Moves pieces to the top of a zone one by one: the last ends up on top.
    /// ```rhai
    /// table.market.pieces().move_to(actor.bed);
    /// actor.bed.pieces() // is [Thistle, Tulip, Lily]
    /// ```
    #[name("move_to")]
    #[does(CHANGES)]
    pub fn move_all_to(cx: &mut Cx, pieces: List, zone: ZoneAt) -> StepResult<()> {
        for piece in ids(cx, &pieces)? {
            moves::move_piece(cx, piece, zone, InsertAt::Top)?;
        }
        Ok(())
    }

    /// Moves pieces to the bottom of a zone one by one.
    /// ```rhai
    /// table.market.pieces().move_under(actor.bed);
    /// actor.bed.pieces() // is [Lily, Tulip, Thistle]
    /// ```
    #[name("move_under")]
    #[does(CHANGES)]
    pub fn move_all_under(cx: &mut Cx, pieces: List, zone: ZoneAt) -> StepResult<()> {
        for piece in ids(cx, &pieces)? {
            moves::move_piece(cx, piece, zone, InsertAt::Bottom)?;
        }
        Ok(())
    }

    /// Discards a piece to the `discards_to` zone of its zone, or to the box if there is none; returns
    /// whether it moved.
    /// ```rhai
    /// piece("rose").discard(); // is true
    /// actor.compost.pieces() // is [Rose]
    /// ```
    #[does(CHANGES)]
    pub fn discard(cx: &mut Cx, piece: Entity) -> StepResult<bool> {
        let piece = piece_id(cx, piece)?;
        moves::discard(cx, piece)
    }

    /// Discards pieces to the `discards_to` zones of their zones.
    /// ```rhai
    /// actor.hand.pieces().discard();
    /// actor.compost.pieces() // is [Daisy, Tulip, Rose]
    /// ```
    #[name("discard")]
    #[does(CHANGES)]
    pub fn discard_all(cx: &mut Cx, pieces: List) -> StepResult<()> {
        for piece in ids(cx, &pieces)? {
            moves::discard(cx, piece)?;
        }
        Ok(())
    }

    /// Removes a piece from the game; returns whether it moved.
    /// ```rhai
    /// piece("rose").trash(); // is true
    /// piece("rose").zone == the_box() // is true
    /// ```
    #[does(CHANGES)]
    pub fn trash(cx: &mut Cx, piece: Entity) -> StepResult<bool> {
        let piece = piece_id(cx, piece)?;
        moves::move_piece(cx, piece, ZoneAt::BOX, InsertAt::Bottom)
    }

    /// Turns a piece to a face; `""` is the entry itself. Returns whether it turned.
    /// ```rhai
    /// let rose = piece("rose");
    /// rose.flip("wilted"); // is true
    /// rose.title // is Wilted Rose
    /// rose.flip("");
    /// rose.title // is Rose
    /// ```
    #[does(CHANGES)]
    pub fn flip(cx: &mut Cx, piece: Entity, face: Text) -> StepResult<bool> {
        let piece = piece_id(cx, piece)?;
        let entry = cx.entry_of(piece);
        let position = face_position(cx, entry, &face)?;
        moves::flip(cx, piece, position)
    }

    /// Reveals a piece to every seat.
    /// ```rhai
    /// let top = actor.deck.top();
    /// seat(2).knows(top) // is false
    /// top.reveal();
    /// seat(2).knows(top) // is true
    /// ```
    #[does(CHANGES, REVEALS)]
    pub fn reveal(cx: &mut Cx, piece: Entity) -> StepResult<()> {
        let piece = piece_id(cx, piece)?;
        moves::reveal(cx, piece, None)
    }

    /// Shows pieces to one seat only.
    /// ```rhai
    /// actor.look(actor.deck.top(2));
    /// actor.knows(actor.deck.top()) // is true
    /// seat(2).knows(actor.deck.top()) // is false
    /// ```
    #[does(CHANGES, REVEALS)]
    pub fn look(cx: &mut Cx, seat: Entity, pieces: List) -> StepResult<()> {
        let seat = super::super::seat::seat_id(cx, seat)?;
        for piece in ids(cx, &pieces)? {
            moves::reveal(cx, piece, Some(seat))?;
        }
        Ok(())
    }

    /// Returns whether a seat knows what a piece is.
    /// ```rhai
    /// let mine = actor.hand.top();
    /// actor.knows(mine) // is true
    /// seat(2).knows(mine) // is false
    /// ```
    #[does(REVEALS)]
    pub fn knows(cx: &mut Cx, seat: Entity, piece: Entity) -> StepResult<bool> {
        let (seat, piece) = (super::super::seat::seat_id(cx, seat)?, piece_id(cx, piece)?);
        Ok(cx.state.pieces[piece.ix()].known.contains(seat))
    }
}
