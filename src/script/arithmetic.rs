//! The language operators.

use std::cmp::Ordering;

use super::bytecode::Compare;
use super::operators::{
    MAX_TEXT, bounded, change_cost, check_text, compare, display, equals, keys_cost, text_cost,
};
use super::primitives;
use super::property::describe;
use super::syntax::BinaryOp;
use super::vm::{OpResult, ScriptError};
use crate::diagnostic::nearest;
use crate::game::Cx;
use crate::value::{List, Text, Value};

/// `left op right`.
pub fn binary(cx: &mut Cx, op: BinaryOp, left: &Value, right: &Value) -> OpResult<Value> {
    if let (Value::Int(left), Value::Int(right)) = (left, right) {
        return number(op, *left, *right);
    }
    match op {
        BinaryOp::Equal => {
            charge(cx, left, right)?;
            return Ok(Value::Bool(equals(cx, left, right)));
        }
        BinaryOp::NotEqual => {
            charge(cx, left, right)?;
            return Ok(Value::Bool(!equals(cx, left, right)));
        }
        BinaryOp::Less | BinaryOp::LessOrEqual | BinaryOp::Greater | BinaryOp::GreaterOrEqual => {
            return ordered(cx, op, left, right);
        }
        _ => {}
    }
    match (left, right) {
        (Value::Bool(left), Value::Bool(right)) => match op {
            BinaryOp::BitAnd => Ok(Value::Bool(left & right)),
            BinaryOp::BitOr => Ok(Value::Bool(left | right)),
            BinaryOp::BitXor => Ok(Value::Bool(left ^ right)),
            _ => Err(mismatch(op, &Value::Bool(*left), &Value::Bool(*right))),
        },
        (Value::Text(left), right) if op == BinaryOp::Add => {
            let right = shown(cx, right)?;
            join(cx, left, &right)
        }
        (left, Value::Text(right)) if op == BinaryOp::Add => {
            let left = shown(cx, left)?;
            join(cx, &left, right)
        }
        (Value::Text(text), Value::Text(part)) if op == BinaryOp::Subtract => {
            cx.charge_work(text_cost(text.len()))?;
            Ok(Value::Text(text.replace(part.as_str(), "").into()))
        }
        (Value::List(left), Value::List(right)) if op == BinaryOp::Add => {
            cx.charge_work((left.len() + right.len()) as u64)?;
            let items: Vec<Value> = left.iter().chain(right).cloned().collect();
            Ok(bounded(cx, Value::from_list(items))?)
        }
        (Value::Map(left), Value::Map(right)) if op == BinaryOp::Add => {
            cx.charge_work((left.len() + right.len()) as u64)?;
            cx.charge_work(keys_cost(left) + keys_cost(right))?;
            let rows = left.iter().chain(right).cloned().collect();
            Ok(bounded(cx, Value::Map(rows))?)
        }
        (left, right) => Err(mismatch(op, left, right)),
    }
}

#[inline]
pub fn evaluate_comparison(
    cx: &mut Cx,
    compare: Compare,
    left: &Value,
    right: &Value,
) -> OpResult<bool> {
    if let (Value::Int(left), Value::Int(right)) = (left, right) {
        return Ok(compare.numbers(*left, *right));
    }
    match (compare, left, right) {
        // Most texts that scripts compare are short, or the same in memory.
        (Compare::Equal | Compare::NotEqual, Value::Text(left), Value::Text(right))
            if left.len() != right.len() || left.len() < 64 =>
        {
            Ok((left == right) == (compare == Compare::Equal))
        }
        _ => Ok(binary(cx, compare.operator(), left, right)? == Value::Bool(true)),
    }
}

/// Charges for comparing two values, apart from the strings in them.
fn charge(cx: &mut Cx, left: &Value, right: &Value) -> OpResult<()> {
    let weight = left.weight().min(right.weight());
    if weight > 1 {
        cx.charge_work(weight.into())?;
    }
    Ok(())
}

