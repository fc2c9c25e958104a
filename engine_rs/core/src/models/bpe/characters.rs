//! Byte-pair encoding over characters: GPT-1, CLIP, SentencePiece-like vocabularies, and byte-level ones whose text comes
//! spelled in the byte alphabet.
//!
//! A pretoken may be a whole text (Llama 2 splits nothing), so merging is n log n.
//! Not here: the fused byte-level path ([`super::Bpe`]), which gives the same ids for the vocabularies it can take.
//!
//! Source: Sennrich et al. 2016; `BPE` of the tokenizer.json format. As there, an unknown character that waits to be fused
//! comes after the bytes of characters that follow it.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::long::{self, ByRank};
use super::merges::{Merges, NO_RANK, Rank};
use super::scored::{self, ALONE, Merging, Scored, Symbols};
use crate::byte_alphabet::char_of;
use crate::ids::Id;
use crate::memory::HeapBytes;
use crate::models::kinds::Kinds;
use crate::models::space_mark::MARK;
use crate::models::{Unknown, UnknownSymbol};
use crate::random::Random;
use crate::vocab::{Kind, Vocab};

/// How characters become symbols, and what happens to those that are not in the vocabulary.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// The token for unknown characters; without one they are left out.
    pub unknown: Option<Unknown>,
    /// Put before every character but the first when the vocabulary is asked.
    pub continuing_subword_prefix: String,
    /// Put after the last character when the vocabulary is asked.
    pub end_of_word_suffix: String,
    /// Whether neighbouring unknown characters are one unknown token.
    pub fuse_unk: bool,
    /// Whether an unknown character becomes its bytes, spelled `<0xE6>`, where the vocabulary has them all.
    pub byte_fallback: bool,
    /// Whether a pretoken that is a token becomes that token without merging.
    pub ignore_merges: bool,
    /// Probability of leaving a merge out, 0 to 1.
    pub dropout: Option<f32>,
}

/// Tokens of single bytes.
type ByteIds = [Option<Id>; 256];

/// The model.
#[derive(Clone, Debug)]
pub struct Bpe {
    vocab: Vocab,
    merges: Arc<Merges>,
    settings: Settings,
    /// Rank of the merge that makes the token, by id.
    ranks: Vec<Rank>,
    /// Tokens of single bytes, where the settings ask for them.
    bytes: Option<Box<ByteIds>>,
    /// Whether no merge reaches from a character to a space mark after it.
    falls_into_segments: bool,
    /// Whether every merge makes what its parts spell.
    is_plain: bool,
    /// Of a `.model`, whose merges come in the order of scores.
    scored: Option<Box<Scored>>,
}

/// Memory to be used again.
#[derive(Default)]
pub struct Scratch {
    /// Put in the place of the dropout of the settings.
    pub(crate) dropout: Option<f32>,
    symbols: Vec<Placed>,
    long: long::Scratch<Placed>,
    scored: scored::Scratch,
}

impl HeapBytes for Scratch {
    fn heap_bytes(&self) -> usize {
        self.symbols.heap_bytes() + self.long.heap_bytes() + self.scored.heap_bytes()
    }
}

