//! Unigram: the segmentation whose tokens have the largest sum of scores, which are natural logarithms of probabilities.
//!
//! Scores are added from the left, and of equal sums the one found first stays. An unknown character costs the lowest score
//! less 10; neighbouring ones are one token. How numbers are rounded decides near ties, so there are two policies:
//!
//! | | a tokenizer.json, as in `tokenizers` | a `.model`, as in `sentencepiece` |
//! | --- | --- | --- |
//! | sums | 64-bit floats | 32-bit floats, made 0 again below -100,000 |
//! | lowest score | of all tokens | of normal tokens |
//! | user-defined tokens | none | never split: 0.1 for each byte after the first |
//! | in the text | any token | no control, unknown, byte or unused token |
//! | byte fallback | of a run of unknown characters | of each |
//!
//! Not here: all other segmentations ([`lattice`]).
//!
//! Source: Kudo 2018, Subword Regularization; `Unigram` of the tokenizer.json format; `sentencepiece` 0.2.

pub mod lattice;
mod parts;
pub mod weights;

use std::ops::{Add, Range, Sub};

use super::NotEncoded;
use super::bpe::characters::byte_token;
use super::kinds::Kinds;
use super::trie::Trie;
use super::units::{MARK, has_inner_mark};
use crate::ids::Id;
use crate::memory::HeapBytes;
use crate::vocab::{Kind, Vocab};
use parts::Parts;

/// What an unknown character costs beside the lowest score.
const UNKNOWN_PENALTY: f64 = 10.0;

/// A token of a path, `None` for an unknown character, and its bytes in the pretoken.
type Segment = (Option<Id>, Range<usize>);

/// What the model needs to know beside tokens and scores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The token for unknown characters.
    pub unknown: Option<Id>,
    /// Whether what is unknown becomes its bytes, spelled `<0xE6>`, where the vocabulary has them all.
    pub byte_fallback: bool,
}

/// The model.
#[derive(Clone, Debug)]
pub struct Unigram {
    vocab: Vocab,
    trie: Trie,
    /// By id.
    scores: Vec<f64>,
    /// What tokens count in a sum.
    weights: Weights,
    /// Bytes of the longest token or character.
    longest: usize,
    settings: Settings,
    /// Tokens of single bytes, where the settings ask for them.
    bytes: Option<Box<[Option<Id>; 256]>>,
    /// The kinds of the tokens of a `.model`.
    kinds: Option<Kinds>,
    /// Whether every segmentation of a text by a `.model` splits before a space mark that follows another character.
    falls_into_parts: bool,
}

/// What tokens count in a sum, by id, and an unknown character.
#[derive(Clone, Debug)]
enum Weights {
    Double(Vec<f64>, f64),
    Single(Vec<f32>, f32),
}

/// A float that sums are made of.
trait Number: Copy + PartialOrd + Add<Output = Self> + Sub<Output = Self> {
    const ZERO: Self;
    /// Sums below this are made 0 again, so that a long text does not lose the last bits of its scores.
    const FAR: Self;
}

impl Number for f64 {
    const ZERO: Self = 0.0;
    const FAR: Self = f64::NEG_INFINITY;
}

impl Number for f32 {
    const ZERO: Self = 0.0;
    const FAR: Self = -100_000.0;
}

/// Memory to be used again.
#[derive(Default)]
pub struct Scratch {
    /// By place in the text: the last token of the best way there, and once the way is found the token that starts there.
    tokens: Vec<Id>,
    double: Vec<f64>,
    single: Vec<f32>,
    parts: Parts,
}

impl HeapBytes for Scratch {
    fn heap_bytes(&self) -> usize {
        self.tokens.heap_bytes() + self.double.heap_bytes() + self.single.heap_bytes() + self.parts.heap_bytes()
    }
}

/// How user-defined tokens count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UserDefined {
    /// By their bytes, as in encoding.
    ByBytes,
    /// By their characters, as in n-best and in sampling.
    ByCharacters,
}

/// In the place of a token: an unknown character.
const UNKNOWN: Id = Id::MAX;
/// In the place of a token: no way is known.
const NONE: Id = Id::MAX - 1;

