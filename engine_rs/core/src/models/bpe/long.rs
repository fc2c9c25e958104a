//! Merges of pretokens of any length, n log n: over a linked list of symbols where nothing quicker fits.
//!
//! Short pretokens are merged by scans, most long ones by their [`runs`] or in [`chunks`]; the list takes the rest.
//!
//! Candidates are collected by their order. All of the lowest one merge from left to right, which walks through memory in
//! order, and what they make is collected in turn: one round per order, not one step of a heap per merge. Where a merge makes
//! a candidate of the same or a lower order, a heap goes on from there, as it does from the start where merges are left out by
//! chance. Candidates are checked when they come up, not when a neighbour changes: a candidate is stale when its left symbol
//! is gone or the pair no longer makes the token it was queued for.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::merges::{Merges, NO_RANK, Rank};
use super::{chunks, runs};
use crate::call::Checks;
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

/// Order, then place of a candidate: of equal orders the leftmost comes first.
type Heap = BinaryHeap<Reverse<(u32, u32)>>;

/// Candidates that wait, by their order.
#[derive(Default)]
struct Rounds {
    /// The orders that have candidates, lowest first.
    orders: BinaryHeap<Reverse<u32>>,
    /// By order: its last candidate in `places`, or [`NONE`].
    last: FxHashMap<u32, u32>,
    /// The place of a candidate, and the candidate of the same order that was added before it, or [`NONE`].
    places: Vec<(u32, u32)>,
}

impl Rounds {
    fn clear(&mut self) {
        self.orders.clear();
        self.last.clear();
        self.places.clear();
    }

    fn add(&mut self, order: u32, at: u32) {
        let last = self.last.entry(order).or_insert(NONE);
        if *last == NONE {
            self.orders.push(Reverse(order));
        }
        let before = std::mem::replace(last, self.places.len() as u32);
        self.places.push((at, before));
    }

    /// Takes the candidates of the lowest order, from left to right, into `round`.
    fn take_lowest(&mut self, round: &mut Vec<u32>) -> Option<u32> {
        let Reverse(order) = self.orders.pop()?;
        round.clear();
        let mut next = self.last.insert(order, NONE).unwrap_or(NONE);
        // Ends: each was added after the one it points to.
        while let Some(&(at, before)) = self.places.get(next as usize) {
            round.push(at);
            next = before;
        }
        // Most were added from left to right: the sort meets few runs.
        round.reverse();
        round.sort();
        Some(order)
    }
}

/// Memory to be used again.
pub(super) struct Scratch<S = Id> {
    nodes: Vec<Node<S>>,
    heap: Heap,
    dropped: Vec<Reverse<(u32, u32)>>,
    rounds: Rounds,
    /// The candidates of a round.
    round: Vec<u32>,
    /// Of [`chunks`].
    chunk: Option<chunks::Chunk<S>>,
    done: chunks::Done<S>,
}

impl<S> Default for Scratch<S> {
    fn default() -> Self {
        Self {
            nodes: vec![],
            heap: BinaryHeap::new(),
            dropped: vec![],
            rounds: Rounds::default(),
            round: vec![],
            chunk: None,
            done: chunks::Done::default(),
        }
    }
}

impl<S> HeapBytes for Scratch<S> {
    fn heap_bytes(&self) -> usize {
        let Self { nodes, heap, dropped, rounds: Rounds { orders: waiting, last, places }, round, chunk: _, done } =
            self;
        let rounds = waiting.heap_bytes() + last.heap_bytes() + places.heap_bytes() + round.heap_bytes();
        nodes.heap_bytes()
            + heap.heap_bytes()
            + dropped.heap_bytes()
            + rounds
            + done.tokens.heap_bytes()
            + done.starts.heap_bytes()
    }
}

/// When merges come.
pub(super) trait Order<S> {
    /// Lower ones first; of equal ones the leftmost.
    fn of(&self, rank: Rank) -> u32;
    /// Whether a candidate that was queued as `queued` is still one, now that its symbols merge with rank `found`.
    fn holds(&self, merges: &Merges, queued: u32, found: Rank) -> bool;
    /// Whether a few symbols may be merged by looking at all of them each time. Both ways agree where a token tells what it was
    /// made from.
    fn is_plain(&self) -> bool;
    /// Whether [`Self::see`] does anything, so that it must be called for neighbours of the definition alone.
    fn sees(&self) -> bool {
        false
    }
    /// Called for each pair of neighbours that merge, when they become neighbours.
    fn see(&mut self, _left: &S, _right: &S, _made: Id) {}
}

