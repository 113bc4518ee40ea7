//! Costs. One declaration provides the check whether a seat can pay, the reason if it cannot, the
//! question of how to pay, and the text.

use std::borrow::Cow;

use arcstr::literal;

use super::context::{Cx, HookCall, StepResult, run_hook};
use super::event::{Event, fire};
use super::packet;
use super::query;
use super::question::{self, Prompt, QuestionOption};
use super::render::catalogue::{self, closed};
use super::render::names;
use super::state::Entity;
use super::{counter, moves};
use crate::content::events::{ask as queries, on};
use crate::content::{
    Amount, Content, CostAlternative, CostPart, CounterId, EntryId, HookId, PieceId, SeatId,
};
use crate::number::cast;
use crate::value::Value;

/// Who pays, and for which entry.
#[derive(Clone, Debug)]
pub struct Payer {
    pub seat: SeatId,
    /// The entry with the cost.
    pub entry: EntryId,
    /// The piece with the cost, for entries that are pieces.
    pub piece: Option<PieceId>,
    /// The item of the action's `each` list.
    pub argument: Value,
}

/// A part of a cost with its evaluated amount.
struct DuePart<'c> {
    part: &'c CostPart,
    amount: i64,
    /// The pieces that qualify, for parts paid with pieces.
    pieces: Vec<PieceId>,
}

impl DuePart<'_> {
    /// Whether a piece may pay for either of the two parts.
    fn shares_pieces(&self, other: &DuePart) -> bool {
        match (self.part, other.part) {
            (CostPart::Pieces { zone, .. }, CostPart::Pieces { zone: same, .. }) => zone == same,
            _ => false,
        }
    }
}

/// The reason why the seat cannot pay any alternative; `None` if it can.
pub fn unpayable_reason(
    cx: &mut Cx,
    payer: &Payer,
    cost: &[CostAlternative],
) -> StepResult<Option<Box<str>>> {
    let mut reason = None;
    for alternative in cost {
        let due = due_parts(cx, payer, alternative)?;
        match missing_part(cx, payer, &due)? {
            None => return Ok(None),
            Some(missing) => {
                let words = alternative.label.as_deref();
                let words = words.map(|label| closed::needs(&filled(cx, payer, label)).into());
                reason = reason.or(words).or(Some(missing));
            }
        }
    }
    Ok(reason)
}

/// Pays one of the alternatives and returns whether it was paid. Asks which one if several can be
/// paid.
pub fn pay(cx: &mut Cx, payer: &Payer, cost: &[CostAlternative]) -> StepResult<bool> {
    if cost.is_empty() {
        return Ok(true);
    }
    let mut open = Vec::new();
    for alternative in cost {
        let due = due_parts(cx, payer, alternative)?;
        if missing_part(cx, payer, &due)?.is_none() {
            open.push((alternative, due));
        }
    }
    let chosen = match open.len() {
        0 => return Ok(false),
        1 => 0,
        _ => {
            let option = |(alternative, due): &(&CostAlternative, Vec<DuePart>)| {
                let key = alternative.id.as_deref().map(str::to_owned);
                let key = key.unwrap_or_else(|| due_key(cx.content(), due));
                QuestionOption::word(&key, &due_text(cx, payer, alternative, due))
            };
            let options = open.iter().map(option).collect();
            question::ask_one(cx, payer.seat, Prompt::Pay, options)?
        }
    };
    pay_parts(cx, payer, &open[chosen].1)
}

/// The key of an alternative: `2-coins-and-1-from-hand`. It does not depend on the catalogue.
fn due_key(content: &Content, due: &[DuePart]) -> String {
    let part = |due: &DuePart| match due.part {
        CostPart::Pieces { zone, only, .. } => {
            let eligible = if only.is_some() { "fitting " } else { "" };
            format!(
                "{} {eligible}from {}",
                due.amount,
                content.zone_title(*zone)
            )
        }
        part => part_text(content, part, due.amount).into_owned(),
    };
    let text = due.iter().map(part).collect::<Vec<_>>().join(" and ");
    let key_char = |c: char| {
        if c.is_alphanumeric() {
            c.to_ascii_lowercase()
        } else {
            '-'
        }
    };
    text.chars().map(key_char).collect()
}

