//! The result of encoding a text, and the sinks that models write into.
//!
//! A model pushes tokens into a [`Sink`]; which sink decides what is kept, at compile time, so that ids
//! alone cost nothing for the spans nobody asked for.
//! Not here: spans in code points or UTF-16 (see [`crate::offsets`]).

use std::ops::Range;

use crate::ids::Id;
use crate::offsets::{Span, boundary_before};

/// The stages of encoding, for those who observe it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Changes the text.
    Normalizer,
    /// Splits it into pretokens.
    Pretokenizer,
    /// Makes tokens of pretokens.
    Model,
    /// Puts tokens around them.
    Postprocessor,
}

/// Where the stages put tokens, in the order of the text.
///
/// [`Self::enter`] and [`Self::looked_up`] report progress to observers ([`crate::timing`]). They do nothing by default and
/// compile to nothing.
pub trait Sink {
    /// The work from here on belongs to `stage`. The fused passes work on many pretokens between two calls.
    #[inline(always)]
    fn enter(&mut self, _stage: Stage) {}
    /// A pretoken was looked up in the cache of those seen before.
    #[inline(always)]
    fn looked_up(&mut self, _is_known: bool) {}
    /// The tokens pushed from here on belong to the next pretoken.
    fn begin_pretoken(&mut self) {}
    /// One token of the model. `span` is in UTF-8 bytes of the original text.
    fn push(&mut self, id: Id, span: Span);
    /// The first `len` of a few tokens that follow each other without gaps from byte `start` of the original text on;
    /// their ends are counted from there.
    #[inline(always)]
    fn push_few<const N: usize>(&mut self, ids: &[Id; N], ends: &[u32; N], len: usize, start: u32)
    where
        Self: Sized,
    {
        let mut from = start;
        for (&id, &end) in ids.iter().zip(ends).take(len) {
            let end = start + end;
            self.push(id, Span { start: from, end });
            from = end;
        }
    }
    /// Pushes the tokens of words that are known, one word after the other from the first of these numbers on. Returns the number of the
    /// first word that `known` does not have, or where the numbers end.
    #[inline(always)]
    fn push_known<const N: usize>(&mut self, words: Range<usize>, known: &mut impl KnownWords<N>) -> usize
    where
        Self: Sized,
    {
        for n in words.clone() {
            let Some(Few { ids, ends, len, start, begins, is_new }) = known.find(n) else { return n };
            self.looked_up(!is_new);
            if begins {
                self.begin_pretoken();
            }
            self.push_few(&ids, &ends, len, start);
        }
        words.end
    }

    /// The same for any number of tokens.
    #[inline(always)]
    fn push_many(&mut self, ids: &[Id], ends: &[u16], start: u32) {
        let mut from = start;
        for (&id, &end) in ids.iter().zip(ends) {
            let end = start + u32::from(end);
            self.push(id, Span { start: from, end });
            from = end;
        }
    }
    /// How the normalized text spells the next token, where that need not be what the vocabulary has: an added token, or
    /// what the model does not know.
    fn spelling(&mut self, _text: &str) {}
    /// An added token that the text spells, special or not.
    fn push_added(&mut self, id: Id, span: Span, _special: bool) {
        self.push(id, span);
    }
}

/// Words whose tokens are known, by number.
pub trait KnownWords<const N: usize> {
    /// The tokens of a word; `None` if they are not known, or are more than a few. It is asked for each number once, in order.
    fn find(&mut self, n: usize) -> Option<Few<N>>;
}

/// The tokens of a word.
#[derive(Clone, Copy, Debug)]
pub struct Few<const N: usize> {
    /// What [`Sink::push_few`] is given.
    pub(crate) ids: [Id; N],
    pub(crate) ends: [u32; N],
    pub(crate) len: usize,
    pub(crate) start: u32,
    /// Whether a pretoken begins with it.
    pub(crate) begins: bool,
    /// Whether the word was new in its queue, though its tokens are known by now: new words are encoded together.
    pub(crate) is_new: bool,
}

