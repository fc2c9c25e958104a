//! The trainer that is used: every merge touches only the places where its pair occurs.
//!
//! 1. *Words lie in slots* ([`super::slots`]): neighbours are found by the lengths of tokens.
//! 2. *Only pairs at or above a threshold are kept.* The token of a merge is new, so all pairs with it come into being
//!    in that merge, and from then on their counts only fall. A pair that begins below the threshold stays below it. When
//!    the best pair falls below the threshold, it is lowered and the words are scanned again.
//! 3. *A merge reads its list of positions* and skips those where the pair is gone. Counts of the neighbours are added up
//!    in arrays by token, so the table of pairs is asked once per neighbour, not once per place.
//! 4. *The heap is lazy.* Each pair has one entry. Since counts only fall, an entry whose count is still right is the
//!    best; any other goes back with its count of today.
//!
//! Source: own derivation; lazy heaps as in `tokenizers`, trainer of BPE.

use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::sync::atomic::AtomicBool;

use super::pairs::Pair;
use super::places::Places;
use super::{Entry, Merge, Rules, Stopped};
use crate::steps::Steps;
use crate::stop::{self, Stop};
use crate::symbols::Symbols;
use crate::tokens::Tokens;

/// How far below the mean count per token the first threshold is: lower means more memory, higher more scans.
const FIRST_THRESHOLD: u64 = 16;
/// The next threshold is this part of the one before.
const NEXT_THRESHOLD: u64 = 8;

/// Words, and the pairs that a merge may still make.
#[derive(Clone, Debug)]
pub struct Fast {
    places: Places,
    rules: Rules,
    /// Whether the words were scanned with the threshold.
    is_scanned: bool,
    heap: BinaryHeap<Entry>,
}

impl Fast {
    /// A trainer before its first merge. `vocab_size` is a hint for the first threshold.
    ///
    /// Errors: [`stop::Stopped`].
    pub(crate) fn new(
        symbols: Symbols,
        rules: Rules,
        vocab_size: usize,
        stop: Stop<'_>,
    ) -> Result<Self, stop::Stopped> {
        let mut total = 0u64;
        for (at, (segment, count)) in symbols.segments().enumerate() {
            stop.check_at(at)?;
            total += segment.len() as u64 * count;
        }
        let threshold = (total / FIRST_THRESHOLD / vocab_size.max(1) as u64).max(rules.min_count);
        let places = Places::new(symbols, rules, threshold);
        Ok(Self { places, rules, is_scanned: false, heap: BinaryHeap::new() })
    }

    /// Makes the next merge; `None` if no pair may be merged.
    ///
    /// Errors: `stop` was set; the next call goes on.
    pub(crate) fn next(
        &mut self,
        tokens: &mut Tokens,
        steps: &mut Steps,
        stop: &AtomicBool,
    ) -> Result<Option<Merge>, Stopped> {
        loop {
            if !self.is_scanned {
                self.scan(tokens, steps, stop)?;
            }
            if let Some(number) = self.best(steps) {
                let Pair { left, right, count, .. } = self.places.pairs.list[number];
                // A token that is spelled like another one is never made.
                let Some(new) = tokens.merge(left, right) else {
                    self.places.pairs.list[number].count = 0;
                    continue;
                };
                let made = self.places.merge(number, new, tokens, steps);
                self.heap.extend(entries(&self.places.pairs.list, made.first_pair));
                return Ok(Some(Merge { left, right, new, count, score: None }));
            }
            if self.places.threshold <= self.rules.min_count {
                return Ok(None);
            }
            self.places.threshold = (self.places.threshold / NEXT_THRESHOLD).max(self.rules.min_count);
            self.is_scanned = false;
        }
    }

    /// Counts all pairs anew and keeps those at or above the threshold.
    fn scan(&mut self, tokens: &Tokens, steps: &mut Steps, stop: &AtomicBool) -> Result<(), Stopped> {
        self.is_scanned = false;
        self.heap.clear();
        self.places.scan(tokens, steps, stop)?;
        self.heap = entries(&self.places.pairs.list, 0).collect::<Vec<_>>().into();
        self.is_scanned = true;
        Ok(())
    }

    /// Takes the best pair from the heap.
    fn best(&mut self, steps: &mut Steps) -> Option<usize> {
        // Ends: an entry goes back only with a lower count.
        while let Some(mut top) = self.heap.peek_mut() {
            steps.add("heap_pops", 1);
            let count = self.places.pairs.list[top.number as usize].count;
            if count == top.count {
                return Some(PeekMut::pop(top).number as usize);
            }
            steps.add("stale_entries", 1);
            if count >= self.places.threshold {
                top.count = count;
            } else {
                PeekMut::pop(top);
            }
        }
        None
    }

    /// Memory of the trainer, in bytes.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.places.heap_bytes() + self.heap.capacity() * size_of::<Entry>()
    }
}

/// Entries of the pairs from number `first` on.
fn entries(pairs: &[Pair], first: usize) -> impl Iterator<Item = Entry> {
    let pairs = pairs.iter().enumerate().skip(first);
    pairs.map(|(number, pair)| Entry { count: pair.count, left: pair.left, right: pair.right, number: number as u32 })
}
