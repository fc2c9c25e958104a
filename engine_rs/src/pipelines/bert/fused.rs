//! The stages in one pass over the text.
//!
//! Stretches of ASCII go through [`ascii`]: masks tell words from punctuation, 64 bytes at a time, and words are looked
//! up in the cache in batches. Everything else goes through [`walk`], character by character. Both hand over only
//! between two words, so neither keeps a state for the other.

use super::blocks::{BLOCK, Classify};
use super::cache::{self, Key, MAX_KEY_BYTES, Place, Tokens};
use super::chars::Kind;
use super::{Bert, WordCache};
use crate::encoding::Sink;
use crate::offsets::Span;

/// How many words are looked up at once.
const BATCH: usize = 128;
/// What [`words`] of a block need at most.
const ROOM: usize = BATCH + BLOCK;
/// The key of words that have none.
const NO_KEY: Key = Key::MAX;

/// Encodes `text`, which starts at byte `base` of the original.
#[inline(always)]
pub fn encode<C: Classify, S: Sink>(
    bert: &Bert,
    classify: C,
    text: &str,
    base: usize,
    cache: &mut WordCache,
    sink: &mut S,
) {
    cache.table.prepare();
    cache.word.prepare(bert.model.settings().max_chars);
    let mut at = 0;
    // Ends because `walk` moves on by at least one character.
    while at < text.len() {
        at = ascii(bert, classify, text.as_bytes(), at, base, cache, sink);
        if at < text.len() {
            at = walk(bert, text, at, base, cache, sink);
        }
    }
}

/// Words that wait to be looked up.
#[derive(Debug)]
pub struct Queue {
    len: usize,
    starts: [u32; ROOM],
    ends: [u32; ROOM],
    keys: [Key; ROOM],
    places: [Place; ROOM],
}

impl Default for Queue {
    fn default() -> Self {
        Self { len: 0, starts: [0; ROOM], ends: [0; ROOM], keys: [NO_KEY; ROOM], places: [cache::place(NO_KEY); ROOM] }
    }
}

/// Encodes from byte `at` on up to the first word that is not all ASCII or longer than a block, or up to a character
/// that is neither. Returns where that is.
#[inline(always)]
fn ascii<C: Classify, S: Sink>(
    bert: &Bert,
    classify: C,
    text: &[u8],
    mut at: usize,
    base: usize,
    cache: &mut WordCache,
    sink: &mut S,
) -> usize {
    cache.queue.len = 0;
    loop {
        let padded;
        let block: &[u8; BLOCK] = match text[at..].first_chunk() {
            Some(block) => block,
            None => {
                let mut last = [b' '; BLOCK];
                last[..text.len() - at].copy_from_slice(&text[at..]);
                padded = last;
                &padded
            }
        };
        // A block starts where a word may start: nothing is carried over from the one before.
        let masks = classify.masks(&bert.sets, block);
        let other = !(masks.word | masks.alone | masks.space);
        let before_other = (other & other.wrapping_neg()).wrapping_sub(1);
        let (word, alone) = (masks.word & before_other, masks.alone & before_other);
        let starts = alone | word & !(word << 1);
        // A word that touches the end of the block or another character may go on, so it has no end here.
        let ends = alone << 1 | !word & word << 1 & before_other;
        cache.queue.push(at, starts, ends);
        let next = if starts.count_ones() > ends.count_ones() {
            63 - starts.leading_zeros()
        } else {
            before_other.trailing_ones()
        };
        at += next as usize;
        if other != 0 || next == 0 || at >= text.len() {
            flush(bert, text, base, cache, sink);
            return at;
        }
        if cache.queue.len > BATCH {
            flush(bert, text, base, cache, sink);
        }
    }
}

impl Queue {
    /// Adds the words that start and end at the bits of the masks, the n-th start with the n-th end.
    #[inline(always)]
    fn push(&mut self, at: usize, mut starts: u64, mut ends: u64) {
        let count = ends.count_ones() as usize;
        let mut done = 0;
        // Eight at a time: what is written too much is written over, and a loop without surprises is quicker.
        while done < count {
            let from = self.len + done;
            for (start, end) in self.starts[from..from + 8].iter_mut().zip(&mut self.ends[from..from + 8]) {
                *start = at as u32 + starts.trailing_zeros();
                *end = at as u32 + ends.trailing_zeros();
                starts &= starts.wrapping_sub(1);
                ends &= ends.wrapping_sub(1);
            }
            done += 8;
        }
        self.len += count;
    }
}

