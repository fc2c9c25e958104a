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
//! Not here: the search for the best path ([`viterbi`]), what becomes of unknown characters ([`unknown`]), words and the sums
//! before them ([`parts`]), all other segmentations ([`lattice`]).
//!
//! Source: Kudo 2018, Subword Regularization; `Unigram` of the tokenizer.json format; `sentencepiece` 0.2.

pub mod lattice;
mod parts;
#[cfg(test)]
mod tests;
mod unknown;
mod viterbi;
pub mod weights;

use std::ops::Range;

use super::UnknownSymbol;
use super::bpe::characters::byte_token;
use super::kinds::Kinds;
use super::space_mark::{MARK, has_inner_mark};
use super::trie::Trie;
use crate::ids::Id;
use crate::memory::HeapBytes;
use crate::vocab::{Kind, Vocab};
pub(crate) use parts::MAX_BYTES_OF_PARTS;
pub use parts::{Word, WordScratch};

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

/// Memory to be used again.
#[derive(Default)]
pub struct Scratch {
    /// By place in the text: the last token of the best way there, and once the way is found the token that starts there.
    tokens: Vec<Id>,
    double: Vec<f64>,
    single: Vec<f32>,
}

impl HeapBytes for Scratch {
    fn heap_bytes(&self) -> usize {
        self.tokens.heap_bytes() + self.double.heap_bytes() + self.single.heap_bytes()
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

    /// The tokens.
    pub(crate) fn vocab(&self) -> &Vocab {
        &self.vocab
    }

    /// The settings it was built with.
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// Natural logarithm of the token's probability.
    pub fn score(&self, id: Id) -> Option<f64> {
        self.scores.get(id as usize).copied()
    }

    /// Appends the tokens of a pretoken that is not empty, with the bytes of the pretoken they stand for: linear in its
    /// length, times the length of the longest token.
    ///
    /// Errors: an unknown character where there is no unknown token.
    ///
    /// ```
    /// # use token_engine::models::unigram::{Scratch, Settings, Unigram};
    /// # use token_engine::Vocab;
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
    ) -> Result<(), UnknownSymbol> {
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
    ) -> Result<(), UnknownSymbol> {
        self.find_path(pretoken, scratch)?;
        self.push_path(pretoken, self.path(pretoken, &scratch.tokens), &mut each)
    }
}

/// The score of a user-defined token, whatever its own is: more than those of its parts, which are logarithms.
fn user_defined_score(len: usize) -> f32 {
    (0.1 * (len as f64 - 1.0)) as f32
}
