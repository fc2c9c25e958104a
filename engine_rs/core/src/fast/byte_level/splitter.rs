//! Splits texts at a pattern without encoding them: for those who count pretokens.
//!
//! Most is split 64 bytes at a time, what is left open there pretoken by pretoken, as in [`super::fused`].

use super::boundaries::{Boundaries, Found};
use super::fused::is_ascii_ahead;
use crate::fast::blocks::Classify;
use crate::fast::processor::{Processor, Work};
use crate::pretokenizers::characters::Classes;
use crate::pretokenizers::scanners::Pattern;

/// How many bounds are handed over at once, at least.
const BATCH: usize = 256;
/// One step adds at most those of a block; there is room for all that it may have.
const ROOM: usize = BATCH + 64 + 8 + 1;

/// Splits texts at a known pattern. Shared between threads as it is.
#[derive(Clone, Debug)]
pub struct Splitter {
    boundaries: Boundaries,
    processor: Processor,
}

/// Bounds that wait to be handed over.
struct Bounds {
    len: usize,
    at: [u32; ROOM],
}

impl Splitter {
    /// A splitter.
    pub fn new(pattern: Pattern) -> Self {
        Self { boundaries: Boundaries::new(pattern.into()), processor: Processor::detected() }
    }

    /// Calls `each` with bounds of pretokens, as bytes of `text`, in batches: a pretoken is between two bounds of a batch
    /// that follow each other. The next batch begins with the bound that the one before ended with. The text is shorter
    /// than 4 GiB.
    ///
    /// ```
    /// # use token_engine::internals::fast::byte_level::Splitter;
    /// # use token_engine::pretokenizers::scanners::Pattern;
    /// let mut all = vec![];
    /// Splitter::new(Pattern::Cl100k).split("It's 2048  ok", |bounds| all.extend_from_slice(bounds));
    /// assert_eq!(all, [0, 2, 4, 5, 8, 9, 10, 13]); // It 's ␣ 204 8 ␣ ␣ok
    /// ```
    pub fn split(&self, text: &str, each: impl FnMut(&[u32])) {
        self.processor.run(SplitText { splitter: self, text, each });
    }

    #[inline(always)]
    fn split_with<C: Classify>(&self, classify: C, text: &str, mut each: impl FnMut(&[u32])) {
        let classes = Classes::get();
        let mut bounds = Bounds { len: 0, at: [0; ROOM] };
        let mut at = 0;
        // Ends because every pretoken has a byte.
        while at < text.len() {
            // Ends because a block whose first pretoken is not known stays where it is.
            loop {
                let Found { starts, end, goes_on, .. } = self.boundaries.find(classify, text, at);
                bounds.push_block(classify, at, starts);
                at = end;
                bounds.flush_if_full(at, &mut each);
                if !goes_on {
                    break;
                }
            }
            while at < text.len() {
                bounds.push(at);
                at = self.boundaries.rules().next(classes, text, at);
                bounds.flush_if_full(at, &mut each);
                if C::HAS_NUMBERS || is_ascii_ahead(text.as_bytes(), at) {
                    break;
                }
            }
        }
        bounds.flush(at, &mut each);
    }
}

struct SplitText<'a, F> {
    splitter: &'a Splitter,
    text: &'a str,
    each: F,
}

impl<F: FnMut(&[u32])> Work for SplitText<'_, F> {
    type Output = ();

    #[inline(always)]
    fn on<P: Classify>(self, processor: P) {
        self.splitter.split_with(processor, self.text, self.each);
    }
}

impl Bounds {
    #[inline(always)]
    fn push(&mut self, at: usize) {
        self.at[self.len] = at as u32;
        self.len += 1;
    }

    /// Adds the bounds at the bits of a mask, counted from byte `at` on.
    #[inline(always)]
    fn push_block(&mut self, classify: impl Classify, at: usize, starts: u64) {
        classify.write_places(at as u32, starts, &mut self.at[self.len..]);
        self.len += starts.count_ones() as usize;
    }

    #[inline(always)]
    fn flush_if_full(&mut self, end: usize, each: &mut impl FnMut(&[u32])) {
        if self.len >= BATCH {
            self.flush(end, each);
        }
    }

    fn flush(&mut self, end: usize, each: &mut impl FnMut(&[u32])) {
        if self.len > 0 {
            self.at[self.len] = end as u32;
            each(&self.at[..=self.len]);
        }
        self.len = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::PIECES;
    use super::*;
    use crate::fast::blocks::Portable;
    use crate::testing::Random;

    #[test]
    fn bounds_are_those_of_the_pattern() {
        let mut random = Random::new(9);
        for round in 0..600 {
            let text: String = (0..random.below(900)).map(|_| PIECES[random.below(PIECES.len())]).collect();
            for pattern in Pattern::ALL {
                let mut expected = vec![];
                pattern.split(&text, |end| expected.push(end as u32));
                let mut ends = vec![];
                let splitter = Splitter::new(pattern);
                let each = |bounds: &[u32]| {
                    assert_eq!(bounds[0], ends.last().copied().unwrap_or(0), "batches touch");
                    ends.extend_from_slice(&bounds[1..]);
                };
                if round % 2 == 0 {
                    splitter.split(&text, each)
                } else {
                    splitter.split_with(Portable, &text, each)
                }
                assert_eq!(ends, expected, "{pattern:?} {text:?}");
            }
        }
    }
}