/// Encodes the words of the queue and empties it.
#[inline(always)]
fn flush<S: Sink>(bert: &Bert, text: &[u8], base: usize, cache: &mut WordCache, sink: &mut S) {
    let Queue { len: count, starts, ends, keys, places } = &mut *cache.queue;
    let count = *count;
    for n in 0..count {
        let (start, len) = (starts[n] as usize, (ends[n] - starts[n]) as usize);
        let bytes = match text[start..].first_chunk() {
            Some(bytes) => *bytes,
            None => std::array::from_fn(|n| text.get(start + n).copied().unwrap_or(0)),
        };
        keys[n] = if len <= MAX_KEY_BYTES { fold(cache::key(bytes, len), bert.case_bit) } else { NO_KEY };
        places[n] = cache::place(keys[n]);
        cache.table.prefetch(places[n]);
    }
    for n in 0..count {
        let (start, end) = (cache.queue.starts[n] as usize, cache.queue.ends[n] as usize);
        let (key, place) = (cache.queue.keys[n], cache.queue.places[n]);
        sink.begin_pretoken();
        match cache.table.get(key, place) {
            Some(tokens) => push(tokens, base + start, sink),
            None => miss(bert, &text[start..end], base + start, key, place, cache, sink),
        }
    }
    cache.queue.len = 0;
}

#[inline(always)]
fn push<S: Sink>(tokens: &Tokens, at: usize, sink: &mut S) {
    let mut start = 0;
    for n in 0..tokens.len() {
        sink.push(tokens.ids[n], Span::new(at + start, at + tokens.end(n)));
        start = tokens.end(n);
    }
}

/// The key of the word in lower case, if `case_bit` is 0x20, and as it is if that is 0. All bytes of the key are ASCII.
///
/// Sixteen sums at once: none carries into the next, since a byte of ASCII and 0x3f are below 0x100.
#[inline(always)]
fn fold(key: Key, case_bit: u8) -> Key {
    const EACH: u128 = u128::MAX / 0xff;
    let from_a = key.wrapping_add(EACH * (0x80 - b'A' as u128));
    let above_z = key.wrapping_add(EACH * (0x80 - b'Z' as u128 - 1));
    key | (from_a ^ above_z) >> 2 & (EACH * u128::from(case_bit))
}

/// A word of ASCII that is not in the cache.
#[cold]
#[inline(never)]
fn miss<S: Sink>(bert: &Bert, word: &[u8], at: usize, key: Key, place: Place, cache: &mut WordCache, sink: &mut S) {
    cache.word.clear();
    // At most a block, which there is room for unless words may have but a few characters.
    for (n, &byte) in word.iter().enumerate() {
        let byte = fold(Key::from(byte), bert.case_bit) as u8;
        cache.word.push4([byte, 0, 0, 0], 1, Span::new(at + n, at + n + 1));
    }
    cut(bert, cache, sink);
    if key != NO_KEY
        && let Some(tokens) = Tokens::new(&cache.tokens)
    {
        cache.table.put(key, place, tokens);
    }
}

