//! Work on files of strangers: with as much stack as each may need, and on a second core where there is enough of it.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::node::is_shallow;

/// Enough for TOML as deep as its reader allows: tables in tables, each under a key of many parts.
const STACK: usize = 64 << 20;
/// More threads do not help with files as small as these.
const MOST: usize = 4;
/// Below so many bytes a thread costs more than it brings.
const ENOUGH: usize = 48 << 10;

/// Does some work on a text: here, or in a thread with a large stack if it may be nested so deeply that the stack of a
/// test, or of a front end's own thread, would not do.
pub(super) fn with<R: Send>(text: &str, work: impl Fn() -> R + Sync) -> R {
    if is_shallow(text) {
        return work();
    }
    let there = thread::scope(|scope| {
        let worker = thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, &work)
            .ok()?;
        Some(worker.join())
    });
    match there {
        Some(Ok(result)) => result,
        Some(Err(panic)) => std::panic::resume_unwind(panic),
        // Where no thread could be started, the work is still to be done.
        None => work(),
    }
}

/// The same for many items, with results in their order. How many cores there are changes how long it takes and nothing else.
pub(super) fn map<'t, T: Sync, R: Send>(
    items: &[T],
    text: impl Fn(&T) -> &'t str + Sync,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let one = |item: &T| with(text(item), || work(item));
    let bytes: usize = items.iter().map(|item| text(item).len()).sum();
    let cores = thread::available_parallelism()
        .map_or(1, usize::from)
        .min(MOST)
        .min(items.len());
    if cores < 2 || bytes < ENOUGH {
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
            // Whoever cannot be started is not missed.
            let _ = thread::Builder::new().spawn_scoped(scope, run);
        }
        run();
    });
    let mut all = done.into_inner().unwrap_or_default();
    all.sort_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn keeps_the_order() {
        let text = "x".repeat(1_000);
        let items: Vec<u32> = (0..1_000).collect();
        assert_eq!(
            super::map(&items, |_| &text, |n| n * 2),
            items.iter().map(|n| n * 2).collect::<Vec<_>>()
        );
        assert_eq!(
            super::map(&[] as &[u32], |_| &text, |n| n * 2),
            Vec::<u32>::new()
        );
    }
}
