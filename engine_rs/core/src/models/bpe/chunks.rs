//! Merges long words in chunks of less than 64 symbols, each of which stays in the first-level cache, and then mends the
//! seams.
//!
//! Tokens are the encoding of a word if every two that are neighbours are the encoding of what they spell together: the first
//! merge across a boundary between two tokens would, up to then, have had the same symbols around it in the word and in the
//! two alone. So the encodings of two chunks are mended by encoding the last tokens of the one and the first tokens of the
//! other anew, together: if the outermost of these stay what they were, all neighbours are as above. If one does not stay,
//! more tokens are taken on its side.
//!
//! Where that does not help, or seams take too many attempts, nothing is merged here: the work is linear.
//!
//! A merge step waits for the memory of two tables and for the step before. Four chunks make their steps in turns, so that
//! they wait together.
//!
//! Not here: rounds over all symbols, which take words without such seams ([`super::long`]).
//!
//! Source: the condition on neighbours is that of github.com/github/rust-gems `bpe`, whose encoder is another one.

use super::long::{Order, Symbol};
use super::merges::{LIMIT, Merges, NO_RANK, Rank};
use crate::call::Checks;

/// The most symbols that are merged by scanning.
pub(super) const MOST: usize = 63;
/// Symbols of a chunk.
const CHUNK: usize = 48;
/// Chunks that are merged together.
const TOGETHER: usize = 4;
/// A seam takes tokens of so many symbols from each side at first.
const SIDE: usize = 5;
/// The longest period that is looked for in the middle of a word.
const PERIOD: usize = 16;
/// How many symbols must be those one period later.
const ALIKE: usize = 32;
/// That many attempts to mend a seam may fail, and half as many as there are seams.
const GRACE: usize = 8;

/// How many candidates are compared at once.
const LANES: usize = 16;
/// No candidate.
const NONE: u32 = u32::MAX;
/// Bits of a place in a chunk.
const PLACE_BITS: u32 = 6;

/// Memory to be used again: the tokens of what is done and where each starts.
pub(super) struct Done<S> {
    pub(super) tokens: Vec<S>,
    pub(super) starts: Vec<u32>,
}

impl<S> Default for Done<S> {
    fn default() -> Self {
        Self { tokens: vec![], starts: vec![] }
    }
}

/// Merges at most [`MOST`] symbols in place as [`super::naive::encode`] does. `chunk` is memory to be used again: most words
/// are a tenth of it.
#[inline(always)]
pub(super) fn merge_few<S: Symbol>(
    merges: &Merges,
    symbols: &mut Vec<S>,
    chunk: &mut Option<Chunk<S>>,
    order: &impl Order<S>,
) {
    let Some(&some) = symbols.first() else { return };
    let chunk = chunk.get_or_insert_with(|| Chunk::new(some));
    chunk.fill(merges, symbols, order);
    while chunk.step(merges, order) {}
    symbols.clear();
    let mut left = chunk.left;
    while left != 0 {
        symbols.push(chunk.symbols[left.trailing_zeros() as usize & MOST]);
        left &= left - 1;
    }
}

/// Merges `symbols` in place as [`super::naive::encode`] does. Returns false, and leaves them as they are, if seams cannot be
/// mended.
#[inline(always)]
pub(super) fn merge<S: Symbol>(
    merges: &Merges,
    symbols: &mut Vec<S>,
    done: &mut Done<S>,
    order: &impl Order<S>,
) -> bool {
    let Some(&some) = symbols.first() else { return true };
    if is_periodic(symbols) {
        return false;
    }
    done.tokens.clear();
    done.starts.clear();
    let mut chunks = [Chunk::new(some); TOGETHER];
    let (mut start, mut failed, mut checks) = (0, 0, Checks::default());
    for group in symbols.chunks(TOGETHER * CHUNK) {
        // Nobody uses the tokens of a cancelled call.
        if checks.step().is_err() {
            return true;
        }
        // Loops, not closures, which would not be compiled for the processor of the caller.
        let count = group.len().div_ceil(CHUNK);
        for n in 0..count {
            chunks[n].fill(merges, &group[n * CHUNK..group.len().min((n + 1) * CHUNK)], order);
        }
        // Ends: each step removes a symbol.
        let mut is_done = false;
        while !is_done {
            is_done = true;
            for chunk in &mut chunks[..count] {
                is_done &= !chunk.step(merges, order);
            }
        }
        for chunk in &chunks[..count] {
            if !done.append(merges, symbols, start, chunk, order, &mut failed) {
                return false;
            }
            start += chunk.len;
        }
        if failed > GRACE + start / CHUNK / 2 {
            return false;
        }
    }
    std::mem::swap(symbols, &mut done.tokens);
    true
}

