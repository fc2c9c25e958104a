//! All ways to divide the words of a corpus into tokens: for each position, the tokens that start there.
//!
//! Made once; tokens that training removes are removed here too, so that no step looks a token up in a tree.
//!
//! Words lie in parts of about the same size. How many there are depends on the words alone, so that sums over parts are the
//! same for any number of threads.

use rayon::prelude::*;

use super::text::{Text, Word};
use super::tokens::{GONE, Lexicon, Tokens};
use crate::stop::{Stop, Stopped};

/// A part has at least so many symbols, unless it is the only one.
const PART: usize = if cfg!(test) { 1 << 10 } else { 1 << 16 };
/// Each part has sums of its own over all tokens, so there are not more.
const MOST_PARTS: usize = 16;

/// Words next to each other, with the tokens that start at each of their positions.
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// The position in the text of its first symbol.
    start: u32,
    /// Its words.
    pub(crate) words: Vec<Word>,
    /// Where the tokens of each position begin in `ids`; at the end, their number.
    firsts: Vec<u32>,
    /// The tokens of one position after the other, the shortest first.
    ids: Vec<u32>,
}

impl Part {
    fn new(text: &Text, words: &[Word], lexicon: &Lexicon, stop: Stop<'_>) -> Result<Self, Stopped> {
        let (start, end) = (words[0].start, words[words.len() - 1].end);
        let mut part =
            Self { start, words: words.to_vec(), firsts: Vec::with_capacity((end - start) as usize + 2), ids: vec![] };
        for word in words {
            for at in word.start..word.end {
                stop.check_at(at as usize)?;
                part.firsts.push(part.ids.len() as u32);
                lexicon.prefixes(&text.symbols[at as usize..word.end as usize], |id| part.ids.push(id));
            }
            // No token starts at the end of a word.
            part.firsts.push(part.ids.len() as u32);
        }
        part.firsts.push(part.ids.len() as u32);
        Ok(part)
    }

    /// The tokens that start at a position of the text.
    #[inline]
    pub(crate) fn ids_at(&self, at: u32) -> &[u32] {
        let at = (at - self.start) as usize;
        &self.ids[self.firsts[at] as usize..self.firsts[at + 1] as usize]
    }

    fn retain(&mut self, new_ids: &[u32]) {
        let (mut read, mut write) = (0, 0);
        for first in &mut self.firsts {
            let end = *first as usize;
            while read < end {
                let id = new_ids[self.ids[read] as usize];
                self.ids[write] = id;
                write += usize::from(id != GONE);
                read += 1;
            }
            *first = write as u32;
        }
        self.ids.truncate(write);
    }
}

/// The parts of a text.
#[derive(Clone, Debug, Default)]
pub struct Lattice {
    /// In the order of the text.
    pub(crate) parts: Vec<Part>,
}

impl Lattice {
    /// The lattice of all words, by tokens that have all characters of the text.
    pub fn new(text: &Text, tokens: &Tokens, stop: Stop<'_>) -> Result<Self, Stopped> {
        let lexicon = Lexicon::new(tokens, stop)?;
        stop.check()?;
        let size = PART.max(text.symbols.len().div_ceil(MOST_PARTS));
        let mut parts: Vec<&[Word]> = vec![];
        let mut rest = &text.words[..];
        while let Some(first) = rest.first() {
            let count = rest.partition_point(|word| ((word.start - first.start) as usize) < size);
            let (part, after) = rest.split_at(count);
            parts.push(part);
            rest = after;
        }
        let parts: Result<_, _> = parts.into_par_iter().map(|words| Part::new(text, words, &lexicon, stop)).collect();
        Ok(Self { parts: parts? })
    }

    /// The part of a position of the text.
    pub(crate) fn part_of(&self, at: u32) -> &Part {
        &self.parts[self.parts.partition_point(|part| part.start <= at) - 1]
    }

    /// Removes tokens and numbers the others as [`Tokens::retain`] says.
    pub(crate) fn retain(&mut self, new_ids: &[u32]) {
        self.parts.par_iter_mut().for_each(|part| part.retain(new_ids));
    }

    /// A position of the text at which each token starts.
    pub(crate) fn occurrences(&self, tokens: usize) -> Vec<u32> {
        let mut occurrences = vec![GONE; tokens];
        for part in &self.parts {
            for word in &part.words {
                for at in word.start..word.end {
                    for &id in part.ids_at(at) {
                        occurrences[id as usize] = at;
                    }
                }
            }
        }
        occurrences
    }

    /// Bytes of memory it takes.
    pub(crate) fn size_bytes(&self) -> usize {
        self.parts
            .iter()
            .map(|part| 4 * (part.firsts.capacity() + part.ids.capacity()) + size_of::<Word>() * part.words.len())
            .sum()
    }
}
