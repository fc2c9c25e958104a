//! The document as a whole.

use super::json::{IgnoredFields, Json, Node};
use super::{added_tokens, decoder, limits, model, normalizer, postprocessor, pretokenizer};
use crate::error::LoadError;
use crate::formats::definition::Definition;

/// Reads a document. `file` is its name for errors.
///
/// A field that is not known is skipped and listed in [`Definition::ignored_fields`] wherever the reference skips it: in
/// components, not at the top and not in objects that name one of several kinds, such as patterns.
///
/// Errors: what is not JSON, with the line; what is missing, not known or not right, with its JSON path.
///
/// ```
/// # use token_engine::formats::tokenizer_json::read;
/// let content = br#"{"model": {"type": "WordLevel", "vocab": {"?": 0, "cat": 1}, "unk_token": "?"}}"#;
/// let tokenizer = read("tokenizer.json", content)?.build("tokenizer.json")?;
/// assert_eq!(tokenizer.vocab().id(b"cat"), Some(1));
/// let error = read("tokenizer.json", br#"{"model": {"type": "GPT"}}"#).unwrap_err();
/// assert_eq!(error.to_string(), "tokenizer.json at model.type: no model \"GPT\" is known");
/// # Ok::<(), token_engine::LoadError>(())
/// ```
pub fn read(file: &str, content: &[u8]) -> Result<Definition, LoadError> {
    let json = Json::read(file, content)?;
    let ignored = IgnoredFields::default();
    let mut fields = Node::root_with(file, &json, &ignored).fields()?;
    if let Some(version) = fields.take("version")
        && version.string()? != "1.0"
    {
        return Err(version.unexpected("\"1.0\", the version that is known"));
    }
    let model = model::read(&fields.required("model")?)?;
    let added_tokens = fields.optional("added_tokens", |node| added_tokens::read(node, model.vocab()))?;
    let mut definition = Definition {
        truncation: fields.take("truncation").map_or(Ok(None), |node| limits::read_truncation(&node))?,
        padding: fields.take("padding").map_or(Ok(None), |node| limits::read_padding(&node))?,
        added_tokens: added_tokens.unwrap_or_default(),
        normalizer: fields.optional("normalizer", normalizer::read)?,
        pretokenizer: fields.optional("pre_tokenizer", pretokenizer::read)?,
        model,
        postprocessor: fields.optional("post_processor", postprocessor::read)?,
        decoder: fields.optional("decoder", decoder::read)?,
        ignored_fields: vec![],
        note: None,
    };
    fields.end()?;
    definition.ignored_fields = ignored.into_inner();
    definition.ignored_fields.sort_by(|a, b| a.place.cmp(&b.place));
    Ok(definition)
}
