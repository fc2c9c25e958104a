//! An ordered set of pairs over a linked list. Pairs are removed from the set as soon as they are stale.
//!
//! O(n log n) steps. None is wasted, but each walks a tree.

use std::collections::BTreeSet;

use super::chain::Chain;
use super::{Queue, Seen, Steps, Watch};
use token_engine::ids::Id;
use token_engine::models::bpe::merges::{Merges, NO_RANK, Rank};

/// Encodes as [`super::naive::encode`] does.
pub(crate) fn encode(merges: &Merges, symbols: Vec<Id>, steps: &mut Steps, watch: Watch<'_>) -> Vec<Id> {
    let mut chain = Chain::new(symbols);
    // Invariant: the set holds every pair of neighbours that may merge, by rank and then by place, and nothing else.
    let mut set: BTreeSet<(Rank, usize)> = BTreeSet::new();
    for at in chain.places() {
        insert(merges, &chain, at, &mut set, steps);
    }
    watch(&Seen { merge: None, row: &[], queue: Queue::Set(&set), steps });
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
        watch(&Seen { merge: Some((rank, at)), row: &[], queue: Queue::Set(&set), steps });
    }
    chain.symbols()
}

/// The pair of the symbol at `at` and the next one, if they can merge.
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
