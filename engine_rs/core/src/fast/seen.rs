//! Says which words were seen before, so that what comes once is not remembered.

use crate::memory::HeapBytes;

/// Bits, of which all are cleared when a quarter is set.
const BITS: usize = 1 << 19;

/// A set of hashes. Two that share a bit are taken for one another, and what was put in long ago is forgotten. Takes no memory
/// before the first is put in.
#[derive(Debug, Default)]
pub(super) struct Seen {
    bits: Vec<u64>,
    count: usize,
}

impl HeapBytes for Seen {
    fn heap_bytes(&self) -> usize {
        self.bits.heap_bytes()
    }
}

impl Seen {
    /// Puts a hash in. Returns whether it was there before.
    #[inline]
    pub(super) fn insert(&mut self, hash: u32) -> bool {
        if self.count * 4 >= BITS || self.bits.is_empty() {
            self.bits.clear();
            self.bits.resize(BITS / 64, 0);
            self.count = 0;
        }
        let bit = hash as usize % BITS;
        let (word, mask) = (&mut self.bits[bit / 64], 1 << (bit % 64));
        let was_there = *word & mask != 0;
        *word |= mask;
        self.count += usize::from(!was_there);
        was_there
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_what_came_and_forgets_when_it_is_full() {
        let mut seen = Seen::default();
        assert!(!seen.insert(7) && seen.insert(7));
        let new = (0..BITS as u32).filter(|&hash| !seen.insert(hash)).count();
        assert_eq!(new, BITS - 1);
        assert!(!seen.insert(7), "it was put in long ago");
    }
}
