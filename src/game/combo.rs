//! Combos: chains of cards by colour, in which each card's links name the colours that may follow.
//!
//! Combos use three fields of a card: `colour`, `links` (tables with a `colour` and what the link
//! adds when it is used), and the fields that the passes of a fight name. The colour `any` matches
//! every colour.

use arcstr::literal;
use smallvec::SmallVec;

use super::context::{Cx, StepResult};
use super::event::{Event, announce, fire};
use super::log::{Cause, Contribution};
use super::state::{ComboCard, ModifierOp};
use super::{counter, fight, moves, query};
use crate::content::events::{ask, on};
use crate::content::{ComboPass, PieceId};
use crate::number::cast;
use crate::value::Text;

/// The number of cards that a combo can have.
const MAX_CARDS: i64 = 99;

/// The colour of a piece; empty if it has none.
#[must_use]
pub(crate) fn colour(cx: &Cx, piece: PieceId) -> &str {
    cx.content()
        .entry(cx.entry_of(piece))
        .text("colour")
        .unwrap_or("")
}

/// The link that lets the next card follow.
fn link_to(cx: &Cx, last: PieceId, next: PieceId) -> Option<u8> {
    cx.rules
        .combos()
        .link_to(cx.entry_of(last), cx.entry_of(next))
}

/// Some pieces of a zone, usually only a few.
pub(crate) type SomePieces = SmallVec<[PieceId; 12]>;

/// The pieces that may be added to the combo now.
pub(crate) fn next(
    cx: &mut Cx,
    pieces: impl IntoIterator<Item = PieceId>,
) -> StepResult<SomePieces> {
    let position = cast::<_, i64>(cx.state.combo.len());
    let fighter = super::fight::current(cx).map(|fighter| fighter.who);
    let (max, _) = query::number(cx, ask::COMBO_MAX, MAX_CARDS, |event| {
        (event.of, event.seat) = (fighter, fighter.and_then(super::state::Entity::seat));
    })?;
    let mut fitting = SomePieces::new();
    if position >= max {
        return Ok(fitting);
    }
    let asked = cx.rules.answers(ask::MAY_PLAY) || cx.rules.answers(ask::MAY_FOLLOW);
    for piece in pieces {
        cx.charge_work(2)?;
        let fits = if asked {
            can_follow(cx, piece)? && is_playable(cx, piece, position)?
        } else {
            has_link(cx, piece)
        };
        if fits {
            fitting.push(piece);
        }
    }
    Ok(fitting)
}

fn is_playable(cx: &mut Cx, piece: PieceId, position: i64) -> StepResult<bool> {
    let fighter = super::fight::current(cx).map(|fighter| fighter.who);
    let refused = query::permission(cx, ask::MAY_PLAY, None, |event| {
        (event.piece, event.value, event.of) = (Some(piece), position, fighter);
        event.seat = fighter.and_then(super::state::Entity::seat);
    })?;
    Ok(refused.is_none())
}

/// Whether the last card has a link to a piece, or there is no last card.
fn has_link(cx: &Cx, piece: PieceId) -> bool {
    let last = cx.state.combo.last();
    last.is_none_or(|last| link_to(cx, last.piece, piece).is_some())
}

fn can_follow(cx: &mut Cx, piece: PieceId) -> StepResult<bool> {
    let Some(last) = cx.state.combo.last().map(|card| card.piece) else {
        return Ok(true);
    };
    let refusal = (!has_link(cx, piece)).then(|| super::render::catalogue::closed::NO_LINK.into());
    let refused = query::permission(cx, ask::MAY_FOLLOW, refusal, |event| {
        event.piece = Some(piece);
        event.of = Some(super::state::Entity::Piece(last));
    })?;
    Ok(refused.is_none())
}

/// Adds a piece to the combo and returns whether it was added. The pack decides which zone the
/// piece is in.
pub(crate) fn add(cx: &mut Cx, piece: PieceId) -> StepResult<bool> {
    cx.require_write_access("adding to a combo")?;
    let position = cast::<_, i64>(cx.state.combo.len());
    if position >= MAX_CARDS {
        return Err(cx.fault(format!("a combo cannot have more than {MAX_CARDS} cards")));
    }
    if cx.has_listeners(on::BEFORE_COMBO) {
        let mut event = Event::new(on::BEFORE_COMBO);
        (event.piece, event.value) = (Some(piece), position);
        if fire(cx, event)?.denied.is_some() {
            return Ok(false);
        }
    }
    if let Some(last) = cx.state.combo.last().map(|card| card.piece) {
        let link = link_to(cx, last, piece);
        if let Some(card) = cx.state.combo.last_mut() {
            card.link = link;
        }
    }
    cx.state.combo.push(ComboCard { piece, link: None });
    announce(cx, on::AFTER_COMBO, |event| {
        (event.piece, event.value) = (Some(piece), position);
    })?;
    Ok(true)
}

