//! The document as a whole.

use super::expression::Dialect;
use super::json::Json;
use super::{added_tokens, decoder, limits, model, normalizer, postprocessor, pretokenizer, ranks};
use crate::error::SaveError;
use crate::formats::definition::{Definition, ModelDefinition};
use crate::formats::sentencepiece::{SentencePieceModel, to_stages};
use crate::ids::Id;

/// Writes a document that `tokenizers` reads and that gives the same tokens there.
///
/// Errors: what the format cannot say: tokens that are not UTF-8, the lab's own normalizers, patterns that mean something
/// else in its regular expressions.
///
/// ```
/// # use token_engine::formats::tokenizer_json::{read, write};
/// let content = br#"{"model": {"type": "WordLevel", "vocab": {"?": 0, "cat": 1}, "unk_token": "?"}}"#;
/// let definition = read("tokenizer.json", content)?;
/// let written = write(&definition).expect("the format has all of it");
/// assert_eq!(read("tokenizer.json", written.as_bytes())?, definition);
/// # Ok::<(), token_engine::LoadError>(())
/// ```
pub fn write(definition: &Definition) -> Result<String, SaveError> {
    let of_other = match &definition.model {
        ModelDefinition::SentencePiece(model) => Some(of_sentencepiece(definition, model)?),
        _ => ranks::with_merges(definition)?,
    };
    let definition = of_other.as_ref().unwrap_or(definition);
    let vocab = definition.model.vocab();
    let spelling = |id: Id| {
        let added = definition.added_tokens.iter().find(|token| token.id == id).map(|token| token.content.clone());
        added.unwrap_or_else(|| String::from_utf8_lossy(vocab.token(id).unwrap_or_default()).into_owned())
    };
    let document = Json::object([
        ("version", "1.0".into()),
        ("truncation", limits::write_truncation(definition.truncation.as_ref())),
        ("padding", limits::write_padding(definition.padding.as_ref())),
        ("added_tokens", added_tokens::write(&definition.added_tokens, vocab)?),
        (
            "normalizer",
            definition.normalizer.as_ref().map(|it| normalizer::write(it, Dialect::Standard)).transpose()?.into(),
        ),
        (
            "pre_tokenizer",
            definition.pretokenizer.as_ref().map(|it| pretokenizer::write(it, Dialect::Standard)).transpose()?.into(),
        ),
        (
            "post_processor",
            definition
                .postprocessor
                .as_ref()
                .map(|postprocessor| postprocessor::write(postprocessor, &spelling))
                .into(),
        ),
        ("decoder", definition.decoder.as_ref().map(|it| decoder::write(it, Dialect::Standard)).transpose()?.into()),
        ("model", model::write(&definition.model)?),
    ]);
    Ok(document.to_string())
}

/// The stages of a SentencePiece model, with what stands beside it.
fn of_sentencepiece(definition: &Definition, model: &SentencePieceModel) -> Result<Definition, SaveError> {
    let mut stages = to_stages(model)?;
    stages.added_tokens.extend(definition.added_tokens.iter().cloned());
    stages.postprocessor.clone_from(&definition.postprocessor);
    (stages.truncation, stages.padding) = (definition.truncation, definition.padding.clone());
    Ok(stages)
}