/// In the order of their ranks.
#[derive(Default)]
pub(super) struct ByRank {
    /// Whether every merge makes what its parts spell.
    pub(crate) is_plain: bool,
}

impl<S> Order<S> for ByRank {
    fn of(&self, rank: Rank) -> u32 {
        rank
    }

    fn holds(&self, merges: &Merges, queued: u32, found: Rank) -> bool {
        // Ranks differ and the token is the same only where tokens do not spell what they were made from.
        found == queued || (found != NO_RANK && merges.result(found) == merges.result(queued))
    }

    fn is_plain(&self) -> bool {
        self.is_plain
    }
}

/// Merges `symbols` in place, as [`super::naive::encode`] does. Inlined, so that it is compiled for the processor of the caller.
#[inline(always)]
pub(super) fn merge<S: Symbol>(
    merges: &Merges,
    symbols: &mut Vec<S>,
    scratch: &mut Scratch<S>,
    order: &mut impl Order<S>,
) {
    if order.is_plain() && !order.sees() {
        if symbols.len() <= chunks::MOST {
            return chunks::merge_few(merges, symbols, &mut scratch.chunk, order);
        }
        if runs::merge(merges, symbols, order) || chunks::merge(merges, symbols, &mut scratch.done, order) {
            return;
        }
    }
    merge_in_rounds(merges, symbols, scratch, order);
}

/// The same without runs and chunks.
pub(super) fn merge_in_rounds<S: Symbol>(
    merges: &Merges,
    symbols: &mut Vec<S>,
    scratch: &mut Scratch<S>,
    order: &mut impl Order<S>,
) {
    let Scratch { nodes, heap, dropped, rounds, round, .. } = scratch;
    link(nodes, symbols);
    rounds.clear();
    let mut checks = Checks::default();
    for (at, pair) in symbols.windows(2).enumerate() {
        // Nobody uses the tokens of a cancelled call.
        if checks.step().is_err() {
            return;
        }
        if let Some(Reverse((order, at))) = candidate(merges, order, &pair[0], &pair[1], at as u32) {
            rounds.add(order, at);
        }
    }
    // Ends: every round takes candidates, and only a merge, of which there are fewer than symbols, adds two.
    'rounds: while let Some(now) = rounds.take_lowest(round) {
        for n in 0..round.len() {
            if checks.step().is_err() {
                break 'rounds;
            }
            let mut is_out_of_order = false;
            step(merges, nodes, order, (now, round[n]), |Reverse((order, at))| {
                is_out_of_order |= order <= now;
                rounds.add(order, at);
            });
            if is_out_of_order {
                heap.clear();
                heap.extend(round[n + 1..].iter().map(|&at| Reverse((now, at))));
                while let Some(order) = rounds.take_lowest(round) {
                    heap.extend(round.iter().map(|&at| Reverse((order, at))));
                }
                dropped.clear();
                run_heap(merges, nodes, (heap, dropped), order, || false);
                break;
            }
        }
    }
    unlink(nodes, symbols);
}

/// A list of symbols.
fn link<S: Symbol>(nodes: &mut Vec<Node<S>>, symbols: &[S]) {
    let count = symbols.len();
    nodes.clear();
    nodes.extend(symbols.iter().enumerate().map(|(at, &symbol)| Node {
        symbol,
        previous: if at == 0 { NONE } else { at as u32 - 1 },
        next: if at + 1 == count { NONE } else { at as u32 + 1 },
    }));
}

/// The symbols that are left in a list.
fn unlink<S: Symbol>(nodes: &[Node<S>], symbols: &mut Vec<S>) {
    symbols.clear();
    symbols.extend(nodes.iter().filter(|node| node.next != GONE).map(|node| node.symbol));
}

