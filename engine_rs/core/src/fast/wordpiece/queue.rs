//! Words that wait to be looked up, in the order of the text.
//!
//! Looking words up in batches lets the memory of the cache arrive while other words are prepared. A word of ASCII stays
//! where it is in the text; others are written here, normalized, with the span each byte was made of.

use crate::fast::blocks::Classify;
use crate::fast::long_words::{self, LongWords};
use crate::fast::memo::{self, Key, MAX_KEY_BYTES, NO_KEY, NO_PLACE, Place};
use crate::fast::texts;
use crate::ids::Id;
use crate::offsets::Span;

/// How many words are looked up at once.
pub(crate) const BATCH: usize = 128;
/// How many words one step may add beyond that: one of [`Writer`] two, one of [`Queue::push_block`] those of a block.
const STEP: usize = 2 + 64;
const ROOM: usize = BATCH + STEP;
/// Bytes of written words after which the batch is ended.
const WRITTEN: usize = 4096;
/// The most bytes that one character becomes.
const MAX_CHAR_BYTES: usize = 16;
/// More characters than this a word of the queue cannot have without being unknown.
pub(crate) const MAX_CHARS: usize = 1000;
/// Bytes of text: the last word may start just below `WRITTEN`.
const WRITTEN_ROOM: usize = WRITTEN + 4 * MAX_CHARS + 2 * MAX_CHAR_BYTES;

/// The queue.
#[derive(Debug)]
pub(crate) struct Queue {
    len: usize,
    starts: [u32; ROOM],
    ends: [u32; ROOM],
    sources: [Source; ROOM],
    keys: [Key; ROOM],
    places: [Place; ROOM],
    text: [u8; WRITTEN_ROOM],
    /// Per byte of `text`: what the character was made of.
    spans: [Span; WRITTEN_ROOM],
    text_len: usize,
    /// The longest word that is written in full: longer than any that is not unknown for its length.
    max_word: usize,
}

/// Where a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// In the text, of ASCII.
    Text,
    /// Among the written ones.
    Written,
    /// Nowhere: it is one token, and this is its id.
    Known(Id),
}

impl Default for Queue {
    fn default() -> Self {
        Self {
            len: 0,
            starts: [0; ROOM],
            ends: [0; ROOM],
            sources: [Source::Text; ROOM],
            keys: [NO_KEY; ROOM],
            places: [NO_PLACE; ROOM],
            text: [0; WRITTEN_ROOM],
            spans: [Span { start: 0, end: 0 }; WRITTEN_ROOM],
            text_len: 0,
            max_word: 0,
        }
    }
}

/// A word of the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Queued {
    /// Its first byte, in the text or in what has been written.
    pub(crate) start: usize,
    /// One past its last byte.
    pub(crate) end: usize,
    /// Where it is.
    pub(crate) source: Source,
}

impl Queue {
    /// Empties the queue for words of at most `max_chars` characters, which is at most [`MAX_CHARS`].
    pub(crate) fn prepare(&mut self, max_chars: usize) {
        self.clear();
        self.max_word = (max_chars.min(MAX_CHARS) * 4 + 1).max(MAX_KEY_BYTES + 1);
    }

