//! Packets: losses that flow along a chain, point by point if a hook listens.

use smallvec::SmallVec;

use super::context::{Cx, StepContext, StepResult};
use super::event::{Event, announce, fire};
use super::log::LogEvent;
use super::moves;
use super::query;
use super::question::{self, Prompt};
use super::state::{Entity, State};
use super::zones::ZoneAt;
use super::{counter, fight};
use crate::content::events::{ask as queries, on};
use crate::content::{ChainLink, Content, CounterId, PieceId, SeatId, ZoneId};
use crate::number::cast;
use crate::value::Text;

/// The links of a chain, usually only a few.
pub type ChainLinks = SmallVec<[ChainLink; 4]>;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Packet {
    /// The entity that causes the loss.
    pub source: Option<Entity>,
    /// The entity that takes the loss.
    pub of: Entity,
    /// The purpose: `damage`, `pay`, or a word that the pack defines.
    pub purpose: Text,
    /// The initial size.
    pub amount: i64,
    /// The part that is not absorbed yet.
    pub remaining: i64,
    /// The links of the chain, in order.
    pub links: ChainLinks,
    /// What each link has absorbed.
    pub taken: SmallVec<[i64; 4]>,
    /// The pieces that were lost.
    pub pieces: SmallVec<[PieceId; 8]>,
}

impl Packet {
    /// What all links have absorbed together.
    #[must_use]
    pub fn total(&self) -> i64 {
        self.taken.iter().sum()
    }
}

/// The purpose of a loss in a fight.
pub const DAMAGE: Text = arcstr::literal!("damage");

/// Sends a loss along a chain and returns the packet. Its `remaining` part is the excess that no
/// link could absorb.
pub fn apply_loss(
    cx: &mut Cx,
    source: Option<Entity>,
    entity: Entity,
    purpose: Text,
    mut amount: i64,
    links: ChainLinks,
) -> StepResult<Packet> {
    cx.require_write_access("sending a packet")?;
    let about = |event: &mut Event| {
        (event.of, event.seat, event.source) = (Some(entity), entity.seat(), source);
    };
    let mut parts = inherited_parts(cx, amount);
    let is_damage = purpose == DAMAGE;
    if is_damage {
        let (changed, further) = query::number(cx, queries::DAMAGE, amount, about)?;
        amount = changed;
        parts.extend(further);
    }
    let taken = SmallVec::from_elem(0, links.len());
    let amount = amount.max(0);
    cx.packets.push(Packet {
        source,
        of: entity,
        purpose: purpose.clone(),
        amount,
        remaining: amount,
        links,
        taken,
        pieces: SmallVec::new(),
    });
    let cause = cx.cause();
    let line = cx.log.lines.len();
    let result = absorb(cx, about);
    let packet = cx.packets.pop();
    result?;
    let Some(packet) = packet else {
        return Err(cx.fault("internal error: the packet is missing"));
    };
    if is_damage {
        let damage = LogEvent::Damage {
            of: entity,
            source,
            amount: packet.amount,
            taken: packet.total(),
        };
        cx.log.insert(line, damage, cause, parts);
    }
    if cx.has_listeners(on::AFTER_DAMAGE) {
        let mut event = Event::new(on::AFTER_DAMAGE);
        about(&mut event);
        (event.amount, event.word) = (packet.total(), Some(purpose));
        cx.packets.push(packet);
        let result = fire(cx, event);
        let packet = cx.packets.pop();
        result?;
        return packet.ok_or_else(|| cx.fault("internal error: the packet is missing"));
    }
    Ok(packet)
}

/// The contributions to an amount that a hook passes on unchanged, taken from its event.
fn inherited_parts(cx: &mut Cx, amount: i64) -> Vec<super::log::Contribution> {
    if !cx.pending_contributions.is_empty() {
        return std::mem::take(&mut cx.pending_contributions);
    }
    let event = cx
        .events
        .last()
        .filter(|event| event.amount == amount && !cx.log.off);
    event.map(|event| event.parts.clone()).unwrap_or_default()
}

