//! Pieces: creating, moving, flipping and revealing them.

use rhai::plugin::*;
use rhai::{Array, Dynamic, ImmutableString};

use super::super::host::{HostResult, with};
use super::super::types::{EntityRef, EntryRef, ZoneRef};
use super::entry::entry_id;
use crate::content::{EntryId, PieceId};
use crate::game::moves::{self, InsertAt};
use crate::game::zones::ZoneAt;
use crate::game::{Cx, Entity, StepResult};

pub(super) fn piece_id(cx: &Cx, thing: EntityRef) -> StepResult<PieceId> {
    match thing.0 {
        Entity::Piece(piece) => Ok(piece),
        _ => Err(cx.fault("expected a piece")),
    }
}

/// Pieces as a list for scripts.
pub(super) fn list(pieces: impl IntoIterator<Item = PieceId>) -> Array {
    pieces
        .into_iter()
        .map(|piece| Dynamic::from(EntityRef(Entity::Piece(piece))))
        .collect()
}

/// The pieces in a list of a script; any other item is a fault.
pub(super) fn ids(cx: &Cx, list: &Array) -> StepResult<Vec<PieceId>> {
    let piece = |value: &Dynamic| match value.read_lock::<EntityRef>() {
        Some(thing) => piece_id(cx, *thing),
        None => Err(cx.fault("expected a list of pieces")),
    };
    list.iter().map(piece).collect()
}

/// The built-in properties of a piece.
pub(super) fn property(cx: &Cx, piece: PieceId, name: &str) -> Option<Dynamic> {
    let shown = cx.state.pieces[piece.ix()];
    let entry = cx.content().entry(shown.entry);
    let text = |text: &str| Dynamic::from(ImmutableString::from(text));
    Some(match name {
        "id" => text(&entry.id),
        "entry" => Dynamic::from(EntryRef(shown.entry)),
        "kind" => text(&cx.content().kinds[entry.kind.ix()].id),
        "zone" => Dynamic::from(ZoneRef(cx.state.zones.zone_of(piece))),
        "face" => {
            let face = usize::from(shown.face)
                .checked_sub(1)
                .and_then(|ix| entry.faces.get(ix));
            text(face.map_or("", |face| &face.name))
        }
        _ => return None,
    })
}

fn create_one(cx: &mut Cx, entry: EntryId, zone: ZoneAt) -> StepResult<Dynamic> {
    if !cx.content().kinds[cx.content().entry(entry).kind.ix()].is_piece {
        let name = cx.content().entry(entry).name.clone();
        return Err(cx.fault(format!(
            "`{name}` is not a piece: only entries of piece kinds can be created"
        )));
    }
    let made = moves::create(cx, entry, zone)?;
    Ok(made.map_or(Dynamic::UNIT, |piece| {
        Dynamic::from(EntityRef(Entity::Piece(piece)))
    }))
}

fn copies(cx: &mut Cx, entry: EntryId) -> StepResult<Array> {
    let count = cx.state.pieces.len() as u64;
    cx.spend(count)?;
    let all = (0..cx.state.pieces.len())
        .map(PieceId::at)
        .filter(|piece| cx.entry_of(*piece) == entry);
    Ok(list(all))
}

#[export_module]
pub mod words {
    /// Creates a copy of an entry at the bottom of a zone and returns the piece; returns `()` if a hook
    /// denied it.
    /// ```rhai
    /// let lily = create("lily", actor.bed);
    /// lily.owner // is Ann
    /// actor.bed.pieces() // is [Lily]
    /// ```
    #[rhai_fn(name = "create", return_raw)]
    pub fn create(id: ImmutableString, zone: ZoneRef) -> HostResult<Dynamic> {
        with(|cx| {
            let entry = entry_id(cx, &id)?;
            create_one(cx, entry, zone.0)
        })
    }

    /// Creates a copy of an entry at the bottom of a zone and returns the piece, or `()`.
    /// ```rhai
    /// create(piece("pedlar").likes, actor.bed);
    /// actor.bed.pieces() // is [Rose]
    /// ```
    #[rhai_fn(name = "create", return_raw)]
    pub fn create_entry(entry: EntryRef, zone: ZoneRef) -> HostResult<Dynamic> {
        with(|cx| create_one(cx, entry.0, zone.0))
    }