/// How many tokens to make room for, given the bytes of a text: mostly more than there are, and what [`Sink::push_known`] asks for
/// before it knows how many of a queue it will push, four for each of 600 words.
pub(crate) fn room_for(bytes: usize) -> usize {
    bytes / 3 + 4 * 600
}

/// Ids alone.
impl Sink for Vec<Id> {
    #[inline(always)]
    fn push_known<const N: usize>(&mut self, words: Range<usize>, known: &mut impl KnownWords<N>) -> usize {
        // How many there are so far stays in a register: in the list it would be read and written for every word.
        let before = self.len();
        self.reserve(words.len() * N);
        let room = self.spare_capacity_mut();
        let (mut len, mut n) = (0, words.start);
        while n < words.end {
            // There is room: to ask costs nothing beside the writing.
            let Some(to) = room.get_mut(len..len + N) else { break };
            let Some(few) = known.find(n) else { break };
            for (to, id) in to.iter_mut().zip(few.ids) {
                to.write(id);
            }
            len += few.len.min(N);
            n += 1;
        }
        // SAFETY: every place before `len` was written: a word writes `N`, and the next one starts at most `N` later.
        unsafe { self.set_len(before + len) };
        n
    }

    #[inline(always)]
    fn push(&mut self, id: Id, _: Span) {
        Vec::push(self, id);
    }

    #[inline(always)]
    fn push_few<const N: usize>(&mut self, ids: &[Id; N], _: &[u32; N], len: usize, _: u32) {
        append(self, *ids, len);
    }

    #[inline(always)]
    fn push_many(&mut self, ids: &[Id], _: &[u16], _: u32) {
        self.extend_from_slice(ids);
    }
}

/// Ids and, for each, the byte of the original text where it ends. Enough where tokens leave no gaps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IdsAndEnds {
    /// One id per token.
    pub ids: Vec<Id>,
    /// One end per token, UTF-8 bytes of the original text.
    pub ends: Vec<u32>,
}

impl Sink for IdsAndEnds {
    #[inline(always)]
    fn push(&mut self, id: Id, span: Span) {
        self.ids.push(id);
        self.ends.push(span.end);
    }

    #[inline(always)]
    fn push_few<const N: usize>(&mut self, ids: &[Id; N], ends: &[u32; N], len: usize, start: u32) {
        append(&mut self.ids, *ids, len);
        append(&mut self.ends, ends.map(|end| start + end), len);
    }

    #[inline(always)]
    fn push_many(&mut self, ids: &[Id], ends: &[u16], start: u32) {
        self.ids.extend_from_slice(ids);
        self.ends.extend(ends.iter().map(|&end| start + u32::from(end)));
    }
}

/// Makes [`IdsAndEnds`]. Both lists are longer than what is written, so that one number says how far both are filled, and a
/// few tokens are written without asking whether there is room in each.
pub(crate) struct Columns {
    ids: Vec<Id>,
    ends: Vec<u32>,
    len: usize,
}

impl Columns {
    /// How many tokens there is more room for when it is used up: zeros are written while their memory is near.
    const STEP: usize = 4096;

    /// Without tokens; `capacity` is how many there will be, more or less.
    pub(crate) fn with_capacity(capacity: usize) -> Self {
        Self { ids: Vec::with_capacity(capacity), ends: Vec::with_capacity(capacity), len: 0 }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, room: usize) {
        self.ids.resize(self.len + room.max(Self::STEP), 0);
        self.ends.resize(self.len + room.max(Self::STEP), 0);
    }
}

impl From<Columns> for IdsAndEnds {
    fn from(Columns { mut ids, mut ends, len }: Columns) -> Self {
        for list in [&mut ids, &mut ends] {
            list.truncate(len);
            list.shrink_to_fit();
        }
        Self { ids, ends }
    }
}

impl Sink for Columns {
    #[inline(always)]
    fn push_known<const N: usize>(&mut self, words: Range<usize>, known: &mut impl KnownWords<N>) -> usize {
        let room = words.len() * N;
        if self.len + room > self.ids.len().min(self.ends.len()) {
            self.grow(room);
        }
        let (ids, ends) = (&mut self.ids[self.len..], &mut self.ends[self.len..]);
        let (mut len, mut n) = (0, words.start);
        while n < words.end {
            let Some(few) = known.find(n) else { break };
            ids[len..len + N].copy_from_slice(&few.ids);
            ends[len..len + N].copy_from_slice(&few.ends.map(|end| few.start + end));
            len += few.len.min(N);
            n += 1;
        }
        self.len += len;
        n
    }

