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

mod cache;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

pub use self::cache::WordCache;
use self::cache::{EMPTY, Entry, Found, INLINE, MOST_BYTES, SLOTS, Slots, Sums, shifted, slot, slot_of};
use crate::added_tokens::AddedTokens;
use crate::alignment::{AlignedText, Part};
use crate::encoding::{Few, KnownWords, Sink, Stage};
use crate::error::EncodeError;
use crate::fast::memo::{Key, MAX_KEY_BYTES, NO_KEY, Place, key_at};
use crate::fast::plain_words::{PlainWords, SHORT, join_unknown, part_key, with_mark};
use crate::fast::processor::Processor;
use crate::fast::queue::Queue;
use crate::fast::segments::{self, EachSegment, Masks, Walk};
use crate::fast::texts;
use crate::ids::Id;
use crate::models::Model;
use crate::models::space_mark::MARK;
use crate::models::unigram::{Unigram, Word, WordScratch};
use crate::normalizers::Normalizer;
use crate::offsets::Span;
use crate::split_points::normalizer::goes_on;
use crate::split_points::white_space::{WIDE_SPACE, WhiteSpace};
use crate::stages::{Observe, Run, Stages, Start};

/// Longer words are encoded from the sum before them, if they are not plain: paragraphs are beyond their limits soon.
const MAX_BYTES: usize = 1024;

/// Where texts are split, and how words other than the first are normalized.
#[derive(Clone, Debug)]
pub struct UnigramByWords {
    white_space: Arc<WhiteSpace>,
    inside: Normalizer,
    plain: Option<Box<PlainWords>>,
    /// Whether a run of spaces and line ends before a word is one mark, as one space is, whatever the word is.
    runs_are_marks: bool,
    /// Whether one with a [`WIDE_SPACE`] at its end is.
    wide_runs_are_marks: bool,
    masks: Masks,
    processor: Processor,
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
        let normalizer = stages.normalizer.as_ref();
        let runs_are_marks = are_marks("") && !goes_on(normalizer, '\n');
        let wide_runs_are_marks =
            runs_are_marks && are_marks(&WIDE_SPACE.to_string()) && !goes_on(normalizer, WIDE_SPACE);
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

