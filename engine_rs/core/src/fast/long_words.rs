//! Remembers how longer words were split: those that have no key in [`super::cache`].
//!
//! A word is found by a hash of its bytes and then compared with the copy that is kept. When copies or tokens fill their
//! room, everything is forgotten: memory is bounded.

use std::hash::Hasher;

use rustc_hash::FxHasher;

use crate::ids::Id;
use crate::memory::HeapBytes;

/// Longer words are not kept: they hardly come again.
pub(crate) const MAX_BYTES: usize = 64;

const SLOTS: usize = 1 << 13;
const MAX_TEXT: usize = 1 << 18;
const MAX_TOKENS: usize = 1 << 17;

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    hash: u32,
    text: u32,
    tokens: u32,
    /// 0 in a slot that is empty.
    text_len: u16,
    token_count: u16,
}

/// Words and their tokens. Takes no memory before there are any.
#[derive(Debug, Default)]
pub(crate) struct LongWords {
    slots: Vec<Slot>,
    text: Vec<u8>,
    tokens: Vec<(Id, u32)>,
}

impl HeapBytes for LongWords {
    fn heap_bytes(&self) -> usize {
        self.slots.heap_bytes() + self.text.heap_bytes() + self.tokens.heap_bytes()
    }
}

impl LongWords {
    /// The tokens of a word seen before: ids, and for each the byte of the word where it ends.
    pub(crate) fn get(&self, word: &[u8]) -> Option<&[(Id, u32)]> {
        let hash = hash(word);
        let slot = self.slots.get(hash as usize % SLOTS)?;
        let (text, tokens) = (slot.text as usize, slot.tokens as usize);
        let same = slot.hash == hash && &self.text[text..text + usize::from(slot.text_len)] == word;
        same.then(|| &self.tokens[tokens..tokens + usize::from(slot.token_count)])
    }

    /// Keeps the tokens of a word that is not empty, in the place of another with a like hash.
    pub(crate) fn put(&mut self, word: &[u8], tokens: &[(Id, u32)]) {
        if word.len() > MAX_BYTES {
            return;
        }
        let full = self.text.len() + word.len() > MAX_TEXT || self.tokens.len() + tokens.len() > MAX_TOKENS;
        if full || self.slots.is_empty() {
            self.slots.clear();
            self.slots.resize(SLOTS, Slot::default());
            self.text.clear();
            self.tokens.clear();
        }
        let hash = hash(word);
        self.slots[hash as usize % SLOTS] = Slot {
            hash,
            text: self.text.len() as u32,
            tokens: self.tokens.len() as u32,
            text_len: word.len() as u16,
            token_count: tokens.len() as u16,
        };
        self.text.extend_from_slice(word);
        self.tokens.extend_from_slice(tokens);
    }
}

fn hash(word: &[u8]) -> u32 {
    let mut hasher = FxHasher::default();
    hasher.write(word);
    let hash = hasher.finish();
    (hash >> 32) as u32 ^ hash as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_back_what_was_put_in_or_nothing() {
        let mut words = LongWords::default();
        assert_eq!(words.get(b"anything"), None);
        let word = |n: usize| format!("a word with number {n}");
        let tokens = |n: usize| vec![(n as Id, 9); n % 20 + 1];
        let mut found = 0;
        for n in 0..30_000 {
            words.put(word(n).as_bytes(), &tokens(n));
            assert_eq!(words.get(word(n).as_bytes()), Some(&tokens(n)[..]));
            let before = n - n % 1000;
            if let Some(kept) = words.get(word(before).as_bytes()) {
                assert_eq!(kept, tokens(before));
                found += 1;
            }
        }
        assert!(found > 25_000, "{found}");
        assert!(words.text.len() <= MAX_TEXT && words.tokens.len() <= MAX_TOKENS);
        words.put(&[b'a'; MAX_BYTES + 1], &[(1, 65)]);
        assert_eq!(words.get(&[b'a'; MAX_BYTES + 1]), None);
    }
}
