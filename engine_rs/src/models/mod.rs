//! From a pretoken to tokens. One model is one algorithm.

pub mod bpe;
pub mod wordpiece;

use std::ops::Range;

use crate::ids::Id;
use wordpiece::WordPiece;

/// A model of any kind that works on characters. Byte-level BPE over plain bytes is [`bpe::Bpe`], used by the fused path.
#[derive(Clone, Debug)]
pub enum Model {
    /// Byte-pair encoding over characters.
    Bpe(bpe::characters::Bpe),
    /// Greedy longest match.
    WordPiece(WordPiece),
}

impl Model {
    /// Appends the tokens of a pretoken that is not empty: ids and the bytes of the pretoken they stand for.
    pub fn encode(&self, pretoken: &str, out: &mut Vec<(Id, Range<usize>)>) {
        match self {
            Self::Bpe(bpe) => bpe.encode(pretoken, out),
            Self::WordPiece(wordpiece) => {
                let mut tokens = vec![];
                wordpiece.encode(pretoken, &mut tokens);
                let mut start = 0;
                for (id, end) in tokens {
                    out.push((id, start..end as usize));
                    start = end as usize;
                }
            }
        }
    }

    /// Rank of the merge that makes a token, where one does.
    pub fn rank(&self, id: Id) -> Option<u32> {
        match self {
            Self::Bpe(bpe) => bpe.rank(id),
            Self::WordPiece(_) => None,
        }
    }

    /// The token for what the model does not know, where it has one.
    pub fn unknown(&self) -> Option<Id> {
        match self {
            Self::Bpe(bpe) => bpe.unknown(),
            Self::WordPiece(wordpiece) => Some(wordpiece.settings().unknown),
        }
    }
}
