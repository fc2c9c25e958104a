//! Remembers the tokens of segments ([`super::by_split_points`]) under their bytes in the original text.
//!
//! Most segments are words: short, one pretoken, without gaps between their tokens. They stand in a table of half a cache
//! line each. The tokens of all others stand in lists, where one takes eight bytes, or sixteen if there is more to say of it.
//! Where they are, the table says of a short segment, and a table of texts of any other, or of one that finds its places taken.
//! What is full is emptied: memory is bounded. A memo belongs to one thread.

use std::borrow::Cow;

use super::queue::{Part, Places};
use super::seen::Seen;
use super::texts::{self, Texts};
use crate::encoding::Sink;
use crate::fast::memo::{Key, MAX_KEY_BYTES, MAX_WIDE_BYTES, Place, Reference, Table, Tokens, wide_key_at};
use crate::fast::plain_words::share_spans;
use crate::ids::Id;
use crate::memory::HeapBytes;
use crate::offsets::Span;

/// Longer segments are not remembered. A paragraph of Japanese can be one.
pub(super) const MAX_BYTES: usize = u16::MAX as usize;
/// When the tokens that are remembered take so many bytes, or the texts, all are forgotten.
const MAX_TOKEN_BYTES: usize = 16 << 20;
const MAX_TEXT_BYTES: usize = 4 << 20;
/// Or-ed into the id of a token that a pretoken begins with.
const BEGINS: Id = 1 << 31;
/// Added to the number of the first token of a segment if it stands among the others.
const OTHERS: u32 = 1 << 31;
/// Stands for a pretoken without tokens.
const NO_TOKEN: Id = Id::MAX;

/// The memo.
#[derive(Default)]
pub struct SegmentMemo {
    pub(super) words: Table,
    /// How many bytes before the first token belong to none where a word starts with a space: 1 if the pretokenizer drops
    /// the space. The first word that starts so decides; words with another gap are not in `words`.
    gap_after_space: Option<u32>,
    /// Which tokens, counted from [`OTHERS`] on if they are others, and how many.
    texts: Texts<{ 1 << 15 }>,
    /// Tokens of most segments.
    plain: Vec<Plain>,
    /// Of all others.
    others: Vec<Recorded>,
    /// How the text spells tokens that need not be spelled so in the vocabulary.
    spellings: Vec<Box<str>>,
    /// Bytes of all spellings.
    spelling_bytes: usize,
    /// Stretches.
    seen: Seen,
    /// Kept for its memory.
    recorder: Recorder,
    /// The same.
    tokens: Vec<(Id, u32)>,
    /// The same.
    text: String,
}

/// Where the tokens of a segment stand.
#[derive(Clone, Copy, Debug)]
pub(super) enum Entry {
    /// Every pretoken has tokens, which are spelled as in the vocabulary.
    Plain((u32, u32)),
    /// Any tokens.
    Other((u32, u32)),
}

impl Entry {
    fn reference(self) -> Reference {
        match self {
            Self::Plain((first, last)) => [1, first, last],
            Self::Other((first, last)) => [2, first, last],
        }
    }

    fn of_reference([kind, first, last]: Reference) -> Self {
        if kind == 1 { Self::Plain((first, last)) } else { Self::Other((first, last)) }
    }
}

/// A token that is spelled as in the vocabulary, and whether a pretoken begins with it ([`BEGINS`]).
#[derive(Clone, Copy, Debug)]
struct Plain {
    id: Id,
    /// Where it starts and ends in the segment.
    start: u16,
    end: u16,
}

/// A token of a segment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recorded {
    /// The token, or [`NO_TOKEN`].
    id: Id,
    /// Where it starts and ends in the segment, in bytes.
    start: u16,
    end: u16,
    /// How many pretokens begin before it since the last token.
    begins: u32,
    /// Its spelling counted from 1, where it has one of its own; 0 where not.
    spelling: u32,
}

/// Records what is pushed into it, with bytes of the segment.
#[derive(Default)]
pub(super) struct Recorder {
    tokens: Vec<Recorded>,
    spellings: Vec<Box<str>>,
    begins: u32,
    spelling: u32,
    /// Whether an added token was among the tokens.
    has_added: bool,
}

impl Sink for Recorder {
    fn begin_pretoken(&mut self) {
        self.begins += 1;
    }

    fn push(&mut self, id: Id, span: Span) {
        let Span { start, end } = span;
        let begins = std::mem::take(&mut self.begins);
        let spelling = std::mem::take(&mut self.spelling);
        self.tokens.push(Recorded { id, start: start as u16, end: end as u16, begins, spelling });
    }

