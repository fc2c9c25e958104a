//! Normalized text that knows, per byte, which part of the original it comes from.
//!
//! A normalizer says what happens to every character in order ([`Change`]); texts and spans follow.
//! Not here: what to change (`normalizers`), spans in other units ([`crate::offsets`]).
//!
//! Source: the alignments of `NormalizedString` in Hugging Face's `tokenizers`. As there, reordered characters take
//! spans by their place, not by their identity: the n-th character that stands for one has the span of the n-th.

mod behavior;

use std::ops::Range;

use crate::offsets::Span;
pub use behavior::Behavior;
pub(crate) use behavior::for_each_part;

/// What happens to the next character of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It becomes this one (or stays) and keeps its span.
    Become(char),
    /// It is dropped.
    Drop,
    /// Nothing yet: this one is put in after the last one dealt with and shares its span.
    Insert(char),
}

/// A text under normalization.
#[derive(Clone, Debug, Default)]
pub struct AlignedText {
    text: String,
    places: Places,
    /// Where the text, or the part of it that this was split from, starts in the original.
    origin: u32,
    /// Start of the spans that count as starting at `origin`. Differs from it after [`AlignedText::ignore_lost_start`].
    counts_as_origin: u32,
}

/// Where the characters of a text come from.
#[derive(Clone, Debug)]
enum Places {
    /// Each stands where it does in the original, of which the text is the part from this byte on: no list is needed.
    AsInOriginal { base: u32 },
    /// A span for each byte of the text, all bytes of a character the same.
    ByByte(Spans),
    /// Where each byte starts, and where the last one ends: spans touch, so each ends where the next one starts, and may be
    /// as long as they like.
    Touching(Vec<u32>),
}

/// A span for each byte: its start and its length, five bytes together. A span is that of one character of the original, or
/// empty.
#[derive(Clone, Debug, Default)]
struct Spans {
    starts: Vec<u32>,
    lengths: Vec<u8>,
}

impl Spans {
    fn with_capacity(bytes: usize) -> Self {
        Self { starts: Vec::with_capacity(bytes), lengths: Vec::with_capacity(bytes) }
    }

    /// Makes room in smaller steps than a list does by itself: most texts that grow hardly do.
    fn reserve(&mut self, bytes: usize) {
        if self.starts.capacity() - self.starts.len() < bytes {
            let more = bytes.max(self.starts.len() / 4);
            self.starts.reserve_exact(more);
            self.lengths.reserve_exact(more);
        }
    }

    fn at(&self, byte: usize) -> Span {
        let start = self.starts[byte];
        Span { start, end: start + u32::from(self.lengths[byte]) }
    }

    /// Appends the span of `bytes` bytes.
    fn push(&mut self, span: Span, bytes: usize) {
        debug_assert!(span.range().len() <= char::MAX.len_utf8());
        self.reserve(bytes);
        self.starts.extend(std::iter::repeat_n(span.start, bytes));
        self.lengths.extend(std::iter::repeat_n((span.end - span.start) as u8, bytes));
    }

    fn extend(&mut self, other: &Self, range: Range<usize>) {
        self.reserve(range.len());
        self.starts.extend_from_slice(&other.starts[range.clone()]);
        self.lengths.extend_from_slice(&other.lengths[range]);
    }
}

impl Default for Places {
    fn default() -> Self {
        Self::AsInOriginal { base: 0 }
    }
}

/// The same text, and the same span for each byte.
impl PartialEq for AlignedText {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
            && (self.origin, self.counts_as_origin) == (other.origin, other.counts_as_origin)
            && self.spans().eq(other.spans())
    }
}

impl Eq for AlignedText {}

/// A part of an aligned text, which owns nothing.
#[derive(Clone, Debug)]
pub struct Part<'a> {
    whole: &'a AlignedText,
    range: Range<usize>,
    /// As those of [`AlignedText`].
    origin: u32,
    counts_as_origin: u32,
}

