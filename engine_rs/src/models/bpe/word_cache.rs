//! Remembers how short pretokens were encoded, since a text is mostly words seen before.
//!
//! A pretoken of up to 15 bytes and its length are one 128-bit key, compared exactly. Two slots of 32 bytes make one
//! cache line; a third word in the same line takes the place of the older one, so memory is bounded by construction.
//! One cache belongs to one thread.

use crate::ids::Id;

/// Pretokens longer than this have no key.
pub const MAX_KEY_BYTES: usize = 15;
/// Encodings of more tokens than this are not kept.
pub const MAX_TOKENS: usize = 4;

/// Or-ed into the key of a part of a longer pretoken.
pub const UNIT: Key = 1 << 127;

const LINES: usize = 1 << 15;
const NO_ID: Id = Id::MAX;

/// Bytes of the pretoken in the low 15 bytes, length in the high one. 0 is no pretoken's key.
pub type Key = u128;

#[derive(Clone, Copy)]
struct Slot {
    key: Key,
    ids: [Id; MAX_TOKENS],
}

#[derive(Clone, Copy)]
#[repr(align(64))]
struct Line([Slot; 2]);

const EMPTY: Line = Line([Slot { key: 0, ids: [NO_ID; MAX_TOKENS] }; 2]);

/// Words and their tokens, direct-mapped.
pub struct WordCache {
    lines: Box<[Line]>,
}

impl Default for WordCache {
    fn default() -> Self {
        Self { lines: vec![EMPTY; LINES].into_boxed_slice() }
    }
}

/// The key of the pretoken `text[start..end]`, which is not longer than [`MAX_KEY_BYTES`].
#[inline(always)]
pub fn key(text: &[u8], start: usize, end: usize) -> Key {
    let len = end - start;
    debug_assert!(0 < len && len <= MAX_KEY_BYTES);
    let bytes = if start + 16 <= text.len() {
        let wide: [u8; 16] = text[start..start + 16].try_into().expect("16 bytes");
        // Keeps the first `len` bytes. The shift is below 128 since `len` is not 0.
        u128::from_le_bytes(wide) << (128 - 8 * len) >> (128 - 8 * len)
    } else {
        let mut wide = [0; 16];
        wide[..len].copy_from_slice(&text[start..end]);
        u128::from_le_bytes(wide)
    };
    bytes | (len as u128) << 120
}

#[inline(always)]
fn line_of(key: Key) -> usize {
    let folded = (key as u64) ^ ((key >> 64) as u64).rotate_left(29);
    let mixed = folded.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    ((mixed ^ (mixed >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93) >> (64 - LINES.trailing_zeros())) as usize
}

impl WordCache {
    /// The tokens of a word seen before; entries after the last token are `Id::MAX`.
    #[inline(always)]
    pub fn get(&self, key: Key) -> Option<&[Id; MAX_TOKENS]> {
        let Line([first, second]) = &self.lines[line_of(key)];
        if first.key == key {
            Some(&first.ids)
        } else if second.key == key {
            Some(&second.ids)
        } else {
            None
        }
    }

    /// Keeps the tokens of a word, if they are few enough.
    pub fn put(&mut self, key: Key, tokens: &[Id]) {
        if tokens.len() > MAX_TOKENS {
            return;
        }
        let mut ids = [NO_ID; MAX_TOKENS];
        ids[..tokens.len()].copy_from_slice(tokens);
        let Line(slots) = &mut self.lines[line_of(key)];
        slots[1] = slots[0];
        slots[0] = Slot { key, ids };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_tell_all_short_words_apart() {
        let text = b"a\0\0 and some more text after it";
        let keys = [key(text, 0, 1), key(text, 0, 2), key(text, 0, 3), key(&text[..3], 0, 1), key(&text[..3], 1, 3)];
        assert_eq!(keys[0], keys[3], "the bytes after the word do not count");
        assert!(keys[0] != keys[1] && keys[1] != keys[2] && keys[4] != keys[1], "trailing NULs do");
    }

    #[test]
    fn gives_back_what_was_put_in_or_nothing() {
        let mut cache = WordCache::default();
        let words: Vec<String> = (0..200_000).map(|n| format!("w{n}")).collect();
        let mut found = 0;
        for (n, word) in words.iter().enumerate() {
            cache.put(key(word.as_bytes(), 0, word.len()), &[n as Id, 1]);
        }
        for (n, word) in words.iter().enumerate() {
            if let Some(ids) = cache.get(key(word.as_bytes(), 0, word.len())) {
                assert_eq!(ids, &[n as Id, 1, NO_ID, NO_ID]);
                found += 1;
            }
        }
        assert!(found > LINES, "most of the room is used: {found}");
    }
}
