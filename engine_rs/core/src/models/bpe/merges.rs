//! Which two tokens merge, when, and into what: the table every merge step asks.
//!
//! A line of 64 bytes holds ten pairs, and a pair is in its own line or in none: a look-up reads one line and no branch
//! depends on what it finds, since which pairs merge cannot be foreseen. Both ids, multiplied by an odd number, are as good as
//! the ids; the high bits of the product are the number of the line, so that only the others need to be kept, and a pair with
//! its rank takes six bytes.

use rustc_hash::FxHashMap;

use crate::ids::Id;
use crate::memory::prefetch;

/// Rank of a merge: its place in the order of merges, lower first.
pub type Rank = u32;

/// No merge.
pub const NO_RANK: Rank = Rank::MAX;

/// Bits of the largest ids and ranks.
const BITS: u32 = 21;
/// Ids and ranks must be below this.
pub(crate) const LIMIT: usize = (1 << BITS) - 1;

/// How many pairs a line holds.
const ROOM: usize = 10;
/// Lines are twice as many when there are more pairs than this for each: few lines are full then.
const MEAN: usize = 7;
/// Low bits of a rank, which have a number of their own.
const LOW: u32 = 16;
/// At most so many bits of a product are kept: the others of 32 are the high bits of the rank.
const MAX_REST: u32 = u32::BITS - (BITS - LOW);

/// Odd, so that no two products are equal.
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
/// `FACTOR * INVERSE` is 1.
const INVERSE: u64 = {
    let (mut inverse, mut round) = (FACTOR, 0);
    // Each round doubles the bits that are right, three at first.
    while round < 5 {
        inverse = inverse.wrapping_mul(2_u64.wrapping_sub(FACTOR.wrapping_mul(inverse)));
        round += 1;
    }
    inverse
};

/// Ten pairs and their ranks.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Line {
    /// What is kept of the product, and above it the high bits of the rank.
    keys: [u32; ROOM],
    /// The low bits of the rank.
    ranks: [u16; ROOM],
    /// A bit for each pair.
    taken: u16,
    /// Whether there are more pairs than the line holds.
    is_over_full: bool,
}

const EMPTY: Line = Line { keys: [0; ROOM], ranks: [0; ROOM], taken: 0, is_over_full: false };

/// Rank and result of every merge, by the pair it joins.
#[derive(Clone, Debug)]
pub struct Merges {
    lines: Vec<Line>,
    /// The pairs for which their lines have no room, by key.
    others: FxHashMap<u64, Rank>,
    /// Bits of the largest id; ids with more bits are in no pair.
    id_bits: u32,
    /// How many bits of a product are kept.
    rest_bits: u32,
    pairs: usize,
    /// Token made by the merge, by rank.
    results: Vec<Id>,
}

impl Merges {
    /// No merges yet; `results` are the tokens that they will make, by rank.
    ///
    /// # Panics
    /// Where ids or ranks are not below [`LIMIT`]: the formats check.
    pub fn new(results: Vec<Id>) -> Self {
        assert!(results.len() < LIMIT && results.iter().all(|&id| (id as usize) < LIMIT));
        let largest = results.iter().max().map_or(0, |&id| id);
        let (lines, others) = (vec![], FxHashMap::default());
        let mut merges = Self { lines, others, id_bits: 0, rest_bits: 0, pairs: 0, results };
        merges.resize(merges.results.len(), largest);
        merges
    }

    /// The merges of a list, by rank: left, right and what they make.
    ///
    /// # Panics
    /// As [`Self::new`].
    pub fn of(pairs: &[[Id; 3]]) -> Self {
        /// The memory of a pair is asked for this many pairs ahead.
        const AHEAD: usize = 16;
        let mut merges = Self::new(pairs.iter().map(|pair| pair[2]).collect());
        for (rank, &[left, right, _]) in pairs.iter().enumerate() {
            if let Some(&[left, right, _]) = pairs.get(rank + AHEAD) {
                merges.prefetch(left, right);
            }
            merges.insert(left, right, rank as Rank);
        }
        merges
    }

    /// Lets `left` and `right` merge with this rank; a later call for the same pair wins.
    ///
    /// # Panics
    /// If an id is not below [`LIMIT`], which the formats check: its highest bits would be those of another pair.
    pub fn insert(&mut self, left: Id, right: Id, rank: Rank) {
        assert!((left.max(right) as usize) < LIMIT, "ids are below the limit");
        if self.pairs >= self.lines.len() * MEAN || (left | right) >> self.id_bits != 0 {
            self.resize(self.pairs + 1, left | right);
        }
        self.pairs += usize::from(self.rank(left, right) == NO_RANK);
        self.put(left, right, rank);
    }

