//! Unique words of a corpus with their counts: what every trainer learns from.
//!
//! Words are bytes: of byte-level tokenizers those of the text, of others the UTF-8 of what the pretokenizer returned.
//! Not here: how texts become words ([`crate::counter`]).

use std::cmp::Reverse;

use token_engine::EncodeError;

use crate::error::TrainError;
use crate::followers::{self, Follower};

/// Unique words, the most frequent first; among equal counts by their bytes. The order depends on nothing else, so that
/// equal corpora give equal trainings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WordCounts {
    /// The words, one after the other.
    bytes: Vec<u8>,
    /// Length of each word, in bytes.
    lengths: Vec<u32>,
    /// The counts, which fall from run to run.
    runs: Vec<Run>,
    /// What follows each word; empty if the counter did not keep it.
    followers: Vec<Follower>,
    text_bytes: u64,
}

/// Words that follow each other and occur equally often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    count: u64,
    words: usize,
}

impl WordCounts {
    /// Counts of words that are given one by one; equal words are added up. `text_bytes` is the length of the texts.
    ///
    /// Errors: a sum that passes 64 bits.
    ///
    /// ```
    /// # use token_train::WordCounts;
    /// let counts = WordCounts::new([(&b"low"[..], 5), (b"new", 6), (b"low", 2)], 40)?;
    /// assert_eq!(counts.iter().collect::<Vec<_>>(), [(&b"low"[..], 7), (b"new", 6)]);
    /// assert_eq!((counts.len(), counts.total(), counts.text_bytes()), (2, 13, 40));
    /// # Ok::<(), token_train::TrainError>(())
    /// ```
    pub fn new<'a>(words: impl IntoIterator<Item = (&'a [u8], u64)>, text_bytes: u64) -> Result<Self, TrainError> {
        let mut all: Vec<(&[u8], u64)> =
            words.into_iter().filter(|(word, count)| !word.is_empty() && *count > 0).collect();
        all.sort_unstable();
        let mut merged: Vec<(&[u8], u64)> = Vec::with_capacity(all.len());
        for (word, count) in all {
            match merged.last_mut() {
                Some((last, sum)) if *last == word => *sum = add(*sum, count, word)?,
                _ => merged.push((word, count)),
            }
        }
        Self::of_unique(merged, text_bytes)
    }

    /// The same of words that are unique already.
    pub fn of_unique<'a>(
        words: impl IntoIterator<Item = (&'a [u8], u64)>,
        text_bytes: u64,
    ) -> Result<Self, TrainError> {
        let words: Vec<(&[u8], u64)> = words.into_iter().collect();
        let max = u32::MAX.into();
        let count =
            u32::try_from(words.len()).map_err(|_| TrainError::TooManySymbols { symbols: words.len() as u64, max })?;
        Self::of_numbered((0..count).collect(), |at| words[at as usize], text_bytes)
    }

    /// The counts of unique words, which `word` returns by their numbers.
    pub(crate) fn of_numbered<'a>(
        mut order: Vec<u32>,
        word: impl Fn(u32) -> (&'a [u8], u64),
        text_bytes: u64,
    ) -> Result<Self, TrainError> {
        order.sort_unstable_by_key(|&at| Reverse(word(at).1));
        let mut counts = Self { text_bytes, ..Self::default() };
        counts.bytes.reserve_exact(order.iter().map(|&at| word(at).0.len()).sum());
        counts.lengths.reserve_exact(order.len());
        // Most words occur a few times, so only those with the same count are sorted by their bytes.
        let mut equal = vec![];
        for run in order.chunk_by(|&left, &right| word(left).1 == word(right).1) {
            // The first bytes as a number decide most comparisons without a look at the word.
            equal.extend(run.iter().map(|&at| (first_bytes(word(at).0), word(at).0)));
            equal.sort_unstable();
            let count = word(run[0]).1;
            equal.drain(..).try_for_each(|(_, word)| counts.push(word, count))?;
        }
        counts.check_sum()?;
        Ok(counts)
    }

    /// Adds a word that comes after all others.
    ///
    /// Errors: a word of 4 GiB or more.
    fn push(&mut self, word: &[u8], count: u64) -> Result<(), TrainError> {
        self.lengths.push(u32::try_from(word.len()).map_err(|_| EncodeError::TooLong { bytes: word.len() })?);
        self.bytes.extend_from_slice(word);
        match self.runs.last_mut() {
            Some(run) if run.count == count => run.words += 1,
            _ => self.runs.push(Run { count, words: 1 }),
        }
        Ok(())
    }

    /// Checks that no later sum can overflow: every pair and every symbol occurs at most as often as all bytes do.
    fn check_sum(&self) -> Result<(), TrainError> {
        let mut occurrences = 0u64;
        for (word, count) in self.iter() {
            let bytes = count.checked_mul(word.len() as u64);
            let sum = bytes.and_then(|bytes| bytes.checked_add(occurrences));
            occurrences = sum.ok_or_else(|| overflow("the bytes of all words"))?;
        }
        Ok(())
    }

    /// The counts of words that have what follows them at their ends.
    ///
    /// Errors: a sum that passes 64 bits.
    pub(crate) fn of_followed<'a>(
        counted: impl IntoIterator<Item = (&'a [u8], u64)>,
        text_bytes: u64,
    ) -> Result<Self, TrainError> {
        let split = |(counted, count)| {
            let (word, next) = followers::split(counted);
            (word, Follower::One(next), count)
        };
        Self::with_followers(counted.into_iter().map(split).collect(), text_bytes)
    }

    /// The counts of words with their followers; equal words are added up.
    ///
    /// Errors: a sum that passes 64 bits.
    pub(crate) fn with_followers(mut all: Vec<(&[u8], Follower, u64)>, text_bytes: u64) -> Result<Self, TrainError> {
        all.sort_unstable();
        let mut merged: Vec<(&[u8], Follower, u64)> = Vec::with_capacity(all.len());
        for (word, follower, count) in all {
            match merged.last_mut() {
                Some((last, all, sum)) if *last == word => {
                    *all = all.or(follower);
                    *sum = add(*sum, count, word)?;
                }
                _ => merged.push((word, follower, count)),
            }
        }
        merged.sort_unstable_by_key(|&(word, _, count)| (Reverse(count), word));
        let mut counts = Self { text_bytes, ..Self::default() };
        merged.iter().try_for_each(|&(word, _, count)| counts.push(word, count))?;
        counts.check_sum()?;
        counts.followers = merged.into_iter().map(|(_, follower, _)| follower).collect();
        Ok(counts)
    }

    /// Number of unique words.
    pub fn len(&self) -> usize {
        self.lengths.len()
    }

    /// Whether there is no word.
    pub fn is_empty(&self) -> bool {
        self.lengths.is_empty()
    }

    /// Number of words, repetitions included.
    pub fn total(&self) -> u64 {
        // No overflow: the sum of counts times lengths has none.
        self.runs.iter().map(|run| run.count * run.words as u64).sum()
    }

    /// Length of the texts that were counted, in bytes.
    pub fn text_bytes(&self) -> u64 {
        self.text_bytes
    }

    /// Length of all unique words, in bytes.
    pub fn unique_bytes(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Number of symbols of all unique words, with one for the end of each: bytes, or characters of UTF-8.
    pub(crate) fn symbols(&self, are_bytes: bool) -> u64 {
        let is_symbol = |byte: &&u8| are_bytes || **byte & 0xC0 != 0x80;
        (self.bytes.iter().filter(is_symbol).count() + self.len()) as u64
    }

    /// Words with their counts, in the order of this list.
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], u64)> + Clone {
        let mut start = 0;
        let words = self.lengths.iter().map(move |&length| {
            let word = &self.bytes[start..start + length as usize];
            start += word.len();
            word
        });
        words.zip(self.runs.iter().flat_map(|run| std::iter::repeat_n(run.count, run.words)))
    }

    /// What follows each word, in the order of this list. Empty if the counter did not keep it.
    pub(crate) fn followers(&self) -> &[Follower] {
        &self.followers
    }

    /// Memory of the words and counts, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.bytes.capacity()
            + 4 * self.lengths.capacity()
            + self.runs.capacity() * size_of::<Run>()
            + self.followers.capacity() * size_of::<Follower>()
    }
}

