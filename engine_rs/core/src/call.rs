//! What one call may use, and how it is cancelled.
//!
//! A [`Call`] belongs to the thread that entered it, and to the threads that [`crate::parallel`] gives its work to. Long loops
//! ask [`check`]. Whoever makes more than the text accounts for asks [`may_add`], [`may_normalize`] or [`may_decode`] *before*
//! the memory is taken: no text and no tokenizer file, however small, fills the memory. Without a call nothing is cancelled,
//! and each request is measured alone.
//!
//! Not here: limits of one stage (steps of a pattern, characters of a trace), which stand beside the stage.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use thiserror::Error;

use crate::error::{DecodeError, EncodeError};

/// Tokens that padding, overlapping parts and templates may add in one call, beyond as many as the texts have: some 100 MB.
pub const ADDED_TOKENS: usize = 1 << 22;

/// Bytes that normalizers may make in one call, beyond 32 for each byte of the text.
pub const NORMALIZED_BYTES: usize = 1 << 22;

/// Bytes that decoding, or spelling tokens, may make in one call, beyond 32 for each id.
pub const DECODED_BYTES: usize = 1 << 26;

/// Tokens that may stand anywhere in a stretch of text without a split point, when segmentations are drawn or listed.
pub const LATTICE_TOKENS: usize = 1 << 22;

/// All limits by name, for those who show them.
pub const LIMITS: [(&str, usize); 4] = [
    ("added_tokens", ADDED_TOKENS),
    ("normalized_bytes", NORMALIZED_BYTES),
    ("decoded_bytes", DECODED_BYTES),
    ("lattice_tokens", LATTICE_TOKENS),
];

/// Output bytes for each byte or id of the input that no limit counts. Unicode's forms make up to 11 bytes of one.
const FREE: usize = 32;

/// What adds tokens to those of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adds {
    /// Padding up to a length.
    Padding,
    /// Parts that truncation leaves over, which overlap.
    Overlap,
    /// A template.
    Template,
}

/// The call was cancelled.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("the call was cancelled before it had finished; call again for a result")]
pub struct Cancelled;

/// One call: whether it is cancelled, and what it has used of its limits.
#[derive(Debug, Default)]
pub struct Call {
    is_cancelled: AtomicBool,
    added_tokens: AtomicUsize,
    normalized_bytes: AtomicUsize,
    decoded_bytes: AtomicUsize,
}

thread_local! {
    static CURRENT: RefCell<Option<Arc<Call>>> = const { RefCell::new(None) };
}

impl Call {
    /// Ends the call soon: the next [`check`] of any of its threads fails.
    pub fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether it was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }
}

/// A call that this thread works for; the one before it comes back at the end.
pub struct Entered {
    before: Option<Arc<Call>>,
    /// Belongs to its thread.
    here: PhantomData<*const ()>,
}

impl Drop for Entered {
    fn drop(&mut self) {
        CURRENT.set(self.before.take());
    }
}

/// This thread works for `call` until the result is dropped.
///
/// ```
/// # use std::sync::Arc;
/// # use token_engine::call::{Call, Cancelled, check, enter};
/// let call = Arc::new(Call::default());
/// let entered = enter(Some(Arc::clone(&call)));
/// assert_eq!(check(), Ok(()));
/// call.cancel();
/// assert_eq!(check(), Err(Cancelled));
/// drop(entered);
/// assert_eq!(check(), Ok(()));
/// ```
#[must_use = "the call is left when this is dropped"]
pub fn enter(call: Option<Arc<Call>>) -> Entered {
    Entered { before: CURRENT.replace(call), here: PhantomData }
}

/// The call that this thread works for.
pub fn current() -> Option<Arc<Call>> {
    CURRENT.with_borrow(Clone::clone)
}

/// Errors: the call of this thread was cancelled.
#[inline]
pub fn check() -> Result<(), Cancelled> {
    let is_cancelled = CURRENT.with_borrow(|call| call.as_ref().is_some_and(|call| call.is_cancelled()));
    if is_cancelled { Err(Cancelled) } else { Ok(()) }
}

/// [`check`] for loops of short steps: asks once in so many steps.
#[derive(Debug, Default)]
pub struct Checks(u32);

