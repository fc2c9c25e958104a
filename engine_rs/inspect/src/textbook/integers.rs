//! Byte-pair encoding of a sequence of integers: count all pairs, merge one of them everywhere, repeat.
//!
//! This is the usual form of the algorithm in courses. There is no text and there are no pretokens: symbols are
//! numbers, and each merge makes the next free number. Training merges the most frequent pair, encoding the pair that
//! was learnt first. Counts include overlapping pairs (`aaa` contains `aa` twice); merging goes from left to right
//! without overlap.
//!
//! Source: Gage: A New Algorithm for Data Compression (1994).

use std::collections::HashMap;

use super::Steps;
use token_engine::Id;
use token_engine::internals::call::{self, Cancelled};
use token_engine::models::bpe::merges::{Merges, NO_RANK};

/// Two neighbouring symbols.
pub type Pair = [Id; 2];

/// A merge that training made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Learnt {
    /// The two symbols that merge.
    pub pair: Pair,
    /// The symbol they become.
    pub id: Id,
    /// Number of occurrences of the pair when it was chosen.
    pub count: u64,
}

/// Counts each pair of neighbours in `symbols`, and finds its first position.
pub(crate) fn pair_counts(symbols: &[Id]) -> HashMap<Pair, (u64, usize)> {
    let mut counts = HashMap::new();
    for (at, pair) in symbols.windows(2).enumerate() {
        counts.entry([pair[0], pair[1]]).or_insert((0, at)).0 += 1;
    }
    counts
}

/// Replaces every `pair` by `id`, from left to right.
pub(crate) fn merge(symbols: &[Id], pair: Pair, id: Id) -> Vec<Id> {
    let mut merged = Vec::with_capacity(symbols.len());
    let mut at = 0;
    while at < symbols.len() {
        if symbols[at..].starts_with(&pair) {
            merged.push(id);
            at += 2;
        } else {
            merged.push(symbols[at]);
            at += 1;
        }
    }
    merged
}

/// Learns up to `merges` merges, numbering new symbols from `first_id`. Among equally frequent pairs, the first in the
/// sequence wins. Stops early when no pair occurs twice.
///
/// Errors: the call was cancelled.
///
/// ```
/// # use token_inspect::textbook::integers::train;
/// let learnt = train(b"aaabdaaabac".map(u32::from).to_vec(), 3, 256)?;
/// let pairs: Vec<_> = learnt.iter().map(|merge| (merge.pair, merge.id, merge.count)).collect();
/// let (a, b) = (97, 98);
/// assert_eq!(pairs, [([a, a], 256, 4), ([256, a], 257, 2), ([257, b], 258, 2)]);
/// # Ok::<(), token_engine::internals::call::Cancelled>(())
/// ```
pub fn train(mut symbols: Vec<Id>, merges: usize, first_id: Id) -> Result<Vec<Learnt>, Cancelled> {
    let mut learnt = vec![];
    for id in (first_id..=Id::MAX).take(merges) {
        call::check()?;
        let counts = pair_counts(&symbols);
        let best = counts.into_iter().max_by_key(|&(_, (count, first))| (count, std::cmp::Reverse(first)));
        let Some((pair, (count, _))) = best.filter(|&(_, (count, _))| count > 1) else { break };
        symbols = merge(&symbols, pair, id);
        learnt.push(Learnt { pair, id, count });
    }
    Ok(learnt)
}

/// Merges all occurrences of the pair with the lowest rank, until no pair can merge.
///
/// The result equals [`super::naive::encode`] if every merge ranks after the merges of its parts, as in trained merges.
/// Otherwise they may differ, because here all occurrences merge before any pair that the first one creates.
pub(crate) fn encode(merges: &Merges, mut symbols: Vec<Id>, steps: &mut Steps) -> Vec<Id> {
    loop {
        steps.lookups += symbols.len().saturating_sub(1) as u64;
        let ranked = symbols.windows(2).map(|pair| (merges.rank(pair[0], pair[1]), [pair[0], pair[1]]));
        let Some((rank, pair)) = ranked.min().filter(|&(rank, _)| rank != NO_RANK) else { return symbols };
        let merged = merge(&symbols, pair, merges.result(rank));
        steps.merges += (symbols.len() - merged.len()) as u64;
        steps.moves += merged.len() as u64;
        symbols = merged;
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn example_of_merge() {
        use crate::textbook::integers::merge;
        assert_eq!(merge(&[1, 1, 1, 2], [1, 1], 9), [9, 1, 2]);
    }
}
