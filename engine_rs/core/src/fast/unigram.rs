//! Unigram of a `.model`: the text falls into words at white space, and the tokens of those seen before are remembered under
//! their bytes in the original text, before any normalization.
//!
//! Words end beside symbols of ASCII, too, where no token joins what is on both sides.
//!
//! Such a place is no split point: sums of scores are 32-bit floats counted from the start of the text, and how they are
//! rounded decides near ties. So each word is kept with the limit below which the sum before it decides nothing
//! ([`crate::models::unigram::Word`]), and with what its tokens count. Where the sum before a word is beyond its limit, the
//! word is encoded from that very sum, and remembered with it the second time: a text that is encoded again has the same sums.
//!
//! A word of up to 15 bytes and four tokens without gaps has a slot of one cache line. Others, and those whose slots are taken,
//! stand in a map. Both are emptied when the map is full: memory is bounded, and belongs to one thread.

use std::borrow::Cow;
use std::sync::Arc;

use crate::added_tokens::AddedTokens;
use crate::alignment::{AlignedText, Part};
use crate::encoding::{Sink, Stage};
use crate::error::EncodeError;
use crate::fast::memo::{Key, MAX_KEY_BYTES, NO_KEY, Place, key_at, place, prefetch};
use crate::fast::plain_words::{PlainWords, part_key, with_mark};
use crate::fast::processor::Processor;
use crate::fast::queue::{self, Places};
use crate::fast::seen::Seen;
use crate::fast::segments::{self, EachSegment, Masks, Walk};
use crate::fast::texts::{self, Texts};
use crate::ids::Id;
use crate::memory::HeapBytes;
use crate::models::Model;
use crate::models::segment_cache::MARK;
use crate::models::unigram::{Unigram, Word, WordScratch};
use crate::normalizers::Normalizer;
use crate::offsets::Span;
use crate::split_points::white_space::WhiteSpace;
use crate::stages::{Observe, Run, Stages, Start};

/// The space that a paragraph of Japanese starts with.
const WIDE_SPACE: &str = "\u{3000}";
/// The most bytes of most words.
const SHORT: usize = 64;

const SLOTS: usize = 1 << 15;
/// How many tokens a slot holds.
const INLINE: usize = 4;
/// Longer words are remembered with the sum before them alone. Those of paragraphs without spaces are beyond their limits soon.
const MAX_BYTES: usize = 1024;
/// Longer words are not remembered.
const MAX_EXACT_BYTES: usize = u16::MAX as usize;
/// When as many words, tokens or bytes are remembered, all are forgotten: memory is bounded.
const MAX_WORDS: usize = 1 << 16;
const MAX_TOKENS: usize = 1 << 20;
const MAX_TEXT_BYTES: usize = 4 << 20;

/// Where texts are split, and how words other than the first are normalized.
#[derive(Clone, Debug)]
pub struct UnigramByWords {
    white_space: Arc<WhiteSpace>,
    inside: Normalizer,
    plain: Option<Box<PlainWords>>,
    /// Whether a run of spaces and line ends before a word is one mark, as one space is.
    runs_are_marks: bool,
    /// The same with a [`WIDE_SPACE`] at its end.
    wide_runs_are_marks: bool,
    masks: Masks,
    processor: Processor,
}

/// A short word. Tokens that are not there count -0, which changes no sum.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Slot {
    key: Key,
    ids: [Id; INLINE],
    weights: [f32; INLINE],
    ends: [u8; INLINE],
    count: u8,
    limit: f32,
}

const EMPTY: Slot =
    Slot { key: 0, ids: [0; INLINE], weights: [-0.0; INLINE], ends: [0; INLINE], count: 0, limit: -1.0 };

/// A word in the map: where its tokens stand.
#[derive(Clone, Copy, Debug)]
struct Entry {
    tokens: [u32; 2],
    sums: Sums,
}

/// For which sums before a word its tokens are known.
#[derive(Clone, Copy, Debug)]
enum Sums {
    /// Those up to a limit. Where what the tokens count stands.
    Within { limit: f32, weights: [u32; 2] },
    /// One, with the sum after the word.
    Exactly { before: f32, after: f32 },
}

