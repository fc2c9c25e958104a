//! Normalized text that knows, per byte, which part of the original it comes from.
//!
//! A normalizer says what happens to every character in order ([`Change`]); texts and spans follow.
//! Not here: what to change (`normalizers`), spans in other units ([`crate::offsets`]).
//!
//! Source: the alignments of `NormalizedString` in Hugging Face's `tokenizers`. As there, reordered characters take
//! spans by their place, not by their identity: the n-th character that stands for one has the span of the n-th.

use std::ops::Range;

use crate::offsets::Span;

/// What happens to the next character of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It becomes this one (or stays) and keeps its span.
    Become(char),
    /// It goes away.
    Drop,
    /// Nothing yet: this one is put in after the last one dealt with and shares its span.
    Insert(char),
}

/// What becomes of a match when a text is split at matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behavior {
    /// It goes away.
    Removed,
    /// It is a part of its own.
    Isolated,
    /// It belongs to the part before it; one that follows another match stands alone.
    MergedWithPrevious,
    /// It belongs to the part after it; one before another match stands alone.
    MergedWithNext,
    /// Matches that touch are one part.
    Contiguous,
}

/// Ranges of the parts, see [`Aligned::split`]; `inverted`, what is between the matches counts as matched.
fn parts(len: usize, matches: &[Range<usize>], inverted: bool, behavior: Behavior) -> Vec<Range<usize>> {
    // Text and matches in order, covering everything. Empty matches count: they keep their neighbours apart.
    let mut pieces: Vec<(Range<usize>, bool)> = vec![];
    let mut at = 0;
    for found in matches {
        if at < found.start {
            pieces.push((at..found.start, inverted));
        }
        pieces.push((found.clone(), !inverted));
        at = found.end;
    }
    if at < len {
        pieces.push((at..len, inverted));
    }
    let mut parts: Vec<Range<usize>> = vec![];
    let mut join = |range: Range<usize>, with_last: bool| match parts.last_mut() {
        Some(last) if with_last => *last = last.start.min(range.start)..last.end.max(range.end),
        _ => parts.push(range),
    };
    match behavior {
        Behavior::Removed => {
            return pieces.into_iter().filter(|(_, is_match)| !is_match).map(|(range, _)| range).collect();
        }
        Behavior::Isolated => return pieces.into_iter().map(|(range, _)| range).collect(),
        Behavior::Contiguous => {
            let mut previous = false;
            for (range, is_match) in pieces {
                join(range, is_match == previous);
                previous = is_match;
            }
        }
        Behavior::MergedWithPrevious => {
            let mut previous = false;
            for (range, is_match) in pieces {
                join(range, is_match && !previous);
                previous = is_match;
            }
        }
        Behavior::MergedWithNext => {
            // The mirror image: from the end, a match belongs to what was seen before it.
            let mut previous = false;
            for (range, is_match) in pieces.into_iter().rev() {
                join(range, is_match && !previous);
                previous = is_match;
            }
            parts.reverse();
        }
    }
    parts
}

/// A text under normalization.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Aligned {
    text: String,
    /// Per byte of `text`, all bytes of a character the same.
    spans: Vec<Span>,
    /// Where the text, or the part of it that this was cut from, starts in the original.
    origin: u32,
}

impl Aligned {
    /// The text as it is; its first byte stands at byte `base` of the original.
    pub fn new(text: &str, base: usize) -> Self {
        let mut spans = Vec::with_capacity(text.len());
        let mut start = base;
        for part in text.as_bytes().chunk_by(|a, b| a.is_ascii() && b.is_ascii() || b & 0xc0 == 0x80) {
            let end = start + part.len();
            if part[0].is_ascii() {
                spans.extend((start..end).map(|at| Span::new(at, at + 1)));
            } else {
                spans.extend(std::iter::repeat_n(Span::new(start, end), part.len()));
            }
            start = end;
        }
        Self { spans, text: text.to_owned(), origin: base as u32 }
    }

    /// The text as it is now.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Where it started in the original when it was last cut out of a larger text: characters that were dropped at the
    /// start since then do not count.
    pub fn origin(&self) -> usize {
        self.origin as usize
    }