    fn put(&mut self, left: Id, right: Id, rank: Rank) {
        let ((number, rest), mask) = (self.place(left, right), self.rest_mask());
        let line = &mut self.lines[number];
        let found = line.find(rest, mask);
        let at = if found == 0 { line.taken.trailing_ones() } else { found.trailing_zeros() } as usize;
        if at == ROOM {
            line.is_over_full = true;
            self.others.insert(self.key(left, right), rank);
            return;
        }
        line.taken |= 1 << at;
        line.keys[at] = rest | (u64::from(rank >> LOW) << self.rest_bits) as u32;
        line.ranks[at] = rank as u16;
    }

    /// Makes room for `pairs` pairs, and more if there are as many now, of ids up to `largest`.
    fn resize(&mut self, pairs: usize, largest: Id) {
        let all: Vec<_> = self.iter().collect();
        self.id_bits = self.id_bits.max(u32::BITS - largest.leading_zeros()).max(4);
        let index_bits = (pairs.max(1).div_ceil(MEAN) + 1).next_power_of_two().trailing_zeros();
        let index_bits = index_bits.max((2 * self.id_bits).saturating_sub(MAX_REST)).min(2 * self.id_bits - 1);
        self.rest_bits = 2 * self.id_bits - index_bits;
        self.lines = vec![EMPTY; 1 << index_bits];
        self.others.clear();
        for (left, right, rank) in all {
            self.put(left, right, rank);
        }
    }

    #[inline(always)]
    fn rest_mask(&self) -> u32 {
        (1 << self.rest_bits) - 1
    }

    #[inline(always)]
    fn key(&self, left: Id, right: Id) -> u64 {
        u64::from(left) << self.id_bits | u64::from(right)
    }

    /// The line of a pair whose ids are not too large, and what it keeps of the product.
    #[inline(always)]
    fn place(&self, left: Id, right: Id) -> (usize, u32) {
        let product = self.key(left, right).wrapping_mul(FACTOR);
        let number = (product >> self.rest_bits) as usize & (self.lines.len() - 1);
        (number, product as u32 & self.rest_mask())
    }

    /// The ids that [`Self::place`] was made of.
    fn pair_at(&self, number: usize, rest: u32) -> (Id, Id) {
        let product = (number as u64) << self.rest_bits | u64::from(rest);
        let mask = |bits: u32| u64::MAX >> (u64::BITS - bits);
        let key = product.wrapping_mul(INVERSE) & mask(2 * self.id_bits);
        ((key >> self.id_bits) as Id, (key & mask(self.id_bits)) as Id)
    }

    /// Rank of the merge of two neighbours, or [`NO_RANK`].
    #[inline(always)]
    pub fn rank(&self, left: Id, right: Id) -> Rank {
        if (left | right) >> self.id_bits != 0 {
            return NO_RANK;
        }
        let (number, rest) = self.place(left, right);
        let line = &self.lines[number];
        let found = line.find(rest, self.rest_mask());
        if line.is_over_full && found == 0 {
            return self.other(left, right);
        }
        let at = (found.trailing_zeros() as usize).min(ROOM - 1);
        let rank = line.keys[at] >> self.rest_bits << LOW | u32::from(line.ranks[at]);
        // No branch asks whether there is one.
        rank | u32::from(found == 0).wrapping_neg()
    }

    /// The same for a pair that its line has no room for.
    #[cold]
    #[inline(never)]
    fn other(&self, left: Id, right: Id) -> Rank {
        self.others.get(&self.key(left, right)).copied().unwrap_or(NO_RANK)
    }

    /// The token that the merge of this rank makes.
    #[inline(always)]
    pub fn result(&self, rank: Rank) -> Id {
        self.results[rank as usize]
    }

    /// Asks for the memory that [`Self::rank`] reads.
    #[inline(always)]
    pub(crate) fn prefetch(&self, left: Id, right: Id) {
        prefetch(&self.lines[self.place(left, right).0]);
    }

    /// Asks for the memory that [`Self::result`] reads, if there is such a rank.
    #[inline(always)]
    pub(crate) fn prefetch_result(&self, rank: usize) {
        if let Some(result) = self.results.get(rank) {
            prefetch(result);
        }
    }

    /// Rank of the merge of two neighbours, or [`NO_RANK`], and the token that it makes.
    pub fn join(&self, left: Id, right: Id) -> (Rank, Id) {
        let rank = self.rank(left, right);
        (rank, if rank == NO_RANK { 0 } else { self.result(rank) })
    }

    /// All merges, in no order: left, right, rank.
    pub fn iter(&self) -> impl Iterator<Item = (Id, Id, Rank)> {
        let in_lines = self.lines.iter().enumerate().flat_map(move |(number, line)| {
            (0..ROOM).filter(|at| line.taken >> at & 1 == 1).map(move |at| {
                let (left, right) = self.pair_at(number, line.keys[at] & self.rest_mask());
                (left, right, line.keys[at] >> self.rest_bits << LOW | u32::from(line.ranks[at]))
            })
        });
        let id = |key: u64| (key & (u64::MAX >> (u64::BITS - self.id_bits))) as Id;
        in_lines.chain(self.others.iter().map(move |(&key, &rank)| (id(key >> self.id_bits), id(key), rank)))
    }

