//! Pieces: creating, moving, drawing, shuffling, flipping and revealing them.

use super::chance::{self, ChanceRequest};
use super::context::{Cx, StepResult};
use super::counter;
use super::effect;
use super::event::{Event, announce, fire};
use super::indistinguishable;
use super::log::LogEvent;
use super::lookup;
use super::query;
use super::state::{Entity, Piece};
use super::zones::ZoneAt;
use crate::content::events::{ask, on};
use crate::content::{EntryId, Owner, PieceId, SeatId, SeatSet, SeenBy, ZoneId};
use crate::number::cast;

/// A position in a zone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InsertAt {
    Top,
    Bottom,
    At(usize),
}

/// Creates a copy of an entry; `None` if a hook denies it.
pub fn create(cx: &mut Cx, entry: EntryId, to: ZoneAt, face: u8) -> StepResult<Option<PieceId>> {
    cx.require_write_access("creating a piece")?;
    if cx.state.pieces.len() >= 20_000 {
        return Err(cx.fault("too many pieces (20,000 are in play)"));
    }
    if cx.state.zones.len() + cx.content().zones_of[Owner::Piece].len() >= usize::from(u16::MAX) {
        return Err(cx.fault(
            "too many zones (65,535): create fewer pieces, or declare fewer zones of pieces",
        ));
    }
    charge_move(cx)?;
    if cx.has_listeners(on::BEFORE_CREATE) {
        let mut event = Event::new(on::BEFORE_CREATE);
        (event.entry, event.to) = (Some(entry), Some(to));
        if fire(cx, event)?.denied.is_some() {
            return Ok(None);
        }
    }
    let copy = cx
        .state
        .pieces
        .iter()
        .filter(|piece| piece.entry == entry)
        .count();
    let piece = cx.state.zones.create();
    cx.state.pieces.push(Piece {
        entry,
        copy: cast::<_, u16>(copy),
        face,
        known: SeatSet::EMPTY,
    });
    let rules = cx.rules.clone();
    let content = &rules.content;
    let per = content.counters_of[Owner::Piece].len();
    cx.state.counters[Owner::Piece].extend(std::iter::repeat_n(0, per));
    counter::reset_owner(&mut cx.state, content, Entity::Piece(piece));
    indistinguishable::piece_created(&mut cx.state, to);
    place_silently(cx, piece, to, InsertAt::Bottom);
    let cause = cx.cause();
    let known = cx.state.pieces[piece.ix()].known;
    // Setup creates hundreds of pieces; do not log each of them.
    let is_logged = cx.state.round > 0;
    cx.log.push(
        LogEvent::Created {
            piece,
            to,
            known,
            is_logged,
        },
        cause,
        &[],
    );
    announce(cx, on::AFTER_CREATE, |event| {
        (event.piece, event.to) = (Some(piece), Some(to));
    })?;
    Ok(Some(piece))
}

/// Charges the work of changing the order of all pieces.
fn charge_move(cx: &mut Cx) -> StepResult {
    let (pieces, zones) = (cx.state.pieces.len() as u64, cx.state.zones.len() as u64);
    cx.charge_work(pieces / 64 + zones / 256)
}

/// Charges the work of finding out which pieces the seats can no longer tell apart.
fn charge_merge(cx: &mut Cx) -> StepResult {
    let pieces = cx.state.pieces.len() as u64;
    let seats = u64::from(cx.state.seats);
    cx.charge_work(pieces * seats / 32)
}