fn pay_parts(cx: &mut Cx, payer: &Payer, due: &[DuePart]) -> StepResult<bool> {
    let total = due.iter().map(|part| part.amount).sum();
    if cx.has_listeners(on::BEFORE_PAY) {
        let mut event = Event::new(on::BEFORE_PAY);
        (event.of, event.seat, event.amount) =
            (Some(Entity::Seat(payer.seat)), Some(payer.seat), total);
        event.entry = Some(payer.entry);
        if fire(cx, event)?.denied.is_some() {
            return Ok(false);
        }
    }
    let mut paid = Vec::new();
    for at in 0..due.len() {
        let shares = |other: &usize| *other != at && due[at].shares_pieces(&due[*other]);
        let group: Vec<usize> = (0..due.len()).filter(shares).collect();
        match group.first() {
            None => pay_part(cx, payer, &due[at], &mut paid)?,
            // The first part of a group pays for all of them.
            Some(first) if *first > at => {
                let parts = std::iter::once(at).chain(group).map(|part| &due[part]);
                pay_group(cx, payer, &parts.collect::<Vec<_>>(), &mut paid)?;
            }
            Some(_) => {}
        }
        for piece in paid.drain(..) {
            moves::discard(cx, piece)?;
        }
    }
    packet::announce_paid(cx, payer.seat, total)?;
    Ok(true)
}

/// Pays one part. Pieces that are to be discarded are added to `paid`.
fn pay_part(cx: &mut Cx, payer: &Payer, due: &DuePart, paid: &mut Vec<PieceId>) -> StepResult {
    match due.part {
        CostPart::Counter { counter, own, .. } => {
            let entity = counter_owner(cx, payer, *counter, *own)?;
            counter::pay(cx, entity, *counter, due.amount)
        }
        CostPart::Chain(chain, _) => {
            let links = cx.content().chains[chain.ix()].links.as_slice().into();
            let entity = Entity::Seat(payer.seat);
            packet::apply_loss(cx, None, entity, literal!("pay"), due.amount, links).map(|_| ())
        }
        CostPart::Pieces { .. } => {
            let count = cast::<_, u16>(due.amount);
            *paid = question::ask_pieces(cx, payer.seat, Prompt::Pay, &due.pieces, count, count)?;
            Ok(())
        }
    }
}

/// Asks for the pieces of parts that share a zone, one by one, so that enough remain for the others.
fn pay_group(
    cx: &mut Cx,
    payer: &Payer,
    parts: &[&DuePart],
    paid: &mut Vec<PieceId>,
) -> StepResult {
    let mut open: Vec<usize> = (0..parts.len())
        .flat_map(|part| std::iter::repeat_n(part, cast::<_, usize>(parts[part].amount)))
        .collect();
    while !open.is_empty() {
        let part = open.remove(0);
        let mut eligible = Vec::new();
        for &piece in parts[part]
            .pieces
            .iter()
            .filter(|piece| !paid.contains(piece))
        {
            let mut taken = paid.clone();
            taken.push(piece);
            if unmatched(cx, parts, &open, &taken)?.is_none() {
                eligible.push(piece);
            }
        }
        paid.extend(question::ask_pieces(
            cx,
            payer.seat,
            Prompt::Pay,
            &eligible,
            1,
            1,
        )?);
    }
    Ok(())
}

/// The first part for which no piece is left if each slot takes a different one. A slot is the
/// position of its part.
fn unmatched(
    cx: &mut Cx,
    parts: &[&DuePart],
    slots: &[usize],
    taken: &[PieceId],
) -> StepResult<Option<usize>> {
    let mut assigned: Vec<(PieceId, usize)> = Vec::new();
    for (slot, &part) in slots.iter().enumerate() {
        cx.charge_work(1 + (parts[part].pieces.len() * (slot + 1)) as u64 / 8)?;
        let mut visited = taken.to_vec();
        if !assign_piece(parts, slots, slot, &mut visited, &mut assigned) {
            return Ok(Some(part));
        }
    }
    Ok(None)
}

/// Assigns a piece to a slot along an augmenting path: a free piece, or one whose slot can take
/// another piece instead.
fn assign_piece(
    parts: &[&DuePart],
    slots: &[usize],
    slot: usize,
    visited: &mut Vec<PieceId>,
    assigned: &mut Vec<(PieceId, usize)>,
) -> bool {
    for &piece in &parts[slots[slot]].pieces {
        if visited.contains(&piece) {
            continue;
        }
        visited.push(piece);
        let holder = assigned.iter().position(|(other, _)| *other == piece);
        match holder {
            None => assigned.push((piece, slot)),
            Some(at) => {
                let other = assigned[at].1;
                if !assign_piece(parts, slots, other, visited, assigned) {
                    continue;
                }
                assigned[at].1 = slot;
            }
        }
        return true;
    }
    false
}

fn due_parts<'c>(
    cx: &mut Cx,
    payer: &Payer,
    alternative: &'c CostAlternative,
) -> StepResult<Vec<DuePart<'c>>> {
    let mut list = Vec::with_capacity(alternative.parts.len());
    for part in &alternative.parts {
        let (amount, pieces) = match part {
            CostPart::Pieces { zone, only, .. } => {
                let amount = due_amount(cx, payer, part)?;
                (amount, candidates(cx, payer, *zone, *only)?)
            }
            part => (due_amount(cx, payer, part)?, Vec::new()),
        };
        list.push(DuePart {
            part,
            amount: amount.max(0),
            pieces,
        });
    }
    Ok(list)
}

