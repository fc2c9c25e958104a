//! Counts steps, so that tests can tell how work grows without a clock. Compiles to nothing outside of tests.
//!
//! Not here: where the count is kept (`testing::steps`).

#[cfg(any(test, feature = "testing"))]
pub use crate::testing::steps::of;

/// Adds `steps` to the count of this thread.
#[inline(always)]
pub fn count(steps: usize) {
    #[cfg(any(test, feature = "testing"))]
    crate::testing::steps::add(steps);
    #[cfg(not(any(test, feature = "testing")))]
    let _ = steps;
}
