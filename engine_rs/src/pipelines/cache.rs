//! Remembers how words were split, since a text is mostly words seen before.
//!
//! A word of up to 15 bytes of normalized text and its length are one 128-bit key, compared exactly. Two slots of 32 bytes
//! make one cache line; a third word goes to the line beside it if there is room, or takes the place of the older one. Up to three tokens stand in the
//! slot itself, more of them in a list, which is emptied together with the table when it is full: memory is bounded.
//! One cache belongs to one thread. Not here: longer words ([`super::long_words`]).

use crate::encoding::Sink;
use crate::ids::Id;
use crate::memory::HeapBytes;

/// Words longer than this have no key.
pub const MAX_KEY_BYTES: usize = 15;
/// How many tokens a slot holds.
const INLINE: usize = 3;

const LINES: usize = 1 << 15;
/// Tokens of the words that have more than a slot holds.
const MAX_MANY: usize = 1 << 18;

/// Bytes of the word in the low 15 bytes, length in the high one. 0 is no word's key.
pub type Key = u128;

/// The key of words that have none.
pub const NO_KEY: Key = Key::MAX;

/// The key of the word of `len` bytes at byte `start` of a text; worth nothing where `len` is not 1 to 15.
#[inline(always)]
pub fn key_at(text: &[u8], start: usize, len: usize) -> Key {
    let bytes = match text[start..].first_chunk() {
        Some(bytes) => *bytes,
        None => std::array::from_fn(|n| text.get(start + n).copied().unwrap_or(0)),
    };
    key(bytes, len)
}

/// The key of a word of `len` bytes, 1 to 15, that is at the start of `bytes`; what follows it does not count.
#[inline(always)]
pub fn key(bytes: [u8; 16], len: usize) -> Key {
    const MASKS: [u128; 16] = {
        let mut masks = [0; 16];
        let mut len = 1;
        while len < 16 {
            masks[len] = u128::MAX >> (128 - 8 * len);
            len += 1;
        }
        masks
    };
    u128::from_le_bytes(bytes) & MASKS[len & 15] | (len as u128) << 120
}

/// The tokens of a word: ids, and for each the byte of the word where it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tokens {
    /// Where there are more, the first is their place in the list.
    ids: [Id; INLINE],
    ends: [u8; INLINE],
    len: u8,
}

impl Tokens {
    /// How many there are.
    #[inline(always)]
    pub fn len(&self) -> usize {
        usize::from(self.len)
    }

    /// Pushes the tokens, if they stand in the slot, of a word without gaps that starts at byte `start` of the original;
    /// otherwise [`Table::many`] has them.
    #[inline(always)]
    pub fn push_inline<S: Sink>(&self, start: usize, sink: &mut S) -> bool {
        let inline = self.len() <= INLINE;
        if inline {
            sink.push_few(&self.ids, &self.ends, self.len(), start as u32);
        }
        inline
    }

    /// The tokens, if they stand in the slot; otherwise [`Table::many`] has them.
    #[inline(always)]
    pub fn inline(&self) -> Option<impl Iterator<Item = (Id, usize)>> {
        let token = |n: usize| (self.ids[n], usize::from(self.ends[n]));
        (self.len() <= INLINE).then(|| (0..self.len().min(INLINE)).map(token))
    }
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    key: Key,
    tokens: Tokens,
}

#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Line([Slot; 2]);

const EMPTY: Line = Line([Slot { key: 0, tokens: Tokens { ids: [0; INLINE], ends: [0; INLINE], len: 0 } }; 2]);

/// Words and their tokens. Takes no memory before [`Table::prepare`].
#[derive(Debug, Default)]
pub struct Table {
    lines: Vec<Line>,
    many: Vec<(Id, u32)>,
}

/// Where a key would stand.
#[derive(Clone, Copy, Debug)]
pub struct Place(u32);

