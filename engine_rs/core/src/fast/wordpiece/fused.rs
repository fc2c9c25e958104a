//! The stages in one pass over the text.
//!
//! Stretches of ASCII go through [`ascii`]: masks tell words from punctuation, 64 bytes at a time. Everything else goes
//! through [`walk`], character by character. Both put words into the queue and hand over only between two of them, so
//! neither keeps a state for the other. [`Flush`] makes tokens of the words.

use super::chars::Kind;
use super::queue::{Queue, Queued, Source};
use super::{Memory, WordPiecePath};
use crate::call;
use crate::encoding::{Few, KnownWords, Sink, Stage};
use crate::error::EncodeError;
use crate::fast::blocks::{BLOCK, Classify};
use crate::fast::long_words;
use crate::fast::memo::{self, NO_KEY, Tokens};
use crate::fast::processor::Work;
use crate::ids::Id;
use crate::offsets::Span;

/// Sets of characters: parts of words, pretokens of their own, white space.
pub(crate) const WORD: u8 = 1;
pub(crate) const ALONE: u8 = 2;
pub(crate) const SPACE: u8 = 4;

/// How much text the stages get at least, where marks may change places.
const STAGED_BYTES: usize = 64;

/// Encodes `text`, which starts at byte `base` of the original.
pub(crate) struct Encode<'a, S> {
    pub bert: &'a WordPiecePath,
    pub text: &'a str,
    pub base: usize,
    pub memory: &'a mut Memory,
    pub sink: &'a mut S,
}

impl<S: Sink> Work for Encode<'_, S> {
    type Output = Result<(), EncodeError>;

    #[inline(always)]
    fn on<C: Classify>(self, classify: C) -> Self::Output {
        let Self { bert, text, base, memory, sink } = self;
        sink.enter(Stage::Pretokenizer);
        memory.table.prepare();
        memory.queue.prepare(bert.model.settings().max_chars);
        let mut at = 0;
        while at < text.len() {
            at = ascii(bert, classify, text.as_bytes(), at, base, memory, sink);
            // Ends because `walk` moves on by at least one character.
            while at < text.len() {
                call::check()?;
                let (next, stop) = walk(bert, text.as_bytes(), at, base, memory);
                at = next;
                match stop {
                    Stop::Ascii => break,
                    Stop::Full => classify.run(Flush { bert, text: text.as_bytes(), base, memory, sink }),
                    Stop::Moves => {
                        classify.run(Flush { bert, text: text.as_bytes(), base, memory, sink });
                        // Not for every word anew: that costs more than a few words by the stages.
                        let from = (at + STAGED_BYTES).min(text.len());
                        let is_end = |byte: &u8| matches!(byte, b' ' | b'\n' | b'\t' | b'\r');
                        let end = text.as_bytes()[from..].iter().position(is_end).map_or(text.len(), |len| from + len);
                        bert.encode_stages(&text[at..end], base + at, sink)?;
                        sink.enter(Stage::Pretokenizer);
                        at = end;
                    }
                }
            }
        }
        classify.run(Flush { bert, text: text.as_bytes(), base, memory, sink });
        Ok(())
    }
}