    /// How many bytes of white space are before a word that are one mark.
    fn white_space_before(&self, text: &str) -> usize {
        let run = text.bytes().take_while(|&byte| self.white_space.starts_at(byte)).count();
        match run > 0 && self.wide_runs_are_marks && text[run..].starts_with(WIDE_SPACE) {
            true => run + WIDE_SPACE.len_utf8(),
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
    fn known(&mut self, _: &[u8], queue: &Queue, segments: Range<usize>) -> usize {
        let mut known = Known { slots: &self.job.cache.slots, queue, base: self.base, sum: self.sum };
        let to = self.sink.push_known(segments, &mut known);
        self.sum = known.sum;
        to
    }

    #[inline(always)]
    fn segment(
        &mut self,
        text: &str,
        (start, end): (usize, usize),
        (key, _): (Key, Place),
        number: u32,
    ) -> Result<(), EncodeError> {
        let from = self.base + start as u32;
        let word = &text[start..end];
        let hash = if key == NO_KEY { number } else { texts::hash(word.as_bytes()) };
        self.sum = self.job.word(self.unigram, (word, hash), from, self.sum, self.sink)?;
        Ok(())
    }
}

/// The queued words that stand in a slot, and for which the sum before them decides nothing.
struct Known<'a> {
    slots: &'a Slots,
    queue: &'a Queue,
    base: u32,
    /// Of scores, before the next word.
    sum: f32,
}

impl KnownWords<INLINE> for Known<'_> {
    #[inline(always)]
    fn find(&mut self, n: usize) -> Option<Few<INLINE>> {
        let (key, place) = self.queue.key(n);
        let [own, neighbour] = self.slots.both(place);
        let slot = if own.key == key { own } else { neighbour };
        (slot.key == key && self.sum.abs() <= slot.limit).then(|| {
            self.sum = slot.sum_after(self.sum);
            slot.few(0, self.base + self.queue.range(n).0 as u32)
        })
    }
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
        let hash_after = hash ^ before.to_bits().wrapping_mul(0x9e37_79b1);
        let known = self.cache.get(text, hash);
        let mut after = known.and_then(|entry| self.cache.push(entry, from, before, sink));
        // Of a short word, which is mostly known for any sum, there is an entry that says if it is not.
        if after.is_none() && (known.is_some() || text.len() > SHORT) {
            let known_after = self.cache.get(text, hash_after);
            after = known_after.and_then(|entry| self.cache.push(entry, from, before, sink));
        }
        sink.looked_up(after.is_some());
        if let Some(after) = after {
            return Ok(after);
        }
        if let Some(after) = self.encode_plain(unigram, word, before) {
            if known.is_none() && text.len() <= SHORT && before.abs() > self.cache.found.limit {
                self.cache.put_unclear(text, hash);
            }
            self.push_found((text, hash), (word, hash_after), from, (before, after), sink);
            return Ok(after);
        }
        if known.is_none() && text.len() <= MAX_BYTES {
            let entry = self.record(unigram, text, hash).map_err(|error| error.moved(from as usize))?;
            if let Some(after) = self.cache.push(entry, from, before, sink) {
                return Ok(after);
            }
        }
        self.word_after(unigram, (text, hash_after), from, before, sink)
    }

    /// Encodes a word for which the sum before it decides, and returns the sum after it.
    fn word_after<S: Sink>(
        &mut self,
        unigram: &Unigram,
        (text, hash_after): (&str, u32),
        from: u32,
        before: f32,
        sink: &mut S,
    ) -> Result<f32, EncodeError> {
        let mut word = Miss::new(unigram, before, &mut self.cache.scratch);
        let run = self.run.of_part(Some(&self.path.inside)).over(text, 0, &mut word);
        run.map_err(|error| error.moved(from as usize))?;
        let Miss { tokens, sum: after, .. } = word;
        tokens.iter().for_each(|&(id, span)| sink.push(id, shifted(span, from)));
        self.cache.put_after((text, hash_after), tokens.into_iter(), before, after);
        Ok(after)
    }

    /// Leaves the tokens of a plain word in `found` and returns the sum after it; `None` if the stages must encode it.
    fn encode_plain(&mut self, unigram: &Unigram, word: &[u8], before: f32) -> Option<f32> {
        let plain = self.path.plain.as_deref()?;
        let original = std::str::from_utf8(word).ok()?;
        let normalizer = self.stages.normalizer.as_ref();
        let word = plain.normalized(original, normalizer)?;
        let WordCache { slots, scratch, found: Found { tokens, weights, limit }, .. } = &mut *self.cache;
        tokens.clear();
        weights.clear();
        *limit = f32::MAX;
        let mut after = before;
        // The sum of the parts before, counted from the start of the word, and the largest of these sums.
        let (mut sum, mut farthest) = (0.0_f64, 0.0_f64);
        let is_unknown = |&(id, _): &(Id, u32)| Some(id) == plain.unknown;
        let mut has_unknown = false;
        for part in plain.parts(word.as_bytes()) {
            let from = part.start as u32;
            let key =
                (part.len() <= MAX_KEY_BYTES && part.len() < word.len()).then(|| part_key(word.as_bytes(), &part));
            let (first, counted) = (tokens.len(), weights.len());
            let reach = if let Some(slot) = key.and_then(|key| slots.get(key)) {
                let count = usize::from(slot.count);
                tokens.extend(slot.ids.iter().zip(slot.ends).take(count).map(|(&id, end)| (id, from + u32::from(end))));
                weights.extend(&slot.weights[..count]);
                slot.limit
            } else {
                let reach = with_mark(&word[part.clone()], |marked, added| {
                    unigram.encode_part(marked, scratch, |id, end, weight| {
                        tokens.push((id, from + (end - added) as u32));
                        weights.push(weight);
                    })
                })?;
                // Unknown neighbours become one token in a word.
                let unknown = tokens[first..].iter().filter(|token| is_unknown(token)).count();
                if let Some(key) = key.filter(|_| unknown < 2)
                    && let Some(slot) = slot_of(key, from, &tokens[first..], &weights[counted..], reach)
                {
                    slots.put(slot);
                }
                reach
            };
            if after.abs() <= reach {
                after = weights[counted..].iter().fold(after, |sum, weight| sum + weight);
            } else {
                tokens.truncate(first);
                after = with_mark(&word[part], |marked, added| {
                    unigram.encode_after(marked, after, scratch, |id, range| {
                        tokens.push((id, from + (range.end - added) as u32));
                    })
                });
            }
            has_unknown |= tokens[first..].iter().any(is_unknown);
            // 32-bit sums are wrong by less than a thousandth of the largest.
            *limit = limit.min((0.999 * f64::from(reach) - 1.001 * farthest) as f32);
            sum += weights[counted..].iter().map(|&weight| f64::from(weight)).sum::<f64>();
            farthest = farthest.max(sum.abs());
        }
        if let Some(unknown) = plain.unknown.filter(|_| has_unknown) {
            join_unknown(tokens, unknown);
        }
        let space = usize::from(original.starts_with(' '));
        let is_counted =
            matches!(word, Cow::Borrowed(_)) || plain.count_in_word(tokens, space, &original[space..], normalizer);
        is_counted.then_some(after)
    }

    /// Remembers what was found of a plain word, and pushes it for a text that is the word after any white space.
    fn push_found<S: Sink>(
        &mut self,
        (text, hash): (&str, u32),
        (word, hash_after): (&[u8], u32),
        from: u32,
        (before, after): (f32, f32),
        sink: &mut S,
    ) {
        let found = std::mem::take(&mut self.cache.found);
        let more = (text.len() - word.len()) as u32;
        let spans = found.tokens.iter().scan(0, |start, &(id, end)| {
            let end = more + end;
            Some((id, Span { start: std::mem::replace(start, end), end }))
        });
        spans.clone().for_each(|(id, span)| sink.push(id, shifted(span, from)));
        let is_clear = before.abs() <= found.limit;
        if is_clear && !self.cache.put_slot(word, &found) && text.len() <= MOST_BYTES {
            self.cache.make_room();
            let WordCache { tokens, weights, .. } = &mut *self.cache;
            let (first, counted) = (tokens.len(), weights.len());
            tokens.extend(spans);
            weights.extend(&found.weights);
            let entry = Entry {
                tokens: [first as u32, tokens.len() as u32],
                sums: Sums::Within { limit: found.limit, weights: [counted as u32, weights.len() as u32] },
            };
            self.cache.put(text, hash, entry);
        } else if !is_clear {
            self.cache.put_after((text, hash_after), spans, before, after);
        }
        self.cache.found = found;
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
mod tests;
