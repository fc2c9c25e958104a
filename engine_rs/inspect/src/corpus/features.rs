//! What the measures ask of the text itself, found once for all tokenizers.

use super::measures::{Measure, Measures, TextSum, TextSums};
use super::runs::{self, Class};
use super::uax29;
use token_engine::Span;

/// Ranges of one document each, in its order, relative to its start.
#[derive(Default)]
pub(super) struct Features {
    /// Runs of characters that are not white space.
    pub(crate) words: Ranges,
    /// Words of UAX 29 with a letter or a number.
    pub(crate) words_unicode: Ranges,
    /// Runs of two digits or more: shorter ones have no inside.
    pub(crate) digits: Ranges,
    /// Runs of white space with other text on both sides.
    pub(crate) spaces: Ranges,
}

/// Ranges of several documents, by document.
#[derive(Default)]
pub(super) struct Ranges {
    all: Vec<Span>,
    /// Where the ranges of each document end.
    ends: Vec<usize>,
}

impl Ranges {
    fn clear(&mut self) {
        self.all.clear();
        self.ends.clear();
    }

    fn end_document(&mut self) {
        self.ends.push(self.all.len());
    }

    /// Those of the document `at`.
    pub(crate) fn of(&self, at: usize) -> &[Span] {
        &self.all[at.checked_sub(1).map_or(0, |before| self.ends[before])..self.ends[at]]
    }
}

impl Features {
    pub(crate) fn clear(&mut self) {
        let Self { words, words_unicode, digits, spaces } = self;
        [words, words_unicode, digits, spaces].into_iter().for_each(Ranges::clear);
    }

    /// Reads the next document and adds what it holds to `sums`.
    pub(crate) fn push(&mut self, text: &str, measures: Measures, sums: &mut TextSums) {
        let (characters, multibyte) = characters(text);
        sums[TextSum::Documents as usize] += 1;
        sums[TextSum::Bytes as usize] += text.len() as u64;
        sums[TextSum::Characters as usize] += characters;
        sums[TextSum::MultibyteCharacters as usize] += multibyte;
        sums[TextSum::Lines as usize] += lines(text);
        let counts_words = measures.has(Measure::Words);
        if counts_words || measures.has(Measure::Spaces) || measures.has(Measure::Digits) {
            self.find(text, measures);
        }
        let Self { words, words_unicode, digits, spaces } = self;
        [words, words_unicode, digits, spaces].into_iter().for_each(Ranges::end_document);
        if counts_words {
            let last = self.words.ends.len() - 1;
            sums[TextSum::Words as usize] += self.words.of(last).len() as u64;
            sums[TextSum::WordsUnicode as usize] += self.words_unicode.of(last).len() as u64;
        }
    }

    fn find(&mut self, text: &str, measures: Measures) {
        let Self { words, words_unicode, digits, spaces } = self;
        let (with_words, with_spaces) = (measures.has(Measure::Words), measures.has(Measure::Spaces));
        let with_digits = measures.has(Measure::Digits);
        let mut end = None;
        let visit = |class: Class, run: Span| match class {
            Class::Word => {
                if let Some(start) = end.replace(run.end).filter(|_| with_spaces) {
                    spaces.all.push(Span { start, end: run.start });
                }
                if with_words {
                    words.all.push(run);
                }
            }
            Class::AsciiWord if with_words => uax29::words(text, run, |word| words_unicode.all.push(word)),
            Class::Digits if with_digits && run.end - run.start > 1 => digits.all.push(run),
            _ => {}
        };
        runs::for_each(text, visit);
    }
}

/// Code points, and those of two bytes and more.
pub(super) fn characters(text: &str) -> (u64, u64) {
    let (mut continuing, mut leading) = (0, 0);
    // Counts of a few bytes fit into eight bits, which the compiler sums many at a time.
    for chunk in text.as_bytes().chunks(255) {
        let (mut inside, mut first) = (0u8, 0u8);
        for &byte in chunk {
            inside += u8::from(byte & 0xc0 == 0x80);
            first += u8::from(byte >= 0xc0);
        }
        continuing += u64::from(inside);
        leading += u64::from(first);
    }
    (text.len() as u64 - continuing, leading)
}

fn lines(text: &str) -> u64 {
    let mut ends = 0;
    for chunk in text.as_bytes().chunks(255) {
        ends += u64::from(chunk.iter().map(|&byte| u8::from(byte == b'\n')).sum::<u8>());
    }
    ends + u64::from(!text.is_empty() && !text.ends_with('\n'))
}
