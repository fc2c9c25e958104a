//! What a `.model` file adds to merging characters: merges ordered by the score of what they make, and kinds of tokens.
//!
//! Of all neighbours that spell a token the pair with the largest score merges first, of equal ones the leftmost.
//! User-defined tokens are symbols that never merge. Tokens no longer used take part in merges and are split again at the
//! end, where their spelling was last seen to be joined; a character no longer used is unknown. Unknown characters become
//! bytes, or one token, after all merges.
//! Models of words and of characters are merges without any, over other symbols.
//!
//! Not here: the merge loop ([`super::long`]), the same merges by rank ([`super::characters`]).
//!
//! Source: Sennrich, Haddow, Birch 2016; Kudo and Richardson 2018; behaviour as in `sentencepiece` 0.2.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::characters::Placed;
use super::long::Order;
use super::merges::{LIMIT, Merges, NO_RANK, Rank};
use super::naive::{self, Traced};
use crate::ids::Id;
use crate::memory::HeapBytes;
use crate::models::kinds::Kinds;
use crate::models::space_mark::{MARK, has_inner_mark};
use crate::models::trie::Trie;
use crate::vocab::{Kind, Vocab};

/// A character that is in no token, or a user-defined token: never merges.
pub(super) const ALONE: Id = LIMIT as Id - 1;

/// What symbols are at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symbols {
    /// Characters, which merge.
    Merging,
    /// Words: each starts at a space mark.
    Words,
    /// Characters.
    Characters,
}

/// What is looked up. Symbols are tokens and characters: characters that are in tokens but are none themselves have
/// numbers above all ids.
#[derive(Clone, Debug)]
pub(super) struct Scored {
    pub(crate) symbols: Symbols,
    pub(crate) kinds: Kinds,
    pub(crate) scores: Vec<f32>,
    /// Symbols of single characters.
    characters: FxHashMap<char, Id>,
    /// By rank of a merge: the place of its score among the others, equal ones alike.
    order: Vec<u32>,
    /// Whether some tokens are to be split again.
    has_unused: bool,
}

/// How unused tokens were last seen to be made.
#[derive(Default)]
pub(super) struct Scratch {
    joined: FxHashMap<Id, Joined>,
    tokens: Vec<(Id, Range<usize>)>,
}

impl HeapBytes for Scratch {
    fn heap_bytes(&self) -> usize {
        self.joined.heap_bytes() + self.tokens.heap_bytes()
    }
}

/// Two symbols that make a token, and the length of the first in bytes.
#[derive(Clone, Copy)]
struct Joined {
    left: Id,
    right: Id,
    left_len: u32,
}

/// What became of the symbols of a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Merging {
    /// The characters and user-defined tokens at first; the unknown token for what is no token.
    pub symbols: Vec<(Id, Range<usize>)>,
    /// The merges and those that came to nothing. Ranks are the order of the scores: equal scores have equal ranks.
    pub traced: Traced,
    /// The tokens in the end.
    pub tokens: Vec<(Id, Range<usize>)>,
}

/// By score; remembers how unused tokens are made.
pub(super) struct ByScore<'a> {
    scored: &'a Scored,
    joined: &'a mut FxHashMap<Id, Joined>,
}

impl Order<Placed> for ByScore<'_> {
    fn of(&self, rank: Rank) -> u32 {
        self.scored.order[rank as usize]
    }

    fn holds(&self, _: &Merges, queued: u32, found: Rank) -> bool {
        self.scored.order[found as usize] == queued
    }

    fn is_plain(&self) -> bool {
        true
    }

    fn sees(&self) -> bool {
        self.scored.has_unused
    }

    fn see(&mut self, left: &Placed, right: &Placed, made: Id) {
        if self.scored.has_unused && self.scored.kinds.of(made) == Kind::Unused {
            let left_len = left.end - left.start;
            self.joined.insert(made, Joined { left: left.id, right: right.id, left_len });
        }
    }
}

