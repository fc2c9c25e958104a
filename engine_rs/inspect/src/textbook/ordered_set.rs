//! An ordered set of pairs over a linked list. Pairs are removed from the set as soon as they are stale.
//!
//! O(n log n) steps. None is wasted, but each walks a tree.

use std::collections::BTreeSet;

use super::chain::Chain;
use super::{Queue, Seen, Steps, Watch};
use token_engine::Id;
use token_engine::models::bpe::merges::{Merges, NO_RANK, Rank};

/// Encodes as [`super::naive::encode`] does.
pub(crate) fn encode(merges: &Merges, symbols: Vec<Id>, steps: &mut Steps, watch: Watch<'_>) -> Vec<Id> {
    let mut chain = Chain::new(symbols);
    // Invariant: the set holds every pair of neighbours that may merge, by rank and then by place, and nothing else.
    let mut set: BTreeSet<(Rank, usize)> = BTreeSet::new();
    let new: Vec<_> = chain.places().filter_map(|at| insert(merges, &chain, at, &mut set, steps)).collect();
    watch(&Seen { merge: None, row: &[], queue: Queue::Set { gone: &[], new: &new }, steps });
    // Ends: every round removes a symbol.
    while let Some((rank, at)) = set.pop_first() {
        steps.pops += 1;
        let mut gone = vec![(rank, at)];
        let before = chain.before(at);
        let right = chain.after(at).expect("a pair in the set has a right part");
        for other in before.into_iter().chain([right]) {
            if let Some(entry) = entry(merges, &chain, other, steps)
                && set.remove(&entry)
            {
                steps.removals += 1;
                gone.push(entry);
            }
        }
        chain.merge(at, merges.result(rank));
        steps.merges += 1;
        let changed = before.into_iter().chain([at]);
        let new: Vec<_> = changed.filter_map(|at| insert(merges, &chain, at, &mut set, steps)).collect();
        watch(&Seen { merge: Some((rank, at)), row: &[], queue: Queue::Set { gone: &gone, new: &new }, steps });
    }
    chain.symbols()
}

/// The pair of the symbol at `at` and the next one, if they can merge.
fn entry(merges: &Merges, chain: &Chain, at: usize, steps: &mut Steps) -> Option<(Rank, usize)> {
    let right = chain.after(at)?;
    steps.lookups += 1;
    Some((merges.rank(chain.id(at), chain.id(right)), at)).filter(|&(rank, _)| rank != NO_RANK)
}

/// Inserts it, and returns it.
fn insert(
    merges: &Merges,
    chain: &Chain,
    at: usize,
    set: &mut BTreeSet<(Rank, usize)>,
    steps: &mut Steps,
) -> Option<(Rank, usize)> {
    let entry = entry(merges, chain, at, steps)?;
    set.insert(entry);
    steps.pushes += 1;
    Some(entry)
}