/// Where a key would stand in any table.
#[inline(always)]
pub fn place(key: Key) -> Place {
    let folded = (key as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ ((key >> 64) as u64).rotate_left(32);
    let mixed = (folded ^ (folded >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    Place((mixed >> (64 - LINES.trailing_zeros())) as u32)
}

/// Where a key stands when its own line is full.
#[inline(always)]
fn beside(place: Place) -> Place {
    Place(place.0 ^ 1)
}

impl HeapBytes for Table {
    fn heap_bytes(&self) -> usize {
        self.lines.heap_bytes() + self.many.heap_bytes()
    }
}

impl Table {
    /// Makes room; to be called before anything else.
    pub fn prepare(&mut self) {
        if self.lines.is_empty() {
            self.lines = vec![EMPTY; LINES];
        }
    }

    /// Asks for the memory of a place ahead of its use.
    #[inline(always)]
    pub fn prefetch(&self, place: Place) {
        #[cfg(target_arch = "x86_64")]
        if let Some(line) = self.lines.get(place.0 as usize) {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: a prefetch of a valid reference; SSE is part of x86-64.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(line).cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = place;
    }

    /// The tokens of a word seen before, if it is in its own line.
    #[inline(always)]
    pub fn get(&self, key: Key, place: Place) -> Option<&Tokens> {
        let Line(slots) = self.lines.get(place.0 as usize)?;
        // Which of the two it is cannot be foreseen, so no branch asks.
        let slot = &slots[usize::from(slots[1].key == key)];
        (slot.key == key).then_some(&slot.tokens)
    }

    /// The tokens of a word seen before, if its own line was full.
    #[inline]
    pub fn get_beside(&self, key: Key, place: Place) -> Option<&Tokens> {
        self.get(key, beside(place))
    }

    /// The tokens of a word that has more than a slot holds.
    #[inline]
    pub fn many(&self, tokens: &Tokens) -> &[(Id, u32)] {
        let at = tokens.ids[0] as usize;
        &self.many[at..at + tokens.len()]
    }

    /// Keeps the tokens of a word, which are at most one per byte of the key.
    pub fn put(&mut self, key: Key, place: Place, tokens: &[(Id, u32)]) {
        let mut packed = Tokens { ids: [0; INLINE], ends: [0; INLINE], len: tokens.len() as u8 };
        if tokens.len() > INLINE {
            if self.many.len() + tokens.len() > MAX_MANY {
                self.lines.fill(EMPTY);
                self.many.clear();
            }
            packed.ids[0] = self.many.len() as Id;
            self.many.extend_from_slice(tokens);
        } else {
            for (n, &(id, end)) in tokens.iter().enumerate() {
                packed.ids[n] = id;
                packed.ends[n] = end as u8;
            }
        }
        let new = Slot { key, tokens: packed };
        for place in [place, beside(place)] {
            if let Some(empty) = self.lines[place.0 as usize].0.iter_mut().find(|slot| slot.key == 0) {
                *empty = new;
                return;
            }
        }
        let Line(slots) = &mut self.lines[place.0 as usize];
        slots[1] = slots[0];
        slots[0] = new;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_tell_all_short_words_apart() {
        let key = |text: &[u8; 16], len| key(*text, len);
        let keys = [key(b"a\0\0 some more te", 1), key(b"a\0\0 some more te", 2), key(b"a_______________", 1)];
        assert_eq!(keys[0], keys[2], "the bytes after the word do not count");
        assert_ne!(keys[0], keys[1], "trailing NULs do");
        assert_ne!(key(b"_______________a", 15), key(b"_______________a", 14));
    }

    #[test]
    fn gives_back_what_was_put_in_or_nothing() {
        let mut table = Table::default();
        assert_eq!(table.get(1, place(1)), None, "an unprepared table is an empty one");
        table.prepare();
        let keys: Vec<Key> = (0..20_000u128).map(|n| n << 8 | 1 | 8 << 120).collect();
        let tokens_of = |n: usize| -> Vec<(Id, u32)> { (0..n as u32 % 8).map(|at| (n as Id + at, at + 1)).collect() };
        for (n, &key) in keys.iter().enumerate() {
            table.put(key, place(key), &tokens_of(n));
        }
        let mut found = 0;
        for (n, &key) in keys.iter().enumerate() {
            let place = place(key);
            let Some(tokens) = table.get(key, place).or_else(|| table.get_beside(key, place)) else { continue };
            let tokens = match tokens.inline() {
                Some(tokens) => tokens.map(|(id, end)| (id, end as u32)).collect(),
                None => table.many(tokens).to_vec(),
            };
            assert_eq!(tokens, tokens_of(n));
            found += 1;
        }
        assert!(found > 19_000, "hardly any is lost: {found}");
    }

    #[test]
    fn takes_no_more_memory_than_it_may() {
        let mut table = Table::default();
        table.prepare();
        for n in 0..100_000u128 {
            let key = n << 8 | 1 | 8 << 120;
            table.put(key, place(key), &[(n as Id, 1); 7]);
            let found = table.get(key, place(key)).or_else(|| table.get_beside(key, place(key)));
            assert!(found.is_some_and(|tokens| table.many(tokens) == [(n as Id, 1); 7]));
        }
        assert!(table.lines.len() == LINES && table.many.len() <= MAX_MANY);
    }

    #[test]
    fn a_slot_is_half_a_cache_line() {
        assert_eq!((size_of::<Slot>(), size_of::<Line>()), (32, 64));
    }
}
