//! Jobs on several threads, those of one shared pool, or on the one that asks where the feature `parallel` is off.

#[cfg(not(feature = "parallel"))]
#[path = "parallel/alone.rs"]
mod pool;
#[cfg(feature = "parallel")]
mod pool;

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::call;

#[cfg(feature = "fs")]
pub(crate) use pool::join;
pub use pool::run;

/// How many threads work where `threads` are asked for: at least one, at most as many as there are cores; 0 means all. One
/// where the feature `parallel` is off.
pub fn workers(threads: usize) -> usize {
    let cores =
        if cfg!(feature = "parallel") { std::thread::available_parallelism().map_or(1, usize::from) } else { 1 };
    if threads == 0 { cores } else { threads.min(cores) }
}

/// The results of `job` for the numbers below `count`, in their order, on as many threads as [`workers`] says. Threads take
/// one number after the other, so that a long job holds up none but its own. All work for the call of this thread.
///
/// Errors: that of the lowest number, whatever the number of threads.
pub fn map<T: Send, E: Send>(
    count: usize,
    threads: usize,
    job: impl Fn(usize) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    let workers = workers(threads).min(count);
    if workers <= 1 {
        return (0..count).map(job).collect();
    }
    let next = AtomicUsize::new(0);
    let call = call::current();
    let work = |_| {
        let _entered = call::enter(call.clone());
        let mut done = vec![];
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return done;
            }
            let result = job(number);
            if result.is_err() {
                // All lower numbers are taken; no others are.
                next.fetch_max(count, Ordering::Relaxed);
            }
            done.push((number, result));
        }
    };
    let mut results: Vec<_> = pool::on_each(workers, work);
    results.sort_unstable_by_key(|&(number, _)| number);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::convert::Infallible;
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn no_more_threads_work_than_there_are_cores() {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        for (threads, most) in [(1, 1), (2, 2), (2000, cores), (0, cores)] {
            let seen = Mutex::new(HashSet::new());
            let results = map(1000, threads, |number| {
                std::thread::yield_now();
                seen.lock().expect("no job panics").insert(std::thread::current().id());
                Ok::<_, Infallible>(number * 2)
            });
            assert_eq!(results, Ok((0..1000).map(|number| number * 2).collect()), "in order, threads {threads}");
            let seen = seen.lock().expect("no job panics").len();
            assert!((1..=most).contains(&seen), "threads {threads}: {seen} worked, {most} may");
        }
        assert_eq!((workers(0), workers(1), workers(usize::MAX)), (cores, 1, cores));
    }

    #[test]
    fn all_threads_work_for_the_call_that_asked() {
        use crate::call::{Call, check, enter};
        for threads in [1, 0] {
            let call = std::sync::Arc::new(Call::default());
            let _entered = enter(Some(std::sync::Arc::clone(&call)));
            let done = AtomicUsize::new(0);
            let result = map(1_000_000, threads, |number| {
                if number == 100 {
                    call.cancel();
                }
                check()?;
                done.fetch_add(1, Ordering::Relaxed);
                Ok::<_, call::Cancelled>(())
            });
            assert_eq!(result, Err(call::Cancelled));
            assert!(done.into_inner() < 1_000_000, "threads {threads}");
        }
    }

    #[test]
    fn the_error_is_that_of_the_first_job_that_fails() {
        for threads in [1, 0] {
            let result = map(500, threads, |number| if number % 100 == 77 { Err(number) } else { Ok(()) });
            assert_eq!(result, Err(77), "threads {threads}");
        }
        assert_eq!(map(0, 0, |_| Ok::<(), ()>(())), Ok(vec![]));
    }
}
