//! Merges of long pretokens: a heap of candidate merges over a linked list of symbols, n log n.
//!
//! Candidates are checked when they come up, not when a neighbour changes: a candidate is stale when its left symbol is
//! gone or the pair no longer makes the token it was queued for.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::merges::{Merges, NO_RANK, Rank};
use crate::ids::Id;
use crate::memory::HeapBytes;

/// What merges: an id, or an id that knows its place.
pub(super) trait Symbol: Copy {
    /// The token.
    fn id(self) -> Id;
    /// This symbol and its right neighbour as one.
    fn joined(self, right: Self, id: Id) -> Self;
}

impl Symbol for Id {
    fn id(self) -> Id {
        self
    }

    fn joined(self, _: Self, id: Id) -> Self {
        id
    }
}

/// No neighbour.
const NONE: u32 = u32::MAX;
/// As the next of a node: it was merged into the one before.
const GONE: u32 = u32::MAX - 1;

#[derive(Clone, Copy)]
struct Node<S> {
    symbol: S,
    previous: u32,
    next: u32,
}

/// Memory to be used again.
pub(super) struct Scratch<S = Id> {
    nodes: Vec<Node<S>>,
    /// Rank, then place: of equal ranks the leftmost comes first.
    heap: BinaryHeap<Reverse<(Rank, u32)>>,
    dropped: Vec<Reverse<(Rank, u32)>>,
}

impl<S> Default for Scratch<S> {
    fn default() -> Self {
        Self { nodes: vec![], heap: BinaryHeap::new(), dropped: vec![] }
    }
}

impl<S> HeapBytes for Scratch<S> {
    fn heap_bytes(&self) -> usize {
        self.nodes.heap_bytes() + self.heap.heap_bytes() + self.dropped.heap_bytes()
    }
}

/// Merges `symbols` in place, as [`super::naive::encode`] does.
pub(super) fn merge<S: Symbol>(merges: &Merges, symbols: &mut Vec<S>, scratch: &mut Scratch<S>) {
    merge_some(merges, symbols, scratch, || false);
}

/// The same, with merges left out: `drop` is asked before each. A merge left out is tried again after the next one that
/// is not.
///
/// Source of that: Provilkov et al., BPE-Dropout (2020), as `tokenizers` reads it.
pub(super) fn merge_some<S: Symbol>(
    merges: &Merges,
    symbols: &mut Vec<S>,
    scratch: &mut Scratch<S>,
    mut drop: impl FnMut() -> bool,
) {
    let Scratch { nodes, heap, dropped } = scratch;
    let count = symbols.len();
    nodes.clear();
    nodes.extend(symbols.iter().enumerate().map(|(at, &symbol)| Node {
        symbol,
        previous: if at == 0 { NONE } else { at as u32 - 1 },
        next: if at + 1 == count { NONE } else { at as u32 + 1 },
    }));
    dropped.clear();
    let mut candidates = std::mem::take(heap).into_vec();
    candidates.clear();
    candidates.extend(symbols.windows(2).enumerate().filter_map(|(at, pair)| {
        let rank = merges.rank(pair[0].id(), pair[1].id());
        (rank != NO_RANK).then_some(Reverse((rank, at as u32)))
    }));
    *heap = BinaryHeap::from(candidates);

    // Ends: every round takes a candidate off, and only a merge, of which there are fewer than symbols, adds two and
    // puts back those that were dropped.
    while let Some(candidate) = heap.pop() {
        if drop() {
            dropped.push(candidate);
            continue;
        }
        heap.extend(dropped.drain(..));
        let Reverse((rank, at)) = candidate;
        let node = nodes[at as usize];
        if node.next >= GONE {
            continue;
        }
        let right = nodes[node.next as usize];
        let found = merges.rank(node.symbol.id(), right.symbol.id());
        let id = merges.result(rank);
        // Ranks differ and the token is the same only where tokens do not spell what they were made from.
        if found != rank && (found == NO_RANK || merges.result(found) != id) {
            continue;
        }
        nodes[node.next as usize].next = GONE;
        nodes[at as usize] = Node { symbol: node.symbol.joined(right.symbol, id), next: right.next, ..node };
        if node.previous != NONE {
            queue(merges, heap, nodes[node.previous as usize].symbol.id(), id, node.previous);
        }
        if right.next != NONE {
            nodes[right.next as usize].previous = at;
            queue(merges, heap, id, nodes[right.next as usize].symbol.id(), at);
        }
    }
    symbols.clear();
    symbols.extend(nodes.iter().filter(|node| node.next != GONE).map(|node| node.symbol));
}

fn queue(merges: &Merges, heap: &mut BinaryHeap<Reverse<(Rank, u32)>>, left: Id, right: Id, at: u32) {
    let rank = merges.rank(left, right);
    if rank != NO_RANK {
        heap.push(Reverse((rank, at)));
    }
}
