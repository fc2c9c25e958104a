//! The entries of a vocabulary as a double array: one array look-up per byte to the longest entry a word starts with.
//!
//! Not here: what follows when there is none ([`super::wordpiece`], [`super::unigram`]).
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

/// How many blocks are open at once, and how often one may be found too full before it is closed. More packs tighter
/// and takes longer.
const OPEN: usize = 8;
const REFUSALS: u32 = 24;

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
pub(crate) struct Trie {
    cells: Vec<Cell>,
}

impl Trie {
    /// Where all keys start.
    pub(crate) const ROOT: State = BLOCK as State;

    /// Builds the trie of keys, each given once; empty keys are left out.
    pub(crate) fn new(mut keys: Vec<(&[u8], Id)>) -> Self {
        keys.retain(|(key, _)| !key.is_empty());
        keys.sort_unstable();
        let mut builder = Builder::new();
        builder.add(&keys);
        Self { cells: builder.cells }
    }

    /// The longest key that `text` starts with, looking from `state` on: its id and its length in bytes, at least 1.
    #[inline]
    pub(crate) fn longest(&self, state: State, text: &[u8]) -> Option<(Id, usize)> {
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

    /// Calls `found` with the id and the length in bytes of every key that `text` starts with, the shortest first.
    #[inline(always)]
    pub(crate) fn prefixes(&self, text: &[u8], mut found: impl FnMut(Id, usize)) {
        let mut state = Self::ROOT;
        for (at, &byte) in text.iter().enumerate() {
            let Some(cell) = self.child(state, byte) else { break };
            if cell.id != NO_ID {
                found(cell.id, at + 1);
            }
            state = cell.link >> 9;
        }
    }

    /// Whether the trie of these keys has room, whatever they are: it holds 8 million cells, at least half of them used.
    pub(crate) fn has_room(mut keys: Vec<&[u8]>) -> bool {
        const ROOM: usize = 1 << 22;
        if keys.iter().map(|key| key.len()).sum::<usize>() < ROOM {
            return true;
        }
        keys.sort_unstable();
        let shared = |pair: &[&[u8]]| pair[0].iter().zip(pair[1]).take_while(|(left, right)| left == right).count();
        // A key adds a node for every byte after those it shares with the one before it.
        let nodes = keys.first().map_or(0, |first| first.len())
            + keys.windows(2).map(|pair| pair[1].len() - shared(pair)).sum::<usize>();
        nodes < ROOM
    }

    /// The state after `text`, or `None` where no longer key starts so.
    pub(crate) fn walk(&self, text: &[u8]) -> Option<State> {
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
    open: Vec<Block>,
}

/// A block of cells that may still have room.
struct Block {
    number: usize,
    /// Which cells are free.
    free: Bits,
    /// Which offsets belong to no node.
    unused: Bits,
    refusals: u32,
}

/// One bit per byte value.
#[derive(Clone, Copy)]
struct Bits([u64; 4]);

impl Builder {
    fn new() -> Self {
        // Block 0 stays empty for `DEAD`; the root's children are in block 1.
        Self { cells: vec![FREE; 2 * BLOCK], open: vec![] }
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
                // Sorted, so the key that ends here comes first.
                let inner = at + usize::from(keys[at].0.len() == depth + 1);
                let below = if inner < end { self.place(&keys[inner..end], depth + 1) } else { DEAD };
                self.cells[(state ^ State::from(label)) as usize] =
                    Cell { link: (below << 9) | u32::from(label), id: if inner > at { keys[at].1 } else { NO_ID } };
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
        let fitting = self.open.iter_mut().find_map(|block| Some((block.fit(&labels)?, block.number)));
        self.open.retain(|block| block.refusals < REFUSALS);
        let (offset, number) = fitting.unwrap_or_else(|| {
            if self.open.len() == OPEN {
                self.open.remove(0);
            }
            let all = Bits([u64::MAX; 4]);
            let mut block = Block { number: self.cells.len() / BLOCK, free: all, unused: all, refusals: 0 };
            self.cells.resize(self.cells.len() + BLOCK, FREE);
            let place = (block.fit(&labels).expect("an empty block has room"), block.number);
            self.open.push(block);
            place
        });
        let state = number * BLOCK + usize::from(offset);
        assert!(state < 1 << 23, "the vocabulary is too large for a trie of 8 million cells");
        state as State
    }
}

impl Block {
    /// An offset at which all children fall on free cells. Reserves it and them.
    fn fit(&mut self, labels: &[u8]) -> Option<u8> {
        // Offset o has its child by label l in cell o ^ l, so the offsets for l are the free cells with bits changed
        // places by l.
        let fitting = labels.iter().fold(self.unused, |fitting, &label| fitting.and(self.free.xor_index(label)));
        let Some(offset) = fitting.first() else {
            self.refusals += 1;
            return None;
        };
        self.unused.clear(offset);
        labels.iter().for_each(|label| self.free.clear(offset ^ label));
        Some(offset)
    }
}

impl Bits {
    fn and(self, other: Self) -> Self {
        Self(std::array::from_fn(|n| self.0[n] & other.0[n]))
    }

    /// The set of all `i ^ by` for `i` of this set.
    fn xor_index(self, by: u8) -> Self {
        const SWAPS: [u64; 6] = [
            0x5555_5555_5555_5555,
            0x3333_3333_3333_3333,
            0x0f0f_0f0f_0f0f_0f0f,
            0x00ff_00ff_00ff_00ff,
            0x0000_ffff_0000_ffff,
            0x0000_0000_ffff_ffff,
        ];
        let within = |word: u64| {
            (0..6).filter(|bit| by >> bit & 1 == 1).fold(word, |word, bit| {
                (word & SWAPS[bit]) << (1 << bit) | (word >> (1 << bit)) & SWAPS[bit] //
            })
        };
        Self(std::array::from_fn(|n| within(self.0[n ^ usize::from(by >> 6)])))
    }

    fn first(self) -> Option<u8> {
        let word = self.0.iter().position(|word| *word != 0)?;
        Some(word as u8 * 64 + self.0[word].trailing_zeros() as u8)
    }

    fn clear(&mut self, at: u8) {
        self.0[usize::from(at) / 64] &= !(1 << (at % 64));
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
        let mut found = vec![];
        trie.prefixes(b"abcd", |id, len| found.push((id, len)));
        assert_eq!(found, [(0, 1), (1, 3)]);
        assert!(trie.walk(b"ab").is_some() && trie.walk(b"abc").is_none() && trie.walk(b"c").is_none());
    }

    #[test]
    fn counts_the_nodes_of_large_vocabularies() {
        let long = vec![b'a'; 3 << 20];
        assert!(Trie::has_room(vec![&long, &long]), "they share all their nodes");
        let other = vec![b'b'; 3 << 20];
        assert!(!Trie::has_room(vec![&long, &other]));
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

    #[test]
    fn bits_change_places_by_their_index() {
        let mut random = Random::new(9);
        for by in 0..=255u8 {
            let bits = Bits(std::array::from_fn(|_| random.next() & random.next()));
            let has = |bits: &Bits, at: u8| bits.0[usize::from(at) / 64] >> (at % 64) & 1 == 1;
            let moved = bits.xor_index(by);
            assert!((0..=255).all(|at| has(&bits, at) == has(&moved, at ^ by)), "{by}");
        }
    }
}