/// Whether the middle of a word repeats itself; its start may differ. Such a word is merged more quickly in rounds: a round
/// makes one merge in all copies.
fn is_periodic<S: Symbol>(symbols: &[S]) -> bool {
    let Some(start) = symbols.len().checked_sub(ALIKE + PERIOD) else { return false };
    let middle = &symbols[start / 2..];
    let is_alike = |period: usize| (0..ALIKE).all(|at| middle[at].id() == middle[at + period].id());
    (1..=PERIOD).any(is_alike)
}

impl<S: Symbol> Done<S> {
    /// Appends the tokens of a chunk that starts at symbol `start`. Returns false if the seam cannot be mended.
    #[inline(always)]
    fn append(
        &mut self,
        merges: &Merges,
        symbols: &[S],
        start: usize,
        chunk: &Chunk<S>,
        order: &impl Order<S>,
        failed: &mut usize,
    ) -> bool {
        if start == 0 {
            self.push(chunk, chunk.left, 0);
            return true;
        }
        let (mut before, mut after) = (SIDE, SIDE);
        // Ends: more symbols are taken each time.
        loop {
            let mut first = self.tokens.len() - 1;
            while first > 0 && start - (self.starts[first] as usize) < before {
                first -= 1;
            }
            let from = self.starts[first] as usize;
            // The tokens that are not taken, and the last one that is.
            let rest = chunk.left & u64::MAX.unbounded_shl(after as u32);
            let last = 63 - (chunk.left ^ rest).leading_zeros() as usize;
            let to = if rest == 0 { start + chunk.len } else { start + rest.trailing_zeros() as usize };
            if to - from > MOST {
                return false;
            }
            let mut seam = Chunk::new(symbols[from]);
            seam.fill(merges, &symbols[from..to], order);
            while seam.step(merges, order) {}
            let width = self.starts.get(first + 1).map_or(start, |&next| next as usize) - from;
            let is_first_kept =
                from == 0 || (seam.symbols[0].id() == self.tokens[first].id() && seam.width_of_first() == width);
            let end = 63 - seam.left.leading_zeros() as usize;
            let is_last_kept =
                rest == 0 || (from + end == start + last && seam.symbols[end].id() == chunk.symbols[last].id());
            if is_first_kept && is_last_kept {
                self.tokens.truncate(first);
                self.starts.truncate(first);
                self.push(&seam, seam.left, from);
                self.push(chunk, rest, start);
                return true;
            }
            *failed += 1;
            before = if is_first_kept { before } else { 2 * (start - from) };
            after = if is_last_kept { after } else { 2 * (to - start) };
        }
    }

    /// Appends the tokens of a chunk that have bits in `left`.
    #[inline(always)]
    fn push(&mut self, chunk: &Chunk<S>, mut left: u64, start: usize) {
        while left != 0 {
            let at = left.trailing_zeros() as usize & MOST;
            self.tokens.push(chunk.symbols[at]);
            self.starts.push((start + at) as u32);
            left &= left - 1;
        }
    }
}

/// Less than 64 symbols that merge by scanning for the lowest order, which is quadratic, and the quickest way for the length
/// of a word.
///
/// Symbols stay where they are. Invariant: `candidates[n]` is the order of symbol n and the next one, and n, in one number,
/// so that the lowest is the leftmost of the lowest order. What is behind the lanes of the last symbol is not read.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Chunk<S> {
    candidates: [u32; MOST + 1],
    /// By symbol: the rank of the merge with the next one.
    ranks: [Rank; MOST + 1],
    pub(super) symbols: [S; MOST + 1],
    pub(super) len: usize,
    /// A bit for each symbol that is left.
    pub(super) left: u64,
}

impl<S: Symbol> Chunk<S> {
    /// An empty one; `some` fills memory.
    #[inline(always)]
    pub(super) fn new(some: S) -> Self {
        let (candidates, ranks) = ([NONE; MOST + 1], [NO_RANK; MOST + 1]);
        Self { candidates, ranks, symbols: [some; MOST + 1], len: 0, left: 0 }
    }

    /// Puts other symbols in place of those that are in it: at least one.
    #[inline(always)]
    pub(super) fn fill(&mut self, merges: &Merges, symbols: &[S], order: &impl Order<S>) {
        self.len = symbols.len();
        self.symbols[..self.len].copy_from_slice(symbols);
        self.candidates[..self.len.next_multiple_of(LANES)].fill(NONE);
        for at in 1..self.len {
            self.see(merges, order, at - 1, at);
        }
        self.left = u64::MAX.unbounded_shr((64 - self.len) as u32);
    }

    /// How many of the original symbols were merged into the first one.
    fn width_of_first(&self) -> usize {
        ((self.left & (self.left - 1)).trailing_zeros() as usize).min(self.len)
    }

