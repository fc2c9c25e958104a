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

use super::blocks::Classify;
use super::byte_level::queue::Queue;
use super::memo::{Key, MAX_KEY_BYTES, MAX_WIDE_BYTES, NO_KEY, Place, key_at, place, wide_key_at, wide_place};
use super::plain_words::{self, Marked, PlainWords};
use super::segment_memo::{Entry, MAX_BYTES, SegmentMemo};
use super::segments::{self, Masks, Processor, Segments, Work};
use crate::added_tokens::AddedTokens;
use crate::encoding::{Sink, Stage};
use crate::error::EncodeError;
use crate::ids::Id;
use crate::models::unigram::{MAX_PRETOKEN_BYTES, WordScratch};
use crate::models::{self, Model};
use crate::normalizers::Normalizer;
use crate::offsets::Span;
use crate::split_points::white_space::{LONG, WhiteSpace};
use crate::stages::{Run, Stages, Start};

/// The split points, and the stages of a segment other than the first.
#[derive(Clone, Debug)]
pub struct BySplitPoints {
    points: Arc<WhiteSpace>,
    /// Changes such a segment.
    inside: Option<Normalizer>,
    plain: Option<Box<PlainWords>>,
    masks: Masks,
    processor: Processor,
}

impl BySplitPoints {
    /// For stages with these split points.
    pub fn new(stages: &Stages, added: &AddedTokens, points: Arc<WhiteSpace>) -> Self {
        let plain = PlainWords::of(stages, added, &points).map(Box::new);
        Self {
            masks: segments::masks(&points),
            points,
            inside: stages.normalizer.as_ref().map(Normalizer::inside),
            plain,
            processor: Processor::new(),
        }
    }

    /// Whether any run of white space before a word is like the last character of it.
    fn drops_spaces(&self) -> bool {
        self.plain.as_ref().is_some_and(|plain| plain.drops_spaces)
    }
}

/// The encoding of one text.
pub(super) struct Job<'a> {
    pub path: &'a BySplitPoints,
    pub stages: &'a Stages,
    pub run: Run<'a>,
    pub scratch: &'a mut models::Scratch,
    pub words: &'a mut WordScratch,
    pub memo: &'a mut SegmentMemo,
}

/// Encodes the segments from byte `at` of a text on.
struct Walk<'a, 'b, S> {
    job: &'a mut Job<'b>,
    text: &'a str,
    base: u32,
    at: usize,
    continues: bool,
    sink: &'a mut S,
}

impl<S: Sink> Work for Walk<'_, '_, S> {
    type Output = Result<(), EncodeError>;