    /// Empties the queue.
    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        (self.len, self.text_len) = (0, 0);
    }

    /// Whether it is time to look the words up.
    #[inline(always)]
    pub(crate) fn is_full(&self) -> bool {
        self.len >= BATCH || self.text_len >= WRITTEN
    }

    /// Number of words.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Word number `n`.
    #[inline(always)]
    pub(crate) fn word(&self, n: usize) -> Queued {
        Queued { start: self.starts[n] as usize, end: self.ends[n] as usize, source: self.sources[n] }
    }

    /// The text of a written word, and per byte of it what it was made of. The text of a word that is longer than counts
    /// is cut short; its last span ends where the word ends.
    #[inline(always)]
    pub(crate) fn written(&self, word: Queued) -> (&[u8], &[Span]) {
        (&self.text[word.start..word.end], &self.spans[word.start..word.end])
    }

    /// Whether a word is so long that it must have more characters than count.
    #[inline(always)]
    pub(crate) fn is_cut_short(&self, word: Queued) -> bool {
        word.source == Source::Written && word.end - word.start == self.max_word
    }

    /// Adds the words of the text that start and end at the bits of the masks, counted from byte `at` on: the n-th start
    /// with the n-th end. Starts that have no end are ignored.
    #[inline(always)]
    pub(crate) fn push_block(&mut self, processor: impl Classify, at: usize, starts: u64, ends: u64) {
        let count = ends.count_ones() as usize;
        processor.write_places(at as u32, starts, &mut self.starts[self.len..]);
        processor.write_places(at as u32, ends, &mut self.ends[self.len..]);
        for sources in self.sources[self.len..self.len + 64].as_chunks_mut::<16>().0.iter_mut().take(count.div_ceil(16))
        {
            sources.fill(Source::Text);
        }
        self.len += count;
    }

    /// Starts writing words.
    #[inline(always)]
    pub(crate) fn writer(&mut self) -> Writer<'_> {
        let start = self.text_len;
        Writer { start, end: start, limit: start + self.max_word, queue: self }
    }

    /// Computes the keys of all words and asks for the memory of `table` where they would be, and that of longer words which are
    /// written: those of the text are not in lower case yet. `case_bit` is as in [`fold`], for the words of the text.
    #[inline(always)]
    pub(crate) fn find_keys(&mut self, text: &[u8], case_bit: u8, table: &memo::Table, longer: &LongWords) {
        for n in 0..self.len {
            let (start, len) = (self.starts[n] as usize, (self.ends[n] - self.starts[n]) as usize);
            let (from, case_bit) = match self.sources[n] {
                Source::Text => (text, case_bit),
                Source::Written => (&self.text[..], 0),
                Source::Known(_) => continue,
            };
            if len <= MAX_KEY_BYTES {
                self.keys[n] = fold(memo::key_at(from, start, len), case_bit);
                self.places[n] = memo::place(self.keys[n]);
                table.prefetch(self.places[n]);
                continue;
            }
            (self.keys[n], self.places[n]) = (NO_KEY, NO_PLACE);
            if self.sources[n] == Source::Written && len <= long_words::MAX_BYTES {
                longer.prefetch(texts::hash(&from[start..start + len]));
            }
        }
    }

    /// The key of word number `n`, and its place in a table, once found.
    #[inline(always)]
    pub(crate) fn key(&self, n: usize) -> (Key, Place) {
        (self.keys[n], self.places[n])
    }

    #[inline(always)]
    fn push(&mut self, start: u32, end: u32, source: Source) {
        self.starts[self.len] = start;
        self.ends[self.len] = end;
        self.sources[self.len] = source;
        self.len += 1;
    }
}

/// Lower case of ASCII, if `case_bit` is 0x20; the key as it is, if that is 0. All its bytes are ASCII in the first case.
///
/// Sixteen sums at once: none carries into the next, since a byte of ASCII and 0x3f are below 0x100.
#[inline(always)]
fn fold(key: Key, case_bit: u8) -> Key {
    const EACH: u128 = u128::MAX / 0xff;
    let from_a = key.wrapping_add(EACH * (0x80 - b'A' as u128));
    let above_z = key.wrapping_add(EACH * (0x80 - b'Z' as u128 - 1));
    key | (from_a ^ above_z) >> 2 & (EACH * u128::from(case_bit))
}

/// Writes words into a queue. A word that is not ended is forgotten.
pub struct Writer<'a> {
    queue: &'a mut Queue,
    start: usize,
    end: usize,
    limit: usize,
}

