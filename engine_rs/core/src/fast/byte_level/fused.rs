//! Pretokens and their tokens in one pass over the text.
//!
//! [`blocks`] finds most pretokens, 64 bytes at a time; what it leaves open is scanned, a pretoken at a time. Both put
//! pretokens into the queue; [`flush`] makes tokens of them.

use super::boundaries::Found;
use super::prefill::{Prefill, Prefilled};
use super::{ByteLevelBpe, Memory};
use crate::call::{self, Checks};
use crate::encoding::{Few, IdsAndEnds, KnownWords, Sink, Stage};
use crate::error::EncodeError;
use crate::fast::blocks::Classify;
use crate::fast::long_words;
use crate::fast::memo::{self, Key, MAX_KEY_BYTES, MAX_WIDE_BYTES, NO_KEY, Place, Tokens};
use crate::fast::processor::Work;
use crate::fast::queue::{self, Part, Queue, Queued};
use crate::fast::texts;
use crate::ids::Id;
use crate::models::bpe::Bpe;
use crate::offsets::Span;
use crate::pretokenizers::characters::Classes;
use crate::pretokenizers::split::Split;
use crate::vocab::Vocab;

/// Longer words hardly come again: they are remembered the second time.
const MAX_COMMON_BYTES: usize = 64;

/// What stays the same while a text is encoded.
#[derive(Clone, Copy)]
pub(crate) struct Job<'a, P> {
    processor: P,
    fused: &'a ByteLevelBpe,
    vocab: &'a Vocab,
    text: &'a [u8],
    base: usize,
}

impl<'a, P> Job<'a, P> {
    /// The text.
    #[inline(always)]
    pub(crate) fn text(&self) -> &'a [u8] {
        self.text
    }

    /// The model and its vocabulary.
    #[inline(always)]
    pub(crate) fn model(&self) -> (&'a Bpe, &'a Vocab) {
        (&self.fused.bpe, self.vocab)
    }
}

/// Encodes `text`, which starts at byte `base` of the original.
pub(crate) struct Encode<'a, S> {
    pub fused: &'a ByteLevelBpe,
    pub vocab: &'a Vocab,
    pub text: &'a str,
    pub base: usize,
    pub memory: &'a mut Memory,
    pub sink: &'a mut S,
}

impl<'a, S: Sink> Encode<'a, S> {
    #[inline(always)]
    fn begin<P>(self, processor: P) -> (Job<'a, P>, &'a mut Memory, &'a mut S) {
        let Self { fused, vocab, text, base, memory, sink } = self;
        sink.enter(Stage::Pretokenizer);
        memory.table.prepare();
        memory.queue.clear();
        (Job { processor, fused, vocab, text: text.as_bytes(), base }, memory, sink)
    }
}

impl<S: Sink> Work for Encode<'_, S> {
    type Output = ();

    #[inline(always)]
    fn on<P: Classify>(self, processor: P) {
        let text = self.text;
        let (job, memory, sink) = self.begin(processor);
        let classes = Classes::get();
        let (mut at, mut checks) = (0, Checks::default());
        while at < text.len() {
            at = blocks(job, text, at, memory, sink);
            // Ends because every pretoken has a byte.
            while at < text.len() {
                if checks.step().is_err() {
                    return memory.queue.clear();
                }
                let boundaries = &job.fused.boundaries;
                let end = boundaries.rules().next(classes, text, at);
                push_scanned(job, at, end, memory, sink);
                at = end;
                let goes_on = P::HAS_NUMBERS && !is_ideograph_ahead(text.as_bytes(), at);
                if goes_on || is_ascii_ahead(text.as_bytes(), at) {
                    break;
                }
            }
        }
        flush(job, at, memory, sink);
    }
}

/// The same with the parts that a split finds in place of the rules.
///
/// Errors: as [`Split::for_each_range`].
pub(crate) struct EncodeSplit<'a, S> {
    pub split: &'a Split,
    pub encode: Encode<'a, S>,
}

