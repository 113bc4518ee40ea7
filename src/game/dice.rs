//! Dice. A roll stays on the table, so that its dice can be kept, rerolled and spent.

use super::chance::{self, ChanceRequest};
use super::context::{Cx, StepResult};
use super::event::{Event, announce, fire};
use super::log::LogEvent;
use super::state::{DieUse, Roll};
use crate::content::events::on;
use crate::content::{DieId, SeatId};
use crate::number::cast;
use crate::value::{Map, Text, Value};

/// How many rolls stay on the table; older ones are dropped.
const MAX_ROLLS: usize = 8;

/// The most dice of one kind in a roll.
const MAX_DICE: i64 = 100;

/// Rolls dice and returns the id of the roll; `None` if a hook denies it. Dice of one kind are rolled
/// together, in the order in which their kinds are named.
pub fn roll(cx: &mut Cx, seat: Option<SeatId>, dice: &[(DieId, i64)]) -> StepResult<Option<u32>> {
    cx.require_write_access("rolling dice")?;
    let mut allowed = Vec::new();
    for &(die, count) in dice {
        let Some(count) = allowed_count(cx, seat, die, count)? else {
            return Ok(None);
        };
        let count = count.clamp(0, MAX_DICE);
        cx.charge_work(count.unsigned_abs())?;
        allowed.push((die, count));
    }
    let id = cx.state.next_roll;
    cx.state.next_roll += 1;
    for (die, count) in allowed {
        let faces: Vec<u8> = (0..count).map(|_| roll_die(cx, seat, die)).collect();
        let spent = vec![DieUse::Open; faces.len()];
        cx.state.rolls.push(Roll {
            id,
            die,
            seat,
            faces,
            spent,
        });
    }
    drop_oldest(cx);
    announce_roll(cx, id)?;
    Ok(Some(id))
}

/// How many dice a hook lets a seat roll; `None` if it denies the roll.
fn allowed_count(
    cx: &mut Cx,
    seat: Option<SeatId>,
    die: DieId,
    count: i64,
) -> StepResult<Option<i64>> {
    if !cx.has_listeners(on::BEFORE_ROLL) {
        return Ok(Some(count));
    }
    let mut event = Event::new(on::BEFORE_ROLL);
    (event.seat, event.amount) = (seat, count);
    event.entry = Some(cx.content().dice[die.ix()].entry);
    let event = fire(cx, event)?;
    Ok(event.denied.is_none().then_some(event.amount))
}

fn drop_oldest(cx: &mut Cx) {
    let rolls = &mut cx.state.rolls;
    let mut ids: Vec<u32> = rolls.iter().map(|roll| roll.id).collect();
    ids.dedup();
    if let Some(oldest_kept) = ids.len().checked_sub(MAX_ROLLS).map(|at| ids[at]) {
        rolls.retain(|roll| roll.id >= oldest_kept);
    }
}

fn roll_die(cx: &mut Cx, seat: Option<SeatId>, die: DieId) -> u8 {
    let content = cx.content().clone();
    let def = &content.dice[die.ix()];
    let stream = format!(
        "die {} {}",
        content.entry(def.entry).name,
        seat.map_or(255, |seat| seat.0)
    );
    let faces = cast::<_, u32>(def.faces.len().clamp(1, 255));
    cast::<_, u8>(chance::draw(cx, &stream, ChanceRequest::Number(faces)))
}

fn announce_roll(cx: &mut Cx, id: u32) -> StepResult {
    let parts: Vec<&Roll> = parts(cx, id).collect();
    let Some(first) = parts.first() else {
        return Ok(());
    };
    let (seat, die) = (first.seat, first.die);
    let dice = parts
        .iter()
        .map(|part| (part.die, part.faces.clone()))
        .collect();
    let cause = cx.cause();
    cx.log.push(LogEvent::Rolled { seat, dice }, cause, &[]);
    let entry = cx.content().dice[die.ix()].entry;
    announce(cx, on::AFTER_ROLL, |event| {
        (event.seat, event.value, event.entry) = (seat, i64::from(id), Some(entry));
    })
}

/// Rerolls some dice of a roll, by their positions among all of its dice.
pub fn reroll(cx: &mut Cx, id: u32, which: &[usize]) -> StepResult {
    cx.require_write_access("rerolling dice")?;
    for &position in which {
        let Some((part, at)) = locate(cx, id, position) else {
            continue;
        };
        let (seat, die) = (cx.state.rolls[part].seat, cx.state.rolls[part].die);
        let face = roll_die(cx, seat, die);
        let roll = &mut cx.state.rolls[part];
        roll.faces[at] = face;
        roll.spent[at] = DieUse::Open;
    }
    announce_roll(cx, id)
}