    /// Finds the candidate of the symbol at `at`, whose neighbour is at `next`.
    #[inline(always)]
    fn see(&mut self, merges: &Merges, order: &impl Order<S>, at: usize, next: usize) {
        const { assert!(MOST < 1 << PLACE_BITS && LIMIT << PLACE_BITS < NONE as usize) };
        let rank = merges.rank(self.symbols[at].id(), self.symbols[next].id());
        self.ranks[at] = rank;
        self.candidates[at] = if rank == NO_RANK { NONE } else { order.of(rank) << PLACE_BITS | at as u32 };
    }

    /// Makes the merge that comes next, if there is one.
    #[inline(always)]
    pub(super) fn step(&mut self, merges: &Merges, order: &impl Order<S>) -> bool {
        let mut lowest = [NONE; LANES];
        for some in self.candidates[..self.len.next_multiple_of(LANES)].chunks_exact(LANES) {
            for (lowest, &candidate) in lowest.iter_mut().zip(some) {
                *lowest = candidate.min(*lowest);
            }
        }
        let mut best = NONE;
        for other in lowest {
            best = best.min(other);
        }
        if best == NONE {
            return false;
        }
        let at = best as usize & MOST;
        // The symbol that is merged into this one is there, or there were no candidate.
        let after = self.left & (u64::MAX << at) << 1;
        let beyond = after & after.wrapping_sub(1);
        self.left ^= after ^ beyond;
        let right = after.trailing_zeros() as usize & MOST;
        self.symbols[at] = self.symbols[at].joined(self.symbols[right], merges.result(self.ranks[at]));
        self.candidates[right] = NONE;
        if beyond != 0 {
            self.see(merges, order, at, beyond.trailing_zeros() as usize & MOST);
        } else {
            self.candidates[at] = NONE;
        }
        let before = self.left & !(u64::MAX << at);
        if before != 0 {
            self.see(merges, order, 63 - before.leading_zeros() as usize, at);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::long;
    use super::super::tests::{Shared, random_bpe};
    use std::sync::Arc;

    use super::*;
    use crate::call::{Call, enter};
    use crate::ids::Id;
    use crate::testing::Random;

    #[test]
    fn a_cancelled_call_leaves_most_of_a_long_word() {
        let (_, bpe) = random_bpe(7, 4, 40);
        let mut random = Random::new(7);
        let symbols: Vec<Id> = (0..2_000_000).map(|_| Id::from(b'a' + random.below(4) as u8)).collect();
        let count = |is_cancelled: bool| {
            let call = Arc::new(Call::default());
            let _entered = enter(Some(Arc::clone(&call)));
            if is_cancelled {
                call.cancel();
            }
            let (mut merged, mut done) = (symbols.clone(), Done::default());
            assert!(merge(bpe.merges(), &mut merged, &mut done, &Shared(1)), "no seam is too wide");
            done.tokens.len()
        };
        // Without a question they are swapped with the symbols; with one they are as many as were merged until then.
        assert_eq!(count(false), symbols.len());
        assert!(count(true) < symbols.len() / 5);
    }

    #[test]
    fn chunks_merge_as_the_definition_does() {
        let mut merged = 0;
        for seed in 0..150 {
            let mut random = Random::new(seed);
            let alphabet = 1 + random.below(5);
            let (_, bpe) = random_bpe(seed + 500, alphabet, if alphabet == 1 { 6 } else { 40 });
            let order = Shared(*random.pick(&[1, 1, 2, 5, 40]));
            for round in 0..12 {
                let letter = |random: &mut Random| Id::from(b'a' + random.below(alphabet) as u8);
                let period: Vec<Id> = (0..1 + random.below(40)).map(|_| letter(&mut random)).collect();
                let len = *random.pick(&[CHUNK - 1, CHUNK, CHUNK + 1, MOST + 1, 2 * CHUNK + 1, TOGETHER * CHUNK, 700]);
                let len = len + random.below(3);
                // Random, periodic, and periodic with a change now and then.
                let symbol = |at: usize, random: &mut Random| match round % 3 {
                    1 => period[at % period.len()],
                    2 if random.below(30) > 0 => period[at % period.len()],
                    _ => letter(random),
                };
                let symbols: Vec<Id> = (0..len).map(|at| symbol(at, &mut random)).collect();
                let expected = order.encode(bpe.merges(), &symbols);
                let mut by_chunks = symbols.clone();
                if merge(bpe.merges(), &mut by_chunks, &mut Done::default(), &order) {
                    assert_eq!(by_chunks, expected, "seed {seed}, {} ranks an order, {symbols:?}", order.0);
                    merged += 1;
                } else {
                    assert_eq!(by_chunks, symbols, "left as they are");
                }
                let mut all_ways = symbols.clone();
                long::merge(bpe.merges(), &mut all_ways, &mut long::Scratch::default(), &mut Shared(order.0));
                assert_eq!(all_ways, expected, "seed {seed}, {} ranks an order, {symbols:?}", order.0);
            }
        }
        assert!(merged > 400, "{merged}");
    }
}
