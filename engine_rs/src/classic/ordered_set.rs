//! A priority queue that is an ordered set: pairs that no longer stand side by side are taken out of it at once.
//!
//! Symbols stay where they are and know their neighbours. n log n steps, none of them in vain; but each is one in a tree.

use std::collections::BTreeSet;

use super::Steps;
use super::chain::Chain;
use crate::ids::Id;
use crate::models::bpe::merges::{Merges, NO_RANK, Rank};

/// The same result as [`super::naive::encode`].
pub fn encode(merges: &Merges, symbols: Vec<Id>, steps: &mut Steps) -> Vec<Id> {
    let mut chain = Chain::new(symbols);
    // Invariant: the set holds every pair of neighbours that may merge, by rank and then by place, and nothing else.
    let mut set: BTreeSet<(Rank, usize)> = BTreeSet::new();
    for at in chain.places() {
        insert(merges, &chain, at, &mut set, steps);
    }
    // Ends: every round removes a symbol.
    while let Some((rank, at)) = set.pop_first() {
        steps.pops += 1;
        let before = chain.before(at);
        let right = chain.after(at).expect("a pair in the set has a right part");
        for other in before.into_iter().chain([right]) {
            if let Some(entry) = entry(merges, &chain, other, steps)
                && set.remove(&entry)
            {
                steps.removals += 1;
            }
        }
        chain.merge(at, merges.result(rank));
        steps.merges += 1;
        for other in before.into_iter().chain([at]) {
            insert(merges, &chain, other, &mut set, steps);
        }
    }
    chain.symbols()
}

/// The pair of the symbol at `at` and the next, where they may merge.
fn entry(merges: &Merges, chain: &Chain, at: usize, steps: &mut Steps) -> Option<(Rank, usize)> {
    let right = chain.after(at)?;
    steps.lookups += 1;
    Some((merges.rank(chain.id(at), chain.id(right)), at)).filter(|&(rank, _)| rank != NO_RANK)
}

fn insert(merges: &Merges, chain: &Chain, at: usize, set: &mut BTreeSet<(Rank, usize)>, steps: &mut Steps) {
    if let Some(entry) = entry(merges, chain, at, steps) {
        set.insert(entry);
        steps.pushes += 1;
    }
}
