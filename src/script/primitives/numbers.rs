//! Numbers: the language functions.

use kaer_macros::primitives;

use crate::script::operators::text_cost;
use crate::script::primitive::*;

/// The number of characters of a wrong string that a message quotes.
const QUOTED: usize = 40;

#[primitives("language")]
pub mod functions {
    use super::*;

    /// Returns a number without its sign.
    /// ```rhai
    /// abs(-3) // is 3
    /// abs(3) // is 3
    /// ```
    #[does(LANGUAGE)]
    pub fn abs(cx: &mut Cx, number: i64) -> StepResult<i64> {
        number
            .checked_abs()
            .ok_or_else(|| cx.fault(format!("{number} has no positive counterpart")))
    }

    /// Returns the sign of a number: -1, 0 or 1.
    /// ```rhai
    /// sign(-3) // is -1
    /// sign(0) // is 0
    /// ```
    #[does(LANGUAGE)]
    pub fn sign(number: i64) -> i64 {
        number.signum()
    }

    /// Returns whether a number is 0.
    /// ```rhai
    /// actor.coins.is_zero() // is false
    /// ```
    #[does(LANGUAGE)]
    pub fn is_zero(number: i64) -> bool {
        number == 0
    }

    /// Returns whether a number is odd.
    /// ```rhai
    /// actor.coins.is_odd() // is true
    /// ```
    #[does(LANGUAGE)]
    pub fn is_odd(number: i64) -> bool {
        number % 2 != 0
    }

    /// Returns whether a number is even.
    /// ```rhai
    /// actor.water.is_even() // is true
    /// ```
    #[does(LANGUAGE)]
    pub fn is_even(number: i64) -> bool {
        number % 2 == 0
    }

    /// Returns the number that a string contains. Spaces around it do not matter.
    /// ```rhai
    /// parse_int("12") + 1 // is 13
    /// parse_int(" -5 ") // is -5
    /// ```
    #[does(LANGUAGE)]
    pub fn parse_int(cx: &mut Cx, text: Text) -> StepResult<i64> {
        parse_int_radix(cx, text, 10)
    }

    /// Returns the number that a string contains, written with a base from 2 to 36.
    /// ```rhai
    /// parse_int("ff", 16) // is 255
    /// parse_int("101", 2) // is 5
    /// ```
    #[name("parse_int")]
    #[does(LANGUAGE)]
    pub fn parse_int_radix(cx: &mut Cx, text: Text, base: i64) -> StepResult<i64> {
        cx.charge_work(text_cost(text.len()))?;
        let Some(radix) = u32::try_from(base).ok().filter(|n| (2..=36).contains(n)) else {
            return Err(cx.fault(format!("the base must be from 2 to 36, not {base}")));
        };
        i64::from_str_radix(text.trim(), radix).map_err(|_| {
            let quoted: String = text.chars().take(QUOTED).collect();
            cx.fault(format!("`{quoted}` is not a whole number in base {base}"))
        })
    }

    /// Returns a number as a string in base 16.
    /// ```rhai
    /// to_hex(255) // is ff
    /// ```
    #[does(LANGUAGE)]
    pub fn to_hex(number: i64) -> String {
        format!("{number:x}")
    }

    /// Returns a number as a string in base 8.
    /// ```rhai
    /// to_octal(8) // is 10
    /// ```
    #[does(LANGUAGE)]
    pub fn to_octal(number: i64) -> String {
        format!("{number:o}")
    }

    /// Returns a number as a string in base 2.
    /// ```rhai
    /// to_binary(5) // is 101
    /// ```
    #[does(LANGUAGE)]
    pub fn to_binary(number: i64) -> String {
        format!("{number:b}")
    }
}