    #[inline(always)]
    fn on<P: Classify>(self, processor: P) -> Self::Output {
        let Self { job, text, base, at, mut continues, sink } = self;
        let points = &*job.path.points;
        let mut segments = Segments::new(processor, &job.path.masks, points, text, at);
        let mut queue = Queue::default();
        while let Some(end) = segments.fill(&mut queue) {
            queue.find_keys(text.as_bytes(), end, &job.memo.words);
            for n in 0..queue.len() {
                let ((start, end), word) = (queue.range(n), queue.key(n));
                let base = base + start as u32;
                if !job.memo.push_word(word, text.as_bytes()[start], base, continues, sink) {
                    job.unusual(&text[start..end], word, base, continues, sink)?;
                }
                continues = points.in_pretoken;
            }
        }
        Ok(())
    }
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
        if at == text.len() {
            return Ok(());
        }
        self.memo.prepare(self.path.plain.as_ref().map(|plain| u32::from(plain.drops_spaces)));
        let continues = at > 0 && points.in_pretoken;
        let path = self.path;
        path.processor.run(Walk { job: self, text, base, at, continues, sink })
    }

    /// Encodes a segment that has no line of its own in the table.
    #[inline(never)]
    fn unusual<S: Sink>(
        &mut self,
        text: &str,
        word: (Key, Place),
        base: u32,
        continues: bool,
        sink: &mut S,
    ) -> Result<(), EncodeError> {
        let points = &*self.path.points;
        let mut from = 0;
        if self.path.drops_spaces() {
            let white = text.bytes().take_while(|&byte| points.starts_at(byte)).count();
            // White space alone is left to the stages.
            from = if white < text.len() { white.saturating_sub(1) } else { 0 };
            let word = self::word(text, &(from..text.len()));
            let start = base + from as u32;
            if from > 0 && self.memo.push_word(word, text.as_bytes()[from], start, continues, sink) {
                return Ok(());
            }
        }
        let mut word = if from > 0 { self::word(text, &(from..text.len())) } else { word };
        let mut continues = continues;
        // Ends: each stretch has a byte.
        while from < text.len() {
            let rest = text.len() - from;
            let end = if points.part_stretches() && rest > LONG { points.next_stretch(text, from) } else { text.len() };
            let stretch = &text[from..end];
            if stretch.len() < text.len() {
                word = self::word(text, &(from..end));
            }
            let start = base + from as u32;
            if !self.other_word(stretch, word, start, continues, sink) {
                self.stretch(stretch, word, start, continues, sink)?;
            }
            continues = points.in_pretoken;
            from = end;
        }
        Ok(())
    }

    /// Pushes the tokens of a word that is in no line of its own, if it is known or plain.
    #[inline(never)]
    fn other_word<S: Sink>(&mut self, word: &str, key: (Key, Place), base: u32, continues: bool, sink: &mut S) -> bool {
        let bytes = word.as_bytes();
        if bytes.len() > MAX_PRETOKEN_BYTES {
            return false;
        }
        if self.memo.push_other_word(bytes, key, base, continues, sink) {
            return true;
        }
        let Some(plain) = self.path.plain.as_deref().filter(|plain| plain.has(word)) else { return false };
        if self.push_known(word, base, continues, sink) {
            return true;
        }
        let mut tokens = self.memo.take_tokens();
        let gap = u32::from(plain.drops_spaces);
        let is_encoded = self.encode_plain(plain, bytes, gap, &mut tokens);
        if is_encoded && gap > 0 && tokens[0].1 == 0 {
            // A mark that is put before the word has the span of the character after it.
            let first = gap + word[1..].chars().next().map_or(0, |c| c.len_utf8() as u32);
            let entry = self.memo.keep_after_mark(bytes, gap, first, &tokens);
            sink.looked_up(false);
            self.memo.push(entry, base, continues, sink);
        } else if is_encoded {
            self.memo.put_and_push(bytes, key, gap, &tokens, (base, continues), sink);
        }
        self.memo.give_tokens(tokens);
        is_encoded
    }

    /// Appends the tokens of a plain word, with their ends counted from byte `gap` of it on. Returns false if the stages must
    /// encode it.
    fn encode_plain(&mut self, plain: &PlainWords, word: &[u8], gap: u32, tokens: &mut Vec<(Id, u32)>) -> bool {
        for part in plain.parts(word) {
            let from = (part.start as u32).saturating_sub(gap);
            let key = (part.len() <= MAX_KEY_BYTES && part.len() < word.len()).then(|| {
                let key = plain_words::part_key(word, &part);
                (key, place(key))
            });
            if key.is_some_and(|key| self.memo.get_part(key, from, tokens)) {
                continue;
            }
            let first = tokens.len();
            let Self { stages, scratch, words, .. } = self;
            let bytes = &word[part];
            match (&stages.model, plain.symbols(bytes)) {
                (Model::Bpe(bpe), Some(symbols)) => {
                    let push = |id, end: usize| tokens.push((id, from + end as u32));
                    bpe.merge_part(symbols, &mut scratch.bpe, push);
                }
                (Model::Unigram(unigram), None) => {
                    let marked = Marked::new(bytes);
                    let push = |id, end: usize, _| tokens.push((id, end as u32));
                    if unigram.encode_part(marked.text(), words, push).is_none() {
                        return false;
                    }
                    // Counted from the start of the marked part. A mark alone ends at 0 if it is put before the word.
                    let less = marked.added as u32 + if first == 0 { gap } else { 0 };
                    tokens[first..].iter_mut().for_each(|(_, end)| *end = from + *end - less);
                }
                (model @ Model::Bpe(_), None) => {
                    let text = String::from_utf8_lossy(bytes).replace(' ', Marked::SPACE_MARK);
                    let mut found = vec![];
                    if model.encode(&text, scratch, &mut found).is_err() {
                        return false;
                    }
                    for (id, range) in found {
                        // Bytes of a character all have its span.
                        if !text.is_char_boundary(range.end) {
                            return false;
                        }
                        let marks =
                            text.as_bytes()[..range.end].windows(3).filter(|&three| three == MARK_BYTES).count();
                        tokens.push((id, from + (range.end - marks * (MARK_BYTES.len() - 1)) as u32));
                    }
                }
                _ => return false,
            }
            // A mark alone that is put before the word is no part with an end.
            if let Some(key) = key
                && !(gap > 0 && first == 0 && tokens[0].1 == 0)
            {
                self.memo.put_part(key, from, &tokens[first..]);
            }
        }
        true
    }

    /// Encodes a stretch that is no known word, not the first of a text. If it `continues`, its first token extends the last
    /// pretoken before it.
    #[inline(never)]
    fn stretch<S: Sink>(
        &mut self,
        stretch: &str,
        word: (Key, Place),
        base: u32,
        continues: bool,
        sink: &mut S,
    ) -> Result<(), EncodeError> {
        let points = &*self.path.points;
        let word = self.remembered(stretch, word);
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

    /// The key of a segment, if the tokens that the stages make of it may go into the table. A plain word could be a part of
    /// another one there.
    fn remembered(&self, text: &str, word: (Key, Place)) -> Option<(Key, Place)> {
        let is_plain = || self.path.plain.as_ref().is_some_and(|plain| plain.has(text));
        Some(word).filter(|word| word.0 != NO_KEY && !is_plain())
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
            let segment = &stretch[range.clone()];
            let is_known = self.memo.push_word(word, stretch.as_bytes()[range.start], base, continues, sink)
                || self.other_word(segment, word, base, continues, sink)
                || self.push_known(segment, base, continues, sink);
            if !is_known {
                self.segment(segment, self.remembered(segment, word), base, continues, sink)?;
            }
            continues = points.in_pretoken;
        }
        Ok(())
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
        let Self { path, stages, run, scratch, memo, .. } = self;
        let mut recorder = memo.recorder();
        run.of_part(path.inside.as_ref()).encode(&stages.model, text, 0, scratch, &mut recorder)?;
        Ok(memo.keep(text.as_bytes(), word, recorder))
    }
}

const MARK_BYTES: &[u8] = Marked::SPACE_MARK.as_bytes();

/// The key of a segment, and its place, as [`Queue::find_keys`] finds them.
#[inline(always)]
fn word(text: &str, range: &Range<usize>) -> (Key, Place) {
    let (text, start) = (text.as_bytes(), range.start);
    match range.len() {
        len if len <= MAX_KEY_BYTES => {
            let key = key_at(text, start, len);
            (key, place(key))
        }
        len if len <= MAX_WIDE_BYTES => (NO_KEY, wide_place(wide_key_at(text, start, len))),
        _ => (NO_KEY, place(NO_KEY)),
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
