//! Reading and changing places inside values: `map.list[2].key += 1`.

use super::calls::change;
use super::{OpResult, ScriptError};
use crate::game::Cx;
use crate::script::bytecode::{Path, PathAction, PathStep, PathStepKind};
use crate::script::primitives::object::Named;
use crate::script::{arithmetic, operators, primitives, property};
use crate::value::{Text, Value};

/// A walk along a path inside a value.
pub(super) struct PathWalk<'a> {
    pub path: &'a Path,
    pub names: &'a [Named],
    pub registers: &'a mut [Value],
    /// The register of the value to set, or of the arguments.
    pub value: usize,
}

impl PathWalk<'_> {
    /// Follows a path inside a value and performs the action at its end.
    pub fn descend(&mut self, cx: &mut Cx, target: &mut Value, step: usize) -> OpResult<Value> {
        let Some(PathStep { kind, optional }) = self.path.steps.get(step) else {
            return self.act(cx, target);
        };
        if *optional && *target == Value::Unit {
            return Ok(Value::Unit);
        }
        let named;
        let name = match kind {
            PathStepKind::Property(name) => &self.names[usize::from(*name)],
            PathStepKind::Index(at) => {
                let at = self.registers[usize::from(*at)].clone();
                match (target, at) {
                    (Value::List(list), Value::Int(at)) => {
                        let Some(position) = property::position(list, at) else {
                            return Err(property::out_of_range(list, at));
                        };
                        cx.charge_work(operators::change_cost(list.len()))?;
                        let mut child = list.take(position);
                        let result = self.descend(cx, &mut child, step + 1);
                        list.put(position, child);
                        operators::check_list(cx, list.weight().into(), list.depth())?;
                        return result;
                    }
                    (Value::Int(number), Value::Int(at)) => {
                        let mut child = property::bit(*number, at)?;
                        let result = self.descend(cx, &mut child, step + 1)?;
                        *number = property::with_bit(*number, at, &child)?;
                        return Ok(result);
                    }
                    (target, Value::Text(name)) => {
                        cx.charge_work(operators::text_cost(name.len()))?;
                        named = Named::new(cx, &name);
                        return self.descend_to(cx, target, &named, step);
                    }
                    (target, at) => {
                        let mut child = property::index(cx, target, &at)?;
                        if self.path.steps.len() == step + 1
                            && !matches!(self.path.action, PathAction::Call(_))
                        {
                            return Err(property::not_indexed(target, &at));
                        }
                        return self.descend(cx, &mut child, step + 1);
                    }
                }
            }
        };
        self.descend_to(cx, target, name, step)
    }

    /// Goes along a path to a property.
    fn descend_to(
        &mut self,
        cx: &mut Cx,
        target: &mut Value,
        named: &Named,
        step: usize,
    ) -> OpResult<Value> {
        let is_last = self.path.steps.len() == step + 1;
        if let Value::Map(map) = target {
            cx.charge_work(operators::change_cost(map.len()))?;
            let mut is_missing = false;
            let mut child = match (map.take(named.name()), self.path.action) {
                (Some(child), _) => child,
                (None, PathAction::Set) if is_last => Value::Unit,
                // As in Rhai, a missing value is `()`, and `()` can be added to a string.
                (None, PathAction::Assign(_)) if is_last => {
                    is_missing = true;
                    Value::Unit
                }
                (None, _) => property::get(cx, target, named)?,
            };
            let mut result = self.descend(cx, &mut child, step + 1);
            if is_missing && matches!(result, Err(ScriptError::Error(_))) {
                result = Err(property::missing_key(named.name()));
            }
            if let Value::Map(map) = target {
                map.insert(Text::from(named.name()), child);
                operators::check_map(cx, map.len(), map.weight().into(), map.depth())?;
            }
            return result;
        }
        if is_last && let PathAction::Set = self.path.action {
            let value = std::mem::take(&mut self.registers[self.value]);
            property::set(cx, target, named, &value)?;
            return Ok(Value::Unit);
        }
        let mut child = property::get(cx, target, named)?;
        let result = self.descend(cx, &mut child, step + 1)?;
        let assigned = is_last && matches!(self.path.action, PathAction::Assign(_));
        // A list or a map that a property gives is a copy, which is written back.
        if assigned || matches!(child, Value::List(_) | Value::Map(_)) {
            property::set(cx, target, named, &child)?;
        }
        Ok(result)
    }

    /// Performs the action at the end of a path.
    fn act(&mut self, cx: &mut Cx, target: &mut Value) -> OpResult<Value> {
        match self.path.action {
            PathAction::Set => {
                *target = std::mem::take(&mut self.registers[self.value]);
                Ok(Value::Unit)
            }
            PathAction::Assign(op) => {
                arithmetic::assign(cx, op, target, &self.registers[self.value])?;
                Ok(Value::Unit)
            }
            PathAction::Call(overloads) => {
                let overloads = primitives::numbered(overloads);
                let arguments = &mut self.registers[self.value..self.value + overloads.count];
                change(cx, overloads, arguments, target)
            }
        }
    }
}
