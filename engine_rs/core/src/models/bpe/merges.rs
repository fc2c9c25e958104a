//! Which two tokens merge, when, and into what: the table every merge step asks.
//!
//! One open-addressed array of 64-bit slots: both ids and the rank packed into one word, so that a look-up costs one
//! cache line.

use crate::ids::Id;

/// Rank of a merge: its place in the order of merges, lower first.
pub type Rank = u32;

/// No merge.
pub const NO_RANK: Rank = Rank::MAX;

/// Ids and ranks are packed into this many bits each.
const BITS: u32 = 21;
/// Ids and ranks must be below this.
pub const LIMIT: usize = (1 << BITS) - 1;

const EMPTY: u64 = u64::MAX;

/// Rank and result of every merge, by the pair it joins.
#[derive(Clone, Debug)]
pub struct Merges {
    slots: Vec<u64>,
    shift: u32,
    pairs: usize,
    /// Token made by the merge, by rank.
    results: Vec<Id>,
}

#[inline(always)]
fn pair(left: Id, right: Id) -> u64 {
    u64::from(left) << BITS | u64::from(right)
}

impl Merges {
    /// No merges yet; `results` are the tokens that they will make, by rank.
    ///
    /// # Panics
    /// Where ids or ranks are not below [`LIMIT`]: the formats check.
    pub fn new(results: Vec<Id>) -> Self {
        assert!(results.len() < LIMIT && results.iter().all(|&id| (id as usize) < LIMIT));
        let mut merges = Self { slots: vec![], shift: 0, pairs: 0, results };
        merges.resize(merges.results.len());
        merges
    }

    /// Lets `left` and `right` merge with this rank; a later call for the same pair wins.
    pub fn insert(&mut self, left: Id, right: Id, rank: Rank) {
        if (self.pairs + 1) * 2 > self.slots.len() {
            self.resize(self.pairs + 1);
        }
        let key = pair(left, right);
        let at = self.find(key);
        self.pairs += usize::from(self.slots[at] == EMPTY);
        self.slots[at] = key << BITS | u64::from(rank);
    }

    /// Makes room for twice as many pairs as `pairs`: at most half full, so that a miss ends after one or two slots.
    fn resize(&mut self, pairs: usize) {
        let slots = (pairs.max(8) * 2 + 1).next_power_of_two();
        self.shift = 64 - slots.trailing_zeros();
        for slot in std::mem::replace(&mut self.slots, vec![EMPTY; slots]).into_iter().filter(|&slot| slot != EMPTY) {
            let at = self.find(slot >> BITS);
            self.slots[at] = slot;
        }
    }

    /// Where the pair is, or the empty slot where it would be.
    #[inline(always)]
    fn find(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift) as usize;
        // Ends: at least half of the slots are empty.
        while self.slots[at] != EMPTY && self.slots[at] >> BITS != key {
            at = (at + 1) & mask;
        }
        at
    }

    /// Rank of the merge of two neighbours, or [`NO_RANK`].
    #[inline(always)]
    pub fn rank(&self, left: Id, right: Id) -> Rank {
        match self.slots[self.find(pair(left, right))] {
            EMPTY => NO_RANK,
            slot => slot as Rank & LIMIT as Rank,
        }
    }

    /// The token that the merge of this rank makes.
    #[inline(always)]
    pub fn result(&self, rank: Rank) -> Id {
        self.results[rank as usize]
    }

    /// Rank of the merge of two neighbours, or [`NO_RANK`], and the token that it makes.
    pub fn join(&self, left: Id, right: Id) -> (Rank, Id) {
        let rank = self.rank(left, right);
        (rank, if rank == NO_RANK { 0 } else { self.result(rank) })
    }

    /// All merges, in no order: left, right, rank.
    pub fn iter(&self) -> impl Iterator<Item = (Id, Id, Rank)> {
        let id = |slot: u64, shift: u32| (slot >> shift) as Id & LIMIT as Id;
        self.slots
            .iter()
            .filter(|&&slot| slot != EMPTY)
            .map(move |&slot| (id(slot, 2 * BITS), id(slot, BITS), slot as Rank & LIMIT as Rank))
    }

    /// By id: the first rank whose merge makes the token, or [`NO_RANK`].
    pub fn ranks_of_results(&self, id_bound: usize) -> Vec<Rank> {
        let mut ranks = vec![NO_RANK; id_bound];
        for (rank, &id) in self.results.iter().enumerate().rev() {
            ranks[id as usize] = rank as Rank;
        }
        ranks
    }

    /// Number of ranks.
    pub fn len(&self) -> usize {
        self.results.len()
    }

    /// Whether nothing merges.
    pub fn is_empty(&self) -> bool {
        self.results.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_was_put_in_and_nothing_else() {
        let mut merges = Merges::new((0..1000).collect());
        for rank in 0..1000 {
            merges.insert(rank * 7 % 1000, rank, rank);
        }
        for rank in 0..1000 {
            assert_eq!(merges.rank(rank * 7 % 1000, rank), rank);
            assert_eq!(merges.rank(rank, 1000), NO_RANK);
        }
        merges.insert(0, 0, 9);
        assert_eq!(merges.rank(0, 0), 9, "a later merge of the same pair wins");
        assert_eq!(merges.result(9), 9);
    }
}