/// A symbol and the bytes of the pretoken it stands for.
#[derive(Clone, Copy)]
pub(super) struct Placed {
    pub(crate) id: Id,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl long::Symbol for Placed {
    fn id(self) -> Id {
        self.id
    }

    fn joined(self, right: Self, id: Id) -> Self {
        Self { id, start: self.start.min(right.start), end: self.end.max(right.end) }
    }
}

/// How the vocabulary spells a byte that no character has a token for.
pub fn byte_token(byte: u8) -> String {
    format!("<0x{byte:02X}>")
}

/// Whether what a space mark starts can be merged without what is before it: the mark is a token, so that nothing unknown
/// waits across it, and no merge takes a token that is all marks, or begins with one, to what is not all marks before it. No
/// character is left out either: what is on both sides of it could merge.
fn falls_into_segments(vocab: &Vocab, merges: &Merges, settings: &Settings, bytes: Option<&ByteIds>) -> bool {
    let unknown = settings.unknown.as_ref().and_then(Unknown::id);
    if settings.unknown.is_none() && !bytes.is_some_and(|bytes| bytes.iter().all(Option::is_some)) {
        return false;
    }
    let all_marks = |id: Id| {
        vocab
            .token(id)
            .is_some_and(|token| std::str::from_utf8(token).is_ok_and(|token| token.chars().all(|c| c == MARK)))
    };
    let mut mark = [0; 4];
    let mark = MARK.encode_utf8(&mut mark).as_bytes();
    let starts_with_mark = |id: Id| vocab.token(id).is_some_and(|token| token.starts_with(mark));
    settings.continuing_subword_prefix.is_empty()
        && settings.end_of_word_suffix.is_empty()
        && vocab.id(mark).is_some()
        && !unknown.is_some_and(all_marks)
        && !merges.iter().any(|(left, right, _)| starts_with_mark(right) && !all_marks(left))
}

/// Whether every merge makes what its two tokens spell together.
fn has_plain_merges(vocab: &Vocab, merges: &Merges, prefix: &str) -> bool {
    merges.iter().all(|(left, right, rank)| {
        let [Some(left), Some(right), Some(made)] = [left, right, merges.result(rank)].map(|id| vocab.token(id)) else {
            return false;
        };
        let right = right.strip_prefix(prefix.as_bytes()).unwrap_or(right);
        !left.is_empty() && !right.is_empty() && made.strip_prefix(left) == Some(right)
    })
}

impl Bpe {
    /// A model over the tokens in `vocab`, which holds every token that `merges` names.
    pub(crate) fn new(vocab: Vocab, merges: impl Into<Arc<Merges>>, settings: Settings) -> Self {
        let merges = merges.into();
        let byte_ids = || Box::new(std::array::from_fn(|byte| vocab.id(byte_token(byte as u8).as_bytes())));
        let bytes = settings.byte_fallback.then(byte_ids);
        let falls_into_segments = falls_into_segments(&vocab, &merges, &settings, bytes.as_deref());
        let is_plain = has_plain_merges(&vocab, &merges, &settings.continuing_subword_prefix);
        let ranks = merges.ranks_of_results(vocab.id_bound());
        Self { ranks, bytes, vocab, merges, settings, falls_into_segments, is_plain, scored: None }
    }

    /// The model of a `.model` file; `scores` has one entry per id.
    ///
    /// Errors, in words: more tokens than merges can have.
    pub(crate) fn of_kinds(vocab: Vocab, scores: Vec<f32>, kinds: Kinds, symbols: Symbols) -> Result<Self, String> {
        let settings = Settings {
            unknown: Some(Unknown::Token(kinds.unknown())),
            fuse_unk: true,
            byte_fallback: kinds.bytes().is_some(),
            ..Settings::default()
        };
        let (scored, merges) = Scored::new(&vocab, scores, kinds, symbols)?;
        let falls_into_segments = scored.falls_into_segments(&vocab);
        let (merges, scored) = (merges.into(), Some(Box::new(scored)));
        Ok(Self { ranks: vec![], bytes: None, vocab, merges, settings, falls_into_segments, is_plain: true, scored })
    }

    /// The kinds of the tokens of a `.model`.
    pub fn kinds(&self) -> Option<&Kinds> {
        self.scored.as_ref().map(|scored| &scored.kinds)
    }

    /// What symbols are at first, of a `.model`.
    pub fn symbols_of_model(&self) -> Option<Symbols> {
        self.scored.as_ref().map(|scored| scored.symbols)
    }

    /// The token's score, of a `.model`.
    pub fn score(&self, id: Id) -> Option<f64> {
        self.scored.as_ref()?.scores.get(id as usize).map(|&score| score.into())
    }

