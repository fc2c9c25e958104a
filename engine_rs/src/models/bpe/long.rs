//! Merges of long pretokens: a heap of candidate merges over a linked list of symbols, n log n.
//!
//! Candidates are checked when they come up, not when a neighbour changes: a candidate is stale when its left symbol is
//! gone or the pair no longer has the rank it was queued with.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::merges::{Merges, NO_RANK, Rank};
use crate::ids::Id;

const NONE: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Node {
    id: Id,
    previous: u32,
    next: u32,
}

/// Memory to be used again.
#[derive(Default)]
pub(super) struct Scratch {
    nodes: Vec<Node>,
    /// Rank, then place: of equal ranks the leftmost comes first.
    heap: BinaryHeap<Reverse<(Rank, u32)>>,
}

const GONE: Id = Id::MAX;

/// Merges `symbols` in place, as [`super::naive::encode`] does.
pub(super) fn merge(merges: &Merges, symbols: &mut Vec<Id>, scratch: &mut Scratch) {
    let Scratch { nodes, heap } = scratch;
    let last = symbols.len() - 1;
    nodes.clear();
    nodes.extend(symbols.iter().enumerate().map(|(at, &id)| Node {
        id,
        previous: if at == 0 { NONE } else { at as u32 - 1 },
        next: if at == last { NONE } else { at as u32 + 1 },
    }));
    let mut candidates = std::mem::take(heap).into_vec();
    candidates.clear();
    candidates.extend(symbols.windows(2).enumerate().filter_map(|(at, pair)| {
        let rank = merges.rank(pair[0], pair[1]);
        (rank != NO_RANK).then_some(Reverse((rank, at as u32)))
    }));
    *heap = BinaryHeap::from(candidates);

    // Ends: every round takes a candidate off, and only a merge, of which there are fewer than symbols, adds two.
    while let Some(Reverse((rank, at))) = heap.pop() {
        let node = nodes[at as usize];
        if node.id == GONE || node.next == NONE {
            continue;
        }
        let right = nodes[node.next as usize];
        if merges.rank(node.id, right.id) != rank {
            continue;
        }
        let id = merges.result(rank);
        nodes[node.next as usize].id = GONE;
        nodes[at as usize] = Node { id, next: right.next, ..node };
        if right.next != NONE {
            nodes[right.next as usize].previous = at;
            queue(merges, heap, id, nodes[right.next as usize].id, at);
        }
        if node.previous != NONE {
            queue(merges, heap, nodes[node.previous as usize].id, id, node.previous);
        }
    }
    symbols.clear();
    symbols.extend(nodes.iter().map(|node| node.id).filter(|&id| id != GONE));
}

fn queue(merges: &Merges, heap: &mut BinaryHeap<Reverse<(Rank, u32)>>, left: Id, right: Id, at: u32) {
    let rank = merges.rank(left, right);
    if rank != NO_RANK {
        heap.push(Reverse((rank, at)));
    }
}
