//! Finds the segments of a text between split points at white space and between characters of ASCII, 64 bytes at a time, and
//! queues them.
//!
//! A character in an address, as `%E3%81%82`, is not split: its bytes are mostly three segments each, and the character comes again.
//!
//! Not here: which places are split points ([`crate::split_points::white_space`]), and split points between other characters,
//! which only some segments are split at.

use std::ops::Range;

use super::blocks::{BLOCK, Classify, Sets, block_at};
use super::memo::{Key, Place};
use super::processor::Work;
use super::queue::{self, Part, Places, Queue};
use crate::call;
use crate::error::EncodeError;
use crate::split_points::ascii_pairs::InAscii;
use crate::split_points::white_space::WhiteSpace;

/// How many segments are looked up at once. New ones are not merged together, so more do not help: 512 cost English 3 to 5 %.
const BATCH: usize = 128;
const _: () = assert!(BATCH <= queue::BATCH, "there is room");

/// Characters of ASCII that are looked for.
#[derive(Clone, Debug)]
pub(super) struct Masks {
    /// White space that may be behind a split point, characters that may be before it, all characters, those that may be on either
    /// side of a split point, and those of them that are symbols or digits: two letters are not looked at. Then `%`.
    of_segments: Sets<6>,
    /// Digits of what follows `%` in an address, and those that the second byte of a character begins with.
    of_escapes: Sets<2>,
}

/// The sets of these split points.
pub(super) fn masks(points: &WhiteSpace) -> Masks {
    let has_pairs = points.in_ascii().is_some();
    // What is kept together is new more often, which costs Unigram more than it gains.
    let has_escapes = has_pairs && !points.carries_sums;
    let of_segments = Sets::new(|byte| {
        let is_beside = has_pairs && byte.is_ascii_graphic();
        u8::from(points.starts_at(byte))
            | u8::from(points.may_stand_before(byte.into())) << 1
            | 1 << 2
            | u8::from(is_beside) << 3
            | u8::from(is_beside && !byte.is_ascii_alphabetic()) << 4
            | u8::from(has_escapes && byte == b'%') << 5
    });
    let of_escapes = Sets::new(|byte| u8::from(is_hexadecimal(byte)) | u8::from(is_first_of_continuation(byte)) << 1);
    Masks { of_segments, of_escapes }
}

/// Whether a byte is a digit of what follows `%` in an address.
#[inline(always)]
fn is_hexadecimal(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'A'..=b'F')
}

/// Whether it is the first digit of a byte that is not the first of its character.
#[inline(always)]
fn is_first_of_continuation(byte: u8) -> bool {
    matches!(byte, b'8' | b'9' | b'A' | b'B')
}

/// Finds bytes that are written as `%` and two digits, block by block.
#[derive(Clone, Copy, Default)]
struct Escapes {
    /// Where those of the previous block start.
    before: u64,
}

impl Escapes {
    /// The places of a block at which no segment starts: in such a byte, and before one that goes on with a character. `ahead` are
    /// the two bytes behind the block.
    #[inline(always)]
    fn insides(&mut self, percent: u64, [digits, firsts]: [u64; 2], ahead: [u8; 2]) -> u64 {
        let [near, far] = ahead.map(|byte| u64::from(is_hexadecimal(byte)));
        let first_digit = digits >> 1 | near << 63;
        let starts = percent & first_digit & (digits >> 2 | near << 62 | far << 63);
        let goes_on = starts & (firsts >> 1 | u64::from(is_first_of_continuation(ahead[0])) << 63);
        let before = std::mem::replace(&mut self.before, starts);
        let [first, second, next] = [1, 2, 3].map(|n| starts << n | before >> (64 - n));
        first | second | goes_on & next
    }
}

/// Walks through a text.
#[derive(Clone)]
struct Segments<'a, P> {
    processor: P,
    masks: &'a Masks,
    points: &'a WhiteSpace,
    in_ascii: Option<&'a InAscii>,
    text: &'a str,
    /// Where the next block starts.
    at: usize,
    /// Where the segment starts whose end is not known yet.
    start: usize,
    /// Bits about the last byte of the previous block: may it precede white space, is it ASCII, and the two sets of pairs.
    before: [u64; 4],
    escapes: Escapes,
}

