//! How much memory values hold, for the bounds on what is kept between calls, and prefetches.

use rustc_hash::FxHashMap;
use std::collections::BinaryHeap;

/// A value that knows how much memory it holds.
pub(crate) trait HeapBytes {
    /// Bytes on the heap, room that is not in use among them. What elements of a list hold themselves does not count.
    fn heap_bytes(&self) -> usize;
}

impl<T> HeapBytes for Vec<T> {
    fn heap_bytes(&self) -> usize {
        self.capacity() * size_of::<T>()
    }
}

impl<T> HeapBytes for BinaryHeap<T> {
    fn heap_bytes(&self) -> usize {
        self.capacity() * size_of::<T>()
    }
}

impl HeapBytes for String {
    fn heap_bytes(&self) -> usize {
        self.capacity()
    }
}

impl<K, V> HeapBytes for FxHashMap<K, V> {
    fn heap_bytes(&self) -> usize {
        // A table has room for an eighth more entries than its capacity, and a byte beside each.
        self.capacity() * 8 / 7 * (size_of::<(K, V)>() + 1)
    }
}

impl<T: HeapBytes> HeapBytes for Option<Box<T>> {
    fn heap_bytes(&self) -> usize {
        self.as_ref().map_or(0, |value| size_of::<T>() + value.heap_bytes())
    }
}

/// What stands in the place, made if it is empty. Apart, because a large value is made on the stack first, which takes as long
/// as a short text even where nothing is to be made.
#[inline(always)]
pub(crate) fn filled<T: Default>(place: &mut Option<Box<T>>) -> &mut T {
    #[cold]
    #[inline(never)]
    fn fill<T: Default>(place: &mut Option<Box<T>>) -> &mut T {
        place.insert(Box::default())
    }
    match place {
        Some(value) => value,
        empty => fill(empty),
    }
}

/// Asks for a cache line ahead of its use.
#[inline(always)]
pub(crate) fn prefetch<T>(line: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch of a valid reference; SSE is part of x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(line).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = line;
}