/// Words seen before.
#[derive(Default)]
pub struct WordCache {
    slots: Slots,
    /// With the number of its entry.
    texts: Texts<{ 1 << 15 }>,
    entries: Vec<Entry>,
    tokens: Vec<(Id, Span)>,
    weights: Vec<f32>,
    /// Words and the sums before them, where these decide.
    seen: Seen,
    scratch: WordScratch,
    found: Found,
}

impl HeapBytes for WordCache {
    fn heap_bytes(&self) -> usize {
        let Self { slots, texts, entries, tokens, weights, seen, scratch, found: _ } = self;
        let tables = slots.0.heap_bytes() + texts.heap_bytes() + entries.heap_bytes() + seen.heap_bytes();
        tables + tokens.heap_bytes() + weights.heap_bytes() + scratch.heap_bytes()
    }
}

impl WordCache {
    /// Forgets all words where there is no room for one more.
    fn make_room(&mut self) {
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
    fn put(&mut self, text: &str, hash: u32, entry: Entry) {
        self.texts.put(text.as_bytes(), hash, (self.entries.len() as u32, 0));
        self.entries.push(entry);
    }

    /// A word that has no slot.
    fn get(&self, text: &str, hash: u32) -> Option<Entry> {
        let found = self.texts.find(text.as_bytes(), hash)?;
        Some(self.entries[self.texts.numbers(found).0 as usize])
    }

    /// Pushes the tokens of a word at `from`, if they are known for the sum before it. Returns the sum after it.
    fn push<S: Sink>(&self, entry: Entry, from: u32, before: f32, sink: &mut S) -> Option<f32> {
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

fn shifted(span: Span, by: u32) -> Span {
    Span { start: by + span.start, end: by + span.end }
}

impl UnigramByWords {
    /// For the stages of a `.model`, split at white space.
    pub fn new(stages: &Stages, added: &AddedTokens, white_space: &Arc<WhiteSpace>) -> Option<Self> {
        let inside = stages.normalizer.as_ref()?.inside();
        let is_mark = |run: String| {
            let mut text = AlignedText::new(&format!("x{run}y"), 0);
            inside.normalize(&mut text).is_ok() && text.text() == format!("x{MARK}y")
        };
        let are_marks = |end: &str| {
            let mut runs = [" ", "  ", "\n", " \n", "\n ", "\n\n"].into_iter();
            white_space.starts_at(b'\n') && runs.all(|run| is_mark([run, end].concat()))
        };
        let (runs_are_marks, wide_runs_are_marks) = (are_marks(""), are_marks(WIDE_SPACE));
        (white_space.carries_sums && unigram(stages).is_some()).then(|| Self {
            plain: PlainWords::of(stages, added, white_space).map(Box::new),
            runs_are_marks,
            wide_runs_are_marks,
            masks: segments::masks(white_space),
            processor: Processor::detected(),
            white_space: Arc::clone(white_space),
            inside,
        })
    }
}

impl UnigramByWords {
    /// How many bytes of white space are before a word that are one mark.
    fn white_space_before(&self, text: &str) -> usize {
        let run = text.bytes().take_while(|&byte| self.white_space.starts_at(byte)).count();
        match run > 0 && self.wide_runs_are_marks && text[run..].starts_with(WIDE_SPACE) {
            true => run + WIDE_SPACE.len(),
            false if self.runs_are_marks => run,
            false => 0,
        }
    }
}

fn unigram(stages: &Stages) -> Option<&Unigram> {
    match &stages.model {
        Model::Unigram(unigram) => Some(unigram),
        _ => None,
    }
}

/// The encoding of one text.
pub(super) struct Job<'a> {
    pub path: &'a UnigramByWords,
    pub stages: &'a Stages,
    pub run: Run<'a>,
    pub cache: &'a mut WordCache,
}

/// Encodes words. `sum` is the sum of scores before the next one.
struct EachWord<'a, 'b, S> {
    job: &'a mut Job<'b>,
    unigram: &'a Unigram,
    base: u32,
    sum: f32,
    sink: &'a mut S,
}

impl<S: Sink> EachSegment for EachWord<'_, '_, S> {
    type Table = WordCache;

    #[inline(always)]
    fn table(&self) -> &WordCache {
        self.job.cache
    }

    #[inline(always)]
    fn segment(
        &mut self,
        text: &str,
        (start, end): (usize, usize),
        (key, place): (Key, Place),
        number: u32,
    ) -> Result<(), EncodeError> {
        let from = self.base + start as u32;
        let [own, neighbour] = self.job.cache.slots.both(place);
        let slot = if own.key == key { own } else { neighbour };
        self.sum = if slot.key == key && self.sum.abs() <= slot.limit {
            slot.push(0, from, self.sum, self.sink)
        } else {
            let word = &text[start..end];
            let hash = if key == NO_KEY { number } else { texts::hash(word.as_bytes()) };
            self.job.word(self.unigram, (word, hash), from, self.sum, self.sink)?
        };
        Ok(())
    }
}

impl Slot {
    /// Pushes the tokens, the first of which has `more` bytes more; returns the sum after them.
    #[inline(always)]
    fn push<S: Sink>(&self, more: u32, from: u32, before: f32, sink: &mut S) -> f32 {
        sink.looked_up(true);
        sink.push_few(&self.ids, &self.ends.map(|end| more + u32::from(end)), usize::from(self.count), from);
        self.weights.iter().fold(before, |sum, weight| sum + weight)
    }
}

/// The slots. A word is in its own or, if another one was there, in the neighbouring one, or in none.
#[derive(Default)]
struct Slots(Vec<Slot>);

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
    fn both(&self, place: Place) -> [&Slot; 2] {
        let index = place.index(SLOTS);
        [&self.0[index], &self.0[index ^ 1]]
    }

    /// The slot of a word, of up to 15 bytes.
    fn get(&self, key: Key) -> Option<&Slot> {
        self.both(place(key)).into_iter().find(|slot| slot.key == key)
    }

    /// Puts a word in, if there is room. Returns whether there was.
    fn put(&mut self, slot: Slot) -> bool {
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
struct Found {
    /// With their ends.
    tokens: Vec<(Id, u32)>,
    weights: Vec<f32>,
    limit: f32,
}

impl Job<'_> {
    /// Pushes the tokens of `text`, in which no added token is spelled. Its first byte is byte `base` of the original text.
    ///
    /// Errors: as [`Stages::encode`].
    pub fn encode<S: Sink>(&mut self, text: &str, base: u32, start: Start, sink: &mut S) -> Result<(), EncodeError> {
        let Some(unigram) = unigram(self.stages) else { return Ok(()) };
        sink.enter(Stage::Model);
        let first = match start {
            Start::OfText => self.stages.normalizer.as_ref(),
            Start::Inside => Some(&self.path.inside),
        };
        let at = self.path.white_space.next(text, 0);
        let mut word = Miss::new(unigram, 0.0, &mut self.cache.scratch);
        self.run.of_part(first).over(&text[..at], base as usize, &mut word)?;
        if word.begins {
            sink.begin_pretoken();
        }
        word.tokens.iter().for_each(|&(id, span)| sink.push(id, span));
        let sum = word.sum;
        if self.cache.slots.0.is_empty() {
            self.cache.slots.0 = vec![EMPTY; SLOTS];
        }
        let path = self.path;
        let each = EachWord { job: self, unigram, base, sum, sink };
        path.processor.run(Walk { masks: &path.masks, points: &path.white_space, text, at, each })
    }

    /// Pushes the tokens of a word that is in no slot, and returns the sum after it.
    fn word<S: Sink>(
        &mut self,
        unigram: &Unigram,
        (text, hash): (&str, u32),
        from: u32,
        before: f32,
        sink: &mut S,
    ) -> Result<f32, EncodeError> {
        let white = self.path.white_space_before(text);
        let (mut short, long);
        // A run of white space is like one space, which the first token is longer by.
        let word = match &text.as_bytes()[white..] {
            rest if text.starts_with(' ') && white <= 1 || white == 0 || rest.is_empty() => text.as_bytes(),
            rest if rest.len() < SHORT => {
                short = [b' '; SHORT];
                short[1..=rest.len()].copy_from_slice(rest);
                &short[..=rest.len()]
            }
            rest => {
                long = [b" ", rest].concat();
                &long
            }
        };
        let more = (text.len() - word.len()) as u32;
        if word.len() <= MAX_KEY_BYTES
            && let Some(slot) = self.cache.slots.get(key_at(word, 0, word.len()))
            && before.abs() <= slot.limit
        {
            return Ok(slot.push(more, from, before, sink));
        }
        let known = self.cache.get(text, hash);
        sink.looked_up(known.is_some());
        let mut most_bytes = MAX_BYTES;
        if known.is_none()
            && let Some(limit) = self.encode_plain(unigram, word, before)
        {
            if before.abs() <= limit {
                return Ok(self.push_found((text, hash), word, from, before, sink));
            }
            // The sums of a long word need not be asked twice.
            most_bytes = SHORT;
        }
        let known = match known {
            None if text.len() <= most_bytes => {
                Some(self.record(unigram, text, hash).map_err(|error| error.moved(from as usize))?)
            }
            known => known,
        };
        match known.and_then(|entry| self.cache.push(entry, from, before, sink)) {
            Some(after) => Ok(after),
            None => self.word_after(unigram, (text, hash), from, before, sink),
        }
    }

    /// Pushes the tokens of a word for which the sum before it decides, and returns the sum after it.
    fn word_after<S: Sink>(
        &mut self,
        unigram: &Unigram,
        (text, hash): (&str, u32),
        from: u32,
        before: f32,
        sink: &mut S,
    ) -> Result<f32, EncodeError> {
        let hash = hash ^ before.to_bits().wrapping_mul(0x9e37_79b1);
        let known = self.cache.get(text, hash);
        if let Some(after) = known.and_then(|entry| self.cache.push(entry, from, before, sink)) {
            return Ok(after);
        }
        let mut word = Miss::new(unigram, before, &mut self.cache.scratch);
        let run = self.run.of_part(Some(&self.path.inside)).over(text, 0, &mut word);
        run.map_err(|error| error.moved(from as usize))?;
        let Miss { tokens: found, sum: after, .. } = word;
        found.iter().for_each(|&(id, span)| sink.push(id, shifted(span, from)));
        if text.len() <= MAX_EXACT_BYTES && self.cache.seen.insert(hash) {
            self.cache.make_room();
            let tokens = &mut self.cache.tokens;
            let first = tokens.len();
            tokens.extend(found);
            let tokens = [first as u32, tokens.len() as u32];
            self.cache.put(text, hash, Entry { tokens, sums: Sums::Exactly { before, after } });
        }
        Ok(after)
    }

    /// Leaves the tokens of a plain word in `found`, if all of its parts are clear after the sum before it. Returns the limit of these
    /// sums; `None` if the stages must encode the word.
    fn encode_plain(&mut self, unigram: &Unigram, word: &[u8], before: f32) -> Option<f32> {
        let plain = self.path.plain.as_deref()?;
        let original = std::str::from_utf8(word).ok()?;
        let normalizer = self.stages.normalizer.as_ref();
        let word = plain.normalized(original, normalizer)?;
        let WordCache { slots, scratch, found: Found { tokens, weights, limit }, .. } = &mut *self.cache;
        tokens.clear();
        weights.clear();
        *limit = f32::MAX;
        // The sum of the parts before, and the largest of these sums.
        let (mut sum, mut farthest) = (0.0_f64, 0.0_f64);
        let is_unknown = |&(id, _): &(Id, u32)| Some(id) == plain.unknown;
        let mut has_unknown = false;
        for part in plain.parts(word.as_bytes()) {
            let from = part.start as u32;
            // Sums are wrong by less than a thousandth.
            let mut within = |reach: f32| *limit = limit.min((0.999 * f64::from(reach) - 1.001 * farthest) as f32);
            let key =
                (part.len() <= MAX_KEY_BYTES && part.len() < word.len()).then(|| part_key(word.as_bytes(), &part));
            let first = tokens.len();
            if let Some(slot) = key.and_then(|key| slots.get(key)) {
                let count = usize::from(slot.count);
                tokens.extend(slot.ids.iter().zip(slot.ends).take(count).map(|(&id, end)| (id, from + u32::from(end))));
                weights.extend(&slot.weights[..count]);
                within(slot.limit);
            } else {
                let reach = with_mark(&word[part], |marked, added| {
                    unigram.encode_part(marked, scratch, |id, end, weight| {
                        tokens.push((id, from + (end - added) as u32));
                        weights.push(weight);
                    })
                })?;
                within(reach);
                // Unknown neighbours become one token in a word.
                let unknown = tokens[first..].iter().filter(|token| is_unknown(token)).count();
                if let Some(key) = key.filter(|_| unknown < 2)
                    && let Some(slot) = slot_of(key, from, &tokens[first..], &weights[first..], reach)
                {
                    slots.put(slot);
                }
            }
            has_unknown |= tokens[first..].iter().any(is_unknown);
            if *limit < before.abs() {
                return Some(*limit);
            }
            sum += weights[first..].iter().map(|&weight| f64::from(weight)).sum::<f64>();
            farthest = farthest.max(sum.abs());
        }
        if has_unknown {
            tokens.dedup_by(|next, last| {
                let joins = is_unknown(last) && is_unknown(next);
                if joins {
                    last.1 = next.1;
                }
                joins
            });
        }
        let space = usize::from(original.starts_with(' '));
        let is_counted =
            matches!(word, Cow::Borrowed(_)) || plain.count_in_word(tokens, space, &original[space..], normalizer);
        is_counted.then_some(*limit)
    }

    /// Remembers what was found of a plain word, and pushes it for a text that is the word after any white space.
    fn push_found<S: Sink>(
        &mut self,
        (text, hash): (&str, u32),
        word: &[u8],
        from: u32,
        before: f32,
        sink: &mut S,
    ) -> f32 {
        self.cache.make_room();
        let WordCache { slots, tokens, weights, found, .. } = &mut *self.cache;
        let more = (text.len() - word.len()) as u32;
        let mut start = from;
        let spans = found.tokens.iter().map(|&(id, end)| {
            let end = from + more + end;
            (id, Span { start: std::mem::replace(&mut start, end), end })
        });
        spans.for_each(|(id, span)| sink.push(id, span));
        let key = (word.len() <= MAX_KEY_BYTES).then(|| key_at(word, 0, word.len()));
        let slot = key.and_then(|key| slot_of(key, 0, &found.tokens, &found.weights, found.limit));
        let is_kept = slot.is_some_and(|slot| slots.put(slot));
        if !is_kept {
            let (first, counted, mut start) = (tokens.len(), weights.len(), 0);
            tokens.extend(found.tokens.iter().map(|&(id, end)| {
                let end = more + end;
                (id, Span { start: std::mem::replace(&mut start, end), end })
            }));
            weights.extend(&found.weights);
            let entry = Entry {
                tokens: [first as u32, tokens.len() as u32],
                sums: Sums::Within { limit: found.limit, weights: [counted as u32, weights.len() as u32] },
            };
            self.cache.put(text, hash, entry);
        }
        self.cache.found.weights.iter().fold(before, |sum, weight| sum + weight)
    }

    /// Runs the stages over a word and remembers it.
    fn record(&mut self, unigram: &Unigram, text: &str, hash: u32) -> Result<Entry, EncodeError> {
        self.cache.make_room();
        let WordCache { slots, tokens, weights, scratch, .. } = &mut *self.cache;
        let (first, counted) = (tokens.len(), weights.len());
        let mut seen = AnySum { unigram, scratch, tokens, weights, limit: f32::MAX };
        self.run.of_part(Some(&self.path.inside)).over(text, 0, &mut seen)?;
        let limit = seen.limit;
        let entry = Entry {
            tokens: [first as u32, tokens.len() as u32],
            sums: Sums::Within { limit, weights: [counted as u32, weights.len() as u32] },
        };
        // A plain word could be taken for a part of another one.
        let is_plain = self.path.plain.as_ref().is_some_and(|plain| plain.has(text));
        if !is_plain && let Some(slot) = slot(text, &tokens[first..], &weights[counted..], limit) {
            slots.put(slot);
        }
        self.cache.put(text, hash, entry);
        Ok(entry)
    }
}

/// The slot of a word, if it fits into one.
fn slot(text: &str, tokens: &[(Id, Span)], weights: &[f32], limit: f32) -> Option<Slot> {
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
fn slot_of(key: Key, from: u32, tokens: &[(Id, u32)], weights: &[f32], limit: f32) -> Option<Slot> {
    if tokens.len() > INLINE || tokens.len() != weights.len() {
        return None;
    }
    let mut slot = Slot { key, limit, count: tokens.len() as u8, ..EMPTY };
    for (at, (&(id, end), &weight)) in tokens.iter().zip(weights).enumerate() {
        (slot.ids[at], slot.ends[at], slot.weights[at]) = (id, (end - from) as u8, weight);
    }
    Some(slot)
}

/// Encodes a word from the sum before it.
struct Miss<'a> {
    unigram: &'a Unigram,
    scratch: &'a mut WordScratch,
    tokens: Vec<(Id, Span)>,
    sum: f32,
    begins: bool,
}

impl<'a> Miss<'a> {
    fn new(unigram: &'a Unigram, sum: f32, scratch: &'a mut WordScratch) -> Self {
        Self { unigram, scratch, tokens: vec![], sum, begins: false }
    }
}

impl Observe for Miss<'_> {
    fn pretoken(&mut self, pretoken: &Part<'_>) -> Result<(), EncodeError> {
        let Self { unigram, scratch, tokens, .. } = self;
        self.begins = true;
        let push = |id, range| tokens.push((id, pretoken.span(range)));
        self.sum = unigram.encode_after(pretoken.text(), self.sum, scratch, push);
        Ok(())
    }
}

/// Encodes a word for any sum before it, as far as that is possible.
struct AnySum<'a> {
    unigram: &'a Unigram,
    scratch: &'a mut WordScratch,
    tokens: &'a mut Vec<(Id, Span)>,
    weights: &'a mut Vec<f32>,
    limit: f32,
}

