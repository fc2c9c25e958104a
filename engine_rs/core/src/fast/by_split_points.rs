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

#[cfg(target_arch = "x86_64")]
use super::blocks::{Avx2, Avx512};
use super::blocks::{Baseline, Classify};
use super::byte_level::queue::Queue;
use super::memo::{Key, MAX_KEY_BYTES, MAX_WIDE_BYTES, NO_KEY, Place, key_at, place, wide_key_at, wide_place};
use super::plain_words::{Marked, PlainWords};
use super::segment_memo::{Entry, MAX_BYTES, SegmentMemo};
use super::segments::{self, Masks, Segments};
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
    #[cfg(target_arch = "x86_64")]
    avx2: Option<Avx2>,
    #[cfg(target_arch = "x86_64")]
    avx512: Option<Avx512>,
}

impl BySplitPoints {
    /// For stages with these split points.
    pub fn new(stages: &Stages, added: &AddedTokens, points: Arc<WhiteSpace>) -> Self {
        let plain = PlainWords::of(stages, added, points.in_pretoken).map(Box::new);
        Self {
            masks: segments::masks(&points),
            points,
            inside: stages.normalizer.as_ref().map(Normalizer::inside),
            plain,
            #[cfg(target_arch = "x86_64")]
            avx2: Avx2::new(),
            #[cfg(target_arch = "x86_64")]
            avx512: Avx512::new(),
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
        #[cfg(target_arch = "x86_64")]
        if let Some(avx512) = self.path.avx512 {
            // SAFETY: the value exists only if the processor has all of this.
            return unsafe { self.walk_avx512(avx512, text, (base, at), continues, sink) };
        }
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = self.path.avx2 {
            // SAFETY: the value exists only if the processor has all of this.
            return unsafe { self.walk_avx2(avx2, text, (base, at), continues, sink) };
        }
        self.walk(Baseline, text, (base, at), continues, sink)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx2,bmi1,bmi2,popcnt,lzcnt")]
    fn walk_avx512<S: Sink>(
        &mut self,
        avx512: Avx512,
        text: &str,
        places: (u32, usize),
        continues: bool,
        sink: &mut S,
    ) -> Result<(), EncodeError> {
        self.walk(avx512, text, places, continues, sink)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
    fn walk_avx2<S: Sink>(
        &mut self,
        avx2: Avx2,
        text: &str,
        places: (u32, usize),
        continues: bool,
        sink: &mut S,
    ) -> Result<(), EncodeError> {
        self.walk(avx2, text, places, continues, sink)
    }

    /// Encodes the segments from byte `at` of the text on.
    #[inline(always)]
    fn walk<P: Classify, S: Sink>(
        &mut self,
        processor: P,
        text: &str,
        (base, at): (u32, usize),
        mut continues: bool,
        sink: &mut S,
    ) -> Result<(), EncodeError> {
        let points = &*self.path.points;
        let mut segments = Segments::new(processor, &self.path.masks, points, text, at);
        let mut queue = Queue::default();
        while let Some(end) = segments.fill(&mut queue) {
            queue.find_keys(text.as_bytes(), end, &self.memo.words);
            for n in 0..queue.len() {
                let ((start, end), word) = (queue.range(n), queue.key(n));
                let base = base + start as u32;
                if !self.memo.push_word(word, text.as_bytes()[start], base, continues, sink) {
                    self.unusual(&text[start..end], word, base, continues, sink)?;
                }
                continues = points.in_pretoken;
            }
        }
        Ok(())
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
        let Some(plain) = self.path.plain.as_deref().filter(|plain| plain.has(bytes)) else { return false };
        let mut tokens = self.memo.take_tokens();
        let gap = u32::from(plain.drops_spaces);
        let is_encoded = self.encode_plain(plain, bytes, gap, &mut tokens);
        if is_encoded {
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
                let key = part_key(word, &part);
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
                    // Counted from the start of the marked part. A mark that is put before the word has the span of the
                    // character after it: a token of the mark alone would not end where the next one starts.
                    let less = marked.added as u32 + if first == 0 { gap } else { 0 };
                    if tokens[first].1 == less {
                        return false;
                    }
                    tokens[first..].iter_mut().for_each(|(_, end)| *end = from + *end - less);
                }
                _ => return false,
            }
            if let Some(key) = key {
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
        let is_plain = || self.path.plain.as_ref().is_some_and(|plain| plain.has(text.as_bytes()));
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

/// The key of a segment, and its place, as [`Queue::find_keys`] finds them.
#[inline(always)]
fn word(text: &str, range: &Range<usize>) -> (Key, Place) {
    let (text, start) = (text.as_bytes(), range.start);
    match range.len() {
        len @ ..=MAX_KEY_BYTES => {
            let key = key_at(text, start, len);
            (key, place(key))
        }
        len @ ..=MAX_WIDE_BYTES => (NO_KEY, wide_place(wide_key_at(text, start, len))),
        _ => (NO_KEY, place(NO_KEY)),
    }
}

/// The key of a part of a plain word. The first part may be a word, too; others have keys that no word has, since in some
/// stages a word without a space before it has other tokens.
#[inline(always)]
fn part_key(word: &[u8], part: &Range<usize>) -> Key {
    const LATER: Key = 1 << 127;
    let is_word = part.start == 0 && (part.len() > 1 || word[0] != b' ');
    key_at(word, part.start, part.len()) | if is_word { 0 } else { LATER }
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