impl Unigram {
    /// A model over the tokens in `vocab`; `scores` has one entry per id.
    pub fn new(vocab: Vocab, scores: Vec<f64>, settings: Settings) -> Self {
        // Of twins the one found by its bytes counts.
        let keys = vocab.iter().filter(|&(id, token)| vocab.id(token) == Some(id));
        let trie = Trie::new(keys.map(|(id, token)| (token, id)).collect());
        let lowest =
            scores.iter().copied().fold(f64::INFINITY, |lowest, score| if score < lowest { score } else { lowest });
        let byte_ids = || Box::new(std::array::from_fn(|byte| vocab.id(byte_token(byte as u8).as_bytes())));
        let bytes = settings.byte_fallback.then(byte_ids);
        let longest = vocab.iter().map(|(_, token)| token.len()).fold(char::MAX.len_utf8(), usize::max);
        let weights = Weights::Double(scores.clone(), lowest - UNKNOWN_PENALTY);
        Self { trie, weights, longest, bytes, vocab, scores, settings, kinds: None, falls_into_parts: false }
    }

    /// The model of a `.model` file; `scores` has one entry per id.
    pub fn of_kinds(vocab: Vocab, scores: &[f32], kinds: Kinds) -> Self {
        let normal = scores.iter().zip(kinds.all()).filter(|(_, kind)| **kind == Kind::Normal);
        // Without normal tokens the limit is that of the number type.
        let lowest = normal.map(|(score, _)| *score).fold(f32::MAX, f32::min);
        let is_text = |id: &Id| !kinds.of(*id).is_reserved() && kinds.of(*id) != Kind::Unused;
        let keys = vocab.iter().filter(|(id, _)| is_text(id)).map(|(id, token)| (token, id));
        let trie = Trie::new(keys.collect());
        let longest = vocab.iter().map(|(_, token)| token.len()).fold(char::MAX.len_utf8(), usize::max);
        let weight = |(id, &score): (usize, &f32)| match kinds.of(id as Id) {
            Kind::UserDefined => user_defined_score(vocab.token(id as Id).unwrap_or_default().len()),
            _ => score,
        };
        let weights = scores.iter().enumerate().map(weight).collect();
        let weights = Weights::Single(weights, lowest - UNKNOWN_PENALTY as f32);
        let settings = Settings { unknown: Some(kinds.unknown()), byte_fallback: kinds.bytes().is_some() };
        let scores = scores.iter().map(|&score| score.into()).collect();
        // A mark that is no token could be in a run of unknown characters.
        let mark = vocab.id(MARK.encode_utf8(&mut [0; 4]).as_bytes());
        let falls_into_parts = mark.is_some_and(|mark| kinds.of(mark) == Kind::Normal)
            && !vocab.iter().any(|(id, token)| is_text(&id) && has_inner_mark(token));
        Self { trie, weights, longest, bytes: None, vocab, scores, settings, kinds: Some(kinds), falls_into_parts }
    }

    /// The kinds of the tokens of a `.model`.
    pub fn kinds(&self) -> Option<&Kinds> {
        self.kinds.as_ref()
    }

    /// What a token counts in a sum.
    fn weight(&self, id: Id) -> f64 {
        match &self.weights {
            Weights::Double(weights, _) => weights[id as usize],
            Weights::Single(weights, _) => weights[id as usize].into(),
        }
    }

    /// What an unknown character counts in a sum.
    fn unknown_weight(&self) -> f64 {
        match &self.weights {
            Weights::Double(_, unknown) => *unknown,
            Weights::Single(_, unknown) => (*unknown).into(),
        }
    }

    /// A sum, rounded as the policy says. A sum of two 32-bit floats made with 64 bits is rounded once only, because 53 bits
    /// are more than twice 24 bits and 2.
    fn add(&self, a: f64, b: f64) -> f64 {
        match self.weights {
            Weights::Double(..) => a + b,
            Weights::Single(..) => f64::from((a + b) as f32),
        }
    }

    /// Whether neighbouring unknown characters become one token.
    pub fn joins_unknown(&self) -> bool {
        self.kinds.as_ref().is_none_or(|kinds| kinds.bytes().is_none())
    }

    /// The settings it was built with.
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// Natural logarithm of the token's probability.
    pub fn score(&self, id: Id) -> Option<f64> {
        self.scores.get(id as usize).copied()
    }

