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

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::memo::{self, Key, MAX_KEY_BYTES, MAX_WIDE_BYTES, NO_KEY, Place, key_at, place, wide_key_at, wide_place};
use super::plain_words::{self, PlainWords, join_unknown, share_spans, with_mark};
use super::processor::Processor;
use super::queue::Queue;
use super::segment_memo::{Entry, MAX_BYTES, SegmentMemo};
use super::segments::{self, EachSegment, Masks, Walk};
use super::texts;
use crate::added_tokens::AddedTokens;
use crate::call::Checks;
use crate::encoding::{Few, KnownWords, Sink, Stage};
use crate::error::EncodeError;
use crate::ids::Id;
use crate::models::unigram::WordScratch;
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
            processor: Processor::detected(),
        }
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

/// Encodes segments, the first of which `continues` the pretoken before it or does not.
struct EachWord<'a, 'b, S> {
    job: &'a mut Job<'b>,
    base: u32,
    continues: bool,
    sink: &'a mut S,
}

impl<S: Sink> EachSegment for EachWord<'_, '_, S> {
    type Table = SegmentMemo;

    #[inline(always)]
    fn table(&self) -> &SegmentMemo {
        self.job.memo
    }

    #[inline(always)]
    fn known(&mut self, text: &[u8], queue: &Queue, segments: Range<usize>) -> usize {
        let in_pretoken = self.job.path.points.in_pretoken;
        let (memo, base, continues) = (&*self.job.memo, self.base, self.continues);
        let mut known = Known { memo, text, queue, base, continues, in_pretoken };
        let to = self.sink.push_known(segments, &mut known);
        self.continues = known.continues;
        to
    }

    #[inline(always)]
    fn segment(
        &mut self,
        text: &str,
        (start, end): (usize, usize),
        key: (Key, Place),
        number: u32,
    ) -> Result<(), EncodeError> {
        let (base, first) = (self.base + start as u32, text.as_bytes()[start]);
        if !self.job.memo.push_word(key, first, base, self.continues, self.sink) {
            let word = if key.0 == NO_KEY { (NO_KEY, Place::of_number(number)) } else { key };
            self.job.unusual(&text[start..end], word, base, self.continues, self.sink)?;
        }
        self.continues = self.job.path.points.in_pretoken;
        Ok(())
    }
}

/// The queued segments that are words with up to four tokens in their own line.
struct Known<'a> {
    memo: &'a SegmentMemo,
    text: &'a [u8],
    queue: &'a Queue,
    base: u32,
    /// Whether the next one continues the pretoken before it, and whether those after that do.
    continues: bool,
    in_pretoken: bool,
}

