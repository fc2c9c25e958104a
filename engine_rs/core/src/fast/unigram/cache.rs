//! Words seen before: in slots, each of one cache line, or as texts with entries.

use crate::encoding::{Few, Sink};
use crate::fast::memo::{Key, MAX_KEY_BYTES, Place, key_at, place, prefetch};
use crate::fast::queue::{self, Places};
use crate::fast::seen::Seen;
use crate::fast::texts::{self, Texts};
use crate::ids::Id;
use crate::memory::HeapBytes;
use crate::models::unigram::WordScratch;
use crate::offsets::Span;

pub(super) const SLOTS: usize = 1 << 15;
/// How many tokens a slot holds.
pub(super) const INLINE: usize = 4;
/// Longer words are not remembered.
pub(super) const MOST_BYTES: usize = u16::MAX as usize;
/// When as many words, tokens or bytes are remembered, all are forgotten: memory is bounded.
const MAX_WORDS: usize = 1 << 16;
const MAX_TOKENS: usize = 1 << 20;
const MAX_TEXT_BYTES: usize = 4 << 20;

/// A short word. Tokens that are not there count -0, which changes no sum.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Slot {
    pub(super) key: Key,
    pub(super) ids: [Id; INLINE],
    pub(super) weights: [f32; INLINE],
    pub(super) ends: [u8; INLINE],
    pub(super) count: u8,
    pub(super) limit: f32,
}

pub(super) const EMPTY: Slot =
    Slot { key: 0, ids: [0; INLINE], weights: [-0.0; INLINE], ends: [0; INLINE], count: 0, limit: -1.0 };

/// A word in the map: where its tokens stand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) tokens: [u32; 2],
    pub(super) sums: Sums,
}

/// For which sums before a word its tokens are known.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sums {
    /// Those up to a limit. Where what the tokens count stands.
    Within { limit: f32, weights: [u32; 2] },
    /// One, with the sum after the word.
    Exactly { before: f32, after: f32 },
}

/// Words seen before.
#[derive(Default)]
pub struct WordCache {
    pub(super) slots: Slots,
    /// With the number of its entry.
    pub(super) texts: Texts<{ 1 << 15 }>,
    pub(super) entries: Vec<Entry>,
    pub(super) tokens: Vec<(Id, Span)>,
    pub(super) weights: Vec<f32>,
    /// Words and the sums before them, where these decide.
    pub(super) seen: Seen,
    pub(super) scratch: WordScratch,
    pub(super) found: Found,
}

impl HeapBytes for WordCache {
    fn heap_bytes(&self) -> usize {
        let Self { slots, texts, entries, tokens, weights, seen, scratch, found } = self;
        let tables = slots.0.heap_bytes() + texts.heap_bytes() + entries.heap_bytes() + seen.heap_bytes();
        let found = found.tokens.heap_bytes() + found.weights.heap_bytes();
        tables + tokens.heap_bytes() + weights.heap_bytes() + scratch.heap_bytes() + found
    }
}

impl WordCache {
    /// Forgets all words where there is no room for one more.
    pub(super) fn make_room(&mut self) {
        let Self { slots, texts, entries, tokens, weights, .. } = self;
        let tokens_and_weights = tokens.len().max(weights.len());
        if entries.len() >= MAX_WORDS || tokens_and_weights > MAX_TOKENS || texts.byte_count() > MAX_TEXT_BYTES {
            slots.0.fill(EMPTY);
            texts.clear();
            entries.clear();
            tokens.clear();
            weights.clear();
        }
    }

    /// Remembers a word that has no slot.
    pub(super) fn put(&mut self, text: &str, hash: u32, entry: Entry) {
        self.texts.put(text.as_bytes(), hash, (self.entries.len() as u32, 0));
        self.entries.push(entry);
    }

    /// Remembers that a word has no slot since the sum before it may decide.
    pub(super) fn put_unclear(&mut self, text: &str, hash: u32) {
        self.make_room();
        self.put(text, hash, Entry { tokens: [0, 0], sums: Sums::Within { limit: -1.0, weights: [0, 0] } });
    }

    /// Puts a word into a slot, if it fits and there is room. Returns whether it did.
    pub(super) fn put_slot(&mut self, word: &[u8], found: &Found) -> bool {
        let key = (word.len() <= MAX_KEY_BYTES).then(|| key_at(word, 0, word.len()));
        let slot = key.and_then(|key| slot_of(key, 0, &found.tokens, &found.weights, found.limit));
        slot.is_some_and(|slot| self.slots.put(slot))
    }

    /// Remembers the tokens that a word has after this very sum, if it comes again: most come once.
    pub(super) fn put_after(
        &mut self,
        (text, hash_after): (&str, u32),
        found: impl Iterator<Item = (Id, Span)>,
        before: f32,
        after: f32,
    ) {
        if text.len() <= MOST_BYTES && self.seen.insert(hash_after) {
            self.make_room();
            let first = self.tokens.len() as u32;
            self.tokens.extend(found);
            let tokens = [first, self.tokens.len() as u32];
            self.put(text, hash_after, Entry { tokens, sums: Sums::Exactly { before, after } });
        }
    }