fn absorb(cx: &mut Cx, about: impl Fn(&mut Event)) -> StepResult {
    if cx.has_listeners(on::BEFORE_DAMAGE) {
        let mut event = Event::new(on::BEFORE_DAMAGE);
        about(&mut event);
        let packet = current_packet(cx);
        (event.amount, event.word) = (packet.amount, Some(packet.purpose.clone()));
        let event = fire(cx, event)?;
        let packet = current_packet(cx);
        if event.denied.is_some() {
            (packet.amount, packet.remaining) = (0, 0);
        } else if event.amount != packet.amount {
            packet.amount = event.amount.max(0);
            packet.remaining = packet.amount;
        }
    }
    let mut ix = 0;
    while ix < current_packet(cx).links.len() && current_packet(cx).remaining > 0 {
        match current_packet(cx).links[ix] {
            ChainLink::Counter(counter) => absorb_counter(cx, ix, counter, -1)?,
            ChainLink::Rising(counter) => absorb_counter(cx, ix, counter, 1)?,
            ChainLink::Top(zone) => absorb_top(cx, ix, zone)?,
            ChainLink::Chosen(zone) => absorb_pieces(cx, ix, zone, false)?,
            ChainLink::Random(zone) => absorb_pieces(cx, ix, zone, true)?,
        }
        ix += 1;
    }
    Ok(())
}

fn current_packet(cx: &mut Cx) -> &mut Packet {
    cx.packets
        .last_mut()
        .expect("a packet stays on the stack while it is absorbed")
}

fn absorb_counter(cx: &mut Cx, ix: usize, counter: CounterId, sign: i64) -> StepResult {
    let target = current_packet(cx).of;
    if !cx.state.has_counter(cx.content(), target, counter) {
        return Ok(());
    }
    let watched = cx.has_listeners(on::BEFORE_ABSORB) || cx.has_listeners(on::AFTER_ABSORB);
    loop {
        let remaining = current_packet(cx).remaining;
        if remaining <= 0 {
            return Ok(());
        }
        let (min, max) = counter::bounds(cx, target, counter)?;
        let base = i64::from(cx.state.base(&cx.rules.content, target, counter));
        let room = if sign < 0 { base - min } else { max - base };
        let take = remaining.min(room).min(if watched { 1 } else { remaining });
        if take <= 0 || !may_absorb(cx, None)? {
            return Ok(());
        }
        let taken = counter::change(cx, target, counter, sign * take)?.abs();
        let packet = current_packet(cx);
        packet.remaining -= taken;
        packet.taken[ix] += taken;
        announce_absorbed(cx, None, None)?;
        if taken < take {
            return Ok(());
        }
    }
}

fn absorb_top(cx: &mut Cx, ix: usize, zone: ZoneId) -> StepResult {
    let target = current_packet(cx).of;
    let Some(at) = cx.state.zones.at(&cx.rules.content, target, zone) else {
        return Ok(());
    };
    while current_packet(cx).remaining > 0 {
        let Some(piece) = cx.state.zones.top(at) else {
            break;
        };
        if !absorb_piece(cx, ix, piece)? {
            break;
        }
    }
    Ok(())
}

fn absorb_pieces(cx: &mut Cx, ix: usize, zone: ZoneId, random: bool) -> StepResult {
    let target = current_packet(cx).of;
    let Some(at) = cx.state.zones.at(&cx.rules.content, target, zone) else {
        return Ok(());
    };
    let all = cx.state.zones.pieces(at).iter();
    let all: SmallVec<[PieceId; 12]> = all.map(|piece| PieceId(*piece)).collect();
    let count = usize::try_from(current_packet(cx).remaining)
        .unwrap_or(0)
        .min(all.len());
    let picked = if random {
        let stream = moves::stream(cx, "lose", at);
        moves::random(cx, &stream, &all, count)?
    } else {
        let count = cast::<_, u16>(count);
        let seat = chooser(cx, target);
        question::ask_pieces(cx, seat, Prompt::Lose, &all, count, count)?
    };
    for piece in picked {
        if current_packet(cx).remaining > 0 && cx.state.zones.zone_of(piece) == at {
            absorb_piece(cx, ix, piece)?;
        }
    }
    Ok(())
}