impl<S: Sink> Work for EncodeSplit<'_, S> {
    type Output = Result<(), EncodeError>;

    #[inline(always)]
    fn on<P: Classify>(self, processor: P) -> Self::Output {
        let text = self.encode.text;
        let (job, memory, sink) = self.encode.begin(processor);
        let (mut at, mut checks) = (0, Checks::default());
        self.split.for_each_range(text, &mut |part| {
            checks.step()?;
            if part.start > at {
                // Pretokens in the queue leave no gaps.
                flush(job, at, memory, sink);
            }
            push_scanned(job, part.start, part.end, memory, sink);
            at = part.end;
            Ok(())
        })?;
        flush(job, at, memory, sink);
        Ok(())
    }
}

/// Queues a pretoken that a scanner found.
#[inline(always)]
fn push_scanned<P: Classify, S: Sink>(job: Job<P>, at: usize, end: usize, memory: &mut Memory, sink: &mut S) {
    if end - at > MAX_KEY_BYTES && falls_apart(&job.text[at..end]) {
        let hash = texts::hash(&job.text[at..end]);
        if memory.expects_runs {
            memory.long_words.prefetch(hash);
            memory.queue.push_run(at, hash);
        } else {
            push_run(job, at, end, hash, memory, sink);
        }
    } else {
        memory.queue.push(at, Part::Whole);
    }
    if memory.queue.is_full() {
        make_room(job, end, memory, sink);
    }
}

/// Queues the pretokens from byte `at` on, up to the first of which the end is not known from its block. Returns where
/// that one starts.
#[inline(always)]
fn blocks<P: Classify, S: Sink>(job: Job<P>, text: &str, mut at: usize, memory: &mut Memory, sink: &mut S) -> usize {
    let mut checks = Checks::default();
    loop {
        let Found { mut starts, end, goes_on, has_ideographs } = job.fused.boundaries.find(job.processor, text, at);
        if has_ideographs {
            if checks.step().is_err() {
                memory.queue.clear();
                return text.len();
            }
            while starts != 0 {
                let start = at + starts.trailing_zeros() as usize;
                starts &= starts - 1;
                let end = if starts == 0 { end } else { at + starts.trailing_zeros() as usize };
                push_scanned(job, start, end, memory, sink);
            }
        } else {
            memory.queue.push_block(job.processor, at, starts);
            if memory.queue.is_full() {
                make_room(job, end, memory, sink);
                if call::check().is_err() {
                    memory.queue.clear();
                    return text.len();
                }
            }
        }
        at = end;
        if !goes_on || is_ideograph_ahead(job.text, at) {
            return at;
        }
    }
}

/// Whether a pretoken is likely to fall into parts: one of Chinese or Japanese characters, U+3000 to U+9FFF, which hardly
/// comes again as a whole. A single one of them before or after other text does not matter.
#[inline(always)]
fn falls_apart(word: &[u8]) -> bool {
    matches!(word[word.len() / 2 - 2..], [0xe3..=0xe9, ..] | [_, 0xe3..=0xe9, ..] | [_, _, 0xe3..=0xe9, ..])
}

/// Whether a Chinese or Japanese character follows, U+3000 to U+9FFF. The pretokens of such text are few and long: the scanner finds
/// their ends sooner than blocks do.
#[inline(always)]
fn is_ideograph_ahead(bytes: &[u8], at: usize) -> bool {
    matches!(bytes.get(at), Some(0xe3..=0xe9))
}

/// Whether the next 16 bytes, or what is left of the text, are ASCII.
#[inline(always)]
pub(crate) fn is_ascii_ahead(bytes: &[u8], at: usize) -> bool {
    match bytes[at..].first_chunk::<16>() {
        Some(ahead) => u128::from_le_bytes(*ahead) & (u128::MAX / 0xff * 0x80) == 0,
        None => false,
    }
}

/// Pushes the tokens of the queued pretokens, the last of which ends at byte `end`, and empties the queue.
#[inline(always)]
fn flush<P: Classify, S: Sink>(job: Job<P>, end: usize, memory: &mut Memory, sink: &mut S) {
    if memory.queue.has_runs() {
        resolve_runs(job, end, memory, sink);
    }
    look_up(job, end, memory, sink);
}

