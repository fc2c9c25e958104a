//! Counts of words that several threads add up.
//!
//! Most words of a text are few. Each thread has a small table in front with the words of up to 15 bytes that it met last:
//! those take one look into memory that stays in the cache of the processor. A word that loses its place there waits, like
//! every longer word, until there are enough of its shard. Then they go to the shard's table together, under its lock. So no
//! word stands in two tables, and nothing is left to add up in the end.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::error::TrainError;
use crate::table::{self, MAX_WORD_BYTES, Table};

/// Tables of words, each of those whose hashes start alike.
const SHARDS: usize = 1 << SHARD_BITS;
const SHARD_BITS: u32 = 5;

/// A word of up to 15 bytes: its bytes, and its length in the highest byte.
type Key = u128;

/// Entries of a front table, 32 bytes each.
const FRONT: usize = 1 << 14;

/// Longest word of a front table, in bytes.
const MAX_KEY_BYTES: usize = 15;

/// Words of a shard wait until they take so many bytes.
const MAX_WAITING_BYTES: usize = 1 << 10;

/// Words and counts.
#[derive(Debug)]
pub(crate) struct Shards(Box<[Mutex<Table>; SHARDS]>);

/// What one thread has met and not yet given to the [`Shards`].
#[derive(Clone, Debug, Default)]
pub(crate) struct Front {
    /// How many words were longer than [`MAX_WORD_BYTES`], repetitions included.
    pub split_words: u64,
    /// Empty before the first word.
    recent: Vec<Recent>,
    /// For each shard hash, count, length and bytes of words, one after the other.
    waiting: Vec<Vec<u8>>,
    /// Bit n: whether words went to shard n since somebody asked.
    flushed: u32,
}

/// A thread that adds words.
pub(crate) struct Adder<'a> {
    shards: &'a Shards,
    front: &'a mut Front,
}

#[derive(Clone, Copy, Debug, Default)]
struct Recent {
    key: Key,
    count: u64,
}

impl Default for Shards {
    fn default() -> Self {
        Self(Box::new(std::array::from_fn(|_| Mutex::default())))
    }
}

impl Clone for Shards {
    fn clone(&self) -> Self {
        Self(Box::new(std::array::from_fn(|at| Mutex::new(self.lock(at).clone()))))
    }
}

impl Shards {
    /// Number of shards.
    pub(crate) const COUNT: usize = SHARDS;

    fn lock(&self, shard: usize) -> MutexGuard<'_, Table> {
        self.0[shard].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds the words that wait for a shard, as [`Front`] has them.
    fn add_waiting(&self, shard: usize, waiting: &[u8]) -> Result<(), TrainError> {
        let (mut table, mut rest) = (self.lock(shard), waiting);
        while let Some((Waiting { hash, count, word }, after)) = next(rest) {
            table.add(word, hash, count)?;
            rest = after;
        }
        Ok(())
    }

    /// The table of a shard, as of now; the shard is empty then.
    pub(crate) fn take(&self, shard: usize) -> Table {
        std::mem::take(&mut self.lock(shard))
    }

    /// The same if it takes more memory than so many bytes.
    pub(crate) fn take_large(&self, shard: usize, bytes: usize) -> Option<Table> {
        let mut table = self.lock(shard);
        (table.heap_bytes() > bytes).then(|| std::mem::take(&mut *table))
    }

    /// Adds a count to that of a word, without a front.
    ///
    /// Errors: counts beyond 64 bits.
    pub(crate) fn add(&mut self, word: &[u8], count: u64) -> Result<(), TrainError> {
        let hash = table::hash(word);
        self.tables_mut()[shard_of(hash)].add(word, hash, count)
    }

    /// The tables that nobody adds to.
    pub(crate) fn tables_mut(&mut self) -> [&mut Table; SHARDS] {
        self.0.each_mut().map(|table| table.get_mut().unwrap_or_else(PoisonError::into_inner))
    }
}

fn shard_of(hash: u64) -> usize {
    (hash >> (64 - SHARD_BITS)) as usize
}

impl<'a> Adder<'a> {
    /// For one thread.
    pub(crate) fn new(shards: &'a Shards, front: &'a mut Front) -> Self {
        if front.recent.is_empty() {
            front.recent = vec![Recent::default(); FRONT];
            front.waiting = vec![vec![]; SHARDS];
        }
        Self { shards, front }
    }