impl<'a> Part<'a> {
    /// The text of the part.
    pub fn text(&self) -> &'a str {
        &self.whole.text[self.range.clone()]
    }

    /// As [`AlignedText::origin`].
    pub fn origin(&self) -> usize {
        self.origin as usize
    }

    /// As [`AlignedText::span`], in bytes of the part.
    pub fn span(&self, range: Range<usize>) -> Span {
        self.whole.span(self.range.start + range.start..self.range.start + range.end)
    }

    /// The part of the original that the bytes `range` of the part stand for, which may be bytes of a character: one that
    /// is as the original has it is divided, as by [`AlignedText::map_bytes`].
    pub fn span_of_bytes(&self, range: Range<usize>) -> Span {
        let Places::AsInOriginal { base } = self.whole.places else {
            let mut bytes = self.to_aligned();
            bytes.map_bytes(|_| 'b');
            return bytes.span(range);
        };
        let base = base as usize + self.range.start;
        Span::new(base + range.start, base + range.end)
    }

    /// The part without the characters outside of `range`, which lies on character boundaries.
    pub(crate) fn slice(&self, range: Range<usize>) -> Self {
        let range = self.range.start + range.start..self.range.start + range.end;
        let start = if range.is_empty() { self.origin } else { self.whole.span_at(range.start).start };
        let origin = if start == self.counts_as_origin { self.origin } else { start };
        Self { whole: self.whole, range, origin, counts_as_origin: start }
    }

    /// A text of its own.
    pub fn to_aligned(&self) -> AlignedText {
        let places = match &self.whole.places {
            Places::AsInOriginal { base } => Places::AsInOriginal { base: base + self.range.start as u32 },
            Places::Touching(starts) => Places::Touching(starts[self.range.start..=self.range.end].to_vec()),
            Places::ByByte(_) => {
                let mut spans = Spans::with_capacity(self.range.len());
                self.whole.push_spans(self.range.clone(), &mut spans);
                Places::ByByte(spans)
            }
        };
        let Self { origin, counts_as_origin, .. } = *self;
        AlignedText { text: self.text().to_owned(), places, origin, counts_as_origin }
    }

    /// Calls `each` with the parts between and at `matches`: ranges that lie on character boundaries, in order, without
    /// overlap. What is between two matches is a part of its own; `behavior` says what a match is. Empty parts are left out.
    ///
    /// Errors: those of `matches` and of `each`.
    pub(crate) fn split<E>(
        &self,
        matches: impl IntoIterator<Item = Result<Range<usize>, E>>,
        behavior: Behavior,
        each: impl FnMut(Self) -> Result<(), E>,
    ) -> Result<(), E> {
        self.split_by(matches, false, behavior, each)
    }

    /// The same with the roles changed: `behavior` says what becomes of what is between the matches.
    pub(crate) fn split_inverted<E>(
        &self,
        matches: impl IntoIterator<Item = Result<Range<usize>, E>>,
        behavior: Behavior,
        each: impl FnMut(Self) -> Result<(), E>,
    ) -> Result<(), E> {
        self.split_by(matches, true, behavior, each)
    }

    fn split_by<E>(
        &self,
        matches: impl IntoIterator<Item = Result<Range<usize>, E>>,
        inverted: bool,
        behavior: Behavior,
        mut each: impl FnMut(Self) -> Result<(), E>,
    ) -> Result<(), E> {
        for_each_part(self.range.len(), matches, inverted, behavior, |range| {
            if range.is_empty() { Ok(()) } else { each(self.slice(range)) }
        })
    }
}

impl AlignedText {
    /// The text as it is; its first byte stands at byte `base` of the original.
    pub fn new(text: &str, base: usize) -> Self {
        let base = base as u32;
        Self { text: text.to_owned(), places: Places::AsInOriginal { base }, origin: base, counts_as_origin: base }
    }

    /// The text as it is now.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Where it started in the original when it was last taken out of a larger text: characters that were dropped at
    /// the start since then do not count.
    pub(crate) fn origin(&self) -> usize {
        self.origin as usize
    }

