//! Remembers how longer words were split: those that have no key in [`super::memo`].
//!
//! When copies of words or tokens fill their room, everything is forgotten: memory is bounded.

use super::seen::Seen;
use super::texts::{Found, Texts, hash};
use crate::encoding::Sink;
use crate::ids::Id;
use crate::memory::{HeapBytes, prefetch};

/// Longer words are not kept.
pub(crate) const MAX_BYTES: usize = 512;

const MAX_TEXT: usize = 1 << 21;
const MAX_TOKENS: usize = 1 << 19;

/// Words and their tokens. Takes no memory before there are any.
#[derive(Debug, Default)]
pub(crate) struct LongWords {
    /// With the number of its first token, and how many it has.
    words: Texts<{ 1 << 14 }>,
    ids: Vec<Id>,
    /// For each token the byte of the word where it ends.
    ends: Vec<u16>,
    seen: Seen,
}

impl HeapBytes for LongWords {
    fn heap_bytes(&self) -> usize {
        let Self { words, ids, ends, seen } = self;
        words.heap_bytes() + ids.heap_bytes() + ends.heap_bytes() + seen.heap_bytes()
    }
}

impl LongWords {
    /// A word that is kept; asks for the memory of its tokens.
    #[inline]
    pub(crate) fn find(&self, word: &[u8]) -> Option<Found> {
        self.find_hashed(word, hash(word))
    }

    /// The same for a word that is worth keeping only if it comes again: `Err` says whether it came before and can be kept.
    #[inline]
    pub(crate) fn find_or_note(&mut self, word: &[u8]) -> Result<Found, bool> {
        if word.len() > MAX_BYTES {
            return Err(false);
        }
        let hash = hash(word);
        self.find_hashed(word, hash).ok_or_else(|| self.seen.insert(hash))
    }

    /// Asks for the memory that finding a word reads.
    #[inline(always)]
    pub(crate) fn prefetch(&self, hash: u32) {
        self.words.prefetch(hash);
    }

    /// As [`Self::find_or_note`], by the [`hash`] of the word alone: [`Self::is`] says whether it is the word. Asks for the
    /// memory of its bytes and tokens.
    #[inline]
    pub(crate) fn find_hash_or_note(&mut self, hash: u32) -> Result<Found, bool> {
        self.find_hash(hash).ok_or_else(|| self.seen.insert(hash))
    }

    /// A word with this hash.
    #[inline]
    pub(crate) fn find_hash(&self, hash: u32) -> Option<Found> {
        self.words.find_hash(hash).inspect(|&found| self.prefetch_tokens(found))
    }

    /// Whether this is still the word that was found: another may have taken its place.
    #[inline(always)]
    pub(crate) fn is(&self, found: Found, word: &[u8]) -> bool {
        self.words.is(found, word)
    }

    #[inline(always)]
    fn find_hashed(&self, word: &[u8], hash: u32) -> Option<Found> {
        self.words.find(word, hash).inspect(|&found| self.prefetch_tokens(found))
    }

    #[inline(always)]
    fn prefetch_tokens(&self, found: Found) {
        let first = self.words.numbers(found).0 as usize;
        if let (Some(id), Some(end)) = (self.ids.get(first), self.ends.get(first)) {
            prefetch(id);
            prefetch(end);
        }
    }

    /// The tokens of a word: ids, and for each the byte of the word where it ends.
    #[inline]
    pub(crate) fn tokens(&self, found: Found) -> (&[Id], &[u16]) {
        let (first, count) = self.words.numbers(found);
        let range = first as usize..first as usize + usize::from(count);
        (&self.ids[range.clone()], &self.ends[range])
    }

    /// Pushes the tokens of a word without gaps that starts at byte `start` of the original.
    #[inline]
    pub(crate) fn push<S: Sink>(&self, found: Found, start: usize, sink: &mut S) {
        let (ids, ends) = self.tokens(found);
        sink.push_many(ids, ends, start as u32);
    }

    /// Keeps the tokens of a word that is not empty.
    pub(crate) fn put(&mut self, word: &[u8], tokens: &[(Id, u32)]) {
        if word.len() > MAX_BYTES {
            return;
        }
        if self.words.byte_count() + word.len() > MAX_TEXT || self.ids.len() + tokens.len() > MAX_TOKENS {
            self.words.clear();
            self.ids.clear();
            self.ends.clear();
        }
        self.words.put(word, hash(word), (self.ids.len() as u32, tokens.len() as u16));
        self.ids.extend(tokens.iter().map(|&(id, _)| id));
        self.ends.extend(tokens.iter().map(|&(_, end)| end as u16));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens_of(words: &LongWords, word: &[u8]) -> Option<Vec<(Id, u32)>> {
        let (ids, ends) = words.tokens(words.find(word)?);
        Some(ids.iter().copied().zip(ends.iter().map(|&end| end.into())).collect())
    }

    #[test]
    fn gives_back_what_was_put_in_or_nothing() {
        let mut words = LongWords::default();
        assert_eq!(tokens_of(&words, b"anything"), None);
        let word = |n: usize| format!("a word with number {n}{}", "!".repeat(n % 100));
        let tokens = |n: usize| vec![(n as Id, 9); n % 20 + 1];
        let mut found = 0;
        for n in 0..80_000 {
            words.put(word(n).as_bytes(), &tokens(n));
            assert_eq!(tokens_of(&words, word(n).as_bytes()), Some(tokens(n)));
            let before = n - n % 1000;
            if let Some(kept) = tokens_of(&words, word(before).as_bytes()) {
                assert_eq!(kept, tokens(before));
                found += 1;
            }
        }
        assert!(found > 70_000, "{found}");
        assert!(words.words.byte_count() <= MAX_TEXT && words.ids.len() <= MAX_TOKENS);
        words.put(&[b'a'; MAX_BYTES + 1], &[(1, 513)]);
        assert_eq!(tokens_of(&words, &[b'a'; MAX_BYTES + 1]), None);
    }

    #[test]
    fn a_word_that_comes_again_is_noted() {
        let mut words = LongWords::default();
        let word = b"words without spaces";
        let noted = |words: &mut LongWords| words.find_or_note(word).map(Found::number);
        assert_eq!((noted(&mut words), noted(&mut words)), (Err(false), Err(true)));
        words.put(word, &[(3, 5), (4, 20)]);
        let found = words.find_or_note(word).expect("it is kept");
        let mut ids = vec![];
        words.push(Found::of_number(found.number()), 10, &mut ids);
        assert_eq!(ids, [3, 4]);
    }
}