    /// Adds the words between bounds that follow each other, as bytes of `text`.
    ///
    /// Errors: counts beyond 64 bits.
    #[inline]
    pub(crate) fn add_all(&mut self, text: &[u8], bounds: &[u32]) -> Result<(), TrainError> {
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

    /// Adds a word that occurs `count` times, or its parts; the empty one is left out.
    ///
    /// Errors: counts beyond 64 bits.
    #[inline]
    pub(crate) fn add(&mut self, word: &[u8], count: u64) -> Result<(), TrainError> {
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
            return self.add_whole(word, count);
        }
        self.count_split_words(count);
        table::parts(word).try_for_each(|part| self.add_whole(part, count))
    }

    /// Counts words that are longer than [`MAX_WORD_BYTES`].
    pub(crate) fn count_split_words(&mut self, count: u64) {
        self.front.split_words = self.front.split_words.saturating_add(count);
    }

    #[inline(always)]
    fn add_key(&mut self, key: Key) -> Result<(), TrainError> {
        let recent = &mut self.front.recent[place(key)];
        if recent.key == key {
            recent.count += 1;
            return Ok(());
        }
        let old = std::mem::replace(recent, Recent { key, count: 1 });
        if old.count == 0 { Ok(()) } else { self.add_recent(old) }
    }

    #[inline(never)]
    fn add_recent(&mut self, recent: Recent) -> Result<(), TrainError> {
        let bytes = recent.key.to_le_bytes();
        self.add_whole(&bytes[..usize::from(bytes[15])], recent.count)
    }

    /// Adds a word whatever its length, up to a little more than [`MAX_WORD_BYTES`], past the front table.
    ///
    /// Errors: counts beyond 64 bits.
    pub(crate) fn add_whole(&mut self, word: &[u8], count: u64) -> Result<(), TrainError> {
        let hash = table::hash(word);
        let shard = shard_of(hash);
        let waiting = &mut self.front.waiting[shard];
        waiting.extend_from_slice(&hash.to_le_bytes());
        waiting.extend_from_slice(&count.to_le_bytes());
        waiting.extend_from_slice(&(word.len() as u32).to_le_bytes());
        waiting.extend_from_slice(word);
        if waiting.len() > MAX_WAITING_BYTES { self.flush_shard(shard) } else { Ok(()) }
    }

    #[inline(never)]
    fn flush_shard(&mut self, shard: usize) -> Result<(), TrainError> {
        self.front.flushed |= 1 << shard;
        // If a count is too large, nothing is added again.
        let mut waiting = std::mem::take(&mut self.front.waiting[shard]);
        self.shards.add_waiting(shard, &waiting)?;
        waiting.clear();
        // A long word need not keep its room.
        waiting.shrink_to(2 * MAX_WAITING_BYTES);
        self.front.waiting[shard] = waiting;
        Ok(())
    }
}

impl Front {
    /// The shards that got words since the last call.
    pub(crate) fn take_flushed(&mut self) -> impl Iterator<Item = usize> + use<> {
        let flushed = std::mem::take(&mut self.flushed);
        (0..SHARDS).filter(move |shard| flushed >> shard & 1 == 1)
    }

    /// Gives all words to the shards, and gives up its memory.
    ///
    /// Errors: counts beyond 64 bits.
    pub(crate) fn flush(&mut self, shards: &Shards) -> Result<(), TrainError> {
        let recent = std::mem::take(&mut self.recent);
        let mut adder = Adder { shards, front: self };
        recent.into_iter().filter(|recent| recent.count > 0).try_for_each(|recent| adder.add_recent(recent))?;
        let waiting = std::mem::take(&mut self.waiting);
        waiting.iter().enumerate().try_for_each(|(shard, waiting)| shards.add_waiting(shard, waiting))
    }
}

/// A word that waits.
struct Waiting<'a> {
    hash: u64,
    count: u64,
    word: &'a [u8],
}

/// The first word of those that wait, and the rest.
#[inline]
fn next(waiting: &[u8]) -> Option<(Waiting<'_>, &[u8])> {
    let (hash, rest) = waiting.split_first_chunk()?;
    let (count, rest) = rest.split_first_chunk()?;
    let (len, rest) = rest.split_first_chunk()?;
    let (word, rest) = rest.split_at(u32::from_le_bytes(*len) as usize);
    Some((Waiting { hash: u64::from_le_bytes(*hash), count: u64::from_le_bytes(*count), word }, rest))
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
