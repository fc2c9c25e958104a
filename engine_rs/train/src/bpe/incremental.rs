//! As the definition, but pairs are counted once: a merge reads only the words that have its pair.
//!
//! The best pair is still looked for among all of them.

use super::index::Index;
use super::{Merge, Rules};
use crate::steps::Steps;
use crate::symbols::Symbols;
use crate::tokens::Tokens;

/// Words with an index of their pairs.
#[derive(Clone, Debug)]
pub(crate) struct Incremental(Index);

impl Incremental {
    /// A trainer before its first merge.
    pub(crate) fn new(symbols: &Symbols, rules: Rules) -> Self {
        Self(Index::new(symbols, rules))
    }

    /// Makes the next merge; `None` if no pair may be merged.
    pub(crate) fn next(&mut self, tokens: &mut Tokens, steps: &mut Steps) -> Option<Merge> {
        // Ends: a pair is refused once.
        loop {
            steps.add("pairs_compared", self.0.counts.len());
            let allowed = self.0.counts.iter().filter(|&(&pair, &count)| self.0.is_allowed(pair, count, tokens));
            let best = allowed.max_by_key(|&(&pair, &count)| (count, std::cmp::Reverse(pair)));
            let (&(left, right), &count) = best?;
            if let Some(new) = tokens.merge(left, right) {
                self.0.merge((left, right), new, steps);
                return Some(Merge { left, right, new, count, score: None });
            }
            self.0.refuse((left, right));
        }
    }
}
