//! Running a plain script. What it meets that is not plain (a list where a number was, a word with other arguments) is
//! handed to Rhai, value by value, so that both ways give the same results and the same faults.

use rhai::{Dynamic, EvalAltResult, ImmutableString, Position};

use super::api::{
    entry_field, read_event, read_fight, set_thing_property, thing_property, thing_text,
    write_event, zone_pieces,
};
use super::compile::Scripts;
use super::convert::from_value;
use super::direct;
use super::engine::{MAX_LEVELS, MAX_LIST, MAX_MAP, MAX_TEXT};
use super::host::{self, HostResult, with};
use super::lower::call_text;
use super::lowered::Lowered;
use super::plain::{Op, Over, Plain, Saying, Set};
use super::run::named;
use super::types::{EntityRef, EntryRef, EventRef, FightRef, TableRef, ZoneRef};
use super::visible::HookName;
use crate::game::context::MAX_WORK;

/// A plain script in the middle of its run.
pub(super) struct Evaluation<'e> {
    scripts: &'e Scripts,
    /// The values of parameters and `let`s, those of the innermost function from `frame` on.
    locals: Vec<Dynamic>,
    frame: usize,
    /// How many functions are inside each other.
    level: usize,
    /// The pack whose functions are in sight.
    pack: usize,
    /// How many bits were run.
    pub work: u64,
}

/// What a word is said of.
type Values = rhai::FnArgsVec<Dynamic>;