    /// The part of the original that the bytes `range` of the text stand for; `range` must not be empty.
    ///
    /// ```
    /// # use token_engine::alignment::{Aligned, Change};
    /// let mut aligned = Aligned::new("é!", 0);
    /// aligned.rewrite(vec![Change::Become('e'), Change::Insert('\u{301}'), Change::Become('!')]);
    /// assert_eq!(aligned.text(), "e\u{301}!");
    /// assert_eq!(aligned.span(1..4).range(), 0..3); // the accent and the exclamation mark
    /// ```
    pub fn span(&self, range: Range<usize>) -> Span {
        Span { start: self.spans[range.start].start, end: self.spans[range.end - 1].end }
    }

    /// The same without the characters outside of `range`, which lies on character boundaries.
    pub fn slice(&self, range: Range<usize>) -> Self {
        let spans = self.spans[range.clone()].to_vec();
        let origin = spans.first().map_or(self.origin, |span| span.start);
        Self { text: self.text[range].to_owned(), spans, origin }
    }

    /// The parts between and at `matches`: ranges that lie on character boundaries, in order, without overlap. What is
    /// between two matches is a part of its own; `behavior` says what a match is. Empty parts are left out.
    ///
    /// ```
    /// # use token_engine::alignment::{Aligned, Behavior};
    /// let parts = |behavior| {
    ///     let mut parts = vec![];
    ///     Aligned::new("the-final--countdown", 0).split(&[3..4, 9..10, 10..11], behavior, &mut parts);
    ///     parts.iter().map(|part| part.text().to_owned()).collect::<Vec<_>>().join("|")
    /// };
    /// assert_eq!(parts(Behavior::Removed), "the|final|countdown");
    /// assert_eq!(parts(Behavior::Isolated), "the|-|final|-|-|countdown");
    /// assert_eq!(parts(Behavior::MergedWithPrevious), "the-|final-|-|countdown");
    /// assert_eq!(parts(Behavior::MergedWithNext), "the|-final|-|-countdown");
    /// assert_eq!(parts(Behavior::Contiguous), "the|-|final|--|countdown");
    /// ```
    pub fn split(&self, matches: &[Range<usize>], behavior: Behavior, out: &mut Vec<Self>) {
        self.cut(parts(self.text.len(), matches, false, behavior), out);
    }

    /// The same with the roles changed: `behavior` says what becomes of what is between the matches.
    ///
    /// ```
    /// # use token_engine::alignment::{Aligned, Behavior};
    /// let mut words = vec![];
    /// Aligned::new("a  b", 0).split_inverted(&[0..1, 3..4], Behavior::Removed, &mut words);
    /// assert_eq!(words.iter().map(Aligned::text).collect::<Vec<_>>(), ["a", "b"]);
    /// ```
    pub fn split_inverted(&self, matches: &[Range<usize>], behavior: Behavior, out: &mut Vec<Self>) {
        self.cut(parts(self.text.len(), matches, true, behavior), out);
    }

    fn cut(&self, ranges: Vec<Range<usize>>, out: &mut Vec<Self>) {
        out.extend(ranges.into_iter().filter(|range| !range.is_empty()).map(|range| self.slice(range)));
    }

    /// Puts `content` in the place of every match: ranges that lie on character boundaries, in order, without overlap.
    /// What is put in has the span of the last character matched, or where the match is empty of the one before it.
    ///
    /// ```
    /// # use token_engine::alignment::Aligned;
    /// let mut aligned = Aligned::new("a--b", 0);
    /// aligned.replace(&[1..3], "+");
    /// assert_eq!((aligned.text(), aligned.span(1..2).range()), ("a+b", 2..3));
    /// ```
    pub fn replace(&mut self, matches: &[Range<usize>], content: &str) {
        let mut text = String::with_capacity(self.text.len());
        let mut spans = Vec::with_capacity(self.spans.len());
        let mut at = 0;
        for found in matches {
            text.push_str(&self.text[at..found.start]);
            spans.extend_from_slice(&self.spans[at..found.start]);
            let before = found.end.checked_sub(1).map_or(self.start(), |last| self.spans[last]);
            text.push_str(content);
            spans.extend(std::iter::repeat_n(before, content.len()));
            at = found.end;
        }
        text.push_str(&self.text[at..]);
        spans.extend_from_slice(&self.spans[at..]);
        (self.text, self.spans) = (text, spans);
    }

