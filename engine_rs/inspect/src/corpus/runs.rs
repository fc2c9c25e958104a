//! Runs of white space and digits, 64 bytes at a time: a bit mask per class, whose edges are the ends of runs.

use std::ops::Not;

use token_engine::Span;
use token_engine::internals::fast::blocks::{BLOCK, Classify, Sets};
use token_engine::internals::fast::processor::{Processor, Work};

/// Of what a run is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// Characters that are not white space.
    Word,
    /// Characters that are not white space of ASCII.
    AsciiWord,
    /// The digits of ASCII.
    Digits,
}

/// Calls `visit` with every maximal run of each class; the runs of one class come in the order of the text.
pub(super) fn for_each(text: &str, visit: impl FnMut(Class, Span)) {
    Processor::detected().run(Walk { text, visit });
}

struct Walk<'a, F> {
    text: &'a str,
    visit: F,
}

impl<F: FnMut(Class, Span)> Work for Walk<'_, F> {
    type Output = ();

    #[inline(always)]
    fn on<C: Classify>(self, classify: C) {
        walk(classify, self.text, self.visit);
    }
}

#[inline(always)]
fn walk(classify: impl Classify, text: &str, mut visit: impl FnMut(Class, Span)) {
    static SETS: std::sync::LazyLock<Sets<2>> = std::sync::LazyLock::new(|| {
        let is_space = |byte: u8| char::from(byte).is_whitespace();
        Sets::new(|byte| u8::from(is_space(byte)) | u8::from(byte.is_ascii_digit()) << 1)
    });
    let sets = &*SETS;
    let mut runs = [Class::Word, Class::AsciiWord, Class::Digits].map(Run::new);
    // Bytes of white space beyond the end of the block before.
    let mut left = 0;
    for (number, bytes) in text.as_bytes().chunks(BLOCK).enumerate() {
        // What is behind the end is white space: it ends all runs where the text does.
        let mut block = [b' '; BLOCK];
        block[..bytes.len()].copy_from_slice(bytes);
        let [ascii, digits] = classify.masks(sets, &block);
        let mut spaces = ascii | left;
        left = 0;
        if !block.is_ascii() {
            let (here, beyond) = wide_spaces(text, number * BLOCK, &block);
            (spaces, left) = (spaces | here, beyond);
        }
        let masks = [spaces.not(), ascii.not(), digits];
        for (run, mask) in runs.iter_mut().zip(masks) {
            run.take(mask, number * BLOCK, &mut visit);
        }
    }
    for run in runs {
        run.finish(text.len(), &mut visit);
    }
}

/// The white space of a block that is not ASCII, and its bytes in the next block.
fn wide_spaces(text: &str, base: usize, block: &[u8; BLOCK]) -> (u64, u64) {
    let (mut here, mut beyond) = (0, 0);
    for (at, byte) in block.iter().enumerate() {
        // First bytes of U+0085 and U+00A0, U+1680, U+2000 to U+205F, U+3000.
        if matches!(byte, 0xc2 | 0xe1 | 0xe2 | 0xe3) {
            let c = text[base + at..].chars().next().filter(|c| c.is_whitespace());
            let mask = c.map_or(0, |c| (1u128 << c.len_utf8()) - 1) << at;
            here |= mask as u64;
            beyond |= (mask >> BLOCK) as u64;
        }
    }
    (here, beyond)
}

/// Where the run that is not over began.
struct Run {
    class: Class,
    start: Option<u32>,
}

impl Run {
    fn new(class: Class) -> Self {
        Self { class, start: None }
    }

    #[inline(always)]
    fn take(&mut self, mask: u64, base: usize, visit: &mut impl FnMut(Class, Span)) {
        let mut edges = mask ^ (mask << 1 | u64::from(self.start.is_some()));
        while edges != 0 {
            let at = base as u32 + edges.trailing_zeros();
            edges &= edges - 1;
            match self.start.take() {
                Some(start) => visit(self.class, Span { start, end: at }),
                None => self.start = Some(at),
            }
        }
    }

    fn finish(self, end: usize, visit: &mut impl FnMut(Class, Span)) {
        if let Some(start) = self.start {
            visit(self.class, Span { start, end: end as u32 });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use token_engine::internals::fast::blocks::Portable;
    use token_engine::internals::testing::Random;

    /// One character after the other.
    fn by_character(text: &str, is_in: impl Fn(char) -> bool) -> Vec<Span> {
        let mut runs: Vec<Span> = vec![];
        for (at, c) in text.char_indices().filter(|&(_, c)| is_in(c)) {
            match runs.last_mut() {
                Some(run) if run.end as usize == at => run.end += c.len_utf8() as u32,
                _ => runs.push(Span::new(at, at + c.len_utf8())),
            }
        }
        runs
    }

    #[test]
    fn runs_are_those_of_single_characters() {
        let pieces =
            ["a", "b1", "12", "7", " ", "  ", "\n", "\u{1c}", "\u{a0}", "é", "\u{2003}", "\u{3000}", "語", "👩"];
        let mut random = Random::new(7);
        for _ in 0..3000 {
            let text: String = (0..random.below(150)).map(|_| *random.pick(&pieces)).collect();
            type Runs = [Vec<Span>; 3];
            let mut found = Runs::default();
            let visit = |found: &mut Runs, class: Class, run| found[class as usize].push(run);
            walk(Portable, &text, |class, run| visit(&mut found, class, run));
            let mut fast = Runs::default();
            for_each(&text, |class, run| visit(&mut fast, class, run));
            assert_eq!(found[0], by_character(&text, |c| !c.is_whitespace()), "{text:?}");
            assert_eq!(found[1], by_character(&text, |c| !(c.is_ascii() && c.is_whitespace())), "{text:?}");
            assert_eq!(found[2], by_character(&text, |c| c.is_ascii_digit()), "{text:?}");
            assert_eq!(fast, found, "{text:?}");
        }
    }
}