/// Moves a piece and returns whether it moved.
pub fn move_piece(cx: &mut Cx, piece: PieceId, to: ZoneAt, at: InsertAt) -> StepResult<bool> {
    cx.require_write_access("moving a piece")?;
    charge_move(cx)?;
    let from = cx.state.zones.zone_of(piece);
    let mut to = to;
    if cx.has_listeners(on::BEFORE_MOVE) {
        let mut event = Event::new(on::BEFORE_MOVE);
        (event.piece, event.from, event.to, event.seat) =
            (Some(piece), Some(from), Some(to), cx.owner_of(piece));
        let event = fire(cx, event)?;
        if let Some(reason) = event.denied {
            let cause = cx.cause();
            cx.log.push(LogEvent::Denied { reason }, cause, &[]);
            return Ok(false);
        }
        to = event.to.unwrap_or(to);
    }
    let owner = if cx.has_listeners(on::AFTER_MOVE) {
        cx.owner_of(piece)
    } else {
        None
    };
    if from == to {
        charge_merge(cx)?;
    }
    place_silently(cx, piece, to, at);
    let known = cx.state.pieces[piece.ix()].known;
    let cause = cx.cause();
    cx.log.push(
        LogEvent::Moved {
            piece,
            from,
            to,
            known,
        },
        cause,
        &[],
    );
    effect::end_for_moved_piece(cx, piece)?;
    announce(cx, on::AFTER_MOVE, |event| {
        (event.piece, event.from, event.to, event.seat) =
            (Some(piece), Some(from), Some(to), owner);
    })?;
    if refills_at_once(cx, from) && cx.state.zones.count(from) == 0 {
        refill(cx, from)?;
    }
    Ok(true)
}

/// Moves a piece without an event. Seats that see the zone learn what the piece is.
pub fn place_silently(cx: &mut Cx, piece: PieceId, to: ZoneAt, at: InsertAt) {
    let position = match at {
        InsertAt::Top => 0,
        InsertAt::Bottom => usize::MAX,
        InsertAt::At(position) => position,
    };
    let from = cx.state.zones.zone_of(piece);
    cx.state.zones.place(piece, to, position);
    let seen = seen_by(cx, to);
    if from == to && from != ZoneAt::BOX {
        // Only the seat that moves the piece still knows its position in the zone.
        let mover = cx.actor.map_or(SeatSet::EMPTY, SeatSet::only);
        forget(cx, piece, to, seen | mover);
    }
    let piece = &mut cx.state.pieces[piece.ix()];
    if piece.known | seen != piece.known {
        piece.known |= seen;
        cx.state.reveals += 1;
    }
}

/// Makes all seats except `but` forget the position of a piece in its zone.
fn forget(cx: &mut Cx, piece: PieceId, at: ZoneAt, but: SeatSet) {
    let state = &mut cx.state;
    let forgetting = state.pieces[piece.ix()].known & !but;
    for seat in (0..state.seats)
        .map(SeatId)
        .filter(|seat| forgetting.contains(*seat))
    {
        let unknown = |other: &u16| !state.pieces[usize::from(*other)].known.contains(seat);
        let mut order: Vec<u16> = state
            .zones
            .pieces(at)
            .iter()
            .copied()
            .filter(unknown)
            .collect();
        order.push(piece.0);
        indistinguishable::merge(state, at, &order, SeatSet::only(seat));
    }
    state.pieces[piece.ix()].known = state.pieces[piece.ix()].known & but;
}

/// The seats that see the contents of a zone.
fn seen_by(cx: &Cx, at: ZoneAt) -> SeatSet {
    let content = cx.content();
    let Some((entity, zone)) = cx.state.zones.def(content, at) else {
        return SeatSet::ALL;
    };
    match content.zones[zone.ix()].seen_by {
        SeenBy::All => SeatSet::ALL,
        SeenBy::Nobody => SeatSet::EMPTY,
        SeenBy::Owner => match entity {
            Entity::Seat(seat) => SeatSet::only(seat),
            Entity::Piece(piece) => cx.owner_of(piece).map_or(SeatSet::EMPTY, SeatSet::only),
            Entity::Table | Entity::Place(_) => SeatSet::EMPTY,
        },
    }
}

/// How many more pieces fit into a zone.
pub fn free_space(cx: &mut Cx, at: ZoneAt) -> StepResult<usize> {
    let rules = cx.rules.clone();
    let content = &rules.content;
    let Some((entity, zone)) = cx.state.zones.def(content, at) else {
        return Ok(usize::MAX);
    };
    let Some(limit) = content.zones[zone.ix()].limit else {
        return Ok(usize::MAX);
    };
    let limit = counter::bound(cx, entity, limit)?;
    let (limit, _) = query::number(cx, ask::LIMIT, limit, |event| {
        (event.to, event.of, event.seat) = (Some(at), Some(entity), entity.seat());
    })?;
    Ok(usize::try_from(limit)
        .unwrap_or(0)
        .saturating_sub(cx.state.zones.count(at)))
}