    /// Applies one change to every character and puts in what is to be put in. Characters that `changes` does not get
    /// to are dropped; changes beyond the last character are ignored, except for inserted ones.
    pub fn rewrite(&mut self, changes: impl IntoIterator<Item = Change>) {
        let whole = 0..self.text.len();
        self.rewrite_parts([(whole, changes)]);
    }

    /// The same for parts of the text alone, given in order with their changes; what is between them stays. A part lies on
    /// character boundaries, and its changes get to its last character.
    ///
    /// ```
    /// # use token_engine::alignment::{Aligned, Change};
    /// let mut aligned = Aligned::new("a-b-c", 0);
    /// aligned.rewrite_parts([(1..2, vec![Change::Drop]), (4..5, vec![Change::Become('x'), Change::Insert('y')])]);
    /// assert_eq!(aligned.text(), "ab-xy");
    /// assert_eq!((aligned.span(1..2).range(), aligned.span(4..5).range()), (2..3, 4..5));
    /// ```
    pub fn rewrite_parts(&mut self, parts: impl IntoIterator<Item = (Range<usize>, impl IntoIterator<Item = Change>)>) {
        let mut text = String::with_capacity(self.text.len());
        let mut spans = Vec::with_capacity(self.spans.len());
        let mut at = 0;
        for (part, changes) in parts {
            text.push_str(&self.text[at..part.start]);
            spans.extend_from_slice(&self.spans[at..part.start]);
            let mut rest = self.text[part.clone()].char_indices();
            let mut last = part.start.checked_sub(1).map_or(self.start(), |before| self.spans[before]);
            for change in changes {
                let put = match change {
                    Change::Insert(c) => Some(c),
                    Change::Become(_) | Change::Drop => {
                        let Some((offset, _)) = rest.next() else { continue };
                        last = self.spans[part.start + offset];
                        if let Change::Become(c) = change { Some(c) } else { None }
                    }
                };
                if let Some(c) = put {
                    text.push(c);
                    spans.extend(std::iter::repeat_n(last, c.len_utf8()));
                }
            }
            at = part.end;
        }
        text.push_str(&self.text[at..]);
        spans.extend_from_slice(&self.spans[at..]);
        (self.text, self.spans) = (text, spans);
    }

    /// Keeps the characters for which `keep` holds.
    pub fn filter(&mut self, keep: impl Fn(char) -> bool) {
        let changes: Vec<_> =
            self.text.chars().map(|c| if keep(c) { Change::Become(c) } else { Change::Drop }).collect();
        self.rewrite(changes);
    }

    /// Puts the characters that `expand` gives in the place of each one; all of them have its span. One for which it
    /// gives none is dropped.
    pub fn expand<I: Iterator<Item = char>>(&mut self, expand: impl Fn(char) -> I) {
        let mut changes = Vec::with_capacity(self.text.len());
        for c in self.text.chars() {
            let mut new = expand(c);
            changes.push(new.next().map_or(Change::Drop, Change::Become));
            changes.extend(new.map(Change::Insert));
        }
        self.rewrite(changes);
    }

    /// Makes capital letters of ASCII small ones; all spans stay.
    pub fn make_ascii_lowercase(&mut self) {
        self.text.make_ascii_lowercase();
    }

    /// Puts a string before the first character and gives it that character's span; an empty text stays empty.
    ///
    /// ```
    /// # use token_engine::alignment::Aligned;
    /// let mut aligned = Aligned::new("Hi", 0);
    /// aligned.prepend("▁");
    /// assert_eq!((aligned.text(), aligned.span(0..3).range()), ("▁Hi", 0..1));
    /// ```
    pub fn prepend(&mut self, prefix: &str) {
        if let Some(&first) = self.spans.first() {
            self.text.insert_str(0, prefix);
            self.spans.splice(0..0, std::iter::repeat_n(first, prefix.len()));
        }
    }