/// The first eight bytes as a number that sorts as they do.
fn first_bytes(word: &[u8]) -> u64 {
    let mut first = [0; 8];
    let len = word.len().min(8);
    first[..len].copy_from_slice(&word[..len]);
    u64::from_be_bytes(first)
}

/// A sum of counts of a word.
pub(crate) fn add(sum: u64, count: u64, word: &[u8]) -> Result<u64, TrainError> {
    sum.checked_add(count).ok_or_else(|| overflow(&format!("the word {:?}", shown(word))))
}

/// A sum of lengths of texts.
pub(crate) fn add_bytes(sum: u64, bytes: u64) -> Result<u64, TrainError> {
    sum.checked_add(bytes).ok_or_else(|| overflow("the bytes of all texts"))
}

fn overflow(what: &str) -> TrainError {
    TrainError::Overflow { what: what.to_owned() }
}

/// The start of a word, for errors.
fn shown(word: &[u8]) -> String {
    String::from_utf8_lossy(word).chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_that_pass_64_bits_are_an_error() {
        let twice = WordCounts::new([(&b"a"[..], u64::MAX), (b"a", 1)], 0);
        assert_eq!(
            twice.expect_err("overflow").to_string(),
            "the count of the word \"a\" passes 2^64 - 1; train on fewer texts"
        );
        let long = WordCounts::new([(&b"ab"[..], u64::MAX / 2 + 1)], 0);
        assert!(matches!(long, Err(TrainError::Overflow { .. })));
        assert!(WordCounts::new([(&b"ab"[..], u64::MAX / 2)], 0).is_ok(), "64 bits are used in full");
    }

    #[test]
    fn empty_words_and_zero_counts_are_left_out() {
        let counts = WordCounts::new([(&b""[..], 5), (b"a", 0)], 5).expect("small");
        assert!(counts.is_empty());
    }
}
