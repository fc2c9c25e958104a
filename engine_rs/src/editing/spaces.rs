//! SentencePiece models for which a space behind a word is a split point.
//!
//! Take `a| b`, where `a` is a letter or a number and a space is behind it: it is a split point where the normalizer
//! works on characters without rules of its own, and no merge reaches from a character to the space mark behind it
//! ([`crate::models::units`]). Unigram has none: its best path is a sum over the whole text, and sums of numbers of a
//! fixed size depend in their last digits on all that is before.
//!
//! Not here: stages of a tokenizer.json ([`crate::pipelines::staged::spaces`]).

use crate::models::scored::{Algorithm, Kind};
use crate::models::units::MARK;
use crate::pipelines::sentencepiece::SentencePiece;
use crate::tokenizer::Tokenizer;

/// Whether a space behind a letter or a number is a split point.
pub fn are_split_points(fused: &SentencePiece, tokenizer: &Tokenizer) -> bool {
    let (normalizer, model) = (fused.normalizer(), fused.model());
    // A mark that is no token could be in a run of what is unknown.
    let mark = tokenizer.vocab().id(MARK.encode_utf8(&mut [0; 4]).as_bytes());
    model.algorithm() == Algorithm::Bpe
        && model.falls_into_units()
        && mark.is_some_and(|mark| model.kind(mark) == Kind::Normal)
        && normalizer.escape_whitespaces
        && !normalizer.whitespace_is_suffix
        && normalizer.charsmap.is_none()
}