    #[inline(always)]
    fn push(&mut self, id: Id, span: Span) {
        self.push_few(&[id], &[span.end], 1, 0);
    }

    #[inline(always)]
    fn push_few<const N: usize>(&mut self, ids: &[Id; N], ends: &[u32; N], len: usize, start: u32) {
        if self.len + N > self.ids.len().min(self.ends.len()) {
            self.grow(N);
        }
        self.ids[self.len..self.len + N].copy_from_slice(ids);
        self.ends[self.len..self.len + N].copy_from_slice(&ends.map(|end| start + end));
        self.len += len;
    }
}

/// Appends the first `len` of a few values. All are written, and those too many are given up: how many there are cannot
/// be foreseen, so no branch asks.
#[inline(always)]
fn append<const N: usize>(to: &mut Vec<u32>, values: [u32; N], len: usize) {
    let before = to.len();
    to.extend_from_slice(&values);
    to.truncate(before + len);
}

/// How many characters of white space a token is spelled with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spaces {
    /// At its start.
    pub(crate) leading: usize,
    /// At its end.
    pub(crate) trailing: usize,
}

impl Spaces {
    /// Counts them in the spelling of a token; `Ġ` is the space of the byte alphabet.
    pub(crate) fn of(token: &str) -> Self {
        let space = |c: &char| *c == 'Ġ' || c.is_whitespace();
        Self {
            leading: token.chars().take_while(space).count(),
            trailing: token.chars().rev().take_while(space).count(),
        }
    }
}

/// Facts about one token, a set of bits.
pub mod flags {
    /// A special token, whether the text spells it or a template added it.
    pub const SPECIAL: u8 = 1;
    /// Added by the postprocessor: stands for no part of the text.
    pub const TEMPLATE: u8 = 2;
    /// The unknown token: the ids do not say what the text is here.
    pub const UNKNOWN: u8 = 4;
    /// An added token that the text spells, special or not.
    pub const ADDED: u8 = 32;
    /// Put in to make the encoding longer; stands for no part of the text, and a model is to ignore it.
    pub const PADDING: u8 = 64;
}

/// All that is known of the tokens of a text. Every vector has one entry per token.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Encoding {
    /// Ids.
    pub ids: Vec<Id>,
    /// UTF-8 bytes of the original text; `0..0` for tokens that a template added or that pad.
    pub spans: Vec<Span>,
    /// Bits of [`flags`].
    pub flags: Vec<u8>,
    /// Index of the word the token was split from, counted per text: words are pretokens and the special tokens that
    /// the text spells. [`NO_WORD`] for tokens that a template added.
    pub word_ids: Vec<u32>,
    /// 0 for the first text, 1 for the second, as the postprocessor says.
    pub type_ids: Vec<u8>,
    /// 0 for the first text, 1 for the second, [`NO_SEQUENCE`] for tokens that a template added.
    pub sequence_ids: Vec<u8>,
    /// The parts that truncation left over, in the order of the text; they have none of their own.
    pub overflowing: Vec<Encoding>,
    /// Whether truncation dropped tokens.
    pub is_truncated: bool,
    /// By rising place: the white space of tokens that stand for what the text says, not for what the vocabulary has.
    spaces: Vec<(u32, Spaces)>,
    words: u32,
    pretokens: u32,
}

/// `word_ids` of a token that was split from no pretoken.
pub const NO_WORD: u32 = u32::MAX;
/// `sequence_ids` of a token that belongs to no text.
pub const NO_SEQUENCE: u8 = u8::MAX;

impl Encoding {
    /// How many pretokens the tokens were split from.
    pub fn pretoken_count(&self) -> usize {
        self.pretokens as usize
    }