/// The index of the part of a roll that contains a die, and of the die in it.
fn locate(cx: &Cx, id: u32, position: usize) -> Option<(usize, usize)> {
    let mut left = position;
    for (part, roll) in cx.state.rolls.iter().enumerate() {
        if roll.id != id {
            continue;
        }
        if left < roll.faces.len() {
            return Some((part, left));
        }
        left -= roll.faces.len();
    }
    None
}

/// Spends a die that shows the face, or results that dice show, and returns whether there were
/// enough.
pub fn spend(cx: &mut Cx, id: u32, result: &Value, amount: i64) -> StepResult<bool> {
    cx.require_write_access("spending a result")?;
    if amount <= 0 {
        return Ok(true);
    }
    let dice = dice(cx, id);
    cx.charge_work(dice.len() as u64)?;
    let wanted = result.text().unwrap_or("");
    if dice.iter().map(|die| die.gives(result)).sum::<i64>() < amount {
        return Ok(false);
    }
    let mut left = amount;
    for (position, die) in dice.iter().enumerate() {
        let take = die.gives(result).min(left);
        if let Some((part, at)) = locate(cx, id, position).filter(|_| take > 0) {
            left -= take;
            cx.state.rolls[part].spent[at].spend(&die.face, wanted, take);
        }
    }
    Ok(true)
}

/// A die of a roll.
pub struct DieShown {
    /// The kind of die.
    pub die: DieId,
    /// The face it shows.
    pub face: Value,
    /// Which part of it is spent.
    pub spent: DieUse,
}

impl DieShown {
    /// How many of a result it still offers: 1 for the face itself, or the number in a face that is
    /// a table.
    #[must_use]
    pub fn gives(&self, result: &Value) -> i64 {
        match (&self.spent, &self.face) {
            (DieUse::Spent, _) => 0,
            (used, Value::Table(_)) => {
                let name = result.text().unwrap_or("");
                let shown = self.face.get(name).and_then(Value::int).unwrap_or(0);
                (shown - used.of(name)).max(0)
            }
            (_, face) => i64::from(face == result),
        }
    }

    /// The results of a face that is a table.
    #[must_use]
    pub fn results(&self) -> Option<&Map> {
        match &self.face {
            Value::Table(rows) => Some(rows),
            _ => None,
        }
    }
}

impl DieUse {
    /// How much of a result is spent.
    fn of(&self, result: &str) -> i64 {
        match self {
            DieUse::Partly(used) => used
                .iter()
                .find(|(name, _)| &**name == result)
                .map_or(0, |(_, amount)| *amount),
            DieUse::Open | DieUse::Spent => 0,
        }
    }

    fn spend(&mut self, face: &Value, result: &str, amount: i64) {
        if !matches!(face, Value::Table(_)) {
            *self = DieUse::Spent;
            return;
        }
        let mut used = match std::mem::take(self) {
            DieUse::Partly(used) => used,
            DieUse::Open | DieUse::Spent => Vec::new(),
        };
        match used.iter_mut().find(|(name, _)| &**name == result) {
            Some((_, spent)) => *spent += amount,
            None => used.push((Text::from(result), amount)),
        }
        *self = DieUse::Partly(used);
    }
}

/// The dice of a roll, in order.
#[must_use]
pub fn dice(cx: &Cx, id: u32) -> Vec<DieShown> {
    let content = cx.content();
    let mut all = Vec::new();
    for roll in parts(cx, id) {
        let faces = &content.dice[roll.die.ix()].faces;
        for (face, spent) in roll.faces.iter().zip(&roll.spent) {
            all.push(DieShown {
                die: roll.die,
                face: faces.get(usize::from(*face)).cloned().unwrap_or_default(),
                spent: spent.clone(),
            });
        }
    }
    all
}

/// The number of dice of a roll that is still on the table; `None` if it is not.
#[must_use]
pub fn count(cx: &Cx, id: u32) -> Option<usize> {
    let mut parts = parts(cx, id).peekable();
    parts.peek()?;
    Some(parts.map(|roll| roll.faces.len()).sum())
}

/// The parts of a roll: one for each kind of die.
fn parts(cx: &Cx, id: u32) -> impl Iterator<Item = &Roll> {
    cx.state.rolls.iter().filter(move |roll| roll.id == id)
}
