//! Texts that are found by their hash, each with numbers that say where its owner keeps what belongs to it.
//!
//! Four slots make one cache line. A text whose line is full goes to the neighbouring one or takes the place of another. The
//! bytes of all texts are kept, and are compared. The owner says when there are too many: then all are forgotten.
//!
//! Not here: short words, which are their own keys ([`super::memo`]).

use crate::memory::{HeapBytes, prefetch};

/// How many slots a line has.
const WAYS: usize = 4;
const FIRST_LINES: usize = 1 << 9;

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    hash: u32,
    text: u32,
    first: u32,
    /// 0 in a slot that is empty.
    len: u16,
    count: u16,
}

#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Line([Slot; WAYS]);

impl Line {
    #[inline(always)]
    fn way(&self, is_it: impl Fn(&Slot) -> bool) -> Option<usize> {
        self.0.iter().position(is_it)
    }

    /// Where there is room.
    #[inline(always)]
    fn free(&self) -> Option<usize> {
        self.way(|slot| slot.len == 0)
    }
}

/// A text that is kept; another may take its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found(u32);

impl Found {
    /// As a number, for a queue.
    pub(super) fn number(self) -> u32 {
        self.0
    }

    /// The text that [`Self::number`] was made of.
    pub(super) fn of_number(number: u32) -> Self {
        Self(number)
    }
}

/// The texts, in at most `LINES` lines. Takes no memory before there are any.
#[derive(Debug, Default)]
pub(super) struct Texts<const LINES: usize> {
    /// None, or a power of two.
    lines: Vec<Line>,
    count: usize,
    bytes: Vec<u8>,
}

impl<const LINES: usize> HeapBytes for Texts<LINES> {
    fn heap_bytes(&self) -> usize {
        let Self { lines, count: _, bytes } = self;
        lines.heap_bytes() + bytes.heap_bytes()
    }
}

impl<const LINES: usize> Texts<LINES> {
    /// Asks for the memory that finding a text reads.
    #[inline(always)]
    pub(super) fn prefetch(&self, hash: u32) {
        if !self.lines.is_empty() {
            prefetch(&self.lines[self.line_of(hash)]);
        }
    }

    /// A text with its [`hash`].
    #[inline(always)]
    pub(super) fn find(&self, text: &[u8], hash: u32) -> Option<Found> {
        self.find_slot(hash, |slot| self.text_of(slot) == text)
    }

    /// A text with this hash: [`Self::is`] says which. Asks for the memory of its bytes.
    #[inline(always)]
    pub(super) fn find_hash(&self, hash: u32) -> Option<Found> {
        let found = self.find_slot(hash, |_| true)?;
        if let Some(byte) = self.bytes.get(self.slot(found).text as usize) {
            prefetch(byte);
        }
        Some(found)
    }

    /// Whether this is still the text that was found: another may have taken its place.
    #[inline(always)]
    pub(super) fn is(&self, found: Found, text: &[u8]) -> bool {
        self.text_of(&self.slot(found)) == text
    }

    /// The numbers that a text was put in with.
    #[inline(always)]
    pub(super) fn numbers(&self, found: Found) -> (u32, u16) {
        let slot = self.slot(found);
        (slot.first, slot.count)
    }

    /// How many bytes the texts have, those that others took the place of among them.
    pub(super) fn byte_count(&self) -> usize {
        self.bytes.len()
    }

    /// Keeps a text of 1 to 65,535 bytes. It takes its own place if it has one, and that of another if its lines are full.
    pub(super) fn put(&mut self, text: &[u8], hash: u32, (first, count): (u32, u16)) {
        if self.count * 2 >= self.lines.len() * WAYS && self.lines.len() < LINES {
            self.grow();
        }
        debug_assert!((1..=usize::from(u16::MAX)).contains(&text.len()), "{} bytes", text.len());
        let at = self.bytes.len() as u32;
        self.bytes.extend_from_slice(text);
        let slot = Slot { hash, text: at, first, len: text.len() as u16, count };
        match self.find(text, hash) {
            Some(Found(number)) => self.lines[number as usize / WAYS].0[number as usize % WAYS] = slot,
            None => self.put_slot(slot),
        }
    }

    /// Forgets all texts.
    pub(super) fn clear(&mut self) {
        self.lines.fill(Line::default());
        self.count = 0;
        self.bytes.clear();
    }

