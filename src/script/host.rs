//! The door between scripts and the game: the context is lent to a script and taken back.

use std::cell::{Cell, RefCell};

use rhai::{Dynamic, EvalAltResult, Position};

use crate::game::{Core, Cx, FaultAt, Res, Stop};

thread_local! {
    static LENT: Cell<Option<Box<Core>>> = const { Cell::new(None) };
    static STOPPED: RefCell<Option<Stop>> = const { RefCell::new(None) };
}

/// What primitives give to scripts.
pub type Host<T> = Result<T, Box<EvalAltResult>>;

/// Lends the context to the script that runs inside.
pub fn lend<T>(cx: &mut Cx, run: impl FnOnce() -> T) -> T {
    let before = LENT.replace(cx.lend());
    let result = run();
    cx.give_back(LENT.replace(before));
    result
}

/// Works with the context a script was lent.
///
/// # Errors
/// Ends the script when the game says stop; `try` does not catch that.
pub fn with<T>(work: impl FnOnce(&mut Cx) -> Res<T>) -> Host<T> {
    let Some(core) = LENT.take() else {
        return Err("this works only in a game".into());
    };
    let mut cx = Cx::around(Some(core));
    let result = work(&mut cx);
    LENT.set(cx.lend());
    result.map_err(stop)
}

/// How much work the step has done, for a script in the middle of its run.
pub fn work() -> u64 {
    with(|cx| Ok(cx.work)).unwrap_or(0)
}

/// Counts work of a script in the middle of its run.
pub fn spend(work: u64) {
    let _ = with(|cx| {
        cx.work += work;
        Ok(())
    });
}

/// Ends the script at once, as `deny` and `hide` do.
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

/// Why the last script was ended, if the game ended it.
pub fn stopped() -> Option<Stop> {
    STOPPED.take()
}

/// Notes where in a file of functions the fault arose that stops a script, unless that is known.
pub fn note_place(source: &str, position: rhai::Position) {
    let mut stop = STOPPED.take();
    if let (Some(Stop::Fault(fault)), Some(line)) = (&mut stop, position.line())
        && fault.at.is_none()
    {
        let column = position.position().unwrap_or(1);
        fault.at = Some(FaultAt {
            source: Some(source.to_owned()),
            line,
            column,
        });
    }
    STOPPED.set(stop);
}