impl Checks {
    /// Steps between two questions.
    const EVERY: u32 = 1024;

    /// One more step.
    ///
    /// Errors: as [`check`].
    #[inline]
    pub fn step(&mut self) -> Result<(), Cancelled> {
        self.0 = self.0.wrapping_add(1);
        if self.0.is_multiple_of(Self::EVERY) { check() } else { Ok(()) }
    }
}

/// Whether the call may use `amount` more of a limit; a refused amount is not counted.
fn may_use(of: impl FnOnce(&Call) -> &AtomicUsize, amount: usize, max: usize) -> bool {
    let fits = |used: usize| used.checked_add(amount).filter(|&used| used <= max);
    CURRENT.with_borrow(|call| match call {
        Some(call) if amount > 0 => of(call).fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits).is_ok(),
        _ => amount <= max,
    })
}

/// Asks for `tokens` tokens beside `own` tokens of a text or a batch.
///
/// Errors: the call would add more than [`ADDED_TOKENS`] beyond its own.
pub(crate) fn may_add(by: Adds, tokens: usize, own: usize) -> Result<(), EncodeError> {
    let fits = may_use(|call| &call.added_tokens, tokens.saturating_sub(own), ADDED_TOKENS);
    if fits { Ok(()) } else { Err(EncodeError::TooManyAdded { by, tokens, max: ADDED_TOKENS }) }
}

/// Asks for a normalized text of `made` bytes in place of one of `bytes` bytes.
///
/// Errors: the call would make more than [`NORMALIZED_BYTES`] beyond its texts.
pub(crate) fn may_normalize(made: usize, bytes: usize) -> Result<(), EncodeError> {
    let more = made.saturating_sub(bytes.saturating_mul(FREE));
    let fits = may_use(|call| &call.normalized_bytes, more, NORMALIZED_BYTES);
    if fits { Ok(()) } else { Err(EncodeError::NormalizedTooMuch { made, bytes, max: NORMALIZED_BYTES }) }
}

/// Errors: `made` bytes are more than any call may make of `bytes` bytes.
pub(crate) fn check_normalized(made: usize, bytes: usize) -> Result<(), EncodeError> {
    let fits = made <= bytes.saturating_mul(FREE).saturating_add(NORMALIZED_BYTES);
    if fits { Ok(()) } else { Err(EncodeError::NormalizedTooMuch { made, bytes, max: NORMALIZED_BYTES }) }
}

/// The most bytes that one decoder may make of so many ids.
pub(crate) fn most_decoded(ids: usize) -> usize {
    ids.saturating_mul(FREE).saturating_add(DECODED_BYTES)
}

/// Asks for `made` bytes of text that `ids` ids stand for.
///
/// Errors: the call would make more than [`DECODED_BYTES`] beyond its ids.
pub(crate) fn may_decode(made: usize, ids: usize) -> Result<(), DecodeError> {
    let fits = may_use(|call| &call.decoded_bytes, made.saturating_sub(ids.saturating_mul(FREE)), DECODED_BYTES);
    if fits { Ok(()) } else { Err(DecodeError::TooLong { ids, made, max: DECODED_BYTES }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_count_all_that_a_call_adds() {
        let entered = enter(Some(Arc::default()));
        let add = |tokens, own| may_add(Adds::Padding, tokens, own).is_ok();
        assert!(add(ADDED_TOKENS + 5, 5));
        assert!(add(7, 7), "as many as there are cost nothing");
        assert!(!add(1, 0));
        assert!(!add(usize::MAX, 0), "no sum overflows");
        drop(entered);
        assert!(add(ADDED_TOKENS, 0) && add(ADDED_TOKENS, 0), "without a call each request is measured alone");
        assert!(!add(ADDED_TOKENS + 1, 0));
    }

    #[test]
    fn an_inner_call_ends_before_the_outer_one() {
        let outer: Arc<Call> = Arc::default();
        let _outer = enter(Some(Arc::clone(&outer)));
        let inner = enter(Some(Arc::default()));
        outer.cancel();
        assert_eq!(check(), Ok(()));
        drop(inner);
        assert_eq!(check(), Err(Cancelled));
    }
}