    /// The best segmentation of a text that does without one of the tokens, `None` for an unknown character, and the sum
    /// of its scores; infinitely bad where there is none. A character with a token of its own is never unknown.
    pub fn best_without(&self, text: &str, without: Id) -> (Vec<Option<Id>>, f64) {
        let mut best: Vec<Option<(f64, usize, Option<Id>)>> = vec![None; text.len() + 1];
        best[0] = Some((0.0, 0, None));
        for (at, c) in text.char_indices() {
            let Some((here, ..)) = best[at] else { continue };
            let (single, mut has_single) = (at + c.len_utf8(), false);
            let offer = |slot: &mut Option<(f64, usize, Option<Id>)>, score: f64, id: Option<Id>| {
                if slot.is_none_or(|(known, ..)| score > known) {
                    *slot = Some((score, at, id));
                }
            };
            self.trie.prefixes(&text.as_bytes()[at..], |id, len| {
                has_single |= at + len == single;
                if id != without {
                    offer(&mut best[at + len], self.add(self.weight(id), here), Some(id));
                }
            });
            if !has_single {
                offer(&mut best[single], self.add(self.unknown_weight(), here), None);
            }
        }
        let Some((score, ..)) = best[text.len()] else { return (vec![], f64::NEG_INFINITY) };
        let (mut path, mut end) = (vec![], text.len());
        // Ends: every step goes back by at least one character.
        while let Some((_, start, id)) = best[end].filter(|_| end > 0) {
            path.push(id);
            end = start;
        }
        path.reverse();
        (path, score)
    }

    /// Appends the tokens of a pretoken that is not empty, with the bytes of the pretoken they stand for: linear in its
    /// length, times the length of the longest token.
    ///
    /// Errors: an unknown character where there is no unknown token.
    ///
    /// ```
    /// # use token_engine::models::unigram::{Scratch, Settings, Unigram};
    /// # use token_engine::vocab::Vocab;
    /// let tokens = [("<unk>", 0.0), ("a", -1.0), ("b", -1.0), ("ab", -1.5)];
    /// let mut vocab = Vocab::default();
    /// for (id, (token, _)) in tokens.iter().enumerate() {
    ///     vocab.insert(id as u32, token.as_bytes()).unwrap();
    /// }
    /// let scores = tokens.iter().map(|token| token.1).collect();
    /// let model = Unigram::new(vocab, scores, Settings { unknown: Some(0), byte_fallback: false });
    /// let mut out = vec![];
    /// model.encode("abaxyz", &mut Scratch::default(), &mut out).unwrap();
    /// assert_eq!(out, [(3, 0..2), (1, 2..3), (0, 3..6)]);
    /// ```
    pub fn encode(
        &self,
        pretoken: &str,
        scratch: &mut Scratch,
        out: &mut Vec<(Id, Range<usize>)>,
    ) -> Result<(), NotEncoded> {
        self.for_each_token(pretoken, scratch, |id, range| out.push((id, range)))
    }

    /// Calls `each` with the tokens of a pretoken, one by one. A pretoken may be a whole text: this takes four bytes of
    /// memory for each of its bytes.
    ///
    /// Errors: as [`Self::encode`]; some tokens may have been given by then.
    pub fn for_each_token(
        &self,
        pretoken: &str,
        scratch: &mut Scratch,
        mut each: impl FnMut(Id, Range<usize>),
    ) -> Result<(), NotEncoded> {
        if self.falls_into_parts
            && let (Some(kinds), Weights::Single(weights, unknown)) = (&self.kinds, &self.weights)
        {
            return self.encode_parts(kinds, weights, *unknown, pretoken, scratch, each);
        }
        self.find_path(pretoken, scratch)?;
        self.push_path(pretoken, self.path(pretoken, &scratch.tokens), &mut each)
    }

    /// The tokens of the best way, `None` for an unknown character.
    ///
    /// Errors: an unknown character without an unknown token.
    fn best_path(&self, text: &str, scratch: &mut Scratch) -> Result<Vec<Segment>, NotEncoded> {
        self.find_path(text, scratch)?;
        Ok(self.path(text, &scratch.tokens).collect())
    }

    /// The tokens of a text that falls into parts.
    fn encode_parts(
        &self,
        kinds: &Kinds,
        weights: &[f32],
        unknown: f32,
        text: &str,
        scratch: &mut Scratch,
        each: impl FnMut(Id, Range<usize>),
    ) -> Result<(), NotEncoded> {
        let Scratch { tokens, single, parts, .. } = scratch;
        let mut pusher = kinds.pusher(text, each);
        let id_of = |id: Id| if id == UNKNOWN { kinds.unknown() } else { id };
        let mut sum = 0.0;
        for range in parts::parts(text) {
            let (part, base) = (&text[range.clone()], range.start);
            let known = parts.known(part, sum, |id, at| pusher.push(id_of(id), base + at.start..base + at.end));
            if let Some(after) = known {
                sum = after;
                continue;
            }
            parts.remember(self, weights, unknown, part);
            sum = self.find_best(part, (weights, unknown), sum, tokens, single)?;
            self.turn(part, tokens);
            for (id, at) in self.path(part, tokens) {
                pusher.push(id.unwrap_or(kinds.unknown()), base + at.start..base + at.end);
            }
        }
        pusher.finish();
        Ok(())
    }

