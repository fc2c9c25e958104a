//! What one call may use, and how it is cancelled.
//!
//! A [`Call`] belongs to the thread that entered it, and to the threads that [`crate::parallel`] gives its work to. Long loops
//! ask [`check`]. Whoever makes more than the text accounts for asks [`may_add`], [`may_normalize`] or [`may_decode`] *before*
//! the memory is taken: no text and no tokenizer file, however small, fills the memory. Without a call nothing is cancelled,
//! and each request is measured alone.
//!
//! Not here: limits of one stage (steps of a pattern, characters of a trace), which are constants of the stage.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use thiserror::Error;

use crate::error::{DecodeError, EncodeError};

/// Tokens that padding, overlapping parts and templates may add in one call, beyond as many as the texts have: some 800 MB,
/// as for 65,000 texts padded to 512 tokens. Who serves many sets a lower limit ([`Call::adding`]).
pub const ADDED_TOKENS: usize = 1 << 25;

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
#[derive(Debug)]
pub struct Call {
    is_cancelled: Arc<AtomicBool>,
    max_added: usize,
    /// Length of the text that a decoded text is compared with. So many bytes more may be decoded.
    text_bytes: usize,
    added_tokens: AtomicUsize,
    normalized_bytes: AtomicUsize,
    decoded_bytes: AtomicUsize,
}

thread_local! {
    static CURRENT: RefCell<Option<Arc<Call>>> = const { RefCell::new(None) };
}

impl Default for Call {
    fn default() -> Self {
        Self::adding(ADDED_TOKENS)
    }
}

impl Call {
    /// A call that may add so many tokens in place of [`ADDED_TOKENS`].
    pub fn adding(max_added: usize) -> Self {
        Self {
            is_cancelled: Arc::default(),
            max_added,
            text_bytes: 0,
            added_tokens: AtomicUsize::new(0),
            normalized_bytes: AtomicUsize::new(0),
            decoded_bytes: AtomicUsize::new(0),
        }
    }

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
/// # use token_engine::internals::call::{Call, Cancelled, check, enter};
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

/// This thread works, until the result is dropped, for a call that is cancelled with the present one and has limits of its own:
/// what it decodes is compared with a text of so many bytes, and dropped. Only a decoding that is longer than the text, and so
/// another one, is refused.
#[must_use = "the call is left when this is dropped"]
pub fn enter_to_compare(text_bytes: usize) -> Entered {
    let is_cancelled = current().map(|call| Arc::clone(&call.is_cancelled)).unwrap_or_default();
    enter(Some(Arc::new(Call { is_cancelled, text_bytes, ..Call::default() })))
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

/// Uses `amount` more of a limit.
///
/// Errors: what the call has used of it, if that and `amount` are more than `max`; nothing is used then.
fn take(of: impl FnOnce(&Call) -> &AtomicUsize, amount: usize, max: usize) -> Result<(), usize> {
    let fits = |used: usize| used.checked_add(amount).filter(|&used| used <= max);
    CURRENT.with_borrow(|call| match call {
        Some(call) if amount > 0 => of(call).fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits).map(drop),
        _ if amount <= max => Ok(()),
        _ => Err(0),
    })
}

/// A limit of the call of this thread, or `usual` without a call.
fn limit(usual: usize, of: impl FnOnce(&Call) -> usize) -> usize {
    CURRENT.with_borrow(|call| call.as_ref().map_or(usual, |call| of(call)))
}

/// The most bytes that a call may decode beyond 32 for each id.
fn max_decoded() -> usize {
    limit(DECODED_BYTES, |call| DECODED_BYTES.saturating_add(call.text_bytes))
}

/// Asks for `tokens` tokens beyond the `own` ones of a text or a batch.
///
/// Errors: the call would add more than its limit ([`ADDED_TOKENS`], or [`Call::adding`]) and as many as its own.
pub(crate) fn may_add(by: Adds, tokens: usize, own: usize) -> Result<(), EncodeError> {
    let max = limit(ADDED_TOKENS, |call| call.max_added);
    take(|call| &call.added_tokens, tokens.saturating_sub(own), max).map_err(|used| EncodeError::TooManyAdded {
        by,
        tokens,
        max,
        used,
    })
}

/// Asks for a normalized text of `made` bytes in place of one of `bytes` bytes.
///
/// Errors: the call would make more than [`NORMALIZED_BYTES`] beyond its texts.
pub(crate) fn may_normalize(made: usize, bytes: usize) -> Result<(), EncodeError> {
    let more = made.saturating_sub(bytes.saturating_mul(FREE));
    take(|call| &call.normalized_bytes, more, NORMALIZED_BYTES).map_err(|used| EncodeError::NormalizedTooMuch {
        made,
        bytes,
        max: NORMALIZED_BYTES,
        used,
    })
}

/// Errors: `made` bytes are more than any call may make of `bytes` bytes.
pub(crate) fn check_normalized(made: usize, bytes: usize) -> Result<(), EncodeError> {
    let fits = made <= bytes.saturating_mul(FREE).saturating_add(NORMALIZED_BYTES);
    if fits { Ok(()) } else { Err(EncodeError::NormalizedTooMuch { made, bytes, max: NORMALIZED_BYTES, used: 0 }) }
}

/// The most bytes that one decoder may make of so many ids.
pub(crate) fn most_decoded(ids: usize) -> usize {
    ids.saturating_mul(FREE).saturating_add(max_decoded())
}

/// Errors: `made` bytes are more than any call may make of `ids` ids.
pub(crate) fn check_decoded(made: usize, ids: usize) -> Result<(), DecodeError> {
    if made <= most_decoded(ids) { Ok(()) } else { Err(decoded_too_long(made, ids)) }
}

/// The error of ids that stand for `made` bytes, or more, whatever the call has used of its limit.
pub(crate) fn decoded_too_long(made: usize, ids: usize) -> DecodeError {
    DecodeError::TooLong { ids, made, max: max_decoded(), used: 0 }
}

/// Asks for `made` bytes of text that `ids` ids stand for.
///
/// Errors: the call would make more than [`DECODED_BYTES`] beyond its ids.
pub(crate) fn may_decode(made: usize, ids: usize) -> Result<(), DecodeError> {
    let max = max_decoded();
    take(|call| &call.decoded_bytes, made.saturating_sub(ids.saturating_mul(FREE)), max)
        .map_err(|used| DecodeError::TooLong { ids, made, max, used })
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
    fn a_call_may_have_a_lower_limit_and_says_what_it_has_used() {
        let _entered = enter(Some(Arc::new(Call::adding(10))));
        assert_eq!(may_add(Adds::Padding, 7, 0), Ok(()));
        let refused = EncodeError::TooManyAdded { by: Adds::Template, tokens: 4, max: 10, used: 7 };
        assert!(refused.to_string().contains("beyond those of its texts, 7 of which it has added"), "{refused}");
        assert_eq!(may_add(Adds::Template, 4, 0), Err(refused));
    }

    #[test]
    fn what_is_compared_with_a_text_may_be_as_long() {
        let call: Arc<Call> = Arc::default();
        let _outer = enter(Some(Arc::clone(&call)));
        for _ in 0..3 {
            let _entered = enter_to_compare(DECODED_BYTES);
            assert_eq!(may_decode(2 * DECODED_BYTES, 0), Ok(()));
            assert!(may_decode(1, 0).is_err());
        }
        assert_eq!(may_decode(DECODED_BYTES, 0), Ok(()), "the outer call has used nothing");
        let _entered = enter_to_compare(0);
        call.cancel();
        assert_eq!(check(), Err(Cancelled));
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
