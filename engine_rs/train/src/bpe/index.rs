//! Words, the counts of their pairs, and for each pair the words that have it: what the incremental trainers share.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Rules;
use crate::steps::Steps;
use crate::symbols::Symbols;
use crate::tokens::Tokens;

/// Two neighbours.
pub type Pair = (u32, u32);

/// Words with an index of their pairs.
#[derive(Clone, Debug)]
pub struct Index {
    words: Vec<(Vec<u32>, u64)>,
    /// How often each pair occurs.
    pub(crate) counts: FxHashMap<Pair, u64>,
    /// The words that have a pair, or had it.
    places: FxHashMap<Pair, FxHashSet<usize>>,
    /// Pairs that are never merged: a token with their spelling is there.
    refused: FxHashSet<Pair>,
    rules: Rules,
}

impl Index {
    /// The words before the first merge.
    pub(crate) fn new(symbols: &Symbols, rules: Rules) -> Self {
        let words = symbols.segments().map(|(word, count)| (word.to_vec(), count)).collect();
        let mut index = Self {
            words,
            counts: FxHashMap::default(),
            places: FxHashMap::default(),
            refused: FxHashSet::default(),
            rules,
        };
        for at in 0..index.words.len() {
            let (word, count) = &index.words[at];
            for pair in word.windows(2).map(|pair| (pair[0], pair[1])) {
                *index.counts.entry(pair).or_default() += count;
                index.places.entry(pair).or_default().insert(at);
            }
        }
        index
    }

    /// Whether a pair may be merged.
    pub(crate) fn is_allowed(&self, pair: Pair, count: u64, tokens: &Tokens) -> bool {
        count >= self.rules.min_count && self.rules.allows(tokens, pair.0, pair.1) && !self.refused.contains(&pair)
    }

    /// A pair that is never merged.
    pub(crate) fn refuse(&mut self, pair: Pair) {
        self.refused.insert(pair);
    }

    /// Makes a merge in the words that have the pair. Returns the pairs that came into being.
    pub(crate) fn merge(&mut self, pair: Pair, new: u32, steps: &mut Steps) -> Vec<Pair> {
        let mut made = FxHashSet::default();
        for at in self.places.remove(&pair).unwrap_or_default() {
            let (word, count) = &mut self.words[at];
            steps.add("words_read", 1);
            steps.add("symbols_read", word.len());
            for old in word.windows(2).map(|old| (old[0], old[1])) {
                if let Some(sum) = self.counts.get_mut(&old) {
                    *sum -= *count;
                }
            }
            *word = super::naive::merge(word, pair, new);
            for pair in word.windows(2).map(|pair| (pair[0], pair[1])) {
                *self.counts.entry(pair).or_default() += *count;
                if pair.0 == new || pair.1 == new {
                    self.places.entry(pair).or_default().insert(at);
                    made.insert(pair);
                }
            }
        }
        self.counts.remove(&pair);
        made.into_iter().collect()
    }
}