impl Scored {
    /// The tables over the tokens in `vocab`, and the merges.
    ///
    /// Errors, in words: more tokens than merges can have.
    pub(crate) fn new(
        vocab: &Vocab,
        scores: Vec<f32>,
        kinds: Kinds,
        symbols: Symbols,
    ) -> Result<(Self, Merges), String> {
        let is_text = |id: &Id| !kinds.of(*id).is_reserved();
        let merging = vocab.iter().filter(|(id, _)| is_text(id) && kinds.of(*id) != Kind::UserDefined);
        let mut texts: Vec<(String, Id)> =
            merging.map(|(id, token)| (String::from_utf8_lossy(token).into_owned(), id)).collect();
        if symbols != Symbols::Merging {
            texts.clear();
        }
        // By score, the largest first; by id where scores are equal, so that every run makes the same tables.
        texts.sort_by(|a, b| scores[b.1 as usize].total_cmp(&scores[a.1 as usize]).then(a.1.cmp(&b.1)));
        let id_bound = kinds.all().len() as Id;
        let mut spelled: FxHashMap<&str, Id> = texts.iter().map(|(text, id)| (text.as_str(), *id)).collect();
        let mut characters: FxHashMap<char, Id> = FxHashMap::default();
        for (rest, c) in texts.iter().flat_map(|(text, _)| text.char_indices().map(move |(at, c)| (&text[at..], c))) {
            let next = id_bound + characters.len() as Id;
            let symbol = *spelled.entry(&rest[..c.len_utf8()]).or_insert(next);
            characters.entry(c).or_insert(symbol);
        }
        if id_bound as usize + characters.len() >= ALONE as usize {
            return Err(format!("{id_bound} tokens are more than the {ALONE} that merges can have"));
        }
        let (merges, order) = pairs(&texts, &spelled, &scores);
        let has_unused = kinds.all().contains(&Kind::Unused);
        Ok((Self { symbols, kinds, scores, characters, order, has_unused }, merges))
    }

    /// Whether no token reaches from a character to a space mark after it, so that what a mark starts is encoded by itself.
    pub(crate) fn falls_into_segments(&self, vocab: &Vocab) -> bool {
        let mut tokens = vocab.iter().filter(|(id, _)| !self.kinds.of(*id).is_reserved());
        // A mark that is no token could be in a run of what is unknown.
        let mark = vocab.id(MARK.encode_utf8(&mut [0; 4]).as_bytes());
        mark.is_some_and(|mark| self.kinds.of(mark) == Kind::Normal)
            // Unknown words beside each other are one token.
            && self.symbols != Symbols::Words
            && !self.has_unused
            && !tokens.any(|(_, token)| has_inner_mark(token))
            // The normalizer leaves these alone, so that a space is one still.
            && !self.kinds.user_defined().strings().any(|token| token.iter().skip(1).any(|&byte| byte == b' '))
    }

    /// The order of merges.
    pub(crate) fn order<'a>(&'a self, scratch: &'a mut Scratch) -> ByScore<'a> {
        scratch.joined.clear();
        ByScore { scored: self, joined: &mut scratch.joined }
    }

    /// The symbol of a character that starts no user-defined token: a normal token, or the byte that replaces a character of
    /// ASCII that is in no token.
    pub(crate) fn symbol(&self, c: char) -> Option<Id> {
        let first = c.encode_utf8(&mut [0; 4]).as_bytes()[0];
        if self.symbols != Symbols::Merging || self.has_unused || self.kinds.user_defined().may_start(first) {
            return None;
        }
        let is_normal = |symbol: &Id| self.is_token(*symbol) && self.kinds.of(*symbol) == Kind::Normal;
        match self.characters.get(&c).copied() {
            Some(symbol) => Some(symbol).filter(is_normal),
            None => self.kinds.bytes().filter(|_| c.is_ascii()).map(|bytes| bytes[usize::from(first)]),
        }
    }

    /// The symbol of a character, or one that never merges if it is in no token.
    pub(super) fn symbol_in_tokens(&self, c: char) -> Id {
        self.characters.get(&c).copied().unwrap_or(ALONE)
    }

    /// Whether a symbol is its own token.
    pub(super) fn is_token(&self, symbol: Id) -> bool {
        (symbol as usize) < self.kinds.all().len()
    }

