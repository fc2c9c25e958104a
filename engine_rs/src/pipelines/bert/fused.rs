//! The stages in one pass over the text.
//!
//! Stretches of ASCII go through [`ascii`]: masks tell words from punctuation, 64 bytes at a time. Everything else goes
//! through [`walk`], character by character. Both put words into the queue and hand over only between two of them, so
//! neither keeps a state for the other. [`flush`] makes tokens of the words.

use super::blocks::{BLOCK, Classify};
use super::cache::Tokens;
use super::chars::Kind;
use super::queue::{NO_KEY, Queued, fold};
use super::{Bert, WordCache};
use crate::encoding::Sink;
use crate::ids::Id;
use crate::offsets::Span;

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
    cache.queue.prepare(bert.model.settings().max_chars);
    let mut at = 0;
    while at < text.len() {
        at = ascii(bert, classify, text.as_bytes(), at, base, cache, sink);
        // Ends because `walk` moves on by at least one character.
        while at < text.len() {
            let (next, stop) = walk(bert, text, at, base, cache);
            at = next;
            match stop {
                Stop::Ascii => break,
                Stop::Full => flush(bert, text.as_bytes(), base, cache, sink),
                Stop::Moves => {
                    flush(bert, text.as_bytes(), base, cache, sink);
                    let is_end = |byte: &u8| matches!(byte, b' ' | b'\n' | b'\t' | b'\r');
                    let end = text.as_bytes()[at..].iter().position(is_end).map_or(text.len(), |len| at + len);
                    bert.encode_staged(&text[at..end], base + at, sink);
                    at = end;
                }
            }
        }
    }
    flush(bert, text.as_bytes(), base, cache, sink);
}

/// Queues the words from byte `at` on up to the first that is not all ASCII or longer than a block, or up to a character
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
        cache.queue.push_block(at, starts, ends);
        let next = if starts.count_ones() > ends.count_ones() {
            63 - starts.leading_zeros()
        } else {
            before_other.trailing_ones()
        };
        at += next as usize;
        if cache.queue.is_full() {
            flush(bert, text, base, cache, sink);
        }
        if other != 0 || next == 0 || at >= text.len() {
            return at;
        }
    }
}

/// Why [`walk`] stops.
enum Stop {
    /// The text ends, or from here on it is ASCII again.
    Ascii,
    /// The queue is full.
    Full,
    /// From here on marks may change places; to be encoded by the stages up to the next white space.
    Moves,
}

/// Queues the words from byte `at` on, character by character, at least one of them. Stops between two words, says where
/// and why.
#[inline(always)]
fn walk(bert: &Bert, text: &str, mut at: usize, base: usize, cache: &mut WordCache) -> (usize, Stop) {
    let bytes = text.as_bytes();
    let mut writer = cache.queue.writer();
    // Where the current word starts, or while there is none, where the last separator ends: marks from here on may move.
    let mut since = at;
    let mut after_mark = false;
    while at < bytes.len() {
        let four = first4(bytes, at);
        let (entry, len) = bert.chars.at(four);
        let span = Span::new(base + at, base + at + len);
        match entry.kind() {
            Kind::Keep => {
                since = if writer.is_empty() { at } else { since };
                writer.push4(four, len, span);
            }
            Kind::Put if entry.len() <= 3 => {
                since = if writer.is_empty() { at } else { since };
                writer.push4(entry.bytes(), entry.len(), span);
            }
            Kind::Put => {
                since = if writer.is_empty() { at } else { since };
                writer.push(bert.chars.text(entry), span);
            }
            Kind::Gone => {}
            Kind::Hangul => {
                since = if writer.is_empty() { at } else { since };
                let (bytes, len) = letters_of_hangul(four);
                writer.push(&bytes[..len], span);
            }
            Kind::Space => {
                writer.end_word();
                since = at + len;
                if is_ascii_ahead(bytes, since) {
                    return (since, Stop::Ascii);
                }
                if writer.is_full() {
                    return (since, Stop::Full);
                }
            }
            Kind::Alone => {
                writer.end_word();
                match entry.len() {
                    0 => writer.push4(four, len, span),
                    1..=3 => writer.push4(entry.bytes(), entry.len(), span),
                    _ => writer.push(bert.chars.text(entry), span),
                }
                writer.end_word();
                since = at + len;
                if is_ascii_ahead(bytes, since) {
                    return (since, Stop::Ascii);
                }
                if writer.is_full() {
                    return (since, Stop::Full);
                }
            }
            Kind::Moves => {
                if after_mark || is_mark_ahead(bert, bytes, at + len) || !entry.is_single() {
                    return (since, Stop::Moves);
                }
                since = if writer.is_empty() { at } else { since };
                writer.push4(four, len, span);
            }
        }
        after_mark = entry.is_mark();
        at += len;
    }
    writer.end_word();
    (at, Stop::Ascii)
}