    /// By id: the first rank whose merge makes the token, or [`NO_RANK`]. Tokens from `id_bound` on are left out.
    pub(crate) fn ranks_of_results(&self, id_bound: usize) -> Vec<Rank> {
        let mut ranks = vec![NO_RANK; id_bound];
        for (rank, &id) in self.results.iter().enumerate().rev() {
            if let Some(first) = ranks.get_mut(id as usize) {
                *first = rank as Rank;
            }
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

impl Line {
    /// A bit for the pair of which `rest` is kept, if the line has it.
    #[inline(always)]
    fn find(&self, rest: u32, mask: u32) -> u32 {
        self.equal(rest, mask) & u32::from(self.taken)
    }

    /// A bit for each key that is equal under the mask, and more above.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn equal(&self, rest: u32, mask: u32) -> u32 {
        use std::arch::x86_64::{
            __m128i, _mm_and_si128, _mm_cmpeq_epi32, _mm_load_si128, _mm_movemask_epi8, _mm_packs_epi16,
            _mm_packs_epi32, _mm_set1_epi32, _mm_setzero_si128,
        };
        // SAFETY: every x86-64 has SSE2, and the three loads, 48 bytes, are aligned and inside of the line.
        unsafe {
            let (rest, mask) = (_mm_set1_epi32(rest as i32), _mm_set1_epi32(mask as i32));
            let keys = std::ptr::from_ref(self).cast::<__m128i>();
            let equal = |n| _mm_cmpeq_epi32(_mm_and_si128(_mm_load_si128(keys.add(n)), mask), rest);
            let words = _mm_packs_epi32(equal(0), equal(1));
            let bytes = _mm_packs_epi16(words, _mm_packs_epi32(equal(2), _mm_setzero_si128()));
            _mm_movemask_epi8(bytes) as u32
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    #[inline(always)]
    fn equal(&self, rest: u32, mask: u32) -> u32 {
        (0..ROOM).fold(0, |bits, at| bits | u32::from(self.keys[at] & mask == rest) << at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

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

    #[test]
    fn agrees_with_a_map_whatever_the_ids() {
        for seed in 0..40 {
            let mut random = Random::new(seed);
            // From tables of nothing to the largest ids; lines overflow where most pairs share them.
            let bound = [1, 2, 17, 300, 70_000, LIMIT][seed as usize % 6];
            let known = random.below(2) * 500;
            let mut merges = Merges::new(vec![0; if seed == 5 { LIMIT - 1 } else { known }]);
            let mut map = std::collections::BTreeMap::new();
            let ids: Vec<Id> = (0..40).map(|_| random.below(bound) as Id).chain([bound as Id - 1]).collect();
            for n in 0..1500 {
                let (left, right) = (*random.pick(&ids), *random.pick(&ids));
                let rank = if n % 3 == 0 { LIMIT - 1 - n } else { n } as Rank;
                merges.insert(left, right, rank);
                map.insert((left, right), rank);
            }
            for &left in &ids {
                for &right in &ids {
                    let expected = map.get(&(left, right)).copied().unwrap_or(NO_RANK);
                    assert_eq!(merges.rank(left, right), expected, "seed {seed}, {left} and {right}");
                }
                for other in [0, 1, bound as Id, LIMIT as Id, Id::MAX] {
                    let expected = map.get(&(left, other)).copied().unwrap_or(NO_RANK);
                    assert_eq!(merges.rank(left, other), expected, "seed {seed}, {left} and {other}");
                }
            }
            let mut all: Vec<_> = merges.iter().collect();
            all.sort();
            assert_eq!(all, map.iter().map(|(&(left, right), &rank)| (left, right, rank)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn pairs_beyond_the_room_of_a_line_are_found() {
        let mut merges = Merges::new((0..2000).collect());
        let (number, _) = merges.place(3, 5);
        let pairs: Vec<_> = (0..2000)
            .flat_map(|left| (0..2000).map(move |right| (left, right)))
            .filter(|&(left, right)| merges.place(left, right).0 == number)
            .take(2 * ROOM)
            .collect();
        for (&(left, right), rank) in pairs.iter().zip(0..) {
            merges.insert(left, right, rank);
        }
        assert_eq!(merges.others.len(), ROOM);
        for (&(left, right), rank) in pairs.iter().zip(0..) {
            assert_eq!(merges.rank(left, right), rank);
            merges.insert(left, right, rank + 7);
            assert_eq!(merges.rank(left, right), rank + 7);
        }
        assert_eq!((merges.pairs, merges.iter().count()), (2 * ROOM, 2 * ROOM));
    }
}