    /// Puts a character in the place of every byte. A byte of a character that is as the original has it gets the span
    /// of that byte alone; those of several characters that came of one have the span of that one.
    pub fn map_bytes(&mut self, map: impl Fn(u8) -> char) {
        let mut text = String::with_capacity(self.text.len() * 2);
        let mut spans = Vec::with_capacity(self.text.len() * 2);
        for (at, c) in self.text.char_indices() {
            let whole = self.spans[at];
            let end = at + c.len_utf8();
            let shared = self.spans.get(end) == Some(&whole) || (at > 0 && self.spans[at - 1] == whole);
            let unchanged = whole.range().len() == c.len_utf8() && !shared;
            for (n, &byte) in self.text.as_bytes()[at..at + c.len_utf8()].iter().enumerate() {
                let start = whole.start + n as u32;
                let span = if unchanged { Span { start, end: start + 1 } } else { whole };
                let mapped = map(byte);
                text.push(mapped);
                spans.extend(std::iter::repeat_n(span, mapped.len_utf8()));
            }
        }
        (self.text, self.spans) = (text, spans);
    }

    /// A text with the span of each of its bytes; all bytes of a character have the same.
    ///
    /// # Panics
    /// Where there are not as many spans as bytes.
    pub fn from_spans(text: &str, spans: Vec<Span>) -> Self {
        assert_eq!(text.len(), spans.len(), "a span for every byte");
        let origin = spans.first().map_or(0, |span| span.start);
        Self { text: text.to_owned(), spans, origin }
    }

    /// The span of every byte of the text.
    pub fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// The empty span at the start, for what is put in before everything.
    fn start(&self) -> Span {
        Span { start: self.origin, end: self.origin }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn characters(aligned: &Aligned) -> Vec<(char, Range<usize>)> {
        let spans = aligned.text.char_indices().map(|(at, c)| (c, aligned.span(at..at + c.len_utf8()).range()));
        spans.collect()
    }

    #[test]
    fn follows_what_is_put_in_and_taken_away() {
        let mut aligned = Aligned::new("aé語b", 10);
        aligned.filter(|c| c != 'a');
        assert_eq!(characters(&aligned), [('é', 11..13), ('語', 13..16), ('b', 16..17)]);
        aligned.expand(|c| [' ', c].into_iter().filter(|c| c.is_ascii()));
        assert_eq!(characters(&aligned), [(' ', 11..13), (' ', 13..16), (' ', 16..17), ('b', 16..17)]);
        aligned.filter(|_| false);
        assert_eq!((aligned.text(), characters(&aligned)), ("", vec![]));
    }

    #[test]
    fn bytes_of_characters_that_came_of_one_have_its_span() {
        // A Hangul syllable and its two letters take three bytes each.
        let mut aligned = Aligned::new("가나", 0);
        aligned.expand(|c| if c == '가' { "\u{1100}\u{1161}".chars() } else { "나".chars() });
        aligned.map_bytes(|byte| char::from(b'a' + byte % 26));
        assert_eq!((aligned.span(2..4).range(), aligned.span(5..7).range()), (0..3, 0..4));
    }

    #[test]
    fn what_is_put_in_first_has_an_empty_span() {
        let mut aligned = Aligned::new("x", 4);
        aligned.rewrite([Change::Insert('▁'), Change::Become('y')]);
        assert_eq!(characters(&aligned), [('▁', 4..4), ('y', 4..5)]);
    }

    #[test]
    fn every_byte_of_the_untouched_text_has_the_span_of_its_character() {
        let text = "a\u{300}ß語😀";
        let mut aligned = Aligned::new(text, 0);
        aligned.expand(std::iter::once);
        assert_eq!(aligned, Aligned::new(text, 0));
        for (at, c) in text.char_indices() {
            assert_eq!(aligned.span(at..at + c.len_utf8()).range(), at..at + c.len_utf8());
        }
    }
}
