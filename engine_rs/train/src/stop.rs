//! Asking from another thread that long work ends.

use std::sync::atomic::{AtomicBool, Ordering};

/// Rounds of a loop between two looks.
const ROUNDS: usize = if cfg!(test) { 1 << 4 } else { 1 << 14 };

/// The work ended because it was asked to. What it had done so far is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// Looks whether the work is to end.
#[derive(Clone, Copy, Debug)]
pub struct Stop<'a> {
    wish: &'a AtomicBool,
    #[cfg(test)]
    looks: Option<&'a tests::Looks>,
}

impl<'a> Stop<'a> {
    /// Ends the work soon after `wish` becomes true.
    pub fn new(wish: &'a AtomicBool) -> Self {
        Self {
            wish,
            #[cfg(test)]
            looks: None,
        }
    }

    /// A wish that nobody has.
    pub fn never() -> Stop<'static> {
        static NEVER: AtomicBool = AtomicBool::new(false);
        Stop::new(&NEVER)
    }

    /// Errors: [`Stopped`] if the work is to end.
    pub fn check(self) -> Result<(), Stopped> {
        #[cfg(test)]
        if let Some(looks) = self.looks {
            looks.look(self.wish);
        }
        if self.wish.load(Ordering::Relaxed) { Err(Stopped) } else { Ok(()) }
    }

    /// Looks once in [`ROUNDS`] rounds of a loop that takes a microsecond each at most.
    #[inline]
    pub fn check_at(self, round: usize) -> Result<(), Stopped> {
        if round.is_multiple_of(ROUNDS) { self.check() } else { Ok(()) }
    }
}

#[cfg(test)]
pub mod tests {
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    use super::Stop;

    /// Counts looks and makes the wish at one of them.
    #[derive(Debug)]
    pub struct Looks {
        count: AtomicUsize,
        last: usize,
    }

    impl Looks {
        pub fn look(&self, wish: &AtomicBool) {
            if self.count.fetch_add(1, Ordering::Relaxed) == self.last {
                wish.store(true, Ordering::Relaxed);
            }
        }
    }

    /// The result of work that is stopped at look number `last`, and how often it looked.
    pub fn stopping_at<T>(last: usize, work: impl FnOnce(Stop<'_>) -> T) -> (T, usize) {
        let (wish, looks) = (AtomicBool::new(false), Looks { count: AtomicUsize::new(0), last });
        let result = work(Stop { wish: &wish, looks: Some(&looks) });
        (result, looks.count.into_inner())
    }
}