    /// Appends the symbols of a text.
    pub(crate) fn push_symbols(&self, text: &str, out: &mut Vec<Placed>) {
        let place = |id: Id, range: Range<usize>| Placed { id, start: range.start as u32, end: range.end as u32 };
        if self.symbols == Symbols::Words {
            words(text, |range| out.push(place(ALONE, range)));
            return;
        }
        let mut at = 0;
        while at < text.len() {
            let kept = self.kinds.user_defined().longest(&text.as_bytes()[at..]);
            let c = text[at..].chars().next().filter(|_| kept == 0);
            let len = c.map_or(kept, char::len_utf8);
            let symbol = c.map_or(ALONE, |c| self.symbol_in_tokens(c));
            out.push(place(symbol, at..at + len));
            at += len;
        }
    }

    /// Appends the tokens of the merged symbols of a text, with bytes, or one token, for unknown ones.
    pub(crate) fn push_tokens(
        &self,
        vocab: &Vocab,
        text: &str,
        symbols: &[Placed],
        scratch: &mut Scratch,
        out: &mut Vec<(Id, Range<usize>)>,
    ) {
        let mut tokens = std::mem::take(&mut scratch.tokens);
        self.push_split(vocab, text, symbols, scratch, &mut tokens);
        self.kinds.push(text, tokens.drain(..), &mut |id, range| out.push((id, range)));
        scratch.tokens = tokens;
    }

    /// Appends the tokens of merged symbols. Unused ones are split again, and what is no token becomes the unknown one.
    fn push_split(
        &self,
        vocab: &Vocab,
        text: &str,
        symbols: &[Placed],
        scratch: &Scratch,
        out: &mut Vec<(Id, Range<usize>)>,
    ) {
        for symbol in symbols {
            let range = symbol.start as usize..symbol.end as usize;
            if !self.has_unused {
                out.push((self.id_of(vocab, symbol.id, &text[range.clone()]), range));
                continue;
            }
            let mut work = vec![(symbol.id, range)];
            // Ends: both parts are shorter than the whole.
            while let Some((symbol, range)) = work.pop() {
                if let Some(&Joined { left, right, left_len }) = scratch.joined.get(&symbol) {
                    let middle = range.start + left_len as usize;
                    work.extend([(right, middle..range.end), (left, range.start..middle)]);
                } else {
                    out.push((self.id_of(vocab, symbol, &text[range.clone()]), range));
                }
            }
        }
    }

    /// The token of a symbol that spells `text`, or the unknown one: also for an unused character or word, which is made of
    /// nothing that could take its place.
    fn id_of(&self, vocab: &Vocab, symbol: Id, text: &str) -> Id {
        let id = match self.is_token(symbol) {
            true => Some(symbol),
            false => vocab.id(text.as_bytes()).filter(|&id| !self.kinds.of(id).is_reserved()),
        };
        id.filter(|&id| self.kinds.of(id) != Kind::Unused).unwrap_or(self.kinds.unknown())
    }

