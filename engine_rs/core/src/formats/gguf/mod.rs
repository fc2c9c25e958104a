//! GGUF: the vocabulary inside of a model file of llama.cpp.
//!
//! Followed is the tokenizer that the file was made from, as its tokenizer.json has it, not llama.cpp where the two differ.
//! Not here: tensors, which are never read.
//!
//! Source: `docs/gguf.md` of ggml; `convert_hf_to_gguf.py` and `src/llama-vocab.cpp` of llama.cpp.

mod bert;
mod byte_level;
pub(crate) mod container;
mod llama;
mod rwkv;
mod source;
mod t5;
#[cfg(test)]
mod tests;

use std::io::Read;

use self::container::Value;
use self::source::Source;
use super::definition::Definition;
use crate::error::LoadError;

/// What a file says of conversations.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Chat {
    /// The chat templates by name; that without a name is `default`.
    pub templates: Vec<(String, String)>,
    /// The texts of tokens that templates ask for, such as `bos_token`.
    pub tokens: Vec<(String, String)>,
}

/// Reads the chat templates of a file of `size` bytes.
///
/// Errors: what is no GGUF.
pub fn chat(file: &str, source: impl Read, size: u64) -> Result<Chat, LoadError> {
    const TEMPLATE: &str = "tokenizer.chat_template";
    let values = container::read(file, source, size)?;
    let mut templates: Vec<(String, String)> = values
        .iter()
        .filter_map(|(name, value)| {
            let (name, Value::String(text)) = (name.strip_prefix(TEMPLATE)?, value) else { return None };
            let name = if name.is_empty() { "default" } else { name.strip_prefix('.')? };
            Some((name.to_owned(), text.clone()))
        })
        .collect();
    templates.sort();
    let token = |name: &str| {
        let Some(Value::Strings(tokens)) = values.get("tokenizer.ggml.tokens") else { return None };
        let Some(Value::Integer(id)) = values.get(&format!("tokenizer.ggml.{name}_token_id")) else { return None };
        tokens.get(usize::try_from(*id).ok()?).map(|text| (format!("{name}_token"), text.clone()))
    };
    // llama.cpp calls that of the unknown token otherwise than transformers, and spells two in its own way.
    let named = [
        ("bos", "bos"),
        ("eos", "eos"),
        ("unknown", "unk"),
        ("seperator", "sep"),
        ("padding", "pad"),
        ("cls", "cls"),
        ("mask", "mask"),
    ];
    let tokens =
        named.into_iter().filter_map(|(name, called)| Some((format!("{called}_token"), token(name)?.1))).collect();
    Ok(Chat { templates, tokens })
}

/// Reads the tokenizer in a file of `size` bytes.
///
/// Errors: what is no GGUF, has no tokenizer or one of a kind or split pattern that is not known; each with the byte or
/// the name of the value.
pub fn read(file: &str, source: impl Read, size: u64) -> Result<Definition, LoadError> {
    let values = container::read(file, source, size)?;
    let source = Source::new(file, &values)?;
    match source.model {
        "gpt2" => byte_level::definition(&source),
        "bert" => bert::definition(&source),
        "llama" => llama::definition(&source),
        "gemma4" => llama::merging(&source, "gemma4"),
        "t5" => t5::definition(&source),
        "rwkv" => rwkv::definition(&source),
        model => {
            let problem = match model {
                "plamo2" => "PLaMo 2 looks for the best segmentation in a way of its own, which is not read",
                "whitespace" => "words in the place of bytes are not read",
                "hybriddna" => "tokens of DNA beside tokens of text are not read",
                _ => "is not known",
            };
            let hint = "known are gpt2, llama, bert, gemma4, t5 and rwkv; use the tokenizer of the repository that the file was made from";
            Err(source.error("model", &format!("{model:?}: {problem}")).hint(hint))
        }
    }
}
