//! `tokenizer.ggml.model` = `t5`: a Unigram model of SentencePiece, with the rules of its normalizer.
//!
//! The tokenizer is that of the `.model` that the file was made from.

use super::container::Value;
use super::source::{CONTROL, Source};
use crate::error::LoadError;
use crate::formats::definition::{Definition, ModelDefinition};
use crate::formats::sentencepiece::{Message, SentencePieceModel, numbers};
use crate::normalizers::charsmap::Charsmap;
use crate::vocab::Kind;

/// The definition of such a file.
pub(crate) fn definition(source: &Source<'_>) -> Result<Definition, LoadError> {
    let scores = source.scores()?.iter().map(|&score| score as f32).collect();
    let kinds: Vec<Kind> = source.types.iter().map(|&number| kind(number)).collect();
    let rules = rules(source)?;
    let spec =
        Message::default().with_number(numbers::ADD_DUMMY_PREFIX, source.switch("add_space_prefix", true)?.into());
    let spec =
        spec.with_number(numbers::REMOVE_EXTRA_WHITESPACES, source.switch("remove_extra_whitespaces", false)?.into());
    let trainer = Message::default()
        .with_number(numbers::MODEL_TYPE, 1)
        .with_number(numbers::BYTE_FALLBACK, kinds.contains(&Kind::Byte).into());
    let model = SentencePieceModel {
        vocab: source.vocab()?,
        kinds,
        scores,
        trainer: Some(trainer),
        normalizer: Some(if rules.is_empty() { spec } else { spec.with_bytes(numbers::CHARSMAP, &rules) }),
        ..SentencePieceModel::default()
    };
    // Text may spell what the model's own library keeps for its caller: `<extra_id_0>`.
    let mut added_tokens = source.added_tokens();
    added_tokens.retain(|token| source.types[token.id as usize] == CONTROL);
    Ok(Definition {
        added_tokens,
        postprocessor: source.template(false, true)?,
        ..Definition::new(ModelDefinition::SentencePiece(Box::new(model)))
    })
}

/// The kind of a piece; the numbers are those of a `.model`.
fn kind(number: i64) -> Kind {
    match number {
        2 => Kind::Unknown,
        3 => Kind::Control,
        4 => Kind::UserDefined,
        5 => Kind::Unused,
        6 => Kind::Byte,
        _ => Kind::Normal,
    }
}

/// The rules of the normalizer, empty where there are none.
fn rules(source: &Source<'_>) -> Result<Vec<u8>, LoadError> {
    const NAME: &str = "precompiled_charsmap";
    let bytes = match source.value(NAME) {
        None => return Ok(vec![]),
        // Signed in some files.
        Some(Value::Integers(bytes)) => bytes.iter().map(|&byte| byte as u8).collect::<Vec<_>>(),
        Some(_) => return Err(source.error(NAME, "is no list of bytes")),
    };
    if !bytes.is_empty() {
        Charsmap::new(&bytes).map_err(|problem| source.error(NAME, &problem))?;
    }
    Ok(bytes)
}
