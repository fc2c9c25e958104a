//! Words in slots, the pairs at or above a threshold, and where each of them occurs.
//!
//! A merge reads the list of positions of its pair and skips those where the pair is gone. Counts of the neighbours are
//! added up in arrays by token, so the table of pairs is asked once per neighbour, not once per place.
//!
//! Not here: which pair is merged next ([`super::fast`], [`crate::wordpiece`]).

use std::sync::atomic::{AtomicBool, Ordering};

use super::pairs::{Pairs, hash};
use super::slots::Slots;
use super::{Rules, Stopped};
use crate::steps::Steps;
use crate::symbols::{END, Symbols};
use crate::tokens::Tokens;

/// Slots that are scanned between two looks at the stop flag.
const SCANNED_AT_ONCE: usize = 1 << 20;
/// Positions that are always added before lists are compacted.
const LEAST_GROWTH: usize = if cfg!(test) { 0 } else { 1 << 14 };
/// The most counters that decide which pairs are counted.
const MAX_FILTER: usize = 1 << 20;

/// Words and their pairs.
#[derive(Clone, Debug)]
pub struct Places {
    slots: Slots,
    rules: Rules,
    /// Pairs with a lower count are not kept.
    pub(crate) threshold: u64,
    /// The pairs, in an order that later merges only add to.
    pub(crate) pairs: Pairs,
    /// Positions of all pairs; each has a part of it.
    positions: Vec<u32>,
    /// Length that `positions` may have before the lists of pairs that are no longer kept are removed.
    most_positions: usize,
    left: Neighbours,
    right: Neighbours,
    merged: Vec<u32>,
}

/// How far lists of so many positions may grow before they are compacted: by a quarter, so that all copies take linear time.
fn most_positions(len: usize) -> usize {
    len + len / 4 + LEAST_GROWTH
}

/// What a merge made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Made {
    /// Number of the first new pair; those after it are new, too.
    pub(crate) first_pair: usize,
    /// How many times the pair was merged, repetitions of words included.
    pub(crate) occurrences: u64,
}

/// Tokens on one side of the places of a merge.
#[derive(Clone, Debug, Default)]
struct Neighbours {
    /// By token: number in `found` plus one, or 0.
    numbers: Vec<u32>,
    found: Vec<Found>,
    /// Number of the token and position of its pair, in the order of the positions.
    events: Vec<(u32, u32)>,
}

#[derive(Clone, Copy, Debug)]
struct Found {
    id: u32,
    len: u32,
    count: u64,
    /// Where the next position is written; [`NOT_KEPT`] for pairs below the threshold.
    cursor: usize,
}

const NOT_KEPT: usize = usize::MAX;

impl Neighbours {
    #[inline]
    fn add(&mut self, id: u32, position: usize, count: u64) {
        let number = &mut self.numbers[id as usize];
        if *number == 0 {
            self.found.push(Found { id, len: 0, count: 0, cursor: NOT_KEPT });
            *number = self.found.len() as u32;
        }
        let number = *number - 1;
        let found = &mut self.found[number as usize];
        found.count += count;
        found.len += 1;
        self.events.push((number, position as u32));
    }

    fn clear(&mut self) {
        for found in self.found.drain(..) {
            self.numbers[found.id as usize] = 0;
        }
        self.events.clear();
    }
}

impl Places {
    /// Words before the first merge and the first scan.
    pub(crate) fn new(symbols: Symbols, rules: Rules, threshold: u64) -> Self {
        Self {
            slots: Slots::new(symbols),
            rules,
            threshold,
            pairs: Pairs::default(),
            positions: vec![],
            most_positions: 0,
            left: Neighbours::default(),
            right: Neighbours::default(),
            merged: vec![],
        }
    }

    /// Makes a merge in all places and counts the new pairs.
    /// The pair keeps count 0.
    pub(crate) fn merge(&mut self, number: usize, new: u32, tokens: &Tokens, steps: &mut Steps) -> Made {
        let pair = self.pairs.list[number];
        self.pairs.list[number].count = 0;
        let first_pair = self.pairs.list.len();
        let (left, right) = (tokens.width(pair.left) as usize, tokens.width(pair.right) as usize);
        self.merged.clear();
        for &at in &self.positions[pair.start..pair.start + pair.len as usize] {
            // Where a list has the position, the token there started at it, so it is no other token's last slot.
            let start = at as usize;
            if self.slots.ids[start] == pair.left && self.slots.ids[start + left] == pair.right {
                self.slots.merge(start, left, right, new);
                self.merged.push(at);
            }
        }
        steps.add("positions_read", pair.len as usize);
        steps.add("positions_merged", self.merged.len());
        self.left.numbers.resize(tokens.len(), 0);
        self.right.numbers.resize(tokens.len(), 0);
        let (mut run, mut occurrences) = (0, 0);
        for &at in &self.merged {
            let at = at as usize;
            let count = self.slots.count(at, &mut run);
            occurrences += count;
            let before = self.slots.ids[at - 1];
            // Between two new tokens, the pair is counted for the first of them.
            if before != END && before != new {
                self.left.add(before, at - tokens.width(before) as usize, count);
            }
            let after = self.slots.ids[at + left + right];
            if after != END {
                self.right.add(after, at, count);
            }
        }
        if self.positions.len() > self.most_positions {
            self.compact();
        }
        self.settle(pair.left, pair.right, new, tokens, steps);
        Made { first_pair, occurrences }
    }