impl<'a, P: Classify> Segments<'a, P> {
    /// The segments from byte `start` of a text on, which starts one.
    fn new(processor: P, masks: &'a Masks, points: &'a WhiteSpace, text: &'a str, start: usize) -> Self {
        let in_ascii = points.in_ascii();
        // The byte at `start` starts a segment whatever is before it.
        Self {
            processor,
            masks,
            points,
            in_ascii,
            text,
            at: start,
            start,
            before: [0, 1, 0, 0],
            escapes: Escapes::default(),
        }
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
            let [white, word, ascii, beside, others_than_letters, percent] =
                self.processor.masks(&self.masks.of_segments, block);
            let sets = [word, ascii, beside, others_than_letters];
            let after: [u64; 4] = std::array::from_fn(|n| sets[n] << 1 | self.before[n]);
            let mut starts = white & after[0];
            let mut others = white & !after[1];
            let mut pairs = beside & after[2] & (others_than_letters | after[3]);
            // After other characters each is asked.
            while others != 0 {
                let place = others.trailing_zeros();
                starts |= u64::from(self.points.is_after(self.text, self.at + place as usize)) << place;
                others &= others - 1;
            }
            if let Some(in_ascii) = self.in_ascii {
                if percent | self.escapes.before != 0 {
                    let escaped = self.processor.masks(&self.masks.of_escapes, block);
                    let ahead = [0, 1].map(|n| self.text.as_bytes().get(self.at + BLOCK + n).copied().unwrap_or(0));
                    pairs &= !self.escapes.insides(percent, escaped, ahead);
                }
                // Four at a time, though there may be fewer: how many there are cannot be foreseen.
                while pairs != 0 {
                    for _ in 0..4 {
                        let place = pairs.trailing_zeros() & 63;
                        let at = (self.at + place as usize).min(len - 1);
                        let [before, behind, after] =
                            [at.saturating_sub(1), at, (at + 1).min(len - 1)].map(|at| self.text.as_bytes()[at]);
                        let is_start = in_ascii.is_before(before, behind, after) & u64::from(pairs != 0);
                        starts |= is_start << place;
                        pairs &= pairs.wrapping_sub(1);
                    }
                }
            }
            self.before = sets.map(|set| set >> 63);
            queue.push_block(self.processor, self.at, starts);
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

    /// Pushes the tokens of queued segments of a text, up to the first whose tokens do not stand in its own line. Returns its number.
    fn known(&mut self, text: &[u8], queue: &Queue, segments: Range<usize>) -> usize;

    /// Encodes the segment of a text that starts and ends at these bytes. `number` is what [`Places::prefetch_long`] said of
    /// one that has no key.
    fn segment(&mut self, text: &str, range: (usize, usize), key: (Key, Place), number: u32)
    -> Result<(), EncodeError>;
}

/// Encodes the segments from byte `at` of a text on.
pub(super) struct Walk<'a, E> {
    pub masks: &'a Masks,
    pub points: &'a WhiteSpace,
    pub text: &'a str,
    pub at: usize,
    pub each: E,
}

/// [`Segments::fill`] in a function of its own, as it is the same for all sinks.
struct Fill<'a, 'b, P> {
    segments: &'a mut Segments<'b, P>,
    queue: &'a mut Queue,
}

impl<P: Classify> Work for Fill<'_, '_, P> {
    type Output = Option<usize>;

    #[inline(always)]
    fn on<Q: Classify>(self, _: Q) -> Self::Output {
        // The compiler keeps what has no other owner in registers.
        let mut segments = self.segments.clone();
        let end = segments.fill(self.queue);
        *self.segments = segments;
        end
    }
}

impl<E: EachSegment> Work for Walk<'_, E> {
    type Output = Result<(), EncodeError>;

    #[inline(always)]
    fn on<P: Classify>(self, processor: P) -> Self::Output {
        let Self { masks, points, text, at, mut each } = self;
        let mut segments = Segments::new(processor, masks, points, text, at);
        let mut queue = Queue::default();
        while let Some(end) = processor.run(Fill { segments: &mut segments, queue: &mut queue }) {
            call::check()?;
            queue.find_keys(text.as_bytes(), end, each.table());
            let mut n = 0;
            while n < queue.len() {
                n = each.known(text.as_bytes(), &queue, n..queue.len());
                if n < queue.len() {
                    each.segment(text, queue.range(n), queue.key(n), queue.number(n))?;
                    n += 1;
                }
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
    fn segments_end_at_white_space_after_a_word_and_in_ascii() {
        let mut random = Random::new(11);
        for definition in stages::with_fast_paths().into_iter().chain(stages::without_spaces()) {
            let tokenizer = definition.build("any").expect("valid");
            let Some(points) = &tokenizer.parts().white_space else { continue };
            for _ in 0..60 {
                let len = random.below(400);
                let piece = |random: &mut Random| {
                    *random.pick(&[
                        "a", "b,", " ", " ", "\n", "  ", "日本", " 語", "é ", "\u{301} ", "(", "\t", ".", "a.", "))",
                        "%", "%E3%81", "%D", "8", "%8B",
                    ])
                };
                let text: String = (0..len).map(|_| piece(&mut random)).collect();
                let start = (0..=text.len()).filter(|&at| text.is_char_boundary(at)).nth(len / 3).unwrap_or(0);
                let is_start = |&at: &usize| {
                    let (before, behind) = (text.as_bytes()[at - 1], text.as_bytes()[at]);
                    let after = text.as_bytes().get(at + 1).copied().unwrap_or_default();
                    let is_beside = |points: &InAscii| points.is_before(before, behind, after) == 1;
                    // Where the bytes start that are written as `%` and two digits, counted from where the segments start.
                    let is_escape = |at: usize| {
                        at >= start
                            && matches!(
                                text.as_bytes()[at..],
                                [b'%', b'0'..=b'9' | b'A'..=b'F', b'0'..=b'9' | b'A'..=b'F', ..]
                            )
                    };
                    let goes_on = matches!(text.as_bytes()[at + 1..], [b'8' | b'9' | b'A' | b'B', ..]);
                    let escape_before = |n: usize| at.checked_sub(n).is_some_and(is_escape);
                    let is_inside = !points.carries_sums
                        && (escape_before(1) || escape_before(2) || goes_on && is_escape(at) && escape_before(3));
                    (points.starts_at(behind) && points.is_after(&text, at))
                        || !is_inside
                            && (before.is_ascii() && behind.is_ascii() && points.in_ascii().is_some_and(is_beside))
                };
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
