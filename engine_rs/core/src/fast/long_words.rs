//! Remembers how longer words were split: those that have no key in [`super::memo`].
//!
//! A word is found by a hash of its bytes and then compared with the copy that is kept. When copies or tokens fill their
//! room, everything is forgotten: memory is bounded.

use super::seen::Seen;
use crate::encoding::Sink;
use crate::ids::Id;
use crate::memory::{HeapBytes, prefetch};

/// Longer words are not kept.
pub(crate) const MAX_BYTES: usize = 512;

/// How many slots a line has.
const WAYS: usize = 4;
const FIRST_LINES: usize = 1 << 9;
const MAX_LINES: usize = 1 << 14;
const MAX_TEXT: usize = 1 << 21;
const MAX_TOKENS: usize = 1 << 19;

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    hash: u32,
    text: u32,
    tokens: u32,
    /// 0 in a slot that is empty.
    text_len: u16,
    token_count: u16,
}

#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Line([Slot; WAYS]);

impl Line {
    /// Where there is room.
    #[inline(always)]
    fn free(&self) -> Option<usize> {
        self.0.iter().position(|slot| slot.text_len == 0)
    }
}

/// A word that is kept; another may take its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found(u32);

impl Found {
    /// As a number, for a queue.
    pub(crate) fn number(self) -> u32 {
        self.0
    }

    /// The word that [`Self::number`] was made of.
    pub(crate) fn of_number(number: u32) -> Self {
        Self(number)
    }
}

/// Words and their tokens. Takes no memory before there are any.
#[derive(Debug, Default)]
pub(crate) struct LongWords {
    /// None, or a power of two.
    lines: Vec<Line>,
    count: usize,
    text: Vec<u8>,
    ids: Vec<Id>,
    /// For each token the byte of the word where it ends.
    ends: Vec<u16>,
    seen: Seen,
}

