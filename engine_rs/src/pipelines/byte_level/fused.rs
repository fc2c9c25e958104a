//! Pretokens and their tokens in one pass over the text.
//!
//! Stretches of ASCII go through [`ascii`], 64 bytes at a time; everything else is scanned pretoken by pretoken. Both put
//! pretokens into the queue; [`flush`] makes tokens of them.

use super::boundaries::{self, Known};
use super::{ByteLevelBpe, Memory};
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
    memory: &mut Memory,
    sink: &mut S,
) {
    memory.table.prepare();
    memory.queue.clear();
    let classes = Classes::get();
    let job = Job { fused, vocab, text: text.as_bytes(), base };
    let mut at = 0;
    while at < text.len() {
        at = ascii(job, classify, text, at, memory, sink);
        // Ends because every pretoken has a byte.
        while at < text.len() {
            memory.queue.push(at);
            at = fused.pattern.next(classes, text, at);
            if memory.queue.is_full() {
                flush(job, at, memory, sink);
            }
            if is_ascii_ahead(text.as_bytes(), at) {
                break;
            }
        }
    }
    flush(job, at, memory, sink);
}

/// Queues the pretokens from byte `at` on, up to the first of which the end is not known from its block. Returns where
/// that one starts.
#[inline(always)]
fn ascii<C: Classify, S: Sink>(
    job: Job,
    classify: C,
    text: &str,
    mut at: usize,
    memory: &mut Memory,
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
        memory.queue.push_block(at, starts & !(1 << last));
        at += last as usize;
        if memory.queue.is_full() {
            flush(job, at, memory, sink);
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
fn flush<S: Sink>(job: Job, end: usize, memory: &mut Memory, sink: &mut S) {
    memory.queue.find_keys(job.text, end, &memory.table);
    for n in 0..memory.queue.len() {
        let (start, end) = memory.queue.range(n);
        let (key, place) = memory.queue.key(n);
        sink.begin_pretoken();
        match memory.table.get(key, place) {
            Some(tokens) if tokens.push_inline(job.base + start, sink) => {}
            _ if key == NO_KEY => long(job, start, end, memory, sink),
            _ => unusual(job, start, end, (key, place), memory, sink),
        }
    }
    memory.queue.clear();
}

/// Pushes the tokens of a pretoken or unit with a key that is new, has many tokens, or whose line was full.
#[inline(never)]
fn unusual<S: Sink>(
    job: Job,
    start: usize,
    end: usize,
    (key, place): (Key, Place),
    memory: &mut Memory,
    sink: &mut S,
) {
    if let Some(tokens) = memory.table.get(key, place).or_else(|| memory.table.get_beside(key, place)) {
        return push_tokens(job, start, tokens, memory, sink);
    }
    cut(job, start, end, key & UNIT != 0, memory);
    memory.table.put(key, place, &memory.tokens);
    push_all(job.base + start, &memory.tokens, sink);
}

#[inline(always)]
fn push_tokens<S: Sink>(job: Job, start: usize, tokens: &Tokens, memory: &Memory, sink: &mut S) {
    if !tokens.push_inline(job.base + start, sink) {
        push_all(job.base + start, memory.table.many(tokens), sink);
    }
}

/// Pushes the tokens of a pretoken that has no key.
#[inline(never)]
fn long<S: Sink>(job: Job, start: usize, end: usize, memory: &mut Memory, sink: &mut S) {
    let word = &job.text[start..end];
    if let Some(tokens) = memory.long_words.get(word) {
        return push_all(job.base + start, tokens, sink);
    }
    if let Some(id) = job.fused.bpe.whole(job.vocab, word) {
        sink.push(id, Span::new(job.base + start, job.base + end));
        return memory.long_words.put(word, &[(id, word.len() as u32)]);
    }
    if word.len() <= long_words::MAX_BYTES && word.is_ascii() {
        cut(job, start, end, true, memory);
        memory.long_words.put(word, &memory.tokens);
        return push_all(job.base + start, &memory.tokens, sink);
    }
    job.fused.bpe.joints().units(word, |from, to| unit(job, start + from, start + to, memory, sink));
}

/// Pushes the tokens of a part of a pretoken that no token reaches out of.
#[inline(always)]
fn unit<S: Sink>(job: Job, start: usize, end: usize, memory: &mut Memory, sink: &mut S) {
    if end - start > MAX_KEY_BYTES {
        cut(job, start, end, true, memory);
        return push_all(job.base + start, &memory.tokens, sink);
    }
    let key = cache::key_at(job.text, start, end - start) | UNIT;
    let place = cache::place(key);
    match memory.table.get(key, place) {
        Some(tokens) if tokens.push_inline(job.base + start, sink) => {}
        _ => unusual(job, start, end, (key, place), memory, sink),
    }
}

/// Leaves the tokens of a pretoken, or of a part of one, in `memory`.
#[cold]
#[inline(never)]
fn cut(job: Job, start: usize, end: usize, is_unit: bool, memory: &mut Memory) {
    job.fused.bpe.cut(job.vocab, &job.text[start..end], is_unit, &mut memory.scratch, &mut memory.tokens);
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
