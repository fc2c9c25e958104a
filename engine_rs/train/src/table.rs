//! A hash table of words and their counts.
//!
//! All words stand in one list of bytes. In front of the table is a small one with the words of up to 15 bytes that were
//! met last: most words of a text are few, and those take one look into a table that stays in the cache of the processor. A word that loses
//! its place there takes its count to the table.

use crate::error::TrainError;
use crate::stop::Stop;
use crate::words;

/// A word of up to 15 bytes: its bytes, and its length in the highest byte.
type Key = u128;

/// Entries of the front table, 32 bytes each.
const FRONT: usize = 1 << 14;

/// Longest word of the front table, in bytes.
const MAX_KEY_BYTES: usize = 15;

#[derive(Clone, Copy, Debug, Default)]
struct Recent {
    key: Key,
    count: u64,
}

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
pub struct Table {
    /// How many words were longer than [`MAX_WORD_BYTES`], repetitions included.
    pub(crate) split_words: u64,
    /// Empty before the first word.
    front: Vec<Recent>,
    bytes: Vec<u8>,
    ends: Vec<u64>,
    counts: Vec<u64>,
    /// Part of the hash of a word, and its number plus one or 0.
    slots: Vec<(u32, u32)>,
}

impl Table {
    /// Adds the words between bounds that follow each other, as bytes of `text`.
    ///
    /// Errors: counts beyond 64 bits.
    #[inline]
    pub(crate) fn add_all(&mut self, text: &[u8], bounds: &[u32]) -> Result<(), TrainError> {
        self.prepare();
        for bounds in bounds.windows(2) {
            let (start, end) = (bounds[0] as usize, bounds[1] as usize);
            if end - start > MAX_KEY_BYTES {
                self.add_long(&text[start..end], 1)?;
            } else if end > start {
                self.add_key(key_at(text, start, end - start))?;
            }
        }
        Ok(())
    }

    /// Adds a word that occurs `count` times; the empty one is left out.
    ///
    /// Errors: counts beyond 64 bits.
    #[inline]
    pub(crate) fn add(&mut self, word: &[u8], count: u64) -> Result<(), TrainError> {
        self.prepare();
        match word.len() {
            0 => Ok(()),
            1..=MAX_KEY_BYTES if count == 1 => self.add_key(key_at(word, 0, word.len())),
            _ => self.add_long(word, count),
        }
    }

    /// Adds a word, or its parts.
    #[inline(never)]
    fn add_long(&mut self, word: &[u8], count: u64) -> Result<(), TrainError> {
        if word.len() <= MAX_WORD_BYTES {
            return self.add_slow(word, count);
        }
        self.split_words = self.split_words.saturating_add(count);
        parts(word).try_for_each(|part| self.add_slow(part, count))
    }

    #[inline]
    fn prepare(&mut self) {
        if self.front.is_empty() {
            self.front = vec![Recent::default(); FRONT];
        }
    }

    #[inline(always)]
    fn add_key(&mut self, key: Key) -> Result<(), TrainError> {
        let recent = &mut self.front[place(key)];
        if recent.key == key {
            recent.count += 1;
            return Ok(());
        }
        let old = std::mem::replace(recent, Recent { key, count: 1 });
        if old.count == 0 { Ok(()) } else { self.settle(old) }
    }

    #[inline(never)]
    fn settle(&mut self, recent: Recent) -> Result<(), TrainError> {
        let bytes = recent.key.to_le_bytes();
        self.add_slow(&bytes[..usize::from(bytes[15])], recent.count)
    }

    /// Adds a count to the table proper.
    ///
    /// Errors: counts beyond 64 bits.
    pub(crate) fn add_slow(&mut self, word: &[u8], count: u64) -> Result<(), TrainError> {
        if self.slots.len() <= 2 * self.counts.len() {
            self.grow();
        }
        let hash = hash(word);
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

    /// Takes all counts to the table proper, so that [`Self::iter`] has them.
    ///
    /// Errors: counts beyond 64 bits.
    pub(crate) fn flush(&mut self) -> Result<(), TrainError> {
        for recent in std::mem::take(&mut self.front) {
            if recent.count > 0 {
                self.settle(recent)?;
            }
        }
        Ok(())
    }

    /// Adds the counts of another table after [`Self::flush`].
    ///
    /// Errors: counts beyond 64 bits.
    pub(crate) fn add_table(&mut self, other: &Self) -> Result<(), TrainError> {
        self.split_words = self.split_words.saturating_add(other.split_words);
        other.iter().try_for_each(|(word, count)| self.add_slow(word, count))
    }

    /// Takes the counts of another table. If it is stopped, a later call takes the rest.
    ///
    /// Errors: counts beyond 64 bits; [`TrainError::Stopped`].
    pub(crate) fn take(&mut self, other: &mut Self, stop: Stop<'_>) -> Result<(), TrainError> {
        other.flush()?;
        self.split_words = self.split_words.saturating_add(std::mem::take(&mut other.split_words));
        for at in 0..other.len() {
            stop.check_at(at)?;
            let count = std::mem::take(&mut other.counts[at]);
            if count > 0 {
                self.add_slow(other.word(at), count)?;
            }
        }
        Ok(())
    }

    /// Words and counts after [`Self::flush`].
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&[u8], u64)> {
        (0..self.len()).map(|at| self.counted(at))
    }

    /// Word number `at` and its count, after [`Self::flush`].
    pub(crate) fn counted(&self, at: usize) -> (&[u8], u64) {
        (self.word(at), self.counts[at])
    }

    /// Number of words after [`Self::flush`].
    pub(crate) fn len(&self) -> usize {
        self.counts.len()
    }

    /// Number of words, repetitions included.
    pub(crate) fn total(&self) -> u64 {
        let recent = self.front.iter().map(|recent| recent.count);
        self.counts.iter().copied().chain(recent).fold(0, u64::saturating_add)
    }

    /// Gives up the memory that only adding needs. The next word that is added makes it anew.
    ///
    /// Errors: as [`Self::flush`].
    pub(crate) fn rest(&mut self) -> Result<(), TrainError> {
        self.flush()?;
        self.slots = vec![];
        Ok(())
    }

    /// Memory of the table, in bytes.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.front.capacity() * size_of::<Recent>()
            + self.bytes.capacity()
            + 8 * (self.ends.capacity() + self.counts.capacity() + self.slots.capacity())
    }
}

/// The key of the word of `len` bytes, 1 to 15, at byte `start` of a text.
#[inline(always)]
fn key_at(text: &[u8], start: usize, len: usize) -> Key {
    let bytes = match text[start..].first_chunk::<16>() {
        Some(bytes) => u128::from_le_bytes(*bytes),
        None => {
            let mut bytes = [0; 16];
            bytes[..len].copy_from_slice(&text[start..start + len]);
            u128::from_le_bytes(bytes)
        }
    };
    bytes & (u128::MAX >> (128 - 8 * len)) | (len as u128) << 120
}

#[inline(always)]
fn place(key: Key) -> usize {
    let folded = (key as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ ((key >> 64) as u64).rotate_left(32);
    let mixed = (folded ^ folded >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    (mixed >> (64 - FRONT.trailing_zeros())) as usize
}

fn tag(hash: u64) -> u32 {
    (hash >> 32) as u32
}

/// Eight bytes at a time, mixed by multiplication. Not safe against chosen words, which can only make training slow.
#[inline]
fn hash(word: &[u8]) -> u64 {
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
