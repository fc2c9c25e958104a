//! From a pretoken to tokens. One model is one algorithm.

pub mod bpe;
pub mod kinds;
pub(crate) mod space_mark;
pub(crate) mod trie;
pub mod unigram;
pub mod wordlevel;
pub mod wordpiece;

use std::ops::Range;
use std::sync::Arc;

use crate::ids::Id;
use crate::memory::HeapBytes;
use crate::random::Random;
use kinds::Kinds;
use unigram::Unigram;
use wordlevel::WordLevel;
use wordpiece::WordPiece;

/// A model of any kind. Clones share their tables where a fast path does, too.
#[derive(Clone, Debug)]
pub enum Model {
    /// Byte-pair encoding over characters.
    Bpe(bpe::characters::Bpe),
    /// Byte-pair encoding over the bytes of a pretoken. Its vocabulary holds bytes, not their spelling.
    ByteBpe(bpe::ByteBpe),
    /// The most probable segmentation.
    Unigram(Box<Unigram>),
    /// Whole words.
    WordLevel(WordLevel),
    /// Greedy longest match.
    WordPiece(Arc<WordPiece>),
}

/// The token for what a model does not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// A token of the vocabulary.
    Token(Id),
    /// This spelling, which is not in the vocabulary: what would be it cannot be encoded.
    Missing(String),
}

impl Unknown {
    /// The token, where there is one.
    pub(crate) fn id(&self) -> Option<Id> {
        match self {
            Self::Token(id) => Some(*id),
            Self::Missing(_) => None,
        }
    }
}

/// A part of a pretoken that is not in the vocabulary of a model without an unknown token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownSymbol {
    /// Bytes of the pretoken.
    pub(crate) at: Range<usize>,
}

/// What encoding needs beside the model: reuse it for all pretokens of a text.
pub struct Scratch {
    random: Random,
    tokens: Vec<(Id, Range<usize>)>,
    ends: Vec<(Id, u32)>,
    bytes: bpe::Scratch,
    pub(crate) bpe: bpe::characters::Scratch,
    unigram: unigram::Scratch,
}

impl Scratch {
    /// `seed` decides what is left to chance, dropout for one.
    pub fn new(seed: u64) -> Self {
        Self {
            random: Random::new(seed),
            tokens: vec![],
            ends: vec![],
            bytes: bpe::Scratch::default(),
            bpe: bpe::characters::Scratch::default(),
            unigram: unigram::Scratch::default(),
        }
    }

    /// Draws the numbers again that `seed` decides.
    pub(crate) fn reseed(&mut self, seed: u64) {
        self.random = Random::new(seed);
    }

    /// The same with a dropout that takes the place of the model's own.
    #[must_use]
    pub fn with_dropout(mut self, dropout: f32) -> Self {
        self.bpe.dropout = Some(dropout);
        self
    }
}

impl Default for Scratch {
    fn default() -> Self {
        Self::new(0)
    }
}

impl HeapBytes for Scratch {
    fn heap_bytes(&self) -> usize {
        let Self { random: _, tokens, ends, bytes: _, bpe, unigram } = self;
        tokens.heap_bytes() + ends.heap_bytes() + bpe.heap_bytes() + unigram.heap_bytes()
    }
}

impl Model {
    /// The kinds of the tokens, of a model that comes from a `.model` file.
    pub fn kinds(&self) -> Option<&Kinds> {
        match self {
            Self::Bpe(bpe) => bpe.kinds(),
            Self::Unigram(unigram) => unigram.kinds(),
            Self::ByteBpe(_) | Self::WordLevel(_) | Self::WordPiece(_) => None,
        }
    }

    /// Appends the tokens of a pretoken that is not empty: ids and the bytes of the pretoken they stand for.
    ///
    /// Errors: what is unknown to a model without an unknown token.
    pub fn encode(
        &self,
        pretoken: &str,
        scratch: &mut Scratch,
        out: &mut Vec<(Id, Range<usize>)>,
    ) -> Result<(), UnknownSymbol> {
        match self {
            Self::Bpe(bpe) => bpe.encode(pretoken, &mut scratch.bpe, &mut scratch.random, out)?,
            Self::ByteBpe(bpe) => {
                bpe.encode(pretoken.as_bytes(), &mut scratch.bytes, &mut scratch.ends);
                push_by_ends(&scratch.ends, out);
            }
            Self::Unigram(unigram) => unigram.encode(pretoken, &mut scratch.unigram, out)?,
            Self::WordLevel(wordlevel) => out.push((wordlevel.encode(pretoken)?, 0..pretoken.len())),
            Self::WordPiece(wordpiece) => {
                let settings = wordpiece.settings();
                scratch.ends.clear();
                wordpiece.encode(pretoken, &mut scratch.ends);
                if settings.missing_unknown.is_some() && scratch.ends.iter().any(|&(id, _)| id == settings.unknown) {
                    return Err(UnknownSymbol { at: 0..pretoken.len() });
                }
                push_by_ends(&scratch.ends, out);
            }
        }
        Ok(())
    }

    /// Calls `each` with the tokens that [`Self::encode`] gives, one by one: a pretoken may be a whole text, of which a list
    /// of tokens would be several times as long.
    ///
    /// Errors: as [`Self::encode`]; some tokens may have been given by then.
    pub(crate) fn for_each_token(
        &self,
        pretoken: &str,
        scratch: &mut Scratch,
        mut each: impl FnMut(Id, Range<usize>),
    ) -> Result<(), UnknownSymbol> {
        if let Self::Unigram(unigram) = self {
            return unigram.for_each_token(pretoken, &mut scratch.unigram, each);
        }
        let mut tokens = std::mem::take(&mut scratch.tokens);
        let encoded = self.encode(pretoken, scratch, &mut tokens);
        tokens.drain(..).for_each(|(id, range)| each(id, range));
        scratch.tokens = tokens;
        encoded
    }

    /// Rank of the merge that makes a token, where one does.
    pub(crate) fn rank(&self, id: Id) -> Option<u32> {
        match self {
            Self::Bpe(bpe) => bpe.rank(id),
            Self::ByteBpe(bpe) => bpe.bpe().rank(id),
            Self::Unigram(_) | Self::WordLevel(_) | Self::WordPiece(_) => None,
        }
    }

    /// Natural logarithm of a token's probability, where the model has one.
    pub(crate) fn score(&self, id: Id) -> Option<f64> {
        match self {
            Self::Unigram(unigram) => unigram.score(id),
            Self::Bpe(bpe) => bpe.score(id),
            Self::ByteBpe(_) | Self::WordLevel(_) | Self::WordPiece(_) => None,
        }
    }

    /// The token for what the model does not know, where it has one.
    pub fn unknown(&self) -> Option<Id> {
        match self {
            Self::Bpe(bpe) => bpe.unknown(),
            Self::ByteBpe(_) => None,
            Self::Unigram(unigram) => unigram.settings().unknown,
            Self::WordLevel(wordlevel) => wordlevel.unknown().id(),
            Self::WordPiece(wordpiece) => {
                let settings = wordpiece.settings();
                settings.missing_unknown.is_none().then_some(settings.unknown)
            }
        }
    }
}

/// Appends tokens without gaps, given with their ends.
fn push_by_ends(tokens: &[(Id, u32)], out: &mut Vec<(Id, Range<usize>)>) {
    let mut start = 0;
    for &(id, end) in tokens {
        out.push((id, start..end as usize));
        start = end as usize;
    }
}
