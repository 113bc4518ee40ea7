//! Gives native functions access to the game context while a script runs.

use std::cell::{Cell, RefCell};

use rhai::{Dynamic, EvalAltResult, Position};

use crate::game::{Cx, FaultLocation, StepContext, StepResult, Stop};

thread_local! {
    static LENT: Cell<Option<Box<StepContext>>> = const { Cell::new(None) };
    static STOPPED: RefCell<Option<Stop>> = const { RefCell::new(None) };
}

/// The result of a native function.
pub type HostResult<T> = Result<T, Box<EvalAltResult>>;

/// Lends the context to the script that `run` evaluates.
pub fn lend<T>(cx: &mut Cx, run: impl FnOnce() -> T) -> T {
    let before = LENT.replace(cx.lend());
    let result = run();
    cx.give_back(LENT.replace(before));
    result
}

/// Calls `work` with the context that was lent to the script.
///
/// # Errors
/// Ends the script if `work` returns [`Stop`]. A script cannot catch this with `try`.
pub fn with<T>(work: impl FnOnce(&mut Cx) -> StepResult<T>) -> HostResult<T> {
    let Some(context) = LENT.take() else {
        return Err("this function works only in a game".into());
    };
    let mut cx = Cx::borrowing(Some(context));
    let result = work(&mut cx);
    LENT.set(cx.lend());
    result.map_err(stop)
}

/// The operations that the step has used so far, while a script runs.
pub fn work() -> u64 {
    with(|cx| Ok(cx.work)).unwrap_or(0)
}

/// Charges operations to the step while a script runs.
pub fn spend(work: u64) {
    let _ = with(|cx| {
        cx.work += work;
        Ok(())
    });
}

/// The error that ends a script at once, for `deny` and `hide`.
pub fn leave() -> Box<EvalAltResult> {
    Box::new(EvalAltResult::ErrorTerminated(
        Dynamic::UNIT,
        Position::NONE,
    ))
}

fn stop(stop: Stop) -> Box<EvalAltResult> {
    STOPPED.replace(Some(stop));
    leave()
}

/// Takes the [`Stop`] that ended the last script, if any.
pub fn stopped() -> Option<Stop> {
    STOPPED.take()
}

/// Adds a location in a function file to the pending fault, unless it has one.
pub fn note_place(source: &str, position: rhai::Position) {
    let mut stop = STOPPED.take();
    if let (Some(Stop::Fault(fault)), Some(line)) = (&mut stop, position.line())
        && fault.at.is_none()
    {
        let column = position.position().unwrap_or(1);
        fault.at = Some(FaultLocation {
            source: Some(source.to_owned()),
            line,
            column,
        });
    }
    STOPPED.set(stop);
}