/// The amount of a part, after the query `cost`.
fn due_amount(cx: &mut Cx, payer: &Payer, part: &CostPart) -> StepResult<i64> {
    let base = evaluate_amount(cx, payer, part.amount())?;
    let CostPart::Counter { counter, .. } = part else {
        return Ok(base);
    };
    let (amount, _) = query::number(cx, queries::COST, base, |event| {
        (event.seat, event.entry, event.piece) = (Some(payer.seat), Some(payer.entry), payer.piece);
        event.counter = Some(*counter);
    })?;
    Ok(amount)
}

/// Who pays from a counter: the seat, if seats have it; otherwise the piece with the cost, the place
/// of the seat, or the table.
fn counter_owner(cx: &Cx, payer: &Payer, counter: CounterId, own: bool) -> StepResult<Entity> {
    let seat = Some(Entity::Seat(payer.seat)).filter(|_| !own);
    let place = cx.state.at[payer.seat.ix()].filter(|_| !own);
    let owners = [
        seat,
        payer.piece.map(Entity::Piece),
        place.map(Entity::Place),
        Some(Entity::Table).filter(|_| !own),
    ];
    let has = |entity: &Entity| cx.state.has_counter(cx.content(), *entity, counter);
    owners.into_iter().flatten().find(has).ok_or_else(|| {
        let title = cx.content().counter_title(counter);
        cx.fault(format!("nothing pays `{title}`: a cost takes it from the seat, or from the piece that has the cost"))
    })
}

fn candidates(
    cx: &mut Cx,
    payer: &Payer,
    zone: crate::content::ZoneId,
    only: Option<HookId>,
) -> StepResult<Vec<PieceId>> {
    let own = |piece| cx.state.zones.at(cx.content(), Entity::Piece(piece), zone);
    let at = moves::nearest_zone(cx, Entity::Seat(payer.seat), zone)
        .or_else(|| payer.piece.and_then(own));
    let count = at.map_or(0, |at| cx.state.zones.count(at)) as u64;
    cx.charge_work(count / 8)?;
    let pieces: Vec<PieceId> = at
        .map(|at| {
            cx.state
                .zones
                .pieces(at)
                .iter()
                .map(|piece| PieceId(*piece))
                .collect()
        })
        .unwrap_or_default();
    let Some(only) = only else { return Ok(pieces) };
    let mut eligible = Vec::new();
    for piece in pieces
        .into_iter()
        .filter(|piece| payer.piece != Some(*piece))
    {
        let call = HookCall {
            it: Some(piece),
            ..hook_call(payer, only)
        };
        if run_hook(cx, call)? == Value::Bool(true) {
            eligible.push(piece);
        }
    }
    Ok(eligible)
}

fn evaluate_amount(cx: &mut Cx, payer: &Payer, amount: &Amount) -> StepResult<i64> {
    match amount {
        Amount::Fixed(n) => Ok(*n),
        Amount::Script(hook) => Ok(run_hook(cx, hook_call(payer, *hook))?.int().unwrap_or(0)),
    }
}

fn hook_call(payer: &Payer, hook: HookId) -> HookCall {
    HookCall {
        hook,
        entry: payer.entry,
        it: payer.piece,
        owner: Some(payer.seat),
        actor: Some(payer.seat),
        argument: payer.argument.clone(),
        effect: None,
        question_count: 0,
        run: 0,
    }
}

fn missing_part(cx: &mut Cx, payer: &Payer, due: &[DuePart]) -> StepResult<Option<Box<str>>> {
    for part in due {
        let have = match part.part {
            CostPart::Counter { counter, own, .. } => {
                let entity = counter_owner(cx, payer, *counter, *own)?;
                let (min, _) = counter::bounds(cx, entity, *counter)?;
                i64::from(cx.state.base(&cx.rules.content, entity, *counter)) - min
            }
            CostPart::Chain(chain, _) => {
                let links = &cx.content().chains[chain.ix()].links;
                let entity = Entity::Seat(payer.seat);
                let (pieces, points) =
                    packet::preview(&cx.state, cx.content(), entity, part.amount, links);
                pieces + points
            }
            CostPart::Pieces { .. } => cast::<_, i64>(part.pieces.len()),
        };
        if have < part.amount {
            return Ok(Some(needs(cx, payer, part)));
        }
    }
    let of_pieces = |part: &&DuePart| matches!(part.part, CostPart::Pieces { .. });
    let parts: Vec<&DuePart> = due.iter().filter(of_pieces).collect();
    if parts.len() < 2 {
        return Ok(None);
    }
    let slot = |part: usize| std::iter::repeat_n(part, cast::<_, usize>(parts[part].amount));
    let slots: Vec<usize> = (0..parts.len()).flat_map(slot).collect();
    let missing = unmatched(cx, &parts, &slots, &[])?;
    Ok(missing.map(|part| needs(cx, payer, parts[part])))
}