impl KnownWords<{ memo::INLINE }> for Known<'_> {
    #[inline(always)]
    fn find(&mut self, n: usize) -> Option<Few<{ memo::INLINE }>> {
        let (start, (key, place)) = (self.queue.range(n).0, self.queue.key(n));
        let tokens = self.memo.words.get(key, place)?;
        let from = self.base + start as u32 + self.memo.gap(self.text[start]);
        let few = tokens.few(from as usize, !self.continues, false)?;
        self.continues = self.in_pretoken;
        Some(few)
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
        let each = EachWord { job: self, base, continues, sink };
        path.processor.run(Walk { masks: &path.masks, points: &path.points, text, at, each })
    }

    /// Encodes a segment that has no line of its own in the table.
    #[inline(never)]
    fn unusual<S: Sink>(
        &mut self,
        text: &str,
        mut word: (Key, Place),
        base: u32,
        mut continues: bool,
        sink: &mut S,
    ) -> Result<(), EncodeError> {
        let points = &*self.path.points;
        let mut from = 0;
        if points.drops_runs {
            let white = text.bytes().take_while(|&byte| points.starts_at(byte)).count();
            // White space alone is left to the stages.
            from = if white < text.len() { white.saturating_sub(1) } else { 0 };
            // Long ones hardly come behind both, and their memory is on its way.
            if text.len() - from <= MAX_WIDE_BYTES
                && text.as_bytes()[from] == b'\n'
                && points.is_line_end_like_space(&text[from + 1..])
            {
                return self.after_line_end(&text[from + 1..], base + from as u32, continues, sink);
            }
            if from > 0 {
                word = self::word(text, &(from..text.len()));
                if self.memo.push_word(word, text.as_bytes()[from], base + from as u32, continues, sink) {
                    return Ok(());
                }
            }
        }
        let mut checks = Checks::default();
        // Ends: each stretch has a byte.
        while from < text.len() {
            checks.step()?;
            let rest = text.len() - from;
            let end = if points.part_stretches() && rest > LONG { points.next_stretch(text, from) } else { text.len() };
            let stretch = &text[from..end];
            if stretch.len() < text.len() {
                word = self::word(text, &(from..end));
            }
            let start = base + from as u32;
            if !self.memo.push_segment(stretch.as_bytes(), word, start, continues, sink)
                && !self.plain_word(stretch, word, start, continues, sink)
            {
                self.stretch(stretch, word, start, continues, sink)?;
            }
            continues = points.in_pretoken;
            from = end;
        }
        Ok(())
    }

    /// Encodes a word whose line end at byte `base` of the original is dropped: as one behind a space.
    #[inline(never)]
    fn after_line_end<S: Sink>(
        &mut self,
        word: &str,
        base: u32,
        continues: bool,
        sink: &mut S,
    ) -> Result<(), EncodeError> {
        let mut spaced = self.memo.take_text();
        spaced.extend([" ", word]);
        let key = self::word(&spaced, &(0..spaced.len()));
        let is_known = self.memo.push_word(key, b' ', base, continues, sink);
        let encoded = if is_known { Ok(()) } else { self.unusual(&spaced, key, base, continues, sink) };
        self.memo.give_text(spaced);
        encoded
    }

    /// Pushes the tokens of a new word, if it is plain.
    #[inline(never)]
    fn plain_word<S: Sink>(&mut self, word: &str, key: (Key, Place), base: u32, continues: bool, sink: &mut S) -> bool {
        let Some(plain) = self.path.plain.as_deref() else { return false };
        // White space that is like a space is read as one: of a run only the last character belongs to a token.
        let like_space = self.path.points.like_space(word).filter(|_| word.len() <= plain.max_bytes);
        let spaced = like_space.map(|(white, _)| [" ", &word[white..]].concat());
        let normalizer = self.stages.normalizer.as_ref();
        let Some(normalized) = plain.normalized(spaced.as_deref().unwrap_or(word), normalizer) else { return false };
        let (white, last) = like_space.unwrap_or_else(|| if word.starts_with(' ') { (1, 1) } else { (0, 0) });
        let (space, gap) = if plain.drops_spaces { (0, white) } else { (last, white - last) };
        let is_same = space <= 1 && matches!(normalized, Cow::Borrowed(_));
        let mut tokens = self.memo.take_tokens();
        let dropped = u32::from(plain.drops_spaces);
        let is_encoded = self.encode_plain(plain, &normalized, dropped, &mut tokens)
            && self.joins_unknown(plain, &normalized, dropped, &mut tokens)
            && (is_same || plain.count_in_word(&mut tokens, space, &word[white..], normalizer));
        if is_encoded {
            let found = (&*tokens, plain.unknown, |part| plain.normalized_part(part, normalizer));
            self.memo.keep_plain_word(word, key, gap as u32, found, (base, continues), sink);
        }
        self.memo.give_tokens(tokens);
        is_encoded
    }

    /// Makes one token of unknown neighbours. Returns false if the stages must do it: where the space before the word is
    /// unknown, or the text of the neighbours is a token.
    fn joins_unknown(&self, plain: &PlainWords, word: &str, gap: u32, tokens: &mut Vec<(Id, u32)>) -> bool {
        let (Some(unknown), Model::Unigram(unigram)) = (plain.unknown, &self.stages.model) else { return true };
        let is_unknown = |&(id, _): &(Id, u32)| id == unknown;
        join_unknown(tokens, unknown);
        let mut start = gap;
        let is_token = |token: &(Id, u32)| {
            let text = &word[std::mem::replace(&mut start, gap + token.1) as usize..(gap + token.1) as usize];
            is_unknown(token) && unigram.vocab().id(text.as_bytes()).is_some()
        };
        !(tokens.iter().any(is_token) || word.starts_with(' ') && tokens.first().is_some_and(is_unknown))
    }

    /// Appends the tokens of a plain word, with their ends counted from byte `gap` of it on. Returns false if the stages must
    /// encode it.
    fn encode_plain(&mut self, plain: &PlainWords, word: &str, gap: u32, tokens: &mut Vec<(Id, u32)>) -> bool {
        for part in plain.parts(word.as_bytes()) {
            let from = (part.start as u32).saturating_sub(gap);
            let key = (part.len() <= MAX_KEY_BYTES && part.len() < word.len()).then(|| {
                let key = plain_words::part_key(word.as_bytes(), &part);
                (key, place(key))
            });
            if key.is_some_and(|key| self.memo.get_part(key, from, tokens)) {
                continue;
            }
            let first = tokens.len();
            let Self { stages, scratch, words, .. } = self;
            let part = &word[part];
            match (&stages.model, &plain.symbols) {
                (Model::Bpe(bpe), Some(symbols)) => {
                    let divides = plain.divides_characters || part.is_ascii();
                    bpe.merge_part(part, symbols, &mut scratch.bpe, |id, mut end| {
                        while !divides && !part.is_char_boundary(end) {
                            end += 1;
                        }
                        tokens.push((id, from + end as u32));
                    });
                }
                (Model::Unigram(unigram), None) => {
                    let is_encoded = with_mark(part, |marked, added| {
                        // Ends are counted from the start of the marked part. A mark alone ends at 0 if it is put before the word.
                        let less = added as u32 + if first == 0 { gap } else { 0 };
                        let push = |id, end: usize, _| tokens.push((id, from + end as u32 - less));
                        unigram.encode_part(marked, words, push).is_some()
                    });
                    if !is_encoded {
                        return false;
                    }
                }
                _ => return false,
            }
            // Not for tokens that share a span: a mark that is put before the word, bytes of a character. Not for unknown ones,
            // which a word must not have without their text.
            if let Some(key) = key
                && !tokens[first..].iter().any(|&(id, _)| Some(id) == plain.unknown)
                && !(gap > 0 && first == 0 && tokens[0].1 == 0)
                && !share_spans(part, &tokens[first..])
            {
                self.memo.put_part(key, from, &tokens[first..]);
            }
        }
        true
    }

    /// Encodes a new stretch, not the first of a text. If it `continues`, its first token extends the last pretoken before it.
    /// One that falls apart into segments is remembered if it is a word or comes again.
    #[inline(never)]
    fn stretch<S: Sink>(
        &mut self,
        stretch: &str,
        key: (Key, Place),
        base: u32,
        continues: bool,
        sink: &mut S,
    ) -> Result<(), EncodeError> {
        let points = &*self.path.points;
        if !points.part_stretches() {
            return self.segment(stretch, key, base, continues, sink);
        }
        let is_word = stretch.len() <= MAX_KEY_BYTES && !self.is_plain(stretch);
        let is_kept = is_word || stretch.len() <= MAX_BYTES && self.memo.was_seen(stretch.as_bytes(), key.1);
        if !is_kept {
            return self.segments(stretch, base, continues, sink);
        }
        if points.next(stretch, 0) == stretch.len() {
            return self.segment(stretch, key, base, continues, sink);
        }
        let mut recorder = self.memo.recorder();
        self.segments(stretch, 0, false, &mut recorder).map_err(|error| error.moved(base as usize))?;
        if let Some(entry) = self.memo.keep(stretch, key, !is_word, recorder) {
            sink.looked_up(false);
            self.memo.push(entry, base, continues, sink);
            return Ok(());
        }
        self.segments(stretch, base, continues, sink)
    }

    fn is_plain(&self, text: &str) -> bool {
        self.path.plain.as_ref().is_some_and(|plain| plain.has(text))
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
        let (mut at, mut checks) = (0, Checks::default());
        while at < stretch.len() {
            checks.step()?;
            let range = at..points.next(stretch, at);
            at = range.end;
            let (key, base) = (word(stretch, &range), base + range.start as u32);
            let segment = &stretch[range.clone()];
            if !self.memo.push_word(key, stretch.as_bytes()[range.start], base, continues, sink)
                && !self.memo.push_segment(segment.as_bytes(), key, base, continues, sink)
                && !self.plain_word(segment, key, base, continues, sink)
            {
                self.segment(segment, key, base, continues, sink)?;
            }
            continues = points.in_pretoken;
        }
        Ok(())
    }

    /// Encodes a segment that was not seen before, as [`Self::stretch`].
    fn segment<S: Sink>(
        &mut self,
        text: &str,
        key: (Key, Place),
        base: u32,
        continues: bool,
        sink: &mut S,
    ) -> Result<(), EncodeError> {
        if text.len() <= MAX_BYTES {
            sink.looked_up(false);
            if let Some(entry) = self.record(text, key).map_err(|error| error.moved(base as usize))? {
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
    fn record(&mut self, text: &str, key: (Key, Place)) -> Result<Option<Entry>, EncodeError> {
        let is_plain = self.is_plain(text);
        let Self { path, stages, run, scratch, memo, .. } = self;
        let mut recorder = memo.recorder();
        run.of_part(path.inside.as_ref()).encode(&stages.model, text, 0, scratch, &mut recorder)?;
        Ok(memo.keep(text, key, is_plain, recorder))
    }
}

/// The key of a segment, and its place: that of its longer key or its hash where it has no key, as [`Queue::find_keys`] and
/// [`Places::prefetch_long`] find them.
#[inline(always)]
fn word(text: &str, range: &Range<usize>) -> (Key, Place) {
    let (text, start) = (text.as_bytes(), range.start);
    match range.len() {
        len if len <= MAX_KEY_BYTES => {
            let key = key_at(text, start, len);
            (key, place(key))
        }
        len if len <= MAX_WIDE_BYTES => (NO_KEY, wide_place(wide_key_at(text, start, len))),
        _ => (NO_KEY, Place::of_number(texts::hash(&text[range.clone()]))),
    }
}

/// Leaves the first beginning of a pretoken out if the segment continues the one before. Of any sink, as the stages would be
/// compiled twice for each.
struct Continued<'a> {
    sink: &'a mut dyn Sink,
    continues: bool,
}

impl Sink for Continued<'_> {
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
