//! A bit per byte of the text: whether it is a boundary.

use std::ops::Range;

use super::tokens::Tokens;

/// Boundaries of several documents one after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Marks(Vec<u64>);

impl Marks {
    /// No boundaries in so many bytes.
    pub(crate) fn reset(&mut self, bytes: usize) {
        self.0.clear();
        // One word more than is needed, so that every word has one after it.
        self.0.resize(bytes / 64 + 2, 0);
    }

    /// Marks the boundaries of a document of `len` bytes that starts at byte `base`.
    pub(crate) fn add<T: Tokens>(&mut self, tokens: &T, base: usize, len: usize) {
        if T::ARE_CONTIGUOUS {
            return (1..tokens.len()).for_each(|at| self.set(base + tokens.start(at) as usize, true));
        }
        for span in tokens.spans().filter(|span| span.start < span.end) {
            for at in [span.start as usize, span.end as usize] {
                self.set(base + at, at > 0 && at < len);
            }
        }
    }

    #[inline(always)]
    fn set(&mut self, at: usize, is_boundary: bool) {
        self.0[at / 64] |= u64::from(is_boundary) << (at % 64);
    }

    pub(crate) fn has(&self, at: usize) -> bool {
        self.0[at / 64] >> (at % 64) & 1 == 1
    }

    /// How many there are in a range.
    #[inline]
    pub(crate) fn count(&self, range: Range<usize>) -> u64 {
        let mut count = 0;
        let mut start = range.start;
        while start < range.end {
            let (word, bit) = (start / 64, start % 64);
            let window = self.0[word] >> bit | self.0[word + 1] << 1 << (63 - bit);
            let len = (range.end - start).min(64);
            count += u64::from((window << (64 - len)).count_ones());
            start += len;
        }
        count
    }

    /// How many both have.
    pub(crate) fn shared(&self, other: &Self) -> u64 {
        self.0.iter().zip(&other.0).map(|(one, other)| u64::from((one & other).count_ones())).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use token_engine::IdsAndEnds;

    #[test]
    fn counts_in_ranges_are_those_of_single_bits() {
        let mut marks = Marks::default();
        marks.reset(300);
        let ends: Vec<u32> = vec![1, 3, 60, 63, 64, 65, 127, 128, 129, 191, 192, 250];
        marks.add(&IdsAndEnds { ids: vec![0; ends.len()], ends }, 7, 250);
        assert!(!marks.has(7) && !marks.has(257), "the ends of a document are no boundaries");
        for from in 0..300 {
            for to in from..300 {
                let one_by_one = (from..to).filter(|&at| marks.has(at)).count() as u64;
                assert_eq!(marks.count(from..to), one_by_one, "{from}..{to}");
            }
        }
        assert_eq!(marks.shared(&marks), marks.count(0..300));
    }
}
