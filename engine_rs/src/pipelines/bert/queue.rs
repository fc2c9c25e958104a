//! Words that wait to be looked up, in the order of the text.
//!
//! Looking words up in batches lets the memory of the cache arrive while other words are prepared. A word of ASCII stays
//! where it is in the text; others are written here, normalized, with the span each byte was made of.

use super::cache::{self, Key, MAX_KEY_BYTES, Place};
use crate::offsets::Span;

/// How many words are looked up at once.
pub const BATCH: usize = 128;
/// How many words one step may add beyond that: one of [`Writer`] two, one of [`Queue::push_block`] those of a block.
const STEP: usize = 2 + 64;
const ROOM: usize = BATCH + STEP;
/// Bytes of written words after which the batch is ended.
const WRITTEN: usize = 4096;
/// The most bytes that one character becomes.
const MAX_CHAR_BYTES: usize = 16;
/// The key of words that have none.
pub const NO_KEY: Key = Key::MAX;

/// The queue.
#[derive(Debug)]
pub struct Queue {
    len: usize,
    starts: [u32; ROOM],
    ends: [u32; ROOM],
    /// Whether the word is one of the written ones.
    written: [bool; ROOM],
    keys: [Key; ROOM],
    places: [Place; ROOM],
    text: Vec<u8>,
    /// Per byte of `text`.
    spans: Vec<Span>,
    text_len: usize,
    /// The longest word that is written in full: longer than any that is not unknown for its length.
    max_word: usize,
}

impl Default for Queue {
    fn default() -> Self {
        Self {
            len: 0,
            starts: [0; ROOM],
            ends: [0; ROOM],
            written: [false; ROOM],
            keys: [NO_KEY; ROOM],
            places: [cache::place(NO_KEY); ROOM],
            text: vec![],
            spans: vec![],
            text_len: 0,
            max_word: 0,
        }
    }
}

/// A word of the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Queued {
    /// Its first byte, in the text or in what has been written.
    pub start: usize,
    /// One past its last byte.
    pub end: usize,
    /// Whether it is one of the written ones.
    pub written: bool,
}

impl Queue {
    /// Empties the queue and sees that words of `max_chars` characters can be written.
    pub fn prepare(&mut self, max_chars: usize) {
        self.clear();
        self.max_word = max_chars.saturating_mul(4).saturating_add(1).max(MAX_KEY_BYTES + 1);
        self.reserve(0);
    }

    /// Empties the queue.
    #[inline(always)]
    pub fn clear(&mut self) {
        (self.len, self.text_len) = (0, 0);
    }

    /// Whether it is time to look the words up.
    #[inline(always)]
    pub fn is_full(&self) -> bool {
        self.len >= BATCH || self.text_len >= WRITTEN
    }

    /// Number of words.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Word number `n`.
    #[inline(always)]
    pub fn word(&self, n: usize) -> Queued {
        Queued { start: self.starts[n] as usize, end: self.ends[n] as usize, written: self.written[n] }
    }

    /// The text of a written word, and per byte of it what it was made of. The text of a word that is longer than counts
    /// is cut off; its last span ends where the word ends.
    #[inline(always)]
    pub fn written(&self, word: Queued) -> (&[u8], &[Span]) {
        (&self.text[word.start..word.end], &self.spans[word.start..word.end])
    }

    /// Whether a word is so long that it must have more characters than count.
    #[inline(always)]
    pub fn is_cut_off(&self, word: Queued) -> bool {
        word.written && word.end - word.start == self.max_word
    }

    /// Adds the words of the text that start and end at the bits of the masks, counted from byte `at` on: the n-th start
    /// with the n-th end. Starts that have no end are ignored.
    #[inline(always)]
    pub fn push_block(&mut self, at: usize, mut starts: u64, mut ends: u64) {
        let count = ends.count_ones() as usize;
        let mut done = 0;
        // Eight at a time: what is written too much is written over, and a loop of few lengths has few surprises.
        while done < count {
            let from = self.len + done;
            for (start, end) in self.starts[from..from + 8].iter_mut().zip(&mut self.ends[from..from + 8]) {
                *start = at as u32 + starts.trailing_zeros();
                *end = at as u32 + ends.trailing_zeros();
                starts &= starts.wrapping_sub(1);
                ends &= ends.wrapping_sub(1);
            }
            self.written[from..from + 8].fill(false);
            done += 8;
        }
        self.len += count;
    }

