//! The count of steps that tests read: one per thread, as tests run side by side.

use std::cell::Cell;

thread_local! {
    static STEPS: Cell<u64> = const { Cell::new(0) };
}

/// Adds to the count of this thread.
pub fn add(steps: usize) {
    STEPS.with(|count| count.set(count.get() + steps as u64));
}

/// The steps that `work` takes on this thread.
pub fn of<T>(work: impl FnOnce() -> T) -> u64 {
    let before = STEPS.with(Cell::get);
    drop(work());
    STEPS.with(Cell::get) - before
}