    fn spelling(&mut self, text: &str) {
        self.spellings.push(text.into());
        self.spelling = self.spellings.len() as u32;
    }

    fn push_added(&mut self, _: Id, _: Span, _: bool) {
        self.has_added = true;
    }
}

impl Recorder {
    fn clear(&mut self) {
        self.tokens.clear();
        self.spellings.clear();
        (self.begins, self.spelling, self.has_added) = (0, 0, false);
    }

    /// Whether there is no more to say of the tokens than [`Plain`] does.
    fn is_plain(&self) -> bool {
        let is_plain = |token: &Recorded| token.id < BEGINS && token.spelling == 0 && token.begins <= 1;
        self.tokens.iter().all(is_plain)
    }

    /// The gap before the first of plain tokens that are one pretoken and leave no other gaps up to byte `len`.
    fn gap_of_word(&self, len: usize) -> Option<u16> {
        let gap = self.tokens.first()?.start;
        let mut end = gap;
        let leaves_no_gap = |token: &Recorded| std::mem::replace(&mut end, token.end) == token.start;
        let is_one = self.tokens.iter().enumerate().all(|(at, token)| token.begins == u32::from(at == 0));
        (is_one && self.tokens.iter().all(leaves_no_gap) && usize::from(end) == len).then_some(gap)
    }
}

/// A pretoken begins here that was looked up, unless it continues another.
#[inline(always)]
fn begin<S: Sink>(continues: bool, is_known: bool, sink: &mut S) {
    sink.looked_up(is_known);
    if !continues {
        sink.begin_pretoken();
    }
}

/// Pushes tokens without gaps, given with their ends counted from byte `from` of the original.
#[inline]
fn push_all<S: Sink>(tokens: &[(Id, u32)], from: u32, sink: &mut S) {
    let mut start = from;
    for &(id, end) in tokens {
        let end = from + end;
        sink.push(id, Span { start, end });
        start = end;
    }
}

impl HeapBytes for SegmentMemo {
    fn heap_bytes(&self) -> usize {
        let Self {
            words,
            gap_after_space: _,
            texts,
            plain,
            others,
            spellings,
            spelling_bytes,
            seen,
            recorder,
            tokens: _,
            text,
        } = self;
        let tokens = plain.heap_bytes() + others.heap_bytes() + recorder.tokens.heap_bytes();
        let spellings = spellings.heap_bytes() + spelling_bytes;
        words.heap_bytes() + texts.heap_bytes() + tokens + spellings + seen.heap_bytes() + text.heap_bytes()
    }
}

/// Makes room for so many more, an eighth at a time: twice the memory would be more than a tokenizer keeps.
fn reserve<T>(list: &mut Vec<T>, more: usize) {
    if list.capacity() - list.len() < more {
        list.reserve_exact(more.max(list.len() / 8));
    }
}

impl Places for SegmentMemo {
    #[inline(always)]
    fn prefetch(&self, place: Place) {
        self.words.prefetch(place);
    }

    #[inline(always)]
    fn prefetch_long(&self, text: &[u8], start: usize, len: usize, part: Part) -> u32 {
        if len <= MAX_WIDE_BYTES {
            return self.words.prefetch_long(text, start, len, part);
        }
        let hash = texts::hash(&text[start..start + len]);
        self.texts.prefetch(hash);
        hash
    }
}

/// The hash of a segment, which is the place of one that is longer than words in the table.
#[inline(always)]
fn hash_of(text: &[u8], place: Place) -> u32 {
    if text.len() > MAX_WIDE_BYTES { place.number() } else { texts::hash(text) }
}

impl SegmentMemo {
    /// Makes room; to be called before anything else. `gap` is how many bytes before the first token belong to none in plain
    /// words, if there are any.
    pub(super) fn prepare(&mut self, gap: Option<u32>) {
        self.words.prepare();
        self.gap_after_space = self.gap_after_space.or(gap);
    }

    /// Pushes the tokens of a word of up to 15 bytes that its own line has. It starts with the byte `first`, at byte `start`
    /// of the original.
    #[inline(always)]
    pub(super) fn push_word<S: Sink>(
        &self,
        (key, place): (Key, Place),
        first: u8,
        start: u32,
        continues: bool,
        sink: &mut S,
    ) -> bool {
        let Some(tokens) = self.words.get(key, place) else { return false };
        self.push_tokens(tokens, first, start, continues, sink)
    }