    /// How many characters of `text`, the first text, more than one token holds.
    pub fn split_character_count(&self, text: &str) -> usize {
        let spans = self.spans.iter().zip(&self.sequence_ids);
        split_characters(spans.filter(|(_, sequence)| **sequence == 0).map(|(span, _)| *span), text)
    }

    /// Number of tokens.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there is no token.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Appends a token that the postprocessor adds.
    pub(crate) fn push_from_postprocessor(&mut self, id: Id, type_id: u8) {
        self.push_all(id, Span::default(), flags::SPECIAL | flags::TEMPLATE, NO_WORD, type_id, NO_SEQUENCE);
    }

    /// Appends all tokens of `other` as they are, without the parts left over.
    pub(crate) fn append(&mut self, other: &Self) {
        self.ids.extend_from_slice(&other.ids);
        self.spans.extend_from_slice(&other.spans);
        self.flags.extend_from_slice(&other.flags);
        self.word_ids.extend_from_slice(&other.word_ids);
        self.type_ids.extend_from_slice(&other.type_ids);
        self.sequence_ids.extend_from_slice(&other.sequence_ids);
        let before = (self.len() - other.len()) as u32;
        self.spaces.extend(other.spaces.iter().map(|&(at, spaces)| (before + at, spaces)));
        self.is_truncated |= other.is_truncated;
        self.words += other.words;
        self.pretokens += other.pretokens;
    }

    /// The white space of the token at a place, where that is not what the vocabulary has.
    pub(crate) fn spaces_at(&self, at: usize) -> Option<Spaces> {
        let found = self.spaces.binary_search_by_key(&(at as u32), |&(at, _)| at);
        found.ok().map(|found| self.spaces[found].1)
    }

    /// Makes all tokens those of text number `sequence`, 0 or 1, and of that type.
    pub(crate) fn belong_to(&mut self, sequence: u8) {
        self.sequence_ids.fill(sequence);
        self.type_ids.fill(sequence);
    }

    /// The tokens in `range` alone.
    pub(crate) fn slice(&self, range: Range<usize>) -> Self {
        let (flags, word_ids) = (&self.flags[range.clone()], &self.word_ids[range.clone()]);
        let start = range.start as u32;
        let spaces = self.spaces.iter().filter(|(at, _)| range.contains(&(*at as usize)));
        let mut pretokens = 0;
        let mut last = NO_WORD;
        for (&word, &flags) in word_ids.iter().zip(flags) {
            pretokens += u32::from(word != NO_WORD && word != last && flags & flags::ADDED == 0);
            last = word;
        }
        Self {
            ids: self.ids[range.clone()].to_vec(),
            spans: self.spans[range.clone()].to_vec(),
            flags: flags.to_vec(),
            word_ids: word_ids.to_vec(),
            type_ids: self.type_ids[range.clone()].to_vec(),
            sequence_ids: self.sequence_ids[range.clone()].to_vec(),
            overflowing: vec![],
            is_truncated: false,
            spaces: spaces.map(|&(at, spaces)| (at - start, spaces)).collect(),
            words: self.words,
            pretokens,
        }
    }

    /// Appends `count` tokens that stand for nothing.
    pub(crate) fn push_padding(&mut self, id: Id, type_id: u8, count: usize) {
        for _ in 0..count {
            self.push_all(id, Span::default(), flags::SPECIAL | flags::PADDING, NO_WORD, type_id, NO_SEQUENCE);
        }
    }

    /// Marks every token of the text with this id as unknown, in the parts left over, too.
    pub(crate) fn mark_unknown(&mut self, unknown: Id) {
        self.overflowing.iter_mut().for_each(|part| part.mark_unknown(unknown));
        for (flags, _) in self.flags.iter_mut().zip(&self.ids).filter(|(_, id)| **id == unknown) {
            // One that a template added stands for no text, and so for none that is unknown.
            if *flags & flags::TEMPLATE == 0 {
                *flags |= flags::UNKNOWN;
            }
        }
    }

    fn push_all(&mut self, id: Id, span: Span, flags: u8, word: u32, type_id: u8, sequence: u8) {
        self.ids.push(id);
        self.spans.push(span);
        self.flags.push(flags);
        self.word_ids.push(word);
        self.type_ids.push(type_id);
        self.sequence_ids.push(sequence);
    }
}

