//! Byte-pair encoding: the most frequent pair of neighbours becomes a token, again and again.
//!
//! Among equally frequent pairs the one with the lowest ids is merged, the left id first. [`naive`] is the definition; all
//! other algorithms make the same merges.
//!
//! Source: Sennrich, Haddow, Birch 2016, Neural machine translation of rare words with subword units; Gage 1994, A new
//! algorithm for data compression.

pub mod fast;
pub mod heap;
pub(crate) mod incremental;
mod index;
pub mod naive;
pub(crate) mod pairs;
pub(crate) mod places;
pub mod race;
pub(crate) mod slots;
#[cfg(test)]
mod tests;

use std::cmp::Ordering;

use crate::options::Options;
use crate::tokens::Tokens;

/// A merge that was made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Merge {
    /// Id of the left part.
    pub left: u32,
    /// Id of the right part.
    pub right: u32,
    /// Id of the token that it makes.
    pub new: u32,
    /// How often the pair occurred.
    pub count: u64,
    /// The score of WordPiece.
    pub score: Option<f64>,
}

/// A pair that may be merged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// Id of the left part.
    pub left: u32,
    /// Id of the right part.
    pub right: u32,
    /// How often it occurs.
    pub count: u64,
    /// The score of WordPiece.
    pub score: Option<f64>,
}

/// Which pairs may be merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The lowest count of a pair, at least 1.
    pub(crate) min_count: u64,
    /// The longest token.
    max_length: u32,
    /// Whether no part of a character is joined with another character.
    whole_characters: bool,
    /// The most words that a token reaches into.
    max_words: usize,
}

impl Rules {
    /// Those of the options.
    pub(crate) fn new(options: &Options) -> Self {
        let max_length = options.max_token_length.map_or(u32::MAX, |max| u32::try_from(max).unwrap_or(u32::MAX));
        let whole_characters = options.whole_characters;
        Self { min_count: options.min_frequency.max(1), max_length, whole_characters, max_words: usize::MAX }
    }

    /// The same for merges that join words.
    pub(crate) fn of_superwords(options: &Options) -> Self {
        Self { max_words: options.superword_words, ..Self::new(options) }
    }

    /// Whether a pair may become a token, however often it occurs.
    pub(crate) fn allows(&self, tokens: &Tokens, left: u32, right: u32) -> bool {
        tokens.length(left) + tokens.length(right) <= self.max_length
            && (!self.whole_characters || keeps_characters(tokens.get(left), tokens.get(right)))
            && (self.max_words == usize::MAX || words(tokens.get(left), tokens.get(right)) <= self.max_words)
    }
}

/// Whether two tokens of UTF-8 make whole characters of whole ones, or stay within one character.
///
/// Source: Land, Arnett 2025, BPE stays on SCRIPT.
fn keeps_characters(left: &[u8], right: &[u8]) -> bool {
    let goes_on = |byte: &u8| byte & 0xC0 == 0x80;
    let is_whole = |token| std::str::from_utf8(token).is_ok();
    left.iter().chain(right).skip(1).all(goes_on) || (is_whole(left) && is_whole(right))
}

/// Number of words of a pair: stretches between white space of ASCII.
fn words(left: &[u8], right: &[u8]) -> usize {
    let product = [left, right].concat();
    product.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).count()
}

/// The caller set the stop flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stopped;

/// A pair in a heap: the most frequent first, then the lowest ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    count: u64,
    left: u32,
    right: u32,
    number: u32,
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        self.count.cmp(&other.count).then_with(|| (other.left, other.right).cmp(&(self.left, self.right)))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
