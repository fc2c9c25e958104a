//! Any stages with split points ([`crate::split_points`]): the text falls into segments, and the tokens of those seen before
//! are remembered.
//!
//! A text is mostly words seen before. The tokens of a segment are kept under its bytes in the original text, with spans
//! counted from its start, so that finding them costs one look-up. The first segment of a text, long ones and those with
//! added tokens go through the stages every time.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::encoding::{Sink, Stage};
use crate::error::EncodeError;
use crate::fast::memo::{Key, MAX_KEY_BYTES, Place, Table, key_at, place};
use crate::ids::Id;
use crate::memory::HeapBytes;
use crate::models;
use crate::normalizers::Normalizer;
use crate::offsets::Span;
use crate::split_points::white_space::WhiteSpace;
use crate::stages::{Run, Stages, Start};

/// Longer segments are not remembered. A text without spaces, such as Japanese, has segments of whole sentences.
const MAX_BYTES: usize = 4096;
/// When as many segments, tokens or bytes are remembered, all are forgotten: memory is bounded.
const MAX_SEGMENTS: usize = 1 << 16;
const MAX_TOKENS: usize = 1 << 19;
const MAX_TEXT_BYTES: usize = 4 << 20;
/// Stands for a pretoken without tokens.
const NO_TOKEN: Id = Id::MAX;

/// The split points, and the stages of a segment other than the first.
#[derive(Clone, Debug)]
pub struct BySplitPoints {
    points: Arc<WhiteSpace>,
    /// Changes such a segment.
    inside: Option<Normalizer>,
}

/// Segments seen before, by their bytes.
#[derive(Default)]
pub struct SegmentCache {
    /// Short segments whose tokens leave no gaps behind [`Self::gap`] and are one pretoken: most words. They are in `places`
    /// too, since here a segment may take the place of another one.
    words: Table,
    /// How many bytes before the first token belong to none where a segment starts with a space: 1 if the pretokenizer
    /// drops the space. The first word that starts so decides; words with another gap are not in `words`.
    gap_after_space: Option<u32>,
    places: FxHashMap<Box<[u8]>, (u32, u32)>,
    tokens: Vec<Recorded>,
    /// How the text spells tokens that need not be spelled so in the vocabulary.
    spellings: Vec<Box<str>>,
    /// Bytes of all segments and spellings.
    text_bytes: usize,
}

impl HeapBytes for SegmentCache {
    fn heap_bytes(&self) -> usize {
        self.words.heap_bytes()
            + self.places.heap_bytes()
            + self.tokens.heap_bytes()
            + self.spellings.heap_bytes()
            + self.text_bytes
    }
}

/// A token of a segment.
#[derive(Clone, Copy, Debug)]
struct Recorded {
    /// The token, or [`NO_TOKEN`].
    id: Id,
    /// Where it starts and ends in the segment.
    start: u16,
    end: u16,
    /// How many pretokens begin before it since the last token.
    begins: u32,
    /// Its spelling counted from 1, where it has one of its own; 0 where not.
    spelling: u32,
}

/// Records what is pushed into it.
struct Recorder<'a> {
    cache: &'a mut SegmentCache,
    begins: u32,
    spelling: u32,
    /// Whether all of it could be recorded.
    is_whole: bool,
}

impl Sink for Recorder<'_> {
    fn begin_pretoken(&mut self) {
        self.begins += 1;
    }

    fn push(&mut self, id: Id, span: Span) {
        let Span { start, end } = span;
        let begins = std::mem::take(&mut self.begins);
        let spelling = std::mem::take(&mut self.spelling);
        self.cache.tokens.push(Recorded { id, start: start as u16, end: end as u16, begins, spelling });
    }

    fn spelling(&mut self, text: &str) {
        self.cache.spellings.push(text.into());
        self.spelling = self.cache.spellings.len() as u32;
    }

    fn push_added(&mut self, _: Id, _: Span, _: bool) {
        self.is_whole = false;
    }
}

