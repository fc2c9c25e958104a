//! Asking from another thread that long work ends.

use std::sync::atomic::{AtomicBool, Ordering};

/// Rounds of a loop between two looks.
const ROUNDS: usize = if cfg!(test) { 1 << 4 } else { 1 << 14 };

/// The work ended because it was asked to. What it had done so far is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// Looks whether the work is to end.
#[derive(Clone, Copy, Debug)]
pub struct Stop<'a>(pub &'a AtomicBool);

impl Stop<'_> {
    /// A wish that nobody has.
    #[cfg(test)]
    pub fn never() -> Stop<'static> {
        static NEVER: AtomicBool = AtomicBool::new(false);
        Stop(&NEVER)
    }

    /// Errors: [`Stopped`] if the work is to end.
    pub fn check(self) -> Result<(), Stopped> {
        #[cfg(test)]
        tests::looked()?;
        if self.0.load(Ordering::Relaxed) { Err(Stopped) } else { Ok(()) }
    }

    /// Looks once in [`ROUNDS`] rounds of a loop that takes a microsecond each at most.
    #[inline]
    pub fn check_at(self, round: usize) -> Result<(), Stopped> {
        if round.is_multiple_of(ROUNDS) { self.check() } else { Ok(()) }
    }
}

#[cfg(test)]
pub mod tests {
    use std::cell::Cell;

    use super::Stopped;

    thread_local! {
        static LOOKS: Cell<usize> = const { Cell::new(0) };
        static LAST: Cell<usize> = const { Cell::new(usize::MAX) };
    }

    /// Counts a look of this thread. Errors: [`Stopped`] if it is the one that [`stopping_at`] names.
    pub fn looked() -> Result<(), Stopped> {
        let looks = LOOKS.get();
        LOOKS.set(looks + 1);
        if looks == LAST.get() { Err(Stopped) } else { Ok(()) }
    }

    /// The result of work that is stopped at look number `last` of this thread, and how often it looked.
    pub fn stopping_at<T>(last: usize, work: impl FnOnce() -> T) -> (T, usize) {
        LOOKS.set(0);
        LAST.set(last);
        let result = work();
        LAST.set(usize::MAX);
        (result, LOOKS.get())
    }
}