/// Draws pieces from one zone into another and returns them. The query `draw_count`, the pile and
/// the limit of the target decide how many.
pub fn draw(
    cx: &mut Cx,
    entity: Entity,
    from: ZoneAt,
    to: ZoneAt,
    amount: i64,
) -> StepResult<Vec<PieceId>> {
    cx.require_write_access("drawing pieces")?;
    let fill = |event: &mut Event| {
        (event.of, event.seat, event.from, event.to) =
            (Some(entity), entity.seat(), Some(from), Some(to));
    };
    let (mut amount, parts) = query::number(cx, ask::DRAW_COUNT, amount, fill)?;
    let mut to = to;
    let mut from = from;
    if cx.has_listeners(on::BEFORE_DRAW) {
        let mut event = Event::new(on::BEFORE_DRAW);
        fill(&mut event);
        event.amount = amount;
        let event = fire(cx, event)?;
        if event.denied.is_some() {
            return Ok(Vec::new());
        }
        amount = event.amount;
        (from, to) = (event.from.unwrap_or(from), event.to.unwrap_or(to));
    }
    let mut drawn = Vec::new();
    let line = cx.log.lines.len();
    let cause = cx.cause();
    for _ in 0..amount.max(0) {
        if free_space(cx, to)? == 0 {
            break;
        }
        if cx.state.zones.count(from) == 0 {
            refill(cx, from)?;
        }
        let Some(piece) = cx.state.zones.top(from) else {
            break;
        };
        if move_piece(cx, piece, to, InsertAt::Bottom)? {
            drawn.push(piece);
        } else {
            break;
        }
    }
    let count = cast::<_, i64>(drawn.len());
    if let Entity::Seat(seat) = entity
        && (amount != 0 || !parts.is_empty())
    {
        let draw = LogEvent::Drew {
            seat,
            amount: count,
            wanted: amount,
        };
        cx.log.insert(line, draw, cause, parts);
    }
    announce(cx, on::AFTER_DRAW, |event| {
        fill(event);
        (event.from, event.to, event.amount) = (Some(from), Some(to), count);
    })?;
    Ok(drawn)
}

/// Draws into the owner's first zone with `draws_from`; it is a fault if there is none.
pub fn draw_own(cx: &mut Cx, entity: Entity, amount: i64) -> StepResult<Vec<PieceId>> {
    let rules = cx.rules.clone();
    let content = &rules.content;
    let owner = entity.owner().0;
    let mut zones = content.zones_of[owner].iter().filter_map(|zone| {
        let from = nearest_zone(cx, entity, content.zones[zone.ix()].draws_from?)?;
        Some((from, cx.state.zones.at(content, entity, *zone)?))
    });
    let found = zones.next();
    drop(zones);
    match found {
        Some((from, to)) => draw(cx, entity, from, to, amount),
        None => Err(cx.fault(
            "the owner has no zone with `draws_from`: add it to the zone that drawn pieces go to",
        )),
    }
}

fn refills_at_once(cx: &Cx, at: ZoneAt) -> bool {
    let content = cx.content();
    let def = cx.state.zones.def(content, at);
    def.is_some_and(|(_, zone)| content.zones[zone.ix()].refills_at_once)
}

/// Refills an empty zone from its `refills_from` zone and shuffles it.
pub fn refill(cx: &mut Cx, at: ZoneAt) -> StepResult {
    let rules = cx.rules.clone();
    let content = &rules.content;
    let Some((entity, zone)) = cx.state.zones.def(content, at) else {
        return Ok(());
    };
    let source = content.zones[zone.ix()]
        .refills_from
        .and_then(|source| cx.state.zones.at(content, entity, source));
    let Some(source) = source.filter(|source| cx.state.zones.count(*source) > 0) else {
        return Ok(());
    };
    let refused = query::permission(cx, ask::MAY_REFILL, None, |event| {
        (event.to, event.of, event.seat) = (Some(at), Some(entity), entity.seat());
    })?;
    if refused.is_some() {
        return Ok(());
    }
    for piece in cx.state.zones.pieces(source).to_vec() {
        move_piece(cx, PieceId(piece), at, InsertAt::Bottom)?;
    }
    shuffle(cx, at)
}

