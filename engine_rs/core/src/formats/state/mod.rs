//! A definition as bytes and back, without loss: what moves a tokenizer to another process.
//!
//! The stages are JSON, as in a tokenizer.json, with what that format lacks: patterns by name, tiktoken's dialect of
//! regular expressions, any ids of added tokens. The model follows as binary tables. Only the version of the engine that
//! wrote it reads it. Not here: files for other programs ([`super::save`]).

mod model;

use super::definition::Definition;
use super::tokenizer_json::json::{IgnoredField, Json, Node};
use super::tokenizer_json::{Dialect, added_tokens, decoder, limits, normalizer, postprocessor, pretokenizer};
use crate::error::{LoadError, Place};

/// The start of every state, with the version.
const MAGIC: &[u8] = concat!("token-engine ", env!("CARGO_PKG_VERSION"), " state\n").as_bytes();

/// Stands for a file name in errors.
const NAME: &str = "the state of a tokenizer";

/// Writes a definition.
///
/// ```
/// # use token_engine::formats::state;
/// # use token_engine::formats::vocab_txt::{self, Casing};
/// # use token_engine::Definition;
/// let content = b"[UNK]\n[CLS]\n[SEP]\nthe\n##re\n";
/// let definition = Definition::from(vocab_txt::read("vocab.txt", content, Casing::Guess)?);
/// assert_eq!(state::read(&state::write(&definition))?, definition);
/// # Ok::<(), token_engine::LoadError>(())
/// ```
pub fn write(definition: &Definition) -> Vec<u8> {
    let spelling = |_| String::new();
    let exact = "the engine's own dialect has all stages";
    let header = Json::object([
        ("truncation", limits::write_truncation(definition.truncation.as_ref())),
        ("padding", limits::write_padding(definition.padding.as_ref())),
        ("added_tokens", Json::Array(definition.added_tokens.iter().map(added_tokens::write_token).collect())),
        (
            "normalizer",
            definition.normalizer.as_ref().map(|it| normalizer::write(it, Dialect::Engine).expect(exact)).into(),
        ),
        (
            "pre_tokenizer",
            definition.pretokenizer.as_ref().map(|it| pretokenizer::write(it, Dialect::Engine).expect(exact)).into(),
        ),
        ("post_processor", definition.postprocessor.as_ref().map(|it| postprocessor::write(it, &spelling)).into()),
        ("decoder", definition.decoder.as_ref().map(|it| decoder::write(it, Dialect::Engine).expect(exact)).into()),
        (
            "ignored_fields",
            Json::Array(
                definition
                    .ignored_fields
                    .iter()
                    .map(|field| Json::Array(vec![field.place.as_str().into(), field.value.as_str().into()]))
                    .collect(),
            ),
        ),
        ("note", definition.note.as_deref().into()),
        ("model", model::settings(&definition.model)),
    ])
    .to_string();
    let mut out = MAGIC.to_vec();
    out.extend((header.len() as u64).to_le_bytes());
    out.extend(header.as_bytes());
    model::write_tables(&definition.model, &mut out);
    out
}

/// Reads a definition.
///
/// Errors: bytes that [`write`] of this version did not write.
pub fn read(state: &[u8]) -> Result<Definition, LoadError> {
    let rest = state.strip_prefix(MAGIC).ok_or_else(|| {
        LoadError::new(NAME, Place::File, format!("not written by version {}", env!("CARGO_PKG_VERSION")))
            .hint("load the tokenizer from its file, and save the file rather than the state")
    })?;
    let mut tables = model::Tables { rest };
    let length = tables.number::<8>()? as usize;
    let header = Json::read(NAME, tables.bytes(length)?)?;
    let mut fields = Node::root(NAME, &header).fields()?;
    let tokens = fields.required("added_tokens")?;
    let definition = Definition {
        truncation: limits::read_truncation(&fields.required("truncation")?)?,
        padding: limits::read_padding(&fields.required("padding")?)?,
        added_tokens: tokens.items()?.iter().map(added_tokens::read_token).collect::<Result<_, _>>()?,
        normalizer: fields.optional("normalizer", normalizer::read)?,
        pretokenizer: fields.optional("pre_tokenizer", pretokenizer::read)?,
        postprocessor: fields.optional("post_processor", postprocessor::read)?,
        decoder: fields.optional("decoder", decoder::read)?,
        ignored_fields: fields
            .required("ignored_fields")?
            .items()?
            .iter()
            .map(ignored_field)
            .collect::<Result<_, _>>()?,
        note: fields.optional("note", Node::string)?.map(str::to_owned),
        model: model::read(&fields.required("model")?, &mut tables)?,
    };
    fields.end()?;
    Ok(definition)
}

/// A place and a value.
fn ignored_field(node: &Node<'_>) -> Result<IgnoredField, LoadError> {
    match &node.items()?[..] {
        [place, value] => Ok(IgnoredField { place: place.string()?.to_owned(), value: value.string()?.to_owned() }),
        _ => Err(node.unexpected("a place and a value")),
    }
}

fn damaged(problem: &str) -> LoadError {
    LoadError::new(NAME, Place::File, problem).hint("the bytes are damaged or not complete")
}
