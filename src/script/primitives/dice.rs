//! Dice: a roll stays on the table, so results can be kept, rerolled and spent.

use kaer_macros::primitives;

use crate::content::DieId;
use crate::game::dice::DieShown;
use crate::number::cast;
use crate::script::primitive::*;

use super::seat::seat_id;
use crate::game::state::DieUse;
use crate::game::{Cx, StepResult, dice};
use crate::value::Value;

/// The dice of a roll.
fn dice_of(cx: &mut Cx, roll: RollNumber) -> StepResult<Vec<DieShown>> {
    let Some(count) = dice::count(cx, roll.0) else {
        return Err(cx.fault("this roll is no longer on the table"));
    };
    cx.charge_work(count as u64)?;
    Ok(dice::dice(cx, roll.0))
}

/// The dice of a roll, except spent ones.
fn open_dice(cx: &mut Cx, roll: RollNumber) -> StepResult<Vec<DieShown>> {
    let mut all = dice_of(cx, roll)?;
    all.retain(|die| die.spent != DieUse::Spent);
    Ok(all)
}

fn as_value(value: &Value) -> Value {
    match Value::clone(value) {
        Value::Int(n) => Value::Int(n),
        Value::Text(text) => Value::Text(text),
        other @ (Value::Table(_) | Value::Map(_)) => other,
        _ => Value::Unit,
    }
}

/// The die with an id.
fn die_named(cx: &Cx, name: &str) -> StepResult<DieId> {
    let found = cx.symbol(name).die;
    found.ok_or_else(|| cx.fault(format!("unknown die `{name}`: declare it as a [[die]]")))
}