    /// What the merges of a `.model` do with a text, step by step. Takes time in the square of its length.
    pub fn merging(&self, text: &str) -> Option<Merging> {
        self.scored.as_ref().map(|scored| scored.merging(&self.vocab, &self.merges, text))
    }

    /// The settings it was built with.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Whether a pretoken can be split before a space mark that follows another character, and its tokens stay the
    /// same.
    pub(crate) fn falls_into_segments(&self) -> bool {
        self.falls_into_segments && !self.settings.ignore_merges && self.settings.dropout.unwrap_or(0.0) == 0.0
    }

    /// Tells of a character whether it is a symbol whatever is beside it: a token, or bytes that never merge. `None` where
    /// some merge makes another token than its parts spell, or ids are as large as [`ALONE`].
    pub(crate) fn symbols_of_characters(&self) -> Option<impl Fn(char) -> bool> {
        let has_bytes = match (&self.scored, &self.bytes) {
            (Some(scored), _) => scored.kinds.bytes().is_some(),
            (None, Some(bytes)) => {
                let mut ids: Vec<Id> = bytes.iter().copied().flatten().collect();
                ids.sort_unstable();
                let is_byte = |id: Id| ids.binary_search(&id).is_ok();
                ids.len() == bytes.len() && !self.merges.iter().any(|(left, right, _)| is_byte(left) || is_byte(right))
            }
            (None, None) => false,
        };
        let is_token = |c: char| self.vocab.id(c.encode_utf8(&mut [0; 4]).as_bytes());
        let is_text = |id: Id| self.kinds().is_none_or(|kinds| kinds.of(id) == Kind::Normal);
        (self.is_plain && self.vocab.id_bound() <= ALONE as usize)
            .then_some(move |c: char| has_bytes || is_token(c).is_some_and(is_text))
    }

    /// The symbols of the characters of ASCII, and of the space mark in the place of the space; `None` for characters that are
    /// no symbol, or a different one beside others. `None` as there.
    pub(crate) fn symbols_of_ascii(&self) -> Option<[Option<Id>; 128]> {
        let has_symbol = self.symbols_of_characters()?;
        let symbol = |byte: u8| {
            let c = if byte == b' ' { MARK } else { char::from(byte) };
            let token = match &self.scored {
                Some(scored) => return scored.symbol(c).filter(|_| has_symbol(c)),
                None => self.vocab.id(c.encode_utf8(&mut [0; 4]).as_bytes()),
            };
            let bytes = self.bytes.as_ref().filter(|_| c.is_ascii());
            token.or_else(|| bytes.and_then(|ids| ids[usize::from(byte)])).filter(|_| has_symbol(c))
        };
        Some(std::array::from_fn(|byte| symbol(byte as u8)))
    }

    /// Merges the characters of a part of a pretoken across whose ends no token reaches, and calls `each` with the tokens and
    /// the bytes where they end. A space stands for the mark. `ascii` is of [`Self::symbols_of_ascii`]; other characters are
    /// such as [`Self::symbols_of_characters`] asks for. One that is no token becomes its bytes.
    pub(crate) fn merge_part(
        &self,
        part: &str,
        ascii: &[Id; 128],
        scratch: &mut Scratch,
        mut each: impl FnMut(Id, usize),
    ) {
        let Scratch { symbols, long, scored: memory, .. } = scratch;
        symbols.clear();
        symbols.extend(part.char_indices().map(|(start, c)| {
            let id = ascii.get(c as usize).copied().unwrap_or_else(|| self.symbol_beyond_ascii(c));
            Placed { id, start: start as u32, end: (start + c.len_utf8()) as u32 }
        }));
        let is_token = |id: Id| match &self.scored {
            Some(scored) => scored.is_token(id),
            None => id != ALONE,
        };
        match &self.scored {
            Some(scored) => long::merge(&self.merges, symbols, long, &mut scored.order(memory)),
            None => long::merge(&self.merges, symbols, long, &mut ByRank { is_plain: self.is_plain }),
        }
        for &Placed { id, start, end } in symbols.iter() {
            if is_token(id) {
                each(id, end as usize);
                continue;
            }
            let byte_id = |byte: u8| match &self.scored {
                Some(scored) => scored.kinds.bytes().map(|bytes| bytes[usize::from(byte)]),
                None => self.bytes.as_ref().and_then(|bytes| bytes[usize::from(byte)]),
            };
            for at in start as usize..end as usize {
                byte_id(part.as_bytes()[at]).into_iter().for_each(|id| each(id, at + 1));
            }
        }
    }