impl HeapBytes for LongWords {
    fn heap_bytes(&self) -> usize {
        let Self { lines, count: _, text, ids, ends, seen } = self;
        lines.heap_bytes() + text.heap_bytes() + ids.heap_bytes() + ends.heap_bytes() + seen.heap_bytes()
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

    /// Asks for the memory that [`Self::find_hash_or_note`] reads.
    #[inline(always)]
    pub(crate) fn prefetch(&self, hash: u32) {
        if !self.lines.is_empty() {
            prefetch(&self.lines[self.line_of(hash)]);
        }
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
        self.find_slot(hash, |_| true)
    }

    /// Whether this is still the word that was found: another may have taken its place.
    #[inline(always)]
    pub(crate) fn is(&self, found: Found, word: &[u8]) -> bool {
        let slot = self.lines[found.0 as usize / WAYS].0[found.0 as usize % WAYS];
        self.text_of(&slot) == word
    }

    #[inline(always)]
    fn text_of(&self, slot: &Slot) -> &[u8] {
        &self.text[slot.text as usize..slot.text as usize + usize::from(slot.text_len)]
    }

    #[inline(always)]
    fn find_hashed(&self, word: &[u8], hash: u32) -> Option<Found> {
        self.find_slot(hash, |slot| self.text_of(slot) == word)
    }

    /// The word with this hash that stands in the first slot that `is_word`; asks for the memory of its bytes and tokens.
    #[inline(always)]
    fn find_slot(&self, hash: u32, is_word: impl Fn(&Slot) -> bool) -> Option<Found> {
        if self.lines.is_empty() {
            return None;
        }
        let way_in = |number: usize| self.lines[number].0.iter().position(|slot| slot.hash == hash && is_word(slot));
        let own = self.line_of(hash);
        let (number, way) = match way_in(own) {
            Some(way) => (own, way),
            None if self.lines[own].free().is_none() => (own ^ 1, way_in(own ^ 1)?),
            None => return None,
        };
        let slot = self.lines[number].0[way];
        if let (Some(id), Some(end)) = (self.ids.get(slot.tokens as usize), self.ends.get(slot.tokens as usize)) {
            prefetch(id);
            prefetch(end);
        }
        if let Some(byte) = self.text.get(slot.text as usize) {
            prefetch(byte);
        }
        Some(Found((number * WAYS + way) as u32))
    }

    /// Which line a word with this hash is in, if there are lines.
    #[inline(always)]
    fn line_of(&self, hash: u32) -> usize {
        hash as usize & (self.lines.len() - 1)
    }

    /// The tokens of a word: ids, and for each the byte of the word where it ends.
    #[inline]
    pub(crate) fn tokens(&self, found: Found) -> (&[Id], &[u16]) {
        let slot = self.lines[found.0 as usize / WAYS].0[found.0 as usize % WAYS];
        let range = slot.tokens as usize..slot.tokens as usize + usize::from(slot.token_count);
        (&self.ids[range.clone()], &self.ends[range])
    }

    /// Pushes the tokens of a word without gaps that starts at byte `start` of the original.
    #[inline]
    pub(crate) fn push<S: Sink>(&self, found: Found, start: usize, sink: &mut S) {
        let (ids, ends) = self.tokens(found);
        sink.push_many(ids, ends, start as u32);
    }

    /// Keeps the tokens of a word that is not empty, in the place of another if its line is full.
    pub(crate) fn put(&mut self, word: &[u8], tokens: &[(Id, u32)]) {
        if word.len() > MAX_BYTES {
            return;
        }
        let full = self.text.len() + word.len() > MAX_TEXT || self.ids.len() + tokens.len() > MAX_TOKENS;
        if full {
            self.lines.fill(Line::default());
            self.count = 0;
            self.text.clear();
            self.ids.clear();
            self.ends.clear();
        }
        if self.count * 2 >= self.lines.len() * WAYS && self.lines.len() < MAX_LINES {
            self.grow();
        }
        self.put_slot(Slot {
            hash: hash(word),
            text: self.text.len() as u32,
            tokens: self.ids.len() as u32,
            text_len: word.len() as u16,
            token_count: tokens.len() as u16,
        });
        self.text.extend_from_slice(word);
        self.ids.extend(tokens.iter().map(|&(id, _)| id));
        self.ends.extend(tokens.iter().map(|&(_, end)| end as u16));
    }

    fn put_slot(&mut self, slot: Slot) {
        let own = self.line_of(slot.hash);
        // A word whose line is full goes to the neighbouring one or replaces another.
        let free = [own, own ^ 1].into_iter().find_map(|number| Some((number, self.lines[number].free()?)));
        self.count += usize::from(free.is_some());
        let (number, way) = free.unwrap_or((own, slot.hash as usize >> 30));
        self.lines[number].0[way] = slot;
    }

    #[cold]
    fn grow(&mut self) {
        let more = vec![Line::default(); (self.lines.len() * 2).max(FIRST_LINES)];
        self.count = 0;
        for slot in std::mem::replace(&mut self.lines, more).iter().flat_map(|line| line.0) {
            if slot.text_len > 0 {
                self.put_slot(slot);
            }
        }
    }
}

/// The number by which a word is found: sixteen bytes a step; the last step takes the last sixteen.
#[inline]
pub(crate) fn hash(word: &[u8]) -> u32 {
    let step = |hash: u64, bytes: [u8; 16]| {
        let bytes = u128::from_le_bytes(bytes);
        let product = u128::from(bytes as u64 ^ hash ^ 0xA076_1D64_78BD_642F)
            * u128::from((bytes >> 64) as u64 ^ 0x8BB8_4B93_962E_ACC9);
        product as u64 ^ (product >> 64) as u64
    };
    let (steps, rest) = word.as_chunks();
    let hash = steps.iter().fold(word.len() as u64, |hash, &bytes| step(hash, bytes));
    let last = word.last_chunk().copied().unwrap_or_else(|| {
        let mut padded = [0; 16];
        padded[..rest.len()].copy_from_slice(rest);
        padded
    });
    let hash = step(hash, last);
    (hash >> 32) as u32 ^ hash as u32
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
        assert!(words.text.len() <= MAX_TEXT && words.ids.len() <= MAX_TOKENS && words.lines.len() <= MAX_LINES);
        words.put(&[b'a'; MAX_BYTES + 1], &[(1, 513)]);
        assert_eq!(tokens_of(&words, &[b'a'; MAX_BYTES + 1]), None);
    }

    #[test]
    fn a_word_that_comes_again_is_noted() {
        let mut words = LongWords::default();
        let noted = |words: &mut LongWords| words.find_or_note(b"words without spaces").map(Found::number);
        assert_eq!((noted(&mut words), noted(&mut words)), (Err(false), Err(true)));
        words.put(b"words without spaces", &[(3, 5), (4, 20)]);
        let found = words.find_or_note(b"words without spaces").expect("it is kept");
        let mut ids = vec![];
        words.push(Found::of_number(found.number()), 10, &mut ids);
        assert_eq!(ids, [3, 4]);
    }

    #[test]
    fn every_byte_counts_in_a_hash() {
        for len in [1, 7, 15, 16, 17, 31, 32, 50] {
            let word = vec![b'a'; len];
            let others = (0..len).map(|at| {
                let mut other = word.clone();
                other[at] = b'b';
                other
            });
            assert!(others.chain([vec![b'a'; len + 1]]).all(|other| hash(&other) != hash(&word)), "{len}");
        }
    }
}