fn ordered(cx: &mut Cx, op: BinaryOp, left: &Value, right: &Value) -> OpResult<Value> {
    // As in Rhai, `()` is not even less than or equal to itself.
    let Some(order) = compare(left, right).filter(|_| *left != Value::Unit) else {
        // Values of different types are neither less nor greater.
        let same_type = std::mem::discriminant(left) == std::mem::discriminant(right);
        return if same_type && *left != Value::Unit {
            Err(mismatch(op, left, right))
        } else {
            Ok(Value::Bool(false))
        };
    };
    if let (Value::Text(left), Value::Text(right)) = (left, right) {
        cx.charge_work(left.len().min(right.len()) as u64 / 64)?;
    }
    Ok(Value::Bool(match op {
        BinaryOp::Less => order == Ordering::Less,
        BinaryOp::LessOrEqual => order != Ordering::Greater,
        BinaryOp::Greater => order == Ordering::Greater,
        _ => order != Ordering::Less,
    }))
}

/// `left op right` of whole numbers; arithmetic must not overflow.
pub fn number(op: BinaryOp, left: i64, right: i64) -> OpResult<Value> {
    if let Some(compare) = Compare::of(op) {
        return Ok(Value::Bool(compare.numbers(left, right)));
    }
    let result = match op {
        BinaryOp::Add => left.checked_add(right),
        BinaryOp::Subtract => left.checked_sub(right),
        BinaryOp::Multiply => left.checked_mul(right),
        BinaryOp::Divide | BinaryOp::Remainder if right == 0 => {
            return Err(ScriptError::Error("division by zero".to_owned()));
        }
        BinaryOp::Divide => left.checked_div(right),
        BinaryOp::Remainder => left.checked_rem(right),
        BinaryOp::Power if right < 0 => {
            return Err(ScriptError::Error(
                "a whole number cannot be raised to a negative power".to_owned(),
            ));
        }
        BinaryOp::Power => u32::try_from(right).ok().and_then(|n| left.checked_pow(n)),
        BinaryOp::BitAnd => Some(left & right),
        BinaryOp::BitOr => Some(left | right),
        BinaryOp::BitXor => Some(left ^ right),
        BinaryOp::ShiftLeft => Some(shift(left, right)),
        BinaryOp::ShiftRight => Some(shift(left, right.checked_neg().unwrap_or(i64::MAX))),
        _ => return Err(mismatch(op, &Value::Int(left), &Value::Int(right))),
    };
    result.map_or_else(|| Err(overflow()), |result| Ok(Value::Int(result)))
}

/// `left + right` of numbers.
#[inline]
pub fn add(left: i64, right: i64) -> OpResult<Value> {
    match left.checked_add(right) {
        Some(sum) => Ok(Value::Int(sum)),
        None => Err(overflow()),
    }
}

/// `left - right` of numbers.
#[inline]
pub fn subtract(left: i64, right: i64) -> OpResult<Value> {
    match left.checked_sub(right) {
        Some(difference) => Ok(Value::Int(difference)),
        None => Err(overflow()),
    }
}

/// Shifts to the left, or to the right by a negative number.
fn shift(value: i64, by: i64) -> i64 {
    let places = u32::try_from(by.unsigned_abs()).unwrap_or(u32::MAX);
    if by >= 0 {
        value.checked_shl(places).unwrap_or(0)
    } else {
        value.checked_shr(places).unwrap_or(value >> 63)
    }
}

/// The error of arithmetic whose result is too large.
pub fn overflow() -> ScriptError {
    ScriptError::Error("the result is too large for a whole number".to_owned())
}

fn mismatch(op: BinaryOp, left: &Value, right: &Value) -> ScriptError {
    ScriptError::Error(format!(
        "`{}` does not work on {} and {}",
        op.symbol(),
        describe(left),
        describe(right)
    ))
}

/// `-value`.
pub fn negate(value: &Value) -> OpResult<Value> {
    match value {
        Value::Int(number) => number
            .checked_neg()
            .map_or_else(|| Err(overflow()), |number| Ok(Value::Int(number))),
        other => Err(ScriptError::Error(format!(
            "wrong arguments of `-`: {}",
            describe(other)
        ))),
    }
}

/// A value as part of a text.
fn shown(cx: &mut Cx, value: &Value) -> OpResult<Text> {
    match value {
        Value::Text(text) => Ok(text.clone()),
        other => Ok(display(cx, other)?.into()),
    }
}

