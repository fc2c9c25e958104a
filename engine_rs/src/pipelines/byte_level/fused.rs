//! Pretokens and their tokens in one pass over the text.
//!
//! Stretches of ASCII go through [`ascii`], 64 bytes at a time; everything else is scanned pretoken by pretoken. Both put
//! pretokens into the queue; [`flush`] makes tokens of them.

use super::boundaries::{self, Known};
use super::queue::{self, Part};
use super::{ByteLevelBpe, Memory};
use crate::encoding::{Sink, Stage};
use crate::ids::Id;
use crate::offsets::Span;
use crate::pipelines::blocks::{BLOCK, Classify};
use crate::pipelines::cache::{self, Key, MAX_KEY_BYTES, NO_KEY, Place, Tokens};
use crate::pipelines::long_words;
use crate::pretokenizers::characters::Classes;
use crate::vocab::Vocab;

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
    sink.enter(Stage::Pretokenizer);
    memory.table.prepare();
    memory.queue.clear();
    let classes = Classes::get();
    let job = Job { fused, vocab, text: text.as_bytes(), base };
    let mut at = 0;
    while at < text.len() {
        at = ascii(job, classify, text, at, memory, sink);
        // Ends because every pretoken has a byte.
        while at < text.len() {
            let end = fused.pattern.next(classes, text, at);
            push_scanned(job, at, end, memory, sink);
            at = end;
            if is_ascii_ahead(text.as_bytes(), at) {
                break;
            }
        }
    }
    flush(job, at, memory, sink);
}

/// The same with a scanner in place of the pattern: `next` gives the end of the pretoken that starts at a byte.
#[inline(always)]
pub fn encode_scanned<S: Sink>(
    fused: &ByteLevelBpe,
    next: impl Fn(&str, usize) -> usize,
    (vocab, text, base): (&Vocab, &str, usize),
    memory: &mut Memory,
    sink: &mut S,
) {
    sink.enter(Stage::Pretokenizer);
    memory.table.prepare();
    memory.queue.clear();
    let job = Job { fused, vocab, text: text.as_bytes(), base };
    let mut at = 0;
    while at < text.len() {
        let end = next(text, at);
        push_scanned(job, at, end, memory, sink);
        at = end;
    }
    flush(job, at, memory, sink);
}

/// Queues a pretoken that a scanner found.
#[inline(always)]
fn push_scanned<S: Sink>(job: Job, at: usize, end: usize, memory: &mut Memory, sink: &mut S) {
    if end - at > MAX_KEY_BYTES && falls_apart(&job.text[at..end]) {
        push_units(job, at, end, memory, sink);
    } else {
        memory.queue.push(at, Part::Whole);
    }
    if memory.queue.is_full() {
        flush(job, end, memory, sink);
    }
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

/// Whether a pretoken is likely to fall into units: one of Chinese or Japanese characters, U+3000 to U+9FFF, which hardly
/// comes again as a whole. A single one of them before or after other text does not matter.
#[inline(always)]
fn falls_apart(word: &[u8]) -> bool {
    matches!(word[word.len() / 2 - 2..], [0xe3..=0xe9, ..] | [_, 0xe3..=0xe9, ..] | [_, _, 0xe3..=0xe9, ..])
}

/// Queues the units of a pretoken, or the pretoken as a whole where it does not fall apart.
#[inline(never)]
fn push_units<S: Sink>(job: Job, start: usize, end: usize, memory: &mut Memory, sink: &mut S) {
    let mut part = Part::First;
    job.fused.bpe.joints(job.vocab).units(&job.text[start..end], |from, to| {
        if memory.queue.is_full() {
            flush(job, start + from, memory, sink);
        }
        memory.queue.push(start + from, if to - from == end - start { Part::Whole } else { part });
        part = Part::Other;
    });
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
    sink.enter(Stage::Model);
    memory.queue.find_keys(job.text, end, &memory.table);
    for n in 0..memory.queue.len() {
        let (start, end) = memory.queue.range(n);
        let (key, place) = memory.queue.key(n);
        let part = memory.queue.part(n);
        if part != Part::Other {
            sink.begin_pretoken();
        }
        match memory.table.get(key, place) {
            Some(tokens) if tokens.push_inline(job.base + start, sink) => sink.looked_up(true),
            _ if key == NO_KEY => long(job, start, end, part, memory, sink),
            _ => unusual(job, start, end, part, (key, place), memory, sink),
        }
    }
    memory.queue.clear();
    sink.enter(Stage::Pretokenizer);
}

/// Pushes the tokens of a pretoken or unit with a key that is new, has many tokens, or whose line was full.
#[inline(never)]
fn unusual<S: Sink>(
    job: Job,
    start: usize,
    end: usize,
    part: Part,
    (key, place): (Key, Place),
    memory: &mut Memory,
    sink: &mut S,
) {
    let known = memory.table.get(key, place).or_else(|| memory.table.get_beside(key, place));
    sink.looked_up(known.is_some());
    if let Some(tokens) = known {
        return push_tokens(job, start, tokens, memory, sink);
    }
    segment(job, start, end, part, memory);
    memory.table.put(key, place, &memory.tokens);
    push_all(job.base + start, &memory.tokens, sink);
}

#[inline(always)]
fn push_tokens<S: Sink>(job: Job, start: usize, tokens: &Tokens, memory: &Memory, sink: &mut S) {
    if !tokens.push_inline(job.base + start, sink) {
        push_all(job.base + start, memory.table.many(tokens), sink);
    }
}

/// Pushes the tokens of a pretoken or unit that has no key.
#[inline(never)]
fn long<S: Sink>(job: Job, start: usize, end: usize, part: Part, memory: &mut Memory, sink: &mut S) {
    let Memory { long_words, long_units, tokens, scratch, .. } = memory;
    let word = &job.text[start..end];
    let known = if part == Part::Whole { long_words } else { long_units };
    if let Some(tokens) = known.get(word) {
        sink.looked_up(true);
        return push_all(job.base + start, tokens, sink);
    }
    sink.looked_up(false);
    if word.len() > long_words::MAX_BYTES && part == Part::Whole && job.fused.bpe.whole(job.vocab, word).is_none() {
        return long_run(job, start, end, memory, sink);
    }
    job.fused.bpe.segment(job.vocab, word, part != Part::Whole, scratch, tokens);
    known.put(word, tokens);
    push_all(job.base + start, tokens, sink);
}

/// Pushes the tokens of a pretoken that is too long to be remembered: unit by unit.
#[cold]
#[inline(never)]
fn long_run<S: Sink>(job: Job, start: usize, end: usize, memory: &mut Memory, sink: &mut S) {
    job.fused.bpe.joints(job.vocab).units(&job.text[start..end], |from, to| {
        let (from, to) = (start + from, start + to);
        if to - from > MAX_KEY_BYTES {
            return long(job, from, to, Part::Other, memory, sink);
        }
        let key = cache::key_at(job.text, from, to - from) | queue::UNIT;
        unusual(job, from, to, Part::Other, (key, cache::place(key)), memory, sink);
    });
}

/// Leaves the tokens of a pretoken or unit in `memory`.
#[cold]
#[inline(never)]
fn segment(job: Job, start: usize, end: usize, part: Part, memory: &mut Memory) {
    let Memory { scratch, tokens, .. } = memory;
    job.fused.bpe.segment(job.vocab, &job.text[start..end], part != Part::Whole, scratch, tokens);
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
