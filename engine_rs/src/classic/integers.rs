//! Byte-pair encoding of a sequence of integers: count all pairs, merge one of them everywhere, begin again.
//!
//! The form in which the algorithm is usually taught. It knows neither text nor pretokens: symbols are numbers, and a
//! merge makes the next free number. Training takes the pair that is most frequent; encoding the pair that was learnt
//! first. Pairs are counted as they overlap (`aaa` holds `aa` twice) and merged from the left without overlap.
//!
//! Source: Gage: A New Algorithm for Data Compression (1994).

use std::collections::HashMap;

use super::Steps;
use crate::ids::Id;
use crate::models::bpe::merges::{Merges, NO_RANK};

/// Two neighbours.
pub type Pair = [Id; 2];

/// A merge that training made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Learnt {
    /// What merges.
    pub pair: Pair,
    /// What it becomes.
    pub id: Id,
    /// How often the pair stood in the sequence when it was chosen.
    pub count: u64,
}

/// How often each pair of neighbours stands in `symbols`, and where it stands first.
pub fn pair_counts(symbols: &[Id]) -> HashMap<Pair, (u64, usize)> {
    let mut counts = HashMap::new();
    for (at, pair) in symbols.windows(2).enumerate() {
        counts.entry([pair[0], pair[1]]).or_insert((0, at)).0 += 1;
    }
    counts
}

/// Puts `id` in the place of every `pair`, from the left.
///
/// ```
/// # use token_engine::classic::integers::merge;
/// assert_eq!(merge(&[1, 1, 1, 2], [1, 1], 9), [9, 1, 2]);
/// ```
pub fn merge(symbols: &[Id], pair: Pair, id: Id) -> Vec<Id> {
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

/// Learns up to `merges` merges; new symbols are numbered from `first_id` on. Of the pairs that are most frequent the one
/// that stands first is taken. Stops early where no pair stands in the sequence twice.
///
/// ```
/// # use token_engine::classic::integers::train;
/// let learnt = train(b"aaabdaaabac".map(u32::from).to_vec(), 3, 256);
/// let pairs: Vec<_> = learnt.iter().map(|merge| (merge.pair, merge.id, merge.count)).collect();
/// let (a, b) = (97, 98);
/// assert_eq!(pairs, [([a, a], 256, 4), ([256, a], 257, 2), ([257, b], 258, 2)]);
/// ```
pub fn train(mut symbols: Vec<Id>, merges: usize, first_id: Id) -> Vec<Learnt> {
    let mut learnt = vec![];
    for id in (first_id..=Id::MAX).take(merges) {
        let counts = pair_counts(&symbols);
        let best = counts.into_iter().max_by_key(|&(_, (count, first))| (count, std::cmp::Reverse(first)));
        let Some((pair, (count, _))) = best.filter(|&(_, (count, _))| count > 1) else { break };
        symbols = merge(&symbols, pair, id);
        learnt.push(Learnt { pair, id, count });
    }
    learnt
}

/// Merges the pair of the lowest rank everywhere, until no pair may merge.
///
/// Gives what [`super::naive::encode`] gives where every merge ranks above those that make its parts, as training makes
/// them; elsewhere the two may differ, for here all occurrences merge before any pair that the first of them makes.
pub fn encode(merges: &Merges, mut symbols: Vec<Id>, steps: &mut Steps) -> Vec<Id> {
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