/// Shuffles a zone. Only seats that see the zone still know the position of each piece.
pub fn shuffle(cx: &mut Cx, at: ZoneAt) -> StepResult {
    cx.require_write_access("shuffling a zone")?;
    if cx.has_listeners(on::BEFORE_SHUFFLE) {
        let mut event = Event::new(on::BEFORE_SHUFFLE);
        event.to = Some(at);
        if fire(cx, event)?.denied.is_some() {
            return Ok(());
        }
    }
    let mut order = cx.state.zones.pieces(at).to_vec();
    cx.charge_work(order.len() as u64)?;
    charge_merge(cx)?;
    let stream = stream(cx, "shuffle", at);
    chance::draw(cx, &stream, ChanceRequest::Order(&mut order));
    cx.state.zones.arrange(at, &order);
    let seen = seen_by(cx, at);
    indistinguishable::merge(&mut cx.state, at, &order, !seen);
    for piece in order {
        cx.state.pieces[usize::from(piece)].known = seen;
    }
    let cause = cx.cause();
    cx.log.push(LogEvent::Shuffled { zone: at }, cause, &[]);
    announce(cx, on::AFTER_SHUFFLE, |event| event.to = Some(at))
}

/// The name of a random stream for a zone. It must never change, because recorded games depend on
/// it.
#[must_use]
pub fn stream(cx: &Cx, purpose: &str, at: ZoneAt) -> String {
    match cx.state.zones.def(cx.content(), at) {
        Some((entity, zone)) => {
            let zone = &cx.content().entry(cx.content().zones[zone.ix()].entry).name;
            let owner = match entity {
                Entity::Table => String::new(),
                Entity::Seat(seat) => format!("@{}", seat.0),
                Entity::Place(place) => cx
                    .content()
                    .entry(cx.content().map.places[place.ix()].entry)
                    .name
                    .to_string(),
                Entity::Piece(piece) => {
                    let piece = cx.state.pieces[piece.ix()];
                    format!("{}#{}", cx.content().entry(piece.entry).name, piece.copy)
                }
            };
            format!("{purpose} {zone} {owner}")
        }
        None => purpose.to_owned(),
    }
}

/// Picks pieces of a list at random.
pub fn random(
    cx: &mut Cx,
    purpose: &str,
    from: &[PieceId],
    count: usize,
) -> StepResult<Vec<PieceId>> {
    cx.require_write_access("picking at random")?;
    cx.charge_work(from.len() as u64 / 8)?;
    let mut rest = from.to_vec();
    let mut picked = Vec::new();
    while picked.len() < count && !rest.is_empty() {
        cx.charge_work(rest.len() as u64)?;
        if let Some(piece) = chance::pick(cx, purpose, &rest) {
            rest.retain(|other| *other != piece);
            picked.push(piece);
        }
    }
    Ok(picked)
}

/// Discards a piece to its zone's `discards_to`, or else to the box.
pub fn discard(cx: &mut Cx, piece: PieceId) -> StepResult<bool> {
    let to = discard_zone(cx, piece);
    move_piece(cx, piece, to, InsertAt::Top)
}

/// The zone that a discarded piece goes to.
#[must_use]
pub fn discard_zone(cx: &Cx, piece: PieceId) -> ZoneAt {
    let content = cx.content();
    let from = cx.state.zones.zone_of(piece);
    let Some((entity, zone)) = cx.state.zones.def(content, from) else {
        return ZoneAt::BOX;
    };
    let Some(target) = content.zones[zone.ix()].discards_to else {
        return ZoneAt::BOX;
    };
    nearest_zone(cx, entity, target).unwrap_or(ZoneAt::BOX)
}

