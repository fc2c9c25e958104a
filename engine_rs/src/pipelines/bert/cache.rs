//! Remembers how short words were cut, since a text is mostly words seen before.
//!
//! A word of up to 15 bytes of normalized text and its length are one 128-bit key, compared exactly. Two slots of 32 bytes
//! make one cache line; a third word in the same line takes the place of the older one, so memory is bounded by
//! construction. One cache belongs to one thread.

use crate::ids::Id;

/// Words longer than this have no key.
pub const MAX_KEY_BYTES: usize = 15;
/// Words of more tokens than this are not kept.
pub const MAX_TOKENS: usize = 3;

const LINES: usize = 1 << 15;

/// Bytes of the word in the low 15 bytes, length in the high one. 0 is no word's key.
pub type Key = u128;

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
    /// The first [`Tokens::len`] count.
    pub ids: [Id; MAX_TOKENS],
    ends: [u8; MAX_TOKENS],
    len: u8,
}

impl Tokens {
    /// Packs tokens, if they are few enough.
    pub fn new(tokens: &[(Id, u32)]) -> Option<Self> {
        let mut packed = Self { ids: [0; MAX_TOKENS], ends: [0; MAX_TOKENS], len: tokens.len() as u8 };
        if tokens.len() > MAX_TOKENS {
            return None;
        }
        for (at, &(id, end)) in tokens.iter().enumerate() {
            packed.ids[at] = id;
            packed.ends[at] = end as u8;
        }
        Some(packed)
    }

    /// How many tokens there are.
    #[inline(always)]
    pub fn len(&self) -> usize {
        usize::from(self.len)
    }

    /// Where token number `at` ends, in bytes of the word.
    #[inline(always)]
    pub fn end(&self, at: usize) -> usize {
        usize::from(self.ends[at])
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

const EMPTY: Line = Line([Slot { key: 0, tokens: Tokens { ids: [0; MAX_TOKENS], ends: [0; MAX_TOKENS], len: 0 } }; 2]);

/// Words and their tokens. Takes no memory before [`Table::prepare`].
#[derive(Debug, Default)]
pub struct Table {
    lines: Vec<Line>,
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

    /// The tokens of a word seen before.
    #[inline(always)]
    pub fn get(&self, key: Key, place: Place) -> Option<&Tokens> {
        let Line(slots) = self.lines.get(place.0 as usize)?;
        // Which of the two it is cannot be foreseen, so no branch asks.
        let slot = &slots[usize::from(slots[1].key == key)];
        (slot.key == key).then_some(&slot.tokens)
    }

    /// Keeps the tokens of a word.
    pub fn put(&mut self, key: Key, place: Place, tokens: Tokens) {
        let Line(slots) = &mut self.lines[place.0 as usize];
        slots[1] = slots[0];
        slots[0] = Slot { key, tokens };
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
        let keys: Vec<Key> =
            (0..200_000u64).map(|n| key([n.to_le_bytes(), [0; 8]].concat().try_into().expect("16"), 8)).collect();
        for (n, &key) in keys.iter().enumerate() {
            table.put(key, place(key), Tokens::new(&[(n as Id, 3), (7, 8)]).expect("two tokens"));
        }
        let found: Vec<_> =
            keys.iter().enumerate().filter_map(|(n, &key)| Some((n, table.get(key, place(key))?))).collect();
        for (n, tokens) in &found {
            assert_eq!((tokens.len(), tokens.ids[0], tokens.end(0), tokens.end(1)), (2, *n as Id, 3, 8));
        }
        assert!(found.len() > LINES, "most of the room is used: {}", found.len());
        assert_eq!(Tokens::new(&[(0, 1); 4]), None);
    }

    #[test]
    fn a_slot_is_half_a_cache_line() {
        assert_eq!((size_of::<Slot>(), size_of::<Line>()), (32, 64));
    }
}
