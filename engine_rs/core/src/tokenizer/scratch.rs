//! Scratch memory of the threads that encode: word caches above all, which the next call finds warm.
//!
//! While calls run, each has its own, and those of calls that are done wait for the next ones. When the last call is done,
//! what is beyond [`MAX_IDLE_BYTES`] is given up: a batch on many threads leaves no more behind than one on few.

use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

use crate::call;
use crate::fast;
use crate::ids::Id;
use crate::memory::HeapBytes;

/// How much a tokenizer keeps while nobody encodes: what one thread has at most.
pub(crate) const MAX_IDLE_BYTES: usize = 40 << 20;

/// After so many bytes of text, the memory that is kept is added up again. To do it after every call would take a twentieth of
/// the time of a call on 20 bytes.
const BYTES_PER_COUNT: usize = 1 << 15;

/// How often the lock is tried: others hold it for less than a microsecond.
const TRIES: usize = 100;

/// What one thread needs while it encodes.
#[derive(Default)]
pub(super) struct Scratch {
    pub(crate) fast: fast::Scratch,
    /// The ids of a short text, until they are copied.
    pub(crate) ids: Vec<Id>,
}

impl HeapBytes for Scratch {
    fn heap_bytes(&self) -> usize {
        let Self { fast, ids } = self;
        fast.heap_bytes() + ids.heap_bytes()
    }
}

/// The scratch memory of one tokenizer.
#[derive(Default)]
pub(super) struct Pool(Mutex<Shelf>);

/// Scratch memory is boxed: it is larger than a short text.
#[derive(Default)]
struct Shelf {
    #[allow(clippy::vec_box, reason = "a call moves one pointer, not a kilobyte")]
    idle: Vec<Box<Scratch>>,
    lent: usize,
    /// How many were idle when their memory was last added up, and how many bytes of text were encoded since.
    counted: usize,
    text_bytes: usize,
}

const IN_USE: &str = "goes back at the very end";

/// Scratch memory in use; goes back to its pool at the end.
pub(super) struct Lent<'a> {
    /// Where it goes back to; `None` if it is given up.
    pool: Option<&'a Pool>,
    /// `None` once it goes back.
    scratch: Option<Box<Scratch>>,
    /// Of the text that it is used for.
    text_bytes: usize,
}

impl Pool {
    /// Scratch memory for one call on so many bytes of text, warm where there is some.
    pub(crate) fn lend(&self, text_bytes: usize) -> Lent<'_> {
        match self.shelf() {
            Some(mut shelf) => {
                shelf.lent += 1;
                Lent { pool: Some(self), scratch: Some(shelf.idle.pop().unwrap_or_default()), text_bytes }
            }
            None => Lent { pool: None, scratch: Some(Box::default()), text_bytes },
        }
    }

    /// The shelf, unless another thread has it for long. In a forked process that thread may not exist, and would have it
    /// for ever.
    fn shelf(&self) -> Option<MutexGuard<'_, Shelf>> {
        for _ in 0..TRIES {
            match self.0.try_lock() {
                Ok(shelf) => return Some(shelf),
                Err(TryLockError::Poisoned(poisoned)) => return Some(poisoned.into_inner()),
                Err(TryLockError::WouldBlock) => std::thread::yield_now(),
            }
        }
        None
    }

    /// Bytes of the memory that no call uses.
    #[cfg(test)]
    pub(crate) fn idle_bytes(&self) -> usize {
        let shelf = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        shelf.idle.iter().map(|scratch| scratch.heap_bytes()).sum()
    }

    fn take_back(&self, scratch: Option<Box<Scratch>>, text_bytes: usize) {
        let mut given_up = vec![];
        let mut shelf = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        shelf.lent -= 1;
        shelf.idle.extend(scratch);
        shelf.text_bytes = shelf.text_bytes.saturating_add(text_bytes);
        if shelf.lent == 0 && (shelf.idle.len() != shelf.counted || shelf.text_bytes >= BYTES_PER_COUNT) {
            let mut kept = 0;
            given_up.extend(shelf.idle.extract_if(.., |scratch| {
                let bytes = scratch.heap_bytes();
                let fits = kept + bytes <= MAX_IDLE_BYTES;
                kept += if fits { bytes } else { 0 };
                !fits
            }));
            shelf.counted = shelf.idle.len();
            shelf.text_bytes = 0;
        }
        // Memory is freed when others can go on.
        drop(shelf);
        drop(given_up);
    }
}

impl Deref for Lent<'_> {
    type Target = Scratch;

    fn deref(&self) -> &Scratch {
        self.scratch.as_deref().expect(IN_USE)
    }
}

impl DerefMut for Lent<'_> {
    fn deref_mut(&mut self) -> &mut Scratch {
        self.scratch.as_deref_mut().expect(IN_USE)
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        // What a panic or a cancelled call leaves behind may be half written: words with tokens that were not merged to the end.
        let whole = !std::thread::panicking() && call::check().is_ok();
        if let Some(pool) = self.pool {
            pool.take_back(self.scratch.take().filter(|_| whole), self.text_bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::bytes_alone;

    fn used(pool: &Pool) -> Lent<'_> {
        let (vocab, fused) = bytes_alone();
        let mut lent = pool.lend(10);
        fused.encode(&vocab, "some words", 0, &mut lent.fast.byte_level, &mut Vec::new());
        lent
    }

    #[test]
    fn keeps_what_calls_may_want_and_little_when_all_are_done() {
        let pool = Pool::default();
        let mut calls: Vec<_> = (0..64).map(|_| used(&pool)).collect();
        let one = calls[0].heap_bytes();
        assert!(64 * one > 2 * MAX_IDLE_BYTES, "one has {one} bytes");
        let last = calls.pop();
        drop(calls);
        assert_eq!(pool.idle_bytes(), 63 * one, "a call is left, and others may come");
        drop(last);
        assert_eq!(pool.idle_bytes(), MAX_IDLE_BYTES / one * one);
        drop(pool.lend(0));
        assert_eq!(pool.idle_bytes(), MAX_IDLE_BYTES / one * one, "one call after the other changes nothing");
    }

    #[test]
    fn memory_is_added_up_after_so_many_bytes_of_text() {
        let pool = Pool::default();
        drop(pool.lend(10));
        pool.lend(10).ids.reserve(MAX_IDLE_BYTES);
        assert!(pool.idle_bytes() > MAX_IDLE_BYTES, "calls on short texts do not ask");
        drop(pool.lend(BYTES_PER_COUNT - 10));
        assert_eq!(pool.idle_bytes(), 0, "one of them does");
    }

    #[test]
    fn a_lock_that_nobody_gives_back_holds_up_no_call() {
        let pool = Pool::default();
        // As in a process that was forked while another thread had it.
        std::mem::forget(pool.0.lock());
        drop(used(&pool));
        drop(used(&pool));
    }

    #[test]
    fn a_cancelled_call_gives_its_memory_up() {
        let call = std::sync::Arc::new(call::Call::default());
        let _entered = call::enter(Some(std::sync::Arc::clone(&call)));
        let pool = Pool::default();
        let lent = used(&pool);
        call.cancel();
        drop(lent);
        assert_eq!(pool.idle_bytes(), 0);
    }

    #[test]
    fn a_panic_gives_its_memory_up() {
        let pool = Pool::default();
        let call = std::panic::AssertUnwindSafe(|| {
            let _lent = used(&pool);
            panic!("in the middle of a word");
        });
        assert!(std::panic::catch_unwind(call).is_err());
        assert_eq!(pool.idle_bytes(), 0);
        drop(used(&pool));
        assert!(pool.idle_bytes() > 0);
    }
}
