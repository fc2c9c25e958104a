//! The pool of threads of a process.
//!
//! A process that was forked (`os.fork`, workers of `multiprocessing`) has the memory of its parent but none of its threads:
//! work given to the parent's pool would wait for ever. So each process has a pool of its own, made when it is first used.

use std::sync::OnceLock;

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::call;

/// The pool of a process, and that of the process forked from it.
struct Pool {
    process: u32,
    /// `None` if the system gives no threads.
    threads: Option<ThreadPool>,
    forked: OnceLock<Box<Pool>>,
}

static FIRST: OnceLock<Box<Pool>> = OnceLock::new();

/// The pool of this process.
fn pool() -> Option<&'static ThreadPool> {
    let process = process();
    let new = || Box::new(Pool { process, threads: ThreadPoolBuilder::new().build().ok(), forked: OnceLock::new() });
    let mut pool = FIRST.get_or_init(new);
    while pool.process != process {
        pool = pool.forked.get_or_init(new);
    }
    pool.threads.as_ref()
}

/// The number of this process. A page has one process, and asking for its number panics there.
fn process() -> u32 {
    if cfg!(target_family = "wasm") { 0 } else { std::process::id() }
}

/// Runs `work` on the pool, which the parallel iterators of `rayon` in it then use; without threads, on this one. It works
/// for the call of this thread ([`crate::call`]), what it gives to other threads does not.
pub fn run<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let Some(pool) = pool() else { return work() };
    let call = call::current();
    pool.install(|| {
        let _entered = call::enter(call);
        work()
    })
}

/// The results of two jobs, which run at the same time.
#[cfg(feature = "fs")]
pub(crate) fn join<A: Send, B: Send>(first: impl FnOnce() -> A + Send, second: impl FnOnce() -> B + Send) -> (A, B) {
    run(|| rayon::join(first, second))
}

/// What `workers` jobs make, each on a thread of its own where there are so many.
pub(super) fn on_each<T: Send>(workers: usize, job: impl Fn(usize) -> Vec<T> + Sync + Send) -> Vec<T> {
    run(|| (0..workers).into_par_iter().with_max_len(1).flat_map_iter(job).collect())
}