impl Observe for AnySum<'_> {
    fn pretoken(&mut self, pretoken: &Part<'_>) -> Result<(), EncodeError> {
        let Self { unigram, scratch, tokens, weights, .. } = self;
        let push = |id, range| tokens.push((id, pretoken.span(range)));
        let Word { limit } = unigram.encode_word(pretoken.text(), scratch, weights, push);
        self.limit = limit;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::added_tokens::{AddedToken, Specials};
    use crate::fast::FastPath;
    use crate::formats::definition::{Definition, ModelDefinition};
    use crate::formats::sentencepiece::{Message, SentencePieceModel, numbers};
    use crate::split_points::SplitPoints;
    use crate::testing::{Random, stages};
    use crate::tokenizer::EncodeOptions;
    use crate::vocab::{Kind, Vocab};

    /// Words, and what a charsmap, marks, white space and unknown characters do between them.
    const PARTS: &[&str] = &[
        "a",
        "b",
        "é",
        "ab",
        " a",
        " ab",
        " a",
        " b",
        " aab",
        " ",
        "  ",
        "   ",
        "\n",
        "\t",
        "▁",
        "▁a",
        " x",
        "x",
        "日本 ",
        "q",
        " q",
        "u s",
        " u",
        "<|end|>",
        " <|end|> ",
        "e\u{301}",
        "\u{3000}",
        " aaaaaaaaaaaaaaaaaaaab",
        " abababababababab",
        "h ",
        "''",
        ".",
        " .",
        "a.",
        "(a.b)",
        "((",
        "。",
        "。\n",
        "」\n「",
        "\n\u{3000}",
        "\n\u{3000}a",
        " \u{3000}\u{3000}",
        "か",
        "か\u{3099}",
        "…",
        "！",
        "（a",
        "qzq",
        "a日本qq",
        " ababababababababababababababababababababababababababababababababababababababababab",
    ];

    /// White space, characters that become others, and letters that do with a mark behind them.
    const RULES: &[(&str, &str)] = &[
        ("\n", " "),
        ("\t", " "),
        ("\u{3000}", " "),
        ("…", "..."),
        ("！", "!"),
        ("（", "("),
        ("か\u{3099}", "が"),
        ("e\u{301}", "é"),
        ("u", ""),
    ];

    fn definition(random: &mut Random) -> Definition {
        let mut pieces = vec![("?".to_owned(), 0.0, Kind::Unknown), ("▁".to_owned(), -30.0, Kind::Normal)];
        for _ in 0..random.below(20) {
            let mark = *random.pick(&["", "", "▁", "▁▁"]);
            let rest: String =
                (0..1 + random.below(3)).map(|_| *random.pick(&["a", "b", "é", "b", "u", ".", "("])).collect();
            // Sums that differ by less than what far sums are rounded by.
            let score = -(random.below(60) as f32) - random.below(8) as f32 / 1024.0;
            let kind = *random.pick(&[Kind::Normal, Kind::Normal, Kind::Normal, Kind::Normal, Kind::UserDefined]);
            let piece = format!("{mark}{rest}");
            if pieces.iter().all(|known| known.0 != piece) {
                pieces.push((piece, score, kind));
            }
        }
        definition_of(random, pieces)
    }

    /// A `.model` of these pieces and any settings.
    fn definition_of(random: &mut Random, mut pieces: Vec<(String, f32, Kind)>) -> Definition {
        let byte_fallback = random.below(3) == 0;
        let bytes = (0..=255u8).filter(|_| byte_fallback).map(|byte| (format!("<0x{byte:02X}>"), 0.0, Kind::Byte));
        pieces.extend(bytes);
        let mut model = SentencePieceModel { vocab: Vocab::default(), ..SentencePieceModel::default() };
        for (id, (piece, score, kind)) in pieces.iter().enumerate() {
            model.vocab.insert(id as Id, piece.as_bytes()).expect("ids differ");
            model.scores.push(*score);
            model.kinds.push(*kind);
        }
        model.trainer = Some(Message::default().with_number(numbers::BYTE_FALLBACK, byte_fallback.into()));
        let spec = Message::default().with_number(numbers::REMOVE_EXTRA_WHITESPACES, random.below(2) as u64);
        let spec = spec.with_number(numbers::ADD_DUMMY_PREFIX, random.below(2) as u64);
        model.normalizer = Some(match random.below(4) {
            0 => spec,
            1 => spec.with_bytes(numbers::CHARSMAP, &stages::charsmap_bytes()),
            _ => spec.with_bytes(numbers::CHARSMAP, &stages::charsmap_of_rules(RULES)),
        });
        let mut definition = Definition::new(ModelDefinition::SentencePiece(Box::new(model)));
        let greedy = random.below(2) == 0;
        let end = AddedToken { lstrip: greedy, rstrip: greedy, ..AddedToken::special("<|end|>", 600) };
        definition.added_tokens.push(end);
        definition
    }

    #[test]
    fn words_have_the_tokens_of_the_stages() {
        let mut random = Random::new(17);
        let mut quick = 0;
        for round in 0..40 {
            let definition = definition(&mut random);
            let fast = definition.clone().build("fast").expect("a model");
            let stages = definition.build_without_fast_path("stages").expect("a model");
            quick += usize::from(matches!(fast.parts().fast, Some(FastPath::UnigramByWords(_))));
            assert!(!SplitPoints::new(&fast, Specials::Text).exist());
            // The long ones are so long that sums are made 0 again.
            for len in [0, 1, 2, 3, 5, 9, 50, 200, 9, 3, if round % 8 == 0 { 6000 } else { 20 }] {
                let text: String = (0..len).map(|_| *random.pick(PARTS)).collect();
                for specials in [Specials::Text, Specials::Parse] {
                    let options = EncodeOptions { specials, ..EncodeOptions::default() };
                    let theirs = stages.encode(&text, None, options);
                    // Words for which the sum decides are remembered the second time and known the third.
                    for time in 0..3 {
                        let ours = fast.encode(&text, None, options);
                        assert!(
                            ours == theirs,
                            "round {round}, time {time}: {:?}: {ours:?} instead of {theirs:?}",
                            text.chars().take(200).collect::<String>()
                        );
                    }
                }
            }
        }
        assert!(quick > 20, "{quick}");
    }

    #[test]
    fn words_that_a_sum_decides_are_remembered_with_it() {
        // A word of which no part is clear, since two ways score the same, and is longer than words that any sum may be before.
        let pieces = [("▁", -2.0), ("a", -1.0), ("aa", -2.0), ("x", -1.0), ("▁x", -3.5)];
        let pieces = pieces.map(|(piece, score)| (piece.to_owned(), score, Kind::Normal));
        let unknown = ("?".to_owned(), 0.0, Kind::Unknown);
        let definition = definition_of(&mut Random::new(3), [unknown].into_iter().chain(pieces).collect());
        let fast = definition.clone().build("fast").expect("a model");
        let stages = definition.build_without_fast_path("stages").expect("a model");
        let parts = fast.parts();
        let Some(FastPath::UnigramByWords(path)) = &parts.fast else { panic!("its text falls into words") };
        let word = format!(" {}", "a".repeat(2 * MAX_BYTES));
        let text = format!("x{word} x{word}");
        let ids = stages.encode_ids(&text, Specials::Parse).expect("nothing is refused");
        let mut cache = WordCache::default();
        for remembered in [0, 2, 2] {
            let run = parts.stages.run(&parts.added, Specials::Parse);
            let (mut found, mut job) = (vec![], Job { path, stages: &parts.stages, run, cache: &mut cache });
            job.encode(&text, 0, Start::OfText, &mut found).expect("nothing is refused");
            assert_eq!(found, ids);
            let exact = cache.entries.iter().filter(|entry| matches!(entry.sums, Sums::Exactly { .. }));
            assert_eq!(exact.count(), remembered);
        }
    }

    #[test]
    fn a_space_in_a_token_is_no_mark() {
        let pieces = [("▁", -2.0), ("▁▁", -3.0), ("a", -2.5), (" a", -0.5), (" ", -0.1), ("b", -1.0), ("▁b", -1.5)];
        let pieces = pieces.map(|(piece, score)| (piece.to_owned(), score, Kind::Normal));
        let unknown = ("?".to_owned(), 0.0, Kind::Unknown);
        let mut random = Random::new(2);
        for _ in 0..16 {
            let definition = definition_of(&mut random, [unknown.clone()].into_iter().chain(pieces.clone()).collect());
            let fast = definition.clone().build("fast").expect("a model");
            let stages = definition.build_without_fast_path("stages").expect("a model");
            for text in ["b  a", "b  ", "a  a b", " a", "b   a a  b"] {
                let ids = |tokenizer: &crate::tokenizer::Tokenizer| tokenizer.encode_ids(text, Specials::Parse);
                assert_eq!(ids(&fast), ids(&stages), "{text:?}");
            }
        }
    }

    #[test]
    fn a_mark_may_join_a_letter_behind_a_symbol_with_the_symbol() {
        let pieces = [("▁", -2.0), ("(", -1.0), ("e", -1.0), ("é", -1.0), ("(é", -0.5), ("x", -1.0)];
        let mut model = SentencePieceModel { vocab: Vocab::default(), ..SentencePieceModel::default() };
        let unknown = ("?", 0.0, Kind::Unknown);
        let pieces = [unknown].into_iter().chain(pieces.map(|(piece, score)| (piece, score, Kind::Normal)));
        for (id, (piece, score, kind)) in (0..).zip(pieces) {
            model.vocab.insert(id, piece.as_bytes()).expect("ids differ");
            model.scores.push(score);
            model.kinds.push(kind);
        }
        let rule = stages::charsmap_of_rule("e\u{301}".as_bytes(), "é");
        model.normalizer = Some(Message::default().with_bytes(numbers::CHARSMAP, &rule));
        let definition = Definition::new(ModelDefinition::SentencePiece(Box::new(model)));
        let fast = definition.clone().build("fast").expect("a model");
        assert!(matches!(fast.parts().fast, Some(FastPath::UnigramByWords(_))));
        let stages = definition.build_without_fast_path("stages").expect("a model");
        for text in ["x x(e\u{301}", "x x(ex", "x x(é", "x x(e", &format!("x{}(e\u{301}x", " x".repeat(31))] {
            let ids = |tokenizer: &crate::tokenizer::Tokenizer| tokenizer.encode_ids(text, Specials::Parse);
            assert_eq!(ids(&fast), ids(&stages), "{text:?}");
            assert_eq!(ids(&fast), ids(&stages), "{text:?} again");
        }
    }

    #[test]
    fn memory_is_bounded_and_what_is_forgotten_is_found_anew() {
        let definition = definition(&mut Random::new(4));
        let fast = definition.clone().build("fast").expect("a model");
        let stages = definition.build_without_fast_path("stages").expect("a model");
        let text: String = (0..70_000).map(|n| format!("ab{n} ")).collect();
        for text in [&text, &text[..text.len() / 2]] {
            let ids = |tokenizer: &crate::tokenizer::Tokenizer| tokenizer.encode_ids(text, Specials::Parse);
            assert!(ids(&fast) == ids(&stages));
        }
    }
}
