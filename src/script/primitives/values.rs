//! Language functions for values of any type.

use kaer_macros::primitives;

use crate::script::operators::{MAX_WEIGHT, bounded, display};
use crate::script::primitive::*;

#[primitives("language")]
pub mod functions {
    use super::*;

    /// Returns a value as a string.
    /// ```rhai
    /// (2 + 3).to_string() // is 5
    /// `${2 + 3}` // is 5
    /// "water " + 2 // is water 2
    /// "frost " + -2 // is frost -2
    /// [1, "a"].to_string() // is [1, "a"]
    /// ```
    #[does(LANGUAGE)]
    pub fn to_string(cx: &mut Cx, value: Value) -> StepResult<String> {
        display(cx, &value)
    }

    /// Returns the name of a value's type: `"i64"` for a number, `"string"` for a string, `"bool"`,
    /// `"array"` for a list, `"map"`, `"()"`, `"Thing"` for a seat, a piece, a place or the table,
    /// or another built-in type, such as `"Zone"`.
    /// ```rhai
    /// type_of(3) // is i64
    /// type_of(actor) // is Thing
    /// ```
    #[does(LANGUAGE)]
    pub fn type_of(value: Value) -> String {
        let name = match value {
            Value::Unit => "()",
            Value::Int(_) => "i64",
            Value::Bool(_) => "bool",
            Value::Text(_) => "string",
            Value::List(_) => "array",
            Value::Map(_) => "map",
            Value::Entity(_) => "Thing",
            Value::Zone(_) => "Zone",
            Value::Entry(_) => "Entry",
            Value::Phase(_) => "Phase",
            Value::Table(_) | Value::Rows(_) => "Data",
            Value::Script(_) => "Script",
            Value::Roll(_) => "Roll",
            Value::Effect(_) => "Effect",
            Value::Event => "Event",
            Value::Fight => "Fight",
            Value::Combo => "Combo",
            Value::Packet => "Packet",
            Value::Function(_) => "Fn",
        };
        name.to_owned()
    }

    /// Returns the numbers from `from` up to, but not including, `to`, in steps of `step`.
    /// ```rhai
    /// range(1, 8, 3) // is [1, 4, 7]
    /// range(3, 0, -1) // is [3, 2, 1]
    /// ```
    #[does(LANGUAGE)]
    pub fn range(cx: &mut Cx, from: i64, to: i64, step: i64) -> StepResult<Value> {
        if step == 0 {
            return Err(cx.fault("the step of a range must not be 0"));
        }
        let mut numbers = Vec::new();
        let mut next = Some(from);
        while let Some(number) = next
            && (step > 0 && number < to || step < 0 && number > to)
        {
            cx.charge_work(1)?;
            numbers.push(Value::Int(number));
            if numbers.len() > MAX_WEIGHT as usize {
                break;
            }
            next = number.checked_add(step);
        }
        bounded(cx, Value::from_list(numbers))
    }

    /// Returns whether a number is in a range.
    /// ```rhai
    /// actor.coins in 1..4 // is true
    /// 4 in 1..4 // is false
    /// 4 in 1..=4 // is true
    /// ```
    #[name("in range")]
    #[does(LANGUAGE)]
    pub fn in_range(from: i64, to: i64, value: i64, inclusive: bool) -> bool {
        from <= value && (value < to || inclusive && value == to)
    }
}
