//! A hash table of words and their counts. All words stand in one list of bytes.
//!
//! Not here: how threads share tables, and which words reach them ([`crate::shards`]).

use crate::error::TrainError;
use crate::words;

/// The longest word. A longer one is split into words of this length, as if the pretokenizer had split it.
///
/// Nobody writes such words: they are encoded files, or texts that nothing splits. As one word, a vocabulary learns long pieces
/// of them, and Unigram works on them in one thread.
pub const MAX_WORD_BYTES: usize = 4096;

/// The parts of a word of at most [`MAX_WORD_BYTES`], which end where a character of UTF-8 ends.
pub(crate) fn parts(word: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = word;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let most = rest.len().min(MAX_WORD_BYTES);
        let is_start = |at: usize| rest.get(at).is_none_or(|byte| byte & 0xC0 != 0x80);
        // A character has at most four bytes; what is no UTF-8 may be split anywhere.
        let end = (most.saturating_sub(3)..=most).rev().find(|&at| at > 0 && is_start(at)).unwrap_or(most);
        let (part, after) = rest.split_at(end);
        rest = after;
        Some(part)
    })
}

/// Words and counts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    bytes: Vec<u8>,
    ends: Vec<u64>,
    counts: Vec<u64>,
    /// Part of the hash of a word, and its number plus one or 0.
    slots: Vec<(u32, u32)>,
}

impl Table {
    /// Adds a count to that of a word with this [`hash`].
    ///
    /// Errors: counts beyond 64 bits.
    pub(crate) fn add(&mut self, word: &[u8], hash: u64, count: u64) -> Result<(), TrainError> {
        if self.slots.len() <= 2 * self.counts.len() {
            self.grow();
        }
        let slot = self.find(word, hash);
        if let (_, number @ 1..) = self.slots[slot] {
            let sum = &mut self.counts[number as usize - 1];
            *sum = words::add(*sum, count, word)?;
            return Ok(());
        }
        self.bytes.extend_from_slice(word);
        self.ends.push(self.bytes.len() as u64);
        self.counts.push(count);
        self.slots[slot] = (tag(hash), self.counts.len() as u32);
        Ok(())
    }

    /// The slot of a word, or the empty one where it would be. Ends because half of the slots are empty.
    #[inline]
    fn find(&self, word: &[u8], hash: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            let (found, number) = self.slots[slot];
            if number == 0 || (found == tag(hash) && self.word(number as usize - 1) == word) {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }

    #[cold]
    fn grow(&mut self) {
        let mask = (self.counts.len() * 3).next_power_of_two().max(1 << 10) - 1;
        // The old slots go first, so that never both take memory.
        self.slots = vec![];
        self.slots = vec![(0, 0); mask + 1];
        for at in 0..self.counts.len() {
            let hash = hash(self.word(at));
            let mut slot = hash as usize & mask;
            while self.slots[slot].1 != 0 {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = (tag(hash), at as u32 + 1);
        }
    }

    #[inline]
    fn word(&self, at: usize) -> &[u8] {
        let start = if at == 0 { 0 } else { self.ends[at - 1] as usize };
        &self.bytes[start..self.ends[at] as usize]
    }

    /// Adds the counts of another table.
    ///
    /// Errors: counts beyond 64 bits.
    pub(crate) fn add_table(&mut self, other: &Self) -> Result<(), TrainError> {
        other.iter().try_for_each(|(word, count)| self.add(word, hash(word), count))
    }

    /// Words and counts.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&[u8], u64)> {
        (0..self.len()).map(|at| self.counted(at))
    }

    /// Word number `at` and its count.
    pub(crate) fn counted(&self, at: usize) -> (&[u8], u64) {
        (self.word(at), self.counts[at])
    }

    /// Number of words.
    pub(crate) fn len(&self) -> usize {
        self.counts.len()
    }

    /// Gives up the memory that only adding needs. The next word that is added makes it anew.
    pub(crate) fn rest(&mut self) {
        self.slots = vec![];
    }

    /// Memory of the table, in bytes.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.bytes.capacity() + 8 * (self.ends.capacity() + self.counts.capacity() + self.slots.capacity())
    }
}

fn tag(hash: u64) -> u32 {
    (hash >> 32) as u32
}

/// Eight bytes at a time, mixed by multiplication. Not safe against chosen words, which can only make training slow.
#[inline]
pub(crate) fn hash(word: &[u8]) -> u64 {
    let mut hash = word.len() as u64 ^ 0x9E37_79B9_7F4A_7C15;
    let mut mix = |bytes: [u8; 8]| {
        hash = (hash ^ u64::from_le_bytes(bytes)).wrapping_mul(0xA24B_AED4_963E_E407);
        hash ^= hash >> 29;
    };
    let (eights, rest) = word.as_chunks::<8>();
    eights.iter().for_each(|eight| mix(*eight));
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    mix(last);
    hash.wrapping_mul(0x9FB2_1C65_1E98_DF25) ^ hash >> 32
}