impl<'e> Evaluation<'e> {
    /// The beginning of one.
    pub const fn of(scripts: &'e Scripts, pack: usize) -> Evaluation<'e> {
        Evaluation {
            scripts,
            locals: Vec::new(),
            frame: 0,
            level: 0,
            pack,
            work: 0,
        }
    }

    /// The value of a bit of a script.
    ///
    /// # Errors
    /// What Rhai would say.
    pub fn run(&mut self, plain: &Plain) -> HostResult<Dynamic> {
        self.work += 1;
        match plain {
            Plain::Value(value) => Ok(value.clone()),
            Plain::Local(at) => Ok(self.locals[self.frame + at].clone()),
            Plain::Name(ix) => with(|cx| {
                let call = cx.calls.last();
                Ok(call.map_or(Dynamic::UNIT, |call| named(cx, call, HookName::ALL[*ix])))
            }),
            Plain::Field(of, name, at) => match &**of {
                Plain::Local(local) => self.field(&self.locals[self.frame + local], name, *at),
                of => {
                    let of = self.run(of)?;
                    self.field(&of, name, *at)
                }
            },
            Plain::Index(pair, at) => {
                let index = self.run(&pair.1)?;
                match &pair.0 {
                    Plain::Local(local) => self.index(&self.locals[self.frame + local], index, *at),
                    of => {
                        let of = self.run(of)?;
                        self.index(&of, index, *at)
                    }
                }
            }
            Plain::Assign { local, by, value } => {
                let value = self.run(value)?;
                self.assign(self.frame + local, *by, value)
            }
            Plain::Set(set) => {
                // As in Rhai, the value is found before what it is given to.
                let value = self.run(&set.value)?;
                self.set(set, value)
            }
            Plain::Word(saying) => self.say(saying),
            Plain::Call { slot, with, at } => {
                let values = self.values(with)?;
                self.call(*slot, values, *at)
            }
            Plain::Pair(op, pair, at) => {
                let (left, right) = (self.run(&pair.0)?, self.run(&pair.1)?);
                self.pair(*op, left, right, *at)
            }
            Plain::Let(value) => {
                let value = self.run(value)?;
                self.locals.push(value);
                Ok(Dynamic::UNIT)
            }
            other => self.flow(other),
        }
    }

    /// What decides which bits are run, and how often.
    fn flow(&mut self, plain: &Plain) -> HostResult<Dynamic> {
        match plain {
            Plain::All(and, list, at) => {
                for plain in list {
                    let value = self.run(plain)?;
                    if truth(&value, *at)? != *and {
                        return Ok(Dynamic::from_bool(!and));
                    }
                }
                Ok(Dynamic::from_bool(*and))
            }
            Plain::Counted(spot, plain) => {
                self.scripts.mark_run(&[*spot]);
                self.run(plain)
            }
            Plain::Else(pair) => {
                let value = self.run(&pair.0)?;
                if value.is_unit() {
                    self.run(&pair.1)
                } else {
                    Ok(value)
                }
            }
            Plain::If(parts, at) => {
                let condition = self.run(&parts.0)?;
                if truth(&condition, *at)? {
                    self.run(&parts.1)
                } else {
                    self.run(&parts.2)
                }
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
            Plain::For {
                over,
                counted,
                body,
                at,
            } => self.repeat(over, *counted, body, *at),
            Plain::While {
                condition,
                body,
                at,
            } => loop {
                self.afford(*at)?;
                if let Some(condition) = condition {
                    let condition = self.run(condition)?;
                    if !truth(&condition, *at)? {
                        return Ok(Dynamic::UNIT);
                    }
                }
                if let Some(value) = self.round(body)? {
                    return Ok(value);
                }
            },
            Plain::Leave(ends, value) => {
                let value = value
                    .as_ref()
                    .map_or(Ok(Dynamic::UNIT), |value| self.run(value))?;
                Err(Box::new(EvalAltResult::LoopBreak(
                    *ends,
                    value,
                    Position::NONE,
                )))
            }
            Plain::Return(value) => {
                let value = value
                    .as_ref()
                    .map_or(Ok(Dynamic::UNIT), |value| self.run(value))?;
                Err(Box::new(EvalAltResult::Return(value, Position::NONE)))
            }
            Plain::Switch(parts) => {
                let on = self.run(&parts.on)?;
                let fits = |(value, _): &&(Dynamic, usize)| is_case(&on, value);
                let body = parts
                    .cases
                    .iter()
                    .find(fits)
                    .map_or(parts.bodies.len() - 1, |(_, body)| *body);
                self.run(&parts.bodies[body])
            }
            other => self.made(other),
        }
    }

    /// What is made of values.
    fn made(&mut self, plain: &Plain) -> HostResult<Dynamic> {
        match plain {
            Plain::List(list, at) => {
                let list: HostResult<rhai::Array> =
                    list.iter().map(|plain| self.run(plain)).collect();
                bounded(Dynamic::from_array(list?), *at)
            }
            Plain::Map(rows, at) => {
                let one =
                    |(key, plain): &(rhai::Identifier, Plain)| Ok((key.clone(), self.run(plain)?));
                let map: HostResult<rhai::Map> = rows.iter().map(one).collect();
                bounded(Dynamic::from_map(map?), *at)
            }
            Plain::Text(list, at) => self.text(list, *at),
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
            // All others are at home above.
            _ => Ok(Dynamic::UNIT),
        }
    }

    fn values(&mut self, list: &[Plain]) -> HostResult<Values> {
        list.iter().map(|plain| self.run(plain)).collect()
    }

    /// A function of a pack, plain or by Rhai.
    fn call(&mut self, slot: usize, values: Values, at: Position) -> HostResult<Dynamic> {
        let function: &'e Lowered = &self.scripts.functions()[self.pack][slot];
        let Some(body) = &function.body else {
            self.scripts.mark_run(&function.spots);
            return self.by_rhai(&call_text(&function.name, values.len()), values, at);
        };
        self.afford(at)?;
        if self.level == MAX_LEVELS {
            return Err(Box::new(EvalAltResult::ErrorStackOverflow(at)));
        }
        let (frame, pack) = (self.frame, self.pack);
        self.frame = self.locals.len();
        self.pack = function.pack;
        self.level += 1;
        self.locals.extend(values);
        let result = self.run(body);
        self.locals.truncate(self.frame);
        (self.frame, self.pack) = (frame, pack);
        self.level -= 1;
        result.or_else(|mut error| match *error {
            EvalAltResult::Return(value, _) => Ok(value),
            _ if error.is_system_exception() => {
                host::note_place(&function.source, error.position());
                error.set_position(at);
                Err(error)
            }
            _ => {
                let (name, source) = (function.name.to_string(), function.source.to_string());
                Err(Box::new(EvalAltResult::ErrorInFunctionCall(
                    name, source, error, at,
                )))
            }
        })
    }

    fn repeat(
        &mut self,
        over: &Over,
        counted: bool,
        body: &Plain,
        at: Position,
    ) -> HostResult<Dynamic> {
        let outside = self.locals.len();
        let result = match over {
            Over::Numbers(from, to, whole) => {
                let (from, to) = (self.run(from)?, self.run(to)?);
                match (from.as_int(), to.as_int()) {
                    (Ok(from), Ok(to)) => {
                        let to = if *whole { to.saturating_add(1) } else { to };
                        self.rounds((from..to).map(Dynamic::from_int), counted, body, at)
                    }
                    _ => {
                        return self.by_rhai(
                            if *whole { "a0..=a1" } else { "a0..a1" },
                            [from, to],
                            at,
                        );
                    }
                }
            }
            Over::Values(over) => {
                let over = self.run(over)?;
                let list = if over.is_array() {
                    over.into_array().unwrap_or_default()
                } else if let Some(zone) = over.read_lock::<ZoneRef>().map(|zone| *zone) {
                    zone_pieces(zone).map_err(|error| placed(error, at))?
                } else if let Some(data) = over
                    .read_lock::<TableRef>()
                    .filter(|data| !data.0.list().is_empty())
                {
                    data.0.list().iter().map(from_value).collect()
                } else {
                    let text = "let list = []; for one in a0 { list.push(one); } list";
                    self.by_rhai(text, [over], at)?
                        .into_array()
                        .unwrap_or_default()
                };
                self.rounds(list.into_iter(), counted, body, at)
            }
        };
        self.locals.truncate(outside);
        result
    }

    fn rounds(
        &mut self,
        values: impl Iterator<Item = Dynamic>,
        counted: bool,
        body: &Plain,
        at: Position,
    ) -> HostResult<Dynamic> {
        let outside = self.locals.len();
        for (ix, value) in values.enumerate() {
            self.afford(at)?;
            self.locals.truncate(outside);
            if counted {
                self.locals
                    .push(Dynamic::from_int(i64::try_from(ix).unwrap_or(i64::MAX)));
            }
            self.locals.push(value);
            if let Some(value) = self.round(body)? {
                return Ok(value);
            }
        }
        Ok(Dynamic::UNIT)
    }

    /// Once through a loop; gives a value if that ends it.
    fn round(&mut self, body: &Plain) -> HostResult<Option<Dynamic>> {
        let outside = self.locals.len();
        let result = self.run(body);
        self.locals.truncate(outside);
        match result {
            Ok(_) => Ok(None),
            Err(error) => match *error {
                EvalAltResult::LoopBreak(true, value, _) => Ok(Some(value)),
                EvalAltResult::LoopBreak(false, ..) => Ok(None),
                _ => Err(error),
            },
        }
    }

    /// Whether there may be more work.
    fn afford(&self, at: Position) -> HostResult<()> {
        if host::work() + self.work > MAX_WORK {
            return Err(Box::new(EvalAltResult::ErrorTooManyOperations(at)));
        }
        Ok(())
    }

    fn say(&mut self, saying: &Saying) -> HostResult<Dynamic> {
        let mut values = self.values(&saying.with)?;
        if let Some(local) = saying.local {
            // It lies in the hand of the word, which may change it, and comes back.
            values.insert(0, std::mem::take(&mut self.locals[self.frame + local]));
        }
        let result = match saying.direct.and_then(|word| word(&mut values)) {
            Some(result) => result,
            None => self.scripts.call_native(&saying.site, &mut values),
        };
        if let Some(local) = saying.local {
            self.locals[self.frame + local] = std::mem::take(&mut values[0]);
        }
        result.map_err(|error| placed(error, saying.at))
    }

    fn field(&self, of: &Dynamic, name: &super::api::Named, at: Position) -> HostResult<Dynamic> {
        let result = if let Some(thing) = of.read_lock::<EntityRef>().map(|thing| thing.0) {
            with(|cx| thing_property(cx, thing, name))
        } else if let Some(entry) = of.read_lock::<EntryRef>().map(|entry| entry.0) {
            with(|cx| entry_field(cx, entry, name.name()))
        } else if of.is::<EventRef>() {
            with(|cx| read_event(cx, name.name()))
        } else if of.is::<FightRef>() {
            with(|cx| read_fight(cx, name.name()))
        } else if let Some(data) = of.read_lock::<TableRef>() {
            Ok(data.0.get(name.name()).map_or(Dynamic::UNIT, from_value))
        } else if let Some(value) = of
            .read_lock::<rhai::Map>()
            .and_then(|map| map.get(name.name()).cloned())
        {
            Ok(value)
        } else {
            return self.by_rhai(&format!("a0.{}", name.name()), [of.clone()], at);
        };
        result.map_err(|error| placed(error, at))
    }

    fn index(&self, of: &Dynamic, index: Dynamic, at: Position) -> HostResult<Dynamic> {
        if let Some(list) = of.read_lock::<rhai::Array>()
            && let Some(value) = index
                .as_int()
                .ok()
                .and_then(|ix| usize::try_from(ix).ok())
                .and_then(|ix| list.get(ix))
        {
            return Ok(value.clone());
        }
        if let Some(map) = of.read_lock::<rhai::Map>()
            && let Some(key) = index.read_lock::<ImmutableString>()
            && let Some(value) = map.get(key.as_str())
        {
            return Ok(value.clone());
        }
        if let Some(data) = of.read_lock::<TableRef>() {
            if let Some(row) = index
                .as_int()
                .ok()
                .and_then(|ix| usize::try_from(ix).ok())
                .and_then(|ix| data.0.list().get(ix))
            {
                return Ok(from_value(row));
            }
            if let Some(name) = index.read_lock::<ImmutableString>() {
                return Ok(data.0.get(&name).map_or(Dynamic::UNIT, from_value));
            }
        }
        self.by_rhai("a0[a1]", [of.clone(), index], at)
    }

    fn assign(
        &mut self,
        local: usize,
        by: Option<(Op, Position)>,
        value: Dynamic,
    ) -> HostResult<Dynamic> {
        let Some((op, at)) = by else {
            self.locals[local] = value;
            return Ok(Dynamic::UNIT);
        };
        if let (Ok(a), Ok(b)) = (self.locals[local].as_int(), value.as_int())
            && let Some(result) = numbers(op, a, b)
        {
            self.locals[local] = result;
            return Ok(Dynamic::UNIT);
        }
        if op == Op::Plus
            && let Some(more) = value.read_lock::<ImmutableString>()
            && let Some(mut text) = self.locals[local].write_lock::<ImmutableString>()
            && text.len() + more.len() <= MAX_TEXT
        {
            *text += more.as_str();
            return Ok(Dynamic::UNIT);
        }
        self.change(local, &format!("a0 {}= a1", op.sign()), value, at)
    }

    /// Lets Rhai change what lies in a local.
    fn change(
        &mut self,
        local: usize,
        text: &str,
        value: Dynamic,
        at: Position,
    ) -> HostResult<Dynamic> {
        let mut values = [std::mem::take(&mut self.locals[local]), value];
        let result = self.scripts.eval_snippet(text, &mut values, self.pack);
        let [back, _] = values;
        self.locals[local] = back;
        result.map_err(|error| placed(error, at))
    }

    fn text(&mut self, list: &[Plain], at: Position) -> HostResult<Dynamic> {
        let mut text = String::new();
        for plain in list {
            let value = self.run(plain)?;
            if let Some(part) = value.read_lock::<ImmutableString>() {
                text.push_str(&part);
            } else if let Ok(number) = value.as_int() {
                text.push_str(&number.to_string());
            } else if let Some(mut thing) = value.read_lock::<EntityRef>().map(|thing| *thing) {
                text.push_str(&thing_text(&mut thing).map_err(|error| placed(error, at))?);
            } else {
                let part = self.by_rhai("`${a0}`", [value], at)?;
                text.push_str(&part.into_immutable_string().unwrap_or_default());
            }
        }
        if text.len() > MAX_TEXT {
            return Err(too_large("Length of string", at));
        }
        Ok(text.into())
    }

    fn set(&mut self, set: &Set, value: Dynamic) -> HostResult<Dynamic> {
        let of = match &set.of {
            Plain::Local(local) if self.locals[self.frame + local].is_map() => None,
            of => Some(self.run(of)?),
        };
        // A map in a local is changed where it lies; what else has fields lies in the game.
        let inside = of.as_ref().is_none_or(|of| of.is_map() || of.is_array());
        if let Some((local, text)) = set.deep.as_ref().filter(|_| inside) {
            return self.change(self.frame + local, text, value, set.at);
        }
        let of = of.unwrap_or_default();
        let value = match set.by {
            None => value,
            Some((op, sign)) => {
                let now = self.field(&of, &set.named, set.at)?;
                self.pair(op, now, value, sign)?
            }
        };
        let result = if let Some(thing) = of.read_lock::<EntityRef>().map(|thing| thing.0) {
            with(|cx| set_thing_property(cx, thing, &set.named, &value))
        } else if of.is::<EventRef>() {
            with(|cx| write_event(cx, set.named.name(), &value))
        } else {
            return self.by_rhai(
                &format!("a0.{} = a1", set.named.name()),
                [of, value],
                set.at,
            );
        };
        result
            .map(|()| Dynamic::UNIT)
            .map_err(|error| placed(error, set.at))
    }

    fn pair(&self, op: Op, left: Dynamic, right: Dynamic, at: Position) -> HostResult<Dynamic> {
        if let (Ok(a), Ok(b)) = (left.as_int(), right.as_int())
            && let Some(result) = numbers(op, a, b)
        {
            return Ok(result);
        }
        if op == Op::Plus
            && let (Some(a), Some(b)) = (
                left.read_lock::<ImmutableString>(),
                right.read_lock::<ImmutableString>(),
            )
            && a.len() + b.len() <= MAX_TEXT
        {
            return Ok(format!("{}{}", &*a, &*b).into());
        }
        let equal = match op {
            Op::Equal => true,
            Op::Unequal => false,
            _ => return self.by_rhai(&format!("a0 {} a1", op.sign()), [left, right], at),
        };
        match same(&left, &right)
            .map(Ok)
            .or_else(|| direct::has_id(&left, &right))
        {
            Some(Ok(same)) => Ok(Dynamic::from_bool(same == equal)),
            Some(Err(error)) => Err(placed(error, at)),
            None => self.by_rhai(&format!("a0 {} a1", op.sign()), [left, right], at),
        }
    }

    /// Lets Rhai do one thing with some values, which are `a0`, `a1` and so on.
    fn by_rhai(
        &self,
        text: &str,
        values: impl IntoIterator<Item = Dynamic>,
        at: Position,
    ) -> HostResult<Dynamic> {
        let mut values: Values = values.into_iter().collect();
        self.scripts
            .eval_snippet(text, &mut values, self.pack)
            .map_err(|error| placed(error, at))
    }
}

fn too_large(what: &str, at: Position) -> Box<EvalAltResult> {
    Box::new(EvalAltResult::ErrorDataTooLarge(what.to_owned(), at))
}

/// A list or a map, unless too much lies in it and in what lies in it.
fn bounded(value: Dynamic, at: Position) -> HostResult<Dynamic> {
    let (mut lists, mut maps) = (0, 0);
    measure(&value, &mut lists, &mut maps);
    if lists > MAX_LIST {
        return Err(too_large("Size of array/BLOB", at));
    }
    if maps > MAX_MAP {
        return Err(too_large("Size of object map", at));
    }
    Ok(value)
}

fn measure(value: &Dynamic, lists: &mut usize, maps: &mut usize) {
    if let Some(list) = value.read_lock::<rhai::Array>() {
        *lists += list.len();
        list.iter().for_each(|value| measure(value, lists, maps));
    } else if let Some(map) = value.read_lock::<rhai::Map>() {
        *maps += map.len();
        map.values().for_each(|value| measure(value, lists, maps));
    }
}

/// An error where it arose.
fn placed(mut error: Box<EvalAltResult>, at: Position) -> Box<EvalAltResult> {
    error.set_position(at);
    error
}

fn truth(value: &Dynamic, at: Position) -> HostResult<bool> {
    let wanted =
        || EvalAltResult::ErrorMismatchDataType("bool".into(), value.type_name().into(), at);
    value.as_bool().map_err(|_| Box::new(wanted()))
}

/// What two numbers give; nothing where Rhai would complain.
fn numbers(op: Op, a: i64, b: i64) -> Option<Dynamic> {
    Some(match op {
        Op::Plus => Dynamic::from_int(a.checked_add(b)?),
        Op::Minus => Dynamic::from_int(a.checked_sub(b)?),
        Op::Times => Dynamic::from_int(a.checked_mul(b)?),
        Op::Divide => Dynamic::from_int(a.checked_div(b)?),
        Op::Rest => Dynamic::from_int(a.checked_rem(b)?),
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
    if let (Some(a), Some(b)) = (
        left.read_lock::<EntityRef>(),
        right.read_lock::<EntityRef>(),
    ) {
        return Some(*a == *b);
    }
    if left.is_unit() || right.is_unit() {
        return Some(left.is_unit() == right.is_unit());
    }
    if let (Some(a), Some(b)) = (left.read_lock::<EntryRef>(), right.read_lock::<EntryRef>()) {
        return Some(*a == *b);
    }
    if let (Some(a), Some(b)) = (left.read_lock::<ZoneRef>(), right.read_lock::<ZoneRef>()) {
        return Some(*a == *b);
    }
    if let (Ok(a), Ok(b)) = (left.as_bool(), right.as_bool()) {
        return Some(a == b);
    }
    if let (Some(a), Some(b)) = (
        left.read_lock::<ImmutableString>(),
        right.read_lock::<ImmutableString>(),
    ) {
        return Some(*a == *b);
    }
    None
}

/// Whether a value is the one of a case.
fn is_case(value: &Dynamic, case: &Dynamic) -> bool {
    match (value.as_int(), case.as_int()) {
        (Ok(a), Ok(b)) => a == b,
        _ => same(value, case).unwrap_or(false),
    }
}
