//! Finds the segments of a text between split points at white space, 64 bytes at a time, and queues them.
//!
//! Not here: which places are split points ([`crate::split_points::white_space`]), and split points between characters, which
//! only some segments are split at.

#[cfg(target_arch = "x86_64")]
use super::blocks::{Avx2, Avx512};
use super::blocks::{BLOCK, Baseline, Classify, Sets};
use super::byte_level::block_at;
use super::byte_level::queue::{Part, Queue};
use crate::split_points::white_space::WhiteSpace;

/// White space that may be behind a split point, characters of ASCII that may be before one, and all of ASCII.
pub(super) type Masks = Sets<3>;

/// The sets of these split points.
pub(super) fn masks(points: &WhiteSpace) -> Masks {
    Sets::new(|byte| u8::from(points.starts_at(byte)) | u8::from(points.may_stand_before(byte.into())) << 1 | 1 << 2)
}

/// Work that is compiled for several processors.
pub(super) trait Work {
    /// What it gives.
    type Output;

    /// Does it. To be inlined, so that it is compiled for the processor of the caller.
    fn on<P: Classify>(self, processor: P) -> Self::Output;
}

/// The processor that there is.
#[derive(Clone, Debug)]
pub(super) struct Processor {
    #[cfg(target_arch = "x86_64")]
    avx2: Option<Avx2>,
    #[cfg(target_arch = "x86_64")]
    avx512: Option<Avx512>,
}

impl Processor {
    /// Asks what it can do.
    pub(super) fn new() -> Self {
        Self {
            #[cfg(target_arch = "x86_64")]
            avx2: Avx2::new(),
            #[cfg(target_arch = "x86_64")]
            avx512: Avx512::new(),
        }
    }

    /// Does the work, compiled for it.
    #[inline]
    pub(super) fn run<W: Work>(&self, work: W) -> W::Output {
        #[cfg(target_arch = "x86_64")]
        {
            #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx2,bmi1,bmi2,popcnt,lzcnt")]
            fn on_avx512<W: Work>(avx512: Avx512, work: W) -> W::Output {
                work.on(avx512)
            }
            #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
            fn on_avx2<W: Work>(avx2: Avx2, work: W) -> W::Output {
                work.on(avx2)
            }
            if let Some(avx512) = self.avx512 {
                // SAFETY: the value exists only if the processor has all of this.
                return unsafe { on_avx512(avx512, work) };
            }
            if let Some(avx2) = self.avx2 {
                // SAFETY: the value exists only if the processor has all of this.
                return unsafe { on_avx2(avx2, work) };
            }
        }
        work.on(Baseline)
    }
}

/// Walks through a text.
pub(super) struct Segments<'a, P> {
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
    pub(super) fn new(processor: P, masks: &'a Masks, points: &'a WhiteSpace, text: &'a str, start: usize) -> Self {
        // The byte at `start` starts a segment whatever is before it.
        Self { processor, masks, points, text, at: start, start, before: [0, 1] }
    }

    /// Fills the queue with the next segments and returns the end of the last one. `None` at the end of the text.
    #[inline(always)]
    pub(super) fn fill(&mut self, queue: &mut Queue) -> Option<usize> {
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
            if queue.is_full() {
                self.start = queue.pop();
                return Some(self.start);
            }
        }
        self.start = len;
        Some(len)
    }
}

#[cfg(test)]
mod tests {
    use super::super::blocks::Portable;
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