    /// All of it as a part.
    pub fn whole(&self) -> Part<'_> {
        Part { whole: self, range: 0..self.text.len(), origin: self.origin, counts_as_origin: self.counts_as_origin }
    }

    /// Lets the first character count as the start of the original if the one that was first, whose span was `before`, did.
    /// Spans stay as they are.
    ///
    /// For a normalizer whose reference leaves characters that it drops at the start out of account.
    pub(crate) fn ignore_lost_start(&mut self, before: Span) {
        if !self.text.is_empty() && before.start == self.counts_as_origin {
            self.counts_as_origin = self.span_at(0).start;
        }
    }

    /// The part of the original that the bytes `range` of the text stand for; `range` must not be empty.
    pub(crate) fn span(&self, range: Range<usize>) -> Span {
        match &self.places {
            Places::Touching(starts) => self.touching(starts, range),
            _ => Span { start: self.span_at(range.start).start, end: self.span_at(range.end - 1).end },
        }
    }

    /// Where the characters start and end that the bytes of a range are parts of.
    fn characters_over(&self, Range { mut start, mut end }: Range<usize>) -> (usize, usize) {
        while !self.text.is_char_boundary(start) {
            start -= 1;
        }
        while !self.text.is_char_boundary(end) {
            end += 1;
        }
        (start, end)
    }

    /// A range inside of a character has its own span if the character is as in the original, and else the character's.
    fn touching(&self, starts: &[u32], Range { mut start, mut end }: Range<usize>) -> Span {
        if !(self.text.is_char_boundary(start) && self.text.is_char_boundary(end)) {
            let (first, last) = self.characters_over(start..end);
            if starts[last] - starts[first] != (last - first) as u32
                || starts[start] - starts[first] != (start - first) as u32
            {
                (start, end) = (first, last);
            }
        }
        Span { start: starts[start], end: starts[end] }
    }

    /// Replaces the text by `text`, whose byte `n` comes from byte `starts[n]` of the present one. `starts` has one more entry
    /// than `text` has bytes, where the last byte ends; entries never fall.
    pub(crate) fn replace_all(&mut self, text: String, mut starts: Vec<u32>) {
        match &self.places {
            Places::AsInOriginal { base } => starts.iter_mut().for_each(|start| *start += base),
            _ => {
                let end = self.text.len().checked_sub(1).map_or(self.origin, |last| self.span_at(last).end);
                let place =
                    |at: u32| if (at as usize) < self.text.len() { self.span_at(at as usize).start } else { end };
                starts.iter_mut().for_each(|start| *start = place(*start));
            }
        }
        (self.text, self.places) = (text, Places::Touching(starts));
    }

    /// The span of the character that byte `at` of the text is a part of.
    fn span_at(&self, at: usize) -> Span {
        match &self.places {
            Places::ByByte(spans) => spans.at(at),
            Places::Touching(starts) => {
                let (first, last) = self.characters_over(at..at + 1);
                Span { start: starts[first], end: starts[last] }
            }
            Places::AsInOriginal { base } => {
                let (start, end) = self.characters_over(at..at + 1);
                Span { start: base + start as u32, end: base + end as u32 }
            }
        }
    }

    /// The same without the characters outside of `range`, which lies on character boundaries.
    pub(crate) fn slice(&self, range: Range<usize>) -> Self {
        self.whole().slice(range).to_aligned()
    }

    /// All of the text as [`Self::slice`] takes it out, without copying it.
    #[must_use]
    pub(crate) fn taken_out(mut self) -> Self {
        let Part { origin, counts_as_origin, .. } = self.whole().slice(0..self.text.len());
        (self.origin, self.counts_as_origin) = (origin, counts_as_origin);
        self
    }

    /// Appends the spans of the bytes `range`, which lies on character boundaries.
    fn push_spans(&self, range: Range<usize>, out: &mut Spans) {
        match &self.places {
            Places::ByByte(spans) => out.extend(spans, range),
            Places::Touching(_) => {
                // No normalizer comes after one that leaves such places, so this need not be quick. Spans that are longer
                // than a character's are cut there.
                for (at, c) in self.text[range.clone()].char_indices() {
                    let Span { start, end } = self.span_at(range.start + at);
                    out.push(Span { start, end: end.min(start + char::MAX.len_utf8() as u32) }, c.len_utf8());
                }
            }
            Places::AsInOriginal { base } => {
                let mut start = *base as usize + range.start;
                // Stretches of ASCII, of which each byte is a character, and other characters one by one.
                let is_one = |a: &u8, b: &u8| a.is_ascii() && b.is_ascii() || b & 0xc0 == 0x80;
                for part in self.text.as_bytes()[range].chunk_by(is_one) {
                    let end = start + part.len();
                    out.reserve(part.len());
                    if part[0].is_ascii() {
                        out.starts.extend(start as u32..end as u32);
                        out.lengths.extend(std::iter::repeat_n(1, part.len()));
                    } else {
                        out.push(Span::new(start, end), part.len());
                    }
                    start = end;
                }
            }
        }
    }

    /// Puts `content` in the place of every match: ranges that lie on character boundaries, in order, without overlap.
    /// What is put in has the span of the last character matched, or where the match is empty of the one before it.
    pub(crate) fn replace(&mut self, matches: &[Range<usize>], content: &str) {
        let removed: usize = matches.iter().map(ExactSizeIterator::len).sum();
        let len = self.text.len() - removed + matches.len() * content.len();
        let (mut text, mut spans) = (String::with_capacity(len), Spans::with_capacity(len));
        let mut at = 0;
        for found in matches {
            text.push_str(&self.text[at..found.start]);
            self.push_spans(at..found.start, &mut spans);
            let before = found.end.checked_sub(1).map_or(self.start(), |last| self.span_at(last));
            text.push_str(content);
            spans.push(before, content.len());
            at = found.end;
        }
        text.push_str(&self.text[at..]);
        self.push_spans(at..self.text.len(), &mut spans);
        (self.text, self.places) = (text, Places::ByByte(spans));
    }

    /// Applies one change to every character and puts in what is to be put in. Characters that `changes` does not get
    /// to are dropped; changes beyond the last character are ignored, except for inserted ones.
    pub(crate) fn rewrite(&mut self, changes: impl IntoIterator<Item = Change>) {
        let whole = 0..self.text.len();
        self.rewrite_parts([(whole, changes)]);
    }

    /// The same for parts of the text alone, given in order with their changes; what is between them stays. A part lies on
    /// character boundaries, and its changes get to its last character.
    pub(crate) fn rewrite_parts(
        &mut self,
        parts: impl IntoIterator<Item = (Range<usize>, impl IntoIterator<Item = Change>)>,
    ) {
        *self = self.rewritten(parts);
    }

    /// The text with these changes, which may be made one after the other while they are applied: a list of all of them
    /// would take several times as much memory as the text.
    #[must_use]
    pub(crate) fn rewritten(
        &self,
        parts: impl IntoIterator<Item = (Range<usize>, impl IntoIterator<Item = Change>)>,
    ) -> Self {
        let mut text = String::with_capacity(self.text.len());
        let mut spans = Spans::with_capacity(self.text.len());
        let mut at = 0;
        for (part, changes) in parts {
            text.push_str(&self.text[at..part.start]);
            self.push_spans(at..part.start, &mut spans);
            let mut rest = self.text[part.clone()].char_indices();
            let mut last = part.start.checked_sub(1).map_or(self.start(), |before| self.span_at(before));
            for change in changes {
                let put = match change {
                    Change::Insert(c) => Some(c),
                    Change::Become(_) | Change::Drop => {
                        let Some((offset, _)) = rest.next() else { continue };
                        last = self.span_at(part.start + offset);
                        if let Change::Become(c) = change { Some(c) } else { None }
                    }
                };
                if let Some(c) = put {
                    text.push(c);
                    spans.push(last, c.len_utf8());
                }
            }
            at = part.end;
        }
        text.push_str(&self.text[at..]);
        self.push_spans(at..self.text.len(), &mut spans);
        Self { text, places: Places::ByByte(spans), origin: self.origin, counts_as_origin: self.counts_as_origin }
    }

    /// Keeps the characters for which `keep` holds.
    pub(crate) fn filter(&mut self, keep: impl Fn(char) -> bool) {
        if self.text.chars().all(&keep) {
            return;
        }
        let changes = self.text.chars().map(|c| if keep(c) { Change::Become(c) } else { Change::Drop });
        *self = self.rewritten([(0..self.text.len(), changes)]);
    }

    /// Puts the characters that `expand` gives in the place of each one; all of them have its span. One for which it
    /// gives none is dropped.
    pub(crate) fn expand<I: Iterator<Item = char>>(&mut self, expand: impl Fn(char) -> I) {
        if self.text.chars().all(|c| expand(c).eq([c])) {
            return;
        }
        let changes = self.text.chars().flat_map(|c| {
            let mut new = expand(c);
            let first = new.next().map_or(Change::Drop, Change::Become);
            std::iter::once(first).chain(new.map(Change::Insert))
        });
        *self = self.rewritten([(0..self.text.len(), changes)]);
    }

    /// Makes capital letters of ASCII small ones; all spans stay.
    pub(crate) fn make_ascii_lowercase(&mut self) {
        self.text.make_ascii_lowercase();
    }

    /// Puts a string before the first character and gives it that character's span; an empty text stays empty.
    pub fn prepend(&mut self, prefix: &str) {
        if !self.text.is_empty() {
            let mut spans = Spans::with_capacity(prefix.len() + self.text.len());
            spans.push(self.span_at(0), prefix.len());
            self.push_spans(0..self.text.len(), &mut spans);
            self.text.insert_str(0, prefix);
            self.places = Places::ByByte(spans);
        }
    }

    /// Puts a character in the place of every byte. A byte of a character that is as the original has it gets the span
    /// of that byte alone; those of several characters that came of one have the span of that one.
    pub(crate) fn map_bytes(&mut self, map: impl Fn(u8) -> char) {
        // Characters of the byte alphabet, which is what is put in, have two bytes at most.
        let room = self.text.len() * 2;
        let (mut text, mut spans) = (String::with_capacity(room), Spans::with_capacity(room));
        let mut before = None;
        let mut characters = self.text.char_indices().map(|(at, c)| (at, c, self.span_at(at))).peekable();
        while let Some((at, c, whole)) = characters.next() {
            let shared = before == Some(whole) || characters.peek().is_some_and(|&(_, _, after)| after == whole);
            let unchanged = whole.range().len() == c.len_utf8() && !shared;
            for (n, &byte) in self.text.as_bytes()[at..at + c.len_utf8()].iter().enumerate() {
                let start = whole.start + n as u32;
                let span = if unchanged { Span { start, end: start + 1 } } else { whole };
                let mapped = map(byte);
                text.push(mapped);
                spans.push(span, mapped.len_utf8());
            }
            before = Some(whole);
        }
        (self.text, self.places) = (text, Places::ByByte(spans));
    }

    /// A text with the span of each of its bytes, that of one character of the original; all bytes of a character have the
    /// same.
    ///
    /// # Panics
    /// Where there are not as many spans as bytes.
    pub(crate) fn from_spans(text: &str, of_bytes: &[Span]) -> Self {
        assert_eq!(text.len(), of_bytes.len(), "a span for every byte");
        let origin = of_bytes.first().map_or(0, |span| span.start);
        let mut spans = Spans::with_capacity(text.len());
        of_bytes.iter().for_each(|&span| spans.push(span, 1));
        Self { text: text.to_owned(), places: Places::ByByte(spans), origin, counts_as_origin: origin }
    }

    /// The span of every byte of the text.
    pub(crate) fn spans(&self) -> impl Iterator<Item = Span> {
        self.text.char_indices().flat_map(|(at, c)| std::iter::repeat_n(self.span_at(at), c.len_utf8()))
    }

    /// The empty span at the start, for what is put in before everything.
    fn start(&self) -> Span {
        Span { start: self.origin, end: self.origin }
    }
}

#[cfg(test)]
mod tests;
