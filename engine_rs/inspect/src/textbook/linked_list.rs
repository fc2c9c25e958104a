//! A heap of pairs over a linked list. Stale pairs stay in the heap and are skipped when they are popped (lazy
//! validation).
//!
//! O(n log n) steps. Popping a stale pair is cheaper than keeping a tree in order. The engine encodes long pretokens by
//! the same idea in less memory.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::chain::Chain;
use super::{Queue, Seen, Steps, Watch};
use token_engine::Id;
use token_engine::models::bpe::merges::{Merges, NO_RANK, Rank};

/// Encodes as [`super::naive::encode`] does.
pub(crate) fn encode(merges: &Merges, symbols: Vec<Id>, steps: &mut Steps, watch: Watch<'_>) -> Vec<Id> {
    let mut chain = Chain::new(symbols);
    // Invariant: the queue holds every pair of neighbours that may merge, by rank and then by place, and some that are
    // gone.
    let mut queue: BinaryHeap<Reverse<(Rank, usize)>> = BinaryHeap::new();
    for at in chain.places() {
        push(merges, &chain, at, &mut queue, steps);
    }
    watch(&Seen { merge: None, row: &[], queue: shown(&queue, &chain, merges), steps });
    // Ends: every merge removes a symbol and pushes two entries at most; every other round removes an entry.
    while let Some(Reverse((rank, at))) = queue.pop() {
        steps.pops += 1;
        if rank_at(merges, &chain, at, steps) != rank {
            steps.stale += 1;
            continue;
        }
        chain.merge(at, merges.result(rank));
        steps.merges += 1;
        for other in chain.before(at).into_iter().chain([at]) {
            push(merges, &chain, other, &mut queue, steps);
        }
        watch(&Seen { merge: Some((rank, at)), row: &[], queue: shown(&queue, &chain, merges), steps });
    }
    chain.symbols()
}

fn shown<'a>(queue: &'a BinaryHeap<Reverse<(Rank, usize)>>, chain: &'a Chain, merges: &'a Merges) -> Queue<'a> {
    Queue::Heap { pairs: queue.as_slice(), chain, merges }
}

/// Rank of the pair of the symbol at `at` and the next one; [`NO_RANK`] if either was removed.
pub(crate) fn rank_at(merges: &Merges, chain: &Chain, at: usize, steps: &mut Steps) -> Rank {
    let Some(right) = chain.after(at).filter(|_| chain.is_there(at)) else { return NO_RANK };
    steps.lookups += 1;
    merges.rank(chain.id(at), chain.id(right))
}

fn push(merges: &Merges, chain: &Chain, at: usize, queue: &mut BinaryHeap<Reverse<(Rank, usize)>>, steps: &mut Steps) {
    let rank = rank_at(merges, chain, at, steps);
    if rank != NO_RANK {
        queue.push(Reverse((rank, at)));
        steps.pushes += 1;
    }
}
