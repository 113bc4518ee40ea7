//! Work on files of strangers, with as much stack as it may need.

use std::thread;

use super::node::is_shallow;

/// Enough for TOML as deep as its reader allows: tables in tables, each under a key of many parts.
const STACK: usize = 64 << 20;

/// Does some work on a text: here, or in a thread with a large stack if it may be nested so deeply that the stack of a
/// test, or of a front end's own thread, would not do. Threads for all files were slower than none.
pub(super) fn with<R: Send>(text: &str, work: impl Fn() -> R + Sync) -> R {
    if is_shallow(text) {
        return work();
    }
    let there = thread::scope(|scope| {
        let worker = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, &work).ok()?;
        Some(worker.join())
    });
    match there {
        Some(Ok(result)) => result,
        Some(Err(panic)) => std::panic::resume_unwind(panic),
        // Where no thread could be started, the work is still to be done.
        None => work(),
    }
}
