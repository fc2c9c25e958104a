//! What tests share.

use crate::words::WordCounts;

/// Random numbers from a seed.
#[derive(Debug)]
pub struct Random(token_engine::internals::random::Random);

impl Random {
    /// Equal seeds give equal numbers.
    pub fn new(seed: u64) -> Self {
        Self(token_engine::internals::random::Random::new(seed))
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.0.next_bits() % bound as u64) as usize
    }
}

/// Counts of words.
pub fn counts_of(words: &[(&str, u64)]) -> WordCounts {
    let text_bytes = words.iter().map(|(word, count)| word.len() as u64 * count).sum();
    WordCounts::new(words.iter().map(|&(word, count)| (word.as_bytes(), count)), text_bytes).expect("small counts")
}