/// Whether the next 16 bytes, or what is left of the text, are ASCII.
#[inline(always)]
fn is_ascii_ahead(bytes: &[u8], at: usize) -> bool {
    match bytes[at..].first_chunk::<16>() {
        Some(ahead) => u128::from_le_bytes(*ahead) & (u128::MAX / 0xff * 0x80) == 0,
        None => bytes[at..].is_ascii(),
    }
}

fn is_mark_ahead(bert: &Bert, bytes: &[u8], at: usize) -> bool {
    at < bytes.len() && bert.chars.at(first4(bytes, at)).0.is_mark()
}

/// The character at `at` and what follows it, four bytes in all; zeros beyond the end of the text.
#[inline(always)]
fn first4(bytes: &[u8], at: usize) -> [u8; 4] {
    match bytes[at..].first_chunk() {
        Some(four) => *four,
        None => std::array::from_fn(|n| bytes.get(at + n).copied().unwrap_or(0)),
    }
}

/// The letters that a syllable of Hangul decomposes into, in UTF-8: Unicode Standard, section 3.12.
#[inline]
fn letters_of_hangul([first, second, third, _]: [u8; 4]) -> ([u8; 9], usize) {
    let code = u32::from(first & 0xf) << 12 | u32::from(second & 0x3f) << 6 | u32::from(third & 0x3f);
    let index = code - 0xac00;
    let (lead, vowel, tail) = (0x1100 + index / 588, 0x1161 + index % 588 / 28, 0x11a7 + index % 28);
    let byte = |code: u32| [0xe1, (code >> 6 & 0x3f) as u8 | 0x80, (code & 0x3f) as u8 | 0x80];
    let ([a, b, c], [d, e, f], [g, h, i]) = (byte(lead), byte(vowel), byte(tail));
    ([a, b, c, d, e, f, g, h, i], if tail == 0x11a7 { 6 } else { 9 })
}

/// Pushes the tokens of the queued words and empties the queue.
#[inline(never)]
fn flush<S: Sink>(bert: &Bert, text: &[u8], base: usize, cache: &mut WordCache, sink: &mut S) {
    cache.queue.find_keys(text, bert.case_bit, &cache.table);
    for n in 0..cache.queue.len() {
        let word = cache.queue.word(n);
        let (key, place) = cache.queue.key(n);
        sink.begin_pretoken();
        match cache.table.get(key, place) {
            Some(tokens) => {
                let tokens = (0..tokens.len()).map(|n| (tokens.ids[n], tokens.end(n)));
                push(cache, word, base, tokens, sink);
            }
            None => {
                cut(bert, text, cache, word);
                if key != NO_KEY
                    && let Some(tokens) = Tokens::new(&cache.tokens)
                {
                    cache.table.put(key, place, tokens);
                }
                let tokens = cache.tokens.iter().map(|&(id, end)| (id, end as usize));
                push(cache, word, base, tokens, sink);
            }
        }
    }
    cache.queue.clear();
}

/// Pushes the tokens of a word, given with their ends in the word.
#[inline(always)]
fn push<S: Sink>(
    cache: &WordCache,
    word: Queued,
    base: usize,
    tokens: impl Iterator<Item = (Id, usize)>,
    sink: &mut S,
) {
    let mut start = 0;
    for (id, end) in tokens {
        if word.written {
            let spans = cache.queue.written(word).1;
            sink.push(id, Span { start: spans[start].start, end: spans[end - 1].end });
        } else {
            sink.push(id, Span::new(base + word.start + start, base + word.start + end));
        }
        start = end;
    }
}

/// Cuts a word by the model and leaves the tokens in the cache.
#[cold]
#[inline(never)]
fn cut(bert: &Bert, text: &[u8], cache: &mut WordCache, word: Queued) {
    let WordCache { queue, tokens, folded, .. } = cache;
    let normalized = if word.written {
        queue.written(word).0
    } else {
        folded.clear();
        folded.extend(text[word.start..word.end].iter().map(|&byte| fold(byte.into(), bert.case_bit) as u8));
        folded
    };
    tokens.clear();
    if queue.is_cut_off(word) || !bert.model.cut(normalized, tokens) {
        tokens.push((bert.model.settings().unknown, normalized.len() as u32));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hangul_decomposes_as_the_tables_say() {
        for c in '가'..='힣' {
            let mut four = [0; 4];
            c.encode_utf8(&mut four);
            let (bytes, len) = letters_of_hangul(four);
            let expected: String = crate::unicode::decompose(c).collect();
            assert_eq!(&bytes[..len], expected.as_bytes(), "{c}");
        }
    }
}
