//! The definition of the trainer: count all pairs, merge the best one everywhere, repeat.
//!
//! Reads every word for every merge, so it is for small corpora and for tests.

use rustc_hash::FxHashMap;

use super::{Candidate, Merge, Rules};
use crate::steps::Steps;
use crate::symbols::Symbols;
use crate::tokens::Tokens;

/// Words as lists of ids.
#[derive(Clone, Debug)]
pub struct Naive {
    pub(crate) words: Vec<(Vec<u32>, u64)>,
    rules: Rules,
}

impl Naive {
    /// A trainer before its first merge.
    pub(crate) fn new(symbols: &Symbols, rules: Rules) -> Self {
        Self { words: symbols.segments().map(|(word, count)| (word.to_vec(), count)).collect(), rules }
    }

    /// Makes the next merge; `None` if no pair may be merged.
    pub(crate) fn next(&mut self, tokens: &mut Tokens, steps: &mut Steps) -> Option<Merge> {
        let best = *self.pairs(tokens, steps).first()?;
        self.merge(best, tokens, steps)
    }

    /// The pairs that may be merged, the best first.
    pub(crate) fn pairs(&self, tokens: &Tokens, steps: &mut Steps) -> Vec<Candidate> {
        let allowed = self.allowed(tokens, steps).into_iter();
        let mut pairs: Vec<_> =
            allowed.map(|((left, right), count)| Candidate { left, right, count, score: None }).collect();
        pairs.sort_unstable_by_key(|pair| (std::cmp::Reverse(pair.count), pair.left, pair.right));
        pairs
    }

    /// The pairs that may be merged, with their counts.
    pub(crate) fn allowed(&self, tokens: &Tokens, steps: &mut Steps) -> Vec<((u32, u32), u64)> {
        let allowed = |&((left, right), count): &((u32, u32), u64)| {
            count >= self.rules.min_count
                && self.rules.allows(tokens, left, right)
                && tokens.is_new(&tokens.product(left, right))
        };
        get_stats(&self.words, steps).into_iter().filter(allowed).collect()
    }

    /// Merges a pair everywhere; `None` if a token with its spelling is there.
    pub(crate) fn merge(&mut self, pair: Candidate, tokens: &mut Tokens, steps: &mut Steps) -> Option<Merge> {
        let Candidate { left, right, count, score } = pair;
        let new = tokens.merge(left, right)?;
        for (word, _) in &mut self.words {
            steps.add("symbols_read", word.len());
            *word = merge(word, (left, right), new);
        }
        Some(Merge { left, right, new, count, score })
    }
}

/// How often each pair of neighbours occurs.
pub(crate) fn get_stats(words: &[(Vec<u32>, u64)], steps: &mut Steps) -> FxHashMap<(u32, u32), u64> {
    let mut pairs = FxHashMap::default();
    for (word, count) in words {
        steps.add("pairs_counted", word.len().saturating_sub(1));
        for pair in word.windows(2) {
            *pairs.entry((pair[0], pair[1])).or_default() += count;
        }
    }
    pairs
}

/// The word with every occurrence of a pair, from left to right, replaced.
pub(crate) fn merge(word: &[u32], pair: (u32, u32), new: u32) -> Vec<u32> {
    let mut merged = Vec::with_capacity(word.len());
    let mut rest = word;
    while let [first, others @ ..] = rest {
        let is_pair = *first == pair.0 && others.first() == Some(&pair.1);
        merged.push(if is_pair { new } else { *first });
        rest = if is_pair { &others[1..] } else { others };
    }
    merged
}
