//! Running a plain script. What it meets that is not plain (a list where a number was, a word with other arguments) is
//! handed to Rhai, value by value, so that both ways give the same results and the same faults.

use rhai::{Dynamic, EvalAltResult, ImmutableString, Position};

use super::api::{entry_field, read_event, read_fight, set_thing_property, thing_property, write_event};
use super::compile::Scripts;
use super::convert::from_value;
use super::host::{Host, with};
use super::plain::{Op, Plain, call_text};
use super::run::named;
use super::types::{Data, EntryRef, EventRef, FightRef, Thing, Zone};

/// A plain script in the middle of its run.
pub(super) struct Evaluation<'e> {
    scripts: &'e Scripts,
    /// The values of `let`s.
    locals: Vec<Dynamic>,
    /// The pack whose functions are in sight.
    pack: usize,
    /// How many bits were run.
    pub work: u64,
}

impl<'e> Evaluation<'e> {
    /// The beginning of one.
    pub const fn of(scripts: &'e Scripts, pack: usize) -> Evaluation<'e> {
        Evaluation { scripts, locals: Vec::new(), pack, work: 0 }
    }

    /// The value of a bit of a script.
    ///
    /// # Errors
    /// What Rhai would say.
    pub fn run(&mut self, plain: &Plain) -> Host<Dynamic> {
        self.work += 1;
        match plain {
            Plain::Value(value) => Ok(value.clone()),
            Plain::List(list) => {
                let list: Host<rhai::Array> = list.iter().map(|plain| self.run(plain)).collect();
                list.map(Dynamic::from_array)
            }
            Plain::Map(rows) => {
                let one = |(key, plain): &(rhai::Identifier, Plain)| Ok((key.clone(), self.run(plain)?));
                let map: Host<rhai::Map> = rows.iter().map(one).collect();
                map.map(Dynamic::from_map)
            }
            Plain::Local(at) => Ok(self.locals[*at].clone()),
            Plain::Name(ix) => with(|cx| {
                let call = cx.calls.last();
                Ok(call.map_or(Dynamic::UNIT, |call| named(cx, call, *ix)))
            }),
            Plain::Field(of, name, at) => {
                let of = self.run(of)?;
                self.field(of, name, *at)
            }
            Plain::Set { of, named, by, value, at } => {
                // As in Rhai, the value is found before what it is given to.
                let value = self.run(value)?;
                let of = self.run(of)?;
                self.set(of, named, *by, value, *at)
            }
            Plain::Word { word, name, with, at } => {
                let with: Host<rhai::FnArgsVec<Dynamic>> = with.iter().map(|plain| self.run(plain)).collect();
                let with = with?;
                match word(&with) {
                    Some(result) => result.map_err(|error| placed(error, *at)),
                    None => self.by_rhai(&call_text(name, with.len()), with, *at),
                }
            }
            Plain::Call { text, with, at } => {
                let with: Host<rhai::FnArgsVec<Dynamic>> = with.iter().map(|plain| self.run(plain)).collect();
                self.by_rhai(text, with?, *at)
            }
            Plain::Text(list, at) => self.text(list, *at),
            Plain::Return(value) => {
                let value = value.as_ref().map_or(Ok(Dynamic::UNIT), |value| self.run(value))?;
                Err(Box::new(EvalAltResult::Return(value, Position::NONE)))
            }
            Plain::Pair(op, pair, at) => {
                let (left, right) = (self.run(&pair.0)?, self.run(&pair.1)?);
                self.pair(*op, left, right, *at)
            }
            Plain::Not(value, at) => {
                let value = self.run(value)?;
                truth(&value, *at).map(|yes| Dynamic::from_bool(!yes))
            }
            Plain::Minus(value, at) => {
                let value = self.run(value)?;
                match value.as_int().ok().and_then(i64::checked_neg) {
                    Some(n) => Ok(Dynamic::from_int(n)),
                    None => self.by_rhai("-a0", [value], *at),
                }
            }
            Plain::All(and, list, at) => {
                for plain in list {
                    let value = self.run(plain)?;
                    if truth(&value, *at)? != *and {
                        return Ok(Dynamic::from_bool(!and));
                    }
                }
                Ok(Dynamic::from_bool(*and))
            }
            Plain::If(parts, at) => {
                let condition = self.run(&parts.0)?;
                if truth(&condition, *at)? { self.run(&parts.1) } else { self.run(&parts.2) }
            }
            Plain::Block(list) => {
                let outside = self.locals.len();
                let mut last = Dynamic::UNIT;
                for plain in list {
                    last = self.run(plain)?;
                }
                self.locals.truncate(outside);
                Ok(last)
            }
            Plain::Let(value) => {
                let value = self.run(value)?;
                self.locals.push(value);
                Ok(Dynamic::UNIT)
            }
        }
    }

    fn field(&self, of: Dynamic, name: &super::api::Named, at: Position) -> Host<Dynamic> {
        let result = if let Some(thing) = of.read_lock::<Thing>().map(|thing| thing.0) {
            with(|cx| thing_property(cx, thing, name))
        } else if let Some(entry) = of.read_lock::<EntryRef>().map(|entry| entry.0) {
            with(|cx| entry_field(cx, entry, name.name()))
        } else if of.is::<EventRef>() {
            with(|cx| read_event(cx, name.name()))
        } else if of.is::<FightRef>() {
            with(|cx| read_fight(cx, name.name()))
        } else if let Some(zone) = of.read_lock::<Zone>().map(|zone| zone.0) {
            let len = with(|cx| Ok(cx.state.zones.count(zone)));
            match name.name() {
                "len" => len.map(|len| Dynamic::from_int(i64::try_from(len).unwrap_or(0))),
                "is_empty" => len.map(|len| Dynamic::from_bool(len == 0)),
                other => return self.by_rhai(&format!("a0.{other}"), [of], at),
            }
        } else if let Some(data) = of.read_lock::<Data>().filter(|_| name.name() != "len") {
            Ok(data.0.get(name.name()).map_or(Dynamic::UNIT, from_value))
        } else if let Some(value) = of.read_lock::<rhai::Map>().and_then(|map| map.get(name.name()).cloned()) {
            Ok(value)
        } else {
            return self.by_rhai(&format!("a0.{}", name.name()), [of], at);
        };
        result.map_err(|error| placed(error, at))
    }

    fn text(&mut self, list: &[Plain], at: Position) -> Host<Dynamic> {
        let mut text = String::new();
        for plain in list {
            let value = self.run(plain)?;
            if let Some(part) = value.read_lock::<ImmutableString>() {
                text.push_str(&part);
            } else if let Ok(number) = value.as_int() {
                text.push_str(&number.to_string());
            } else {
                let part = self.by_rhai("`${a0}`", [value], at)?;
                text.push_str(&part.into_immutable_string().unwrap_or_default());
            }
        }
        Ok(text.into())
    }

    fn set(
        &self,
        of: Dynamic,
        name: &super::api::Named,
        by: Option<(Op, Position)>,
        value: Dynamic,
        at: Position,
    ) -> Host<Dynamic> {
        let value = match by {
            None => value,
            Some((op, sign)) => {
                let now = self.field(of.clone(), name, at)?;
                self.pair(op, now, value, sign)?
            }
        };
        let result = if let Some(thing) = of.read_lock::<Thing>().map(|thing| thing.0) {
            with(|cx| set_thing_property(cx, thing, name, &value))
        } else if of.is::<EventRef>() {
            with(|cx| write_event(cx, name.name(), &value))
        } else {
            return self.by_rhai(&format!("a0.{} = a1", name.name()), [of, value], at);
        };
        result.map(|()| Dynamic::UNIT).map_err(|error| placed(error, at))
    }

    fn pair(&self, op: Op, left: Dynamic, right: Dynamic, at: Position) -> Host<Dynamic> {
        if let (Ok(a), Ok(b)) = (left.as_int(), right.as_int())
            && let Some(result) = numbers(op, a, b)
        {
            return Ok(result);
        }
        let equal = match op {
            Op::Equal => true,
            Op::Unequal => false,
            _ => return self.by_rhai(&format!("a0 {} a1", op.sign()), [left, right], at),
        };
        match same(&left, &right) {
            Some(same) => Ok(Dynamic::from_bool(same == equal)),
            None => self.by_rhai(&format!("a0 {} a1", op.sign()), [left, right], at),
        }
    }

    /// Lets Rhai do one thing with some values, which are `a0`, `a1` and so on.
    fn by_rhai(&self, text: &str, values: impl IntoIterator<Item = Dynamic>, at: Position) -> Host<Dynamic> {
        self.scripts.aside(text, values, self.pack).map_err(|error| placed(error, at))
    }
}

/// An error where it arose.
fn placed(mut error: Box<EvalAltResult>, at: Position) -> Box<EvalAltResult> {
    error.set_position(at);
    error
}

fn truth(value: &Dynamic, at: Position) -> Host<bool> {
    let wanted = || EvalAltResult::ErrorMismatchDataType("bool".into(), value.type_name().into(), at);
    value.as_bool().map_err(|_| Box::new(wanted()))
}

/// What two numbers give; nothing where Rhai would complain.
fn numbers(op: Op, a: i64, b: i64) -> Option<Dynamic> {
    Some(match op {
        Op::Plus => Dynamic::from_int(a.checked_add(b)?),
        Op::Minus => Dynamic::from_int(a.checked_sub(b)?),
        Op::Times => Dynamic::from_int(a.checked_mul(b)?),
        Op::Equal => Dynamic::from_bool(a == b),
        Op::Unequal => Dynamic::from_bool(a != b),
        Op::Less => Dynamic::from_bool(a < b),
        Op::AtMost => Dynamic::from_bool(a <= b),
        Op::More => Dynamic::from_bool(a > b),
        Op::AtLeast => Dynamic::from_bool(a >= b),
    })
}

/// Whether two values are the same; nothing where that is for Rhai to say.
fn same(left: &Dynamic, right: &Dynamic) -> Option<bool> {
    if let (Some(a), Some(b)) = (left.read_lock::<Thing>(), right.read_lock::<Thing>()) {
        return Some(*a == *b);
    }
    if left.is_unit() || right.is_unit() {
        return Some(left.is_unit() == right.is_unit());
    }
    if let (Some(a), Some(b)) = (left.read_lock::<ImmutableString>(), right.read_lock::<ImmutableString>()) {
        return Some(*a == *b);
    }
    None
}
