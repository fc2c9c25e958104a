//! SentencePiece's `.model`: a `ModelProto` of protocol buffers, with pieces, scores and how texts are normalized.
//!
//! What tokenizing needs is read and checked; what it does not (how the model was trained, test sentences, extensions) is
//! kept as it is and written again. Not here: what the parts do ([`crate::normalizers::sentencepiece`],
//! [`crate::models`], [`crate::decoders::sentencepiece`]).
//!
//! Source: `sentencepiece_model.proto` of github.com/google/sentencepiece; protobuf.dev/programming-guides/encoding.

mod build;
mod message;
mod read;
mod stages;
mod wire;
mod write;

pub(crate) use build::{Algorithm, Built};
pub(crate) use message::Message;
pub use read::{looks_like, read};
pub(crate) use stages::{from_stages, to_stages};
pub use write::{to_bytes, write};

use crate::ids::Id;
use crate::vocab::{Kind, Vocab};

/// Numbers of the fields that are looked at.
pub(crate) mod numbers {
    pub(crate) const PIECES: u32 = 1;
    pub(crate) const TRAINER: u32 = 2;
    pub(crate) const NORMALIZER: u32 = 3;
    pub(crate) const SELF_TEST: u32 = 4;
    pub(crate) const DENORMALIZER: u32 = 5;

    pub(crate) const PIECE_TEXT: u32 = 1;
    pub(crate) const PIECE_SCORE: u32 = 2;
    pub(crate) const PIECE_TYPE: u32 = 3;

    pub(crate) const MODEL_TYPE: u32 = 3;
    pub(crate) const WHITESPACE_IS_SUFFIX: u32 = 24;
    pub(crate) const BYTE_FALLBACK: u32 = 35;
    pub(crate) const UNKNOWN_SURFACE: u32 = 44;

    pub(crate) const RULES_NAME: u32 = 1;
    pub(crate) const CHARSMAP: u32 = 2;
    pub(crate) const ADD_DUMMY_PREFIX: u32 = 3;
    pub(crate) const REMOVE_EXTRA_WHITESPACES: u32 = 4;
    pub(crate) const ESCAPE_WHITESPACES: u32 = 5;
    pub(crate) const RULES_TSV: u32 = 6;

    /// From here on fields are extensions, of which the format says that they may be left alone.
    pub(crate) const EXTENSIONS: u32 = 200;
}

/// A `.model` as data.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SentencePieceModel {
    /// The pieces by id, as they are spelled.
    pub(crate) vocab: Vocab,
    /// What each piece is for.
    pub(crate) kinds: Vec<Kind>,
    /// Natural logarithms of probabilities, or of merges how early they come.
    pub(crate) scores: Vec<f32>,
    /// Pieces whose score, which is 0, the file leaves out.
    pub(crate) unscored: Vec<Id>,
    /// Extensions of single pieces, as they stand in the file.
    pub(crate) extensions: Vec<(Id, Vec<u8>)>,
    /// How the model was trained: kind of model, byte fallback and where spaces go among it.
    pub(crate) trainer: Option<Message>,
    /// How texts are normalized.
    pub(crate) normalizer: Option<Message>,
    /// What decoded texts go through.
    pub(crate) denormalizer: Option<Message>,
    /// All other fields, as they stand in the file.
    pub(crate) rest: Vec<u8>,
}

#[cfg(test)]
mod tests;