    /// Pushes the tokens of any other segment that starts at byte `start` of the original, if they are known. The key is asked
    /// of those of up to 15 bytes; the place is that of the longer key of those of up to 31, and the hash of others.
    #[inline(never)]
    pub(super) fn push_segment<S: Sink>(
        &self,
        text: &[u8],
        (key, place): (Key, Place),
        start: u32,
        continues: bool,
        sink: &mut S,
    ) -> bool {
        let is_in_table = match text.len() {
            len if len <= MAX_KEY_BYTES => {
                let tokens = self.words.get_in_group(key, place);
                tokens.is_some_and(|tokens| self.push_tokens(tokens, text[0], start, continues, sink))
            }
            len if len <= MAX_WIDE_BYTES => {
                let tokens = self.words.get_wide(wide_key_at(text, 0, len), place);
                tokens.is_some_and(|tokens| self.push_tokens(tokens, text[0], start, continues, sink))
            }
            _ => false,
        };
        if is_in_table || text.len() > MAX_BYTES {
            return is_in_table;
        }
        let Some(found) = self.texts.find(text, hash_of(text, place)) else { return false };
        let (first, count) = self.texts.numbers(found);
        let range = |first| (first, first + u32::from(count));
        sink.looked_up(true);
        let entry = match first.checked_sub(OTHERS) {
            None => Entry::Plain(range(first)),
            Some(first) => Entry::Other(range(first)),
        };
        self.push(entry, start, continues, sink);
        true
    }

    /// Always true.
    #[inline(always)]
    fn push_tokens<const N: usize, S: Sink>(
        &self,
        tokens: &Tokens<N>,
        first: u8,
        start: u32,
        continues: bool,
        sink: &mut S,
    ) -> bool {
        let from = start + self.gap(first);
        if tokens.is_inline() {
            begin(continues, true, sink);
            tokens.push_inline(from as usize, sink);
        } else if let Some(reference) = tokens.reference() {
            sink.looked_up(true);
            self.push(Entry::of_reference(reference), start, continues, sink);
        } else {
            begin(continues, true, sink);
            push_all(self.words.many(tokens), from, sink);
        }
        true
    }

    /// Appends the tokens of a part of a word, with ends `from` bytes further than they were put in, if it is known.
    pub(super) fn get_part(&self, (key, place): (Key, Place), from: u32, to: &mut Vec<(Id, u32)>) -> bool {
        let Some(tokens) = self.words.get(key, place).or_else(|| self.words.get_in_group(key, place)) else {
            return false;
        };
        match tokens.inline() {
            Some(tokens) => to.extend(tokens.map(|(id, end)| (id, from + end as u32))),
            // The tokens of another word, which need not be those of a part.
            None if tokens.reference().is_some() => return false,
            None => to.extend(self.words.many(tokens).iter().map(|&(id, end)| (id, from + end))),
        }
        true
    }

    /// Remembers the tokens of a part, whose ends are counted from `from` bytes before it.
    pub(super) fn put_part(&mut self, (key, place): (Key, Place), from: u32, tokens: &[(Id, u32)]) {
        let mut part = [(0, 0); MAX_KEY_BYTES];
        let Some(part) = part.get_mut(..tokens.len()) else { return };
        for (part, &(id, end)) in part.iter_mut().zip(tokens) {
            *part = (id, end - from);
        }
        if self.words.has_room(place) {
            self.words.put(key, place, part);
        }
    }

    /// An empty list of tokens, to be given back.
    pub(super) fn take_tokens(&mut self) -> Vec<(Id, u32)> {
        let mut tokens = std::mem::take(&mut self.tokens);
        tokens.clear();
        tokens
    }

    /// Takes the memory of a list back.
    pub(super) fn give_tokens(&mut self, tokens: Vec<(Id, u32)>) {
        self.tokens = tokens;
    }

    /// An empty text, to be given back.
    pub(super) fn take_text(&mut self) -> String {
        let mut text = std::mem::take(&mut self.text);
        text.clear();
        text
    }

    /// Takes the memory of a text back.
    pub(super) fn give_text(&mut self, text: String) {
        self.text = text;
    }