fn needs(cx: &Cx, payer: &Payer, part: &DuePart) -> Box<str> {
    closed::needs(&due_part_text(cx, payer, part)).into()
}

fn due_part_text(cx: &Cx, payer: &Payer, due: &DuePart) -> String {
    let text = part_text(cx.content(), due.part, due.amount);
    filled(cx, payer, &text)
}

fn due_text(cx: &Cx, payer: &Payer, alternative: &CostAlternative, due: &[DuePart]) -> String {
    if let Some(label) = &alternative.label {
        return filled(cx, payer, label);
    }
    let parts: Vec<String> = due
        .iter()
        .map(|due| due_part_text(cx, payer, due))
        .collect();
    parts.join(catalogue::cost::AND)
}

/// Fills the placeholders of the pack's own words with the fields of the entry.
fn filled(cx: &Cx, payer: &Payer, words: &str) -> String {
    fill(cx.content(), payer.entry, words)
}

fn fill(content: &Content, entry: EntryId, words: &str) -> String {
    let def = content.entry(entry);
    Content::fill(words, &|name| {
        content.placeholder(name, &|field| def.field(field))
    })
}

fn part_text<'p>(content: &Content, part: &'p CostPart, amount: i64) -> Cow<'p, str> {
    let entry = match part {
        CostPart::Counter { counter, .. } => content.counters[counter.ix()].entry,
        CostPart::Chain(chain, _) => content.chains[chain.ix()].entry,
        CostPart::Pieces {
            label: Some(label), ..
        } => return Cow::Borrowed(label),
        CostPart::Pieces { zone, only, .. } => {
            let zone = content.zone_title(*zone);
            return catalogue::cost::pieces(amount, zone, only.is_some()).into();
        }
    };
    catalogue::cost::amount_of(amount, names::title_for(content, entry, amount)).into()
}

/// The cost as text. Amounts computed by scripts are left out.
#[must_use]
pub fn text(content: &Content, entry: EntryId, cost: &[CostAlternative]) -> String {
    joined(content, entry, cost, &mut |part| match part.amount() {
        Amount::Fixed(amount) => Some(*amount),
        Amount::Script(_) => None,
    })
}

/// Whether the cost may differ from what its entry says: if a script or the query `cost` changes it.
#[must_use]
pub fn may_vary(cost: &[CostAlternative]) -> bool {
    let mut parts = cost.iter().flat_map(|alternative| &alternative.parts);
    parts.any(|part| {
        matches!(part.amount(), Amount::Script(_)) || matches!(part, CostPart::Counter { .. })
    })
}

/// The cost as the payer would pay it now.
pub fn text_for(cx: &mut Cx, payer: &Payer, cost: &[CostAlternative]) -> StepResult<String> {
    let content = cx.content().clone();
    let mut amounts = Vec::new();
    for part in cost.iter().flat_map(|alternative| &alternative.parts) {
        amounts.push(due_amount(cx, payer, part)?.max(0));
    }
    let mut amounts = amounts.into_iter();
    Ok(joined(&content, payer.entry, cost, &mut |_| amounts.next()))
}

/// The words for all alternatives. A part without an amount is named without a number; one that costs
/// nothing is left out if another one does.
fn joined(
    content: &Content,
    entry: EntryId,
    cost: &[CostAlternative],
    amount: &mut dyn FnMut(&CostPart) -> Option<i64>,
) -> String {
    let mut alternatives = Vec::new();
    for alternative in cost {
        let amounts: Vec<Option<i64>> = alternative.parts.iter().map(&mut *amount).collect();
        if let Some(label) = &alternative.label {
            alternatives.push(fill(content, entry, label));
            continue;
        }
        let is_free = amounts.iter().all(|amount| *amount == Some(0));
        let parts = alternative.parts.iter().zip(amounts);
        let parts = parts.filter(|(_, amount)| is_free || *amount != Some(0));
        let words = parts.map(|(part, amount)| {
            let words = part_text(content, part, amount.unwrap_or(0));
            let words = fill(content, entry, &words);
            match amount {
                Some(_) => words,
                None => words.trim_start_matches("0 ").to_owned(),
            }
        });
        alternatives.push(words.collect::<Vec<_>>().join(catalogue::cost::AND));
    }
    alternatives.join(catalogue::cost::OR)
}