    /// Updates the pairs of the neighbours that were found.
    fn settle(&mut self, left: u32, right: u32, new: u32, tokens: &Tokens, steps: &mut Steps) {
        let Self { pairs, positions, threshold, rules, .. } = self;
        let mut keep = |found: &mut Found, gone: (u32, u32), made: (u32, u32)| {
            steps.add("pairs_updated", 1);
            // Merged and refused pairs have count 0 and keep it.
            if let Some(pair) = pairs.get_mut(gone.0, gone.1) {
                pair.count = pair.count.saturating_sub(found.count);
            }
            if found.count < *threshold || !rules.allows(tokens, made.0, made.1) {
                return;
            }
            found.cursor = positions.len();
            positions.resize(positions.len() + found.len as usize, 0);
            let pair = pairs.entry(made.0, made.1);
            (pair.count, pair.start, pair.len) = (found.count, found.cursor, found.len);
        };
        for found in &mut self.left.found {
            let id = found.id;
            keep(found, (id, left), (id, new));
        }
        for found in &mut self.right.found {
            let id = found.id;
            keep(found, (right, if id == new { left } else { id }), (new, id));
        }
        for side in [&mut self.left, &mut self.right] {
            for &(number, position) in &side.events {
                let found = &mut side.found[number as usize];
                if found.cursor != NOT_KEPT {
                    positions[found.cursor] = position;
                    found.cursor += 1;
                }
            }
            side.clear();
        }
    }

    /// Moves the lists of positions together: those of pairs below the threshold, merged ones among them, are dropped.
    fn compact(&mut self) {
        let mut len = 0;
        // The lists are in the order of the pairs, so each moves to a lower place or stays.
        for pair in &mut self.pairs.list {
            if pair.count < self.threshold {
                pair.len = 0;
            }
            self.positions.copy_within(pair.start..pair.start + pair.len as usize, len);
            pair.start = len;
            len += pair.len as usize;
        }
        self.positions.truncate(len);
        self.most_positions = most_positions(len);
    }

    /// Counts all pairs anew and keeps those at or above the threshold.
    ///
    /// Errors: `stop` was set.
    pub(crate) fn scan(&mut self, tokens: &Tokens, steps: &mut Steps, stop: &AtomicBool) -> Result<(), Stopped> {
        (self.positions, self.pairs) = (vec![], Pairs::default());
        steps.add("scans", 1);
        let threshold = self.threshold;
        // Sums of pairs with the same hash: where the sum is too low, each of the pairs is.
        let mut filter = vec![0u32; (self.slots.ids.len() / 4).next_power_of_two().clamp(1 << 10, MAX_FILTER)];
        let mask = filter.len() - 1;
        let bucket = |left, right| hash(left, right) as usize & mask;
        self.each_pair(tokens, stop, |_, left, right, count| {
            let sum = &mut filter[bucket(left, right)];
            *sum = sum.saturating_add(u32::try_from(count).unwrap_or(u32::MAX));
        })?;
        let enough = u32::try_from(threshold).unwrap_or(u32::MAX);
        let mut pairs = Pairs::default();
        self.each_pair(tokens, stop, |_, left, right, count| {
            if filter[bucket(left, right)] >= enough {
                let pair = pairs.entry(left, right);
                pair.count += count;
                pair.len += 1;
            }
        })?;
        let rules = self.rules;
        let mut pairs = pairs.retained(|pair| pair.count >= threshold && rules.allows(tokens, pair.left, pair.right));
        let mut len = 0;
        for pair in &mut pairs.list {
            pair.start = len;
            len += pair.len as usize;
            pair.len = 0;
        }
        let mut positions = vec![0u32; len];
        self.each_pair(tokens, stop, |at, left, right, _| {
            if filter[bucket(left, right)] >= enough
                && let Some(pair) = pairs.get_mut(left, right)
            {
                positions[pair.start + pair.len as usize] = at as u32;
                pair.len += 1;
            }
        })?;
        (self.pairs, self.positions, self.most_positions) = (pairs, positions, most_positions(len));
        Ok(())
    }

    /// Calls `each` with every pair of neighbours.
    ///
    /// Errors: `stop` was set.
    fn each_pair(
        &self,
        tokens: &Tokens,
        stop: &AtomicBool,
        mut each: impl FnMut(usize, u32, u32, u64),
    ) -> Result<(), Stopped> {
        let mut at = 0;
        while at < self.slots.ids.len() {
            if stop.load(Ordering::Relaxed) {
                return Err(Stopped);
            }
            at = self.slots.pairs(tokens, at..at + SCANNED_AT_ONCE, &mut each);
        }
        Ok(())
    }

    /// Memory, in bytes.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.slots.heap_bytes() + self.pairs.heap_bytes() + 4 * self.positions.capacity()
    }
}
