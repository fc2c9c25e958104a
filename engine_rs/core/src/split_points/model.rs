//! The model at a split point.
//!
//! If the pretokenizer splits there, every model works on each side alone. Within a pretoken:
//! * **BPE** does where no merge reaches from a character to the space mark behind it ([`crate::models::space_mark`]), and
//!   between two characters that stand side by side in no token ([`super::characters`]).
//! * **Unigram** does not: its best path is a sum over the whole text, and sums of numbers of a fixed size depend in their
//!   last digits on all that is before. Which path wins a near tie may change far from the edit. Where no token of a
//!   `.model` has a space mark after another character, the sum before the mark is all that the tokens behind it depend on:
//!   no split point, but [`crate::fast::unigram`] splits there and carries the sum.
//!
//! Dropout has no split points at all: the numbers it draws are counted from the start.

use crate::models::Model;

/// Whether a model draws numbers.
pub(super) fn has_dropout(model: &Model) -> bool {
    matches!(model, Model::Bpe(bpe) if bpe.settings().dropout.is_some_and(|share| share > 0.0))
}

/// Whether a model encodes what is on both sides of a space mark behind a word independently of each other.
pub(super) fn splits_at_marks(model: &Model) -> bool {
    matches!(model, Model::Bpe(bpe) if bpe.falls_into_segments())
}

/// Whether all that a model's tokens behind a space mark after a word depend on is the sum of the scores before it.
pub(super) fn carries_sums(model: &Model) -> bool {
    matches!(model, Model::Unigram(unigram) if unigram.falls_into_parts())
}