    /// The symbol of a character, or one that never merges.
    fn symbol_beyond_ascii(&self, c: char) -> Id {
        match &self.scored {
            Some(scored) => scored.symbol_in_tokens(c),
            None => self.vocab.id(c.encode_utf8(&mut [0; 4]).as_bytes()).unwrap_or(ALONE),
        }
    }

    /// The symbols that a token's text could stand for, a row for each place in a word that its prefix and its suffix
    /// allow. Rows with a character that is not in the vocabulary are left out.
    pub fn symbols_of_token(&self, token: &str) -> Vec<Vec<Id>> {
        let Settings { continuing_subword_prefix: prefix, end_of_word_suffix: suffix, .. } = &self.settings;
        let without_prefix = token.strip_prefix(prefix.as_str()).filter(|_| !prefix.is_empty());
        let starts = [Some((token, "")), without_prefix.map(|rest| (rest, prefix.as_str()))];
        let mut rows = vec![];
        for (text, first) in starts.into_iter().flatten() {
            let without_suffix = text.strip_suffix(suffix.as_str()).filter(|_| !suffix.is_empty());
            for (text, last) in
                [Some((text, "")), without_suffix.map(|rest| (rest, suffix.as_str()))].into_iter().flatten()
            {
                let end = text.chars().count().wrapping_sub(1);
                let symbol = |(at, c): (usize, char)| {
                    let (before, after) = (if at > 0 { prefix } else { first }, if at == end { last } else { "" });
                    self.vocab.id(format!("{before}{c}{after}").as_bytes())
                };
                rows.extend(
                    text.chars().enumerate().map(symbol).collect::<Option<Vec<_>>>().filter(|row| !row.is_empty()),
                );
            }
        }
        rows
    }

    /// The tokens.
    pub(crate) fn vocab(&self) -> &Vocab {
        &self.vocab
    }

    /// The merges.
    pub fn merges(&self) -> &Merges {
        &self.merges
    }

    /// The symbols of a pretoken before any merge: tokens with the bytes they stand for.
    ///
    /// Errors: as [`Self::encode`].
    pub fn symbols(&self, pretoken: &str) -> Result<Vec<(Id, Range<usize>)>, UnknownSymbol> {
        let mut symbols = vec![];
        self.push_symbols(pretoken, &mut symbols)?;
        Ok(symbols.into_iter().map(|symbol| (symbol.id, symbol.start as usize..symbol.end as usize)).collect())
    }

    /// The token that the whole pretoken is, where the settings ask for it before any merge.
    pub fn whole(&self, pretoken: &str) -> Option<Id> {
        self.settings.ignore_merges.then(|| self.vocab.id(pretoken.as_bytes())).flatten()
    }

    /// The token for unknown characters.
    pub fn unknown(&self) -> Option<Id> {
        self.settings.unknown.as_ref().and_then(Unknown::id)
    }

    /// Whether a character may be in no token: there is no unknown token, and not every character has a token or bytes.
    /// The pretokens may be `byte_level`: then their characters are those of the byte alphabet.
    pub fn leaves_out(&self, byte_level: bool) -> bool {
        let Settings { continuing_subword_prefix: prefix, end_of_word_suffix: suffix, .. } = &self.settings;
        let has = |byte: u8| self.vocab.id(char_of(byte).to_string().as_bytes()).is_some();
        let has_alphabet = || prefix.is_empty() && suffix.is_empty() && (0..=u8::MAX).all(has);
        let falls_back = || self.bytes.as_ref().is_some_and(|ids| ids.iter().all(Option::is_some));
        self.settings.unknown.is_none() && !falls_back() && !(byte_level && has_alphabet())
    }