/// The die that an item of a list names: its id, or the entry.
fn die_of(cx: &Cx, value: &Value) -> StepResult<DieId> {
    match value {
        Value::Text(name) => die_named(cx, name),
        Value::Entry(entry) => {
            let found = cx.content().dice.iter().position(|die| die.entry == *entry);
            found
                .map(DieId::at)
                .ok_or_else(|| cx.fault("this entry is not a die"))
        }
        _ => Err(cx.fault("expected the id of a die in the list")),
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
        let die = die_named(cx, &die)?;
        let id = dice::roll(cx, Some(seat), &[(die, count)])?;
        Ok(id.map_or(Value::Unit, Value::Roll))
    }

    /// Rolls different dice together, one for each id in the list. Dice of one kind lie side by side.
    /// ```rhai
    /// let roll = roll(actor, ["d6", "weather", "d6"]);
    /// roll.faces() // is [2, 2, sun]
    /// roll.dice() // is [Die, Die, Weather die]
    /// ```
    #[name("roll")]
    #[does(CHANGES, CHANCE)]
    pub fn roll_list(cx: &mut Cx, seat: Entity, dice: List) -> StepResult<Value> {
        let seat = seat_id(cx, seat)?;
        cx.charge_work(dice.len() as u64)?;
        let mut pool: Vec<(DieId, i64)> = Vec::new();
        for value in &dice {
            let die = die_of(cx, value)?;
            match pool.iter_mut().find(|(other, _)| *other == die) {
                Some((_, count)) => *count += 1,
                None => pool.push((die, 1)),
            }
        }
        let id = dice::roll(cx, Some(seat), &pool)?;
        Ok(id.map_or(Value::Unit, Value::Roll))
    }

    /// Rolls different dice together; the map has the number of each, by id.
    /// ```rhai
    /// let roll = roll(actor, #{ d6: 2, weather: 1 });
    /// roll.sum() // is 4
    /// roll.count("sun") // is 1
    /// ```
    #[name("roll")]
    #[does(CHANGES, CHANCE)]
    pub fn roll_pool(cx: &mut Cx, seat: Entity, dice: Map) -> StepResult<Value> {
        let seat = seat_id(cx, seat)?;
        cx.charge_work(dice.len() as u64)?;
        let mut pool = Vec::new();
        for (name, count) in &dice {
            let Some(count) = count.int() else {
                return Err(cx.fault(format!("the number of `{name}` dice is not a number")));
            };
            pool.push((die_named(cx, name)?, count));
        }
        let id = dice::roll(cx, Some(seat), &pool)?;
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
        let dice = open_dice(cx, roll)?;
        Ok(dice.into_iter().map(|die| die.face).collect())
    }

    /// Returns the entries of the dice of a roll, in the order of `faces()`.
    /// ```rhai
    /// roll(actor, ["weather", "d6"]).dice() // is [Weather die, Die]
    /// ```
    #[name("dice")]
    pub fn dice_in_order(cx: &mut Cx, roll: RollNumber) -> StepResult<List> {
        let dice = open_dice(cx, roll)?;
        let entry = |die: DieShown| Value::Entry(cx.content().dice[die.die.ix()].entry);
        Ok(dice.into_iter().map(entry).collect())
    }

    /// Returns the sum of the faces that are numbers, except dice that `spend` has used up.
    /// ```rhai
    /// let roll = roll(actor, "d6", 3);
    /// roll.faces() // is [2, 2, 6]
    /// roll.sum() // is 10
    /// ```
    #[does(READS_ZONE)]
    pub fn sum(cx: &mut Cx, roll: RollNumber) -> StepResult<i64> {
        let dice = open_dice(cx, roll)?;
        let numbers = dice.iter().filter_map(|die| die.face.int());
        Ok(numbers.fold(0, i64::saturating_add))
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
        let dice = open_dice(cx, roll)?;
        let shown = dice.iter().filter(|die| die.face == wanted);
        Ok(cast::<_, i64>(shown.count()))
    }

    /// Returns how many of a result the dice of a roll show in total, not counting spent ones. A
    /// face that is a table counts as its numbers, as in `{ leaf = 1, thorn = 2 }`; any other face
    /// counts as itself, once.
    /// ```rhai
    /// let roll = roll(actor, "bramble", 3);
    /// roll.total("leaf") // is 2
    /// roll.total("thorn") // is 2
    /// ```
    #[does(READS_ZONE)]
    pub fn total(cx: &mut Cx, roll: RollNumber, result: Value) -> StepResult<i64> {
        let dice = dice_of(cx, roll)?;
        let amounts = dice.iter().map(|die| die.gives(&result));
        Ok(amounts.fold(0, i64::saturating_add))
    }

    /// Returns the totals of all results on faces that are tables, except spent results.
    /// ```rhai
    /// let roll = roll(actor, "bramble", 3);
    /// roll.totals() // is leaf 2, thorn 2
    /// ```
    #[does(READS_ZONE)]
    pub fn totals(cx: &mut Cx, roll: RollNumber) -> StepResult<Map> {
        let dice = dice_of(cx, roll)?;
        let mut rows: Vec<(Text, Value)> = Vec::new();
        for die in &dice {
            for (name, _) in die.results().into_iter().flat_map(|rows| rows.iter()) {
                if !rows.iter().any(|(other, _)| other == name) {
                    let wanted = Value::Text(name.clone());
                    let sum: i64 = dice.iter().map(|die| die.gives(&wanted)).sum();
                    rows.push((name.clone(), Value::Int(sum)));
                }
            }
        }
        cx.charge_work((rows.len() * dice.len()) as u64)?;
        Ok(Map::new(rows))
    }

    /// Returns the positions of a face in `faces()`, counted from 0.
    /// ```rhai
    /// let roll = roll(actor, "weather", 3);
    /// roll.faces() // is [sun, rain, sun]
    /// roll.positions("sun") // is [0, 2]
    /// ```
    pub fn positions(cx: &mut Cx, roll: RollNumber, face: Value) -> StepResult<List> {
        let wanted = as_value(&face);
        let shown = open_dice(cx, roll)?;
        let at = (0..shown.len()).filter(|ix| shown[*ix].face == wanted);
        Ok(at.map(|ix| Value::Int(cast::<_, i64>(ix))).collect())
    }

    /// Rerolls dice by their positions in `faces()`, counted from 0. Results that were spent from
    /// them no longer count.
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
        let lies = dice_of(cx, roll)?;
        let open: Vec<usize> = (0..lies.len())
            .filter(|ix| lies[*ix].spent != DieUse::Spent)
            .collect();
        let which: Vec<usize> = which
            .iter()
            .filter_map(|at| open.get(*at).copied())
            .collect();
        dice::reroll(cx, roll.0, &which)
    }

    /// Spends one die that shows a face: the die stays in the roll, but no function of the roll
    /// counts it any more. If the face is a table, spends one of a result. Returns whether there
    /// was one.
    /// ```rhai
    /// let roll = roll(actor, "weather", 3);
    /// roll.spend("rain"); // is true
    /// roll.faces() // is [sun, sun]
    /// roll.spend("rain"); // is false
    /// ```
    #[does(CHANGES)]
    pub fn spend(cx: &mut Cx, roll: RollNumber, face: Value) -> StepResult<bool> {
        dice::spend(cx, roll.0, &as_value(&face), 1)
    }

    /// Spends several of a result, from as many dice as needed, and returns whether there were
    /// enough. If not, spends nothing.
    /// ```rhai
    /// let roll = roll(actor, "bramble", 3);
    /// roll.total("thorn") // is 2
    /// roll.spend("thorn", 1); // is true
    /// roll.total("thorn") // is 1
    /// roll.spend("thorn", 2); // is false
    /// ```
    #[name("spend")]
    #[does(CHANGES)]
    pub fn spend_amount(
        cx: &mut Cx,
        roll: RollNumber,
        result: Value,
        amount: i64,
    ) -> StepResult<bool> {
        dice::spend(cx, roll.0, &as_value(&result), amount)
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