    /// Leaves the tokens of the best way in the scratch memory, each where it starts.
    fn find_path(&self, text: &str, scratch: &mut Scratch) -> Result<(), NotEncoded> {
        let Scratch { tokens, double, single, .. } = scratch;
        match &self.weights {
            Weights::Double(weights, unknown) => _ = self.find_best(text, (weights, *unknown), 0.0, tokens, double)?,
            Weights::Single(weights, unknown) => _ = self.find_best(text, (weights, *unknown), 0.0, tokens, single)?,
        }
        self.turn(text, tokens);
        Ok(())
    }

    /// Moves the tokens of the best way, of which each place has the last one, to where they start.
    fn turn(&self, text: &str, tokens: &mut [Id]) {
        // Ways are known from their ends: the last token of each is moved to where it starts.
        let mut end = text.len();
        let mut last = tokens[end];
        while end > 0 {
            let start = match self.vocab.token(last) {
                Some(token) => end - token.len(),
                None => text[..end].char_indices().next_back().map_or(0, |(start, _)| start),
            };
            let before = std::mem::replace(&mut tokens[start], last);
            (end, last) = (start, before);
        }
    }

    /// The way through a text whose tokens stand where they start.
    fn path(&self, text: &str, tokens: &[Id]) -> impl Iterator<Item = Segment> {
        let mut start = 0;
        std::iter::from_fn(move || {
            let id = *tokens.get(start).filter(|_| start < text.len())?;
            let len = match self.vocab.token(id) {
                Some(token) => token.len(),
                None => text[start..].chars().next().map_or(1, char::len_utf8),
            };
            start += len;
            Some(((id != UNKNOWN).then_some(id), start - len..start))
        })
    }

    /// Leaves the last token of the best way to each place of a text that is not empty; returns the sum of the best way
    /// to its end, from the sum before the text on. `ring` has the sums of the places that a token may still reach, each at its place modulo its length.
    fn find_best<N: Number>(
        &self,
        text: &str,
        (weights, unknown): (&[N], N),
        before: N,
        tokens: &mut Vec<Id>,
        ring: &mut Vec<N>,
    ) -> Result<N, NotEncoded> {
        tokens.clear();
        tokens.resize(text.len() + 1, NONE);
        ring.clear();
        ring.resize((self.longest + 1).next_power_of_two(), N::ZERO);
        ring[0] = before;
        let mask = ring.len() - 1;
        for (at, c) in text.char_indices() {
            let mut here = ring[at & mask];
            if here < N::FAR {
                // What sums differ by stays.
                let reach = at..=(at + self.longest).min(text.len());
                let known = reach.filter(|&place| place == at || tokens[place] != NONE);
                known.for_each(|place| ring[place & mask] = ring[place & mask] - here);
                here = N::ZERO;
            }
            let single = at + c.len_utf8();
            let mut has_single = false;
            let mut offer = |end: usize, id: Id, score: N| {
                let is_better = tokens[end] == NONE || score > ring[end & mask];
                if is_better {
                    (tokens[end], ring[end & mask]) = (id, score);
                }
                is_better
            };
            self.trie.prefixes(&text.as_bytes()[at..], |id, len| {
                offer(at + len, id, weights[id as usize] + here);
                has_single |= at + len == single;
            });
            if !has_single && offer(single, UNKNOWN, unknown + here) && self.settings.unknown.is_none() {
                return Err(NotEncoded { at: at..single });
            }
        }
        Ok(ring[text.len() & mask])
    }

    /// Calls `each` with the tokens of a path, unknown neighbours as one. The text may spell the unknown token: that is
    /// unknown, too.
    fn push_path(
        &self,
        text: &str,
        path: impl Iterator<Item = Segment>,
        each: &mut impl FnMut(Id, Range<usize>),
    ) -> Result<(), NotEncoded> {
        if let Some(kinds) = &self.kinds {
            kinds.push(text, path.map(|(id, range)| (id.unwrap_or(kinds.unknown()), range)), each);
            return Ok(());
        }
        let mut waiting: Option<Range<usize>> = None;
        for (id, range) in path {
            match id.filter(|id| Some(*id) != self.settings.unknown) {
                Some(id) => {
                    if let Some(range) = waiting.take() {
                        self.push_unknown(text, range, each)?;
                    }
                    each(id, range);
                }
                None => waiting = Some(waiting.map_or(range.start, |before| before.start)..range.end),
            }
        }
        waiting.map_or(Ok(()), |range| self.push_unknown(text, range, each))
    }

