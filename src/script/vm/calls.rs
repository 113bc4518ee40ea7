//! Calls of primitives.

use super::{OpResult, ScriptError};
use crate::game::{Cx, Stop};
use crate::script::arithmetic;
use crate::script::primitive::{PrimitiveDef, SideEffects};
use crate::script::primitives::Overloads;
use crate::value::Value;

/// Calls a primitive that asks a question, in the last hook of a step. If there is no answer yet,
/// everything is put back, so that the call can be made again with the answer.
pub(super) fn ask(
    cx: &mut Cx,
    overloads: &'static Overloads,
    arguments: &mut [Value],
    suspended: &mut bool,
) -> OpResult<Value> {
    let saved = arguments.to_vec();
    let questions = cx.calls.last().map_or(0, |call| call.question_count);
    let (answers, work, fired, runs) = (cx.next_answer, cx.work, cx.fired, cx.runs);
    let result = call(cx, overloads, arguments);
    if matches!(result, Err(ScriptError::Stop(Stop::Suspend))) && cx.next_answer == answers {
        for (register, value) in arguments.iter_mut().zip(saved) {
            *register = value;
        }
        (cx.work, cx.fired, cx.runs) = (work - 1, fired, runs);
        if let Some(call) = cx.calls.last_mut() {
            call.question_count = questions;
        }
        *suspended = true;
    }
    result
}

/// Calls a primitive that may change `target`, which takes the place of the first argument.
pub(super) fn change(
    cx: &mut Cx,
    overloads: &'static Overloads,
    arguments: &mut [Value],
    target: &mut Value,
) -> OpResult<Value> {
    std::mem::swap(&mut arguments[0], target);
    let changes = overloads
        .select(arguments)
        .is_none_or(|def| def.changes_receiver);
    let saved = (!changes).then(|| arguments[0].clone());
    let result = call(cx, overloads, arguments);
    std::mem::swap(&mut arguments[0], target);
    if let Some(saved) = saved {
        *target = saved;
    }
    result
}

pub(super) fn call(
    cx: &mut Cx,
    overloads: &'static Overloads,
    arguments: &mut [Value],
) -> OpResult<Value> {
    let Some(def) = overloads.select(arguments) else {
        return Err(ScriptError::Error(arithmetic::wrong_arguments(
            overloads.name,
            arguments,
        )));
    };
    (def.run)(cx, arguments).map_err(|stop| failure(def, stop))
}

/// Errors of language functions can be caught; those of engine functions stop the script.
fn failure(def: &PrimitiveDef, stop: Stop) -> ScriptError {
    match stop {
        Stop::Fault(fault) if def.does.any(SideEffects::LANGUAGE) && fault.at.is_none() => {
            ScriptError::Error(fault.message)
        }
        stop => ScriptError::Stop(stop),
    }
}