    /// What merging does with a text, step by step: the definition, which takes time in the square of its length.
    pub(crate) fn merging(&self, vocab: &Vocab, merges: &Merges, text: &str) -> Merging {
        let mut placed = vec![];
        self.push_symbols(text, &mut placed);
        let symbols: Vec<Id> = placed.iter().map(|symbol| symbol.id).collect();
        let ranges: Vec<Range<usize>> =
            placed.iter().map(|symbol| symbol.start as usize..symbol.end as usize).collect();
        // By symbol: how it was last seen to be made, and its characters.
        let mut made: FxHashMap<Id, ([Id; 2], usize)> = FxHashMap::default();
        let mut traced = naive::trace(&symbols, |left, right| {
            let rank = merges.rank(left, right);
            if rank == NO_RANK {
                return (NO_RANK, 0);
            }
            let result = merges.result(rank);
            let characters = |symbol: Id| made.get(&symbol).map_or(1, |made| made.1);
            let characters = characters(left) + characters(right);
            made.insert(result, ([left, right], characters));
            (self.order[rank as usize], result)
        });
        let (mut tokens, mut at) = (vec![], 0);
        let mut work: Vec<Id> = traced.tokens.iter().rev().map(|token| token.0).collect();
        // Ends: both parts of a symbol are shorter than it.
        while let Some(symbol) = work.pop() {
            match made.get(&symbol) {
                Some(([left, right], _)) if self.kinds.of(symbol) == Kind::Unused => work.extend([*right, *left]),
                made => {
                    let end = at + made.map_or(1, |made| made.1);
                    let range = ranges[at].start..ranges[end - 1].end;
                    tokens.push((self.id_of(vocab, ALONE, &text[range.clone()]), range));
                    at = end;
                }
            }
        }
        let token_of =
            |symbol: Id| if (symbol as usize) < self.kinds.all().len() { symbol } else { self.kinds.unknown() };
        traced.steps.iter_mut().for_each(|step| step.pair = step.pair.map(token_of));
        traced.blocked.iter_mut().for_each(|blocked| blocked.pair = blocked.pair.map(token_of));
        let symbols = ranges.into_iter().map(|range| (self.id_of(vocab, ALONE, &text[range.clone()]), range)).collect();
        let mut all = vec![];
        self.kinds.push(text, tokens.into_iter(), &mut |id, range| all.push((id, range)));
        Merging { symbols, traced, tokens: all }
    }
}

/// The words of a text: each starts at a space mark.
fn words(text: &str, mut found: impl FnMut(Range<usize>)) {
    let mut start = 0;
    for (at, _) in text.match_indices(MARK).filter(|(at, _)| *at > 0) {
        found(start..at);
        start = at;
    }
    if start < text.len() {
        found(start..text.len());
    }
}