    fn push_unknown(
        &self,
        text: &str,
        range: Range<usize>,
        each: &mut impl FnMut(Id, Range<usize>),
    ) -> Result<(), NotEncoded> {
        let bytes = &text.as_bytes()[range.clone()];
        if let Some(id) = self.vocab.id(bytes) {
            each(id, range);
            return Ok(());
        }
        if let Some(ids) = &self.bytes
            && bytes.iter().all(|&byte| ids[usize::from(byte)].is_some())
        {
            bytes.iter().filter_map(|&byte| ids[usize::from(byte)]).for_each(|id| each(id, range.clone()));
            return Ok(());
        }
        let unknown = self.settings.unknown.ok_or(NotEncoded { at: range.clone() })?;
        each(unknown, range);
        Ok(())
    }
}

/// The score of a user-defined token, whatever its own is: more than those of its parts, which are logarithms.
fn user_defined_score(len: usize) -> f32 {
    (0.1 * (len as f64 - 1.0)) as f32
}

/// The definition, for the tests: the largest sum over all segmentations, in no more time than is there.
#[cfg(test)]
mod naive {
    use super::*;

    /// All segmentations of `text` with their scores; unknown characters have no id.
    pub fn all(model: &Unigram, text: &str) -> Vec<(Vec<Option<Id>>, f64)> {
        let Some(c) = text.chars().next() else { return vec![(vec![], 0.0)] };
        let mut starts: Vec<(Option<Id>, usize)> = (1..=text.len())
            .filter(|&end| text.is_char_boundary(end))
            .filter_map(|end| model.vocab.id(&text.as_bytes()[..end]).map(|id| (Some(id), end)))
            .collect();
        if !starts.iter().any(|&(_, end)| end == c.len_utf8()) {
            starts.push((None, c.len_utf8()));
        }
        let longer = |(id, end): (Option<Id>, usize)| {
            let score = id.map_or(model.unknown_weight(), |id| model.weight(id));
            all(model, &text[end..]).into_iter().map(move |(rest, sum)| ([vec![id], rest].concat(), score + sum))
        };
        starts.into_iter().flat_map(longer).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub fn model(tokens: &[(&str, f64)], settings: Settings) -> Unigram {
        let mut vocab = Vocab::default();
        for (id, (token, _)) in tokens.iter().enumerate() {
            vocab.insert_any(id as Id, token.as_bytes()).expect("ids differ");
        }
        Unigram::new(vocab, tokens.iter().map(|token| token.1).collect(), settings)
    }

    fn shown(model: &Unigram, text: &str) -> String {
        let mut out = vec![];
        if let Err(NotEncoded { at }) = model.encode(text, &mut Scratch::default(), &mut out) {
            return format!("not encoded: {at:?}");
        }
        out.into_iter().map(|(id, range)| format!("{id} {range:?}")).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn unknown_neighbours_are_one_token() {
        let tokens =
            [("?", 0.0), ("a", -1.0), ("<0xC3>", -2.0), ("<0xA9>", -2.0), ("xx", -30.0), ("a", -1.5), ("", -1.0)];
        let with = |unknown, byte_fallback| model(&tokens, Settings { unknown, byte_fallback });
        let cases = [
            (Some(0), false, "xaxyz", "0 0..1, 5 1..2, 0 2..5"), // of twins the last
            (Some(0), false, "a??a", "5 0..1, 0 1..3, 5 3..4"),  // the unknown token as it is spelled
            (Some(0), true, "aééx", "5 0..1, 0 1..6"),           // not all of the bytes
            (Some(0), true, "éé", "2 0..4, 3 0..4, 2 0..4, 3 0..4"),
            (Some(0), false, "xx", "4 0..2"),
            (None, false, "aé", "not encoded: 1..3"),
            (None, true, "aa", "5 0..1, 5 1..2"),
        ];
        for (unknown, byte_fallback, text, expected) in cases {
            assert_eq!(shown(&with(unknown, byte_fallback), text), expected, "{text}");
        }
    }

    #[test]
    fn has_the_largest_sum() {
        let mut random = crate::testing::Random::new(11);
        for _ in 0..300 {
            let mut tokens = vec![("?".to_owned(), 0.0)];
            for _ in 0..random.below(12) {
                let token: String = (0..1 + random.below(3)).map(|_| *random.pick(&['a', 'b', 'é'])).collect();
                if tokens.iter().all(|known| known.0 != token) {
                    tokens.push((token, -(random.below(1000) as f64) / 100.0));
                }
            }
            let tokens: Vec<_> = tokens.iter().map(|(token, score)| (token.as_str(), *score)).collect();
            let model = model(&tokens, Settings { unknown: Some(0), byte_fallback: false });
            let text: String = (0..1 + random.below(9)).map(|_| *random.pick(&['a', 'b', 'é'])).collect();
            let largest = naive::all(&model, &text).into_iter().map(|path| path.1).fold(f64::MIN, f64::max);
            let Weights::Double(weights, unknown) = &model.weights else { panic!("made so") };
            let best =
                model.find_best(&text, (weights, *unknown), 0.0, &mut vec![], &mut vec![]).expect("an unknown token");
            assert!((best - largest).abs() < 1e-9, "{text} in {tokens:?}");
        }
    }

    /// The definition of the arithmetic of a `.model`: 32-bit sums by place, made 0 again when they are far away.
    fn single(model: &Unigram, text: &str) -> Vec<Segment> {
        let Weights::Single(weights, unknown) = &model.weights else { panic!("made so") };
        let mut best: Vec<Option<(f32, usize, Option<Id>)>> = vec![None; text.len() + 1];
        best[0] = Some((0.0, 0, None));
        for (at, c) in text.char_indices() {
            let here = best[at].map_or(0.0, |known| known.0);
            if here < f32::FAR {
                best[at..].iter_mut().flatten().for_each(|known| known.0 -= here);
            }
            let here = best[at].map_or(0.0, |known| known.0);
            let single = at + c.len_utf8();
            let ends = (single..=(at + 8).min(text.len())).filter(|&end| text.is_char_boundary(end));
            let is_text = |id: &Id| model.kinds.as_ref().is_some_and(|kinds| !kinds.of(*id).is_reserved());
            let token = |end: usize| Some((Some(model.vocab.id(&text.as_bytes()[at..end]).filter(is_text)?), end));
            let mut found: Vec<(Option<Id>, usize)> = ends.filter_map(token).collect();
            if found.first().is_none_or(|&(_, end)| end != single) {
                found.push((None, single));
            }
            for (id, end) in found {
                let sum = here + id.map_or(*unknown, |id| weights[id as usize]);
                if best[end].is_none_or(|(known, ..)| sum > known) {
                    best[end] = Some((sum, at, id));
                }
            }
        }
        let (mut path, mut end) = (vec![], text.len());
        while let Some((_, start, id)) = best[end].filter(|_| end > 0) {
            path.push((id, start..end));
            end = start;
        }
        path.reverse();
        path
    }

    #[test]
    fn a_model_file_adds_as_its_library_does() {
        let mut random = crate::testing::Random::new(12);
        for round in 0..200 {
            let mut tokens = vec![("?".to_owned(), 0.0, Kind::Unknown), ("aé".to_owned(), 0.0, Kind::UserDefined)];
            for _ in 0..random.below(12) {
                let token: String = (0..1 + random.below(3)).map(|_| *random.pick(&['a', 'b', 'é'])).collect();
                if tokens.iter().all(|known| known.0 != token) {
                    tokens.push((token, -(random.below(60) as f32) * 1.1, Kind::Normal));
                }
            }
            let mut vocab = Vocab::default();
            for (id, (token, ..)) in tokens.iter().enumerate() {
                vocab.insert(id as Id, token.as_bytes()).expect("ids differ");
            }
            let (scores, kinds): (Vec<f32>, _) = tokens.iter().map(|(_, score, kind)| (*score, *kind)).unzip();
            let kinds = Kinds::new(&vocab, kinds, false).expect("a model");
            let model = Unigram::of_kinds(vocab, &scores, kinds);
            // Long enough for sums to be made 0 again, now and then.
            let len = if round % 20 == 0 { 8000 } else { 1 + random.below(30) };
            let text: String = (0..len).map(|_| *random.pick(&['a', 'b', 'é'])).collect();
            let path = model.best_path(&text, &mut Scratch::default()).expect("there is an unknown token");
            assert_eq!(path, single(&model, &text), "{tokens:?}");
        }
    }
}
