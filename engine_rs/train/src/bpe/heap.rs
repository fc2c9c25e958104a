//! As the incremental trainer, with a heap of pairs in place of the search for the best one.
//!
//! Counts change while an entry waits, so every entry is checked when it is taken: a stale one goes back with the count of
//! today. The heap is made anew when stale entries outnumber live pairs.
//!
//! Source: `tokenizers`, trainer of BPE.

use std::collections::BinaryHeap;

use super::index::{Index, Pair};
use super::{Entry, Merge, Rules};
use crate::steps::Steps;
use crate::symbols::Symbols;
use crate::tokens::Tokens;

/// A pair in the heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Its two parts.
    pub pair: Pair,
    /// Its count when it was put there.
    pub stored: u64,
    /// Its count now.
    pub count: u64,
}

/// Words with an index of their pairs, and a heap of these.
#[derive(Clone, Debug)]
pub struct Heap {
    index: Index,
    heap: BinaryHeap<Entry>,
}

impl Heap {
    /// A trainer before its first merge.
    pub(crate) fn new(symbols: &Symbols, rules: Rules) -> Self {
        let mut heap = Self { index: Index::new(symbols, rules), heap: BinaryHeap::new() };
        heap.rebuild();
        heap
    }

    fn rebuild(&mut self) {
        let live = self.index.counts.iter().filter(|&(_, &count)| count > 0);
        self.heap = live.map(|(&pair, &count)| entry(pair, count)).collect();
    }

    /// The pairs that would be taken first.
    pub(crate) fn first(&self, most: usize) -> Vec<Waiting> {
        let sorted = self.heap.clone().into_sorted_vec();
        sorted.iter().rev().take(most).map(|entry| self.waiting(entry)).collect()
    }

    /// How many wait, and how many of them are stale.
    pub(crate) fn sizes(&self) -> (usize, usize) {
        let stale = self.heap.iter().filter(|entry| self.waiting(entry).count != entry.count).count();
        (self.heap.len(), stale)
    }

    fn waiting(&self, entry: &Entry) -> Waiting {
        let pair = (entry.left, entry.right);
        Waiting { pair, stored: entry.count, count: self.index.counts.get(&pair).copied().unwrap_or_default() }
    }

    /// Makes the next merge; `None` if no pair may be merged. Calls `taken` with all that it takes from the heap.
    pub(crate) fn next(
        &mut self,
        tokens: &mut Tokens,
        steps: &mut Steps,
        taken: &mut dyn FnMut(Waiting),
    ) -> Option<Merge> {
        if self.heap.len() > 2 * self.index.counts.len() + 16 {
            steps.add("heap_rebuilds", 1);
            self.rebuild();
        }
        // Ends: an entry goes back only with a lower count.
        while let Some(top) = self.heap.pop() {
            steps.add("heap_pops", 1);
            let top_now = self.waiting(&top);
            taken(top_now);
            let Waiting { pair, count, .. } = top_now;
            if count != top.count {
                steps.add("stale_entries", 1);
                if count > 0 && count < top.count {
                    self.heap.push(entry(pair, count));
                }
                continue;
            }
            if count == 0 || !self.index.is_allowed(pair, count, tokens) {
                continue;
            }
            let Some(new) = tokens.merge(pair.0, pair.1) else {
                self.index.refuse(pair);
                continue;
            };
            for made in self.index.merge(pair, new, steps) {
                steps.add("heap_pushes", 1);
                self.heap.push(entry(made, self.index.counts.get(&made).copied().unwrap_or_default()));
            }
            return Some(Merge { left: pair.0, right: pair.1, new, count, score: None });
        }
        None
    }
}

fn entry((left, right): Pair, count: u64) -> Entry {
    Entry { count, left, right, number: 0 }
}
