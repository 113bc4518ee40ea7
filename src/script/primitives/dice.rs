//! Dice: a roll stays on the table, so results can be kept, rerolled and spent.

use kaer_macros::primitives;

use crate::number::cast;
use crate::script::primitive::*;

use super::seat::seat_id;
use crate::game::{Cx, StepResult, dice};
use crate::value::Value;

/// The faces of a roll, except spent dice.
fn faces(cx: &mut Cx, id: u32) -> StepResult<Vec<Value>> {
    let dice = dice::find(cx, id).map_or(0, |roll| roll.faces.len());
    cx.charge_work(dice as u64)?;
    let Some(roll) = dice::find(cx, id) else {
        return Err(cx.fault("this roll is no longer on the table"));
    };
    let all = &cx.content().dice[roll.die.ix()].faces;
    let open = roll
        .faces
        .iter()
        .zip(&roll.spent)
        .filter(|(_, spent)| !**spent);
    Ok(open
        .filter_map(|(face, _)| all.get(usize::from(*face)).cloned())
        .collect())
}

fn as_value(value: &Value) -> Value {
    match Value::clone(value) {
        Value::Int(n) => Value::Int(n),
        Value::Text(text) => Value::Text(text),
        _ => Value::Unit,
    }
}

#[primitives("dice")]
pub mod functions {
    use super::*;

    /// Rolls dice for a seat and returns the roll, which stays on the table; returns `()` if a hook denied
    /// it.
    /// ```rhai
    /// let roll = roll(actor, "d6", 3);
    /// roll.faces() // is [2, 2, 6]
    /// ```
    #[does(CHANGES, CHANCE)]
    pub fn roll(
        cx: &mut Cx,
        seat: Entity,
        #[names(Die)] die: Text,
        count: i64,
    ) -> StepResult<Value> {
        let seat = seat_id(cx, seat)?;
        let Some(die) = cx.symbol(&die).die else {
            return Err(cx.fault(format!("unknown die `{die}`: declare it as a [[die]]")));
        };
        let id = dice::roll(cx, Some(seat), die, count)?;
        Ok(id.map_or(Value::Unit, Value::Roll))
    }

    /// Returns the latest roll that is still on the table, or `()`.
    /// ```rhai
    /// roll(actor, "d6", 3);
    /// last_roll().faces().len() // is 3
    /// ```
    pub fn last_roll(cx: &mut Cx) -> StepResult<Value> {
        Ok(cx
            .state
            .rolls
            .last()
            .map_or(Value::Unit, |roll| Value::Roll(roll.id)))
    }

    /// Returns the faces of a roll, except dice that `spend` has used up.
    /// ```rhai
    /// let roll = roll(actor, "weather", 3);
    /// roll.faces() // is [sun, rain, sun]
    /// ```
    #[name("faces")]
    pub fn shown(cx: &mut Cx, roll: RollNumber) -> StepResult<List> {
        Ok(faces(cx, roll.0)?.iter().map(Value::clone).collect())
    }

    /// Returns the sum of the faces that are numbers, except dice that `spend` has used up.
    /// ```rhai
    /// let roll = roll(actor, "d6", 3);
    /// roll.faces() // is [2, 2, 6]
    /// roll.sum() // is 10
    /// ```
    #[does(READS_ZONE)]
    pub fn sum(cx: &mut Cx, roll: RollNumber) -> StepResult<i64> {
        Ok(faces(cx, roll.0)?
            .iter()
            .filter_map(Value::int)
            .fold(0, i64::saturating_add))
    }

    /// Returns the number of dice that show a face.
    /// ```rhai
    /// let roll = roll(actor, "weather", 3);
    /// roll.faces() // is [sun, rain, sun]
    /// roll.count("sun") // is 2
    /// ```
    #[name("count")]
    #[does(READS_ZONE)]
    pub fn count_face(cx: &mut Cx, roll: RollNumber, face: Value) -> StepResult<i64> {
        let wanted = as_value(&face);
        let count = faces(cx, roll.0)?
            .iter()
            .filter(|face| **face == wanted)
            .count();
        Ok(cast::<_, i64>(count))
    }

    /// Returns the positions of a face in `faces()`, counted from 0.
    /// ```rhai
    /// let roll = roll(actor, "weather", 3);
    /// roll.faces() // is [sun, rain, sun]
    /// roll.positions("sun") // is [0, 2]
    /// ```
    pub fn positions(cx: &mut Cx, roll: RollNumber, face: Value) -> StepResult<List> {
        let wanted = as_value(&face);
        let shown = faces(cx, roll.0)?;
        let at = (0..shown.len()).filter(|ix| shown[*ix] == wanted);
        Ok(at.map(|ix| Value::Int(cast::<_, i64>(ix))).collect())
    }

    /// Rerolls dice by their positions in `faces()`, counted from 0.
    /// ```rhai
    /// let roll = roll(actor, "weather", 3);
    /// roll.faces() // is [sun, rain, sun]
    /// roll.reroll([1]);
    /// roll.faces() // is [sun, sun, sun]
    /// ```
    #[does(CHANGES, CHANCE)]
    pub fn reroll(cx: &mut Cx, roll: RollNumber, positions: List) -> StepResult<()> {
        cx.charge_work(positions.len() as u64)?;
        let which: Vec<usize> = positions
            .iter()
            .filter_map(crate::value::Value::int)
            .filter_map(|at| usize::try_from(at).ok())
            .collect();
        let Some(lies) = dice::find(cx, roll.0) else {
            return Err(cx.fault("this roll is no longer on the table"));
        };
        let open: Vec<usize> = (0..lies.spent.len())
            .filter(|ix| !lies.spent[*ix])
            .collect();
        let which: Vec<usize> = which
            .iter()
            .filter_map(|at| open.get(*at).copied())
            .collect();
        dice::reroll(cx, roll.0, &which)
    }

    /// Spends one die that shows a face: the die stays in the roll, but no function of the roll counts
    /// it any more. Returns whether there was one.
    /// ```rhai
    /// let roll = roll(actor, "weather", 3);
    /// roll.spend("rain"); // is true
    /// roll.faces() // is [sun, sun]
    /// roll.spend("rain"); // is false
    /// ```
    #[does(CHANGES)]
    pub fn spend(cx: &mut Cx, roll: RollNumber, face: Value) -> StepResult<bool> {
        dice::spend(cx, roll.0, &as_value(&face))
    }

    /// Returns a random number from 1 to `max`.
    /// ```rhai
    /// let weeds = chance(3);
    /// weeds >= 1 && weeds <= 3 // is true
    /// ```
    #[does(CHANCE)]
    pub fn chance(cx: &mut Cx, max: i64) -> StepResult<i64> {
        cx.require_write_access("drawing a random number")?;
        let below = u32::try_from(max.max(1)).unwrap_or(1);
        let cause = cx.cause();
        let stream = cause
            .hook
            .map_or("chance".to_owned(), |hook| cx.content().hook_name(hook));
        let drawn = crate::game::chance::draw(
            cx,
            &stream,
            crate::game::chance::ChanceRequest::Number(below),
        );
        Ok(i64::from(drawn) + 1)
    }
}