impl BySplitPoints {
    /// For stages with these split points.
    pub fn new(stages: &Stages, points: Arc<WhiteSpace>) -> Self {
        Self { points, inside: stages.normalizer.as_ref().map(Normalizer::inside) }
    }
}

/// The encoding of one text.
pub(super) struct Job<'a> {
    pub path: &'a BySplitPoints,
    pub stages: &'a Stages,
    pub run: Run<'a>,
    pub scratch: &'a mut models::Scratch,
    pub cache: &'a mut SegmentCache,
}

impl Job<'_> {
    /// Pushes the tokens of `text`, in which no added token is spelled as it is looked for in the original text. Its first
    /// byte is byte `base` of that text.
    ///
    /// Errors: as [`Stages::encode`].
    pub fn encode<S: Sink>(&mut self, text: &str, base: u32, start: Start, sink: &mut S) -> Result<(), EncodeError> {
        sink.enter(Stage::Model);
        let points = &*self.path.points;
        let mut at = 0;
        if start == Start::OfText {
            at = points.next(text, 0);
            self.run.of_part(self.stages.normalizer.as_ref()).encode(
                &self.stages.model,
                &text[..at],
                base as usize,
                self.scratch,
                sink,
            )?;
        }
        let mut continues = at > 0 && points.in_pretoken;
        while at < text.len() {
            let end = points.next(text, at);
            self.segment(text, at..end, base + at as u32, continues, sink)?;
            continues = points.in_pretoken;
            at = end;
        }
        Ok(())
    }

    /// Encodes a segment other than the first. If it `continues`, its first token extends the last pretoken of the segment
    /// before.
    fn segment<S: Sink>(
        &mut self,
        text: &str,
        range: Range<usize>,
        base: u32,
        continues: bool,
        sink: &mut S,
    ) -> Result<(), EncodeError> {
        let mut word = None;
        if range.len() <= MAX_KEY_BYTES {
            let key = key_at(text.as_bytes(), range.start, range.len());
            let place = place(key);
            if let Some(tokens) = self.cache.words.get(key, place) {
                sink.looked_up(true);
                if !continues {
                    sink.begin_pretoken();
                }
                let from = base + self.cache.gap(text.as_bytes()[range.start]);
                if !tokens.push_inline(from as usize, sink) {
                    let mut start = from;
                    for &(id, end) in self.cache.words.many(tokens) {
                        let end = from + end;
                        sink.push(id, Span { start, end });
                        start = end;
                    }
                }
                return Ok(());
            }
            word = Some((key, place));
        }
        let text = &text[range];
        if text.len() <= MAX_BYTES {
            let known = self.cache.places.get(text.as_bytes()).copied();
            sink.looked_up(known.is_some());
            if let Some((first, last)) = known {
                self.cache.push(first as usize..last as usize, base, continues, sink);
                return Ok(());
            }
            if let Some((first, last)) = self.record(text).map_err(|error| error.moved(base as usize))? {
                self.cache.put_word(word, first as usize..last as usize, text.as_bytes());
                self.cache.push(first as usize..last as usize, base, continues, sink);
                return Ok(());
            }
        }
        let inside = self.path.inside.as_ref();
        self.run.of_part(inside).encode(
            &self.stages.model,
            text,
            base as usize,
            self.scratch,
            &mut Continued { sink, continues },
        )
    }

    /// Runs the stages over a segment and remembers the tokens. Returns `None` if added tokens are among them.
    fn record(&mut self, text: &str) -> Result<Option<(u32, u32)>, EncodeError> {
        let Self { path, stages, run, scratch, cache } = self;
        cache.words.prepare();
        if cache.places.len() == MAX_SEGMENTS || cache.tokens.len() > MAX_TOKENS || cache.text_bytes > MAX_TEXT_BYTES {
            cache.places.clear();
            cache.tokens.clear();
            cache.spellings.clear();
            cache.text_bytes = 0;
        }
        let (first, spellings) = (cache.tokens.len(), cache.spellings.len());
        let mut recorder = Recorder { cache, begins: 0, spelling: 0, is_whole: true };
        let done = run.of_part(path.inside.as_ref()).encode(&stages.model, text, 0, scratch, &mut recorder);
        if recorder.begins > 0 {
            recorder.push(NO_TOKEN, Span::default());
        }
        if done.is_err() || !recorder.is_whole {
            cache.tokens.truncate(first);
            cache.spellings.truncate(spellings);
            return done.map(|()| None);
        }
        let place = (first as u32, cache.tokens.len() as u32);
        cache.text_bytes += text.len() + cache.spellings[spellings..].iter().map(|text| text.len()).sum::<usize>();
        cache.places.insert(text.as_bytes().into(), place);
        Ok(Some(place))
    }
}