/// [`flush`] of a queue that is full; the last pretokens may stay in it.
#[inline(always)]
fn make_room<P: Classify, S: Sink>(job: Job<P>, end: usize, memory: &mut Memory, sink: &mut S) {
    if memory.queue.has_runs() {
        resolve_runs(job, end, memory, sink);
    }
    if memory.queue.is_full() {
        look_up(job, end, memory, sink);
    }
}

/// Finds the queued pretokens that are remembered as wholes and puts the parts of the others in their place. Such a pretoken
/// is remembered the second time it comes, since most come once.
/// Without this waiting documents of which half is multilingual take 1.11 to 1.17 times as long when they come again.
#[inline(never)]
fn resolve_runs<P: Classify, S: Sink>(job: Job<P>, end: usize, memory: &mut Memory, sink: &mut S) {
    let known = &memory.long_words;
    let Some(first) = memory.queue.find_runs(|hash| known.find_hash(hash)) else { return };
    memory.expects_runs = false;
    let mut pretokens = std::mem::take(&mut memory.pretokens);
    memory.queue.move_to(first, end, &mut pretokens);
    for Queued { start, end, part, hash } in pretokens.drain(..) {
        let (start, end) = (start as usize, end as usize);
        if part == Part::Run {
            push_run(job, start, end, hash, memory, sink);
        } else {
            debug_assert!(part != Part::Remembered, "what was found of it is not moved");
            memory.queue.push(start, part);
        }
        if memory.queue.is_full() {
            look_up(job, end, memory, sink);
        }
    }
    memory.pretokens = pretokens;
}

/// Queues a pretoken that is likely to fall into parts: as a whole if it is remembered or does not fall apart.
#[inline(never)]
fn push_run<P: Classify, S: Sink>(job: Job<P>, start: usize, end: usize, hash: u32, memory: &mut Memory, sink: &mut S) {
    let can_be_kept = end - start <= long_words::MAX_BYTES;
    match if can_be_kept { memory.long_words.find_hash_or_note(hash) } else { Err(false) } {
        Ok(found) => {
            memory.expects_runs = true;
            return memory.queue.push_remembered(start, found);
        }
        Err(true) => {
            look_up(job, start, memory, sink);
            remember_run(job, start, end, memory);
            sink.begin_pretoken();
            sink.looked_up(false);
            return push_all(job.base + start, &memory.tokens, sink);
        }
        Err(false) => (),
    }
    let mut part = Part::First;
    job.fused.bpe.boundary_filter(job.vocab).parts(&job.text[start..end], |from, to| {
        if memory.queue.is_full() {
            look_up(job, start + from, memory, sink);
        }
        memory.queue.push(start + from, if to - from == end - start { Part::Whole } else { part });
        part = Part::Other;
    });
}

/// Looks the queued pretokens and parts up, the last of which ends at byte `end`, pushes their tokens and empties the queue.
#[inline(always)]
fn look_up<P: Classify, S: Sink>(job: Job<P>, end: usize, memory: &mut Memory, sink: &mut S) {
    job.processor.run(LookUp { job, end, memory, sink });
}

/// [`look_up`], in a function of its own.
struct LookUp<'a, 'b, P, S> {
    job: Job<'b, P>,
    end: usize,
    memory: &'a mut Memory,
    sink: &'a mut S,
}

impl<P: Classify, S: Sink> Work for LookUp<'_, '_, P, S> {
    type Output = ();

    #[inline(always)]
    fn on<Q: Classify>(self, _: Q) {
        let Self { job, end, memory, sink } = self;
        sink.enter(Stage::Model);
        memory.queue.find_keys(job.text, end, &memory.table);
        let mut prefilled = Prefilled::default();
        let mut n = 0;
        while n < memory.queue.len() {
            let (table, queue) = (&memory.table, &memory.queue);
            let mut known = Known { table, queue, prefilled: &prefilled, base: job.base };
            n = sink.push_known(n..queue.len(), &mut known);
            if n == queue.len() {
                break;
            }
            let (range, (key, place), part) = (queue.range(n), queue.key(n), queue.part(n));
            if part != Part::Other {
                sink.begin_pretoken();
            }
            if key == NO_KEY {
                long(job, n, memory, sink);
            } else {
                if n >= prefilled.to && !memory.table.has(key, place) {
                    job.processor.run(Prefill { job, from: n, memory, prefilled: &mut prefilled });
                }
                unusual(job, range, part, (key, place), prefilled.has(n), memory, sink);
            }
            n += 1;
        }
        memory.queue.clear();
        sink.enter(Stage::Pretokenizer);
    }
}