    /// Rank of the merge that makes a token, where one does.
    pub(crate) fn rank(&self, id: Id) -> Option<Rank> {
        self.ranks.get(id as usize).copied().filter(|&rank| rank != NO_RANK)
    }

    /// Appends the tokens of a pretoken that is not empty, with the bytes of the pretoken they stand for. `random`
    /// decides what dropout leaves out.
    ///
    /// Errors: an unknown character where the unknown token is not in the vocabulary.
    pub(crate) fn encode(
        &self,
        pretoken: &str,
        scratch: &mut Scratch,
        random: &mut Random,
        out: &mut Vec<(Id, Range<usize>)>,
    ) -> Result<(), UnknownSymbol> {
        let dropout = scratch.dropout.or(self.settings.dropout).unwrap_or(0.0);
        // With dropout no pretoken is taken whole, as in the reference.
        if self.settings.ignore_merges
            && dropout == 0.0
            && let Some(id) = self.vocab.id(pretoken.as_bytes())
        {
            out.push((id, 0..pretoken.len()));
            return Ok(());
        }
        let Scratch { symbols, long, scored: memory, .. } = scratch;
        symbols.clear();
        if let Some(scored) = &self.scored {
            scored.push_symbols(pretoken, symbols);
            long::merge(&self.merges, symbols, long, &mut scored.order(memory));
            scored.push_tokens(&self.vocab, pretoken, symbols, memory, out);
            return Ok(());
        }
        self.push_symbols(pretoken, symbols)?;
        if dropout > 0.0 {
            long::merge_some(&self.merges, symbols, long, &mut ByRank::default(), || {
                random.next_unit() < f64::from(dropout)
            });
        } else {
            long::merge(&self.merges, symbols, long, &mut ByRank { is_plain: self.is_plain });
        }
        out.extend(symbols.iter().map(|symbol| (symbol.id, symbol.start as usize..symbol.end as usize)));
        Ok(())
    }

    fn push_symbols(&self, pretoken: &str, symbols: &mut Vec<Placed>) -> Result<(), UnknownSymbol> {
        let mut waiting: Option<Placed> = None;
        for (at, c) in pretoken.char_indices() {
            let (start, end) = (at as u32, (at + c.len_utf8()) as u32);
            let spelling = self.spelling(pretoken, start as usize..end as usize);
            if let Some(id) = self.vocab.id(spelling.as_bytes()) {
                symbols.extend(waiting.take());
                symbols.push(Placed { id, start, end });
                continue;
            }
            if self.push_bytes(&spelling, start, end, symbols) {
                continue;
            }
            let unknown = match &self.settings.unknown {
                None => continue,
                Some(Unknown::Token(id)) => *id,
                Some(Unknown::Missing(_)) => return Err(UnknownSymbol { at: start as usize..end as usize }),
            };
            waiting = match waiting {
                Some(before) if self.settings.fuse_unk => Some(Placed { end, ..before }),
                before => {
                    symbols.extend(before);
                    Some(Placed { id: unknown, start, end })
                }
            };
        }
        symbols.extend(waiting);
        Ok(())
    }