impl Sink for Encoding {
    fn begin_pretoken(&mut self) {
        self.words += 1;
        self.pretokens += 1;
    }

    fn push(&mut self, id: Id, span: Span) {
        debug_assert!(self.words > 0, "a model pushes tokens only inside a pretoken");
        self.push_all(id, span, 0, self.words - 1, 0, 0);
    }

    fn spelling(&mut self, text: &str) {
        self.spaces.push((self.ids.len() as u32, Spaces::of(text)));
    }

    fn push_added(&mut self, id: Id, span: Span, special: bool) {
        self.words += 1;
        let special = if special { flags::SPECIAL } else { 0 };
        self.push_all(id, span, flags::ADDED | special, self.words - 1, 0, 0);
    }
}

/// How many characters of `text` more than one token holds: a token starts inside of them, or two tokens share them. The
/// spans rise.
pub fn split_characters(spans: impl IntoIterator<Item = Span>, text: &str) -> usize {
    let (mut count, mut last, mut end) = (0, None, 0);
    for span in spans {
        let inside = !text.is_char_boundary(span.start as usize);
        if inside || (span.start < end && span.start < span.end) {
            let character = Some(boundary_before(text, span.start as usize));
            count += usize::from(character != last);
            last = character;
        }
        end = span.end;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    /// Words, of which some are not known.
    struct Some4<'a>(&'a [Option<Few<4>>]);

    impl KnownWords<4> for Some4<'_> {
        fn find(&mut self, n: usize) -> Option<Few<4>> {
            self.0[n]
        }
    }

    /// What [`Sink::push_known`] does where a sink has none of its own; counts pretokens, known words and new ones.
    #[derive(Default)]
    struct ByWord(IdsAndEnds, [usize; 3]);

    impl Sink for ByWord {
        fn begin_pretoken(&mut self) {
            self.1[0] += 1;
        }

        fn looked_up(&mut self, is_known: bool) {
            self.1[if is_known { 1 } else { 2 }] += 1;
        }

        fn push(&mut self, id: Id, span: Span) {
            self.0.push(id, span);
        }
    }

    #[test]
    fn sinks_push_known_words_as_one_word_after_the_other() {
        let mut random = Random::new(1);
        for _ in 0..300 {
            let mut start = 0;
            let words: Vec<Option<Few<4>>> = (0..random.below(40))
                .map(|_| {
                    let few = Few {
                        ids: std::array::from_fn(|_| random.below(1000) as Id),
                        ends: std::array::from_fn(|n| 1 + 2 * n as u32),
                        len: random.below(5),
                        start,
                        begins: random.below(2) > 0,
                        is_new: random.below(2) > 0,
                    };
                    start += 9;
                    (random.below(9) > 0).then_some(few)
                })
                .collect();
            let (mut ids, mut columns, mut expected) = (vec![7], Columns::with_capacity(0), ByWord::default());
            let mut n = 0;
            while n < words.len() {
                let to = expected.push_known(n..words.len(), &mut Some4(&words));
                assert_eq!(ids.push_known(n..words.len(), &mut Some4(&words)), to);
                assert_eq!(columns.push_known(n..words.len(), &mut Some4(&words)), to);
                assert!((n..to).all(|n| words[n].is_some()) && words.get(to).is_none_or(Option::is_none));
                n = to + 1;
            }
            let ByWord(expected, counts) = expected;
            let count = |is: fn(&Few<4>) -> bool| words.iter().flatten().filter(|few| is(few)).count();
            assert_eq!(counts, [count(|few| few.begins), count(|few| !few.is_new), count(|few| few.is_new)]);
            assert_eq!(ids[1..], expected.ids);
            assert_eq!(IdsAndEnds::from(columns), expected);
        }
    }

    #[test]
    fn example_of_spaces_of() {
        assert_eq!(Spaces::of("ĠĠa"), Spaces { leading: 2, trailing: 0 });
        assert_eq!(Spaces::of("Ġ"), Spaces { leading: 1, trailing: 1 });
    }
}