    /// A word that has no slot.
    pub(super) fn get(&self, text: &str, hash: u32) -> Option<Entry> {
        let found = self.texts.find(text.as_bytes(), hash)?;
        Some(self.entries[self.texts.numbers(found).0 as usize])
    }

    /// Pushes the tokens of a word at `from`, if they are known for the sum before it. Returns the sum after it.
    pub(super) fn push<S: Sink>(&self, entry: Entry, from: u32, before: f32, sink: &mut S) -> Option<f32> {
        let range = |[first, last]: [u32; 2]| first as usize..last as usize;
        let after = match entry.sums {
            Sums::Within { limit, .. } if before.abs() > limit => return None,
            Sums::Within { weights, .. } => {
                self.weights[range(weights)].iter().fold(before, |sum, weight| sum + weight)
            }
            Sums::Exactly { before: known, after } => (before == known).then_some(after)?,
        };
        self.tokens[range(entry.tokens)].iter().for_each(|&(id, span)| sink.push(id, shifted(span, from)));
        Some(after)
    }
}

pub(super) fn shifted(span: Span, by: u32) -> Span {
    Span { start: by + span.start, end: by + span.end }
}

impl Slot {
    /// The tokens, the first of which has `more` bytes more, of the word at `from`.
    #[inline(always)]
    pub(super) fn few(&self, more: u32, from: u32) -> Few<INLINE> {
        let ends = self.ends.map(|end| more + u32::from(end));
        Few { ids: self.ids, ends, len: usize::from(self.count), start: from, begins: false, is_new: false }
    }

    /// The sum after them.
    #[inline(always)]
    pub(super) fn sum_after(&self, before: f32) -> f32 {
        self.weights.iter().fold(before, |sum, weight| sum + weight)
    }

    /// Pushes them, and returns that sum.
    pub(super) fn push<S: Sink>(&self, more: u32, from: u32, before: f32, sink: &mut S) -> f32 {
        let Few { ids, ends, len, start, .. } = self.few(more, from);
        sink.looked_up(true);
        sink.push_few(&ids, &ends, len, start);
        self.sum_after(before)
    }
}

/// The slots. A word is in its own or, if another one was there, in the neighbouring one, or in none.
#[derive(Default)]
pub(super) struct Slots(pub(super) Vec<Slot>);

impl Places for WordCache {
    #[inline(always)]
    fn prefetch(&self, place: Place) {
        prefetch(&self.slots.0[place.index(SLOTS)]);
    }

    #[inline(always)]
    fn prefetch_long(&self, text: &[u8], start: usize, len: usize, _: queue::Part) -> u32 {
        let hash = texts::hash(&text[start..start + len]);
        self.texts.prefetch(hash);
        hash
    }
}

impl Slots {
    /// The slots that a word may stand in.
    #[inline(always)]
    pub(super) fn both(&self, place: Place) -> [&Slot; 2] {
        let index = place.index(SLOTS);
        [&self.0[index], &self.0[index ^ 1]]
    }

    /// The slot of a word, of up to 15 bytes.
    pub(super) fn get(&self, key: Key) -> Option<&Slot> {
        self.both(place(key)).into_iter().find(|slot| slot.key == key)
    }

    /// Puts a word in, if there is room. Returns whether there was.
    pub(super) fn put(&mut self, slot: Slot) -> bool {
        let index = place(slot.key).index(SLOTS);
        let free = [index, index ^ 1].into_iter().find(|&index| [0, slot.key].contains(&self.0[index].key));
        if let Some(index) = free {
            self.0[index] = slot;
        }
        free.is_some()
    }
}

/// The tokens of a word without gaps.
#[derive(Default)]
pub(super) struct Found {
    /// With their ends.
    pub(super) tokens: Vec<(Id, u32)>,
    pub(super) weights: Vec<f32>,
    /// Beyond it these need not be the tokens after another sum.
    pub(super) limit: f32,
}

/// The slot of a word, if it fits into one.
pub(super) fn slot(text: &str, tokens: &[(Id, Span)], weights: &[f32], limit: f32) -> Option<Slot> {
    let mut ends = [(0, 0); INLINE];
    let mut end = 0;
    for (at, &(id, span)) in tokens.iter().enumerate() {
        if span.start != end {
            return None;
        }
        end = span.end;
        *ends.get_mut(at)? = (id, end);
    }
    (text.len() <= MAX_KEY_BYTES && end as usize == text.len())
        .then(|| slot_of(key_at(text.as_bytes(), 0, text.len()), 0, &ends[..tokens.len()], weights, limit))?
}

/// The slot of tokens without gaps, if they fit into one; their ends are counted from `from` bytes before the word.
pub(super) fn slot_of(key: Key, from: u32, tokens: &[(Id, u32)], weights: &[f32], limit: f32) -> Option<Slot> {
    if tokens.len() > INLINE || tokens.len() != weights.len() {
        return None;
    }
    let mut slot = Slot { key, limit, count: tokens.len() as u8, ..EMPTY };
    for (at, (&(id, end), &weight)) in tokens.iter().zip(weights).enumerate() {
        (slot.ids[at], slot.ends[at], slot.weights[at]) = (id, (end - from) as u8, weight);
    }
    Some(slot)
}