    /// Remembers the tokens of a plain word, given with the bytes where they end, counted from byte `gap` on, before which
    /// none is, the id of those that are spelled as the text has them, and what the normalizer makes of that. Pushes them for
    /// the word that starts at byte `start` of the original.
    pub(super) fn keep_plain_word<'a, S: Sink>(
        &mut self,
        word: &'a str,
        key: (Key, Place),
        gap: u32,
        (tokens, unknown, normalized): (&[(Id, u32)], Option<Id>, impl Fn(&'a str) -> Cow<'a, str>),
        (start, continues): (u32, bool),
        sink: &mut S,
    ) {
        let is_spelled = tokens.iter().all(|&(id, _)| Some(id) != unknown);
        let (bytes, len) = (word.as_bytes(), word.len());
        // A mark that is put before the word has the span of the character after it, as the token after the mark has.
        let is_mark_first = gap > 0 && tokens[0].1 == 0;
        let is_simple = is_spelled && !is_mark_first && gap == self.gap(bytes[0]);
        if is_simple && self.has_room(len, key.1) && !share_spans(word, tokens) {
            match key {
                (key, place) if len <= MAX_KEY_BYTES => self.words.put(key, place, tokens),
                (_, place) => self.words.put_wide(wide_key_at(bytes, 0, len), place, tokens),
            }
            begin(continues, false, sink);
            return push_all(tokens, start + gap, sink);
        }
        let mut recorder = self.recorder();
        recorder.begin_pretoken();
        let mut span = Span { start: gap, end: gap };
        for &(id, end) in tokens {
            let end = gap + end;
            // Bytes of a character all have its span.
            if end > span.end {
                span = Span { start: span.end, end };
            }
            let is_mark = end == gap;
            if Some(id) == unknown {
                recorder.spelling(&normalized(&word[span.range()]));
            }
            let after_mark = || word[end as usize..].chars().next().map_or(end, |c| end + c.len_utf8() as u32);
            recorder.push(id, if is_mark { Span { start: gap, end: after_mark() } } else { span });
        }
        if let Some(entry) = self.keep(word, key, true, recorder) {
            sink.looked_up(false);
            self.push(entry, start, continues, sink);
        }
    }

    /// Whether a segment of so many bytes can be put into the table.
    fn has_room(&self, len: usize, place: Place) -> bool {
        match len {
            len if len <= MAX_KEY_BYTES => self.words.has_room(place),
            len => len <= MAX_WIDE_BYTES && self.words.has_wide_room(place),
        }
    }

    /// How many bytes before the first token of a word that starts with this byte belong to none.
    #[inline(always)]
    pub(super) fn gap(&self, first: u8) -> u32 {
        if first == b' ' { self.gap_after_space.unwrap_or(0) } else { 0 }
    }

    /// Whether a stretch was seen before; from now on it was. Others may be taken for it, and what was seen long ago is
    /// forgotten.
    pub(super) fn was_seen(&mut self, text: &[u8], place: Place) -> bool {
        self.seen.insert(hash_of(text, place))
    }

    /// An empty recorder, to be given back to [`Self::keep`].
    pub(super) fn recorder(&mut self) -> Recorder {
        let mut recorder = std::mem::take(&mut self.recorder);
        recorder.clear();
        recorder
    }

    /// Remembers what was recorded of a segment. A plain word may be a part of another one where the table has its tokens; it
    /// has those of this one elsewhere. `None` if added tokens are among the tokens.
    pub(super) fn keep(
        &mut self,
        text: &str,
        key: (Key, Place),
        is_plain: bool,
        mut recorder: Recorder,
    ) -> Option<Entry> {
        if recorder.begins > 0 {
            recorder.push(NO_TOKEN, Span::default());
        }
        let entry = (!recorder.has_added).then(|| {
            self.make_room(recorder.tokens.len());
            let (has_room, is_simple) = (self.has_room(text.len(), key.1), recorder.is_plain());
            let is_word = has_room && !is_plain && is_simple && self.put_word(key, text.as_bytes(), &recorder);
            let entry = if is_simple { self.put_plain(&recorder.tokens) } else { self.put_others(&mut recorder) };
            if has_room && !is_word {
                self.put_reference(key, text.as_bytes(), entry);
            } else if !has_room {
                self.put_text(text.as_bytes(), key.1, entry);
            }
            entry
        });
        self.recorder = recorder;
        entry
    }

    fn put_reference(&mut self, (key, place): (Key, Place), text: &[u8], entry: Entry) {
        match text.len() {
            len if len <= MAX_KEY_BYTES => self.words.put_reference(key, place, entry.reference()),
            len => self.words.put_wide_reference(wide_key_at(text, 0, len), place, entry.reference()),
        }
    }

