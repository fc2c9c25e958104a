//! Asking from another thread that long work ends.

use std::sync::atomic::{AtomicBool, Ordering};

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
        if self.0.load(Ordering::Relaxed) { Err(Stopped) } else { Ok(()) }
    }

    /// Looks once in 2^16 rounds of a loop that takes well below a microsecond each.
    #[inline]
    pub fn check_at(self, round: usize) -> Result<(), Stopped> {
        if round & 0xffff == 0 { self.check() } else { Ok(()) }
    }
}