/// The queued pretokens with up to four tokens that stand in their own line.
struct Known<'a, const LINES: usize> {
    table: &'a memo::Table<LINES>,
    queue: &'a Queue,
    prefilled: &'a Prefilled,
    base: usize,
}

impl<const LINES: usize> KnownWords<{ memo::INLINE }> for Known<'_, LINES> {
    #[inline(always)]
    fn find(&mut self, n: usize) -> Option<Few<{ memo::INLINE }>> {
        let (key, place) = self.queue.key(n);
        let tokens = self.table.get(key, place)?;
        let begins = self.queue.part(n) != Part::Other;
        tokens.few(self.base + self.queue.range(n).0, begins, self.prefilled.has(n))
    }
}

/// Pushes the tokens of a pretoken or part with a key that is new, has many tokens, or whose line was full. `is_new` if the
/// memo has it only since it was prefilled.
#[inline(never)]
fn unusual<P: Classify, S: Sink>(
    job: Job<P>,
    (start, end): (usize, usize),
    part: Part,
    (key, place): (Key, Place),
    is_new: bool,
    memory: &mut Memory,
    sink: &mut S,
) {
    let known = memory.table.get(key, place).or_else(|| memory.table.get_in_group(key, place));
    sink.looked_up(known.is_some() && !is_new);
    if let Some(tokens) = known {
        return push_tokens(job, start, tokens, memory, sink);
    }
    segment(job, start, end, part, memory);
    memory.table.put(key, place, &memory.tokens);
    push_all(job.base + start, &memory.tokens, sink);
}

#[inline(always)]
fn push_tokens<P: Classify, S: Sink>(job: Job<P>, start: usize, tokens: &Tokens, memory: &Memory, sink: &mut S) {
    if !tokens.push_inline(job.base + start, sink) {
        push_all(job.base + start, memory.table.many(tokens), sink);
    }
}

/// Pushes the tokens of entry number `n` of the queue, which has no key.
#[inline(never)]
fn long<P: Classify, S: Sink>(job: Job<P>, n: usize, memory: &mut Memory, sink: &mut S) {
    let ((start, end), part) = (memory.queue.range(n), memory.queue.part(n));
    if part != Part::Remembered {
        return longer(job, start, end, part, memory, sink);
    }
    let (found, word) = (memory.queue.found(n), &job.text[start..end]);
    let known = &memory.long_words;
    // Another one with its hash may have been found.
    let found = if known.is(found, word) { Some(found) } else { known.find(word) };
    sink.looked_up(found.is_some());
    if let Some(found) = found {
        return known.push(found, job.base + start, sink);
    }
    remember_run(job, start, end, memory);
    push_all(job.base + start, &memory.tokens, sink);
}

/// Pushes the tokens of a pretoken or part of more than [`MAX_KEY_BYTES`].
#[inline(always)]
fn longer<P: Classify, S: Sink>(job: Job<P>, start: usize, end: usize, part: Part, memory: &mut Memory, sink: &mut S) {
    if end - start <= MAX_WIDE_BYTES {
        return wide(job, start, end, part, memory, sink);
    }
    let word = &job.text[start..end];
    let known = &mut memory.long_words;
    let found = if word.len() <= MAX_COMMON_BYTES { known.find(word).ok_or(true) } else { known.find_or_note(word) };
    sink.looked_up(found.is_ok());
    let comes_again = match found {
        Ok(found) => return known.push(found, job.base + start, sink),
        Err(comes_again) => comes_again,
    };
    // ASCII has tokens of most pairs of letters: parts are long, and to find them takes longer than to merge.
    if word.len() > MAX_COMMON_BYTES && part == Part::Whole && !word.is_ascii() {
        if !comes_again && job.fused.bpe.whole(job.vocab, word).is_none() {
            return long_run(job, start, end, memory, sink);
        }
        remember_run(job, start, end, memory);
    } else {
        segment(job, start, end, part, memory);
        if comes_again {
            remember(job, word, memory);
        }
    }
    push_all(job.base + start, &memory.tokens, sink);
}

