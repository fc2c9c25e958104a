//! From text to pretokens: the slices that a model sees one at a time. One file per pretokenizer.

pub mod bert;
pub mod byte_level;
pub mod characters;
pub mod scanners;

use crate::pieces::Pieces;
use byte_level::ByteLevel;
use scanners::Pattern;

/// A pretokenizer of any kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Pretokenizer {
    /// BERT's words and punctuation.
    Bert,
    /// A pattern known by name; the pretokens are its matches.
    Pattern(Pattern),
    /// GPT-2's pattern, then bytes spelled in the byte alphabet.
    ByteLevel(ByteLevel),
    /// One after the other.
    Sequence(Vec<Pretokenizer>),
}

impl Pretokenizer {
    /// Splits, and where it is part of the kind changes, every piece that is no added token.
    pub fn pretokenize(&self, pieces: &mut Pieces) {
        match self {
            Self::Bert => bert::pretokenize(pieces),
            Self::Pattern(pattern) => scanners::pretokenize(*pattern, pieces),
            Self::ByteLevel(byte_level) => byte_level.pretokenize(pieces),
            Self::Sequence(all) => all.iter().for_each(|pretokenizer| pretokenizer.pretokenize(pieces)),
        }
    }
}
