//! Dice. A roll stays on the table, so that its dice can be kept, rerolled and spent.

use super::chance::{self, ChanceRequest};
use super::context::{Cx, StepResult};
use super::event::{Event, announce, fire};
use super::log::LogEvent;
use super::state::Roll;
use crate::content::events::on;
use crate::content::{DieId, SeatId};
use crate::number::cast;
use crate::value::Value;

/// How many rolls stay on the table; older ones are dropped.
const MAX_ROLLS: usize = 8;

/// Rolls dice and returns the id of the roll; `None` if a hook denies it.
pub fn roll(cx: &mut Cx, seat: Option<SeatId>, die: DieId, count: i64) -> StepResult<Option<u32>> {
    cx.require_write_access("rolling dice")?;
    let mut count = count;
    if cx.has_listeners(on::BEFORE_ROLL) {
        let mut event = Event::new(on::BEFORE_ROLL);
        (event.seat, event.amount) = (seat, count);
        event.entry = Some(cx.content().dice[die.ix()].entry);
        let event = fire(cx, event)?;
        if event.denied.is_some() {
            return Ok(None);
        }
        count = event.amount;
    }
    let count = count.clamp(0, 100);
    cx.charge_work(count.unsigned_abs())?;
    let faces: Vec<u8> = (0..count).map(|_| roll_die(cx, seat, die)).collect();
    let spent = vec![false; faces.len()];
    let id = cx.state.next_roll;
    cx.state.next_roll += 1;
    cx.state.rolls.push(Roll {
        id,
        die,
        seat,
        faces: faces.clone(),
        spent,
    });
    if cx.state.rolls.len() > MAX_ROLLS {
        cx.state.rolls.remove(0);
    }
    announce_roll(cx, seat, die, faces, id)?;
    Ok(Some(id))
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

fn announce_roll(
    cx: &mut Cx,
    seat: Option<SeatId>,
    die: DieId,
    faces: Vec<u8>,
    id: u32,
) -> StepResult {
    let cause = cx.cause();
    cx.log
        .push(LogEvent::Rolled { seat, die, faces }, cause, &[]);
    let entry = cx.content().dice[die.ix()].entry;
    announce(cx, on::AFTER_ROLL, |event| {
        (event.seat, event.value, event.entry) = (seat, i64::from(id), Some(entry));
    })
}

/// Rerolls some dice of a roll.
pub fn reroll(cx: &mut Cx, id: u32, which: &[usize]) -> StepResult {
    cx.require_write_access("rerolling dice")?;
    let Some((die, seat)) = find(cx, id).map(|roll| (roll.die, roll.seat)) else {
        return Ok(());
    };
    for &ix in which {
        let face = roll_die(cx, seat, die);
        if let Some(slot) = find_mut(cx, id).and_then(|roll| roll.faces.get_mut(ix)) {
            *slot = face;
        }
    }
    let faces = find(cx, id)
        .map(|roll| roll.faces.clone())
        .unwrap_or_default();
    announce_roll(cx, seat, die, faces, id)
}

/// Spends a die that shows the face, and returns whether there was one.
pub fn spend(cx: &mut Cx, id: u32, face: &Value) -> StepResult<bool> {
    cx.require_write_access("spending a result")?;
    let content = cx.content().clone();
    let Some(roll) = find_mut(cx, id) else {
        return Ok(false);
    };
    let shows = |ix: &usize| {
        !roll.spent[*ix]
            && content.dice[roll.die.ix()]
                .faces
                .get(usize::from(roll.faces[*ix]))
                == Some(face)
    };
    let found = (0..roll.faces.len()).find(shows);
    if let Some(ix) = found {
        roll.spent[ix] = true;
    }
    Ok(found.is_some())
}

/// A roll that is still on the table.
#[must_use]
pub fn find(cx: &Cx, id: u32) -> Option<&Roll> {
    cx.state.rolls.iter().find(|roll| roll.id == id)
}

fn find_mut(cx: &mut Cx, id: u32) -> Option<&mut Roll> {
    cx.state.rolls.iter_mut().find(|roll| roll.id == id)
}
