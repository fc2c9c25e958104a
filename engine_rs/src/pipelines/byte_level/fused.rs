//! Pretokens and their tokens in one pass over the text.
//!
//! Stretches of ASCII go through [`ascii`], 64 bytes at a time; everything else is scanned pretoken by pretoken. Both put
//! pretokens into the queue; [`flush`] makes tokens of them.

use super::boundaries::{self, Known};
use super::{ByteLevelBpe, WordCache};
use crate::encoding::Sink;
use crate::ids::Id;
use crate::offsets::Span;
use crate::pipelines::blocks::{BLOCK, Classify};
use crate::pipelines::cache::{self, Key, MAX_KEY_BYTES, NO_KEY, Place, Tokens};
use crate::pipelines::long_words;
use crate::pretokenizers::characters::Classes;
use crate::vocab::Vocab;

/// Or-ed into the key of a part of a longer pretoken: what is a token as a whole pretoken need not be one there.
const UNIT: Key = 1 << 127;

/// What stays the same while a text is encoded.
#[derive(Clone, Copy)]
struct Job<'a> {
    fused: &'a ByteLevelBpe,
    vocab: &'a Vocab,
    text: &'a [u8],
    base: usize,
}

/// Encodes `text`, which starts at byte `base` of the original.
#[inline(always)]
pub fn encode<C: Classify, S: Sink>(
    fused: &ByteLevelBpe,
    classify: C,
    vocab: &Vocab,
    text: &str,
    base: usize,
    cache: &mut WordCache,
    sink: &mut S,
) {
    cache.table.prepare();
    cache.queue.clear();
    let classes = Classes::get();
    let job = Job { fused, vocab, text: text.as_bytes(), base };
    let mut at = 0;
    while at < text.len() {
        at = ascii(job, classify, text, at, cache, sink);
        // Ends because every pretoken has a byte.
        while at < text.len() {
            cache.queue.push(at);
            at = fused.pattern.next(classes, text, at);
            if cache.queue.is_full() {
                flush(job, at, cache, sink);
            }
            if is_ascii_ahead(text.as_bytes(), at) {
                break;
            }
        }
    }
    flush(job, at, cache, sink);
}

/// Queues the pretokens from byte `at` on, up to the first of which the end is not known from its block. Returns where
/// that one starts.
#[inline(always)]
fn ascii<C: Classify, S: Sink>(
    job: Job,
    classify: C,
    text: &str,
    mut at: usize,
    cache: &mut WordCache,
    sink: &mut S,
) -> usize {
    loop {
        let padded;
        let block: &[u8; BLOCK] = match job.text[at..].first_chunk() {
            Some(block) => block,
            None => {
                // What follows the text is as unknown as what is not ASCII.
                let mut last = [0xff; BLOCK];
                last[..job.text.len() - at].copy_from_slice(&job.text[at..]);
                padded = last;
                &padded
            }
        };
        let masks = classify.masks(&job.fused.sets, block);
        let Known { starts, is_ascii } = boundaries::starts(job.fused.pattern, text, at, masks);
        let last = 63 - (starts | 1).leading_zeros();
        cache.queue.push_block(at, starts & !(1 << last));
        at += last as usize;
        if cache.queue.is_full() {
            flush(job, at, cache, sink);
        }
        if !is_ascii || last == 0 {
            return at;
        }
    }
}

/// Whether the next 16 bytes, or what is left of the text, are ASCII.
#[inline(always)]
fn is_ascii_ahead(bytes: &[u8], at: usize) -> bool {
    match bytes[at..].first_chunk::<16>() {
        Some(ahead) => u128::from_le_bytes(*ahead) & (u128::MAX / 0xff * 0x80) == 0,
        None => false,
    }
}

