//! Merges many short words together, so that their look-ups overlap.
//!
//! One merge step waits for the memory of two tables. A round makes one step of every word that can still merge, in
//! passes: each pass asks for the memory that the next one reads, and no branch depends on what a word finds.
//! `naive` is the definition.

use super::Bpe;
use super::merges::LIMIT;
use crate::ids::Id;

/// How many words are merged together.
pub(crate) const WORDS: usize = 128;
/// The most bytes of a word.
pub(crate) const MAX_BYTES: usize = 15;

/// Bits of the slot below the rank in a candidate.
const SLOT_BITS: u32 = 4;
/// Candidates from here on are no merges: [`super::NO_RANK`] and the slot.
const NONE: u32 = (LIMIT as u32) << SLOT_BITS;

/// A word that is being merged. Its symbols are in slots 1 to 15; slot 0 and the slot after the last one bound it.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Word {
    /// By slot: rank of the symbol and the next one, and the slot, in one number, so that the lowest is the leftmost of
    /// the lowest rank.
    candidates: [u32; 16],
    symbols: [Id; 17],
    /// A bit for each slot that has a symbol, and for the two bounds.
    taken: u32,
    /// The slot after the last symbol.
    end: u32,
}

const EMPTY: Word = Word { candidates: [u32::MAX; 16], symbols: [0; 17], taken: 0, end: 0 };

/// One step of a word.
#[derive(Clone, Copy, Debug, Default)]
struct Step {
    word: usize,
    /// The lowest candidate.
    best: u32,
}

/// Words of up to [`MAX_BYTES`] bytes. It keeps its memory.
#[derive(Debug)]
pub(crate) struct Batch {
    words: [Word; WORDS],
    steps: [Step; WORDS],
    len: usize,
}

impl Default for Batch {
    fn default() -> Self {
        Self { words: [EMPTY; WORDS], steps: [Step::default(); WORDS], len: 0 }
    }
}

impl Batch {
    /// Drops all words.
    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    /// Adds the word of the first `len` bytes, 1 to [`MAX_BYTES`]. There is room for [`WORDS`] words.
    #[inline(always)]
    pub(crate) fn push(&mut self, bpe: &Bpe, bytes: [u8; 16], len: usize) {
        let word = &mut self.words[self.len];
        let len = len.min(MAX_BYTES);
        word.candidates = [u32::MAX; 16];
        word.end = len as u32 + 1;
        word.taken = (1 << (len + 2)) - 1;
        for (symbol, byte) in word.symbols[1..].iter_mut().zip(bytes) {
            *symbol = bpe.byte_ids[usize::from(byte)];
        }
        for slot in 1..len {
            // `NO_RANK` loses high bits here, and the rest is still above all ranks.
            let rank = bpe.byte_pairs[usize::from(bytes[slot - 1])][usize::from(bytes[slot])];
            word.candidates[slot] = rank << SLOT_BITS | slot as u32;
        }
        self.steps[self.len].word = self.len;
        self.len += 1;
    }

    /// Merges all words. Ends as every step removes a symbol.
    #[inline(always)]
    pub(crate) fn merge(&mut self, bpe: &Bpe) {
        let merges = &*bpe.merges;
        let Self { words, steps, len } = self;
        let mut live = *len;
        loop {
            let mut left = 0;
            for n in 0..live {
                let at = steps[n].word;
                let best = words[at % WORDS].candidates.iter().fold(u32::MAX, |best, &other| best.min(other));
                steps[left] = Step { word: at, best };
                left += usize::from(best < NONE);
                merges.prefetch_result((best >> SLOT_BITS) as usize);
            }
            live = left;
            if live == 0 {
                return;
            }
            for step in &steps[..live] {
                let word = &mut words[step.word % WORDS];
                let slot = step.best & 15;
                let id = merges.result(step.best >> SLOT_BITS);
                word.symbols[slot as usize] = id;
                // The bound after the last symbol is there, so each has a successor.
                let after = word.taken & (u32::MAX << slot) << 1;
                word.taken ^= after & after.wrapping_neg();
                word.candidates[after.trailing_zeros() as usize & 15] = u32::MAX;
                let (before, next) = neighbours(word.taken, slot);
                merges.prefetch(id, word.symbols[next]);
                merges.prefetch(word.symbols[before], id);
            }
            for step in &steps[..live] {
                let word = &mut words[step.word % WORDS];
                let slot = step.best & 15;
                let (before, next) = neighbours(word.taken, slot);
                let id = word.symbols[slot as usize];
                let none = |is_bound: bool| u32::from(is_bound).wrapping_neg();
                let right = merges.rank(id, word.symbols[next]) << SLOT_BITS | slot;
                let left = merges.rank(word.symbols[before], id) << SLOT_BITS | before as u32;
                word.candidates[slot as usize] = right | none(next as u32 == word.end);
                word.candidates[before] = left | none(before == 0);
            }
        }
    }

    /// Leaves the tokens of word number `n` in `tokens`, each with the byte of the word where it ends.
    #[inline(always)]
    pub(crate) fn tokens(&self, n: usize, tokens: &mut Vec<(Id, u32)>) {
        let word = &self.words[n];
        tokens.clear();
        let mut taken = word.taken & !1;
        loop {
            let slot = taken.trailing_zeros();
            taken &= taken.wrapping_sub(1);
            if taken == 0 {
                break;
            }
            tokens.push((word.symbols[slot as usize & 15], taken.trailing_zeros() - 1));
        }
    }
}

/// The slots before and after one that is taken.
#[inline(always)]
fn neighbours(taken: u32, slot: u32) -> (usize, usize) {
    let before = 31 - ((taken & !(u32::MAX << slot)) | 1).leading_zeros();
    let next = (taken & (u32::MAX << slot) << 1).trailing_zeros();
    (before as usize & 15, (next as usize).min(16))
}

#[cfg(test)]
mod tests {
    use super::super::tests::random_bpe;
    use super::*;
    use crate::models::bpe::naive;
    use crate::testing::Random;

    #[test]
    fn agrees_with_the_definition() {
        for seed in 0..120 {
            let mut random = Random::new(seed + 7000);
            let alphabet = 1 + random.below(4);
            let (_, bpe) = random_bpe(seed, alphabet, if alphabet == 1 { 6 } else { 40 });
            let mut batch = Batch::default();
            for round in 0..20 {
                let count = 1 + random.below(WORDS);
                let words: Vec<Vec<u8>> = (0..count)
                    .map(|n| {
                        let len = if round == 0 { 1 + n % MAX_BYTES } else { 1 + random.below(MAX_BYTES) };
                        (0..len).map(|_| b'a' + random.below(alphabet) as u8).collect()
                    })
                    .collect();
                batch.clear();
                for word in &words {
                    // What follows the word does not count.
                    let bytes = std::array::from_fn(|n| word.get(n).copied().unwrap_or(b'a'));
                    batch.push(&bpe, bytes, word.len());
                }
                batch.merge(&bpe);
                for (n, word) in words.iter().enumerate() {
                    let expected = naive::encode(&bpe.merges, word.iter().map(|&byte| Id::from(byte)).collect());
                    let (mut tokens, mut end) = (vec![], 0);
                    batch.tokens(n, &mut tokens);
                    assert_eq!(tokens.iter().map(|&(id, _)| id).collect::<Vec<_>>(), expected, "{seed}, {word:?}");
                    for &(id, at) in &tokens {
                        end += bpe.lengths[id as usize];
                        assert_eq!(at, end, "{seed}, {word:?}");
                    }
                }
            }
        }
    }
}