    /// Creates several copies of an entry at the bottom of a zone.
    /// ```rhai
    /// create("daisy", actor.bed, 3);
    /// actor.bed.pieces() // is [Daisy, Daisy, Daisy]
    /// ```
    #[rhai_fn(name = "create", return_raw)]
    pub fn create_many(id: ImmutableString, zone: ZoneRef, count: i64) -> HostResult<()> {
        with(|cx| {
            let entry = entry_id(cx, &id)?;
            for _ in 0..count.clamp(0, 1000) {
                let _ = create_one(cx, entry, zone.0)?;
            }
            Ok(())
        })
    }

    /// Creates the pieces of every entry of a kind at the bottom of a zone, `copies` of each.
    /// ```rhai
    /// create_all("pest", table.yard);
    /// table.yard.pieces() // is [Goose, Goose, Snail]
    /// ```
    #[rhai_fn(name = "create_all", return_raw)]
    pub fn create_all(kind: ImmutableString, zone: ZoneRef) -> HostResult<()> {
        with(|cx| {
            let Some(id) = cx.content().kind(&kind) else {
                return Err(cx.fault(format!("unknown kind `{kind}`")));
            };
            let content = cx.content().clone();
            for entry in content.of_kind(id) {
                for _ in 0..content.entry(entry).copies {
                    let _ = create_one(cx, entry, zone.0)?;
                }
            }
            Ok(())
        })
    }

    /// Returns every piece in play that is a copy of an entry, in any zone.
    /// ```rhai
    /// copies_of("rose").len() // is 4
    /// copies_of("snail") // is []
    /// ```
    #[rhai_fn(name = "copies_of", return_raw)]
    pub fn copies_of(id: ImmutableString) -> HostResult<Array> {
        with(|cx| {
            let entry = entry_id(cx, &id)?;
            copies(cx, entry)
        })
    }

    /// Returns every piece in play that is a copy of an entry, in any zone.
    /// ```rhai
    /// copies_of(entry("rose")).len() // is 4
    /// ```
    #[rhai_fn(name = "copies_of", return_raw)]
    pub fn copies_of_entry(entry: EntryRef) -> HostResult<Array> {
        with(|cx| copies(cx, entry.0))
    }

    /// Moves a piece to the top of a zone; returns whether it moved.
    /// ```rhai
    /// piece("rose").move_to(actor.bed); // is true
    /// actor.bed.top() // is Rose
    /// ```
    #[rhai_fn(name = "move_to", return_raw)]
    pub fn move_to(piece: EntityRef, zone: ZoneRef) -> HostResult<bool> {
        with(|cx| {
            let piece = piece_id(cx, piece)?;
            moves::move_piece(cx, piece, zone.0, InsertAt::Top)
        })
    }

    /// Moves a piece to the bottom of a zone; returns whether it moved.
    /// ```rhai
    /// piece("lily").move_under(actor.deck); // is true
    /// actor.deck.bottom() // is Lily
    /// ```
    #[rhai_fn(return_raw)]
    pub fn move_under(piece: EntityRef, zone: ZoneRef) -> HostResult<bool> {
        with(|cx| {
            let piece = piece_id(cx, piece)?;
            moves::move_piece(cx, piece, zone.0, InsertAt::Bottom)
        })
    }

    /// Moves a piece to a position in a zone, counted from 0; returns whether it moved.
    /// ```rhai
    /// piece("lily").move_to(actor.hand, 1); // is true
    /// actor.hand.pieces() // is [Rose, Lily, Tulip, Daisy]
    /// ```
    #[rhai_fn(name = "move_to", return_raw)]
    pub fn move_to_position(piece: EntityRef, zone: ZoneRef, position: i64) -> HostResult<bool> {
        with(|cx| {
            let piece = piece_id(cx, piece)?;
            moves::move_piece(
                cx,
                piece,
                zone.0,
                InsertAt::At(usize::try_from(position).unwrap_or(0)),
            )
        })
    }

    /// Moves pieces to the top of a zone one by one: the last ends up on top.
    /// ```rhai
    /// table.market.pieces().move_to(actor.bed);
    /// actor.bed.pieces() // is [Thistle, Tulip, Lily]
    /// ```
    #[rhai_fn(name = "move_to", return_raw)]
    pub fn move_all_to(pieces: Array, zone: ZoneRef) -> HostResult<()> {
        with(|cx| {
            for piece in ids(cx, &pieces)? {
                moves::move_piece(cx, piece, zone.0, InsertAt::Top)?;
            }
            Ok(())
        })
    }

