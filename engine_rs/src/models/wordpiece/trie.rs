//! The entries of a vocabulary as a double array: one array look-up per byte to the longest entry a word starts with.
//!
//! Not here: what follows when there is none ([`super`]).
//!
//! A state is an offset; the child of state `s` by byte `b` stands in cell `s ^ b` if that cell is labelled `b`. No two
//! nodes have the same offset, so a label alone tells whose child a cell is. Offsets are xor-ed, so that all children of
//! a node lie in one block of 256 cells.
//!
//! Source: Aoe 1989, An efficient digital search algorithm by using a double-array structure; the xor in place of the sum
//! is from Yata et al. 2007, A compact static double-array keeping character codes.

use crate::ids::Id;

/// Where one is in the trie: the offset of a node's children.
pub type State = u32;

const BLOCK: usize = 256;
const NO_LABEL: u32 = 256;
const NO_ID: Id = Id::MAX;
/// The state of nodes without children. Its cells are never labelled.
const DEAD: State = 0;

/// How many blocks that have a free cell are tried before a new one is made. More packs tighter and builds longer.
const TRIES: usize = 12;

#[derive(Clone, Copy, Debug)]
struct Cell {
    /// State in the high 23 bits, label in the low 9.
    link: u32,
    /// The entry that ends here, or [`NO_ID`].
    id: Id,
}

const FREE: Cell = Cell { link: NO_LABEL, id: NO_ID };

/// A map from byte strings to ids that finds the longest key at the start of a text.
#[derive(Clone, Debug)]
pub struct Trie {
    cells: Vec<Cell>,
}

impl Trie {
    /// Where all keys start.
    pub const ROOT: State = BLOCK as State;

    /// Builds the trie of keys, each given once; empty keys are left out.
    pub fn new(mut keys: Vec<(&[u8], Id)>) -> Self {
        keys.retain(|(key, _)| !key.is_empty());
        keys.sort_unstable();
        let mut builder = Builder::new();
        builder.add(&keys);
        Self { cells: builder.cells }
    }

    /// The longest key that `text` starts with, looking from `state` on: its id and its length in bytes, at least 1.
    #[inline]
    pub fn longest(&self, state: State, text: &[u8]) -> Option<(Id, usize)> {
        let mut found = None;
        let mut state = state;
        for (at, &byte) in text.iter().enumerate() {
            let Some(cell) = self.child(state, byte) else { break };
            if cell.id != NO_ID {
                found = Some((cell.id, at + 1));
            }
            state = cell.link >> 9;
        }
        found
    }

    /// The state after `text`, or `None` where no longer key starts so.
    pub fn walk(&self, text: &[u8]) -> Option<State> {
        let mut state = Self::ROOT;
        for &byte in text {
            state = self.child(state, byte)?.link >> 9;
        }
        (state != DEAD).then_some(state)
    }

    #[inline]
    fn child(&self, state: State, byte: u8) -> Option<Cell> {
        let cell = self.cells[(state ^ State::from(byte)) as usize];
        (cell.link & 0x1ff == u32::from(byte)).then_some(cell)
    }
}

struct Builder {
    cells: Vec<Cell>,
    /// Per block: which cells are free.
    free: Vec<[u64; 4]>,
    /// Per block: which offsets belong to a node.
    taken: Vec<[u64; 4]>,
    /// All blocks before this one are full, or as good as that.
    open: usize,
}

impl Builder {
    fn new() -> Self {
        // Block 0 stays empty for `DEAD`; the root's children are in block 1.
        let mut builder = Self { cells: vec![], free: vec![], taken: vec![], open: 2 };
        (0..3).for_each(|_| builder.grow());
        builder
    }

