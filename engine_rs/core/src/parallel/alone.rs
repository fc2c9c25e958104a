//! What [`super`] does without the feature `parallel`: all jobs run on the thread that asks.

/// Runs `work`.
pub fn run<T>(work: impl FnOnce() -> T) -> T {
    work()
}

/// The results of two jobs, one after the other.
#[cfg(feature = "fs")]
pub(crate) fn join<A, B>(first: impl FnOnce() -> A, second: impl FnOnce() -> B) -> (A, B) {
    (first(), second())
}

/// What `workers` jobs make.
pub(super) fn on_each<T>(workers: usize, job: impl Fn(usize) -> Vec<T>) -> Vec<T> {
    (0..workers).flat_map(job).collect()
}