/// Pushes the tokens of the queued pretokens, the last of which ends at byte `end`, and empties the queue.
#[inline(never)]
fn flush<S: Sink>(job: Job, end: usize, cache: &mut WordCache, sink: &mut S) {
    cache.queue.find_keys(job.text, end, &cache.table);
    for n in 0..cache.queue.len() {
        let (start, end) = cache.queue.range(n);
        let (key, place) = cache.queue.key(n);
        sink.begin_pretoken();
        match cache.table.get(key, place) {
            Some(tokens) if tokens.push_inline(job.base + start, sink) => {}
            _ if key == NO_KEY => long(job, start, end, cache, sink),
            _ => unusual(job, start, end, (key, place), cache, sink),
        }
    }
    cache.queue.clear();
}

/// Pushes the tokens of a pretoken or unit with a key that is new, has many tokens, or whose line was full.
#[inline(never)]
fn unusual<S: Sink>(
    job: Job,
    start: usize,
    end: usize,
    (key, place): (Key, Place),
    cache: &mut WordCache,
    sink: &mut S,
) {
    if let Some(tokens) = cache.table.get(key, place).or_else(|| cache.table.get_beside(key, place)) {
        return push_tokens(job, start, tokens, cache, sink);
    }
    cut(job, start, end, key & UNIT != 0, cache);
    cache.table.put(key, place, &cache.tokens);
    push_all(job.base + start, &cache.tokens, sink);
}

#[inline(always)]
fn push_tokens<S: Sink>(job: Job, start: usize, tokens: &Tokens, cache: &WordCache, sink: &mut S) {
    if !tokens.push_inline(job.base + start, sink) {
        push_all(job.base + start, cache.table.many(tokens), sink);
    }
}

/// Pushes the tokens of a pretoken that has no key.
#[inline(never)]
fn long<S: Sink>(job: Job, start: usize, end: usize, cache: &mut WordCache, sink: &mut S) {
    let word = &job.text[start..end];
    if let Some(tokens) = cache.long_words.get(word) {
        return push_all(job.base + start, tokens, sink);
    }
    if let Some(id) = job.fused.bpe.whole(job.vocab, word) {
        sink.push(id, Span::new(job.base + start, job.base + end));
        return cache.long_words.put(word, &[(id, word.len() as u32)]);
    }
    if word.len() <= long_words::MAX_BYTES && word.is_ascii() {
        cut(job, start, end, true, cache);
        cache.long_words.put(word, &cache.tokens);
        return push_all(job.base + start, &cache.tokens, sink);
    }
    job.fused.bpe.joints().units(word, |from, to| unit(job, start + from, start + to, cache, sink));
}

/// Pushes the tokens of a part of a pretoken that no token reaches out of.
#[inline(always)]
fn unit<S: Sink>(job: Job, start: usize, end: usize, cache: &mut WordCache, sink: &mut S) {
    if end - start > MAX_KEY_BYTES {
        cut(job, start, end, true, cache);
        return push_all(job.base + start, &cache.tokens, sink);
    }
    let key = cache::key_at(job.text, start, end - start) | UNIT;
    let place = cache::place(key);
    match cache.table.get(key, place) {
        Some(tokens) if tokens.push_inline(job.base + start, sink) => {}
        _ => unusual(job, start, end, (key, place), cache, sink),
    }
}

/// Leaves the tokens of a pretoken, or of a part of one, in the cache.
#[cold]
#[inline(never)]
fn cut(job: Job, start: usize, end: usize, is_unit: bool, cache: &mut WordCache) {
    job.fused.bpe.cut(job.vocab, &job.text[start..end], is_unit, &mut cache.scratch, &mut cache.tokens);
}

/// Pushes tokens without gaps, given with their ends in the word that starts at byte `start` of the original.
#[inline(never)]
fn push_all<S: Sink>(start: usize, tokens: &[(Id, u32)], sink: &mut S) {
    let mut from = start;
    for &(id, end) in tokens {
        let end = start + end as usize;
        sink.push(id, Span::new(from, end));
        from = end;
    }
}