/// Queues the words from byte `at` on up to the first that is not all ASCII or longer than a block, or up to a character
/// that is neither. Returns where that is.
#[inline(always)]
fn ascii<C: Classify, S: Sink>(
    bert: &WordPiecePath,
    classify: C,
    text: &[u8],
    mut at: usize,
    base: usize,
    memory: &mut Memory,
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
        let [word, alone, space] = classify.masks(&bert.sets, block);
        let other = !(word | alone | space);
        let before_other = (other & other.wrapping_neg()).wrapping_sub(1);
        let (word, alone) = (word & before_other, alone & before_other);
        let starts = alone | word & !(word << 1);
        // A word that touches the end of the block or another character may go on, so it has no end here.
        let ends = alone << 1 | !word & word << 1 & before_other;
        memory.queue.push_block(classify, at, starts, ends);
        let next = if starts.count_ones() > ends.count_ones() {
            63 - starts.leading_zeros()
        } else {
            before_other.trailing_ones()
        };
        at += next as usize;
        if memory.queue.is_full() {
            classify.run(Flush { bert, text, base, memory, sink });
            if call::check().is_err() {
                return text.len();
            }
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

/// Queues the words from byte `start` on, character by character, at least one of them. Stops between two words, says
/// where and why.
#[inline(always)]
fn walk(bert: &WordPiecePath, text: &[u8], start: usize, base: usize, memory: &mut Memory) -> (usize, Stop) {
    let mut writer = memory.queue.writer();
    let mut at = start;
    // Where the last separator ends.
    let mut since = start;
    while at < text.len() {
        let four = first4(text, at);
        let (entry, len) = bert.chars.at(four);
        let span = Span::new(base + at, base + at + len);
        if entry.is_letter() {
            let keep = entry.kind() == Kind::Keep;
            writer.push(if keep { four } else { entry.bytes() }, if keep { len } else { entry.len() }, span);
            at += len;
            continue;
        }
        match entry.kind() {
            Kind::Keep | Kind::Put | Kind::Gone => {}
            Kind::PutText => writer.push(bert.chars.text(entry), entry.len(), span),
            Kind::Hangul => {
                let (bytes, len) = letters_of_hangul(four);
                writer.push(bytes, len, span);
            }
            Kind::Space | Kind::Alone => {
                writer.end_word();
                if entry.kind() == Kind::Alone {
                    writer.push_known(entry.id(), span);
                }
                since = at + len;
                if is_ascii_ahead(text, since) {
                    return (since, Stop::Ascii);
                }
                if writer.is_full() {
                    return (since, Stop::Full);
                }
            }
            Kind::Moves => {
                if !entry.is_single()
                    || is_mark_behind(bert, &text[start..at])
                    || is_mark_ahead(bert, &text[at + len..])
                {
                    let word = writer.word_start().map_or(since, |start| start as usize - base);
                    return (word, Stop::Moves);
                }
                writer.push(four, len, span);
            }
        }
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

fn is_mark_ahead(bert: &WordPiecePath, after: &[u8]) -> bool {
    !after.is_empty() && bert.chars.at(first4(after, 0)).0.is_mark()
}

fn is_mark_behind(bert: &WordPiecePath, before: &[u8]) -> bool {
    let last = before.iter().rposition(|byte| byte & 0xc0 != 0x80);
    last.is_some_and(|at| bert.chars.at(first4(before, at)).0.is_mark())
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
struct Flush<'a, S> {
    bert: &'a WordPiecePath,
    text: &'a [u8],
    base: usize,
    memory: &'a mut Memory,
    sink: &'a mut S,
}

impl<S: Sink> Work for Flush<'_, S> {
    type Output = ();

    #[inline(always)]
    fn on<C: Classify>(self, _: C) {
        let Self { bert, text, base, memory, sink } = self;
        sink.enter(Stage::Model);
        memory.queue.find_keys(text, bert.case_bit, &memory.table, &memory.long_words);
        let (mut n, len) = (0, memory.queue.len());
        while n < len {
            let mut known = Known { table: &memory.table, queue: &memory.queue, base };
            n = sink.push_known(n..len, &mut known);
            // This one, and those after it that are not of ASCII: none of them is known to the loop above.
            while n < len {
                push_word(bert, text, base, memory, n, sink);
                n += 1;
                if n < len && memory.queue.word(n).source == Source::Text {
                    break;
                }
            }
        }
        memory.queue.clear();
        sink.enter(Stage::Pretokenizer);
    }
}

/// The queued words of ASCII with up to four tokens that stand in their own line.
struct Known<'a> {
    table: &'a memo::Table,
    queue: &'a Queue,
    base: usize,
}

impl KnownWords<{ memo::INLINE }> for Known<'_> {
    #[inline(always)]
    fn find(&mut self, n: usize) -> Option<Few<{ memo::INLINE }>> {
        let (word, (key, place)) = (self.queue.word(n), self.queue.key(n));
        if word.source != Source::Text {
            return None;
        }
        self.table.get(key, place)?.few(self.base + word.start, true, false)
    }
}

/// Pushes the tokens of queued word number `n`.
#[inline(always)]
fn push_word<S: Sink>(bert: &WordPiecePath, text: &[u8], base: usize, memory: &mut Memory, n: usize, sink: &mut S) {
    let word = memory.queue.word(n);
    sink.begin_pretoken();
    if let Source::Known(id) = word.source {
        return sink.push(id, Span::new(word.start, word.end));
    }
    let (key, place) = memory.queue.key(n);
    match memory.table.get(key, place) {
        Some(tokens) => {
            sink.looked_up(true);
            push_packed(memory, word, base, tokens, sink);
        }
        None if key == NO_KEY => long(bert, text, base, memory, word, sink),
        None => unusual(bert, text, base, memory, n, sink),
    }
}

#[inline(always)]
fn push_packed<S: Sink>(memory: &Memory, word: Queued, base: usize, tokens: &Tokens, sink: &mut S) {
    // Most words: their tokens leave no gaps, and how many there are cannot be foreseen.
    if word.source == Source::Text && tokens.push_inline(base + word.start, sink) {
        return;
    }
    match tokens.inline() {
        Some(tokens) => push(&memory.queue, word, base, tokens, sink),
        None => push_all(&memory.queue, word, base, memory.table.many(tokens), sink),
    }
}

/// Pushes the tokens of a word that is new, or whose line in the cache was full.
#[inline(never)]
fn unusual<S: Sink>(bert: &WordPiecePath, text: &[u8], base: usize, memory: &mut Memory, n: usize, sink: &mut S) {
    let (word, (key, place)) = (memory.queue.word(n), memory.queue.key(n));
    let known = memory.table.get_in_group(key, place);
    sink.looked_up(known.is_some());
    if let Some(tokens) = known {
        return push_packed(memory, word, base, tokens, sink);
    }
    segment(bert, text, memory, word);
    memory.table.put(key, place, &memory.tokens);
    push_all(&memory.queue, word, base, &memory.tokens, sink);
}

/// Pushes the tokens of a word that has no key.
#[inline(never)]
fn long<S: Sink>(bert: &WordPiecePath, text: &[u8], base: usize, memory: &mut Memory, word: Queued, sink: &mut S) {
    let Memory { queue, folded, long_words, tokens, .. } = memory;
    if word.end - word.start > long_words::MAX_BYTES {
        sink.looked_up(false);
        segment(bert, text, memory, word);
    } else {
        let normalized = normalized(bert, text, queue, folded, word);
        let known = long_words.find(normalized);
        sink.looked_up(known.is_some());
        if let Some(found) = known {
            let (ids, ends) = long_words.tokens(found);
            tokens.clear();
            tokens.extend(ids.iter().copied().zip(ends.iter().map(|&end| u32::from(end))));
            return push_all(queue, word, base, tokens, sink);
        }
        segment(bert, text, memory, word);
        let Memory { queue, folded, long_words, tokens, .. } = memory;
        long_words.put(if word.source == Source::Written { queue.written(word).0 } else { folded }, tokens);
    }
    push_all(&memory.queue, word, base, &memory.tokens, sink);
}

/// The word's text; that of a word of ASCII is made in `folded`.
fn normalized<'a>(
    bert: &WordPiecePath,
    text: &[u8],
    queue: &'a Queue,
    folded: &'a mut Vec<u8>,
    word: Queued,
) -> &'a [u8] {
    if word.source == Source::Written {
        return queue.written(word).0;
    }
    folded.clear();
    folded.extend_from_slice(&text[word.start..word.end]);
    if bert.normalizer.lowercase {
        folded.make_ascii_lowercase();
    }
    folded
}

