//! The definition: count all pairs and their parts, merge the pair with the best score everywhere, repeat.
//!
//! Reads every word for every merge, so it is for small corpora and for tests.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use super::score::Score;
use crate::bpe::{Merge, Rules, naive};
use crate::steps::Steps;
use crate::symbols::Symbols;
use crate::tokens::Tokens;

/// Words as lists of ids.
#[derive(Clone, Debug)]
pub struct Naive {
    words: Vec<(Vec<u32>, u64)>,
    rules: Rules,
}

impl Naive {
    /// A trainer before its first merge.
    pub(crate) fn new(symbols: &Symbols, rules: Rules) -> Self {
        Self { words: symbols.segments().map(|(word, count)| (word.to_vec(), count)).collect(), rules }
    }

    /// Makes the next merge; `None` if no pair may be merged.
    pub(crate) fn next(&mut self, tokens: &mut Tokens, steps: &mut Steps) -> Option<Merge> {
        let pairs = naive::get_stats(&self.words, steps);
        let mut counts: FxHashMap<u32, u64> = FxHashMap::default();
        for (word, count) in &self.words {
            word.iter().for_each(|&id| *counts.entry(id).or_default() += count);
        }
        let allowed = |&(&(left, right), &count): &(&(u32, u32), &u64)| {
            count >= self.rules.min_count && tokens.length(left) + tokens.length(right) <= self.rules.max_length
        };
        let score = |(&(left, right), &count): (&(u32, u32), &u64)| {
            (Score { count, left: counts[&left], right: counts[&right] }, left, right)
        };
        let mut pairs: Vec<_> = pairs.iter().filter(allowed).map(score).collect();
        pairs.sort_unstable_by(|a, b| b.0.compare(a.0).then_with(|| Reverse((b.1, b.2)).cmp(&Reverse((a.1, a.2)))));
        let (score, left, right, new) = pairs
            .into_iter()
            .find_map(|(score, left, right)| tokens.merge(left, right).map(|new| (score, left, right, new)))?;
        for (word, _) in &mut self.words {
            *word = naive::merge(word, (left, right), new);
        }
        Some(Merge { left, right, new, count: score.count, score: Some(score.value()) })
    }
}
