//! Costs. One declaration provides the check whether a seat can pay, the reason if it cannot, the
//! question of how to pay, and the text.

use super::context::{Cx, HookCall, StepResult, run_hook};
use super::event::{Event, fire};
use super::packet;
use super::query;
use super::question::{self, Prompt, QuestionOption};
use super::render::{catalogue, names};
use super::state::Entity;
use super::{counter, moves};
use crate::content::events::{ask as queries, on};
use crate::content::{
    Amount, Content, CostAlternative, CostPart, EntryId, HookId, PieceId, SeatId,
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
    pub each: Value,
}

/// A part of a cost with its evaluated amount.
struct DuePart<'c> {
    part: &'c CostPart,
    amount: i64,
    /// The pieces that qualify, for parts paid with pieces.
    pieces: Vec<PieceId>,
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
            Some(missing) => reason = reason.or(Some(missing)),
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
            open.push(due);
        }
    }
    let content = cx.content().clone();
    let chosen = match open.len() {
        0 => return Ok(false),
        1 => 0,
        _ => {
            let options = open
                .iter()
                .map(|due| QuestionOption::word(&due_key(&content, due), &due_text(&content, due)))
                .collect();
            question::ask_one(cx, payer.seat, Prompt::Pay, options)?
        }
    };
    pay_parts(cx, payer, open.swap_remove(chosen))
}

/// The key of an alternative: `2-coins-and-1-from-hand`. It does not depend on the catalogue.
fn due_key(content: &Content, due: &[DuePart]) -> String {
    let part = |due: &DuePart| match due.part {
        CostPart::Pieces { zone, only, .. } => {
            let fitting = if only.is_some() { "fitting " } else { "" };
            format!("{} {fitting}from {}", due.amount, content.zone_title(*zone))
        }
        part => part_text(content, part, due.amount),
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

fn pay_parts(cx: &mut Cx, payer: &Payer, due: Vec<DuePart<'_>>) -> StepResult<bool> {
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
    for part in due {
        pay_part(cx, payer, &part)?;
    }
    packet::announce_paid(cx, payer.seat, total)?;
    Ok(true)
}

fn pay_part(cx: &mut Cx, payer: &Payer, due: &DuePart) -> StepResult {
    let of = Entity::Seat(payer.seat);
    match due.part {
        CostPart::Counter(counter, _) => counter::pay(cx, of, *counter, due.amount),
        CostPart::Chain(chain, _) => {
            let links = cx.content().chains[chain.ix()].links.clone();
            packet::apply_loss(cx, None, of, "pay", due.amount, links).map(|_| ())
        }
        CostPart::Pieces { .. } => {
            let count = cast::<_, u16>(due.amount);
            let picked =
                question::ask_pieces(cx, payer.seat, Prompt::Pay, &due.pieces, count, count)?;
            for piece in picked {
                moves::discard(cx, piece)?;
            }
            Ok(())
        }
    }
}

fn due_parts<'c>(
    cx: &mut Cx,
    payer: &Payer,
    alternative: &'c CostAlternative,
) -> StepResult<Vec<DuePart<'c>>> {
    let mut list = Vec::with_capacity(alternative.parts.len());
    for part in &alternative.parts {
        let (amount, pieces) = match part {
            CostPart::Counter(counter, amount) => {
                let base = evaluate_amount(cx, payer, amount)?;
                let (amount, _) = query::number(cx, queries::COST, base, |event| {
                    (event.seat, event.entry, event.piece) =
                        (Some(payer.seat), Some(payer.entry), payer.piece);
                    event.counter = Some(*counter);
                })?;
                (amount, Vec::new())
            }
            CostPart::Chain(_, amount) => (evaluate_amount(cx, payer, amount)?, Vec::new()),
            CostPart::Pieces { zone, amount, only } => {
                let amount = evaluate_amount(cx, payer, amount)?;
                (amount, candidates(cx, payer, *zone, *only)?)
            }
        };
        list.push(DuePart {
            part,
            amount: amount.max(0),
            pieces,
        });
    }
    Ok(list)
}

fn candidates(
    cx: &mut Cx,
    payer: &Payer,
    zone: crate::content::ZoneId,
    only: Option<HookId>,
) -> StepResult<Vec<PieceId>> {
    let at = moves::zone_near(cx, Entity::Seat(payer.seat), zone);
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
    let mut fitting = Vec::new();
    for piece in pieces
        .into_iter()
        .filter(|piece| payer.piece != Some(*piece))
    {
        let call = HookCall {
            it: Some(piece),
            ..hook_call(payer, only)
        };
        if run_hook(cx, call)? == Value::Bool(true) {
            fitting.push(piece);
        }
    }
    Ok(fitting)
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
        each: payer.each.clone(),
        effect: None,
        question_count: 0,
        run: 0,
    }
}

fn missing_part(cx: &mut Cx, payer: &Payer, due: &[DuePart]) -> StepResult<Option<Box<str>>> {
    let of = Entity::Seat(payer.seat);
    for part in due {
        let have = match part.part {
            CostPart::Counter(counter, _) => {
                let (min, _) = counter::bounds(cx, of, *counter)?;
                i64::from(cx.state.base(&cx.rules.content, of, *counter)) - min
            }
            CostPart::Chain(chain, _) => {
                let links = &cx.content().chains[chain.ix()].links;
                let (pieces, points) =
                    packet::preview(&cx.state, cx.content(), of, part.amount, links);
                pieces + points
            }
            CostPart::Pieces { .. } => cast::<_, i64>(part.pieces.len()),
        };
        if have < part.amount {
            let text = part_text(cx.content(), part.part, part.amount);
            return Ok(Some(catalogue::closed::needs(&text).into()));
        }
    }
    Ok(None)
}

fn due_text(content: &Content, due: &[DuePart]) -> String {
    let parts: Vec<String> = due
        .iter()
        .map(|due| part_text(content, due.part, due.amount))
        .collect();
    parts.join(catalogue::cost::AND)
}

fn part_text(content: &Content, part: &CostPart, amount: i64) -> String {
    let entry = match part {
        CostPart::Counter(counter, _) => content.counters[counter.ix()].entry,
        CostPart::Chain(chain, _) => content.chains[chain.ix()].entry,
        CostPart::Pieces { zone, only, .. } => {
            return catalogue::cost::pieces(amount, content.zone_title(*zone), only.is_some());
        }
    };
    catalogue::cost::amount_of(amount, names::title_for(content, entry, amount))
}

/// The cost as text. Amounts computed by scripts are left out.
#[must_use]
pub fn text(content: &Content, cost: &[CostAlternative]) -> String {
    let fixed = |amount: &Amount| match amount {
        Amount::Fixed(n) => *n,
        Amount::Script(_) => 0,
    };
    let part = |part: &CostPart| match part {
        CostPart::Counter(_, amount)
        | CostPart::Chain(_, amount)
        | CostPart::Pieces { amount, .. } => part_text(content, part, fixed(amount))
            .trim_start_matches("0 ")
            .to_owned(),
    };
    let alternative = |alternative: &CostAlternative| {
        alternative
            .parts
            .iter()
            .map(part)
            .collect::<Vec<_>>()
            .join(catalogue::cost::AND)
    };
    cost.iter()
        .map(alternative)
        .collect::<Vec<_>>()
        .join(catalogue::cost::OR)
}
