//! Runs work on untrusted files with a large stack, and on several cores where that pays off.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::toml_tree::is_shallow;

/// Enough for the deepest TOML that the parser allows: nested tables whose keys have many parts.
const STACK_BYTES: usize = 64 << 20;
/// More threads do not help with small files.
const MAX_THREADS: usize = 4;
/// Below this size, starting a thread takes longer than it saves.
const MIN_BYTES: usize = 48 << 10;

/// Runs work on a text. Uses a thread with a large stack if the text may be nested too deeply for
/// the current stack.
pub(super) fn on_large_stack<R: Send>(text: &str, work: impl Fn() -> R + Sync) -> R {
    if is_shallow(text) {
        return work();
    }
    let joined = thread::scope(|scope| {
        let worker = thread::Builder::new()
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, &work)
            .ok()?;
        Some(worker.join())
    });
    match joined {
        Some(Ok(result)) => result,
        Some(Err(panic)) => std::panic::resume_unwind(panic),
        // No thread could be started.
        None => work(),
    }
}

/// Runs work on many items, in parallel, and returns the results in order.
pub(super) fn map_on_large_stack<'t, T: Sync, R: Send>(
    items: &[T],
    text: impl Fn(&T) -> &'t str + Sync,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let one = |item: &T| on_large_stack(text(item), || work(item));
    let bytes: usize = items.iter().map(|item| text(item).len()).sum();
    let cores = thread::available_parallelism()
        .map_or(1, usize::from)
        .min(MAX_THREADS)
        .min(items.len());
    if cores < 2 || bytes < MIN_BYTES {
        return items.iter().map(one).collect();
    }
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(items.len()));
    let run = || {
        let mut mine = Vec::new();
        while let Some((at, item)) =
            Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|at| Some((at, items.get(at)?)))
        {
            mine.push((at, one(item)));
        }
        if let Ok(mut all) = done.lock() {
            all.extend(mine);
        }
    };
    thread::scope(|scope| {
        for _ in 1..cores {
            // If a thread cannot be started, the others do its work.
            let _ = thread::Builder::new().spawn_scoped(scope, run);
        }
        run();
    });
    let mut all = done.into_inner().unwrap_or_default();
    all.sort_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, result)| result).collect()
}