/// Splits a word by the model and leaves the tokens in the memory.
#[cold]
#[inline(never)]
fn segment(bert: &WordPiecePath, text: &[u8], memory: &mut Memory, word: Queued) {
    let Memory { queue, tokens, folded, .. } = memory;
    let normalized = normalized(bert, text, queue, folded, word);
    tokens.clear();
    if queue.is_cut_short(word) || !bert.model.segment(normalized, tokens) {
        tokens.push((bert.model.settings().unknown, normalized.len() as u32));
    }
}

/// Pushes the tokens of a word, given with their ends in the word.
#[inline(always)]
fn push<S: Sink>(queue: &Queue, word: Queued, base: usize, tokens: impl Iterator<Item = (Id, usize)>, sink: &mut S) {
    let mut start = 0;
    for (id, end) in tokens {
        if word.source == Source::Written {
            let spans = queue.written(word).1;
            sink.push(id, Span { start: spans[start].start, end: spans[end - 1].end });
        } else {
            sink.push(id, Span::new(base + word.start + start, base + word.start + end));
        }
        start = end;
    }
}

#[inline(never)]
fn push_all<S: Sink>(queue: &Queue, word: Queued, base: usize, tokens: &[(Id, u32)], sink: &mut S) {
    push(queue, word, base, tokens.iter().map(|&(id, end)| (id, end as usize)), sink);
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