    /// Remembers where the tokens of a segment are that is in no table of words.
    fn put_text(&mut self, text: &[u8], place: Place, entry: Entry) {
        let (first, last, others) = match entry {
            Entry::Plain((first, last)) => (first, last, 0),
            Entry::Other((first, last)) => (first, last, OTHERS),
        };
        // One with more tokens than that is encoded each time.
        if let Ok(count) = u16::try_from(last - first) {
            self.texts.put(text, hash_of(text, place), (first + others, count));
        }
    }

    /// Forgets everything where there is no room for so many tokens.
    fn make_room(&mut self, tokens: usize) {
        let token_bytes = self.plain.len() * size_of::<Plain>() + (self.others.len() + tokens) * size_of::<Recorded>();
        if token_bytes > MAX_TOKEN_BYTES || self.texts.byte_count() + self.spelling_bytes > MAX_TEXT_BYTES {
            self.words.clear();
            self.texts.clear();
            // One kind may have had most of the memory, and the other one may need it next.
            (self.plain, self.others, self.spellings) = Default::default();
            self.spelling_bytes = 0;
        }
    }

    fn put_plain(&mut self, tokens: &[Recorded]) -> Entry {
        let first = self.plain.len() as u32;
        reserve(&mut self.plain, tokens.len());
        self.plain.extend(tokens.iter().map(|&Recorded { id, start, end, begins, .. }| Plain {
            id: if begins > 0 { id | BEGINS } else { id },
            start,
            end,
        }));
        Entry::Plain((first, self.plain.len() as u32))
    }

    fn put_others(&mut self, recorder: &mut Recorder) -> Entry {
        let first = self.others.len() as u32;
        let known = self.spellings.len() as u32;
        reserve(&mut self.others, recorder.tokens.len());
        self.others.extend(
            recorder.tokens.iter().map(|token| Recorded {
                spelling: if token.spelling > 0 { known + token.spelling } else { 0 },
                ..*token
            }),
        );
        self.spelling_bytes += recorder.spellings.iter().map(|text| text.len()).sum::<usize>();
        self.spellings.append(&mut recorder.spellings);
        Entry::Other((first, self.others.len() as u32))
    }

    /// Puts a segment of up to 15 bytes into the table, if it is a word.
    fn put_word(&mut self, (key, place): (Key, Place), text: &[u8], recorder: &Recorder) -> bool {
        let Some(gap) = recorder.gap_of_word(text.len()).filter(|_| text.len() <= MAX_KEY_BYTES) else { return false };
        let (first, tokens) = (text[0], &recorder.tokens);
        if first == b' ' {
            self.gap_after_space.get_or_insert(gap.into());
        }
        let mut packed = [(0, 0); MAX_KEY_BYTES];
        let packed = packed.get_mut(..tokens.len()).filter(|_| u32::from(gap) == self.gap(first));
        let Some(packed) = packed else { return false };
        for (packed, token) in packed.iter_mut().zip(tokens) {
            *packed = (token.id, u32::from(token.end - gap));
        }
        self.words.put(key, place, packed);
        true
    }

    /// Pushes the tokens of a segment that starts at byte `start` of the original. If it `continues`, its first token extends
    /// the last pretoken of the segment before.
    #[inline]
    pub(super) fn push<S: Sink>(&self, entry: Entry, start: u32, continues: bool, sink: &mut S) {
        match entry {
            Entry::Plain((first, last)) => {
                let mut begins = !continues;
                for token in &self.plain[first as usize..last as usize] {
                    if token.id >= BEGINS && std::mem::replace(&mut begins, true) {
                        sink.begin_pretoken();
                    }
                    sink.push(
                        token.id & !BEGINS,
                        Span { start: start + u32::from(token.start), end: start + u32::from(token.end) },
                    );
                }
            }
            Entry::Other((first, last)) => self.push_others(first as usize..last as usize, start, continues, sink),
        }
    }

    fn push_others<S: Sink>(&self, range: std::ops::Range<usize>, start: u32, continues: bool, sink: &mut S) {
        let mut without = u32::from(continues);
        for token in &self.others[range] {
            for _ in 0..token.begins - without.min(token.begins) {
                sink.begin_pretoken();
            }
            without = without.saturating_sub(token.begins);
            if token.id == NO_TOKEN {
                continue;
            }
            if token.spelling > 0 {
                sink.spelling(&self.spellings[token.spelling as usize - 1]);
            }
            sink.push(token.id, Span { start: start + u32::from(token.start), end: start + u32::from(token.end) });
        }
    }
}