/// The seat that chooses for an entity: itself, the controller of a fighter, or the owner of a
/// piece.
#[must_use]
pub fn chooser(context: &StepContext, entity: Entity) -> SeatId {
    let controller = fight::fighter_of(context, entity).map(|fighter| fighter.controller);
    match entity {
        Entity::Seat(seat) => seat,
        Entity::Piece(piece) => controller
            .or_else(|| context.owner_of(piece))
            .unwrap_or_else(|| context.active()),
        Entity::Table | Entity::Place(_) => context.active(),
    }
}

fn absorb_piece(cx: &mut Cx, ix: usize, piece: PieceId) -> StepResult<bool> {
    if !may_absorb(cx, Some(piece))? || current_packet(cx).remaining <= 0 {
        return Ok(false);
    }
    let from = cx.state.zones.zone_of(piece);
    let packet = current_packet(cx);
    packet.remaining -= 1;
    packet.taken[ix] += 1;
    packet.pieces.push(piece);
    if !moves::discard(cx, piece)? {
        let packet = current_packet(cx);
        packet.remaining += 1;
        packet.taken[ix] -= 1;
        packet.pieces.pop();
        return Ok(false);
    }
    announce_absorbed(cx, Some(piece), Some(from))?;
    Ok(true)
}

fn may_absorb(cx: &mut Cx, piece: Option<PieceId>) -> StepResult<bool> {
    if !cx.has_listeners(on::BEFORE_ABSORB) {
        return Ok(true);
    }
    let mut event = Event::new(on::BEFORE_ABSORB);
    let from = piece.map(|piece| cx.state.zones.zone_of(piece));
    fill_event(cx, &mut event, piece, from);
    Ok(fire(cx, event)?.denied.is_none())
}

fn announce_absorbed(cx: &mut Cx, piece: Option<PieceId>, from: Option<ZoneAt>) -> StepResult {
    if !cx.has_listeners(on::AFTER_ABSORB) {
        return Ok(());
    }
    let mut event = Event::new(on::AFTER_ABSORB);
    fill_event(cx, &mut event, piece, from);
    fire(cx, event).map(|_| ())
}

fn fill_event(cx: &mut Cx, event: &mut Event, piece: Option<PieceId>, from: Option<ZoneAt>) {
    event.from = from;
    let packet = current_packet(cx);
    (event.of, event.seat, event.source) = (Some(packet.of), packet.of.seat(), packet.source);
    (event.piece, event.word) = (piece, Some(packet.purpose.clone()));
}

/// The pieces and points that a loss would take.
#[must_use]
pub fn preview(
    state: &State,
    content: &Content,
    entity: Entity,
    amount: i64,
    links: &[ChainLink],
) -> (i64, i64) {
    let (mut remaining, mut pieces, mut points) = (amount.max(0), 0, 0);
    for link in links {
        let (room, is_zone) = match *link {
            ChainLink::Counter(counter) => (i64::from(state.base(content, entity, counter)), false),
            ChainLink::Rising(_) => (remaining, false),
            ChainLink::Top(zone) | ChainLink::Chosen(zone) | ChainLink::Random(zone) => {
                let count = state
                    .zones
                    .at(content, entity, zone)
                    .map_or(0, |at| state.zones.count(at));
                (cast::<_, i64>(count), true)
            }
        };
        let take = remaining.min(room.max(0));
        remaining -= take;
        *if is_zone { &mut pieces } else { &mut points } += take;
    }
    (pieces, points)
}

/// Announces that a seat has paid.
pub fn announce_paid(cx: &mut Cx, seat: SeatId, amount: i64) -> StepResult {
    announce(cx, on::AFTER_PAY, |event| {
        (event.of, event.seat, event.amount) = (Some(Entity::Seat(seat)), Some(seat), amount);
    })
}