/// Resets zones to the given entries. Their pieces go to the box; then copies of the entries fill
/// each zone, top first. A copy comes from the box, or else from another zone of the same owner, or
/// else is created. Only created pieces fire events.
///
/// # Errors
/// Returns [`super::Stop`] if a hook suspends or faults.
pub fn lay_out(cx: &mut Cx, plan: Vec<(ZoneAt, Vec<EntryId>)>) -> StepResult {
    cx.require_write_access("laying out zones")?;
    let zones: Vec<ZoneAt> = plan.iter().map(|(zone, _)| *zone).collect();
    for zone in &zones {
        let pieces: Vec<PieceId> = cx
            .state
            .zones
            .pieces(*zone)
            .iter()
            .map(|piece| PieceId(*piece))
            .collect();
        for piece in pieces {
            cx.charge_work(1)?;
            charge_move(cx)?;
            place_silently(cx, piece, ZoneAt::BOX, InsertAt::Bottom);
        }
    }
    for (zone, entries) in plan {
        for entry in entries {
            // Finding a spare copy searches all pieces.
            let pieces = cx.state.pieces.len() as u64;
            cx.charge_work(1 + pieces / 8)?;
            let piece = match reusable_copy(cx, entry, zone, &zones) {
                Some(piece) => Some(piece),
                None => create(cx, entry, zone, 0)?,
            };
            if let Some(piece) = piece {
                cx.state.pieces[piece.ix()].known = SeatSet::EMPTY;
                place_silently(cx, piece, zone, InsertAt::Bottom);
            }
        }
    }
    Ok(())
}

/// An existing copy of an entry for [`lay_out`]: from the box, or else from a zone of the same
/// owner that is not being laid out.
fn reusable_copy(cx: &Cx, entry: EntryId, to: ZoneAt, laid_out: &[ZoneAt]) -> Option<PieceId> {
    let zones = &cx.state.zones;
    let holder = |at: ZoneAt| zones.def(cx.content(), at).map(|(entity, _)| entity);
    let nearby = |piece: &PieceId| {
        let at = zones.zone_of(*piece);
        !laid_out.contains(&at) && holder(at).is_some() && holder(at) == holder(to)
    };
    lookup::copies(cx, entry)
        .find(|piece| zones.zone_of(*piece) == ZoneAt::BOX)
        .or_else(|| lookup::copies(cx, entry).find(nearby))
}

/// A zone of an owner, or else of the seat that owns it, or else of the table.
#[must_use]
pub fn nearest_zone(cx: &Cx, entity: Entity, zone: ZoneId) -> Option<ZoneAt> {
    let content = cx.content();
    let zones = &cx.state.zones;
    let seat = match entity {
        Entity::Piece(piece) => cx.owner_of(piece).map(Entity::Seat),
        _ => None,
    };
    let owners = [Some(entity), seat, Some(Entity::Table)];
    owners
        .into_iter()
        .flatten()
        .find_map(|owner| zones.at(content, owner, zone))
}

/// Shows another face of a piece and returns whether it flipped.
pub fn flip(cx: &mut Cx, piece: PieceId, face: u8) -> StepResult<bool> {
    cx.require_write_access("flipping a piece")?;
    if cx.has_listeners(on::BEFORE_FLIP) {
        let mut event = Event::new(on::BEFORE_FLIP);
        (event.piece, event.value) = (Some(piece), i64::from(face));
        if fire(cx, event)?.denied.is_some() {
            return Ok(false);
        }
    }
    let from = std::mem::replace(&mut cx.state.pieces[piece.ix()].face, face);
    let cause = cx.cause();
    cx.log
        .push(LogEvent::Flipped { piece, from, face }, cause, &[]);
    announce(cx, on::AFTER_FLIP, |event| {
        (event.piece, event.value) = (Some(piece), i64::from(face));
    })?;
    Ok(true)
}

/// Reveals a piece to a seat, or to everyone if `seat` is `None`.
pub fn reveal(cx: &mut Cx, piece: PieceId, seat: Option<SeatId>) -> StepResult {
    cx.require_write_access("revealing a piece")?;
    let seats = seat.map_or(SeatSet::ALL, SeatSet::only);
    if cx.state.pieces[piece.ix()].known & seats == seats {
        return Ok(());
    }
    let about = |event: &mut Event| (event.piece, event.seat) = (Some(piece), seat);
    if cx.has_listeners(on::BEFORE_REVEAL) {
        let mut event = Event::new(on::BEFORE_REVEAL);
        about(&mut event);
        if fire(cx, event)?.denied.is_some() {
            return Ok(());
        }
    }
    cx.state.pieces[piece.ix()].known |= seats;
    cx.state.reveals += 1;
    let cause = cx.cause();
    cx.log.push(LogEvent::Looked { seats, piece }, cause, &[]);
    announce(cx, on::AFTER_REVEAL, |event| about(event))
}
