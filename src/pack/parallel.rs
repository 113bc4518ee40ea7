//! The same work for many items on several cores, with results in the order of the items.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// More threads do not help with files as small as these.
const MOST: usize = 8;

/// Enough for TOML as deep as its reader allows: tables in tables, each under a key of many parts.
const STACK: usize = 64 << 20;

/// Gives what `work` makes of each item. How many cores there are changes how long it takes and nothing else.
///
/// All work is done in threads with a large stack, a single item too: a stranger's file may be nested so deeply that
/// the stack of a test, or of a front end's own thread, would not do.
pub(super) fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = thread::available_parallelism().map_or(1, usize::from).min(MOST).min(items.len());
    let next = AtomicUsize::new(0);
    let run = || {
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else { return done };
            done.push((at, work(item)));
        }
    };
    let mut all: Vec<(usize, R)> = thread::scope(|scope| {
        let spawn = |_| thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run).ok();
        let workers: Vec<_> = (0..threads).filter_map(spawn).collect();
        let results = workers.into_iter().map(|worker| match worker.join() {
            Ok(done) => done,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        results.flatten().collect()
    });
    // Where no thread could be started, the work is still to be done.
    all.extend(run());
    all.sort_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn keeps_the_order() {
        let items: Vec<u32> = (0..1_000).collect();
        assert_eq!(super::map(&items, |n| n * 2), items.iter().map(|n| n * 2).collect::<Vec<_>>());
        assert_eq!(super::map(&[] as &[u32], |n| n * 2), Vec::<u32>::new());
    }
}
