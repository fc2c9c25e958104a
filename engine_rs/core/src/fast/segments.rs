//! Finds the segments of a text between split points at white space, 64 bytes at a time, and queues them.
//!
//! Not here: which places are split points ([`crate::split_points::white_space`]), and split points between characters, which
//! only some segments are split at.

use super::blocks::{BLOCK, Classify, Sets, block_at};
use super::memo::{Key, Place, Places};
use super::processor::Work;
use super::queue::{self, Part, Queue};
use crate::error::EncodeError;
use crate::split_points::white_space::WhiteSpace;

/// How many segments are looked up at once. New ones are not merged together, so more do not help: 512 cost English 3 to 5 %.
const BATCH: usize = 128;
const _: () = assert!(BATCH <= queue::BATCH, "there is room");

/// White space that may be behind a split point, characters of ASCII that may be before one, and all of ASCII.
pub(super) type Masks = Sets<3>;

/// The sets of these split points.
pub(super) fn masks(points: &WhiteSpace) -> Masks {
    Sets::new(|byte| u8::from(points.starts_at(byte)) | u8::from(points.may_stand_before(byte.into())) << 1 | 1 << 2)
}

/// Walks through a text.
struct Segments<'a, P> {
    processor: P,
    masks: &'a Masks,
    points: &'a WhiteSpace,
    text: &'a str,
    /// Where the next block starts.
    at: usize,
    /// Where the segment starts whose end is not known yet.
    start: usize,
    /// Two bits about the last byte of the previous block: may it precede a split point, and is it ASCII.
    before: [u64; 2],
}

impl<'a, P: Classify> Segments<'a, P> {
    /// The segments from byte `start` of a text on, which starts one.
    fn new(processor: P, masks: &'a Masks, points: &'a WhiteSpace, text: &'a str, start: usize) -> Self {
        // The byte at `start` starts a segment whatever is before it.
        Self { processor, masks, points, text, at: start, start, before: [0, 1] }
    }

    /// Fills the queue with the next segments and returns the end of the last one. `None` at the end of the text.
    #[inline(always)]
    fn fill(&mut self, queue: &mut Queue) -> Option<usize> {
        let len = self.text.len();
        if self.start == len {
            return None;
        }
        queue.clear();
        queue.push(self.start, Part::Whole);
        let mut padded = [0; BLOCK];
        while self.at < len {
            let block = block_at(self.text.as_bytes(), self.at, &mut padded);
            let [white, word, ascii] = self.processor.masks(self.masks, block);
            let after = [word << 1 | self.before[0], ascii << 1 | self.before[1]];
            let mut starts = white & after[0];
            let mut others = white & !after[1];
            // After other characters each is asked.
            while others != 0 {
                let place = others.trailing_zeros();
                starts |= u64::from(self.points.is_after(self.text, self.at + place as usize)) << place;
                others &= others - 1;
            }
            self.before = [word >> 63, ascii >> 63];
            queue.push_block(self.at, starts);
            self.at += BLOCK;
            if queue.len() >= BATCH {
                self.start = queue.pop();
                return Some(self.start);
            }
        }
        self.start = len;
        Some(len)
    }
}

/// Encodes segments.
pub(super) trait EachSegment {
    /// Where segments are looked up.
    type Table: Places;

    /// That table.
    fn table(&self) -> &Self::Table;

    /// Encodes the segment of a text that starts and ends at these bytes.
    fn segment(&mut self, text: &str, range: (usize, usize), key: (Key, Place)) -> Result<(), EncodeError>;
}

/// Encodes the segments from byte `at` of a text on.
pub(super) struct Walk<'a, E> {
    pub masks: &'a Masks,
    pub points: &'a WhiteSpace,
    pub text: &'a str,
    pub at: usize,
    pub each: E,
}

impl<E: EachSegment> Work for Walk<'_, E> {
    type Output = Result<(), EncodeError>;

    #[inline(always)]
    fn on<P: Classify>(self, processor: P) -> Self::Output {
        let Self { masks, points, text, at, mut each } = self;
        let mut segments = Segments::new(processor, masks, points, text, at);
        let mut queue = Queue::default();
        while let Some(end) = segments.fill(&mut queue) {
            queue.find_keys(text.as_bytes(), end, each.table());
            for n in 0..queue.len() {
                each.segment(text, queue.range(n), queue.key(n))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::blocks::{Baseline, Portable};
    use super::*;
    use crate::testing::{Random, stages};

    fn found<P: Classify>(processor: P, points: &WhiteSpace, text: &str, start: usize) -> Vec<(usize, usize)> {
        let (masks, mut queue, mut found) = (masks(points), Queue::default(), vec![]);
        let mut segments = Segments::new(processor, &masks, points, text, start);
        while let Some(end) = segments.fill(&mut queue) {
            let ends = (1..queue.len()).map(|n| queue.start(n)).chain([end]);
            found.extend((0..queue.len()).map(|n| queue.start(n)).zip(ends));
        }
        found
    }

    #[test]
    fn segments_end_at_white_space_after_a_word() {
        let mut random = Random::new(11);
        for definition in stages::with_shortcuts() {
            let tokenizer = definition.build("any").expect("valid");
            let Some(points) = &tokenizer.parts().white_space else { continue };
            for _ in 0..60 {
                let len = random.below(400);
                let piece = |random: &mut Random| {
                    *random.pick(&["a", "b,", " ", " ", "\n", "  ", "日本", " 語", "é ", "\u{301} ", "(", "\t"])
                };
                let text: String = (0..len).map(|_| piece(&mut random)).collect();
                let start = (0..=text.len()).filter(|&at| text.is_char_boundary(at)).nth(len / 3).unwrap_or(0);
                let is_start = |&at: &usize| points.starts_at(text.as_bytes()[at]) && points.is_after(&text, at);
                let starts: Vec<usize> = (start..text.len()).filter(|at| *at == start || is_start(at)).collect();
                let ends = starts.iter().copied().skip(1).chain([text.len()]);
                let expected: Vec<(usize, usize)> = starts.iter().copied().zip(ends).collect();
                assert_eq!(found(Portable, points, &text, start), expected, "{text:?}");
                assert_eq!(found(Baseline, points, &text, start), expected, "{text:?}");
                #[cfg(target_arch = "x86_64")]
                if let Some(avx512) = super::super::blocks::Avx512::new() {
                    assert_eq!(found(avx512, points, &text, start), expected, "{text:?}");
                }
            }
        }
    }
}