    /// Starts writing a word.
    #[inline(always)]
    pub fn writer(&mut self) -> Writer<'_> {
        let start = self.text_len;
        Writer { start, end: start, limit: self.limit(start), queue: self }
    }

    /// Computes the keys of all words and asks for the memory of `table` where they would be. `case_bit` is as in
    /// [`fold`], for the words of the text.
    #[inline(always)]
    pub fn find_keys(&mut self, text: &[u8], case_bit: u8, table: &cache::Table) {
        for n in 0..self.len {
            let (start, len) = (self.starts[n] as usize, (self.ends[n] - self.starts[n]) as usize);
            let (from, case_bit) = if self.written[n] { (&*self.text, 0) } else { (text, case_bit) };
            let bytes = match from[start..].first_chunk() {
                Some(bytes) => *bytes,
                None => std::array::from_fn(|n| from.get(start + n).copied().unwrap_or(0)),
            };
            self.keys[n] = if len <= MAX_KEY_BYTES { fold(cache::key(bytes, len), case_bit) } else { NO_KEY };
            self.places[n] = cache::place(self.keys[n]);
            table.prefetch(self.places[n]);
        }
    }

    /// The key of word number `n`, and its place in a table, once found.
    #[inline(always)]
    pub fn key(&self, n: usize) -> (Key, Place) {
        (self.keys[n], self.places[n])
    }

    /// Makes room for one more character after `len` bytes.
    fn reserve(&mut self, len: usize) {
        if len + MAX_CHAR_BYTES > self.text.len() {
            let room = (len * 2).max(WRITTEN * 2);
            self.text.resize(room, 0);
            self.spans.resize(room, Span::default());
        }
    }

    /// Up to where a word that starts at `start` can be written before it is either too long or needs more room.
    #[inline(always)]
    fn limit(&self, start: usize) -> usize {
        (start + self.max_word).min(self.text.len() - MAX_CHAR_BYTES)
    }
}

/// Lower case of ASCII, if `case_bit` is 0x20; the key as it is, if that is 0. All its bytes are ASCII in the first case.
///
/// Sixteen sums at once: none carries into the next, since a byte of ASCII and 0x3f are below 0x100.
#[inline(always)]
pub fn fold(key: Key, case_bit: u8) -> Key {
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
    /// Whether nothing of a word has been written.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.start == self.end
    }

    /// Adds the first `len` of four bytes, 1 to 4, made of what `span` covers.
    #[inline(always)]
    pub fn push4(&mut self, bytes: [u8; 4], len: usize, span: Span) {
        let at = self.end;
        // What is written beyond `len` is written over by the next character, or is never looked at.
        self.queue.text[at..at + 4].copy_from_slice(&bytes);
        self.queue.spans[at..at + 4].fill(span);
        self.advance(len, span);
    }

    /// Adds up to [`MAX_CHAR_BYTES`] bytes, made of what `span` covers.
    pub fn push(&mut self, bytes: &[u8], span: Span) {
        let (from, to) = (self.end, self.end + bytes.len());
        self.queue.text[from..to].copy_from_slice(bytes);
        self.queue.spans[from..to].fill(span);
        self.advance(bytes.len(), span);
    }

    #[inline(always)]
    fn advance(&mut self, len: usize, span: Span) {
        self.end += len;
        if self.end >= self.limit {
            self.at_limit(span);
        }
    }

    #[inline(never)]
    fn at_limit(&mut self, span: Span) {
        let longest = self.start + self.queue.max_word;
        if self.end >= longest {
            self.end = longest;
            self.queue.spans[longest - 1].end = span.end;
        }
        self.queue.reserve(self.end);
        self.limit = self.queue.limit(self.start);
    }

    /// Ends the word, if there is one. Afterwards the queue may be full, which is to be looked at before the next word.
    #[inline(always)]
    pub fn end_word(&mut self) {
        if self.is_empty() {
            return;
        }
        let queue = &mut *self.queue;
        queue.starts[queue.len] = self.start as u32;
        queue.ends[queue.len] = self.end as u32;
        queue.written[queue.len] = true;
        queue.len += 1;
        queue.text_len = self.end;
        self.start = self.end;
        self.limit = queue.limit(self.start);
    }

    /// Whether the queue is full.
    #[inline(always)]
    pub fn is_full(&self) -> bool {
        self.queue.is_full()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_words_know_where_their_parts_are_from() {
        let mut queue = Queue::default();
        queue.prepare(5);
        let mut writer = queue.writer();
        writer.push4(*b"a___", 1, Span::new(7, 9));
        writer.push("i\u{307}".as_bytes(), Span::new(9, 11));
        writer.push4(*b"\xc3\x9f__", 2, Span::new(14, 16));
        writer.end_word();
        writer.end_word();
        for at in 20..60 {
            writer.push4(*b"b___", 1, Span::new(at, at + 1));
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
        assert!(!queue.is_cut_off(queue.word(0)) && queue.is_cut_off(queue.word(1)));
    }

    #[test]
    fn words_of_the_text_come_from_masks() {
        let mut queue = Queue::default();
        queue.prepare(100);
        queue.push_block(100, 0b1001_0001, 0b0011_0100);
        let words: Vec<_> = (0..queue.len()).map(|n| (queue.word(n).start, queue.word(n).end)).collect();
        assert_eq!(words, [(100, 102), (104, 104), (107, 105)]);
        assert!(!queue.is_full());
        queue.push_block(0, u64::MAX, u64::MAX);
        queue.push_block(0, u64::MAX, u64::MAX);
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
