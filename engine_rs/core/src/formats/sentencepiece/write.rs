//! From data to bytes, fields in the order of their numbers.

use super::read::KINDS;
use super::wire::{put_bytes, put_float, put_number};
use super::{Message, SentencePieceModel, from_stages, numbers};
use crate::error::SaveError;
use crate::formats::definition::{Definition, ModelDefinition};
use crate::ids::Id;
use crate::vocab::Kind;

/// Writes a model that `sentencepiece` reads and that gives the same tokens there.
///
/// Errors: what the format cannot say.
pub fn write(definition: &Definition) -> Result<Vec<u8>, SaveError> {
    let refuse = |what: &str, problem: &str| Err(SaveError::new("sentencepiece", what, problem));
    let checked = |model: &SentencePieceModel| match piece_with_zero(model) {
        Some(piece) => {
            refuse(&format!("the piece {piece:?}"), "it has a zero byte, with which the library reads no model")
        }
        None => Ok(to_bytes(model)),
    };
    if definition.postprocessor.is_some() {
        return refuse("the postprocessor", "a model does not say what is put around its pieces");
    }
    let ModelDefinition::SentencePiece(model) = &definition.model else {
        return from_stages(definition).and_then(|model| checked(&model));
    };
    if let Some(added) = definition.added_tokens.first() {
        return refuse(&format!("the added token {:?}", added.content), "a model has its own pieces alone");
    }
    checked(model)
}

/// A piece with a zero byte that is used.
fn piece_with_zero(model: &SentencePieceModel) -> Option<String> {
    let is_used = |id: &Id| model.kinds.get(*id as usize).is_none_or(|&kind| kind != Kind::Unused);
    let (_, token) = model.vocab.iter().find(|(id, token)| token.contains(&0) && is_used(id))?;
    Some(String::from_utf8_lossy(token).into_owned())
}

/// The bytes of a `ModelProto`.
pub fn to_bytes(model: &SentencePieceModel) -> Vec<u8> {
    let mut out = vec![];
    let mut unscored = model.unscored.iter().peekable();
    let mut extensions = model.extensions.iter().peekable();
    for (at, (&kind, &score)) in model.kinds.iter().zip(&model.scores).enumerate() {
        let mut piece = vec![];
        put_bytes(numbers::PIECE_TEXT, model.vocab.token(at as Id).unwrap_or_default(), &mut piece);
        if unscored.next_if_eq(&&(at as Id)).is_none() {
            put_float(numbers::PIECE_SCORE, score, &mut piece);
        }
        if kind != Kind::Normal {
            let number = KINDS.iter().position(|known| *known == Some(kind)).unwrap_or(1);
            put_number(numbers::PIECE_TYPE, number as u64, &mut piece);
        }
        if let Some((_, extension)) = extensions.next_if(|(id, _)| *id == at as Id) {
            piece.extend_from_slice(extension);
        }
        put_bytes(numbers::PIECES, &piece, &mut out);
    }
    let mut put = |number, message: &Option<Message>| {
        if let Some(message) = message {
            put_bytes(number, message.as_bytes(), &mut out);
        }
    };
    put(numbers::TRAINER, &model.trainer);
    put(numbers::NORMALIZER, &model.normalizer);
    // Test sentences come before the denormalizer in files, extensions after it; the order does not matter.
    put(numbers::DENORMALIZER, &model.denormalizer);
    out.extend_from_slice(&model.rest);
    out
}