    /// Adds all keys below the root. A stack in place of recursion: keys may be long.
    fn add(&mut self, keys: &[(&[u8], Id)]) {
        let mut work = vec![(0, keys.len(), 0, Trie::ROOT)];
        while let Some((first, last, depth, state)) = work.pop() {
            // The keys first..last share their first `depth` bytes and are longer than that.
            let mut at = first;
            while at < last {
                let label = keys[at].0[depth];
                let end = at + keys[at..last].partition_point(|(key, _)| key[depth] == label);
                let cell = (state ^ State::from(label)) as usize;
                // Sorted, so the key that ends here comes first.
                let inner = at + usize::from(keys[at].0.len() == depth + 1);
                let below = if inner < end { self.place(&keys[inner..end], depth + 1) } else { DEAD };
                self.cells[cell] =
                    Cell { link: below << 9 | u32::from(label), id: if inner > at { keys[at].1 } else { NO_ID } };
                self.free[cell / BLOCK][cell % BLOCK / 64] &= !(1 << (cell % 64));
                if inner < end {
                    work.push((inner, end, depth + 1, below));
                }
                at = end;
            }
        }
    }

    /// Finds an offset for a node whose children are the bytes at `depth` of the sorted `keys`, and reserves the cells.
    fn place(&mut self, keys: &[(&[u8], Id)], depth: usize) -> State {
        let mut labels: Vec<u8> = keys.iter().map(|(key, _)| key[depth]).collect();
        labels.dedup();
        while self.open + 1 < self.free.len() && self.free[self.open] == [0; 4] {
            self.open += 1;
        }
        let first = self.open.max(self.free.len().saturating_sub(TRIES));
        let fitting = (first..self.free.len()).find_map(|block| self.fit(block, &labels));
        let state = fitting.unwrap_or_else(|| {
            self.grow();
            self.free.len() * BLOCK - BLOCK
        });
        assert!(state < 1 << 23, "the vocabulary is too large for a trie of 8 million cells");
        self.taken[state / BLOCK][state % BLOCK / 64] |= 1 << (state % 64);
        for &label in &labels {
            let cell = state ^ usize::from(label);
            self.free[cell / BLOCK][cell % BLOCK / 64] &= !(1 << (cell % 64));
        }
        state as State
    }

    /// An offset in `block` at which all children fall on free cells.
    fn fit(&self, block: usize, labels: &[u8]) -> Option<usize> {
        let (free, taken) = (&self.free[block], &self.taken[block]);
        let has = |set: &[u64; 4], at: u8| set[usize::from(at) / 64] >> (at % 64) & 1 == 1;
        let candidates = (0..=255u8).filter(|&cell| has(free, cell)).map(|cell| cell ^ labels[0]);
        let mut fitting =
            candidates.filter(|&offset| !has(taken, offset) && labels.iter().all(|&label| has(free, offset ^ label)));
        fitting.next().map(|offset| block * BLOCK + usize::from(offset))
    }

    fn grow(&mut self) {
        self.cells.resize(self.cells.len() + BLOCK, FREE);
        self.free.push([u64::MAX; 4]);
        self.taken.push([0; 4]);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::testing::Random;

    #[test]
    fn finds_the_longest_key() {
        let trie = Trie::new(vec![(b"a", 0), (b"abc", 1), (b"b\xff", 2), (b"", 3)]);
        for (text, expected) in [
            (&b""[..], None),
            (b"a", Some((0, 1))),
            (b"ab", Some((0, 1))),
            (b"abcd", Some((1, 3))),
            (b"b", None),
            (b"b\xff\xff", Some((2, 2))),
            (b"\0", None),
        ] {
            assert_eq!(trie.longest(Trie::ROOT, text), expected, "{text:?}");
        }
        assert!(trie.walk(b"ab").is_some() && trie.walk(b"abc").is_none() && trie.walk(b"c").is_none());
    }

    #[test]
    fn equals_a_map_of_prefixes() {
        let mut random = Random::new(7);
        for _ in 0..50 {
            let key = |random: &mut Random| -> Vec<u8> {
                let len = random.below(6);
                (0..len).map(|_| [0, 1, 97, 98, 255][random.below(5)]).collect()
            };
            let map: BTreeMap<Vec<u8>, Id> = (0..random.below(400) as Id).map(|id| (key(&mut random), id)).collect();
            let trie = Trie::new(map.iter().map(|(key, &id)| (key.as_slice(), id)).collect());
            for _ in 0..300 {
                let text = key(&mut random);
                let expected = (1..=text.len()).rev().find_map(|len| map.get(&text[..len]).map(|&id| (id, len)));
                assert_eq!(trie.longest(Trie::ROOT, &text), expected, "{text:?}");
            }
        }
    }
}
