//! One word in the making: its normalized text, and for every place in it where that is in the original.

use super::cache::MAX_KEY_BYTES;
use crate::offsets::Span;

/// The most bytes that one character becomes.
const MAX_CHAR_BYTES: usize = 16;
/// What there is room for at first: BERT's words of at most 100 characters.
const FIRST_ROOM: usize = 401;

/// A word. Holds only as much as a word that is not unknown for its length can have.
#[derive(Debug, Default)]
pub struct Word {
    text: Vec<u8>,
    /// Per byte of `text`: where the character starts that it was made of.
    starts: Vec<u32>,
    /// Per byte of `text`, one further on: where the character ends that the byte before was made of.
    ends: Vec<u32>,
    len: usize,
    /// Where the last character ends, whether there was room for it or not.
    end: u32,
    /// The length at which more room is needed, or the word is too long.
    limit: usize,
    /// The length at which it is.
    room: usize,
}

impl Word {
    /// Makes room for words of `max_chars` characters; to be called before anything else.
    pub fn prepare(&mut self, max_chars: usize) {
        // More bytes than any word that counts, so that a full word is one that is too long, and one without a key.
        self.room = max_chars.saturating_mul(4).saturating_add(1).max(MAX_KEY_BYTES + 1);
        self.clear();
        self.grow(self.room.min(FIRST_ROOM));
    }

    /// Starts the next word.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Bytes of normalized text, as far as there was room.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether nothing has been added.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether the word has more than four bytes for each character it may have.
    #[inline(always)]
    pub fn is_too_long(&self) -> bool {
        self.len == self.room
    }

    /// Adds the first `len` of four bytes, 1 to 4, made of what `span` covers.
    #[inline(always)]
    pub fn push4(&mut self, bytes: [u8; 4], len: usize, span: Span) {
        let at = self.len;
        // What is written beyond `len` is written over by the next character, or is never looked at.
        self.text[at..at + 4].copy_from_slice(&bytes);
        self.starts[at..at + 4].fill(span.start);
        self.ends[at + 1..at + 5].fill(span.end);
        self.advance(len, span);
    }

    /// Adds up to [`MAX_CHAR_BYTES`] bytes, made of what `span` covers.
    pub fn push(&mut self, bytes: &[u8], span: Span) {
        let (at, len) = (self.len, bytes.len());
        self.text[at..at + len].copy_from_slice(bytes);
        self.starts[at..at + len].fill(span.start);
        self.ends[at + 1..at + len + 1].fill(span.end);
        self.advance(len, span);
    }

    #[inline(always)]
    fn advance(&mut self, len: usize, span: Span) {
        self.len += len;
        self.end = span.end;
        if self.len >= self.limit {
            self.len = self.len.min(self.room);
            self.grow(self.room.min(self.len * 2));
        }
    }

    /// Room for `limit` bytes and one more character.
    #[inline(never)]
    fn grow(&mut self, limit: usize) {
        if self.limit < limit {
            self.limit = limit;
            self.text.resize(limit + MAX_CHAR_BYTES, 0);
            self.starts.resize(limit + MAX_CHAR_BYTES, 0);
            self.ends.resize(limit + MAX_CHAR_BYTES + 1, 0);
        }
    }

    /// The normalized text; not whole characters where the word is too long.
    #[inline(always)]
    pub fn text(&self) -> &[u8] {
        &self.text[..self.len]
    }

    /// The first 16 bytes; what is beyond the word is anything.
    #[inline(always)]
    pub fn first16(&self) -> [u8; 16] {
        self.text[..16].try_into().expect("16 bytes, which there is room for")
    }

    /// What the bytes `start..end` of the text were made of.
    #[inline(always)]
    pub fn span(&self, start: usize, end: usize) -> Span {
        Span { start: self.starts[start], end: self.ends[end] }
    }

    /// What the whole word was made of.
    #[inline(always)]
    pub fn whole(&self) -> Span {
        Span { start: self.starts[0], end: self.end }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_where_its_parts_are_from() {
        let mut word = Word::default();
        word.prepare(5);
        word.push4(*b"a___", 1, Span::new(7, 9));
        word.push("i\u{307}".as_bytes(), Span::new(9, 11));
        word.push4(*b"\xc3\x9f__", 2, Span::new(14, 16));
        assert_eq!(word.text(), "ai\u{307}ß".as_bytes());
        assert_eq!(
            (word.span(0, 1), word.span(1, 2), word.span(2, 6)),
            (Span::new(7, 9), Span::new(9, 11), Span::new(9, 16))
        );
        assert!(!word.is_too_long());
        for at in 20..40 {
            word.push4(*b"b___", 1, Span::new(at, at + 1));
        }
        assert!(word.is_too_long());
        assert_eq!((word.len(), word.whole()), (21, Span::new(7, 40)));
        word.clear();
        assert!(word.is_empty() && word.text().is_empty());
    }
}
