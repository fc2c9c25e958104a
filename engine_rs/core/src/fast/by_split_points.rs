//! Any stages with split points ([`crate::split_points`]): the text falls into segments, and the tokens of those seen before
//! are remembered.
//!
//! A text is mostly words seen before. The tokens of a segment are kept under its bytes in the original text, with spans
//! counted from its start, so that finding them costs one look-up ([`super::segment_memo`]). The first segment of a text,
//! long ones and those with added tokens go through the stages every time.
//!
//! Text without spaces has segments of a character or a few. Those between two spaces are looked for together first, as a
//! stretch: one that comes again costs one look-up, too, and one that does not is made of the segments that are known. Since
//! few come again, one that is longer than a word is remembered the second time only.

use std::ops::Range;
use std::sync::Arc;

use super::memo::{Key, MAX_KEY_BYTES, Place, key_at, place};
use super::segment_memo::{Entry, MAX_BYTES, SegmentMemo};
use crate::encoding::{Sink, Stage};
use crate::error::EncodeError;
use crate::ids::Id;
use crate::models;
use crate::normalizers::Normalizer;
use crate::offsets::Span;
use crate::split_points::white_space::WhiteSpace;
use crate::stages::{Run, Stages, Start};

/// The split points, and the stages of a segment other than the first.
#[derive(Clone, Debug)]
pub struct BySplitPoints {
    points: Arc<WhiteSpace>,
    /// Changes such a segment.
    inside: Option<Normalizer>,
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
    pub memo: &'a mut SegmentMemo,
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
            let range = at..points.next_stretch(text, at);
            at = range.end;
            let (word, base) = (word(text, &range), base + range.start as u32);
            if !self.push_word(text, range.start, word, base, continues, sink) {
                self.stretch(&text[range], word, base, continues, sink)?;
            }
            continues = points.in_pretoken;
        }
        Ok(())
    }

    /// Encodes a stretch that is no known word, not the first of a text. If it `continues`, its first token extends the last
    /// pretoken before it.
    #[inline(never)]
    fn stretch<S: Sink>(
        &mut self,
        stretch: &str,
        word: Option<(Key, Place)>,
        base: u32,
        continues: bool,
        sink: &mut S,
    ) -> Result<(), EncodeError> {
        let points = &*self.path.points;
        let falls_apart = points.part_stretches();
        if falls_apart && word.is_none() && !(stretch.len() <= MAX_BYTES && self.memo.was_seen(stretch.as_bytes())) {
            return self.segments(stretch, base, continues, sink);
        }
        if self.push_known(stretch, base, continues, sink) {
            return Ok(());
        }
        if !falls_apart || points.next(stretch, 0) == stretch.len() {
            return self.segment(stretch, word, base, continues, sink);
        }
        let mut recorder = self.memo.recorder();
        self.segments(stretch, 0, false, &mut recorder).map_err(|error| error.moved(base as usize))?;
        if let Some(entry) = self.memo.keep(stretch.as_bytes(), word, recorder) {
            sink.looked_up(false);
            self.memo.push(entry, base, continues, sink);
            return Ok(());
        }
        self.segments(stretch, base, continues, sink)
    }

    /// Encodes the segments of a stretch, as [`Self::stretch`].
    fn segments<S: Sink>(
        &mut self,
        stretch: &str,
        base: u32,
        mut continues: bool,
        sink: &mut S,
    ) -> Result<(), EncodeError> {
        let points = &*self.path.points;
        let mut at = 0;
        while at < stretch.len() {
            let range = at..points.next(stretch, at);
            at = range.end;
            let (word, base) = (word(stretch, &range), base + range.start as u32);
            let is_known = self.push_word(stretch, range.start, word, base, continues, sink)
                || self.push_known(&stretch[range.clone()], base, continues, sink);
            if !is_known {
                self.segment(&stretch[range], word, base, continues, sink)?;
            }
            continues = points.in_pretoken;
        }
        Ok(())
    }

    /// Pushes the tokens of the word at byte `at`, if it is one and the table has it.
    #[inline(always)]
    fn push_word<S: Sink>(
        &self,
        text: &str,
        at: usize,
        word: Option<(Key, Place)>,
        base: u32,
        continues: bool,
        sink: &mut S,
    ) -> bool {
        let Some((key, place)) = word else { return false };
        let Some(tokens) = self.memo.word(key, place) else { return false };
        sink.looked_up(true);
        if !continues {
            sink.begin_pretoken();
        }
        self.memo.push_word(tokens, text.as_bytes()[at], base, sink);
        true
    }

    /// Pushes the tokens of a stretch or segment if it was seen before.
    #[inline(never)]
    fn push_known<S: Sink>(&self, text: &str, base: u32, continues: bool, sink: &mut S) -> bool {
        let entry = if text.len() <= MAX_BYTES { self.memo.get(text.as_bytes()) } else { None };
        if let Some(entry) = entry {
            sink.looked_up(true);
            self.memo.push(entry, base, continues, sink);
        }
        entry.is_some()
    }

    /// Encodes a segment that was not seen before, as [`Self::stretch`].
    fn segment<S: Sink>(
        &mut self,
        text: &str,
        word: Option<(Key, Place)>,
        base: u32,
        continues: bool,
        sink: &mut S,
    ) -> Result<(), EncodeError> {
        if text.len() <= MAX_BYTES {
            sink.looked_up(false);
            if let Some(entry) = self.record(text, word).map_err(|error| error.moved(base as usize))? {
                self.memo.push(entry, base, continues, sink);
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
    fn record(&mut self, text: &str, word: Option<(Key, Place)>) -> Result<Option<Entry>, EncodeError> {
        let Self { path, stages, run, scratch, memo } = self;
        let mut recorder = memo.recorder();
        run.of_part(path.inside.as_ref()).encode(&stages.model, text, 0, scratch, &mut recorder)?;
        Ok(memo.keep(text.as_bytes(), word, recorder))
    }
}

/// The key of a segment that is short enough to have one, and its place.
#[inline(always)]
fn word(text: &str, range: &Range<usize>) -> Option<(Key, Place)> {
    (range.len() <= MAX_KEY_BYTES).then(|| {
        let key = key_at(text.as_bytes(), range.start, range.len());
        (key, place(key))
    })
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