fn join(cx: &mut Cx, left: &str, right: &str) -> OpResult<Value> {
    check_text(cx, left.len() + right.len())?;
    cx.charge_work(text_cost(left.len() + right.len()))?;
    let mut text = String::with_capacity(left.len() + right.len());
    text.push_str(left);
    text.push_str(right);
    Ok(Value::Text(text.into()))
}

/// `target op= value`.
pub fn assign(cx: &mut Cx, op: BinaryOp, target: &mut Value, value: &Value) -> OpResult<()> {
    match (&mut *target, value) {
        (Value::List(list), Value::List(more)) if op == BinaryOp::Add => {
            cx.charge_work(more.len() as u64 + change_cost(list.len()))?;
            append(cx, list, more)
        }
        (Value::List(list), value) if op == BinaryOp::Add => push(cx, list, value.clone()),
        (target, value) => {
            *target = binary(cx, op, target, value)?;
            Ok(())
        }
    }
}

fn append(cx: &Cx, list: &mut List, more: &List) -> OpResult<()> {
    let weight = u64::from(list.weight()) + u64::from(more.weight()) - 1;
    super::operators::check_list(cx, weight, list.depth().max(more.depth()))?;
    list.change(|items| items.extend(more.iter().cloned()));
    Ok(())
}

/// Adds a value to a list.
pub fn push(cx: &mut Cx, list: &mut List, value: Value) -> OpResult<()> {
    cx.charge_work(change_cost(list.len()))?;
    let weight = list.weight().saturating_add(value.weight());
    let depth = list.depth().max(value.depth().saturating_add(1));
    super::operators::check_list(cx, weight.into(), depth)?;
    list.push(value);
    Ok(())
}

/// Joins the parts of a template string.
pub fn interpolate(cx: &mut Cx, parts: &[Value]) -> OpResult<Value> {
    let room = |part: &Value| part.text().map_or(16, str::len);
    let mut text = String::with_capacity(parts.iter().map(room).sum::<usize>().min(MAX_TEXT));
    for part in parts {
        match part {
            Value::Text(part) => text.push_str(part),
            other => text.push_str(&display(cx, other)?),
        }
        if text.len() > MAX_TEXT {
            check_text(cx, text.len())?;
        }
    }
    cx.charge_work(text_cost(text.len()))?;
    Ok(Value::Text(text.into()))
}

/// The values that a `for` loop iterates over.
pub fn iterate(cx: &mut Cx, over: &Value) -> OpResult<Value> {
    match over {
        Value::List(_) => Ok(over.clone()),
        Value::Rows(list) => Ok(Value::List(list.clone())),
        Value::Zone(zone) => {
            let pieces = primitives::zone::functions::pieces(cx, *zone)?;
            Ok(Value::List(pieces))
        }
        Value::Text(text) => {
            cx.charge_work(text.len() as u64)?;
            let mut buffer = [0; 4];
            let characters = text.chars();
            let items = characters.map(|c| Value::from_text(c.encode_utf8(&mut buffer)));
            Ok(Value::from_list(items.collect()))
        }
        other => Err(ScriptError::Error(format!(
            "a `for` loop needs a list, a zone or a range, not {}",
            describe(other)
        ))),
    }
}

/// The message for a call of a function that does not exist.
pub fn unknown_function(name: &str, count: usize) -> String {
    let mut counts: Vec<usize> = primitives::all()
        .filter(|def| def.name == name)
        .map(|def| def.parameters.len())
        .collect();
    counts.sort_unstable();
    counts.dedup();
    if counts.is_empty() {
        let near = nearest(name, primitives::all().map(|def| def.name));
        let near = near.map(|near| format!("; did you mean `{near}`?"));
        return format!("unknown function `{name}`{}", near.unwrap_or_default());
    }
    let takes = super::lint::natives::arguments_in_words(&counts);
    format!("`{name}` takes {takes}, not {count}")
}

/// The message for arguments of other types.
pub fn wrong_arguments(name: &str, arguments: &[Value]) -> String {
    let types: Vec<String> = arguments.iter().map(describe).collect();
    format!("wrong arguments of `{name}`: {}", types.join(", "))
}
