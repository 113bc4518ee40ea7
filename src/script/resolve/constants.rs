//! Constants and operators of Rhai.

use rhai::{Dynamic, Token};

use crate::script::syntax::BinaryOp;
use crate::value::Value;

/// A constant of Rhai as a value.
pub(super) fn literal(value: &Dynamic) -> Value {
    if let Ok(number) = value.as_int() {
        return Value::Int(number);
    }
    if let Ok(yes) = value.as_bool() {
        return Value::Bool(yes);
    }
    if let Some(text) = value.read_lock::<rhai::ImmutableString>() {
        return Value::from_text(&text);
    }
    if let Some(list) = value.read_lock::<rhai::Array>() {
        return Value::from_list(list.iter().map(literal).collect());
    }
    if let Some(map) = value.read_lock::<rhai::Map>() {
        return Value::Map(
            map.iter()
                .map(|(key, value)| (key.as_str().into(), literal(value)))
                .collect(),
        );
    }
    Value::Unit
}

pub(super) fn binary(token: &Token) -> Option<BinaryOp> {
    Some(match token {
        Token::Plus => BinaryOp::Add,
        Token::Minus => BinaryOp::Subtract,
        Token::Multiply => BinaryOp::Multiply,
        Token::Divide => BinaryOp::Divide,
        Token::Modulo => BinaryOp::Remainder,
        Token::PowerOf => BinaryOp::Power,
        Token::EqualsTo => BinaryOp::Equal,
        Token::NotEqualsTo => BinaryOp::NotEqual,
        Token::LessThan => BinaryOp::Less,
        Token::LessThanEqualsTo => BinaryOp::LessOrEqual,
        Token::GreaterThan => BinaryOp::Greater,
        Token::GreaterThanEqualsTo => BinaryOp::GreaterOrEqual,
        Token::Ampersand => BinaryOp::BitAnd,
        Token::Pipe => BinaryOp::BitOr,
        Token::XOr => BinaryOp::BitXor,
        Token::LeftShift => BinaryOp::ShiftLeft,
        Token::RightShift => BinaryOp::ShiftRight,
        _ => return None,
    })
}