/// The merges, by falling score of what they make, and the order of their scores.
fn pairs(texts: &[(String, Id)], symbols: &FxHashMap<&str, Id>, scores: &[f32]) -> (Merges, Vec<u32>) {
    let reversed: Vec<(Vec<u8>, Id)> = symbols.iter().map(|(text, &id)| (text.bytes().rev().collect(), id)).collect();
    let ends = Trie::new(reversed.iter().map(|(text, id)| (text.as_slice(), *id)).collect());
    drop(reversed);
    let starts = Trie::new(symbols.iter().map(|(text, &id)| (text.as_bytes(), id)).collect());
    let mut merges = Merges::new(texts.iter().map(|(_, id)| *id).collect());
    let mut order: Vec<u32> = Vec::with_capacity(texts.len());
    let (mut lefts, mut rights) = (vec![], FxHashMap::default());
    for (rank, (text, _)) in texts.iter().enumerate() {
        let score = |at: usize| scores[texts[at].1 as usize];
        let last = order.last().copied().unwrap_or_default();
        order.push(if rank > 0 && score(rank) < score(rank - 1) { last + 1 } else { last });
        lefts.clear();
        rights.clear();
        starts.prefixes(text.as_bytes(), |left, len| lefts.push((left, len)));
        let backwards: Vec<u8> = text.bytes().rev().collect();
        ends.prefixes(&backwards, |right, len| _ = rights.insert(text.len() - len, right));
        for &(left, len) in &lefts {
            if let Some(&right) = rights.get(&len) {
                merges.insert(left, right, rank as Rank);
            }
        }
    }
    (merges, order)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::Model;
    use crate::models::bpe::characters::Bpe;
    use crate::testing::Random;

    fn model(symbols: Symbols, tokens: &[(&str, f32, Kind)]) -> Bpe {
        let mut vocab = Vocab::default();
        for (id, (token, ..)) in tokens.iter().enumerate() {
            vocab.insert(id as Id, token.as_bytes()).expect("each once");
        }
        let (kinds, scores) = tokens.iter().map(|&(_, score, kind)| (kind, score)).unzip();
        let kinds = Kinds::new(&vocab, kinds, false).expect("a model");
        Bpe::of_kinds(vocab, scores, kinds, symbols).expect("few tokens")
    }

    fn encode(model: &Model, text: &str) -> Vec<(Id, Range<usize>)> {
        let mut tokens = vec![];
        model.encode(text, &mut crate::models::Scratch::new(0), &mut tokens).expect("there is an unknown token");
        tokens
    }

    #[test]
    fn agrees_with_the_definition() {
        let (normal, mut random) = (Kind::Normal, Random::new(11));
        let mut tokens = vec![
            ("<unk>", 0.0, Kind::Unknown),
            ("▁", -9.0, normal),
            ("a", -9.0, normal),
            ("▁a", -1.0, normal),
            ("ab", -2.0, normal),
            ("▁▁", -2.0, normal),
            ("ba", -3.0, normal),
            ("▁▁a", -3.5, normal),
            ("aa", -4.0, normal),
            ("▁aa", -5.0, normal),
            ("cb", 0.0, Kind::UserDefined),
        ];
        // Words seen before, none, and tokens that are split again.
        for (more, falls) in
            [(None, true), (Some(("a▁b", -6.0, normal)), false), (Some(("bab", -1.5, Kind::Unused)), false)]
        {
            tokens.truncate(11);
            tokens.extend(more);
            let bpe = model(Symbols::Merging, &tokens);
            assert_eq!(bpe.falls_into_segments(), falls);
            let model = Model::Bpe(bpe.clone());
            for round in 0..2000 {
                // Some are longer than what is merged by a scan.
                let len = random.below(if round % 10 == 0 { 120 } else { 30 });
                let text: String = (0..len).map(|_| *random.pick(&["▁", "a", "b", "c", "▁a"])).collect();
                let expected = bpe.merging(&text).expect("merges by scores").tokens;
                assert_eq!(encode(&model, &text), expected, "{text}");
            }
        }
    }

    #[test]
    fn words_and_characters_are_symbols_that_never_merge() {
        let tokens = [
            ("<unk>", 0.0, Kind::Unknown),
            ("▁a", 0.0, Kind::Normal),
            ("b", 0.0, Kind::Normal),
            ("cb", 0.0, Kind::UserDefined),
        ];
        let of = |symbols| encode(&Model::Bpe(model(symbols, &tokens)), "▁a▁bcb");
        assert_eq!(of(Symbols::Words), [(1, 0..4), (0, 4..10)]);
        assert_eq!(of(Symbols::Characters), [(0, 0..7), (2, 7..8), (3, 8..10)]);
    }

    #[test]
    fn an_unused_character_merges_and_is_unknown_alone() {
        let tokens = [
            ("<unk>", 0.0, Kind::Unknown),
            ("a", -9.0, Kind::Unused),
            ("b", -9.0, Kind::Normal),
            ("ab", -1.0, Kind::Normal),
            ("ba", -2.0, Kind::Unused),
        ];
        let model = model(Symbols::Merging, &tokens);
        for (text, expected) in
            [("ab", vec![(3, 0..2)]), ("ba", vec![(2, 0..1), (0, 1..2)]), ("aab", vec![(0, 0..1), (3, 1..3)])]
        {
            assert_eq!(model.merging(text).expect("merges by scores").tokens, expected, "{text}");
            assert_eq!(encode(&Model::Bpe(model.clone()), text), expected, "{text}");
        }
    }

    #[test]
    fn tokens_across_marks_and_unused_ones_keep_a_text_whole() {
        let known = [("<unk>", 0.0, Kind::Unknown), ("▁", -1.0, Kind::Normal)];
        let falls =
            |token, kind| model(Symbols::Merging, &[known[0], known[1], (token, -1.0, kind)]).falls_into_segments();
        assert!(falls("▁▁a", Kind::Normal));
        assert!(!model(Symbols::Words, &known).falls_into_segments());
        assert!(!falls("a▁", Kind::Normal));
        assert!(!falls("a▁b", Kind::UserDefined));
        assert!(!falls("a b", Kind::UserDefined));
        assert!(!falls("ab", Kind::Unused));
        assert!(falls("a▁", Kind::Control));
        // A mark that is no token may be in a run of what is unknown.
        assert!(!model(Symbols::Merging, &[known[0], ("ab", -1.0, Kind::Normal)]).falls_into_segments());
    }
}