impl Writer<'_> {
    /// Where the first character of the word starts that was made of, if there is a word.
    pub(crate) fn word_start(&self) -> Option<u32> {
        (self.start < self.end).then(|| self.queue.spans[self.start].start)
    }

    /// Adds the first `len` of some bytes, made of what `span` covers. `len` is not 0 and `N` at most
    /// [`MAX_CHAR_BYTES`].
    #[inline(always)]
    pub(crate) fn push<const N: usize>(&mut self, bytes: [u8; N], len: usize, span: Span) {
        const { assert!(N <= MAX_CHAR_BYTES) };
        let at = self.end;
        // What is written beyond `len` is written over by the next character, or is never looked at.
        self.queue.text[at..at + N].copy_from_slice(&bytes);
        self.queue.spans[at..at + N].fill(span);
        self.end += len;
        if self.end >= self.limit {
            self.end = self.limit;
            self.queue.spans[self.limit - 1].end = span.end;
        }
    }

    /// Ends the word, if there is one. Afterwards the queue may be full, which is to be looked at before the next word.
    #[inline(always)]
    pub(crate) fn end_word(&mut self) {
        if self.start < self.end {
            self.queue.push(self.start as u32, self.end as u32, Source::Written);
            self.queue.text_len = self.end;
            self.start = self.end;
            self.limit = self.start + self.queue.max_word;
        }
    }

    /// Adds a word that is known to be one token. No word is being written.
    #[inline(always)]
    pub(crate) fn push_known(&mut self, id: Id, span: Span) {
        self.queue.push(span.start, span.end, Source::Known(id));
    }

    /// Whether the queue is full.
    #[inline(always)]
    pub(crate) fn is_full(&self) -> bool {
        self.queue.is_full()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fast::blocks::Portable;

    #[test]
    fn written_words_know_where_their_parts_are_from() {
        let mut queue = Queue::default();
        queue.prepare(5);
        let mut writer = queue.writer();
        writer.push(*b"a___", 1, Span::new(7, 9));
        writer.push(*b"i\xcc\x87__", 3, Span::new(9, 11));
        writer.push(*b"\xc3\x9f", 2, Span::new(14, 16));
        writer.end_word();
        writer.end_word();
        for at in 20..60 {
            writer.push(*b"b___", 1, Span::new(at, at + 1));
        }
        writer.end_word();
        assert_eq!(queue.len(), 2);
        let (text, spans) = queue.written(queue.word(0));
        assert_eq!(text, "ai\u{307}ß".as_bytes());
        assert_eq!(
            [spans[0], spans[1], spans[3], spans[5]],
            [(7, 9), (9, 11), (9, 11), (14, 16)].map(|(a, b)| Span::new(a, b))
        );
        let (text, spans) = queue.written(queue.word(1));
        assert_eq!((text, spans[0].start, spans[20].end), (&[b'b'; 21][..], 20, 60));
        assert!(!queue.is_cut_short(queue.word(0)) && queue.is_cut_short(queue.word(1)));
    }

    #[test]
    fn words_of_the_text_come_from_masks() {
        let mut queue = Queue::default();
        queue.prepare(100);
        queue.push_block(Portable, 100, 0b1001_0001, 0b0011_0100);
        let words: Vec<_> = (0..queue.len()).map(|n| (queue.word(n).start, queue.word(n).end)).collect();
        assert_eq!(words, [(100, 102), (104, 104), (107, 105)]);
        assert!(!queue.is_full());
        queue.push_block(Portable, 0, u64::MAX, u64::MAX);
        queue.push_block(Portable, 0, u64::MAX, u64::MAX);
        assert!(queue.is_full());
    }

    #[test]
    fn folding_changes_capitals_alone() {
        for byte in 0..128u8 {
            assert_eq!(fold(Key::from(byte), 0x20), Key::from(byte.to_ascii_lowercase()), "{byte}");
            assert_eq!(fold(Key::from(byte), 0), Key::from(byte));
        }
        let bytes = *b"A@Z[`z{\x7f\0MNO09 ";
        assert_eq!(
            fold(Key::from_le_bytes([&bytes[..], &[15]].concat().try_into().expect("16")), 0x20).to_le_bytes()[..15],
            bytes.to_ascii_lowercase()
        );
    }
}