    /// What the vocabulary is asked for: a character with the prefix and the suffix of its place.
    fn spelling<'a>(&self, pretoken: &'a str, range: Range<usize>) -> Cow<'a, str> {
        let Settings { continuing_subword_prefix: prefix, end_of_word_suffix: suffix, .. } = &self.settings;
        let prefix = if range.start > 0 { prefix } else { "" };
        let suffix = if range.end == pretoken.len() { suffix } else { "" };
        let c = &pretoken[range];
        if prefix.is_empty() && suffix.is_empty() { c.into() } else { [prefix, c, suffix].concat().into() }
    }

    /// Pushes the bytes of an unknown character, where the vocabulary has them all.
    fn push_bytes(&self, spelling: &str, start: u32, end: u32, symbols: &mut Vec<Placed>) -> bool {
        let Some(bytes) = &self.bytes else { return false };
        if !spelling.bytes().all(|byte| bytes[usize::from(byte)].is_some()) {
            return false;
        }
        let alone = spelling.len() == (end - start) as usize;
        let ids = spelling.bytes().filter_map(|byte| bytes[usize::from(byte)]).zip(start..);
        symbols.extend(ids.map(|(id, at)| {
            // A prefix is in no place of the text, so its bytes stand for the character, too.
            if alone { Placed { id, start: at, end: at + 1 } } else { Placed { id, start, end } }
        }));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::bpe::naive;
    use crate::models::space_mark::segments;

    fn bpe(tokens: &[&str], merges: &[(&str, &str)], settings: Settings) -> Bpe {
        let mut vocab = Vocab::default();
        for (id, token) in tokens.iter().enumerate() {
            vocab.insert(id as Id, token.as_bytes()).expect("each once");
        }
        let id = |token: &str| vocab.id(token.as_bytes()).expect("a token");
        let prefix = settings.continuing_subword_prefix.as_str();
        let made = |&(left, right): &(&str, &str)| id(&[left, right.strip_prefix(prefix).unwrap_or(right)].concat());
        let mut table = Merges::new(merges.iter().map(made).collect());
        for (rank, (left, right)) in merges.iter().enumerate() {
            table.insert(id(left), id(right), rank as Rank);
        }
        Bpe::new(vocab, table, settings)
    }

    fn shown(bpe: &Bpe, pretoken: &str) -> String {
        let mut out = vec![];
        if let Err(UnknownSymbol { at }) = bpe.encode(pretoken, &mut Scratch::default(), &mut Random::new(1), &mut out)
        {
            return format!("not encoded: {at:?}");
        }
        let token = |id| String::from_utf8_lossy(bpe.vocab.token(id).expect("a token")).into_owned();
        out.into_iter().map(|(id, range)| format!("{} {range:?}", token(id))).collect::<Vec<_>>().join(", ")
    }

    const BYTES: [&str; 3] = ["<0xE6>", "<0x97>", "<0xA5>"]; // 日

    #[test]
    fn settings_decide_what_becomes_of_the_unknown() {
        let tokens = ["?", "a", "b", "ab", "<0xE6>", "<0x97>", "<0xA5>"];
        let merges = [("a", "b")];
        let with =
            |unknown, fuse_unk, byte_fallback| Settings { unknown, fuse_unk, byte_fallback, ..Settings::default() };
        let unknown = Some(Unknown::Token(0));
        let missing = Some(Unknown::Missing("<unk>".into()));
        let cases = [
            (with(None, false, false), "axb", "ab 0..3"), // what is left out lies in the span
            (with(unknown.clone(), false, false), "xxab", "? 0..1, ? 1..2, ab 2..4"),
            (with(unknown.clone(), true, false), "xéab日", "? 0..3, ab 3..5, ? 5..8"),
            (with(unknown.clone(), true, true), "b日x", "b 0..1, <0xE6> 1..2, <0x97> 2..3, <0xA5> 3..4, ? 4..5"),
            (with(unknown, false, true), "x日", "<0xE6> 1..2, <0x97> 2..3, <0xA5> 3..4, ? 0..1"), // as the reference
            (with(None, false, true), "é日", "<0xE6> 2..3, <0x97> 3..4, <0xA5> 4..5"),
            (with(missing.clone(), false, false), "abx", "not encoded: 2..3"),
            (with(missing, false, false), "ab", "ab 0..2"),
        ];
        for (settings, pretoken, expected) in cases {
            assert_eq!(shown(&bpe(&tokens, &merges, settings.clone()), pretoken), expected, "{settings:?}");
        }
    }

    #[test]
    fn prefix_and_suffix_belong_to_places() {
        let tokens = ["a", "##a", "##a</w>", "a</w>", "a##a"];
        let settings = |prefix: &str, suffix: &str| Settings {
            continuing_subword_prefix: prefix.into(),
            end_of_word_suffix: suffix.into(),
            ..Settings::default()
        };
        assert_eq!(shown(&bpe(&tokens, &[], settings("##", "</w>")), "aaa"), "a 0..1, ##a 1..2, ##a</w> 2..3");
        assert_eq!(shown(&bpe(&tokens, &[], settings("##", "</w>")), "a"), "a</w> 0..1");
        assert_eq!(shown(&bpe(&tokens[..2], &[], settings("##", "")), "aa"), "a 0..1, ##a 1..2");
        let merged = bpe(&["a", "##a", "aa"], &[("a", "##a")], settings("##", ""));
        assert_eq!(shown(&merged, "aaa"), "aa 0..2, ##a 2..3");
        let bytes = Settings { byte_fallback: true, ..settings("\u{65E5}", "") };
        assert_eq!(shown(&bpe(&["a", BYTES[0], BYTES[1], BYTES[2]], &[], bytes), "a日").matches("1..4").count(), 6);
    }

    #[test]
    fn whole_pretokens_are_taken_where_merges_are_ignored() {
        let tokens = ["a", "b", "ab", "aba"];
        let with = |ignore_merges| bpe(&tokens, &[("a", "b")], Settings { ignore_merges, ..Settings::default() });
        assert_eq!(shown(&with(true), "aba"), "aba 0..3");
        assert_eq!(shown(&with(false), "aba"), "ab 0..2, a 2..3");
    }

    #[test]
    fn dropout_leaves_merges_out() {
        let tokens = ["a", "b", "ab"];
        let with = |dropout| bpe(&tokens, &[("a", "b")], Settings { dropout: Some(dropout), ..Settings::default() });
        assert_eq!(shown(&with(0.0), "ab"), "ab 0..2");
        assert_eq!(shown(&with(1.0), "ab"), "a 0..1, b 1..2");
        let (half, mut random, mut whole) = (with(0.5), Random::new(3), 0);
        for _ in 0..1000 {
            let mut out = vec![];
            half.encode("ab", &mut Scratch::default(), &mut random, &mut out).expect("all known");
            whole += usize::from(out.len() == 1);
        }
        assert!((450..550).contains(&whole), "{whole}");
    }

    #[test]
    fn agrees_with_the_definition() {
        let tokens = ["a", "b", "ab", "ba", "aa", "aba", "abab", "aabab"];
        let merges = [("a", "b"), ("b", "a"), ("ab", "ab"), ("a", "a"), ("ab", "a"), ("a", "abab")];
        let bpe = bpe(&tokens, &merges, Settings::default());
        let mut random = crate::testing::Random::new(5);
        for _ in 0..2000 {
            let text: String = (0..1 + random.below(30)).map(|_| *random.pick(&['a', 'b'])).collect();
            let symbols = text.bytes().map(|byte| Id::from(byte - b'a')).collect();
            let mut out = vec![];
            bpe.encode(&text, &mut Scratch::default(), &mut Random::new(0), &mut out).expect("all known");
            let (ids, ranges): (Vec<_>, Vec<_>) = out.into_iter().unzip();
            assert_eq!(ids, naive::encode(&bpe.merges, symbols), "{text}");
            let spelled: Vec<&str> = ranges.into_iter().map(|range| &text[range]).collect();
            let tokens: Vec<&str> = ids.iter().map(|&id| tokens[id as usize]).collect();
            assert_eq!(spelled, tokens, "{text}");
        }
    }

    #[test]
    fn segments_have_the_tokens_of_the_whole() {
        let tokens =
            ["?", "▁", "a", "b", "▁a", "ab", "▁▁", "ba", "▁▁a", "aa", "▁aa", "a?", BYTES[0], BYTES[1], BYTES[2]];
        let merges = [
            ("▁", "a"),
            ("b", "a"),
            ("▁", "▁"),
            ("a", "b"),
            ("▁▁", "a"),
            ("▁", "▁a"),
            ("a", "a"),
            ("▁a", "a"),
            ("a", "?"),
        ];
        let mut random = crate::testing::Random::new(23);
        for (fuse_unk, byte_fallback) in [(false, false), (false, true), (true, false), (true, true)] {
            let unknown = Some(Unknown::Token(0));
            let bpe = bpe(&tokens, &merges, Settings { fuse_unk, byte_fallback, unknown, ..Settings::default() });
            assert!(bpe.falls_into_segments);
            let mut scratch = Scratch::default();
            for _ in 0..2000 {
                let text: String =
                    (0..1 + random.below(40)).map(|_| *random.pick(&["▁", "a", "b", "x", "▁a", "日"])).collect();
                let mut encoded = |text: &str| {
                    let mut tokens = vec![];
                    bpe.encode(text, &mut scratch, &mut Random::new(1), &mut tokens)
                        .expect("there is an unknown token");
                    tokens
                };
                let parts = segments(&text).flat_map(|at| {
                    let moved = |(id, range): (Id, Range<usize>)| (id, at.start + range.start..at.start + range.end);
                    encoded(&text[at.clone()]).into_iter().map(moved).collect::<Vec<_>>()
                });
                let parts: Vec<_> = parts.collect();
                assert_eq!(encoded(&text), parts, "{text}");
            }
        }
    }

    #[test]
    fn what_reaches_across_marks_keeps_a_pretoken_whole() {
        let plain = Settings { unknown: Some(Unknown::Token(1)), ..Settings::default() };
        let tokens = ["▁", "a", "a▁", "▁a", "a▁a", "▁▁"];
        let falls = |merges: &[(&str, &str)], settings| bpe(&tokens, merges, settings).falls_into_segments;
        assert!(falls(&[("▁", "a"), ("▁", "▁")], plain.clone()));
        assert!(!falls(&[("a", "▁")], plain.clone()));
        assert!(!falls(&[("a", "▁a")], plain.clone()));
        assert!(!falls(&[], Settings { end_of_word_suffix: "</w>".into(), ..plain.clone() }));
        assert!(!falls(&[], Settings { unknown: Some(Unknown::Token(5)), ..plain.clone() }));
        assert!(!bpe(&["a", "▁a"], &[], plain).falls_into_segments);
        // A character may be left out between two that merge.
        assert!(!falls(&[("▁", "▁")], Settings::default()));
        assert!(!falls(&[("▁", "▁")], Settings { byte_fallback: true, ..Settings::default() }));
        // The place of an error is that of the whole.
        let missing = Settings { unknown: Some(Unknown::Missing("?".into())), ..Settings::default() };
        assert_eq!(shown(&bpe(&tokens, &[("▁", "a")], missing), "a▁a▁x"), "not encoded: 8..9");
    }

    #[test]
    fn example_of_bpe_encode() {
        use crate::models::bpe::{
            characters::{Bpe, Scratch, Settings},
            merges::Merges,
        };
        use crate::{random::Random, vocab::Vocab};
        let mut vocab = Vocab::default();
        for (id, token) in ["h", "i", "i</w>", "hi</w>"].into_iter().enumerate() {
            vocab.insert(id as u32, token.as_bytes()).unwrap();
        }
        let mut merges = Merges::new(vec![3]);
        merges.insert(0, 2, 0);
        let bpe = Bpe::new(vocab, merges, Settings { end_of_word_suffix: "</w>".into(), ..Settings::default() });
        let mut out = vec![];
        bpe.encode("hi", &mut Scratch::default(), &mut Random::new(0), &mut out).unwrap();
        assert_eq!(out, [(3, 0..2)]);
    }
}