    #[inline(always)]
    fn find_slot(&self, hash: u32, is_text: impl Fn(&Slot) -> bool) -> Option<Found> {
        if self.lines.is_empty() {
            return None;
        }
        let way_in = |number: usize| self.lines[number].way(|slot| slot.hash == hash && slot.len > 0 && is_text(slot));
        let own = self.line_of(hash);
        let (number, way) = match way_in(own) {
            Some(way) => (own, way),
            None if self.lines[own].free().is_none() => (own ^ 1, way_in(own ^ 1)?),
            None => return None,
        };
        Some(Found((number * WAYS + way) as u32))
    }

    #[inline(always)]
    fn slot(&self, found: Found) -> Slot {
        self.lines[found.0 as usize / WAYS].0[found.0 as usize % WAYS]
    }

    #[inline(always)]
    fn text_of(&self, slot: &Slot) -> &[u8] {
        &self.bytes[slot.text as usize..slot.text as usize + usize::from(slot.len)]
    }

    /// Which line a text with this hash is in, if there are lines.
    #[inline(always)]
    fn line_of(&self, hash: u32) -> usize {
        hash as usize & (self.lines.len() - 1)
    }

    fn put_slot(&mut self, slot: Slot) {
        let own = self.line_of(slot.hash);
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
            if slot.len > 0 {
                self.put_slot(slot);
            }
        }
    }
}

/// The number by which a text is found: sixteen bytes a step; the last step takes the last sixteen.
#[inline]
pub(super) fn hash(text: &[u8]) -> u32 {
    let step = |hash: u64, bytes: [u8; 16]| {
        let bytes = u128::from_le_bytes(bytes);
        let product = u128::from(bytes as u64 ^ hash ^ 0xA076_1D64_78BD_642F)
            * u128::from((bytes >> 64) as u64 ^ 0x8BB8_4B93_962E_ACC9);
        product as u64 ^ (product >> 64) as u64
    };
    let (steps, rest) = text.as_chunks();
    let hash = steps.iter().fold(text.len() as u64, |hash, &bytes| step(hash, bytes));
    let last = text.last_chunk().copied().unwrap_or_else(|| {
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

    type Few = Texts<{ 1 << 10 }>;

    #[test]
    fn finds_what_was_put_in_last_or_nothing() {
        let mut texts = Few::default();
        assert!(texts.find(b"anything", hash(b"anything")).is_none());
        let text = |n: usize| format!("a text with number {n}{}", "!".repeat(n % 100)).into_bytes();
        let find = |texts: &Few, n: usize| texts.find(&text(n), hash(&text(n))).map(|found| texts.numbers(found));
        let mut still_there = 0;
        for n in 0..20_000 {
            let numbers = (n as u32, n as u16 % 7);
            texts.put(&text(n), hash(&text(n)), numbers);
            assert_eq!(find(&texts, n), Some(numbers));
            let before = n - n % 1000;
            let found = find(&texts, before);
            assert!(found.is_none_or(|numbers| numbers == (before as u32, before as u16 % 7)));
            still_there += usize::from(found.is_some());
        }
        assert!(still_there > 10_000 && texts.lines.len() == 1 << 10, "{still_there}");
        texts.put(&text(5), hash(&text(5)), (1, 2));
        texts.put(&text(5), hash(&text(5)), (3, 4));
        assert_eq!(find(&texts, 5), Some((3, 4)), "what is put in again takes its own place");
        texts.clear();
        assert_eq!((find(&texts, 5), texts.byte_count()), (None, 0));
    }

    #[test]
    fn a_text_with_the_hash_of_another_is_not_taken_for_it() {
        let mut texts = Few::default();
        texts.put(b"one", 7, (1, 1));
        assert!(texts.find(b"two", 7).is_none());
        let found = texts.find_hash(7).expect("the hash is there");
        assert!(texts.is(found, b"one") && !texts.is(found, b"two"));
        texts.put(b"two", 7, (2, 2));
        let numbers = [&b"one"[..], b"two"].map(|text| texts.find(text, 7).map(|found| texts.numbers(found)));
        assert_eq!(numbers, [Some((1, 1)), Some((2, 2))], "both are there");
    }

    #[test]
    fn every_byte_counts_in_a_hash() {
        for len in [1, 7, 15, 16, 17, 31, 32, 50] {
            let text = vec![b'a'; len];
            let others = (0..len).map(|at| {
                let mut other = text.clone();
                other[at] = b'b';
                other
            });
            assert!(others.chain([vec![b'a'; len + 1]]).all(|other| hash(&other) != hash(&text)), "{len}");
        }
    }
}
