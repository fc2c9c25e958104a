//! Finds the ids of short tokens: one look-up reads one cache line, which holds the bytes themselves.
//!
//! A slot is one number of 128 bits: the bytes of the token, its length and its id. Four slots make a line, and a token
//! that its line has no room for is in one of the next lines.
//! Not here: longer tokens ([`super::Vocab`]).

use crate::ids::Id;
use crate::memory::prefetch;

/// The most bytes of a short token.
pub(crate) const MAX_BYTES: usize = 12;
/// Larger ids have no room in a slot.
pub(super) const MAX_ID: Id = (1 << (u128::BITS - ID_SHIFT)) - 1;

const LENGTH_SHIFT: u32 = 8 * MAX_BYTES as u32;
const ID_SHIFT: u32 = LENGTH_SHIFT + 4;
const KEY_MASK: u128 = (1 << ID_SHIFT) - 1;
const SLOTS: usize = 4;

/// The bytes and the length of a short token. Never 0, which is an empty slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ShortKey(u128);

impl ShortKey {
    /// The key of a token of 1 to [`MAX_BYTES`] bytes.
    #[inline(always)]
    pub(crate) fn new(token: &[u8]) -> Option<Self> {
        let len = token.len();
        // The last bytes overlap with the first ones and are moved to where they belong, so that no loop is needed.
        let bytes = match (token.first_chunk(), token.last_chunk(), token.first_chunk(), token.last_chunk()) {
            (Some(first), Some(last), ..) if len <= MAX_BYTES => {
                u128::from(u64::from_le_bytes(*first)) | u128::from(u64::from_le_bytes(*last)) << (8 * (len - 8))
            }
            (None, None, Some(first), Some(last)) => {
                u128::from(u32::from_le_bytes(*first)) | u128::from(u32::from_le_bytes(*last)) << (8 * (len - 4))
            }
            _ if (1..4).contains(&len) => {
                let byte = |at: usize| u128::from(token[at]) << (8 * at);
                byte(0) | byte(len / 2) | byte(len - 1)
            }
            _ => return None,
        };
        Some(Self(bytes | (len as u128) << LENGTH_SHIFT))
    }

    /// The key of the first `len` bytes, 1 to [`MAX_BYTES`], of a number; the others are 0.
    #[inline(always)]
    pub(crate) fn of_padded(bytes: u128, len: usize) -> Self {
        Self(bytes | (len as u128) << LENGTH_SHIFT)
    }

    #[inline(always)]
    fn line(self, lines: usize) -> usize {
        let (low, high) = (self.0 as u64, (self.0 >> 64) as u64);
        let product = u128::from(low ^ 0x9E37_79B9_7F4A_7C15) * u128::from(high ^ 0xD6E8_FEB8_6659_FD93);
        (product as u64 ^ (product >> 64) as u64) as usize & (lines - 1)
    }
}

#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Line([u128; SLOTS]);

/// Ids by the bytes of short tokens.
#[derive(Clone, Debug, Default)]
pub(super) struct ShortTokens {
    /// None, or a power of two. One slot in eight is empty at least, so every search ends.
    lines: Vec<Line>,
    count: usize,
}

impl ShortTokens {
    /// Room for about as many tokens.
    pub(super) fn with_capacity(tokens: usize) -> Self {
        Self { lines: vec![Line([0; SLOTS]); tokens.div_ceil(SLOTS).next_power_of_two()], count: 0 }
    }

    /// The id of a token.
    #[inline(always)]
    pub(super) fn find(&self, key: ShortKey) -> Option<Id> {
        if self.lines.is_empty() {
            return None;
        }
        let mut at = key.line(self.lines.len());
        loop {
            let Line(slots) = &self.lines[at];
            // Which slot it is cannot be foreseen, so no branch asks.
            let equal = |n: usize| usize::from(slots[n] & KEY_MASK == key.0);
            let found = equal(0) | (equal(1) << 1) | (equal(2) << 2) | (equal(3) << 3);
            if found != 0 {
                return Some((slots[found.trailing_zeros() as usize % SLOTS] >> ID_SHIFT) as Id);
            }
            if slots[SLOTS - 1] == 0 {
                return None;
            }
            at = (at + 1) & (self.lines.len() - 1);
        }
    }

    /// Puts a token in, in place of its twin if there is one: the id of that. Its own is [`MAX_ID`] at most.
    pub(super) fn put(&mut self, key: ShortKey, id: Id) -> Option<Id> {
        if (self.count + 1) * 8 > self.lines.len() * SLOTS * 7 {
            self.grow();
        }
        let mut at = key.line(self.lines.len());
        loop {
            // Slots of a line are filled from the first on.
            let free = self.lines[at].0.iter_mut().find(|slot| **slot == 0 || **slot & KEY_MASK == key.0);
            if let Some(slot) = free {
                let twin = (*slot != 0).then_some((*slot >> ID_SHIFT) as Id);
                self.count += usize::from(twin.is_none());
                *slot = key.0 | u128::from(id) << ID_SHIFT;
                return twin;
            }
            at = (at + 1) & (self.lines.len() - 1);
        }
    }

    #[cold]
    fn grow(&mut self) {
        let more = Self::with_capacity((self.lines.len() * SLOTS * 2).max(SLOTS * 4));
        for slot in std::mem::replace(self, more).lines.iter().flat_map(|line| line.0).filter(|&slot| slot != 0) {
            self.put(ShortKey(slot & KEY_MASK), (slot >> ID_SHIFT) as Id);
        }
    }

    /// Asks for the memory that [`Self::find`] reads.
    #[inline(always)]
    pub(super) fn prefetch(&self, key: ShortKey) {
        if !self.lines.is_empty() {
            prefetch(&self.lines[key.line(self.lines.len())]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn a_key_is_the_bytes_and_their_number() {
        let text = *b"abcdefghijklmnop";
        for len in 0..=text.len() {
            let key = ShortKey::new(&text[..len]);
            assert_eq!(key.is_some(), (1..=MAX_BYTES).contains(&len), "{len}");
            if let Some(key) = key {
                let padded = u128::from_le_bytes(text) & ((1 << (8 * len)) - 1);
                assert_eq!(key, ShortKey::of_padded(padded, len));
            }
        }
        assert_ne!(ShortKey::new(b"a"), ShortKey::new(b"a\0"));
        assert_ne!(ShortKey::new(b"\0").map(|key| key.0), Some(0));
    }

    #[test]
    fn finds_what_a_map_finds() {
        let mut random = crate::testing::Random::new(4);
        for capacity in [0, 1, 5000] {
            let (mut tokens, mut map) = (ShortTokens::default(), HashMap::new());
            if capacity > 0 {
                tokens = ShortTokens::with_capacity(capacity);
            }
            assert_eq!(tokens.find(ShortKey::new(b"a").unwrap()), None);
            for n in 0..6000 {
                let len = 1 + random.below(MAX_BYTES);
                let token: Vec<u8> = (0..len).map(|_| b'a' + random.below(3) as u8).collect();
                let key = ShortKey::new(&token).unwrap();
                assert_eq!(tokens.find(key), map.get(&token).copied(), "{token:?}");
                let id = if n % 7 == 0 { MAX_ID - n } else { n };
                tokens.put(key, id);
                map.insert(token, id);
            }
            for (token, id) in &map {
                assert_eq!(tokens.find(ShortKey::new(token).unwrap()), Some(*id));
            }
            assert_eq!(tokens.count, map.len());
        }
    }
}