/// Pushes the tokens of a pretoken or part of 16 to 31 bytes.
#[inline(always)]
fn wide<P: Classify, S: Sink>(job: Job<P>, start: usize, end: usize, part: Part, memory: &mut Memory, sink: &mut S) {
    let key = queue::wide_key(job.text, start, end - start, part);
    let place = memo::wide_place(key);
    let known = memory.table.get_wide(key, place);
    sink.looked_up(known.is_some());
    if let Some(tokens) = known {
        if !tokens.push_inline(job.base + start, sink) {
            push_all(job.base + start, memory.table.many(tokens), sink);
        }
        return;
    }
    segment(job, start, end, part, memory);
    memory.table.put_wide(key, place, &memory.tokens);
    push_all(job.base + start, &memory.tokens, sink);
}

/// Remembers the tokens of a pretoken that falls into parts, and leaves them in `memory`.
#[cold]
#[inline(never)]
fn remember_run<P: Classify>(job: Job<P>, start: usize, end: usize, memory: &mut Memory) {
    let (mut found, first) = (IdsAndEnds::default(), (job.base + start) as u32);
    match job.fused.bpe.whole(job.vocab, &job.text[start..end]) {
        Some(id) => found.push(id, Span { start: first, end: first + (end - start) as u32 }),
        None => long_run(job, start, end, memory, &mut found),
    }
    memory.tokens.clear();
    memory.tokens.extend(found.ids.into_iter().zip(found.ends).map(|(id, end)| (id, end - first)));
    remember(job, &job.text[start..end], memory);
}

/// Remembers the tokens in `memory` as those of a word, unless they depend on whether it is a pretoken or a part of one.
#[cold]
fn remember<P: Classify>(job: Job<P>, word: &[u8], memory: &mut Memory) {
    if job.fused.bpe.whole(job.vocab, word).is_none_or(|id| job.fused.bpe.is_built(id)) {
        memory.long_words.put(word, &memory.tokens);
    }
}

/// Pushes the tokens of a pretoken that is too long to be remembered: part by part.
#[cold]
#[inline(never)]
fn long_run<P: Classify, S: Sink>(job: Job<P>, start: usize, end: usize, memory: &mut Memory, sink: &mut S) {
    job.fused.bpe.boundary_filter(job.vocab).parts(&job.text[start..end], |from, to| {
        let (from, to) = (start + from, start + to);
        if to - from > MAX_KEY_BYTES {
            return longer(job, from, to, Part::Other, memory, sink);
        }
        let key = queue::key(job.text, from, to - from, Part::Other);
        unusual(job, (from, to), Part::Other, (key, memo::place(key)), false, memory, sink);
    });
}

/// Leaves the tokens of a pretoken or part in `memory`.
#[inline(always)]
fn segment<P: Classify>(job: Job<P>, start: usize, end: usize, part: Part, memory: &mut Memory) {
    let word = &job.text[start..end];
    let whole = job.fused.bpe.whole(job.vocab, word).filter(|&id| part == Part::Whole || job.fused.bpe.is_built(id));
    match whole {
        Some(id) => {
            memory.tokens.clear();
            memory.tokens.push((id, word.len() as u32));
        }
        None => job.processor.run(Merge { bpe: &job.fused.bpe, word, memory }),
    }
}

/// Leaves the tokens of a word that is not one as a whole in `memory`.
struct Merge<'a> {
    bpe: &'a Bpe,
    word: &'a [u8],
    memory: &'a mut Memory,
}

impl Work for Merge<'_> {
    type Output = ();

    #[inline(always)]
    fn on<P: Classify>(self, _: P) {
        let Memory { scratch, tokens, .. } = self.memory;
        self.bpe.merge(self.word, scratch, tokens);
    }
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