/// What a card contributes to a field: the card's number plus the number of the link it uses.
#[must_use]
pub(crate) fn value(cx: &Cx, card: ComboCard, field: &str) -> i64 {
    let combos = cx.rules.combos();
    let card = (cx.entry_of(card.piece), card.link);
    combos.value(cx.content(), card, field, combos.numbers(field))
}

/// Sums a field over the cards that count, and returns the total with each contribution.
pub(crate) fn sum(cx: &mut Cx, field: &Text) -> StepResult<(i64, Vec<Contribution>)> {
    let cards = cx.state.combo.len() as u64;
    cx.charge_work(1 + cards)?;
    let rules = cx.rules.clone();
    let combos = rules.combos();
    let (numbers, asked) = (combos.numbers(field), rules.answers(ask::COUNTS));
    let mut parts = Vec::new();
    let mut total = 0;
    for ix in 0..cx.state.combo.len() {
        let card = cx.state.combo[ix];
        let entry = cx.entry_of(card.piece);
        let amount = combos.value(&rules.content, (entry, card.link), field, numbers);
        if amount == 0 {
            continue;
        }
        if !asked || counts(cx, card.piece, field)? {
            total += amount;
            let cause = Cause {
                entry: Some(entry),
                hook: None,
                piece: Some(card.piece),
            };
            parts.push(Contribution {
                op: ModifierOp::Add,
                amount,
                reason: None,
                cause,
            });
        }
    }
    Ok((total, parts))
}

/// Whether a card counts in a pass.
fn counts(cx: &mut Cx, piece: PieceId, pass: &Text) -> StepResult<bool> {
    let refused = query::permission(cx, ask::COUNTS, None, |event| {
        (event.piece, event.word) = (Some(piece), Some(pass.clone()));
    })?;
    Ok(refused.is_none())
}

/// Resolves the combo pass by pass. The pass `cards` resolves card by card from left to right;
/// every other pass sums a field, then damages the foe, raises a counter or draws.
///
/// # Errors
/// Returns [`Stop`](super::Stop) if a hook suspends or faults.
pub fn resolve(cx: &mut Cx, passes: &[ComboPass]) -> StepResult {
    cx.require_write_access("resolving a combo")?;
    for pass in passes {
        if &*pass.field == "cards" {
            resolve_each_card(cx)?;
        } else {
            resolve_sum(cx, pass)?;
        }
    }
    Ok(())
}

fn resolve_sum(cx: &mut Cx, pass: &ComboPass) -> StepResult {
    let (mut amount, mut parts) = sum(cx, &pass.field)?;
    if amount != 0 && cx.has_listeners(on::COMBO_PASS) {
        let mut event = Event::new(on::COMBO_PASS);
        (event.amount, event.word, event.parts) = (amount, Some(pass.field.clone()), parts);
        let event = fire(cx, event)?;
        if event.denied.is_some() {
            return Ok(());
        }
        (amount, parts) = (event.amount, event.parts);
    }
    let Some(fighter) = fight::current(cx).copied() else {
        return Ok(());
    };
    if pass.hits
        && amount > 0
        && let Some(foe) = fight::foe(cx).map(|foe| foe.who)
    {
        cx.pending_contributions = parts;
        fight::damage(cx, Some(fighter.who), foe, amount)?;
    }
    if let Some(counter) = pass.gains {
        counter::change(cx, fighter.who, counter, amount)?;
    }
    if let Some(counter) = pass.draws {
        let base = query::counter_value(cx, fighter.who, counter)?;
        moves::draw_own(cx, fighter.who, base + amount)?;
    }
    Ok(())
}

/// Discards the pieces of the combo and clears it.
///
/// # Errors
/// Returns [`Stop`](super::Stop) if a hook suspends or faults.
pub fn finish(cx: &mut Cx) -> StepResult {
    cx.require_write_access("ending a combo")?;
    let cards: SomePieces = cx.state.combo.drain(..).map(|card| card.piece).collect();
    cards
        .into_iter()
        .try_for_each(|card| moves::discard(cx, card).map(|_| ()))
}

fn resolve_each_card(cx: &mut Cx) -> StepResult {
    let cards = cx.state.combo.len() as u64;
    cx.charge_work(1 + cards)?;
    for ix in 0..cx.state.combo.len() {
        let Some(card) = cx.state.combo.get(ix).copied() else {
            break;
        };
        if counts(cx, card.piece, &literal!("cards"))? {
            let position = cast::<_, i64>(ix);
            announce(cx, on::COMBO_CARD, |event| {
                (event.piece, event.value) = (Some(card.piece), position);
            })?;
        }
    }
    Ok(())
}