impl SegmentCache {
    /// How many bytes before the first token of a word that starts with this byte belong to none.
    #[inline(always)]
    fn gap(&self, first: u8) -> u32 {
        if first == b' ' { self.gap_after_space.unwrap_or(0) } else { 0 }
    }

    /// Remembers the tokens of a segment as a word, if it is one.
    fn put_word(&mut self, word: Option<(Key, Place)>, tokens: Range<usize>, text: &[u8]) {
        let Some((key, place)) = word else { return };
        let tokens = &self.tokens[tokens];
        let Some(gap) = tokens.first().map(|token| token.start) else { return };
        let mut end = gap;
        let leaves_no_gap = |token: &Recorded| std::mem::replace(&mut end, token.end) == token.start;
        let is_plain = |(at, token): (usize, &Recorded)| {
            token.id != NO_TOKEN && token.spelling == 0 && token.begins == u32::from(at == 0)
        };
        if !tokens.iter().all(leaves_no_gap)
            || usize::from(end) != text.len()
            || !tokens.iter().enumerate().all(is_plain)
        {
            return;
        }
        if text[0] == b' ' {
            self.gap_after_space.get_or_insert(gap.into());
        }
        if u32::from(gap) != self.gap(text[0]) {
            return;
        }
        let mut packed = [(0, 0); MAX_KEY_BYTES];
        let Some(packed) = packed.get_mut(..tokens.len()) else { return };
        for (packed, token) in packed.iter_mut().zip(tokens) {
            *packed = (token.id, u32::from(token.end - gap));
        }
        self.words.put(key, place, packed);
    }

    #[inline]
    fn push<S: Sink>(&self, range: Range<usize>, start: u32, continues: bool, sink: &mut S) {
        let mut without = u32::from(continues);
        for token in &self.tokens[range] {
            for _ in 0..token.begins - without.min(token.begins) {
                sink.begin_pretoken();
            }
            without = without.saturating_sub(token.begins);
            if token.id == NO_TOKEN {
                continue;
            }
            if token.spelling > 0 {
                sink.spelling(&self.spellings[token.spelling as usize - 1]);
            }
            sink.push(token.id, Span { start: start + u32::from(token.start), end: start + u32::from(token.end) });
        }
    }
}

/// Leaves the first beginning of a pretoken out if the segment continues the one before.
struct Continued<'a, S> {
    sink: &'a mut S,
    continues: bool,
}

impl<S: Sink> Sink for Continued<'_, S> {
    fn begin_pretoken(&mut self) {
        if !std::mem::take(&mut self.continues) {
            self.sink.begin_pretoken();
        }
    }

    fn push(&mut self, id: Id, span: Span) {
        self.sink.push(id, span);
    }

    fn spelling(&mut self, text: &str) {
        self.sink.spelling(text);
    }

    fn push_added(&mut self, id: Id, span: Span, special: bool) {
        self.continues = false;
        self.sink.push_added(id, span, special);
    }
}
