//! Normalizer, pretokenizer and model one after the other: the definition of every tokenizer of a tokenizer.json.
//!
//! Simple rather than fast: every stage makes a new text, with the place of every byte in the original.

use crate::added_tokens::{AddedTokens, Specials};
use crate::encoding::Sink;
use crate::error::EncodeError;
use crate::models::{Model, NotEncoded, Scratch};
use crate::normalizers::Normalizer;
use crate::pieces::{Piece, Pieces};
use crate::pretokenizers::Pretokenizer;

/// The stages between the added tokens and the postprocessor.
#[derive(Clone, Debug)]
pub struct Staged {
    /// What changes the text, if anything.
    pub normalizer: Option<Normalizer>,
    /// What splits it, if anything.
    pub pretokenizer: Option<Pretokenizer>,
    /// What makes tokens of the pieces.
    pub model: Model,
}

impl Staged {
    /// Pushes the tokens of `text`, added tokens among them. What is left to chance (dropout) is the same in every call.
    ///
    /// Errors: what is unknown to a model without an unknown token; a pattern that tries too many ways to match.
    pub fn encode<S: Sink>(
        &self,
        added: &AddedTokens,
        text: &str,
        specials: Specials,
        sink: &mut S,
    ) -> Result<(), EncodeError> {
        self.encode_pieces(added.pieces(text, 0, self.normalizer.as_ref(), specials)?, text, sink)
    }

    /// The same for a text that goes on where another one ends: nothing is put before it, nothing at its start goes away.
    ///
    /// Errors: as [`Self::encode`].
    pub fn encode_rest<S: Sink>(
        &self,
        added: &AddedTokens,
        text: &str,
        specials: Specials,
        sink: &mut S,
    ) -> Result<(), EncodeError> {
        let others = self.normalizer.as_ref();
        let inside = others.filter(|normalizer| normalizer.changes_starts()).map(Normalizer::inside);
        let first = inside.as_ref().or(others);
        self.encode_pieces(added.pieces_with(text, 0, first, others, specials)?, text, sink)
    }

    fn encode_pieces<S: Sink>(&self, mut pieces: Pieces, text: &str, sink: &mut S) -> Result<(), EncodeError> {
        if let Some(pretokenizer) = &self.pretokenizer {
            pretokenizer.pretokenize(&mut pieces)?;
        }
        let mut scratch = Scratch::new(0);
        let mut tokens = vec![];
        // Other models spell what they do not know as their unknown token.
        let unknown = self.model.unknown().filter(|_| matches!(self.model, Model::Unigram(_)));
        for piece in pieces.iter() {
            if let Some(found) = piece.token {
                sink.spelling(piece.text.text());
                sink.push_added(found.id, piece.text.span(0..piece.text.text().len()), found.special);
                continue;
            }
            sink.begin_pretoken();
            let encoded = self.model.encode(piece.text.text(), &mut scratch, &mut tokens);
            encoded.map_err(|refused| no_unknown(text, piece, refused))?;
            for (id, range) in tokens.drain(..) {
                if unknown == Some(id) {
                    sink.spelling(&piece.text.text()[range.clone()]);
                }
                sink.push(id, piece.text.span(range));
            }
        }
        Ok(())
    }
}

/// The error for what a model does not know in a piece of `text`.
pub fn no_unknown(text: &str, piece: &Piece, NotEncoded { at }: NotEncoded) -> EncodeError {
    let span = piece.text.span(at);
    EncodeError::NoUnknown { text: text[span.range()].to_owned(), byte: span.start as usize }
}