/// Encodes from byte `at` on, character by character, at least one of them, up to the next place between words after
/// which the text is ASCII again. Returns where that is.
#[inline(always)]
fn walk<S: Sink>(bert: &Bert, text: &str, start: usize, base: usize, cache: &mut WordCache, sink: &mut S) -> usize {
    let bytes = text.as_bytes();
    let mut at = start;
    // Where the current word starts, or while there is none, where the last separator ends: marks from here on may move.
    let mut since = at;
    let mut after_mark = false;
    cache.word.clear();
    while at < bytes.len() {
        let (entry, len) = if bytes[at] < 128 { (bert.chars.ascii(bytes[at]), 1) } else { bert.chars.at(bytes, at) };
        let span = Span::new(base + at, base + at + len);
        if cache.word.is_empty() && matches!(entry.kind(), Kind::Keep | Kind::Put | Kind::Hangul) {
            since = at;
        }
        match entry.kind() {
            Kind::Keep => cache.word.push4(first4(bytes, at), len, span),
            Kind::Put if entry.len() <= 3 => cache.word.push4(entry.bytes(), entry.len(), span),
            Kind::Put => cache.word.push(bert.chars.text(entry), span),
            Kind::Gone => {}
            Kind::Hangul => {
                for part in crate::unicode::decompose(text[at..].chars().next().unwrap_or_default()) {
                    cache.word.push(part.encode_utf8(&mut [0; 4]).as_bytes(), span);
                }
            }
            Kind::Space | Kind::Alone => {
                finish(bert, cache, sink);
                if entry.kind() == Kind::Alone {
                    match entry.len() {
                        0 => cache.word.push4(first4(bytes, at), len, span),
                        1..=3 => cache.word.push4(entry.bytes(), entry.len(), span),
                        _ => cache.word.push(bert.chars.text(entry), span),
                    }
                    finish(bert, cache, sink);
                }
                since = at + len;
                if is_ascii_ahead(bytes, since) {
                    return since;
                }
            }
            Kind::Moves => {
                if after_mark || is_mark_ahead(bert, bytes, at + len) || !entry.is_single() {
                    let end = bytes[at..].iter().position(|byte| matches!(byte, b' ' | b'\n' | b'\t' | b'\r'));
                    let end = end.map_or(bytes.len(), |len| at + len);
                    bert.encode_staged(&text[since..end], base + since, sink);
                    cache.word.clear();
                    return end;
                }
                if cache.word.is_empty() {
                    since = at;
                }
                cache.word.push4(first4(bytes, at), len, span);
            }
        }
        after_mark = entry.is_mark();
        at += len;
    }
    finish(bert, cache, sink);
    at
}

/// Whether the next 16 bytes, or what is left of the text, are ASCII.
#[inline(always)]
fn is_ascii_ahead(bytes: &[u8], at: usize) -> bool {
    match bytes[at..].first_chunk::<16>() {
        Some(ahead) => ahead.is_ascii(),
        None => bytes[at..].is_ascii(),
    }
}

fn is_mark_ahead(bert: &Bert, bytes: &[u8], at: usize) -> bool {
    match bytes.get(at) {
        None => false,
        Some(&byte) if byte < 128 => bert.chars.ascii(byte).is_mark(),
        Some(_) => bert.chars.at(bytes, at).0.is_mark(),
    }
}

/// The character at `at` and what follows it, four bytes in all; zeros beyond the end of the text.
#[inline(always)]
fn first4(bytes: &[u8], at: usize) -> [u8; 4] {
    match bytes[at..].first_chunk() {
        Some(four) => *four,
        None => std::array::from_fn(|n| bytes.get(at + n).copied().unwrap_or(0)),
    }
}

/// Ends the word: pushes its tokens.
#[inline(always)]
fn finish<S: Sink>(bert: &Bert, cache: &mut WordCache, sink: &mut S) {
    let len = cache.word.len();
    if len == 0 {
        return;
    }
    sink.begin_pretoken();
    if len > MAX_KEY_BYTES {
        cut(bert, cache, sink);
    } else {
        let key = cache::key(cache.word.first16(), len);
        let place = cache::place(key);
        match cache.table.get(key, place) {
            Some(tokens) => {
                let mut start = 0;
                for n in 0..tokens.len() {
                    sink.push(tokens.ids[n], cache.word.span(start, tokens.end(n)));
                    start = tokens.end(n);
                }
            }
            None => {
                cut(bert, cache, sink);
                if let Some(tokens) = Tokens::new(&cache.tokens) {
                    cache.table.put(key, place, tokens);
                }
            }
        }
    }
    cache.word.clear();
}

/// Cuts the word by the model, leaves the tokens in the cache and pushes them.
#[inline(never)]
fn cut<S: Sink>(bert: &Bert, cache: &mut WordCache, sink: &mut S) {
    let WordCache { word, tokens, .. } = cache;
    tokens.clear();
    let unknown = (bert.model.settings().unknown, word.len() as u32);
    if word.is_too_long() || !bert.model.cut(word.text(), tokens) {
        tokens.push(unknown);
        return sink.push(unknown.0, word.whole());
    }
    let mut start = 0;
    for &(id, end) in &*tokens {
        sink.push(id, word.span(start as usize, end as usize));
        start = end;
    }
}
