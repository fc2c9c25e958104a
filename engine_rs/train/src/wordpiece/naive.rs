//! The definition: count all pairs and their parts, merge the pair with the best score everywhere, repeat.
//!
//! Reads every word for every merge, so it is for small corpora and for tests.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use super::score::Score;
use crate::bpe::{Candidate, Rules, naive};
use crate::steps::Steps;
use crate::symbols::Symbols;
use crate::tokens::Tokens;

/// Words as lists of ids.
#[derive(Clone, Debug)]
pub struct Naive(pub(crate) naive::Naive);

impl Naive {
    /// A trainer before its first merge.
    pub(crate) fn new(symbols: &Symbols, rules: Rules) -> Self {
        Self(naive::Naive::new(symbols, rules))
    }

    /// The pairs that may be merged, the best first.
    pub(crate) fn pairs(&self, tokens: &Tokens, steps: &mut Steps) -> Vec<Candidate> {
        let mut counts: FxHashMap<u32, u64> = FxHashMap::default();
        for (word, count) in &self.0.words {
            word.iter().for_each(|&id| *counts.entry(id).or_default() += count);
        }
        let score = |((left, right), count)| (Score { count, left: counts[&left], right: counts[&right] }, left, right);
        let mut pairs: Vec<(Score, u32, u32)> = self.0.allowed(tokens, steps).into_iter().map(score).collect();
        pairs.sort_unstable_by(|a, b| b.0.compare(a.0).then_with(|| Reverse((b.1, b.2)).cmp(&Reverse((a.1, a.2)))));
        let candidate = |(score, left, right): (Score, u32, u32)| Candidate {
            left,
            right,
            count: score.count,
            score: Some(score.value()),
        };
        pairs.into_iter().map(candidate).collect()
    }
}