/// Makes a merge unless it is stale, and calls `added` with the candidates that come of it.
#[inline(always)]
fn step<S: Symbol>(
    merges: &Merges,
    nodes: &mut [Node<S>],
    order: &mut impl Order<S>,
    (queued, at): (u32, u32),
    mut added: impl FnMut(Reverse<(u32, u32)>),
) {
    let node = nodes[at as usize];
    if node.next >= GONE {
        return;
    }
    let right = nodes[node.next as usize];
    let found = merges.rank(node.symbol.id(), right.symbol.id());
    if found == NO_RANK || !order.holds(merges, queued, found) {
        return;
    }
    let symbol = node.symbol.joined(right.symbol, merges.result(found));
    nodes[node.next as usize].next = GONE;
    nodes[at as usize] = Node { symbol, next: right.next, ..node };
    if node.previous != NONE {
        let before = &nodes[node.previous as usize].symbol;
        candidate(merges, order, before, &symbol, node.previous).into_iter().for_each(&mut added);
    }
    if right.next != NONE {
        nodes[right.next as usize].previous = at;
        let after = &nodes[right.next as usize].symbol;
        candidate(merges, order, &symbol, after, at).into_iter().for_each(&mut added);
    }
}

/// The same, with merges left out: `drop` is asked before each. A merge left out is tried again after the next one that
/// is not.
///
/// Source of that: Provilkov et al., BPE-Dropout (2020), as `tokenizers` reads it.
pub(super) fn merge_some<S: Symbol>(
    merges: &Merges,
    symbols: &mut Vec<S>,
    scratch: &mut Scratch<S>,
    order: &mut impl Order<S>,
    drop: impl FnMut() -> bool,
) {
    let Scratch { nodes, heap, dropped, .. } = scratch;
    link(nodes, symbols);
    dropped.clear();
    heap.clear();
    heap.extend(
        symbols.windows(2).enumerate().filter_map(|(at, pair)| candidate(merges, order, &pair[0], &pair[1], at as u32)),
    );
    run_heap(merges, nodes, (heap, dropped), order, drop);
    unlink(nodes, symbols);
}

/// Makes the merges that wait in a heap, and those that come of them. `drop` is asked before each; `dropped`, empty, is
/// memory for those it leaves out.
#[inline]
fn run_heap<S: Symbol>(
    merges: &Merges,
    nodes: &mut [Node<S>],
    (heap, dropped): (&mut Heap, &mut Vec<Reverse<(u32, u32)>>),
    order: &mut impl Order<S>,
    mut drop: impl FnMut() -> bool,
) {
    let mut checks = Checks::default();
    // Ends: every round takes a candidate off, and only a merge, of which there are fewer than symbols, adds two and
    // puts back those that were dropped.
    while let Some(queued) = heap.pop() {
        if checks.step().is_err() {
            return;
        }
        if drop() {
            dropped.push(queued);
            continue;
        }
        heap.extend(dropped.drain(..));
        let Reverse(queued) = queued;
        step(merges, nodes, order, queued, |candidate| heap.push(candidate));
    }
}

/// The merge of two neighbours, if they merge.
fn candidate<S: Symbol>(
    merges: &Merges,
    order: &mut impl Order<S>,
    left: &S,
    right: &S,
    at: u32,
) -> Option<Reverse<(u32, u32)>> {
    let rank = merges.rank(left.id(), right.id());
    (rank != NO_RANK).then(|| {
        order.see(left, right, merges.result(rank));
        Reverse((order.of(rank), at))
    })
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::sync::Arc;

    use super::super::tests::random_bpe;
    use super::*;
    use crate::call::{Call, enter};

    /// By rank; counts how many candidates it is asked for.
    struct Counting(Cell<usize>);

    impl Order<Id> for Counting {
        fn of(&self, rank: Rank) -> u32 {
            self.0.set(self.0.get() + 1);
            rank
        }

        fn holds(&self, _: &Merges, queued: u32, found: Rank) -> bool {
            found == queued
        }

        fn is_plain(&self) -> bool {
            true
        }
    }

    #[test]
    fn a_cancelled_call_looks_at_little_of_a_long_word() {
        let (_, bpe) = random_bpe(7, 1, 40);
        let asked = |is_cancelled: bool| {
            let call = Arc::new(Call::default());
            let _entered = enter(Some(Arc::clone(&call)));
            if is_cancelled {
                call.cancel();
            }
            let mut order = Counting(Cell::new(0));
            let mut symbols = vec![Id::from(b'a'); 100_000];
            merge_in_rounds(bpe.merges(), &mut symbols, &mut Scratch::default(), &mut order);
            order.0.get()
        };
        assert!(asked(false) >= 99_999);
        assert!(asked(true) < 10_000);
    }
}