    /// Moves pieces to the bottom of a zone one by one.
    /// ```rhai
    /// table.market.pieces().move_under(actor.bed);
    /// actor.bed.pieces() // is [Lily, Tulip, Thistle]
    /// ```
    #[rhai_fn(name = "move_under", return_raw)]
    pub fn move_all_under(pieces: Array, zone: ZoneRef) -> HostResult<()> {
        with(|cx| {
            for piece in ids(cx, &pieces)? {
                moves::move_piece(cx, piece, zone.0, InsertAt::Bottom)?;
            }
            Ok(())
        })
    }

    /// Discards a piece to the `discards_to` zone of its zone, or to the box if there is none; returns
    /// whether it moved.
    /// ```rhai
    /// piece("rose").discard(); // is true
    /// actor.compost.pieces() // is [Rose]
    /// ```
    #[rhai_fn(name = "discard", return_raw)]
    pub fn discard(piece: EntityRef) -> HostResult<bool> {
        with(|cx| {
            let piece = piece_id(cx, piece)?;
            moves::discard(cx, piece)
        })
    }

    /// Discards pieces to the `discards_to` zones of their zones.
    /// ```rhai
    /// actor.hand.pieces().discard();
    /// actor.compost.pieces() // is [Daisy, Tulip, Rose]
    /// ```
    #[rhai_fn(name = "discard", return_raw)]
    pub fn discard_all(pieces: Array) -> HostResult<()> {
        with(|cx| {
            for piece in ids(cx, &pieces)? {
                moves::discard(cx, piece)?;
            }
            Ok(())
        })
    }

    /// Removes a piece from the game; returns whether it moved.
    /// ```rhai
    /// piece("rose").trash(); // is true
    /// piece("rose").zone == the_box() // is true
    /// ```
    #[rhai_fn(name = "trash", return_raw)]
    pub fn trash(piece: EntityRef) -> HostResult<bool> {
        with(|cx| {
            let piece = piece_id(cx, piece)?;
            moves::move_piece(cx, piece, ZoneAt::BOX, InsertAt::Bottom)
        })
    }

    /// Turns a piece to a face; `""` is the entry itself. Returns whether it turned.
    /// ```rhai
    /// let rose = piece("rose");
    /// rose.flip("wilted"); // is true
    /// rose.title // is Wilted Rose
    /// rose.flip("");
    /// rose.title // is Rose
    /// ```
    #[rhai_fn(return_raw)]
    pub fn flip(piece: EntityRef, face: ImmutableString) -> HostResult<bool> {
        with(|cx| {
            let piece = piece_id(cx, piece)?;
            let entry = cx.entry_of(piece);
            let position = match face.as_str() {
                "" => Some(0),
                face => cx
                    .content()
                    .entry(entry)
                    .faces
                    .iter()
                    .position(|own| &*own.name == face)
                    .map(|ix| ix + 1),
            };
            let Some(position) = position.and_then(|ix| u8::try_from(ix).ok()) else {
                let id = cx.content().entry(entry).id.clone();
                return Err(cx.fault(format!("{id} has no face `{face}`")));
            };
            moves::flip(cx, piece, position)
        })
    }

    /// Reveals a piece to every seat.
    /// ```rhai
    /// let top = actor.deck.top();
    /// seat(2).knows(top) // is false
    /// top.reveal();
    /// seat(2).knows(top) // is true
    /// ```
    #[rhai_fn(name = "reveal", return_raw)]
    pub fn reveal(piece: EntityRef) -> HostResult<()> {
        with(|cx| {
            let piece = piece_id(cx, piece)?;
            moves::reveal(cx, piece, None)
        })
    }

    /// Shows pieces to one seat only.
    /// ```rhai
    /// actor.look(actor.deck.top(2));
    /// actor.knows(actor.deck.top()) // is true
    /// seat(2).knows(actor.deck.top()) // is false
    /// ```
    #[rhai_fn(return_raw)]
    pub fn look(seat: EntityRef, pieces: Array) -> HostResult<()> {
        with(|cx| {
            let seat = super::super::seat::seat_id(cx, seat)?;
            for piece in ids(cx, &pieces)? {
                moves::reveal(cx, piece, Some(seat))?;
            }
            Ok(())
        })
    }

    /// Returns whether a seat knows what a piece is.
    /// ```rhai
    /// let mine = actor.hand.top();
    /// actor.knows(mine) // is true
    /// seat(2).knows(mine) // is false
    /// ```
    #[rhai_fn(return_raw)]
    pub fn knows(seat: EntityRef, piece: EntityRef) -> HostResult<bool> {
        with(|cx| {
            let (seat, piece) = (super::super::seat::seat_id(cx, seat)?, piece_id(cx, piece)?);
            Ok(cx.state.pieces[piece.ix()].known.contains(seat))
        })
    }
}
